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
#include <stddef.h>
#include <string.h>

#define LINES 512
#define WHOLLY 1e-4 /* nearer to the crown than any height below it, farther than rounding */
#define COLD __attribute__((noinline))
#define UNSURE -1000 /* for `walled` */
/* Kinds of events; points of targets between the two, and corners at whose angle no point lies. */
enum { MET, PASSED = POINTS + 1, ALONE };

/* The grid lines across one direction, by their number from the eye: what stands where the ray
   meets a line, and the highest of a line and those before it. */
typedef struct {
    double met[LINES], highest[LINES], per_eighth[LINES];
    uint64_t odd[LINES / 64];
    int odds, first; /* how many are odd; eighths from the eye to the first line */
} Lines;

/* One question of one eye on one quarter. Squares and lines are counted from the eye's own square;
   targets are those from `first` to `last` by their nearest squares, and in `window` by their
   north-west ones. By direction, across and down. */
typedef struct {
    const Map *map;
    const Body *observer, *like;
    Walk *walk;
    int question;
    Window window;
    int64_t eye[2];
    int step[2], first[2], last[2], on[2], edge[2]; /* `on`: to the next place; `edge`: to that of
                                                       the edge before it */
    int target, per[2];     /* in squares: where the targets' north-west ones are counted from */
    Place *places, *origin; /* `origin`: the eye's */
    Lines lines[2];
} Sweep;

static inline double larger(double one, double other) { return one > other ? one : other; }

/* From now on the ray meets this on a line. */
static inline void put(Lines *lines, int line, int32_t top, bool is_odd, int eye) {
    uint64_t bit = (uint64_t)1 << (line % 64), *odd = lines->odd + line / 64;
    if (is_odd != ((*odd & bit) != 0)) {
        *odd ^= bit;
        lines->odds += is_odd ? 1 : -1;
    }
    double met = top >= SKY ? INFINITY : (double)(top - eye) * lines->per_eighth[line];
    if (top <= NOTHING)
        met = -INFINITY;
    if (lines->met[line] == met)
        return;
    lines->met[line] = met;
    double highest = line ? lines->highest[line - 1] : -INFINITY;
    for (int i = line; i < LINES; i++) {
        highest = larger(lines->met[i], highest);
        if (lines->highest[i] == highest)
            return;
        lines->highest[i] = highest;
    }
}

static inline bool is_odd_to(const Lines *lines, int line) {
    uint64_t some = lines->odd[line / 64] & (~(uint64_t)0 >> (63 - line % 64));
    for (int i = 0; i < line / 64; i++)
        some |= lines->odd[i];
    return some != 0;
}

/* The ray meets a corner exactly, or has passed it: docs/geometry.md, "Corners". */
static inline void turn_corner(Sweep *sweep, int i, int j, bool is_met, bool is_within) {
    const Place *here = sweep->origin + i * sweep->on[ACROSS] + j * sweep->on[DOWN];
    int eye = sweep->observer->eyes;
    const Place *west = here + sweep->edge[ACROSS];
    const Place *north = here - sweep->on[ACROSS] + sweep->edge[DOWN];
    if (!is_met) {
        if (is_within)
            put(sweep->lines + ACROSS, i, west->over[ACROSS], west->marks & ODD_ACROSS, eye);
        put(sweep->lines + DOWN, j, north->over[DOWN], north->marks & ODD_DOWN, eye);
        return;
    }
    int32_t sides[2], marks = 0;
    for (int axis = 0; axis < 2; axis++) {
        const Place *beside = here - sweep->on[!axis];
        const Place *before = beside + sweep->edge[axis], *behind = here + sweep->edge[!axis];
        sides[axis] = higher(before->edge[axis], higher(beside->top, behind->edge[!axis]));
        marks |= before->marks & (axis == ACROSS ? ODD_ACROSS : ODD_DOWN);
        marks |= behind->marks & (axis == ACROSS ? ODD_DOWN : ODD_ACROSS);
    }
    const Place *last = here - sweep->on[ACROSS] - sweep->on[DOWN];
    int32_t lower = sides[0] < sides[1] ? sides[0] : sides[1];
    put(sweep->lines + ACROSS, i, higher(lower, higher(here->top, last->top)), marks, eye);
    put(sweep->lines + DOWN, j, NOTHING, false, eye);
}

/* What floats where a line to `end`, in eighths from the eye, crosses the lines up to the
   `most`-th; false where the walker must go all the way. */
