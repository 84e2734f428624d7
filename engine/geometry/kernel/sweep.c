/* What one body sees of another on all squares: a sweep by angle, an eighth of the circle at a
   time.

   From one eye, corners of the grid and points of targets are gone through in the order of their
   angles. For every grid line the edge is kept that the ray crosses now, as what stands there over
   the eye for each eighth of distance; the highest of the lines before a point is what hides it. At
   a corner that is met exactly, the lower side counts. What floats is asked of the walker's rules,
   at the crossings where it is.

   What stands where is taken down before, for one question at a time. A hidden height is a whole
   number over a distance below 4096 eighths. So it is at the crown or at least 1/4096 below it, and
   rounding does not decide which. */
#include "sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES 512
#define WHOLLY 1e-4 /* nearer to the crown than any height below it, farther than rounding */
/* Kinds of events; points of targets between the two. */
enum { MET, PASSED = POINTS + 1 };
/* The two directions of an eighth: that in which it lies, and the other. */
enum { ALONG, ASIDE };

/* What stands at a place of the grid, as the walker would meet it between squares far from each
   other; NOTHING where nothing does. */
typedef struct {
    int32_t edge[2], over[2]; /* on its west and its north edge; with the squares beside these */
    int32_t top, own;         /* on its square; for who is there */
    bool has_odd, is_odd[2];  /* of the square and of a line across an edge: ask the walker */
    int32_t feet;             /* of the target whose north-west square it is; */
    double sum, best;         /* heights that the present eye sees of it; the best share */
} Place;

/* The grid lines across one direction, by their number from the eye: what stands where the ray
   meets a line, and the highest of a line and those before it. */
typedef struct {
    double met[LINES], highest[LINES];
    bool is_odd[LINES];
    int odds, first, end; /* how many are odd; eighths to the first line; after the last one */
} Lines;

/* One eye on an eighth. Squares and lines are counted from the eye's own square, by direction;
   targets by their nearest squares. */
typedef struct {
    Walk walk;
    const Body *observer, *targets, *last_target;
    End eye;
    int axis[2], step[2], first[2], last[2];
    int on[2], edge[2];     /* to the next place, and to that of the edge before it */
    int corner;             /* from a target's north-west place to its nearest one */
    int shut_at[2];         /* the lines that proved last that nothing passes */
    Place *places, *origin; /* `origin`: the eye's */
    Lines lines[2];
} Sweep;

/* --- What stands where --- */

/* Asks the walker's rules up to which height a square, or one of its edges, hides everything from
   who looks past it; whether something there is the walker's: a part that floats, is seen through
   one way or is a body. */
static int32_t height_of(Walk *walk, int column, int row, int edge, bool *is_odd) {
    const Map *map = walk->map;
    int corner = row * (map->columns + 1) + column;
    const int32_t *first =
        edge < 0 ? map->square_first + corner - row : map->edge_first + 2 * corner + edge;
    const Solid *solids = edge < 0 ? map->square_solids : map->edge_solids;
    walk->parts = 0;
    walk->hidden_to = NOTHING;
    if (edge < 0)
        meet_square(walk, column, row, 1, 1, -1);
    else
        meet_edge(walk, column, row, edge == ACROSS, 1, -1);
    *is_odd = walk->parts > 0;
    for (int i = first[0]; i < first[1]; i++)
        *is_odd |= solids[i].body >= 0 || solids[i].seen_through;
    return (int32_t)walk->hidden_to;
}

/* Whether a target may be swept: both are below the sky, nothing stands within a large one or is
   beside both, and no line to it goes along the grid. */
static bool is_swept(const Sweep *sweep, const Body *target) {
    const Map *map = sweep->walk.map;
    for (int axis = 0; axis < 2; axis++) {
        int away = target->at[axis] - sweep->observer->at[axis];
        if (-target->size < away && away < sweep->observer->size)
            return false;
    }
    for (int i = 0; target->size > 1 && i < target->size * target->size; i++) {
        int across = i % target->size, row = target->at[DOWN] + i / target->size;
        int at = row * (map->columns + 1) + target->at[ACROSS] + across;
        if (has_solids(map->square_first, at - row) ||
            (across && has_solids(map->edge_first, 2 * at)) ||
            (row > target->at[DOWN] && has_solids(map->edge_first, 2 * at + 1)))
            return false;
    }
    int32_t highest = MAX(MAX(target->crown, target->reach), sweep->observer->reach);
    return highest < SKY && sweep->observer->crown < SKY && !are_near(sweep->observer, target, 2);
}

