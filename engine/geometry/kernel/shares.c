/* What one body sees of another, and what of it no shot reaches: docs/geometry.md, "Two questions"
   and "May attack". The functions that Python calls stand at the end. */
#include "sight.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-9 /* of a body: far above what rounding moves a share */
#define API __attribute__((visibility("default")))

/* Takes a share below the least for nothing. One that is so near to it that rounding might decide
   is the tracer's to judge. */
static double judged(Walk *walk, double share) {
    double least = walk->map->least;
    if (share == WALLED)
        return share;
    if (least > ROUNDING ? fabs(share - least) < ROUNDING : share != 0 && fabs(share) < ROUNDING)
        walk->is_unsure = true;
    return share < least ? 0 : share;
}

/* The share of `to` that the best of the eyes of `from` sees for one question: docs/geometry.md,
   "The lines". No more eyes are asked when one sees `enough`. */
static double own_share(Walk *walk, const Body *from, const Body *to, int question, double enough) {
    double whole = (double)POINTS * (to->crown - to->feet), best = 0;
    begin_pair(walk, from, to, FROM, question);
    for (int eye = 0; eye < (from->leans ? POINTS : 1) && best < enough; eye++) {
        double seen = whole;
        for (int point = 0; point < POINTS && seen > best * whole; point++) {
            walk_line(walk, eye_of(from, eye), upright_of(to, point));
            seen -= hidden_height(walk);
        }
        best = larger(best, seen / whole);
    }
    return judged(walk, best);
}

/* Own shares of `from`, question by question: one answer where everything that was met hides for
   all questions. */
static void own_shares(Walk *walk, const Body *from, const Body *to, double *own) {
    bool differed = walk->differs;
    walk->differs = false;
    own[SIGHT] = own_share(walk, from, to, SIGHT, 1);
    bool differs = walk->differs;
    for (int question = MUTUAL; question < QUESTIONS; question++)
        own[question] = differs && walk->map->questions & BIT(question)
                            ? own_share(walk, from, to, question, 1)
                            : own[SIGHT];
    walk->differs |= differed;
}

/* Whether a line from an eye of the one to an eye of the other is free, own ground and own low
   things of both left out. */
static bool eyes_meet(Walk *walk, const Body *one, const Body *other, int question) {
    begin_pair(walk, one, other, BOTH, question);
    for (int eye = 0; eye < (one->leans ? POINTS : 1); eye++) {
        for (int point = 0; point < (other->leans ? POINTS : 1); point++) {
            walk_line(walk, eye_of(one, eye), eye_of(other, point));
            if (walk->hidden_to <= (double)other->eyes)
                return true;
        }
    }
    return false;
}

/* docs/geometry.md, "May attack": whether one of two sees the other, or their eyes meet. `own` and
   `back` are the own shares of the two; `back` NULL where they are not known yet. */
static bool may_attack(Walk *walk, const Body *from, const Body *to, int question,
                       const double *own, const double *back) {
    double least = walk->map->least, enough = larger(least, 0) + 2 * ROUNDING;
    if (own[question] != 0)
        return own[question] > 0;
    if (walk->survey[question] && is_shut(walk, from, to, question, false)) {
        walk->differs = true; /* the proof is of this question */
        return false;
    }
    double seen = back ? back[question] : own_share(walk, to, from, question, enough);
    return seen > 0 || eyes_meet(walk, from, to, question);
}

/* Whether the two may attack each other by sight and by shots, if that is mutual. */
static void find_attacks(Walk *walk, const Body *from, const Body *to, const double *own,
                         const double *back, bool *may) {
    for (int question = MUTUAL; walk->map->is_mutual && question < QUESTIONS; question++)
        may[question] = question == MUTUAL || walk->differs
                            ? may_attack(walk, from, to, question, own, back)
                            : may[MUTUAL];
}

/* The answer for one way: the own share, and at least the head of whoever may be attacked. */
static void answer(const Walk *walk, const double *own, const bool *may, double *visible,
                   double *covered) {
    double head = walk->map->head;
    bool sees = own[SIGHT] > 0 || may[MUTUAL], hits = own[SHOTS] > 0 || may[SHOTS];
    *visible = walk->is_unsure ? NAN : sees ? larger(own[SIGHT], head) : 0;
    *covered = walk->is_unsure ? NAN : 1 - (hits ? larger(own[SHOTS], head) : 0);
}

/* --- Called from Python. NAN in an answer: ask the tracer. `smoke` is NULL where it is not asked
   for. --- */

/* What the observer sees of a body like `like` on the squares from (left, top) to (right, bottom),
   all on the map for its whole footprint. Heights of `like` are above the ground; answers are rows
   by columns of the map. */
API void sight_overlook(const Map *map, const Body *observer, const Body *like, int32_t left,
                        int32_t top, int32_t right, int32_t bottom, const Order *orders,
                        double *visible, double *covered, double *smoke) {
    Walk walk = {.map = map};
    Window window = {{left, top}, {right, bottom}};
    bool is_swept = orders && sweep(&walk, observer, like, window, orders);
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            int square = row * map->columns + column;
            Body target = placed(map, like, column, row);
            double own[QUESTIONS];
            bool may[QUESTIONS] = {false};
            walk.is_unsure = false;
            walk.differs = is_swept && map->questions != BIT(SIGHT);
            if (is_swept && is_swept_at(observer, like, column, row)) {
                for (int question = 0; question < QUESTIONS; question++) {
                    double best = walk.survey[question][square + row].best;
                    own[question] = judged(&walk, best);
                    walk.is_unsure |= best > 1;
                }
            } else {
                own_shares(&walk, observer, &target, own);
            }
            find_attacks(&walk, observer, &target, own, NULL, may);
            answer(&walk, own, may, visible + square, covered + square);
            if (smoke != NULL)
                smoke[square] = smoke_between(map, observer, &target);
        }
    }
    free(walk.survey[SIGHT]);
}

