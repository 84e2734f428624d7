/* What one body sees of another on all squares: a sweep by angle, quarter by quarter.

   From one eye, corners of the grid and points of targets are gone through in the order of their
   angles. For every grid line the edge is kept that the ray crosses now, as what stands there over
   the eye for each eighth of distance; the highest of the lines before a point is what hides it. At
   a corner that is met exactly, the lower side counts. What floats is asked of the walker's rules,
   at the crossings where it is.

   A hidden height is a whole number over a distance below 4096 eighths. So it is at the crown or at
   least 1/4096 below it, and rounding does not decide which. */
#include "sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES 512
#define BLOCK 32
#define BLOCKS (LINES / BLOCK)
#define WHOLLY 1e-4 /* nearer to the crown than any height below it, farther than rounding */

/* The grid lines of one direction, by their number from the eye. `within`: the highest so far in
   the block of a line; `before`: in all blocks before it. */
typedef struct {
    double met[LINES], within[LINES], before[BLOCKS + 1], per_eighth[LINES];
    uint64_t odd[LINES / 64];
    int odds, first; /* how many are odd; eighths from the eye to the first line */
} Lines;

typedef struct {
    const Map *map;
    const Body *observer, *like;
    const Place *places;
    Walk *walk;
    int question;
    double *sums, *best; /* heights seen by this eye; the best eye's share */
    uint8_t *walled;     /* how many lines walls up to the sky stop */
} Sweep;

/* The squares that lie from an eye in one quarter. Counted from the eye's own square, targets are
   those from (first_x, first_y) to (last_x, last_y) by their nearest squares. */
typedef struct {
    int64_t x, y;
    int step_x, step_y, column, row;
    int first_x, first_y, last_x, last_y;
    int per_x, per_y, origin, west, north; /* in places: a square on, the eye's, its far edges */
} Quarter;

static void clear(Lines *lines, int first) {
    for (int i = 0; i < LINES; i++) {
        lines->met[i] = lines->within[i] = -INFINITY;
        lines->per_eighth[i] = i ? 1.0 / (first + 8 * (i - 1)) : 0;
    }
    for (int i = 0; i <= BLOCKS; i++)
        lines->before[i] = -INFINITY;
    memset(lines->odd, 0, sizeof lines->odd);
    lines->odds = 0;
    lines->first = first;
}

/* From now on the ray meets this on a line. */
static inline void put(Lines *lines, int line, int32_t top, bool is_odd, int eye) {
    uint64_t bit = (uint64_t)1 << (line % 64), *odd = lines->odd + line / 64;
    if (is_odd != ((*odd & bit) != 0)) {
        *odd ^= bit;
        lines->odds += is_odd ? 1 : -1;
    }
    double met = top >= SKY       ? INFINITY
                 : top <= NOTHING ? -INFINITY
                                  : (double)(top - eye) * lines->per_eighth[line];
    if (lines->met[line] == met)
        return;
    lines->met[line] = met;
    double highest = line % BLOCK ? lines->within[line - 1] : -INFINITY;
    for (int i = line; i <= (line | (BLOCK - 1)); i++) {
        highest = lines->met[i] > highest ? lines->met[i] : highest;
        if (lines->within[i] == highest)
            return;
        lines->within[i] = highest;
    }
    for (int block = line / BLOCK + 1; block <= BLOCKS; block++) {
        double last = lines->within[block * BLOCK - 1], before = lines->before[block - 1];
        highest = last > before ? last : before;
        if (lines->before[block] == highest)
            return;
        lines->before[block] = highest;
    }
}

static inline double highest_to(const Lines *lines, int line) {
    double within = lines->within[line], before = lines->before[line / BLOCK];
    return within > before ? within : before;
}

static inline bool is_odd_to(const Lines *lines, int line) {
    uint64_t some = lines->odd[line / 64] & (~(uint64_t)0 >> (63 - line % 64));
    for (int i = 0; i < line / 64; i++)
        some |= lines->odd[i];
    return some != 0;
}

static int32_t higher(int32_t one, int32_t other) { return one > other ? one : other; }

/* The ray meets a corner exactly: docs/geometry.md, "Corners". Or it has passed it. */
static void turn_corner(const Sweep *sweep, const Quarter *quarter, Lines *across, Lines *down,
                        int i, int j, bool is_met) {
    const Place *here = sweep->places + quarter->origin + i * quarter->per_x + j * quarter->per_y;
    const Place *west = here + quarter->west, *back = here - quarter->per_x;
    const Place *north = back + quarter->north;
    int eye = sweep->observer->eyes;
    if (!is_met) {
        if (i < quarter->last_x + sweep->like->size)
            put(across, i, west->over_west, west->marks & (WEST_FLOATS | WEST_WALKED), eye);
        put(down, j, north->over_north, north->marks & (NORTH_FLOATS | NORTH_WALKED), eye);
        return;
    }
    const Place *up = here - quarter->per_y, *before = back - quarter->per_y;
    const Place *west_up = west - quarter->per_y, *north_on = north + quarter->per_x;
    int32_t one = higher(up->top, higher(west_up->west, north_on->north));
    int32_t other = higher(back->top, higher(west->west, north->north));
    int32_t both = higher(one < other ? one : other, higher(here->top, before->top));
    int32_t west_marks = west->marks | west_up->marks, north_marks = north->marks | north_on->marks;
    bool is_odd = west_marks & (WEST_FLOATS | WEST_WALKED) ||
                  north_marks & (NORTH_FLOATS | NORTH_WALKED);
    put(across, i, both, is_odd, eye);
    put(down, j, NOTHING, false, eye);
}

/* What floats on the lines of one direction that a ray crosses before its end at (u, v) eighths
   from the eye; false where the walker must go all the way. */