static void survey_place(Sweep *sweep, Place *place, int column, int row) {
    Walk *walk = &sweep->walk;
    const Map *map = walk->map;
    for (int axis = 0; axis < 2; axis++) {
        int32_t top = height_of(walk, column, row, axis, place->is_odd + axis);
        place->edge[axis] = place->over[axis] = place->is_odd[axis] ? NOTHING : top;
    }
    if (column == map->columns || row == map->rows)
        return;
    const Body there = {.at = {column, row}, .size = 1, .reach = NOTHING}, *nobody = walk->to;
    walk->to = &there;
    place->own = height_of(walk, column, row, -1, &place->has_odd);
    walk->to = nobody;
    place->top = height_of(walk, column, row, -1, &place->has_odd);
    if (place->has_odd) /* nothing is known of it */
        place->top = place->own = NOTHING;
    for (int axis = 0; axis < 2; axis++) { /* where a line crosses the edge */
        const Place *before = place - (axis == ACROSS ? 1 : map->columns + 1);
        if (!(axis == ACROSS ? column : row))
            continue;
        place->over[axis] = MAX(place->edge[axis], MAX(place->top, before->top));
        place->is_odd[axis] |= place->has_odd || before->has_odd;
    }
}

/* --- The sweep --- */

/* From now on the ray meets this on a line. */
static inline void put(Sweep *sweep, int side, int line, int32_t top, bool is_odd) {
    Lines *lines = sweep->lines + side;
    lines->odds += is_odd - lines->is_odd[line];
    lines->is_odd[line] = is_odd;
    double met = (double)(top - sweep->observer->eyes) / (lines->first + 8 * (line - 1));
    if (lines->met[line] == met)
        return;
    lines->met[line] = met;
    double highest = lines->highest[line - 1];
    for (int i = line; i < lines->end; i++) {
        highest = MAX(lines->met[i], highest);
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
        tops[side] = MAX(near->edge[axis], MAX(beside->top, far->edge[!axis]));
        is_odd |= near->is_odd[axis] || far->is_odd[!axis];
    }
    int32_t lower = MIN(tops[0], tops[1]);
    put(sweep, ALONG, line, MAX(lower, MAX(here->top, before->top)), is_odd);
    put(sweep, ASIDE, lane, NOTHING, false);
}

/* What floats where a line to `end`, in eighths from the eye, crosses the lines up to the
   `most`-th; false where the walker must go all the way. */
static bool meet_floating(Sweep *sweep, const int *end, const int *most) {
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
            int stride = sweep->walk.map->columns + 1;
            meet_edge(&sweep->walk, place % stride, place / stride, sweep->axis[side] == ACROSS,
                      along, -1);
        }
    }
    return true;
}

/* Asks the walker's rules how much of a target is seen at `end`, of which `hidden` is known to be
   hidden: of what floats, or all the way; always that where `most` is NULL. */
static SELDOM void walk_point(Sweep *sweep, Place *target, const int *end, const int *most,
                              double hidden) {
    Walk *walk = &sweep->walk;
    const Body *first = sweep->targets, *last = sweep->last_target;
    int at = (int)(target - sweep->places), stride = walk->map->columns + 1;
    int width = last->at[ACROSS] - first->at[ACROSS] + 1;
    const Body *body =
        first + (at / stride - first->at[DOWN]) * width + at % stride - first->at[ACROSS];
    End there = {.low = body->feet, .high = body->crown};
    for (int side = 0; side < 2; side++) {
        int axis = sweep->axis[side];
        there.at[axis] = sweep->eye.at[axis] + sweep->step[side] * end[side];
    }
    begin_pair(walk, sweep->observer, body, FROM, walk->asked);
    begin_line(walk, &sweep->eye, &there);
    walk->is_unsure = false;
    walk->hidden_to = hidden + sweep->observer->eyes;
    if (!most || !meet_floating(sweep, end, most))
        walk_line(walk, &sweep->eye, &there);
    target->sum += body->crown - body->feet - hidden_height(walk);
    target->best = walk->is_unsure ? UNSURE : MAX(target->best, 0);
}

/* Whether something far from both also hides the observer from the eyes of a target on a line, by
   more than rounding, and so their eyes from each other: docs/geometry.md, "May attack". The line
   that was found last is tried first. */
static bool is_apart(Sweep *sweep, const Place *target, const int *at, const int *end) {
    const Body *observer = sweep->observer, *like = sweep->targets;
    double from = target->feet + like->eyes - like->feet - observer->eyes;
    double to = observer->crown - observer->eyes;
    for (int side = 0; side < 2; side++) {
        const Lines *lines = sweep->lines + side;
        for (int tried = 0, line = sweep->shut_at[side]; tried <= at[side] - 2; line = ++tried) {
            double gone = lines->first + 8 * (line - 1), left = end[side] - gone;
            double above = (lines->met[line] * gone - 1) * end[side];
            if (line <= at[side] - 2 && above > from * gone + to * left) {
                sweep->shut_at[side] = line;
                return true;
            }
        }
    }
    return false;
}

