/* What one body sees of another on all squares: a sweep by angle, an eighth of the circle at a
   time.

   From one eye, corners of the grid and points of targets are gone through in the order of their
   angles. For every grid line the edge is kept that the ray crosses now, as what stands there over
   the eye for each eighth of distance; the highest of the lines before a point is what hides it. At
   a corner that is met exactly, the lower side counts. What floats is asked of the walker's rules,
   at the crossings where it is.

   A hidden height is a whole number over a distance below 4096 eighths. So it is at the crown or at
   least 1/4096 below it, and rounding does not decide which. */
#include "sight.h"

#include <math.h>
#include <string.h>

#define LINES 512
#define WHOLLY 1e-4 /* nearer to the crown than any height below it, farther than rounding */
#define UNSURE 2    /* for the best share of a target */
/* Kinds of events; points of targets between the two. */
enum { MET, PASSED = POINTS + 1 };

/* The grid lines across one direction, by their number from the eye: what stands where the ray
   meets a line, and the highest of a line and those before it. */
typedef struct {
    double met[LINES], highest[LINES], per_eighth[LINES];
    bool is_odd[LINES];
    int odds, first; /* how many are odd; eighths from the eye to the first line */
} Lines;

/* The two directions of an eighth: that in which it lies, and the other. */
enum { ALONG, ASIDE };

/* One question of one eye on an eighth. Squares and lines are counted from the eye's own square, by
   direction; targets by their nearest squares. */
typedef struct {
    Walk *walk;
    const Body *observer, *like;
    Window window;
    End eye;
    int axis[2], step[2], first[2], last[2];
    int on[2], edge[2];     /* to the next place, and to that of the edge before it */
    int corner;             /* from a target's north-west place to its nearest one */
    Place *places, *origin; /* `origin`: the eye's */
    Lines lines[2];
} Sweep;

