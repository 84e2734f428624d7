/* What one body sees of another, and what of it no shot reaches: docs/geometry.md, "Two questions"
   and "May attack". The functions that Python calls stand at the end. */
#include "sight.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-9 /* of a body: far above what rounding moves a share */
#define API __attribute__((visibility("default")))

/* The share of `to` that the best of the eyes of `from` sees for one question: docs/geometry.md,
   "The lines". No more eyes are asked when one sees `enough`. */
static double seen_share(Walk *walk, const Body *from, const Body *to, int risen, int32_t asked,
                         double enough) {
    double whole = (double)POINTS * (to->crown - to->feet), best = 0;
    begin_pair(walk, from, to, risen, asked);
    for (int eye = 0; eye < (from->leans ? POINTS : 1) && best < enough; eye++) {
        double seen = whole;
        for (int point = 0; point < POINTS && seen > best * whole; point++) {
            End start = eye_of(from, eye), end = end_of(to, point, to->feet, to->crown);
            walk_line(walk, &start, &end);
            seen -= hidden_height(walk);
        }
        best = MAX(best, seen / whole);
    }
    return best;
}

/* Takes a share below the least for nothing. One that is so near to it that rounding might decide
   is the tracer's to judge. */
static double judged(Walk *walk, double share) {
    double least = walk->map->least;
    if (least > ROUNDING ? fabs(share - least) < ROUNDING : share != 0 && fabs(share) < ROUNDING)
        walk->is_unsure = true;
    walk->is_unsure |= share == UNSURE;
    return share == APART || share >= least ? share : 0;
}

/* Own shares of `from`, question by question: one answer where everything that was met hides for
   all questions. */
static void own_shares(Walk *walk, const Body *from, const Body *to, double *own) {
    own[SIGHT] = judged(walk, seen_share(walk, from, to, FROM, BIT(SIGHT), 1));
    for (int question = MUTUAL; question < QUESTIONS; question++)
        own[question] = walk->differs && walk->map->questions & BIT(question)
                            ? judged(walk, seen_share(walk, from, to, FROM, BIT(question), 1))
                            : own[SIGHT];
}

/* Whether a line from an eye of the one to an eye of the other is free, own ground and own low
   things of both left out. */
static bool eyes_meet(Walk *walk, const Body *one, const Body *other, int question) {
    begin_pair(walk, one, other, BOTH, BIT(question));
    for (int eye = 0; eye < (one->leans ? POINTS : 1); eye++) {
        for (int point = 0; point < (other->leans ? POINTS : 1); point++) {
            End start = eye_of(one, eye), end = eye_of(other, point);
            walk_line(walk, &start, &end);
            if (walk->hidden_to <= (double)other->eyes)
                return true;
        }
    }
    return false;
}

/* docs/geometry.md, "May attack": by sight and by shots, whether one of two sees the other, or
   their eyes meet. `own` and `back` are the own shares of the two; `back` NULL where they are not
   known yet. Where the second would see nothing of the first, if both rose and the first were a
   little taller, it is neither. */
static void find_attacks(Walk *walk, const Body *from, const Body *to, const double *own,
                         const double *back, bool *may) {
    double enough = MAX(walk->map->least, 0) + 2 * ROUNDING, found = -1;
    Body taller = *from;
    taller.crown++;
    for (int question = MUTUAL; walk->map->is_mutual && question < QUESTIONS; question++) {
        may[question] = own[question] > 0 || (back && back[question] > 0);
        if (may[question] || own[question] == APART)
            continue;
        if (found < 0)
            found = seen_share(walk, to, &taller, BOTH, ALL, ROUNDING);
        if (question == SHOTS && !walk->differs)
            may[SHOTS] = may[MUTUAL];
        else if (found > 0)
            may[question] = (!back && judged(walk, seen_share(walk, to, from, FROM, BIT(question),
                                                              enough)) > 0) ||
                            eyes_meet(walk, from, to, question);
    }
}

/* The answer for one way: the own share, and at least the head of whoever may be attacked. */
static void answer(const Walk *walk, const double *own, const bool *may, double *visible,
                   double *covered) {
    double head = walk->map->head;
    bool sees = own[SIGHT] > 0 || may[MUTUAL], hits = own[SHOTS] > 0 || may[SHOTS];
    *visible = walk->is_unsure ? NAN : sees ? MAX(own[SIGHT], head) : 0;
    *covered = walk->is_unsure ? NAN : 1 - (hits ? MAX(own[SHOTS], head) : 0);
}

/* --- Called from Python. NAN in an answer: ask the tracer. `smoke` is NULL where it is not asked
   for. --- */

/* What bodies see of others, for `count` pairs of their numbers, in the same order; and what the
   second sees of the first, where there is room for that. With `orders` the first is always the
   same and the second on each square of a rectangle in turn: then those are swept. */
API void sight_pairs(const Map *map, const Body *bodies, const int32_t *one, const int32_t *other,
                     int64_t count, const Order *orders, double *visible, double *covered,
                     double *back_visible, double *back_covered, double *smoke) {
    Walk walk = {.map = map};
    double *best = orders ? sweep(map, bodies + *one, bodies + *other, count, orders) : NULL;
    for (int64_t i = 0; i < count; i++) {
        const Body *from = bodies + one[i], *to = bodies + other[i];
        double own[QUESTIONS], back[QUESTIONS];
        bool may[QUESTIONS] = {false};
        bool is_swept = best && best[i] != NOT_SWEPT;
        walk.is_unsure = false;
        walk.differs = is_swept && map->questions != BIT(SIGHT);
        for (int question = 0; is_swept && question < QUESTIONS; question++)
            own[question] = judged(&walk, best[question * count + i]);
        if (!is_swept)
            own_shares(&walk, from, to, own);
        if (back_visible)
            own_shares(&walk, to, from, back);
        find_attacks(&walk, from, to, own, back_visible ? back : NULL, may);
        answer(&walk, own, may, visible + i, covered + i);
        if (back_visible)
            answer(&walk, back, may, back_visible + i, back_covered + i);
        if (smoke)
            smoke[i] = smoke_between(map, from, to);
    }
    free(best);
}

/* docs/geometry.md, "Eye to eye": whether the light of a lamp comes to the eyes of bodies, from
   middle to middle: 1, 0, or 2 for what the tracer must say. */
API void sight_light(const Map *map, const Body *lamp, const Body *bodies, int64_t count,
                     uint8_t *lit) {
    Walk walk = {.map = map};
    for (int64_t i = 0; i < count; i++) {
        End start = eye_of(lamp, 0), end = eye_of(bodies + i, 0);
        begin_pair(&walk, lamp, bodies + i, NOBODY, BIT(SIGHT));
        walk.is_unsure = false;
        walk_line(&walk, &start, &end);
        lit[i] = walk.is_unsure ? 2 : walk.hidden_to <= bodies[i].eyes;
    }
}

/* The hash of the files that this was built from. */
API const char *sight_source(void) { return SOURCE; }
