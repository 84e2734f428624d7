/* The structures of the sight kernel, and what its files offer each other. README.md says where
   each rule stands.

   Lengths in plan are whole eighths of a square, heights whole hundredths of the map's unit: so
   every point of a body and every height of a map is a whole number, and only a quotient is ever
   rounded. */
#ifndef SIGHT_H
#define SIGHT_H

#include <stdbool.h>
#include <stdint.h>

#define SKY 100000000 /* higher than anything on a map */
#define DEPTH (-SKY)  /* the bottom of what stands on the ground: nothing passes below it */
#define ENDLESS 1e18  /* a height above, or with a minus below, every other one */
#define NOTHING (2 * DEPTH)
#define POINTS 5
#define MOST_PARTS 128 /* that float before one upright; more, and the caller asks the tracer */
#define MOST_BESIDE 32 /* solids on one side of a corner or of a grid line; likewise */
#define SELDOM __attribute__((noinline))

/* The three questions, one bit each. MUTUAL is sight with one-way glass hiding both ways. */
enum { SIGHT, MUTUAL, SHOTS, QUESTIONS };
#define BIT(question) (1 << (question))
#define ALL (BIT(QUESTIONS) - 1)
enum { ACROSS, DOWN };

/* Who looks over what is its own. Where nobody does, a line goes from middle to middle. */
enum { NOBODY, FROM, BOTH };

/* Somebody, by the north-west square of the footprint. Heights are above the map's zero. */
typedef struct {
    int32_t at[2], size; /* across and down */
    int32_t feet, eyes, crown;
    int32_t reach; /* near things that end below it are looked over */
    int32_t leans; /* whether its eyes may be at all five points, or in its middle alone */
} Body;

/* A part of a thing, from its bottom to its top. */
typedef struct {
    int32_t bottom, top;
    int32_t questions; /* bits of those for which it hides */
    int32_t
        seen_through; /* where to it hides nothing from SIGHT: 1 east, -1 west, 2 south, -2 north */
    int32_t body;     /* number of the body that it is a square of; -1 for a thing of the map */
} Solid;

/* A battlefield. The solids of square `i` are those from `square_first[i]` to `square_first[i +
   1]`; those of the west edge of a corner (row * (columns + 1) + column) stand at twice its number,
   those of its north edge at one more. */
typedef struct {
    int32_t columns, rows;
    int32_t questions; /* bits of those that may have an answer of their own; SIGHT always */
    int32_t hides_soft, is_mutual;
    double head, least;              /* shares of a body, 0 to 1 */
    const int32_t *ground, *highest; /* of each square: its ground, and the highest thing on it */
    const int32_t *square_first, *edge_first;
    const Solid *square_solids, *edge_solids;
    const uint8_t *smoke; /* density of each square; NULL for clear air */
    const Body *crowd;    /* bodies that are in the way of others */
} Map;

/* Heights at the end of a line that are hidden. */
typedef struct {
    double low, high;
} Part;

/* The way of a line through the grid: the square it is in, and where it crosses the next grid
   lines. Distances are parts of across * down, so that every crossing is a whole number. */
typedef struct {
    int square[2], step[2]; /* `step`: -1, 0 or 1 */
    int64_t length, next[2], apart[2];
    bool is_between[2]; /* along the grid itself, between two columns or rows */
} Way;

/* One line, who it is between, and what it has met so far. */
typedef struct {
    const Map *map;
    const Body *from, *to;
    int risen;     /* NOBODY, FROM or BOTH: whose own ground and own low things are no hindrance */
    int32_t asked; /* bits of the questions: what does not hide for all of them does not count */
    bool are_beside;          /* whether the two footprints touch */
    bool differs;             /* whether something was met that does not hide for all questions */
    bool is_unsure;           /* whether the answer is the tracer's to give */
    int last[2];              /* the square that hid a line last; at first no matter which */
    int64_t eye, feet, crown; /* height of the eye; of what is looked at */
    double hidden_to;         /* up to this height everything is hidden */
    int parts, beside[2]; /* how many above that, and on either side of a corner or a grid line */
    Part part[MOST_PARTS], side[2][MOST_BESIDE];
    Way way;
} Walk;

/* An end of a line: an eye, or an upright with the heights that are asked about. */
typedef struct {
    int64_t at[2], low, high;
} End;

/* Corners and points of targets by angle, up to the diagonal, and how many are below it: made by
   `angles.py`. */
typedef struct {
    const uint32_t *events;
    int64_t count, below;
} Order;

/* line.c */
void begin_pair(Walk *walk, const Body *from, const Body *to, int risen, int32_t asked);
void meet_square(Walk *walk, int column, int row, int64_t start, int64_t end, int side);
void meet_edge(Walk *walk, int column, int row, bool is_west, int64_t at, int side);
void begin_line(Walk *walk, const End *start, const End *end);
void walk_line(Walk *walk, const End *start, const End *end);
double hidden_height(const Walk *walk);
double smoke_between(const Map *map, const Body *from, const Body *to);

/* sweep.c. Of the best share of a target: nothing passes between the two, either way; the tracer
   must be asked; the walker must. */
enum { APART = -1, UNSURE = 2, NOT_SWEPT };
double *sweep(const Map *map, const Body *observer, const Body *targets, int64_t count,
              const Order *orders);

#define MAX(one, other) ((one) > (other) ? (one) : (other))
#define MIN(one, other) ((one) < (other) ? (one) : (other))

static inline bool has_solids(const int32_t *first, int64_t place) {
    return first[place] != first[place + 1];
}

/* Eighths from a place to the next grid line in a direction; a whole square from a grid line. */
static inline int64_t to_grid(int64_t place, int direction) {
    return direction > 0 ? 8 - (place & 7) : ((place - 1) & 7) + 1;
}

/* One of the five points of a body, the middle first. */
static inline End end_of(const Body *body, int point, int32_t low, int32_t high) {
    static const int away[2][POINTS] = {{0, -3, 3, -3, 3}, {0, -3, -3, 3, 3}};
    End end = {.low = low, .high = high};
    for (int axis = 0; axis < 2; axis++)
        end.at[axis] = 8 * (int64_t)body->at[axis] + (4 + away[axis][point]) * body->size;
    return end;
}

static inline End eye_of(const Body *body, int point) {
    return end_of(body, point, body->eyes, body->eyes);
}

/* Whether there are no more squares than `gap` between two footprints. */
static inline bool are_near(const Body *one, const Body *other, int gap) {
    int across = other->at[ACROSS] - one->at[ACROSS], down = other->at[DOWN] - one->at[DOWN];
    int before = -other->size - gap, after = one->size + gap;
    return before <= across && across <= after && before <= down && down <= after;
}

#endif