/* From now on the ray meets this on a line. */
static inline void put(Sweep *sweep, int side, int line, int32_t top, bool is_odd) {
    Lines *lines = sweep->lines + side;
    lines->odds += is_odd - lines->is_odd[line];
    lines->is_odd[line] = is_odd;
    double met = (double)(top - sweep->observer->eyes) * lines->per_eighth[line];
    if (top <= NOTHING || top >= SKY)
        met = top <= NOTHING ? -INFINITY : INFINITY;
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

static inline void put_edge(Sweep *sweep, int side, int line, const Place *place) {
    int axis = sweep->axis[side];
    place += sweep->edge[side];
    put(sweep, side, line, place->over[axis], place->is_odd[axis]);
}

static inline Place *place_at(const Sweep *sweep, int line, int lane) {
    return sweep->origin + line * sweep->on[ALONG] + lane * sweep->on[ASIDE];
}

/* The ray meets a corner exactly: docs/geometry.md, "Corners". */
static inline void meet_corner(Sweep *sweep, int line, int lane) {
    const Place *here = place_at(sweep, line, lane), *before = place_at(sweep, line - 1, lane - 1);
    int32_t tops[2];
    bool is_odd = false;
    for (int side = 0; side < 2; side++) {
        int axis = sweep->axis[side];
        const Place *beside = here - sweep->on[!side];
        const Place *near = beside + sweep->edge[side], *far = here + sweep->edge[!side];
        tops[side] = higher(near->edge[axis], higher(beside->top, far->edge[!axis]));
        is_odd |= near->is_odd[axis] || far->is_odd[!axis];
    }
    int32_t lower = tops[0] < tops[1] ? tops[0] : tops[1];
    put(sweep, ALONG, line, higher(lower, higher(here->top, before->top)), is_odd);
    put(sweep, ASIDE, lane, NOTHING, false);
}

/* What floats where a line to `end`, in eighths from the eye, crosses the lines up to the
   `most`-th; false where the walker must go all the way. */
static bool meet_floating(const Sweep *sweep, const int *end, const int *most) {
    for (int side = 0; side < 2; side++) {
        const Lines *lines = sweep->lines + side;
        int64_t inside = 8 - sweep->lines[!side].first;
        for (int line = 1; line <= most[side]; line++) {
            if (!lines->is_odd[line])
                continue;
            int64_t along = (lines->first + 8 * (line - 1)) * (int64_t)end[!side];
            int64_t at = inside * end[side] + along, lane = at / (8 * end[side]);
            const Place *here = sweep->origin + line * sweep->on[side] + lane * sweep->on[!side];
            if (at == lane * 8 * end[side] || here->has_odd || here[-sweep->on[side]].has_odd)
                return false;
            int place = (int)(here - sweep->places) + sweep->edge[side];
            int stride = sweep->walk->map->columns + 1;
            meet_edge(sweep->walk, place % stride, place / stride, sweep->axis[side] == ACROSS,
                      along, -1);
        }
    }
    return true;
}

/* Asks the walker's rules how much of a target is seen at `end`, of which `hidden` is known to be
   hidden: of what floats, or all the way; that always where `most` is NULL. */
static __attribute__((noinline)) void walk_point(const Sweep *sweep, Place *target, const int *end,
                                                 const int *most, double hidden) {
    Walk *walk = sweep->walk;
    int at = (int)(target - sweep->places), stride = walk->map->columns + 1;
    Body body = placed(walk->map, sweep->like, at % stride, at / stride);
    End there = {.low = body.feet, .high = body.crown};
    for (int side = 0; side < 2; side++) {
        int axis = sweep->axis[side];
        there.at[axis] = sweep->eye.at[axis] + sweep->step[side] * end[side];
    }
    begin_pair(walk, sweep->observer, &body, FROM, walk->question);
    begin_line(walk, sweep->eye, there);
    walk->is_unsure = false;
    walk->hidden_to = hidden + sweep->observer->eyes;
    if (!most || !meet_floating(sweep, end, most))
        walk_line(walk, sweep->eye, there);
    target->sum += body.crown - body.feet - hidden_height(walk);
    target->best = walk->is_unsure ? UNSURE : larger(target->best, 0);
}

/* How much of the upright at one point of a target is seen: docs/geometry.md, "The lines". */
static inline void see_point(Sweep *sweep, int line, int lane, int point) {
    static const int away[2][POINTS] = {{4, 1, 7, 1, 7}, {4, 1, 1, 7, 7}};
    const Place *here = place_at(sweep, line, lane);
    Place *target = (Place *)here - sweep->corner;
    if (target->best >= 1)
        return;
    int size = sweep->like->size, eye = sweep->observer->eyes, at[2] = {line, lane};
    int near[2], end[2], most[2], last[2]; /* the last lines crossed, and asked */
    for (int side = 0; side < 2; side++) {
        near[side] = sweep->lines[side].first + 8 * (at[side] - 1);
        end[side] = near[side] + away[side][point] * size;
        last[side] = most[side] = at[side] + (away[side][point] * size - 1) / 8;
    }
    double feet = sweep->like->feet + target->ground - eye;
    double crown = sweep->like->crown + target->ground - eye;
    double hidden = larger(feet, here->own - eye);
    if (target->is_walked) {
        walk_point(sweep, target, end, NULL, 0);
        return;
    }
    if (here->top != here->own) { /* it comes in over an edge beyond which only `own` counts */
        int64_t enters[2] = {(int64_t)near[0] * end[1], (int64_t)near[1] * end[0]};
        int side = enters[ALONG] > enters[ASIDE] ? ALONG : ASIDE;
        int32_t edge = here[sweep->edge[side]].edge[sweep->axis[side]];
        int32_t top = higher(edge, higher(here[-sweep->on[side]].top, here->own));
        if (enters[ALONG] == enters[ASIDE]) {
            walk_point(sweep, target, end, NULL, 0);
            return;
        }
        if (top > NOTHING)
            hidden =
                larger(hidden, (top - eye) * sweep->lines[side].per_eighth[at[side]] * end[side]);
        if (top >= SKY)
            hidden = INFINITY;
        last[side]--;
    }
    for (int side = 0; side < 2; side++)
        hidden = larger(hidden, sweep->lines[side].highest[last[side]] * end[side]);
    if (hidden < INFINITY && target->best < 0)
        target->best = 0;
    if (hidden >= crown - WHOLLY)
        return;
    bool is_odd = false;
    for (int side = 0; side < 2; side++)
        is_odd |= sweep->lines[side].odds &&
                  memchr(sweep->lines[side].is_odd, true, (size_t)most[side] + 1);
    if (is_odd)
        walk_point(sweep, target, end, most, hidden);
    else
        target->sum += crown - hidden;
}

/* One eye on the targets of an eighth of the circle. Those on its diagonal are another's. */
static void sweep_eighth(Sweep *sweep, int number, const Order *orders) {
    int stride = sweep->walk->map->columns + 1, more = sweep->like->size - 1;
    sweep->origin = sweep->places;
    sweep->corner = 0;
    for (int side = 0; side < 2; side++) {
        Lines *lines = sweep->lines + side;
        int axis = sweep->axis[side] = side ^ (number & 1);
        int step = sweep->step[side] = number & (axis == ACROSS ? 2 : 4) ? 1 : -1;
        int to_next = axis == ACROSS ? 1 : stride, from = place_of(sweep->observer, axis);
        int square = (int)((sweep->eye.at[axis] - (step < 0)) >> 3);
        int first = sweep->window.first[axis] - square, last = sweep->window.last[axis] - square;
        int beside = step > 0 ? from + sweep->observer->size - square : square + 1 - from;
        sweep->first[side] = higher(beside, step > 0 ? first : -last - more);
        sweep->last[side] = step > 0 ? last : -first - more;
        if (sweep->first[side] > sweep->last[side])
            return;
        sweep->on[side] = step * to_next;
        sweep->edge[side] = step < 0 ? to_next : 0;
        sweep->corner += step < 0 ? more * to_next : 0;
        sweep->origin += square * to_next;
        *lines = (Lines){.first = (int)to_grid(sweep->eye.at[axis], step)};
        for (int i = 0; i < LINES; i++) {
            lines->met[i] = lines->highest[i] = -INFINITY;
            lines->per_eighth[i] = i ? 1.0 / (lines->first + 8 * (i - 1)) : 0;
        }
    }
    int far = sweep->last[ALONG] + more, wide = sweep->last[ASIDE] + more;
    const Order *order =
        orders + 8 * (sweep->lines[ALONG].first - 1) + sweep->lines[ASIDE].first - 1;
    for (int line = 1; line <= far; line++)
        put_edge(sweep, ALONG, line, place_at(sweep, line, 0));
    for (int64_t i = 0; i < (number & 1 ? order->below : order->count); i++) {
        uint32_t event = order->events[i];
        int kind = (int)(event >> 20), line = event >> 10 & 1023, lane = event & 1023;
        if (lane > wide || line > far + (kind == PASSED))
            continue;
        if (kind == PASSED) { /* the ray crosses the edges behind a corner */
            put_edge(sweep, ALONG, line, place_at(sweep, line, lane));
            put_edge(sweep, ASIDE, lane, place_at(sweep, line - 1, lane));
        } else if (kind == MET) {
            meet_corner(sweep, line, lane);
        } else if (line >= sweep->first[ALONG] && line <= sweep->last[ALONG] &&
                   lane >= sweep->first[ASIDE] && lane <= sweep->last[ASIDE]) {
            see_point(sweep, line, lane, kind - 1);
        }
    }
}

/* Whether something stands within the footprint of a large target: then its lines are walked. */
static bool has_things(const Map *map, const Body *body) {
    for (int i = 0; body->size > 1 && i < body->size * body->size; i++) {
        int across = i % body->size, down = i / body->size;
        int at = (body->row + down) * (map->columns + 1) + body->column + across;
        if (has_solids(map->square_first, at - body->row - down) ||
            (across && has_solids(map->edge_first, 2 * at)) ||
            (down && has_solids(map->edge_first, 2 * at + 1)))
            return true;
    }
    return false;
}

/* A body like `like`, whose heights are above the ground, on a square: it stands on the highest
   ground of its footprint. */
Body placed(const Map *map, const Body *like, int column, int row) {
    const int32_t *ground = map->ground + row * map->columns + column;
    int highest = *ground;
    for (int i = 1; i < like->size * like->size; i++)
        highest = higher(highest, ground[i / like->size * map->columns + i % like->size]);
    Body body = *like;
    body.column = column;
    body.row = row;
    body.feet += highest;
    body.eyes += highest;
    body.crown += highest;
    body.reach += highest;
    return body;
}

/* Whether a body, and bodies like another wherever they stand, are below the sky. */
bool is_below_sky(const Map *map, const Body *one, const Body *like) {
    int32_t highest = higher(one->eyes, higher(one->crown, one->reach));
    for (int64_t i = 0; i < (int64_t)map->columns * map->rows; i++)
        highest = higher(highest, map->ground[i] + like->crown);
    return highest < SKY;
}

/* Whether no line to a target goes along the grid, and it is so far away that nothing is beside
   both. */
bool is_swept_at(const Body *observer, const Body *like, int column, int row) {
    int across = column - observer->column, down = row - observer->row;
    int size = like->size, far = observer->size + 2;
    return (across <= -size || across >= observer->size) &&
           (down <= -size || down >= observer->size) &&
           (across < -size - 2 || across > far || down < -size - 2 || down > far);
}

/* Sweeps the squares of a window for all questions, as far as `is_swept_at` says: the best shares
   are in the survey then. False where that cannot be: there is no memory, or something is as high
   as the sky. */
bool sweep(Walk *walk, const Body *observer, const Body *like, Window window, const Order *orders) {
    const Map *map = walk->map;
    double whole = (double)POINTS * (like->crown - like->feet);
    Sweep sweep = {.walk = walk, .observer = observer, .like = like, .window = window};
    if (!is_below_sky(map, observer, like) || !make_survey(walk, observer))
        return false;
    for (int question = 0; question < QUESTIONS; question++) {
        if (!(map->questions & BIT(question)))
            continue;
        walk->question = question;
        sweep.places = walk->survey[question];
        for (int eye = -1; eye < (observer->leans ? POINTS : 1); eye++) {
            for (int number = 0; number < 8 && eye >= 0; number++) {
                sweep.eye = eye_of(observer, eye);
                sweep_eighth(&sweep, number, orders);
            }
            for (int row = window.first[DOWN]; row <= window.last[DOWN]; row++) {
                for (int column = window.first[ACROSS]; column <= window.last[ACROSS]; column++) {
                    Place *target = sweep.places + row * (map->columns + 1) + column;
                    if (eye < 0) {
                        Body body = placed(map, like, column, row);
                        target->best = observer->leans ? WALLED : 0;
                        target->ground = body.feet - like->feet;
                        target->is_walked = has_things(map, &body);
                    }
                    if (target->sum > 0)
                        target->best = larger(target->best, target->sum / whole);
                    target->sum = 0;
                }
            }
        }
    }
    return true;
}
