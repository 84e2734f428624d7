/* The peer of sight and of blasts: each line of docs/geometry.md walked by itself, from square to
   square, with no table and no sweep. It shares nothing with engine/geometry/kernel; walker.py
   compiles it with the flags of that kernel.

   Units: places on the map are whole eighths of a square, heights whole hundredths above the map's
   zero, and places on a line are whole parts of its `length`. All of them stay below 2^53, so a
   double holds each exactly; only the heights that something hides up to are quotients, rounded
   once.

   How a line is judged. It leads from an eye to an upright: a point of the other body, with all
   heights from feet to crown. What the line passes at a part `at` of its length hides, at the
   upright, everything below eye + (top - eye) * length / at. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))
#define HOT static inline __attribute__((always_inline)) /* measured: 5 % of an overlay */
#define SELDOM static __attribute__((noinline))          /* measured: 1 % */
#define SKY 100000000                                    /* higher than anything on a map */
#define BELOW (-1000000000) /* the bottom of what stands on the ground */
#define ENDLESS 1e18        /* higher than anything on a line */
#define MARGIN 1e-9         /* a share is rounded by less than this */
#define POINTS 5            /* eyes and points of a body, its middle first */
#define MOST_PARTS 4096     /* hidden parts of an upright with a free one below */
#define MOST_SIDE 64        /* things on one side of a corner or of a grid line */
#define NOTHING (-1)        /* no such thing on an edge, no such body on a square */
#define SIDELESS (-1)       /* what the line passes through, not beside */

/* The two questions, asked by one walk: what hides is in the way of sight, what protects of shots.
 * A blast asks for what contains it, as if that were sight. */
enum { SIGHT = 1, SHOTS = 2, ASKED = 2 };

enum { NO_WAY, EASTWARD, WESTWARD, SOUTHWARD, NORTHWARD };

typedef struct {
    int32_t column, row, size; /* its footprint, by the north-west square */
    int32_t feet, eye, crown;
    int32_t reach; /* it looks over what is beside it and lower */
    int32_t eyes;  /* how many of its points have one: all, or the middle */
} Body;

typedef struct {
    int32_t ground;
    int32_t top, stops; /* of the object; `stops` is 0 without one */
    int32_t guest;      /* the first body in the way that stands here, as a number of a Guest */
} Square;

typedef struct {
    int32_t body, next;
} Guest;

/* A thin wall, window or sign on an edge: two parts at most, below and above its opening. */
typedef struct {
    int32_t parts, bottom[2], top[2];
    int32_t stops, open_way; /* one-way glass is seen through by lines that cross it that way */
} Barrier;

/* Squares lie row by row. Edges have one column and one row more: `west` and `north` name the edge
   by the square south-east of it, and so does `corner` the corner. */
typedef struct {
    int32_t columns, rows;
    int32_t questions; /* SIGHT alone where all that hides protects and the other way round */
    int32_t has_edges;
    int32_t is_soft_hidden; /* whether soft things hide who stands in them */
    int32_t is_mutual;
    double head, least;
    double smoke_limit;     /* squares of smoke that are still seen through */
    const int32_t *highest; /* of all that is on a square */
    const Square *squares;
    const int32_t *west, *north; /* numbers of barriers */
    const uint8_t *corner;       /* whether any edge that ends here has a barrier */
    const Barrier *barriers;
    const Guest *guests;
    const Body *bodies;
    const uint8_t *smoke; /* its density; NULL without any */
} Field;

typedef struct {
    int64_t x, y;
} Point;