static COLD bool meet_floating(const Sweep *sweep, const int *end, const int *most) {
    for (int axis = 0; axis < 2; axis++) {
        const Lines *lines = sweep->lines + axis;
        int64_t inside = 8 - sweep->lines[!axis].first;
        for (int line = 1; line <= most[axis]; line++) {
            if (!(lines->odd[line / 64] >> (line % 64) & 1))
                continue;
            int64_t along = (lines->first + 8 * (line - 1)) * (int64_t)end[!axis];
            int64_t at = inside * end[axis] + along, lane = at / (8 * end[axis]);
            int64_t place = sweep->origin - sweep->places + line * sweep->on[axis] +
                            lane * sweep->on[!axis] + sweep->edge[axis];
            if (at == lane * 8 * end[axis] || sweep->places[place].marks & WALKED << axis)
                return false;
            int stride = sweep->map->columns + 1;
            meet_edge(sweep->walk, (int)place % stride, (int)place / stride, axis == ACROSS, along,
                      -1);
        }
    }
    return true;
}

/* Whether anything stands within the footprint of a large target: the walker's. */
static COLD bool has_things(const Sweep *sweep, const Body *body) {
    for (int i = 0; i < body->size * body->size; i++) {
        int part[2] = {i % body->size, i / body->size};
        const Place *place = sweep->places + body->column + part[ACROSS] +
                             (body->row + part[DOWN]) * (sweep->map->columns + 1);
        if (place->top != place->ground || place->own != place->ground)
            return true;
        for (int axis = 0; axis < 2; axis++)
            if (part[axis] && (place->edge[axis] > NOTHING || place->marks & ODD << (axis + 1)))
                return true;
    }
    return false;
}

/* Asks the walker's rules how much of a target is seen at `end`, of which `hidden` is known to be
   hidden: of what floats, or all the way. */
static COLD void walk_point(const Sweep *sweep, Place *here, int square, const int *end,
                            const int *most, double hidden, bool is_walked) {
    const int columns = sweep->map->columns, eye = sweep->observer->eyes;
    Walk *walk = sweep->walk;
    Body target = placed(sweep->map, sweep->like, square % columns, square / columns);
    int64_t x = sweep->eye[ACROSS], y = sweep->eye[DOWN];
    End there = {x + sweep->step[ACROSS] * end[ACROSS], y + sweep->step[DOWN] * end[DOWN],
                 target.feet, target.crown};
    walk->from = sweep->observer;
    walk->to = &target;
    walk->risen = FROM;
    walk->are_beside = false;
    walk->questions = BIT(sweep->question);
    begin_line(walk, x, y, eye, there);
    walk->hidden_to[sweep->question] = hidden + eye;
    if (is_walked || !meet_floating(sweep, end, most))
        walk_line(walk, x, y, eye, there);
    here->sum += target.crown - target.feet - hidden_height(walk, sweep->question);
    if (walk->is_full)
        here->walled = UNSURE;
    walk->is_full = false;
}

/* How much of the upright at one point of a target is seen: docs/geometry.md, "The lines". */
static inline void see_point(Sweep *sweep, int i, int j, int point, bool is_corner_met) {
    static const int away[2][POINTS] = {{4, 1, 7, 1, 7}, {4, 1, 1, 7, 7}};
    Place *here = sweep->origin + i * sweep->on[ACROSS] + j * sweep->on[DOWN];
    if (here->best >= 1)
        return;
    int square = sweep->target + i * sweep->per[ACROSS] + j * sweep->per[DOWN];
    int size = sweep->like->size, eye = sweep->observer->eyes, at[2] = {i, j};
    int ground = here->ground, end[2], most[2], last[2]; /* the last lines crossed, and asked */
    for (int axis = 0; axis < 2; axis++) {
        end[axis] = sweep->lines[axis].first + 8 * (at[axis] - 1) + away[axis][point] * size;
        last[axis] = most[axis] = at[axis] + (away[axis][point] * size - 1) / 8;
    }
    if (size > 1) {
        int columns = sweep->map->columns;
        Body target = placed(sweep->map, sweep->like, square % columns, square / columns);
        if (has_things(sweep, &target)) {
            walk_point(sweep, here, square, end, most, 0, true);
            return;
        }
        ground = target.feet - sweep->like->feet;
    }
    double feet = sweep->like->feet + ground - eye, crown = sweep->like->crown + ground - eye;
    double hidden = larger(feet, here->own - eye);
    if (here->top != here->own) { /* it comes in over an edge beyond which only `own` counts */
        int64_t near[2];
        for (int axis = 0; axis < 2; axis++)
            near[axis] = (sweep->lines[axis].first + 8 * (at[axis] - 1)) * (int64_t)end[!axis];
        int axis = near[ACROSS] > near[DOWN] ? ACROSS : DOWN;
        int32_t edge = here[sweep->edge[axis]].edge[axis], before = here[-sweep->on[axis]].top;
        int32_t top = higher(edge, higher(before, here->own));
        if (near[ACROSS] == near[DOWN]) {
            walk_point(sweep, here, square, end, most, 0, true);
            return;
        }
        if (top > NOTHING)
            hidden =
                larger(hidden, (top - eye) * sweep->lines[axis].per_eighth[at[axis]] * end[axis]);
        if (top >= SKY)
            hidden = INFINITY;
        last[axis]--;
    }
    for (int axis = 0; axis < 2; axis++)
        hidden = larger(hidden, sweep->lines[axis].highest[last[axis]] * end[axis]);
    if (hidden >= crown - WHOLLY)
        here->walled += hidden == INFINITY;
    else if ((sweep->lines[ACROSS].odds && is_odd_to(sweep->lines + ACROSS, most[ACROSS])) ||
             (sweep->lines[DOWN].odds && is_odd_to(sweep->lines + DOWN, most[DOWN])))
        walk_point(sweep, here, square, end, most, hidden, is_corner_met);
    else
        here->sum += crown - hidden;
}

