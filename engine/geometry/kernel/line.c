/* A line through the squares and edges it passes: what it meets there, and which heights at its end
   that hides.

   A thing at a distance d from the eye hides, at the end of a line of length L, up to eye + (top -
   eye) * L / d: a whole number over a whole number. All that is decided, such as whether somebody
   is hidden altogether, is decided by whole products, which stay below 2^53 (`arrays.py` checks
   that). */
#include "sight.h"

#include <math.h>
#include <stdlib.h>

/* --- What is out of the way: docs/geometry.md, "Own low things" --- */

/* Whether a square is on a footprint, or at most so many squares from it. */
static bool is_within(const Body *body, int column, int row, int around) {
    int across = column - body->at[ACROSS], down = row - body->at[DOWN];
    int last = body->size - 1 + around;
    return across >= -around && across <= last && down >= -around && down <= last;
}

/* Whether both squares beside an edge are: next to a footprint that one ends on its outline. */
static bool is_edge_within(const Body *body, int column, int row, bool is_west, int around) {
    return is_within(body, column, row, around) &&
           is_within(body, column - is_west, row - !is_west, around);
}

/* Whether something ends so low, and so near, that it is looked over. What touches both counts only
   for who looks over it from its present posture, unless both rise. */
static bool is_low(const Walk *walk, int top, bool is_near_from, bool is_near_to) {
    bool is_own = walk->risen != NOBODY && is_near_from && top < walk->from->reach;
    if (walk->risen == BOTH)
        return is_own || (is_near_to && top < walk->to->reach);
    return is_own && (!is_near_to || top < walk->from->eyes);
}

/* --- What a solid hides --- */

/* Hides the heights from low to high at the end of the line. */
static void hide(Walk *walk, double low, double high) {
    if (low <= walk->hidden_to)
        walk->hidden_to = MAX(walk->hidden_to, high);
    else if (walk->parts < MOST_PARTS)
        walk->part[walk->parts++] = (Part){low, high};
    else
        walk->is_unsure = true;
}

/* The height at the end of the line that the eye sees past something so much above it at
   `distance`; ENDLESS from the crown on. What is below the crown is not rounded up to it: so
   "hidden altogether" is exact. */
static double behind(const Walk *walk, int64_t above, int64_t distance) {
    if (above * walk->way.length >= (walk->crown - walk->eye) * distance)
        return ENDLESS;
    double seen = (double)walk->eye + (double)(above * walk->way.length) / (double)distance;
    double crown = (double)walk->crown;
    return seen < crown ? seen : nextafter(crown, -ENDLESS);
}

/* A solid that the line is in from `start` to `end`. `side`: on which side of a corner or grid
   line; -1 for neither. */
static void meet_solid(Walk *walk, int64_t bottom, int64_t top, int32_t questions, int64_t start,
                       int64_t end, int side) {
    int64_t above = top - walk->eye, distance = above > 0 ? start : end;
    if (above * walk->way.length <= (walk->feet - walk->eye) * distance)
        return;
    walk->differs |= questions != ALL;
    if ((questions & walk->asked) != walk->asked)
        return;
    double high = behind(walk, above, distance), low = -ENDLESS;
    if (bottom > DEPTH)
        low = behind(walk, bottom - walk->eye, bottom > walk->eye ? end : start);
    if (low == ENDLESS)
        return;
    if (side < 0)
        hide(walk, low, high);
    else if (walk->beside[side] < MOST_BESIDE)
        walk->side[side][walk->beside[side]++] = (Part){low, high};
    else
        walk->is_unsure = true;
}

/* At a corner, and along a grid line, that is hidden which both sides hide. */
static void meet_both_sides(Walk *walk) {
    for (int one = 0; one < walk->beside[0]; one++) {
        for (int other = 0; other < walk->beside[1]; other++) {
            double low = MAX(walk->side[0][one].low, walk->side[1][other].low);
            double high = MIN(walk->side[0][one].high, walk->side[1][other].high);
            if (low < high)
                hide(walk, low, high);
        }
    }
    walk->beside[0] = walk->beside[1] = 0;
}

/* Ground, objects and bodies on a square: docs/geometry.md, "Squares and objects" and "Units that
   block the line". */
void meet_square(Walk *walk, int column, int row, int64_t start, int64_t end, int side) {
    const Map *map = walk->map;
    const Body here = {.at = {column, row}, .size = 1};
    int square = row * map->columns + column;
    bool is_from = is_within(walk->from, column, row, 0);
    bool is_to = is_within(walk->to, column, row, 0);
    bool has_risen = (is_from && walk->risen != NOBODY) || (is_to && walk->risen == BOTH);
    if (!has_risen) /* own ground is leaned over */
        meet_solid(walk, DEPTH, map->ground[square], ALL, start, end, side);
    for (int i = map->square_first[square]; i < map->square_first[square + 1]; i++) {
        const Solid *solid = map->square_solids + i;
        bool is_body = solid->body >= 0;
        const Body *thing = is_body ? map->crowd + solid->body : &here;
        /* One leans round hard things and bodies, and stands beside somebody in the same reeds. */
        bool hides_own = !is_body && !(solid->questions & BIT(SHOTS)) && map->hides_soft &&
                         !walk->are_beside && walk->risen != NOBODY;
        if (((is_from || is_to) && !hides_own) ||
            is_low(walk, solid->top, are_near(walk->from, thing, 0), are_near(walk->to, thing, 0)))
            continue;
        int64_t bottom = is_body || has_risen ? solid->bottom : DEPTH;
        meet_solid(walk, bottom, solid->top, solid->questions, start, end, side);
    }
}