/* One line on its way. */
typedef struct {
    const Field *field;
    const Body *from, *to;
    int risen;     /* for how many of the two own ground and own low things do not count */
    bool is_glass; /* whether one-way glass is seen through */
    bool are_neighbours;
    int asked;
    int heading_x, heading_y; /* -1, 0 or 1 */
    int64_t length, eye, feet, crown;
    bool is_point;        /* whether feet and crown are one height, as from eye to eye */
    double full;          /* hidden up to here, the whole upright is hidden */
    double hidden[ASKED]; /* from its feet up to here the upright is hidden */
    int parts;            /* and in these parts further up */
    int side[2];
    bool overflows;
    double low[MOST_PARTS], high[MOST_PARTS];
    int8_t part_stops[MOST_PARTS];
    double side_low[2][MOST_SIDE], side_high[2][MOST_SIDE];
    int8_t side_stops[2][MOST_SIDE];
} Line;

static int64_t least_of(int64_t one, int64_t other) { return one < other ? one : other; }

/* Points of a body: three eighths of its side away from the middle. */
static Point point_of(const Body *body, int number) {
    static const int east[POINTS] = {0, -3, 3, -3, 3}, south[POINTS] = {0, -3, -3, 3, 3};
    return (Point){8 * (int64_t)body->column + body->size * (4 + east[number]),
                   8 * (int64_t)body->row + body->size * (4 + south[number])};
}

/* Whether a square is at most `around` squares away from a footprint. */
static bool is_within(const Body *body, int column, int row, int around) {
    int across = column - body->column, down = row - body->row, last = body->size - 1 + around;
    return across >= -around && across <= last && down >= -around && down <= last;
}

/* Whether an edge ends on the outline of a footprint, or inside. */
static bool has_edge_beside(const Body *body, int column, int row, bool is_west) {
    int across = column - body->column, down = row - body->row, size = body->size;
    return across <= size && down <= size && across >= (is_west ? 0 : -1) &&
           down >= (is_west ? -1 : 0);
}

static bool are_neighbours(const Body *one, const Body *other) {
    int across = other->column - one->column, down = other->row - one->row;
    return across >= -other->size && across <= one->size && down >= -other->size &&
           down <= one->size;
}

/* "Own low things": whether something that ends at `top` is looked over. What touches both bodies
   is looked over only from the present posture, or when both rise. */
static bool is_looked_over(const Line *line, int top, bool is_beside_from, bool is_beside_to) {
    bool by_from = line->risen >= 1 && is_beside_from && top < line->from->reach;
    if (line->risen == 2)
        return by_from || (is_beside_to && top < line->to->reach);
    return by_from && (!is_beside_to || top < line->from->eye);
}

/* Hides a part of the upright: it lengthens what is hidden from the feet on, or is put down. */
static void hide(Line *line, double low, double high, int stops) {
    for (int question = 0; question < ASKED; question++) {
        if (!(stops >> question & 1) || low > line->hidden[question])
            continue;
        if (high > line->hidden[question])
            line->hidden[question] = high;
        stops &= ~(1 << question);
    }
    if (!stops)
        return;
    if (line->parts == MOST_PARTS) {
        line->overflows = true;
        return;
    }
    int number = line->parts++;
    line->low[number] = low;
    line->high[number] = high;
    line->part_stops[number] = (int8_t)stops;
}

/* The line passes a solid between two places on it, or at one place. It hides what lies between
   the lines over its top and under its bottom, each by the end where it hides most. */
HOT void pass_solid(Line *line, int64_t bottom, int64_t top, int stops, int64_t start, int64_t end,
                    int side) {
    stops &= line->asked;
    if (!stops)
        return;
    int64_t rise = top - line->eye, at = rise > 0 ? start : end;
    if (rise * line->length <= (line->feet - line->eye) * at)
        return; /* all of it lies below */
    double low = -ENDLESS, high = ENDLESS;
    if (at)
        high = (double)line->eye + (double)(rise * line->length) / (double)at;
    if (bottom > BELOW) {
        rise = bottom - line->eye;
        at = rise > 0 ? end : start;
        if (rise * line->length >= (line->crown - line->eye) * at)
            return; /* all of it lies above */
        if (at)
            low = (double)line->eye + (double)(rise * line->length) / (double)at;
    }
    if (line->is_point) { /* the one height asked about lies inside */
        low = -ENDLESS;
        high = ENDLESS;
    }
    if (side == SIDELESS) {
        hide(line, low, high, stops);
        return;
    }
    if (line->side[side] == MOST_SIDE) {
        line->overflows = true;
        return;
    }
    int number = line->side[side]++;
    line->side_low[side][number] = low;
    line->side_high[side][number] = high;
    line->side_stops[side][number] = (int8_t)stops;
}