/* What each body sees of another, for `count` pairs of numbers, in the same order; and what the
   second sees of the first, where there is room for that. */
API void sight_pairs(const Map *map, const Body *bodies, const int32_t *one, const int32_t *other,
                     int64_t count, double *visible, double *covered, double *back_visible,
                     double *back_covered, double *smoke) {
    Walk walk = {.map = map};
    if (count > map->columns * map->rows / 16) /* a survey pays for many pairs alone */
        make_survey(&walk, NULL);
    for (int64_t i = 0; i < count; i++) {
        const Body *from = bodies + one[i], *to = bodies + other[i];
        double own[QUESTIONS] = {0}, back[QUESTIONS] = {0};
        bool may[QUESTIONS] = {false};
        walk.is_unsure = walk.differs = false;
        bool is_apart = walk.survey[SIGHT] && is_shut(&walk, from, to, SIGHT, true);
        if (map->questions & BIT(SHOTS))
            is_apart = is_apart && is_shut(&walk, from, to, SHOTS, true);
        if (!is_apart) {
            own_shares(&walk, from, to, own);
            if (back_visible)
                own_shares(&walk, to, from, back);
            find_attacks(&walk, from, to, own, back_visible ? back : NULL, may);
        }
        answer(&walk, own, may, visible + i, covered + i);
        if (back_visible)
            answer(&walk, back, may, back_visible + i, back_covered + i);
        if (smoke != NULL)
            smoke[i] = smoke_between(map, from, to);
    }
    free(walk.survey[SIGHT]);
}

/* --- Lamps --- */

/* A lamp and the squares that it may shine on, in an eighth of the circle. */
typedef struct {
    Walk walk;
    const Body *lamp, *like;
    Window window;
    int axis, step[2]; /* the axis along which the eighth lies, and its directions */
    uint8_t *lit;
} Light;

/* docs/geometry.md, "Eye to eye": from middle to middle. */
static void light_square(Light *light, int column, int row) {
    Body to = placed(light->walk.map, light->like, column, row);
    Walk *walk = &light->walk;
    begin_pair(walk, light->lamp, &to, NOBODY, SIGHT);
    walk->is_unsure = false;
    walk_line(walk, eye_of(light->lamp, 0), eye_of(&to, 0));
    light->lit[row * walk->map->columns + column] =
        walk->is_unsure ? 2 : walk->hidden_to <= (double)to.eyes;
}

/* A line to the middle of the square so far away, and so far beside the axis. */
typedef struct {
    int64_t beside, away;
} Slope;

/* Lights the squares of an eighth from a distance on, as far as walls up to the sky leave lines
   between two slopes: the middles of squares in their shadow are not asked about. */
static void light_between(Light *light, int away, Slope low, Slope high) {
    const Map *map = light->walk.map;
    const Window *window = &light->window;
    for (; low.beside * high.away <= high.beside * low.away; away++) {
        int64_t first = (low.beside * (2 * away - 1) + low.away - 1) / (2 * low.away);
        int64_t last = (high.beside * (2 * away + 1) + high.away) / (2 * high.away);
        bool was_shut = false;
        for (int beside = (int)first; beside <= last && beside <= away; beside++) {
            int at[2], axis = light->axis;
            at[axis] = place_of(light->lamp, axis) + away * light->step[axis];
            at[!axis] = place_of(light->lamp, !axis) + beside * light->step[!axis];
            if (at[axis] < window->first[axis] || at[axis] > window->last[axis])
                return;
            if (at[!axis] < window->first[!axis] || at[!axis] > window->last[!axis])
                break;
            int square = at[DOWN] * map->columns + at[ACROSS];
            bool is_shut = false;
            for (int i = map->square_first[square]; i < map->square_first[square + 1]; i++)
                is_shut |= map->square_solids[i].top >= SKY &&
                           map->square_solids[i].questions & BIT(SIGHT);
            light_square(light, at[ACROSS], at[DOWN]);
            if (is_shut && !was_shut)
                light_between(light, away + 1, low, (Slope){2 * beside - 1, 2 * away + 1});
            if (is_shut)
                low = (Slope){2 * beside + 1, 2 * away - 1};
            was_shut = is_shut;
        }
    }
}

/* Whether the light of a lamp comes to the eyes of a body like `like` on the squares from (left,
   top) to (right, bottom), of which the lamp's is one: 1, or 0; `lit` stays as it is where the
   tracer must say. Answers are rows by columns of the map. */
API void sight_light(const Map *map, const Body *lamp, const Body *like, int32_t left, int32_t top,
                     int32_t right, int32_t bottom, uint8_t *lit) {
    Light light = {.walk = {.map = map}, .lamp = lamp, .like = like, .lit = lit};
    light.window = (Window){{left, top}, {right, bottom}};
    if (lamp->size != 1 || like->size != 1 || !is_below_sky(map, lamp, like))
        return;
    for (int row = top; row <= bottom; row++)
        memset(lit + row * map->columns + left, 0, (size_t)(right - left + 1));
    light_square(&light, lamp->column, lamp->row);
    for (int number = 0; number < 8; number++) {
        light.axis = number & 1;
        light.step[ACROSS] = number & 2 ? 1 : -1;
        light.step[DOWN] = number & 4 ? 1 : -1;
        light_between(&light, 1, (Slope){0, 1}, (Slope){1, 1});
    }
}

/* The hash of the files that this was built from. */
API const char *sight_source(void) { return SOURCE; }