/* One eye on the targets of one quarter. */
static void sweep_eye(Sweep *sweep, int eye, const Order *orders) {
    static const int turned[] = {PASSED, 1, 2, 4, 3, 5, MET, ALONE}; /* kinds across the diagonal */
    int stride = sweep->map->columns + 1, more = sweep->like->size - 1, far[2];
    int origin = 0, target = 0;
    for (int axis = 0; axis < 2; axis++) {
        Lines *lines = sweep->lines + axis;
        int step = sweep->step[axis];
        int64_t place = sweep->eye[axis] = point_of(sweep->observer, eye, axis);
        int square = (int)((place - (step < 0)) >> 3);
        int first = sweep->window.first[axis], last = sweep->window.last[axis];
        sweep->first[axis] = step > 0 ? first - square : square - last - more;
        sweep->last[axis] = step > 0 ? last - square : square - first - more;
        far[axis] = sweep->last[axis] + more;
        sweep->on[axis] = step * (axis == ACROSS ? 1 : stride);
        sweep->per[axis] = step * (axis == ACROSS ? 1 : stride - 1);
        origin += square * (axis == ACROSS ? 1 : stride);
        target += (square - (step < 0 ? more : 0)) * (axis == ACROSS ? 1 : stride - 1);
        sweep->edge[axis] = step < 0 ? -sweep->on[axis] : 0;
        memset(lines, 0, sizeof *lines);
        lines->first = (int)to_grid(place, step);
        for (int i = 0; i < LINES; i++) {
            lines->met[i] = lines->highest[i] = -INFINITY;
            lines->per_eighth[i] = i ? 1.0 / (lines->first + 8 * (i - 1)) : 0;
        }
    }
    sweep->origin = sweep->places + origin;
    sweep->target = target;
    for (int line = 1; line <= far[ACROSS]; line++) {
        const Place *west = sweep->origin + line * sweep->on[ACROSS] + sweep->edge[ACROSS];
        put(sweep->lines, line, west->over[ACROSS], west->marks & ODD_ACROSS,
            sweep->observer->eyes);
    }
    for (int half = 0; half < 2; half++) { /* above the diagonal: the other order, backwards */
        const Order *order =
            orders + 8 * (sweep->lines[half].first - 1) + sweep->lines[!half].first - 1;
        bool is_met = false;
        int64_t count = half ? order->below : order->count;
        for (int64_t number = 0; number < count; number++) {
            uint32_t event = order->events[half ? count - 1 - number : number];
            int kind = half ? turned[event >> 20] : (int)(event >> 20);
            int i = event >> (half ? 0 : 10) & 1023, j = event >> (half ? 10 : 0) & 1023;
            if (j > far[DOWN] || i > far[ACROSS] + 1)
                continue;
            if (kind == MET || kind >= PASSED) {
                is_met = kind == MET;
                if (i <= far[ACROSS] || !is_met)
                    turn_corner(sweep, i, j, is_met, i <= far[ACROSS]);
            } else if (i >= sweep->first[ACROSS] && i <= sweep->last[ACROSS] &&
                       j >= sweep->first[DOWN] && j <= sweep->last[DOWN]) {
                see_point(sweep, i, j, kind - 1, is_met);
            }
        }
    }
    double whole = (double)POINTS * (sweep->like->crown - sweep->like->feet);
    for (int j = sweep->first[DOWN]; j <= sweep->last[DOWN]; j++) {
        for (int i = sweep->first[ACROSS]; i <= sweep->last[ACROSS]; i++) {
            Place *here = sweep->origin + i * sweep->on[ACROSS] + j * sweep->on[DOWN];
            here->best = larger(here->best, here->sum / whole);
            here->sum = 0;
        }
    }
}