/* "Corners": what both sides hide is hidden. */
static void pass_both_sides(Line *line) {
    for (int one = 0; one < line->side[0]; one++) {
        for (int other = 0; other < line->side[1]; other++) {
            double low = fmax(line->side_low[0][one], line->side_low[1][other]);
            double high = fmin(line->side_high[0][one], line->side_high[1][other]);
            int stops = line->side_stops[0][one] & line->side_stops[1][other];
            if (stops && low < high)
                hide(line, low, high, stops);
        }
    }
    line->side[0] = line->side[1] = 0;
}

/* "Squares and objects", "Units that block the line". */
static void pass_square(Line *line, int column, int row, int64_t start, int64_t end, int side) {
    const Field *field = line->field;
    const Square *square = field->squares + row * field->columns + column;
    bool is_from = is_within(line->from, column, row, 0);
    bool is_to = is_within(line->to, column, row, 0);
    bool is_ground_out = (is_from && line->risen >= 1) || (is_to && line->risen == 2);
    if (!is_ground_out)
        pass_solid(line, BELOW, square->ground, SIGHT | SHOTS, start, end, side);
    bool is_own = is_from || is_to, is_soft = square->stops == SIGHT;
    if (square->stops &&
        !(is_own && !(is_soft && field->is_soft_hidden && !line->are_neighbours)) &&
        !is_looked_over(line, square->top, is_within(line->from, column, row, 1),
                        is_within(line->to, column, row, 1)))
        pass_solid(line, is_ground_out ? square->ground : BELOW, square->top, square->stops, start,
                   end, side);
    if (is_own)
        return;
    for (int at = square->guest; at != NOTHING; at = field->guests[at].next) {
        const Body *body = field->bodies + field->guests[at].body;
        int top = body->crown < SKY ? body->crown : SKY;
        if (!is_looked_over(line, top, are_neighbours(line->from, body),
                            are_neighbours(line->to, body)))
            pass_solid(line, body->feet, top, SIGHT | SHOTS, start, end, side);
    }
}

/* "Thin walls", "Windows, parapets, signs", "One way". */
static void pass_edge(Line *line, int column, int row, bool is_west, int64_t at, int side) {
    const Field *field = line->field;
    int place = row * (field->columns + 1) + column;
    int number = is_west ? field->west[place] : field->north[place];
    if (number == NOTHING)
        return;
    int before = is_west ? column - 1 : column, above = is_west ? row : row - 1;
    if ((is_within(line->from, column, row, 0) && is_within(line->from, before, above, 0)) ||
        (is_within(line->to, column, row, 0) && is_within(line->to, before, above, 0)))
        return; /* a large body straddles it */
    const Barrier *barrier = field->barriers + number;
    int stops = barrier->stops, way = barrier->open_way;
    if (line->is_glass &&
        ((way == EASTWARD && line->heading_x > 0) || (way == WESTWARD && line->heading_x < 0) ||
         (way == SOUTHWARD && line->heading_y > 0) || (way == NORTHWARD && line->heading_y < 0)))
        stops &= ~SIGHT;
    bool is_beside_from = has_edge_beside(line->from, column, row, is_west);
    bool is_beside_to = has_edge_beside(line->to, column, row, is_west);
    for (int part = 0; part < barrier->parts; part++)
        if (!is_looked_over(line, barrier->top[part], is_beside_from, is_beside_to))
            pass_solid(line, barrier->bottom[part], barrier->top[part], stops, at, at, side);
}

