/* A line through the squares and edges it passes: what it meets there, and which heights at its end
   that hides.

   A thing at a distance d from the eye hides, at the end of a line of length L, up to eye + (top -
   eye) * L / d: a whole number over a whole number. All that is decided, such as whether somebody
   is hidden altogether, is decided by whole products, which stay below 2^53 (the door of the kernel
   checks that). */
#include "sight.h"

#include <math.h>
#include <stddef.h>

/* --- What is out of the way: docs/geometry.md, "Own low things" --- */

static bool owns(const Body *body, int column, int row) {
    return column >= body->column && column < body->column + body->size && row >= body->row &&
           row < body->row + body->size;
}

static bool touches_square(const Body *body, int column, int row) {
    return column >= body->column - 1 && column <= body->column + body->size &&
           row >= body->row - 1 && row <= body->row + body->size;
}

/* Whether an edge has an end on a footprint's outline, or inside. */
static bool touches_edge(const Body *body, int column, int row, bool is_west) {
    int across = column - body->column, down = row - body->row, size = body->size;
    return across >= (is_west ? 0 : -1) && across <= size && down >= (is_west ? -1 : 0) &&
           down <= size;
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

/* Hides the heights from low to high at the end of the line for some questions. */
static void hide(Walk *walk, double low, double high, int32_t questions) {
    for (int question = 0; question < QUESTIONS; question++) {
        if (!(questions & BIT(question)) || low > walk->hidden_to[question])
            continue;
        if (high > walk->hidden_to[question])
            walk->hidden_to[question] = high;
        questions &= ~BIT(question);
    }
    if (!questions)
        return;
    if (walk->floating == MOST_FLOATING) {
        walk->is_full = true;
        return;
    }
    walk->low[walk->floating] = low;
    walk->high[walk->floating] = high;
    walk->hides[walk->floating++] = questions;
}

/* A height as seen from the eye past `height` at `distance`, which is put just below the crown if
   rounding lifts it to there: so "hidden altogether" is exact. */
static double behind(const Walk *walk, int64_t height, int64_t distance) {
    double seen = (double)walk->eye + (double)(height * walk->length) / (double)distance;
    bool is_below = height * walk->length < (walk->crown - walk->eye) * distance;
    double crown = (double)walk->crown;
    return is_below && seen >= crown ? nextafter(crown, -ENDLESS) : seen;
}

/* A solid that the line is in from `start` to `end`. `side`: on which side of a corner or grid
 * line; -1 for neither. */
static void meet_solid(Walk *walk, int64_t bottom, int64_t top, int32_t questions, int64_t start,
                       int64_t end, int side) {
    questions &= walk->questions;
    if (!questions)
        return;
    double low = -ENDLESS, high = ENDLESS;
    int64_t above = top - walk->eye, distance = above > 0 ? start : end;
    if (above * walk->length <= (walk->feet - walk->eye) * distance)
        return;
    if (distance)
        high = behind(walk, above, distance);
    if (bottom > DEPTH) {
        above = bottom - walk->eye;
        distance = above > 0 ? end : start;
        if (above * walk->length >= (walk->crown - walk->eye) * distance)
            return;
        if (distance)
            low = behind(walk, above, distance);
    }
    if (walk->is_point) {
        low = -ENDLESS;
        high = ENDLESS;
    }
    if (side < 0) {
        hide(walk, low, high, questions);
    } else if (walk->beside[side] < MOST_BESIDE) {
        int number = walk->beside[side]++;
        walk->side_low[side][number] = low;
        walk->side_high[side][number] = high;
        walk->side_hides[side][number] = questions;
    } else {
        walk->is_full = true;
    }
}

/* At a corner, and along a grid line, that is hidden which both sides hide. */
static void meet_both_sides(Walk *walk) {
    for (int one = 0; one < walk->beside[0]; one++) {
        for (int other = 0; other < walk->beside[1]; other++) {
            int32_t questions = walk->side_hides[0][one] & walk->side_hides[1][other];
            double low = fmax(walk->side_low[0][one], walk->side_low[1][other]);
            double high = fmin(walk->side_high[0][one], walk->side_high[1][other]);
            if (questions && low < high)
                hide(walk, low, high, questions);
        }
    }
    walk->beside[0] = walk->beside[1] = 0;
}

/* Ground, objects and bodies on a square: docs/geometry.md, "Squares and objects" and "Units that
 * block the line". */
void meet_square(Walk *walk, int column, int row, int64_t start, int64_t end, int side) {
    const Map *map = walk->map;
    int square = row * map->columns + column;
    bool is_from = owns(walk->from, column, row), is_to = owns(walk->to, column, row);
    bool has_risen = (is_from && walk->risen != NOBODY) || (is_to && walk->risen == BOTH);
    if (!has_risen) /* own ground is leaned over */
        meet_solid(walk, DEPTH, map->ground[square], ~0, start, end, side);
    if (map->square_first[square] == map->square_first[square + 1])
        return;
    bool is_near_from = touches_square(walk->from, column, row);
    bool is_near_to = touches_square(walk->to, column, row);
    for (int i = map->square_first[square]; i < map->square_first[square + 1]; i++) {
        const Solid *solid = map->square_solids + i;
        int64_t bottom = solid->bottom;
        if (solid->body >=
            0) { /* nobody is in the way on the squares of the two, or where low and near */
            const Body *body = map->crowd + solid->body;
            if (is_from || is_to ||
                is_low(walk, solid->top, are_beside(walk->from, body), are_beside(walk->to, body)))
                continue;
        } else {
            bool is_hard = solid->questions & BIT(SHOTS);
            bool hides_own = !is_hard && map->hides_soft && !walk->are_beside;
            if ((is_from || is_to) && (walk->risen == NOBODY || !hides_own))
                continue; /* one leans round hard things, and stands beside somebody in the same
                             reeds */
            if (is_low(walk, solid->top, is_near_from, is_near_to))
                continue;
            if (!has_risen)
                bottom = DEPTH;
        }
        meet_solid(walk, bottom, solid->top, solid->questions, start, end, side);
    }
}

/* docs/geometry.md, "Thin walls" and "Windows, parapets, signs": the west or the north one of a
 * square. */
void meet_edge(Walk *walk, int column, int row, bool is_west, int64_t at, int side) {
    const Map *map = walk->map;
    int edge = 2 * (row * (map->columns + 1) + column) + !is_west;
    if (map->edge_first[edge] == map->edge_first[edge + 1])
        return;
    int before_column = is_west ? column - 1 : column, before_row = is_west ? row : row - 1;
    if ((owns(walk->from, column, row) && owns(walk->from, before_column, before_row)) ||
        (owns(walk->to, column, row) && owns(walk->to, before_column, before_row)))
        return; /* a large body straddles it */
    bool is_near_from = touches_edge(walk->from, column, row, is_west);
    bool is_near_to = touches_edge(walk->to, column, row, is_west);
    for (int i = map->edge_first[edge]; i < map->edge_first[edge + 1]; i++) {
        const Solid *solid = map->edge_solids + i;
        int32_t questions = solid->questions, way = solid->seen_through;
        if (is_low(walk, solid->top, is_near_from, is_near_to))
            continue;
        if ((way == EAST && walk->heading_x > 0) || (way == WEST && walk->heading_x < 0) ||
            (way == SOUTH && walk->heading_y > 0) || (way == NORTH && walk->heading_y < 0))
            questions &= ~BIT(SIGHT);
        meet_solid(walk, solid->bottom, solid->top, questions, at, at, side);
    }
}

/* --- The walk: docs/geometry.md, "The lines" --- */

/* The lowest height up to which something is hidden for every question that is asked. */
static double all_hidden_to(const Walk *walk) {
    double least = ENDLESS;
    for (int question = 0; question < QUESTIONS; question++)
        if (walk->questions & BIT(question) && walk->hidden_to[question] < least)
            least = walk->hidden_to[question];
    return least;
}

static bool is_all_hidden(const Walk *walk) {
    double least = all_hidden_to(walk);
    return walk->is_point ? least > (double)walk->crown : least >= (double)walk->crown;
}

/* A line along a grid line: the squares on both sides of it, then the edges across it. */
static void walk_grid_line(Walk *walk, int64_t along, int64_t across, bool is_level,
                           int direction) {
    int64_t here = 0, next = to_grid(along, direction);
    int lane = (int)(across >> 3), place = (int)((along - (direction < 0)) >> 3);
    for (;;) {
        int64_t there = next < walk->length ? next : walk->length;
        for (int side = 0; side < 2; side++)
            meet_square(walk, is_level ? place : lane - side, is_level ? lane - side : place, here,
                        there, side);
        meet_both_sides(walk);
        if (there == walk->length || is_all_hidden(walk))
            return;
        int crossed = place + (direction > 0);
        for (int side = 0; side < 2; side++) {
            int beside = lane - side, after = place + direction;
            meet_square(walk, is_level ? place : beside, is_level ? beside : place, there, there,
                        side);
            meet_edge(walk, is_level ? crossed : beside, is_level ? beside : crossed, is_level,
                      there, side);
            meet_square(walk, is_level ? after : beside, is_level ? beside : after, there, there,
                        side);
        }
        meet_both_sides(walk);
        place += direction;
        here = there;
        next += 8;
    }
}

/* docs/geometry.md, "Corners": two ways round it, over the square on either side with the edges
 * before and behind. */
static void meet_corner(Walk *walk, int column, int row, int step_x, int step_y, int64_t at) {
    int west = column + (step_x > 0),
        north = row + (step_y > 0); /* edges that meet in the corner */
    meet_square(walk, column + step_x, row, at, at, 0);
    meet_edge(walk, west, row, true, at, 0);
    meet_edge(walk, column + step_x, north, false, at, 0);
    meet_square(walk, column, row + step_y, at, at, 1);
    meet_edge(walk, column, north, false, at, 1);
    meet_edge(walk, west, row + step_y, true, at, 1);
    meet_both_sides(walk);
}

static bool has_edge(const Map *map, int column, int row, bool is_west) {
    int edge = 2 * (row * (map->columns + 1) + column) + !is_west;
    return map->edge_first[edge] != map->edge_first[edge + 1];
}

/* The way of a line through the grid: the square it is in, and where it crosses the next grid
   lines. Distances are parts of across * down, so that every crossing is a whole number. */
typedef struct {
    int square[2], step[2];
    int64_t length, next[2], apart[2];
    bool is_on_row_line, is_on_column_line; /* along the grid itself, between two rows or columns */
} Way;

static inline Way way_of(int64_t x, int64_t y, int64_t end_x, int64_t end_y) {
    int64_t from[2] = {x, y}, away[2] = {size_of(end_x - x), size_of(end_y - y)};
    Way way = {.step = {end_x > x ? 1 : -1, end_y > y ? 1 : -1}};
    for (int axis = 0; axis < 2; axis++) {
        int step = way.step[axis];
        way.apart[axis] = 8 * (away[!axis] ? away[!axis] : 1);
        way.square[axis] = (int)((from[axis] - (away[axis] && step < 0)) >> 3);
        way.next[axis] = away[axis] ? to_grid(from[axis], step) * way.apart[axis] / 8 : INT64_MAX;
    }
    way.length = way.apart[ACROSS] * way.apart[DOWN] / 64;
    way.is_on_row_line = !away[DOWN] && !(y & 7);
    way.is_on_column_line = !away[ACROSS] && !(x & 7);
    return way;
}

static inline void step_over(Way *way, bool is_x, bool is_y) {
    for (int axis = 0; axis < 2; axis++) {
        if (axis == ACROSS ? is_x : is_y) {
            way->square[axis] += way->step[axis];
            way->next[axis] += way->apart[axis];
        }
    }
}

/* Nothing is met yet. */
void begin_line(Walk *walk, int64_t x, int64_t y, int64_t eye, End end) {
    walk->eye = eye;
    walk->feet = end.low;
    walk->crown = end.high;
    walk->is_point = end.low == end.high;
    walk->floating = walk->beside[0] = walk->beside[1] = 0;
    for (int question = 0; question < QUESTIONS; question++)
        walk->hidden_to[question] = (double)end.low;
    walk->heading_x = (end.x > x) - (end.x < x);
    walk->heading_y = (end.y > y) - (end.y < y);
    walk->length = way_of(x, y, end.x, end.y).length;
}

/* Whether what is on one square hides all of the end of a line. */
bool is_hidden_by(Walk *walk, int square, int64_t x, int64_t y, int64_t eye, End end) {
    Way way = way_of(x, y, end.x, end.y);
    int column = square % walk->map->columns, row = square / walk->map->columns;
    int64_t near_x = (8 * (int64_t)(column + (way.step[ACROSS] < 0)) - x) * way.step[ACROSS] *
                     way.apart[ACROSS] / 8;
    int64_t near_y =
        (8 * (int64_t)(row + (way.step[DOWN] < 0)) - y) * way.step[DOWN] * way.apart[DOWN] / 8;
    int64_t far_x = near_x + way.apart[ACROSS], far_y = near_y + way.apart[DOWN];
    int64_t start = near_x > near_y ? near_x : near_y, last = far_x < far_y ? far_x : far_y;
    if (end.x == x || end.y == y || start <= 0 || start >= last || last > way.length)
        return false;
    begin_line(walk, x, y, eye, end);
    meet_square(walk, column, row, start, last, -1);
    return is_all_hidden(walk);
}

/* Walks from the eye to the end, as far as anything can still be hidden. */
void walk_line(Walk *walk, int64_t x, int64_t y, int64_t eye, End end) {
    const Map *map = walk->map;
    Way way = way_of(x, y, end.x, end.y);
    int64_t here = 0, length = way.length;
    begin_line(walk, x, y, eye, end);
    if (end.x == x && end.y == y)
        return;
    if (way.is_on_row_line || way.is_on_column_line) {
        walk_grid_line(walk, way.is_on_row_line ? x : y, way.is_on_row_line ? y : x,
                       way.is_on_row_line, way.is_on_row_line ? way.step[ACROSS] : way.step[DOWN]);
        return;
    }
    bool has_edges = map->edge_first[2 * (map->columns + 1) * (map->rows + 1)];
    int64_t lowest = end.low < eye ? end.low : eye;
    double hidden = (double)(end.low - eye); /* up to here above the eye everything is hidden */
    for (;;) {
        bool is_x = way.next[ACROSS] <= way.next[DOWN], is_y = way.next[DOWN] <= way.next[ACROSS],
             has_met = false;
        int64_t there = is_x ? way.next[ACROSS] : way.next[DOWN];
        bool is_last = there >= length;
        if (is_last)
            there = length;
        /* A square on which nothing is higher than what is hidden already is passed over. */
        int square = way.square[DOWN] * map->columns + way.square[ACROSS];
        int64_t above = map->highest[square] - eye;
        if (map->highest[square] > lowest &&
            (double)(above * length) > hidden * (double)(above > 0 ? here : there)) {
            walk->last = square;
            meet_square(walk, way.square[ACROSS], way.square[DOWN], here, there, -1);
            if (is_all_hidden(walk) || walk->is_full)
                return;
            hidden = all_hidden_to(walk) - (double)eye;
        }
        if (is_last)
            return;
        int west = way.square[ACROSS] + (way.step[ACROSS] > 0),
            north = way.square[DOWN] + (way.step[DOWN] > 0);
        if (is_x && is_y) {
            int64_t beside = map->highest[square + way.step[ACROSS]];
            int64_t below = map->highest[square + way.step[DOWN] * map->columns];
            int64_t lower = beside < below ? beside : below;
            has_met = map->touches_edge[north * (map->columns + 1) + west] ||
                      (double)((lower - eye) * length) > hidden * (double)there;
            if (has_met)
                meet_corner(walk, way.square[ACROSS], way.square[DOWN], way.step[ACROSS],
                            way.step[DOWN], there);
        } else if (has_edges && (is_x ? has_edge(map, west, way.square[DOWN], true)
                                      : has_edge(map, way.square[ACROSS], north, false))) {
            has_met = true;
            meet_edge(walk, is_x ? west : way.square[ACROSS], is_x ? way.square[DOWN] : north, is_x,
                      there, -1);
        }
        if (has_met) {
            if (is_all_hidden(walk) || walk->is_full)
                return;
            hidden = all_hidden_to(walk) - (double)eye;
        }
        step_over(&way, is_x, is_y);
        here = there;
    }
}

/* How much of the upright from feet to crown is hidden for a question, in hundredths. */
double hidden_height(const Walk *walk, int question) {
    double reached = walk->hidden_to[question], total = reached - (double)walk->feet;
    if (reached >= (double)walk->crown)
        return (double)(walk->crown - walk->feet);
    int order[MOST_FLOATING], count = 0;
    for (int i = 0; i < walk->floating; i++) {
        if (!(walk->hides[i] & BIT(question)))
            continue;
        int place = count++;
        for (; place > 0 && walk->low[order[place - 1]] > walk->low[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    for (int i = 0; i < count; i++) {
        double low = fmax(walk->low[order[i]], reached);
        double high = fmin(walk->high[order[i]], (double)walk->crown);
        if (high > low) {
            total += high - low;
            reached = high;
        }
    }
    return total;
}

/* docs/geometry.md, "Smoke": squares of smoke, times its density, on the line from middle to
 * middle; along a grid line the thinner side counts. */
double smoke_between(const Map *map, const Body *from, const Body *to) {
    int64_t x = point_x(from, 0), y = point_y(from, 0), here = 0, thick = 0;
    int64_t across = point_x(to, 0) - x, down = point_y(to, 0) - y;
    Way way = way_of(x, y, x + across, y + down);
    if (!across && !down)
        return 0;
    while (here < way.length) {
        int64_t there = way.next[ACROSS] < way.next[DOWN] ? way.next[ACROSS] : way.next[DOWN];
        if (there > way.length)
            there = way.length;
        const uint8_t *smoke = map->smoke + way.square[DOWN] * map->columns + way.square[ACROSS];
        int density = *smoke;
        if (way.is_on_row_line && smoke[-map->columns] < density)
            density = smoke[-map->columns];
        if (way.is_on_column_line && smoke[-1] < density)
            density = smoke[-1];
        thick += density * (there - here);
        step_over(&way, way.next[ACROSS] == there, way.next[DOWN] == there);
        here = there;
    }
    double length = sqrt((double)(across * across + down * down)) / 8;
    return length * (double)thick / (double)way.length;
}
