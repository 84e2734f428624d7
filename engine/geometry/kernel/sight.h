/* What the kernel of sight is told, and what its parts ask of each other. README.md says where each
   rule stands.

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
#define ROUNDING 1e-9 /* of a body: far above what rounding moves a share */
#define NOTHING (2 * DEPTH)
#define POINTS 5
#define MOST_FLOATING                                                                              \
    128 /* parts that float before one upright; more, and the caller asks the tracer */
#define MOST_BESIDE 32 /* solids on one side of a corner or of a grid line; likewise */

/* The three questions, one bit each. MUTUAL is sight with one-way glass hiding both ways. */
enum { SIGHT, MUTUAL, SHOTS, QUESTIONS };
#define BIT(question) (1 << (question))
enum { ANY_WAY, EAST, WEST, SOUTH, NORTH };

/* Who looks over what is its own. Where nobody does, a line goes from middle to middle. */
enum { NOBODY, FROM, BOTH };

/* Somebody, by the north-west square of the footprint. Heights are above the map's zero. */
typedef struct {
    int32_t column, row, size;
    int32_t feet, eyes, crown;
    int32_t reach; /* near things that end below it are looked over */
    int32_t leans; /* whether its eyes may be at all five points, or in its middle alone */
} Body;

/* A part of a thing, from its bottom to its top. */
typedef struct {
    int32_t bottom, top;
    int32_t questions;    /* bits of those for which it hides */
    int32_t seen_through; /* the way in which it hides nothing from SIGHT */
    int32_t body;         /* number of the body that it is a square of; -1 for a thing of the map */
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
    const uint8_t *touches_edge; /* of each corner: whether any of its four edges has a solid */
    const uint8_t *smoke;        /* density of each square; NULL for clear air */
    const Body *crowd;           /* bodies that are in the way of others */
} Map;

/* What stands at a place of the grid for one question, as the walker would meet it on lines between
   squares far from each other; NOTHING where nothing does. `own`: on the square for who is on it.
   What floats, is seen through one way or is a body is marked, and left to the walker. */
typedef struct {
    int32_t ground, top, own;
    int32_t edge[2],
        over[2]; /* west and north; `over`: what crosses it meets the squares beside, too */
    int32_t marks;
    /* Of a target whose nearest square it is: */
    int32_t walled;   /* how many lines walls up to the sky stop */
    double sum, best; /* heights that the present eye sees; the best eye's share */
} Place;
enum { ACROSS, DOWN };
enum { ODD = 1, FLOATS = 2, WALKED = 8 }; /* FLOATS and WALKED: shifted by direction */
#define ODD_ACROSS (FLOATS | WALKED)
#define ODD_DOWN (ODD_ACROSS << DOWN)

/* The places of a map, question by question; a question without answers of its own has those of
   SIGHT. */
typedef struct {
    Place *places[QUESTIONS];
} Survey;

/* One line and what hides above its end: the walker's desk. */
typedef struct {
    const Map *map;
    const Survey *survey; /* NULL where none was made */
    int32_t shut_at;      /* the grid line at which a line was last proved to be hidden */
    const Body *from, *to;
    int risen; /* NOBODY, FROM or BOTH: whose own ground and own low things are no hindrance */
    bool are_beside;   /* whether the two footprints touch */
    int32_t questions; /* bits of those that are asked on this line */
    int64_t eye, feet,
        crown;      /* height of the eye; lowest and highest height asked about at the end */
    bool is_point;  /* whether feet and crown are one height: it is hidden or not */
    int64_t length; /* distances along the line are parts of this; its end is at `length` */
    int heading_x, heading_y;    /* -1, 0 or 1 */
    double hidden_to[QUESTIONS]; /* up to this height everything is hidden */
    int floating;                /* how many parts above that are hidden: */
    double low[MOST_FLOATING], high[MOST_FLOATING];
    int32_t hides[MOST_FLOATING];
    int beside[2]; /* solids on either side of a corner or a grid line, both of which must hide */
    double side_low[2][MOST_BESIDE], side_high[2][MOST_BESIDE];
    int32_t side_hides[2][MOST_BESIDE];
    int last;     /* the square met last; at first no matter which of the map */
    bool is_full; /* whether a buffer had no room: the answer is the tracer's to give */
} Walk;

/* An upright of the target, or its eye: where the line ends and which heights are asked about. */
typedef struct {
    int64_t x, y, low, high;
} End;

/* Targets of an overlook, by their north-west squares. */
typedef struct {
    int32_t first[2], last[2]; /* across and down */
} Window;

/* Corners and points of targets by angle, up to the diagonal, and how many are below it: made by
   `angles.py`. */
typedef struct {
    const uint32_t *events;
    int64_t count, below;
} Order;

/* line.c */
void begin_line(Walk *walk, int64_t x, int64_t y, int64_t eye, End end);
void meet_square(Walk *walk, int column, int row, int64_t start, int64_t end, int side);
void meet_edge(Walk *walk, int column, int row, bool is_west, int64_t at, int side);
void walk_line(Walk *walk, int64_t x, int64_t y, int64_t eye, End end);
bool is_hidden_by(Walk *walk, int square, int64_t x, int64_t y, int64_t eye, End end);
double hidden_height(const Walk *walk, int question);
double smoke_between(const Map *map, const Body *from, const Body *to);

/* survey.c */
bool make_survey(Survey *survey, const Map *map, const Body *from);
void free_survey(Survey *survey);
bool is_shut(Walk *walk, const Body *one, const Body *other, int question, bool both_ways);

/* shares.c */
Body placed(const Map *map, const Body *like, int column, int row);
void look_at(Walk *walk, const Body *from, const Body *to, double *visible, double *covered);
void conclude(Walk *walk, const Body *from, const Body *to, double *own, int32_t shut,
              double *visible, double *covered);

/* sweep.c */
bool sweep(const Map *map, const Body *observer, const Body *like, Window window,
           const Order *orders, double *visible, double *covered);

/* Eighths from a place to the next grid line in a direction; a whole square from a grid line. */
static inline int64_t to_grid(int64_t place, int direction) {
    return direction > 0 ? 8 - (place & 7) : ((place - 1) & 7) + 1;
}

static inline int64_t size_of(int64_t number) { return number < 0 ? -number : number; }

static inline int32_t higher(int32_t one, int32_t other) { return one > other ? one : other; }

static inline int place_of(const Body *body, int axis) {
    return axis == ACROSS ? body->column : body->row;
}

static inline int64_t point_of(const Body *body, int number, int axis) {
    static const int away[2][POINTS] = {{0, -3, 3, -3, 3}, {0, -3, -3, 3, 3}};
    return 8 * (int64_t)place_of(body, axis) + (4 + away[axis][number]) * body->size;
}

static inline int64_t point_x(const Body *body, int number) {
    return point_of(body, number, ACROSS);
}

static inline int64_t point_y(const Body *body, int number) { return point_of(body, number, DOWN); }

static inline bool are_beside(const Body *one, const Body *other) {
    int across = other->column - one->column, down = other->row - one->row;
    return -other->size <= across && across <= one->size && -other->size <= down &&
           down <= one->size;
}

#endif