/* docs/geometry.md, "Thin walls", "Windows, parapets, signs" and "One way": the west or the north
   edge of a square. */
void meet_edge(Walk *walk, int column, int row, bool is_west, int64_t at, int side) {
    const Map *map = walk->map;
    int edge = 2 * (row * (map->columns + 1) + column) + !is_west;
    if (!has_solids(map->edge_first, edge))
        return;
    if (is_edge_within(walk->from, column, row, is_west, 0) ||
        is_edge_within(walk->to, column, row, is_west, 0))
        return; /* a large body straddles it */
    bool is_near_from = is_edge_within(walk->from, column, row, is_west, 1);
    bool is_near_to = is_edge_within(walk->to, column, row, is_west, 1);
    for (int i = map->edge_first[edge]; i < map->edge_first[edge + 1]; i++) {
        const Solid *solid = map->edge_solids + i;
        int32_t questions = solid->questions, way = solid->seen_through;
        if (is_low(walk, solid->top, is_near_from, is_near_to))
            continue;
        if (way && walk->way.step[abs(way) - 1] * way > 0)
            questions &= ~BIT(SIGHT);
        meet_solid(walk, solid->bottom, solid->top, questions, at, at, side);
    }
}

/* docs/geometry.md, "Corners": where a line goes through a corner of the grid, or past it along the
   grid, it may pass on either side, over the three squares and edges of that side. */
static SELDOM void meet_corner(Walk *walk, int column, int row, int64_t at) {
    /* Round the corner, clockwise from the east: edges and squares in turn, and where a line goes
       by its heading. */
    static const int round[8][2] = {{0, 0},  {0, 0},   {0, 0},  {-1, 0},
                                    {-1, 0}, {-1, -1}, {0, -1}, {0, -1}};
    static const int ahead[3][3] = {{5, 6, 7}, {4, 0, 0}, {3, 2, 1}};
    int heading = ahead[walk->way.step[DOWN] + 1][walk->way.step[ACROSS] + 1];
    for (int side = 0; side < 2; side++) {
        for (int turn = 1; turn < 4; turn++) {
            int part = (heading + (side ? turn : 8 - turn)) % 8;
            int across = column + round[part][ACROSS], down = row + round[part][DOWN];
            if (part % 2)
                meet_square(walk, across, down, at, at, side);
            else
                meet_edge(walk, across, down, part % 4 == 2, at, side);
        }
    }
    meet_both_sides(walk);
}

/* --- The walk: docs/geometry.md, "The lines" --- */

static inline void find_way(Way *way, const End *start, const End *end) {
    way->length = 1;
    for (int axis = 0; axis < 2; axis++) {
        int64_t away = llabs(end->at[axis] - start->at[axis]);
        int64_t other = llabs(end->at[!axis] - start->at[!axis]);
        int step = way->step[axis] =
            (end->at[axis] > start->at[axis]) - (end->at[axis] < start->at[axis]);
        way->apart[axis] = 8 * MAX(other, 1);
        way->square[axis] = (int)((start->at[axis] - (step < 0)) >> 3);
        way->next[axis] =
            away ? to_grid(start->at[axis], step) * way->apart[axis] / 8 : INT64_MAX / 2;
        way->is_between[axis] = !away && !(start->at[axis] & 7);
        way->length *= MAX(away, 1);
    }
}

/* Where the line leaves the square that it is in, or ends. */
static inline int64_t leaves_at(const Way *way) {
    return MIN(way->length, MIN(way->next[ACROSS], way->next[DOWN]));
}

static inline bool crosses(const Way *way, int axis) { return way->next[axis] <= way->next[!axis]; }

static inline void step_over(Way *way) {
    bool crossed[2] = {crosses(way, ACROSS), crosses(way, DOWN)};
    for (int axis = 0; axis < 2; axis++) {
        if (crossed[axis]) {
            way->square[axis] += way->step[axis];
            way->next[axis] += way->apart[axis];
        }
    }
}

void begin_pair(Walk *walk, const Body *from, const Body *to, int risen, int32_t asked) {
    walk->from = from;
    walk->to = to;
    walk->risen = risen;
    walk->asked = asked;
    walk->are_beside = are_near(from, to, 0);
}

/* Nothing is met yet. */
void begin_line(Walk *walk, const End *start, const End *end) {
    find_way(&walk->way, start, end);
    walk->eye = start->high;
    walk->feet = end->low;
    walk->crown = end->high;
    walk->parts = walk->beside[0] = walk->beside[1] = 0;
    walk->hidden_to = (double)end->low;
}