/* How much of the upright at one point of a target is seen: docs/geometry.md, "The lines". */
static inline void see_point(Sweep *sweep, int line, int lane, int point) {
    static const int away[2][POINTS] = {{4, 1, 7, 1, 7}, {4, 1, 1, 7, 7}};
    Place *here = place_at(sweep, line, lane), *target = here - sweep->corner;
    if (target->best >= 1)
        return;
    int size = sweep->targets->size, eye = sweep->observer->eyes, at[2] = {line, lane};
    int near[2], end[2], most[2], last[2]; /* the last lines crossed, and asked */
    for (int side = 0; side < 2; side++) {
        near[side] = sweep->lines[side].first + 8 * (at[side] - 1);
        end[side] = near[side] + away[side][point] * size;
        last[side] = most[side] = at[side] + (away[side][point] * size - 1) / 8;
    }
    double hidden = MAX(target->feet, here->own) - eye;
    double crown = target->feet + sweep->targets->crown - sweep->targets->feet - eye;
    if (here->top != here->own) { /* it comes in over an edge beyond which only `own` counts */
        int64_t first = (int64_t)near[ALONG] * end[ASIDE],
                second = (int64_t)near[ASIDE] * end[ALONG];
        if (first == second) {
            walk_point(sweep, target, end, NULL, 0);
            return;
        }
        int side = first > second ? ALONG : ASIDE;
        int32_t edge = here[sweep->edge[side]].edge[sweep->axis[side]];
        int32_t top = MAX(edge, MAX(here[-sweep->on[side]].top, here->own));
        hidden = MAX(hidden, (double)(top - eye) / near[side] * end[side]);
        last[side]--;
    }
    for (int side = 0; side < 2; side++)
        hidden = MAX(hidden, sweep->lines[side].highest[last[side]] * end[side]);
    if (target->best < 0 && (hidden < crown - WHOLLY || !is_apart(sweep, target, at, end)))
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
    int stride = sweep->walk.map->columns + 1, more = sweep->targets->size - 1;
    sweep->origin = sweep->places;
    sweep->corner = 0;
    for (int side = 0; side < 2; side++) {
        Lines *lines = sweep->lines + side;
        int axis = sweep->axis[side] = side ^ (number & 1);
        int step = sweep->step[side] = number & (axis == ACROSS ? 2 : 4) ? 1 : -1;
        int to_next = axis == ACROSS ? 1 : stride, from = sweep->observer->at[axis];
        int square = (int)((sweep->eye.at[axis] - (step < 0)) >> 3);
        int first = sweep->targets->at[axis] - square, last = sweep->last_target->at[axis] - square;
        int beside = step > 0 ? from + sweep->observer->size - square : square + 1 - from;
        sweep->first[side] = MAX(beside, step > 0 ? first : -last - more);
        sweep->last[side] = step > 0 ? last : -first - more;
        if (sweep->first[side] > sweep->last[side])
            return;
        sweep->on[side] = step * to_next;
        sweep->edge[side] = step < 0 ? to_next : 0;
        sweep->corner += step < 0 ? more * to_next : 0;
        sweep->origin += square * to_next;
        *lines = (Lines){.first = (int)to_grid(sweep->eye.at[axis], step),
                         .end = sweep->last[side] + more + 2};
        for (int i = 0; i < lines->end; i++)
            lines->met[i] = lines->highest[i] = -INFINITY;
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

/* What the observer sees of targets on each square of a rectangle: the best shares, question by
   question. The caller frees them. NULL where there is no memory. */
double *sweep(const Map *map, const Body *observer, const Body *targets, int64_t count,
              const Order *orders) {
    static const Body nobody = {.at = {-1000, -1000}, .size = 1, .reach = NOTHING};
    int64_t stride = map->columns + 1, corners = stride * (map->rows + 1);
    double whole = (double)POINTS * (targets->crown - targets->feet);
    Sweep sweep = {
        .walk = {.map = map}, .observer = observer, .targets = targets, .shut_at = {1, 1}};
    Place *places = sweep.places = calloc((size_t)corners, sizeof(Place));
    double *best = places ? malloc(QUESTIONS * (size_t)count * sizeof(double)) : NULL;
    sweep.last_target = targets + count - 1;
    for (int question = 0; best && question < QUESTIONS; question++) {
        bool is_own = map->questions & BIT(question);
        begin_pair(&sweep.walk, observer, &nobody, FROM, BIT(question));
        begin_line(&sweep.walk, &(End){{0, 0}, 0, 0}, &(End){{0, 0}, NOTHING, -NOTHING});
        for (int64_t i = 0; i < corners && is_own; i++)
            survey_place(&sweep, places + i, (int)(i % stride), (int)(i / stride));
        for (int eye = -1; eye < (observer->leans ? POINTS : 1); eye++) {
            for (int number = 0; number < 8 && is_own && eye >= 0; number++) {
                sweep.eye = eye_of(observer, eye);
                sweep_eighth(&sweep, number, orders);
            }
            for (int64_t i = 0; i < count; i++) {
                Place *place = places + targets[i].at[DOWN] * stride + targets[i].at[ACROSS];
                if (eye < 0 && is_own) {
                    place->feet = targets[i].feet;
                    place->best = !is_swept(&sweep, targets + i) ? NOT_SWEPT
                                  : observer->leans              ? APART
                                                                 : 0;
                }
                if (place->sum > 0)
                    place->best = MAX(place->best, place->sum / whole);
                place->sum = 0;
                best[question * count + i] = place->best;
            }
        }
    }
    free(places);
    return best;
}