/* Whether a line to a target may go along the grid, or something may be beside both. */
static bool is_near(const Body *one, int32_t size, int column, int row) {
    int across = column - one->column, down = row - one->row, most = one->size + 2;
    return (-size < across && across < one->size) || (-size < down && down < one->size) ||
           (-size - 2 <= across && across <= most && -size - 2 <= down && down <= most);
}

/* Sweeps the targets of one quarter for all questions. */
static void sweep_quarter(Sweep *sweep, const Order *orders, double *visible, double *covered) {
    const Map *map = sweep->map;
    const Survey *survey = sweep->walk->survey;
    const Place *found[QUESTIONS];
    for (int question = 0; question < QUESTIONS; question++) {
        sweep->question = question;
        sweep->places = survey->places[question];
        found[question] = survey->places[SIGHT];
        if (!(map->questions & BIT(question)))
            continue;
        found[question] = sweep->places;
        for (int eye = 0; eye < (sweep->observer->leans ? POINTS : 1); eye++)
            sweep_eye(sweep, eye, orders);
    }
    int nearest[2], stride = map->columns + 1;
    for (int axis = 0; axis < 2; axis++)
        nearest[axis] = sweep->step[axis] < 0 ? sweep->like->size - 1 : 0;
    for (int row = sweep->window.first[DOWN]; row <= sweep->window.last[DOWN]; row++) {
        for (int column = sweep->window.first[ACROSS]; column <= sweep->window.last[ACROSS];
             column++) {
            Body target = placed(map, sweep->like, column, row);
            int64_t square = (int64_t)row * map->columns + column;
            int64_t at = (int64_t)(row + nearest[DOWN]) * stride + column + nearest[ACROSS];
            double own[QUESTIONS];
            int32_t shut = 0;
            sweep->walk->is_full = false;
            for (int question = 0; question < QUESTIONS; question++) {
                own[question] = found[question][at].best;
                sweep->walk->is_full |= found[question][at].walled < 0;
                if (found[question][at].walled == POINTS * POINTS)
                    shut |= BIT(question);
            }
            if (!is_near(sweep->observer, target.size, column, row))
                conclude(sweep->walk, sweep->observer, &target, own, shut, visible + square,
                         covered + square);
        }
    }
}

/* What an observer sees of a body like `like` on the squares of a window; false where that cannot
   be swept: there is no memory, or something is as high as the sky. */
bool sweep(const Map *map, const Body *observer, const Body *like, Window window,
           const Order *orders, double *visible, double *covered) {
    Survey survey;
    int32_t highest = higher(observer->crown, observer->reach);
    for (int64_t i = 0; i < (int64_t)map->columns * map->rows; i++)
        highest = higher(highest, map->ground[i] + like->crown);
    if (highest >= SKY || !make_survey(&survey, map, observer))
        return false;
    Walk walk = {.map = map, .survey = &survey};
    for (int row = window.first[DOWN]; row <= window.last[DOWN]; row++) {
        for (int column = window.first[ACROSS]; column <= window.last[ACROSS]; column++) {
            int64_t square = (int64_t)row * map->columns + column;
            Body target = placed(map, like, column, row);
            if (is_near(observer, like->size, column, row))
                look_at(&walk, observer, &target, visible + square, covered + square);
        }
    }
    for (int number = 0; number < 4; number++) {
        Sweep sweep = {.map = map, .observer = observer, .like = like, .walk = &walk};
        bool is_empty = false;
        sweep.window = window;
        for (int axis = 0; axis < 2; axis++) {
            int from = place_of(observer, axis), step = number & BIT(axis) ? 1 : -1;
            int32_t *first = sweep.window.first + axis, *last = sweep.window.last + axis;
            sweep.step[axis] = step;
            if (step > 0)
                *first = higher(*first, from + observer->size);
            else
                *last = -higher(-*last, like->size - from);
            is_empty |= *first > *last;
        }
        if (!is_empty)
            sweep_quarter(&sweep, orders, visible, covered);
    }
    free_survey(&survey);
    return true;
}