/* Up to where the upright is hidden for every question that is asked. */
static double hidden_for_all(const Line *line) {
    if (line->asked == SIGHT)
        return line->hidden[0];
    if (line->asked == SHOTS)
        return line->hidden[1];
    return line->hidden[0] < line->hidden[1] ? line->hidden[0] : line->hidden[1];
}

/* A line between two columns or two rows: on each stretch the squares on both sides, then, where
   the next ones begin, the squares and edges of both sides round that corner. */
SELDOM void walk_between(Line *line, int64_t along, int64_t across, bool is_level, int step) {
    int64_t here = 0, next = step > 0 ? 8 - (along & 7) : ((along - 1) & 7) + 1;
    int place = (int)((along - (step < 0)) >> 3), lanes[2] = {(int)(across >> 3), 0};
    lanes[1] = lanes[0] - 1;
    for (;; here = next, next += 8, place += step) {
        int64_t there = least_of(next, line->length);
        for (int side = 0; side < 2; side++) {
            int lane = lanes[side];
            pass_square(line, is_level ? place : lane, is_level ? lane : place, here, there, side);
        }
        pass_both_sides(line);
        if (there == line->length || hidden_for_all(line) >= line->full)
            return;
        for (int side = 0; side < 2; side++) {
            int lane = lanes[side], ahead = place + step, border = place + (step > 0);
            pass_square(line, is_level ? place : lane, is_level ? lane : place, there, there, side);
            pass_square(line, is_level ? ahead : lane, is_level ? lane : ahead, there, there, side);
            pass_edge(line, is_level ? border : lane, is_level ? lane : border, is_level, there,
                      side);
        }
        pass_both_sides(line);
    }
}

/* A line through the corner of a square goes on in the square diagonally behind; on either side it
   passes the square between the two, and the two edges of that square that end at the corner. */
SELDOM void pass_corner(Line *line, int column, int row, int step_x, int step_y, int64_t at) {
    int east = column + (step_x > 0), south = row + (step_y > 0);
    pass_square(line, column + step_x, row, at, at, 0);
    pass_square(line, column, row + step_y, at, at, 1);
    if (line->field->has_edges) {
        pass_edge(line, east, row, true, at, 0);
        pass_edge(line, column + step_x, south, false, at, 0);
        pass_edge(line, column, south, false, at, 1);
        pass_edge(line, east, row + step_y, true, at, 1);
    }
    pass_both_sides(line);
}

