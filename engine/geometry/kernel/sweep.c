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
enum { MET, PASSED = POINTS + 1 }; /* kinds of events; points of targets between them */
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
static double larger(double one, double other) { return one > other ? one : other; }

/* The ray meets a corner exactly: docs/geometry.md, "Corners". Or it has passed it. */
static void turn_corner(const Sweep *sweep, const Quarter *quarter, Lines *across, Lines *down,
                        int i, int j, bool is_met, bool is_within) {
    const Place *here = sweep->places + quarter->origin + i * quarter->per_x + j * quarter->per_y;
    const Place *west = here + quarter->west, *back = here - quarter->per_x;
    const Place *north = back + quarter->north;
    int eye = sweep->observer->eyes;
    if (!is_met) {
        if (is_within)
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
    bool is_odd =
        west_marks & (WEST_FLOATS | WEST_WALKED) || north_marks & (NORTH_FLOATS | NORTH_WALKED);
    put(across, i, both, is_odd, eye);
    put(down, j, NOTHING, false, eye);
}

/* What floats on the lines of one direction that a ray crosses before its end at (u, v) eighths
   from the eye; false where the walker must go all the way. */
static bool meet_floating(const Sweep *sweep, const Quarter *quarter, const Lines *lines, int most,
                          int64_t u, int64_t v, bool is_west) {
    int64_t end = is_west ? u : v, side = is_west ? v : u;
    int64_t inside =
        8 - (is_west ? to_grid(quarter->y, quarter->step_y) : to_grid(quarter->x, quarter->step_x));
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
    int eye = sweep->observer->eyes, ground = here->ground;
    int most_x = i, most_y = j; /* the last lines that are crossed */
    bool is_walked = false, has_own = here->top != here->own;
    if (size > 1) {
        Body target = placed(map, sweep->like, column, row);
        ground = target.feet - sweep->like->feet;
        most_x += (inside_x - 1) / 8;
        most_y += (inside_y - 1) / 8;
        is_walked = has_things(sweep, &target);
        has_own = false;
    }
    double feet = sweep->like->feet + ground - eye, crown = sweep->like->crown + ground - eye;
    double hidden = larger(feet, here->own - eye);
    int last_x = most_x, last_y = most_y;
    if (has_own) { /* of the square itself only counts what does for who is on it */
        int64_t by_x = across->first + 8 * (int64_t)(i - 1);
        int64_t by_y = down->first + 8 * (int64_t)(j - 1);
        bool is_west = by_x * v > by_y * u; /* over which edge the line comes in */
        const Place *before = here - (is_west ? quarter->per_x : quarter->per_y);
        int32_t edge = is_west ? here[quarter->west].west : here[quarter->north].north;
        int32_t top = higher(edge, higher(before->top, here->own));
        double risen = is_west ? (double)((top - eye) * (int64_t)u) / (double)by_x
                               : (double)((top - eye) * (int64_t)v) / (double)by_y;
        is_walked |= by_x * v == by_y * u;
        if (top > NOTHING)
            hidden = larger(hidden, top >= SKY ? INFINITY : risen);
        last_x -= is_west;
        last_y -= !is_west;
    }
    hidden = larger(hidden, larger(highest_to(across, last_x) * u, highest_to(down, last_y) * v));
    if (!is_walked && hidden >= crown - WHOLLY) {
        sweep->walled[square] += hidden == INFINITY;
        return;
    }
    if (!is_walked && !(across->odds && is_odd_to(across, most_x)) &&
        !(down->odds && is_odd_to(down, most_y))) {
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
    if (is_walked || is_corner_met || !meet_floating(sweep, quarter, across, most_x, u, v, true) ||
        !meet_floating(sweep, quarter, down, most_y, u, v, false))
        walk_line(walk, quarter->x, quarter->y, eye, end);
    sweep->sums[square] += crown - feet - hidden_height(walk, sweep->question);
}

/* One eye on the targets of one quarter. */
static void sweep_quarter(const Sweep *sweep, const Quarter *quarter, const Order *orders) {
    int lines_x = quarter->last_x + sweep->like->size - 1;
    int lines_y = quarter->last_y + sweep->like->size - 1;
    int first_x = (int)to_grid(quarter->x, quarter->step_x);
    int first_y = (int)to_grid(quarter->y, quarter->step_y), eye = sweep->observer->eyes;
    const Order *order = orders + 8 * (first_x - 1) + first_y - 1;
    Lines across, down;
    bool is_met = false;
    clear(&across, first_x);
    clear(&down, first_y);
    for (int line = 1; line <= lines_x; line++) {
        const Place *west = sweep->places + quarter->origin + line * quarter->per_x + quarter->west;
        put(&across, line, west->over_west, west->marks & (WEST_FLOATS | WEST_WALKED), eye);
    }
    for (int64_t number = 0; number < order->count; number++) {
        uint32_t event = order->events[number];
        int kind = event >> 20, i = event >> 10 & 1023, j = event & 1023;
        if (j > lines_y || i > lines_x + 1)
            continue;
        if (kind != MET && kind != PASSED) {
            if (i >= quarter->first_x && i <= quarter->last_x && j >= quarter->first_y &&
                j <= quarter->last_y)
                see_point(sweep, quarter, &across, &down, i, j, kind - 1, is_met);
            continue;
        }
        is_met = kind == MET;
        if (i <= lines_x || kind == PASSED)
            turn_corner(sweep, quarter, &across, &down, i, j, is_met, i <= lines_x);
    }
}

/* The best eye on the targets of `window`, which are all in one quarter, for one question. */
static void sweep_eyes(Sweep *sweep, Window window, int step_x, int step_y, const Order *orders) {
    const Body *observer = sweep->observer;
    int size = sweep->like->size, columns = sweep->map->columns;
    double whole = (double)POINTS * (sweep->like->crown - sweep->like->feet);
    for (int eye = 0; eye < (observer->leans ? POINTS : 1); eye++) {
        Quarter quarter = {.step_x = step_x, .step_y = step_y};
        quarter.x = point_x(observer, eye);
        quarter.y = point_y(observer, eye);
        int column = quarter.column = (int)((quarter.x - (step_x < 0)) >> 3);
        int row = quarter.row = (int)((quarter.y - (step_y < 0)) >> 3);
        quarter.first_x = step_x > 0 ? window.left - column : column - window.right - size + 1;
        quarter.last_x = step_x > 0 ? window.right - column : column - window.left - size + 1;
        quarter.first_y = step_y > 0 ? window.top - row : row - window.bottom - size + 1;
        quarter.last_y = step_y > 0 ? window.bottom - row : row - window.top - size + 1;
        quarter.per_x = step_x;
        quarter.per_y = step_y * (columns + 1);
        quarter.origin = row * (columns + 1) + column;
        quarter.west = step_x < 0 ? 1 : 0;
        quarter.north = step_y < 0 ? columns + 1 : 0;
        for (int at = window.top; at <= window.bottom; at++)
            memset(sweep->sums + at * columns + window.left, 0,
                   sizeof(double) * (window.right - window.left + 1));
        sweep_quarter(sweep, &quarter, orders);
        for (int at = window.top; at <= window.bottom; at++) {
            for (int i = at * columns + window.left; i <= at * columns + window.right; i++)
                sweep->best[i] = larger(sweep->best[i], sweep->sums[i] / whole);
        }
    }
}

/* Whether a question has the answers of SIGHT for targets of a window. */
static bool is_alike(const Sweep *sweep, const Survey *survey, int question, Window window) {
    int stride = sweep->map->columns + 1, size = sweep->like->size;
    const Body *from = sweep->observer;
    int left = window.left < from->column ? window.left : from->column;
    int top = window.top < from->row ? window.top : from->row;
    int right = higher(window.right + size, from->column + from->size);
    int bottom = higher(window.bottom + size, from->row + from->size);
    for (int row = top; row <= bottom; row++) {
        size_t at = (size_t)row * stride + left;
        if (memcmp(survey->places[SIGHT] + at, survey->places[question] + at,
                   sizeof(Place) * (right - left + 1)))
            return false;
    }
    return true;
}

/* Whether a line from an observer to a target may go along the grid, or things may be beside both.
 */
static bool is_near(const Body *one, int32_t size, int column, int row) {
    int across = column - one->column, down = row - one->row;
    bool is_over = -size < across && across < one->size,
         is_beside = -size < down && down < one->size;
    return is_over || is_beside ||
           (-size - 2 <= across && across <= one->size + 2 && -size - 2 <= down &&
            down <= one->size + 2);
}

static void sweep_quarters(Sweep *sweep, const Survey *survey, Window window, const Order *orders,
                           double *best, uint8_t *walled) {
    const Body *from = sweep->observer;
    int64_t squares = (int64_t)sweep->map->columns * sweep->map->rows;
    for (int number = 0; number < 4; number++) {
        int step_x = number & 1 ? 1 : -1, step_y = number & 2 ? 1 : -1;
        Window part = window;
        if (step_x > 0)
            part.left = higher(part.left, from->column + from->size);
        else
            part.right = -higher(-part.right, sweep->like->size - from->column);
        if (step_y > 0)
            part.top = higher(part.top, from->row + from->size);
        else
            part.bottom = -higher(-part.bottom, sweep->like->size - from->row);
        if (part.left > part.right || part.top > part.bottom)
            continue;
        for (int question = 0; question < QUESTIONS; question++) {
            if (question != SIGHT && !(sweep->map->questions & BIT(question)))
                continue;
            sweep->question = question;
            sweep->places = survey->places[question];
            sweep->best = best + question * squares;
            sweep->walled = walled + question * squares;
            if (question == SIGHT || !is_alike(sweep, survey, question, part)) {
                sweep_eyes(sweep, part, step_x, step_y, orders);
                continue;
            }
            for (int row = part.top; row <= part.bottom; row++) {
                int64_t first = (int64_t)row * sweep->map->columns + part.left;
                size_t width = (size_t)(part.right - part.left + 1);
                memcpy(sweep->best + first, best + first, width * sizeof(double));
                memcpy(sweep->walled + first, walled + first, width);
            }
        }
    }
}

/* What an observer sees of a body like `like` on the squares of a window; false where that cannot
   be swept: there is no memory, or something is as high as the sky. */
bool sweep(const Map *map, const Body *observer, const Body *like, Window window,
           const Order *orders, double *visible, double *covered) {
    int64_t squares = (int64_t)map->columns * map->rows;
    Survey survey;
    int32_t highest = higher(observer->crown, observer->reach);
    for (int64_t i = 0; i < squares; i++)
        highest = higher(highest, map->ground[i] + like->crown);
    if (highest >= SKY || !make_survey(&survey, map, observer))
        return false;
    Walk walk = {.map = map, .survey = &survey};
    double *shares = calloc((size_t)squares * (QUESTIONS + 1), sizeof *shares);
    uint8_t *walled = calloc((size_t)squares, QUESTIONS);
    if (shares && walled) {
        double *best = shares + squares;
        Sweep sweep = {.map = map, .observer = observer, .like = like, .walk = &walk};
        sweep.sums = shares;
        sweep_quarters(&sweep, &survey, window, orders, best, walled);
        for (int row = window.top; row <= window.bottom; row++) {
            for (int column = window.left; column <= window.right; column++) {
                int64_t square = (int64_t)row * map->columns + column;
                Body target = placed(map, like, column, row);
                if (is_near(observer, like->size, column, row)) {
                    look_at(&walk, observer, &target, visible + square, covered + square);
                    continue;
                }
                double own[QUESTIONS];
                int32_t shut = 0;
                for (int question = 0; question < QUESTIONS; question++) {
                    int asked = map->questions & BIT(question) ? question : SIGHT;
                    own[question] = best[asked * squares + square];
                    if (walled[asked * squares + square] == POINTS * POINTS)
                        shut |= BIT(question);
                }
                conclude(&walk, observer, &target, own, shut, visible + square, covered + square);
            }
        }
    }
    bool is_swept = shares && walled;
    free(shares);
    free(walled);
    free_survey(&survey);
    return is_swept;
}