static bool meet_floating(const Sweep *sweep, const Quarter *quarter, const Lines *lines, int most,
                          int64_t u, int64_t v, bool is_west) {
    int64_t end = is_west ? u : v, side = is_west ? v : u;
    int64_t inside = 8 - (is_west ? to_grid(quarter->y, quarter->step_y)
                                  : to_grid(quarter->x, quarter->step_x));
    for (int line = 1; line <= most; line++) {
        if (!(lines->odd[line / 64] >> (line % 64) & 1))
            continue;
        int64_t gone = lines->first + 8 * (line - 1), at = inside * end + gone * side;
        int lane = (int)(at / (8 * end));
        if (at % (8 * end) == 0)
            return false;
        int i = is_west ? line : lane, j = is_west ? lane : line;
        int place = quarter->origin + i * quarter->per_x + j * quarter->per_y +
                    (is_west ? quarter->west : quarter->north);
        if (sweep->places[place].marks & (is_west ? WEST_WALKED : NORTH_WALKED))
            return false;
        int stride = sweep->map->columns + 1;
        meet_edge(sweep->walk, place % stride, place / stride, is_west, gone * side, -1);
    }
    return true;
}

static bool has_things(const Sweep *sweep, const Body *body) {
    int stride = sweep->map->columns + 1;
    for (int row = 0; row < body->size; row++) {
        for (int column = 0; column < body->size; column++) {
            const Place *place = sweep->places + (body->row + row) * stride + body->column + column;
            if (place->top != place->ground || place->own != place->ground ||
                (column && (place->west > NOTHING || place->marks & WEST_FLOATS)) ||
                (row && (place->north > NOTHING || place->marks & NORTH_FLOATS)))
                return true;
        }
    }
    return false;
}

/* How much of the upright at one point of a target is seen: docs/geometry.md, "The lines". */
static void see_point(const Sweep *sweep, const Quarter *quarter, const Lines *across,
                      const Lines *down, int i, int j, int point, bool is_corner_met) {
    static const int away[2][POINTS] = {{4, 1, 7, 1, 7}, {4, 1, 1, 7, 7}};
    const Map *map = sweep->map;
    int size = sweep->like->size, column = quarter->column + quarter->step_x * i;
    int row = quarter->row + quarter->step_y * j;
    column -= quarter->step_x < 0 ? size - 1 : 0;
    row -= quarter->step_y < 0 ? size - 1 : 0;
    int square = row * map->columns + column;
    if (sweep->best[square] >= 1)
        return;
    const Place *here = sweep->places + quarter->origin + i * quarter->per_x + j * quarter->per_y;
    int inside_x = away[0][point] * size, inside_y = away[1][point] * size;
    int u = across->first + 8 * (i - 1) + inside_x, v = down->first + 8 * (j - 1) + inside_y;
    int eye = sweep->observer->eyes, ground = here->ground, last_x = i, last_y = j;
    bool is_walked = false, has_own = here->top != here->own;
    if (size > 1) {
        Body target = placed(map, sweep->like, column, row);
        ground = target.feet - sweep->like->feet;
        last_x += (inside_x - 1) / 8;
        last_y += (inside_y - 1) / 8;
        is_walked = has_things(sweep, &target);
        has_own = false;
    }
    double feet = sweep->like->feet + ground - eye, crown = sweep->like->crown + ground - eye;
    double hidden = fmax(feet, here->own - eye);
    if (has_own) { /* of the square itself only what counts for who is on it */
        int64_t side = (int64_t)(across->first + 8 * (i - 1)) * v - (int64_t)(down->first + 8 * (j - 1)) * u;
        const Place *before = here - (side > 0 ? quarter->per_x : quarter->per_y);
        int32_t top = side > 0 ? here[quarter->west].west : here[quarter->north].north;
        top = higher(top, higher(before->top, here->own));
        is_walked |= side == 0;
        if (top > NOTHING)
            hidden = fmax(hidden, side > 0 ? (double)(top - eye) * across->per_eighth[i] * u
                                           : (double)(top - eye) * down->per_eighth[j] * v);
        if (top >= SKY)
            hidden = INFINITY;
        last_x -= side > 0;
        last_y -= side <= 0;
    }
    double by_x = highest_to(across, last_x) * u, by_y = highest_to(down, last_y) * v;
    hidden = fmax(hidden, fmax(by_x, by_y));
    bool is_odd = (across->odds && is_odd_to(across, i + last_x - last_x)) || (down->odds && is_odd_to(down, j));
    if (!is_walked && hidden >= crown - WHOLLY) {
        sweep->walled[square] += hidden == INFINITY;
        return;
    }
    if (!is_walked && !is_odd) {
        sweep->sums[square] += crown - hidden;
        return;
    }
    Walk *walk = sweep->walk;
    Body target = placed(map, sweep->like, column, row);
    End end = {quarter->x + quarter->step_x * u, quarter->y + quarter->step_y * v, target.feet,
               target.crown};
    walk->from = sweep->observer;
    walk->to = &target;
    walk->risen = FROM;
    walk->are_beside = false;
    walk->questions = BIT(sweep->question);
    begin_line(walk, quarter->x, quarter->y, eye, end);
    walk->hidden_to[sweep->question] = hidden + eye;
    int most_x = i + (size * away[0][point] - 1) / 8, most_y = j + (size * away[1][point] - 1) / 8;
    if (is_walked || is_corner_met || !meet_floating(sweep, quarter, across, most_x, u, v, true) ||
        !meet_floating(sweep, quarter, down, most_y, u, v, false))
        walk_line(walk, quarter->x, quarter->y, eye, end);
    sweep->sums[square] += crown - feet - hidden_height(walk, sweep->question);
}