/* Walks from an eye to an upright, until all of it is hidden. `line` then says what is. */
static void walk(Line *line, Point start, int64_t eye, Point end, int64_t feet, int64_t crown) {
    const Field *field = line->field;
    int64_t across = end.x - start.x, down = end.y - start.y;
    int step_x = across > 0 ? 1 : -1, step_y = down > 0 ? 1 : -1;
    int64_t width = across * step_x, depth = down * step_y;
    line->eye = eye;
    line->feet = feet;
    line->crown = crown;
    line->is_point = feet == crown;
    line->full = (double)(crown + line->is_point);
    line->hidden[0] = line->hidden[1] = (double)feet;
    line->parts = line->side[0] = line->side[1] = 0;
    line->heading_x = width ? step_x : 0;
    line->heading_y = depth ? step_y : 0;
    if (!width && !depth)
        return; /* straight up or down: nothing is in the way */
    if (!depth && !(start.y & 7)) {
        line->length = width;
        walk_between(line, start.x, start.y, true, step_x);
        return;
    }
    if (!width && !(start.x & 7)) {
        line->length = depth;
        walk_between(line, start.y, start.x, false, step_y);
        return;
    }
    /* Of the length an eighth eastwards takes `per_x`, one southwards `per_y`. */
    int64_t per_x = depth ? depth : 1, per_y = width ? width : 1, length = per_x * per_y;
    int64_t next_x = INT64_MAX, next_y = INT64_MAX, here = 0;
    line->length = length;
    if (width)
        next_x = (step_x > 0 ? 8 - (start.x & 7) : ((start.x - 1) & 7) + 1) * per_x;
    if (depth)
        next_y = (step_y > 0 ? 8 - (start.y & 7) : ((start.y - 1) & 7) + 1) * per_y;
    const int columns = field->columns, east = step_x > 0, south = step_y > 0;
    int row = (int)((start.y - (depth && step_y < 0)) >> 3);
    int place = row * columns + (int)((start.x - (width && step_x < 0)) >> 3);
    const int32_t *highest = field->highest;
    const bool has_edges = field->has_edges;
    /* Whatever is no higher than this at the end of the line hides nothing new. */
    double least = (double)(feet - eye), measure = (double)length;
    for (;;) {
        int64_t there = least_of(least_of(next_x, next_y), length);
        int column = place - row * columns;
        if (measure * (double)(highest[place] - (int)eye) >
            least * (double)(least > 0 ? here : there)) {
            pass_square(line, column, row, here, there, SIDELESS);
            least = hidden_for_all(line);
            if (least >= line->full)
                return;
            least -= (double)eye;
        }
        if (there == length)
            return;
        bool is_changed = false;
        int edge = place + row; /* as edges have one column more */
        if (next_x == next_y) {
            int x = highest[place + step_x], y = highest[place + step_y * columns];
            is_changed = measure * (double)((x < y ? x : y) - (int)eye) > least * (double)there ||
                         (has_edges && field->corner[edge + east + south * (columns + 1)]);
            if (is_changed)
                pass_corner(line, column, row, step_x, step_y, there);
            place += step_x + step_y * columns;
            row += step_y;
            next_x += 8 * per_x;
            next_y += 8 * per_y;
        } else if (next_x < next_y) {
            is_changed = has_edges && field->west[edge + east] != NOTHING;
            if (is_changed)
                pass_edge(line, column + east, row, true, there, SIDELESS);
            place += step_x;
            next_x += 8 * per_x;
        } else {
            is_changed = has_edges && field->north[edge + south * (columns + 1)] != NOTHING;
            if (is_changed)
                pass_edge(line, column, row + south, false, there, SIDELESS);
            place += step_y * columns;
            row += step_y;
            next_y += 8 * per_y;
        }
        if (is_changed) {
            least = hidden_for_all(line);
            if (least >= line->full)
                return;
            least -= (double)eye;
        }
        here = there;
    }
}

/* How much of the upright is hidden, all parts together. */
static double hidden_height(const Line *line, int question) {
    double reached = line->hidden[question], crown = (double)line->crown;
    if (reached >= crown)
        return (double)(line->crown - line->feet);
    double total = reached - (double)line->feet;
    int order[MOST_PARTS], count = 0;
    for (int part = 0; part < line->parts; part++) {
        if (!(line->part_stops[part] >> question & 1))
            continue;
        int place = count++;
        for (; place > 0 && line->low[order[place - 1]] > line->low[part]; place--)
            order[place] = order[place - 1];
        order[place] = part;
    }
    for (int number = 0; number < count; number++) {
        double low = fmax(line->low[order[number]], reached);
        double high = fmin(line->high[order[number]], crown);
        if (low < high) {
            total += high - low;
            reached = high;
        }
    }
    return total;
}

/* "The lines": the share that the best eye of `from` sees of `to`, or hits, for each question
   asked. Stops at an eye where each is `enough`. */