/* Meets the square that hid a line last before all others: often it hides this one, too. */
static inline void meet_last(Walk *walk, const End *start) {
    const Way *way = &walk->way;
    int64_t enters = 0, leaves = way->length;
    for (int axis = 0; axis < 2; axis++) {
        int64_t near = 8 * (int64_t)(walk->last[axis] + (way->step[axis] < 0));
        int64_t at = (near - start->at[axis]) * way->step[axis] * way->apart[axis] / 8;
        enters = MAX(enters, at);
        leaves = MIN(leaves, at + way->apart[axis]);
    }
    if (enters < leaves && way->step[ACROSS] && way->step[DOWN])
        meet_square(walk, walk->last[ACROSS], walk->last[DOWN], enters, leaves, -1);
}

/* Whether something so high may hide more than is hidden already. */
static inline bool may_hide(const Walk *walk, int64_t highest, int64_t start, int64_t end) {
    int64_t above = highest - walk->eye;
    return (double)(above * walk->way.length) >
           (walk->hidden_to - (double)walk->eye) * (double)(above > 0 ? start : end);
}

/* Walks from the eye to the end, as far as anything can still be hidden. Squares and corners that
   are too low to hide more are passed over. */
void walk_line(Walk *walk, const End *start, const End *end) {
    const Map *map = walk->map;
    begin_line(walk, start, end);
    bool has_edges = map->edge_first[2 * (map->columns + 1) * (map->rows + 1)];
    double all = (double)end->high + (end->low == end->high); /* a point is hidden or not */
    int64_t lowest = MIN(end->low, start->high);
    if (!walk->way.step[ACROSS] && !walk->way.step[DOWN])
        return;
    meet_last(walk, start);
    Way way = walk->way; /* a copy that stays in registers: measured, three times as quick */
    bool is_between = way.is_between[ACROSS] || way.is_between[DOWN];
    for (int64_t here = 0, there; walk->hidden_to < all && !walk->is_unsure; here = there) {
        int column = way.square[ACROSS], row = way.square[DOWN];
        const int32_t *highest = map->highest + row * map->columns + column;
        there = leaves_at(&way);
        if (is_between) {
            for (int side = 0; side < 2; side++)
                meet_square(walk, column - (side && way.is_between[ACROSS]),
                            row - (side && way.is_between[DOWN]), here, there, side);
            meet_both_sides(walk);
        } else if (*highest > lowest && may_hide(walk, *highest, here, there)) {
            meet_square(walk, column, row, here, there, -1);
        }
        if (walk->hidden_to >= all) {
            walk->last[ACROSS] = column;
            walk->last[DOWN] = row;
            return;
        }
        if (there == way.length)
            return;
        bool is_x = crosses(&way, ACROSS), is_y = crosses(&way, DOWN);
        int west = column + (is_x && way.step[ACROSS] > 0);
        int north = row + (is_y && way.step[DOWN] > 0);
        const int32_t *beside = highest + way.step[ACROSS];
        const int32_t *ahead = highest + way.step[DOWN] * map->columns;
        if (is_between ||
            (is_x && is_y && (has_edges || may_hide(walk, MIN(*beside, *ahead), there, there))))
            meet_corner(walk, west, north, there);
        else if (has_edges && !(is_x && is_y) &&
                 has_solids(map->edge_first, 2 * (north * (map->columns + 1) + west) + !is_x))
            meet_edge(walk, west, north, is_x, there, -1);
        step_over(&way);
    }
}

/* How much of the upright from feet to crown is hidden, in hundredths. */
double hidden_height(const Walk *walk) {
    double reached = walk->hidden_to, crown = (double)walk->crown;
    double total = MIN(reached, crown) - (double)walk->feet;
    while (reached < crown) {
        const Part *next = NULL; /* the lowest part that reaches higher */
        for (const Part *part = walk->part; part < walk->part + walk->parts; part++)
            if (part->high > reached && (!next || part->low < next->low))
                next = part;
        if (!next || next->low >= crown)
            break;
        double high = MIN(next->high, crown);
        total += high - MAX(next->low, reached);
        reached = high;
    }
    return total;
}

/* docs/geometry.md, "Smoke": squares of smoke, times its density, on the line from middle to
   middle; along a grid line the thinner side counts. */
double smoke_between(const Map *map, const Body *from, const Body *to) {
    End start = eye_of(from, 0), end = eye_of(to, 0);
    Way way;
    find_way(&way, &start, &end);
    int64_t thick = 0;
    for (int64_t here = 0, there; here < way.length; here = there) {
        const uint8_t *smoke = map->smoke + way.square[DOWN] * map->columns + way.square[ACROSS];
        int density = *smoke;
        if (way.is_between[DOWN] && smoke[-map->columns] < density)
            density = smoke[-map->columns];
        if (way.is_between[ACROSS] && smoke[-1] < density)
            density = smoke[-1];
        there = leaves_at(&way);
        thick += density * (there - here);
        step_over(&way);
    }
    int64_t across = end.at[ACROSS] - start.at[ACROSS], down = end.at[DOWN] - start.at[DOWN];
    return hypot((double)across, (double)down) / 8 * (double)thick / (double)way.length;
}