static void own_shares(Line *line, const Body *from, const Body *to, int asked, bool is_glass,
                       double enough, double *best) {
    double whole = POINTS * (double)(to->crown - to->feet);
    line->from = from;
    line->to = to;
    line->risen = 1;
    line->is_glass = is_glass;
    line->are_neighbours = are_neighbours(from, to);
    line->asked = asked;
    best[0] = best[1] = 0;
    for (int eye = 0; eye < from->eyes; eye++) {
        double seen[ASKED] = {whole, whole};
        bool may_be_best = true;
        for (int point = 0; point < POINTS && may_be_best; point++) {
            walk(line, point_of(from, eye), from->eye, point_of(to, point), to->feet, to->crown);
            may_be_best = false;
            for (int question = 0; question < ASKED; question++) {
                if (!(asked >> question & 1))
                    continue;
                seen[question] -= hidden_height(line, question);
                may_be_best |= seen[question] > best[question] * whole;
            }
        }
        bool is_enough = true;
        for (int question = 0; question < ASKED; question++) {
            if (!(asked >> question & 1))
                continue;
            if (may_be_best)
                best[question] = fmax(best[question], seen[question] / whole);
            is_enough &= best[question] >= enough;
        }
        if (is_enough)
            return;
    }
}

/* "May attack", the third case: for which questions a line from eye to eye is free when both rise.
 */
static int eyes_that_meet(Line *line, const Body *one, const Body *other, int asked) {
    int met = 0;
    line->from = one;
    line->to = other;
    line->risen = 2;
    line->is_glass = false;
    line->are_neighbours = are_neighbours(one, other);
    for (int eye = 0; eye < one->eyes; eye++) {
        for (int back = 0; back < other->eyes; back++) {
            line->asked = asked & ~met;
            walk(line, point_of(one, eye), one->eye, point_of(other, back), other->eye, other->eye);
            for (int question = 0; question < ASKED; question++)
                if (line->asked >> question & 1 && line->hidden[question] < line->full)
                    met |= 1 << question;
            if (met == asked)
                return met;
        }
    }
    return met;
}

/* "Smoke": squares of it from middle to middle, times its density; between two rows or columns the
   thinner side counts. */
static double smoke_between(const Field *field, const Body *one, const Body *other) {
    Point start = point_of(one, 0), end = point_of(other, 0);
    int64_t across = end.x - start.x, down = end.y - start.y;
    int step_x = across > 0 ? 1 : -1, step_y = down > 0 ? 1 : -1;
    int64_t width = across * step_x, depth = down * step_y;
    if (!width && !depth)
        return 0;
    int64_t per_x = depth ? depth : 1, per_y = width ? width : 1, length = per_x * per_y;
    int64_t next_x = INT64_MAX, next_y = INT64_MAX, here = 0, thick = 0;
    if (width)
        next_x = (step_x > 0 ? 8 - (start.x & 7) : ((start.x - 1) & 7) + 1) * per_x;
    if (depth)
        next_y = (step_y > 0 ? 8 - (start.y & 7) : ((start.y - 1) & 7) + 1) * per_y;
    const uint8_t *at = field->smoke + ((start.y - (depth && step_y < 0)) >> 3) * field->columns +
                        ((start.x - (width && step_x < 0)) >> 3);
    int other_side = 0; /* of a line between two rows or columns */
    if (!depth && !(start.y & 7))
        other_side = -field->columns;
    if (!width && !(start.x & 7))
        other_side = -1;
    while (here < length) {
        int64_t there = least_of(least_of(next_x, next_y), length);
        thick += least_of(at[0], at[other_side]) * (there - here);
        here = there;
        if (next_x == there) {
            at += step_x;
            next_x += 8 * per_x;
        }
        if (next_y == there) {
            at += step_y * field->columns;
            next_y += 8 * per_y;
        }
    }
    return sqrt((double)(width * width + depth * depth)) / 8 * (double)thick / (double)length;
}

/* A share below the least is nothing. */
static double counted(const Field *field, double share) {
    return share < field->least - MARGIN || share < MARGIN ? 0 : share;
}

/* "Two questions": what one sees of another, and what of it no shot of his reaches. */
static void look(Line *line, const Body *from, const Body *to, double *visible, double *covered) {
    const Field *field = line->field;
    double own[ASKED], back[ASKED];
    int nothing = 0, may = 0, asked = field->questions;
    own_shares(line, from, to, asked, true, 1, own);
    for (int question = 0; question < ASKED; question++) {
        own[question] = counted(field, own[question]);
        if (own[question] == 0)
            nothing |= asked & 1 << question;
    }
    if (nothing && field->is_mutual) {
        own_shares(line, to, from, nothing, false, fmax(field->least, MARGIN), back);
        for (int question = 0; question < ASKED; question++)
            if (nothing >> question & 1 && counted(field, back[question]) > 0)
                may |= 1 << question;
        if (nothing & ~may)
            may |= eyes_that_meet(line, from, to, nothing & ~may);
    }
    for (int question = 0; question < ASKED; question++)
        if (own[question] > 0 || may >> question & 1)
            own[question] = fmax(own[question], field->head);
    if (asked == SIGHT)
        own[1] = own[0];
    bool is_smoky = own[0] > 0 && field->smoke;
    if (is_smoky && smoke_between(field, from, to) > field->smoke_limit)
        own[0] = 0;
    *visible = own[0];
    *covered = 1 - own[1];
}

/* --- Called by walker.py. Each says whether every buffer had room. --- */

/* What the observer sees of a body like `like`, whose heights are above its ground, on each square
 * of the map: rows by columns. Squares on which it does not fit are left as they are. */
API bool overlay(const Field *field, const Body *observer, const Body *like, double *visible,
                 double *covered) {
    Line line = {.field = field};
    for (int row = 0; row + like->size <= field->rows; row++) {
        for (int column = 0; column + like->size <= field->columns; column++) {
            int place = row * field->columns + column, ground = field->squares[place].ground;
            for (int down = 0; down < like->size; down++)
                for (int across = 0; across < like->size; across++) {
                    int other = field->squares[place + down * field->columns + across].ground;
                    ground = other > ground ? other : ground;
                }
            Body target = *like;
            target.column = column;
            target.row = row;
            target.feet += ground;
            target.eye += ground;
            target.crown += ground;
            target.reach += ground;
            look(&line, observer, &target, visible + place, covered + place);
        }
    }
    return !line.overflows;
}

/* What each of some bodies sees of each other one: observers by targets. */
API bool pairs(const Field *field, const Body *bodies, int32_t count, double *visible,
               double *covered) {
    Line line = {.field = field};
    for (int from = 0; from < count; from++)
        for (int to = 0; to < count; to++)
            if (from != to)
                look(&line, bodies + from, bodies + to, visible + from * count + to,
                     covered + from * count + to);
    return !line.overflows;
}

/* "Blasts": the squares of a window round a burst, 2 * radius + 1 wide, that a line from it
   reaches.

   The field is one of what contains blasts. `filled` squares are not reached, nor are those that
   lie more than `most_rise` higher or lower. `height` is that of both ends above their ground. */
API bool blast(const Field *field, const uint8_t *filled, int32_t centre_column, int32_t centre_row,
               int32_t radius, int32_t height, int32_t most_rise, uint8_t *reached) {
    Line line = {.field = field, .asked = SIGHT};
    Body burst = {.column = centre_column, .row = centre_row, .size = 1};
    int64_t start = field->squares[centre_row * field->columns + centre_column].ground + height;
    line.from = &burst;
    for (int row = centre_row - radius; row <= centre_row + radius; row++) {
        for (int column = centre_column - radius; column <= centre_column + radius; column++) {
            if (row < 0 || row >= field->rows || column < 0 || column >= field->columns)
                continue;
            int place = row * field->columns + column;
            int64_t end = field->squares[place].ground + height;
            uint8_t *found = reached + (row - centre_row + radius) * (2 * radius + 1) + column -
                             centre_column + radius;
            if (row == centre_row && column == centre_column) {
                *found = true;
            } else if (!filled[place] && end - start <= most_rise && start - end <= most_rise) {
                Body target = {.column = column, .row = row, .size = 1};
                line.to = &target;
                walk(&line, point_of(&burst, 0), start, point_of(&target, 0), end, end);
                *found = line.hidden[0] < line.full;
            }
        }
    }
    return !line.overflows;
}
