/* What one body sees of another, and what of it no shot reaches: docs/geometry.md, "Two questions"
   and "May attack". The functions that Python calls stand at the end. */
#include "sight.h"

#include <math.h>
#include <stddef.h>

#define WIDEST 1024 /* map in which a lamp casts shadows; in others every line is walked */
#define API __attribute__((visibility("default")))

/* A share that is so near to a threshold that rounding might decide is the tracer's to judge. */
static bool is_near(double share, double least) {
    if (least > ROUNDING)
        return fabs(share - least) < ROUNDING;
    return share != 0 && share < ROUNDING;
}

/* Own shares of `from`: of its eyes the one that sees most, question by question. Ends where all
   that are asked for are at `enough`. */
static void own_shares(Walk *walk, const Body *from, const Body *to, int32_t questions,
                       double enough, double *best) {
    double whole = (double)POINTS * (to->crown - to->feet);
    walk->from = from;
    walk->to = to;
    walk->risen = FROM;
    walk->are_beside = are_beside(from, to);
    walk->questions = questions;
    best[SIGHT] = best[MUTUAL] = best[SHOTS] = 0;
    for (int eye = 0; eye < (from->leans ? POINTS : 1); eye++) {
        double seen[QUESTIONS] = {whole, whole, whole};
        bool may_be_best = true, is_enough = true;
        for (int point = 0; point < POINTS && may_be_best; point++) {
            End end = {point_x(to, point), point_y(to, point), to->feet, to->crown};
            walk_line(walk, point_x(from, eye), point_y(from, eye), from->eyes, end);
            may_be_best = false;
            for (int question = 0; question < QUESTIONS; question++) {
                if (!(questions & BIT(question)))
                    continue;
                seen[question] -= hidden_height(walk, question);
                may_be_best |= seen[question] > best[question] * whole;
            }
        }
        for (int question = 0; question < QUESTIONS; question++) {
            if (!(questions & BIT(question)))
                continue;
            if (may_be_best && seen[question] / whole > best[question])
                best[question] = seen[question] / whole;
            is_enough &= best[question] >= enough;
        }
        if (is_enough)
            return;
    }
}

/* Bits of the questions for which a line from an eye of the one to an eye of the other is free, own
   ground and own low things of both left out. */
static int32_t eyes_meet(Walk *walk, const Body *one, const Body *other, int32_t questions) {
    int32_t met = 0;
    walk->from = one;
    walk->to = other;
    walk->risen = BOTH;
    walk->are_beside = are_beside(one, other);
    for (int eye = 0; eye < (one->leans ? POINTS : 1); eye++) {
        for (int point = 0; point < (other->leans ? POINTS : 1); point++) {
            walk->questions = questions & ~met;
            End end = {point_x(other, point), point_y(other, point), other->eyes, other->eyes};
            walk_line(walk, point_x(one, eye), point_y(one, eye), one->eyes, end);
            for (int question = 0; question < QUESTIONS; question++)
                if (walk->questions & BIT(question) &&
                    walk->hidden_to[question] <= (double)other->eyes)
                    met |= BIT(question);
            if (met == questions)
                return met;
        }
    }
    return met;
}

/* Spreads the answers of the questions that were asked to those that have the same one. */
static void spread(const Map *map, double *shares) {
    if (!(map->questions & BIT(MUTUAL)))
        shares[MUTUAL] = shares[SIGHT];
    if (!(map->questions & BIT(SHOTS)))
        shares[SHOTS] = shares[SIGHT];
}

/* Takes shares below the least for nothing; whether none of them is too near to it to say. */
static bool judge(const Map *map, double *shares) {
    bool is_sure = true;
    spread(map, shares);
    for (int question = 0; question < QUESTIONS; question++) {
        is_sure &= !is_near(shares[question], map->least);
        if (shares[question] < map->least)
            shares[question] = 0;
    }
    return is_sure;
}

static bool judged_shares(Walk *walk, const Body *from, const Body *to, double *shares) {
    own_shares(walk, from, to, walk->map->questions, 1.0, shares);
    return judge(walk->map, shares);
}

/* Which of MUTUAL and SHOTS are asked of the way back and of the eyes, by the question that stands
 * for them. */
static int32_t asked_for(const Map *map, int32_t wanted) {
    int32_t asked = 0;
    if (wanted & BIT(MUTUAL))
        asked |= map->questions & BIT(MUTUAL) ? BIT(MUTUAL) : BIT(SIGHT);
    if (wanted & BIT(SHOTS))
        asked |= map->questions & BIT(SHOTS) ? BIT(SHOTS) : BIT(SIGHT);
    return asked;
}

/* Bits of MUTUAL and SHOTS for which two may attack each other: one of them sees the other, or
   their eyes meet. `back` are the own shares of `to`; NULL where they are not known yet; `shut` are
   bits of those for which nothing passes back. Unsure by *is_sure. */
static int32_t may_attack(Walk *walk, const Body *from, const Body *to, const double *own,
                          const double *back, int32_t shut, bool *is_sure) {
    const Map *map = walk->map;
    double found[QUESTIONS];
    int32_t may = (own[MUTUAL] > 0 ? BIT(MUTUAL) : 0) | (own[SHOTS] > 0 ? BIT(SHOTS) : 0);
    int32_t both = (BIT(MUTUAL) | BIT(SHOTS)) & ~(shut & ~may);
    for (int question = MUTUAL; map->is_mutual && walk->survey && question < QUESTIONS; question++)
        if (both & ~may & BIT(question) && is_shut(walk, from, to, question, false))
            both &= ~BIT(question);
    if (!map->is_mutual || may == both)
        return may;
    if (back == NULL) {
        double enough = map->least > ROUNDING ? map->least + 2 * ROUNDING : 2 * ROUNDING;
        own_shares(walk, to, from, asked_for(map, both & ~may), enough, found);
        *is_sure &= judge(map, found);
        back = found;
    }
    for (int question = MUTUAL; question < QUESTIONS; question++)
        if (back[question] > 0)
            may |= BIT(question) & both;
    if (may == both)
        return may;
    int32_t asked = asked_for(map, both & ~may), met = eyes_meet(walk, from, to, asked);
    for (int question = MUTUAL; question < QUESTIONS; question++)
        if (met & asked_for(map, BIT(question)))
            may |= BIT(question) & (both & ~may);
    return may;
}

/* The answer for one way: the own share, and at least the head of whoever may be attacked. */
static void answer(const Map *map, const double *own, int32_t may, bool is_sure, double *visible,
                   double *covered) {
    bool sees = own[SIGHT] > 0 || may & BIT(MUTUAL), hits = own[SHOTS] > 0 || may & BIT(SHOTS);
    *visible = !is_sure ? NAN : sees ? fmax(own[SIGHT], map->head) : 0;
    *covered = !is_sure ? NAN : 1 - (hits ? fmax(own[SHOTS], map->head) : 0);
}

void conclude(Walk *walk, const Body *from, const Body *to, double *own, int32_t shut,
              double *visible, double *covered) {
    bool is_sure = judge(walk->map, own);
    int32_t may = may_attack(walk, from, to, own, NULL, shut, &is_sure);
    answer(walk->map, own, may, is_sure && !walk->is_full, visible, covered);
}

void look_at(Walk *walk, const Body *from, const Body *to, double *visible, double *covered) {
    double own[QUESTIONS];
    walk->is_full = false;
    own_shares(walk, from, to, walk->map->questions, 1.0, own);
    conclude(walk, from, to, own, 0, visible, covered);
}

/* A body like `like`, whose heights are above the ground, on a square: it stands on the highest
   ground of its footprint. */
Body placed(const Map *map, const Body *like, int column, int row) {
    const int32_t *ground = map->ground + row * map->columns + column;
    int highest = *ground;
    for (int i = 1; i < like->size * like->size; i++) {
        int other = ground[i / like->size * map->columns + i % like->size];
        highest = other > highest ? other : highest;
    }
    Body body = *like;
    body.column = column;
    body.row = row;
    body.feet += highest;
    body.eyes += highest;
    body.crown += highest;
    body.reach += highest;
    return body;
}

/* --- Called from Python. NAN in an answer: ask the tracer. `smoke` is NULL where it is not asked
 * for. --- */

/* What the observer sees of a body like `like` on the squares from (left, top) to (right, bottom),
   all on the map for its whole footprint. Heights of `like` are above the ground; answers are rows
   by columns of the map. */
API void sight_overlook(const Map *map, const Body *observer, const Body *like, int32_t left,
                        int32_t top, int32_t right, int32_t bottom, const Order *orders,
                        double *visible, double *covered, double *smoke) {
    Window window = {{left, top}, {right, bottom}};
    bool is_swept = orders && sweep(map, observer, like, window, orders, visible, covered);
    Walk walk = {.map = map};
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            int square = row * map->columns + column;
            Body target = placed(map, like, column, row);
            if (!is_swept)
                look_at(&walk, observer, &target, visible + square, covered + square);
            if (smoke != NULL)
                smoke[square] = smoke_between(map, observer, &target);
        }
    }
}

/* A survey pays for many pairs alone. */
static bool make_survey_for(Survey *survey, const Map *map, int64_t count) {
    return count > map->columns * map->rows / 16 && make_survey(survey, map, NULL);
}

/* Whether nothing passes between two, either way, for any question. */
static bool are_apart(Walk *walk, const Body *one, const Body *other) {
    return walk->survey && is_shut(walk, one, other, SIGHT, true) &&
           (!(walk->map->questions & BIT(SHOTS)) || is_shut(walk, one, other, SHOTS, true));
}

/* What each body sees of another, for `count` pairs of numbers, in the same order; and what the
   second sees of the first, where there is room for that. */
API void sight_pairs(const Map *map, const Body *bodies, const int32_t *one, const int32_t *other,
                     int64_t count, double *visible, double *covered, double *back_visible,
                     double *back_covered, double *smoke) {
    Survey survey;
    Walk walk = {.map = map};
    if (make_survey_for(&survey, map, count))
        walk.survey = &survey;
    for (int64_t i = 0; i < count; i++) {
        const Body *from = bodies + one[i], *to = bodies + other[i];
        double own[QUESTIONS] = {0}, back[QUESTIONS] = {0};
        const double *known = back_visible ? back : NULL;
        bool is_sure = true;
        int32_t may = 0, may_back = 0;
        walk.is_full = false;
        if (!are_apart(&walk, from, to)) {
            is_sure &= judged_shares(&walk, from, to, own);
            if (known)
                is_sure &= judged_shares(&walk, to, from, back);
            may = may_back = may_attack(&walk, from, to, own, known, 0, &is_sure);
            if (known && !map->is_mutual)
                may_back = may_attack(&walk, to, from, back, own, 0, &is_sure);
        }
        answer(map, own, may, is_sure && !walk.is_full, visible + i, covered + i);
        if (known)
            answer(map, back, may_back, is_sure && !walk.is_full, back_visible + i,
                   back_covered + i);
        if (smoke != NULL)
            smoke[i] = smoke_between(map, from, to);
    }
    if (walk.survey)
        free_survey(&survey);
}

/* A lamp and the squares that it may shine on. */
typedef struct {
    Walk walk;
    const Body *like;
    Window window;
    int axis, step[2],
        far; /* an eighth of the circle: the axis along which it lies, and where to */
    uint8_t *lit;
    int hid[WIDEST]; /* by how far a square is beside the axis: what hid the last such one */
} Light;

/* docs/geometry.md, "Eye to eye": from middle to middle. */
static void light_square(Light *light, int column, int row, int beside) {
    Walk *walk = &light->walk;
    const Map *map = walk->map;
    const Body *lamp = walk->from, to = placed(map, light->like, column, row);
    int64_t x = point_x(lamp, 0), y = point_y(lamp, 0);
    End end = {point_x(&to, 0), point_y(&to, 0), to.eyes, to.eyes};
    walk->to = &to;
    walk->are_beside = are_beside(lamp, &to);
    walk->is_full = false;
    int hid[2] = {light->hid[beside], walk->last};
    if (is_hidden_by(walk, hid[0], x, y, lamp->eyes, end))
        walk->last = hid[0];
    else if (!is_hidden_by(walk, hid[1], x, y, lamp->eyes, end))
        walk_line(walk, x, y, lamp->eyes, end);
    light->hid[beside] = walk->last;
    bool is_free = walk->hidden_to[SIGHT] <= (double)to.eyes;
    light->lit[row * map->columns + column] = walk->is_full ? 2 : is_free;
}

/* A line to the middle of the square so far away, and so far beside the axis. */
typedef struct {
    int beside, away;
} Slope;

static bool is_steeper(Slope one, Slope other) {
    return one.beside * other.away > other.beside * one.away;
}

/* Lights the squares of an eighth from a distance on, as far as walls up to the sky leave lines
   between two slopes: the middles of squares in their shadow are not asked about. */
static void light_between(Light *light, int away, Slope low, Slope high) {
    const Map *map = light->walk.map;
    for (; away <= light->far && !is_steeper(low, high); away++) {
        int first = (low.beside * (2 * away - 1) + low.away - 1) / (2 * low.away);
        int last = (high.beside * (2 * away + 1) + high.away) / (2 * high.away);
        bool was_shut = false;
        for (int beside = first; beside <= last && beside <= away; beside++) {
            int at[2], axis = light->axis;
            at[axis] = place_of(light->walk.from, axis) + away * light->step[axis];
            at[!axis] = place_of(light->walk.from, !axis) + beside * light->step[!axis];
            int column = at[ACROSS], row = at[DOWN], square = row * map->columns + column;
            if (column < 0 || row < 0 || column >= map->columns || row >= map->rows)
                break;
            bool is_shut = false;
            for (int i = map->square_first[square]; i < map->square_first[square + 1]; i++)
                is_shut |= map->square_solids[i].top >= SKY &&
                           map->square_solids[i].questions & BIT(SIGHT);
            if (light->window.first[ACROSS] <= column && column <= light->window.last[ACROSS] &&
                light->window.first[DOWN] <= row && row <= light->window.last[DOWN])
                light_square(light, column, row, beside);
            if (is_shut && !was_shut)
                light_between(light, away + 1, low, (Slope){2 * beside - 1, 2 * away + 1});
            if (is_shut)
                low = (Slope){2 * beside + 1, 2 * away - 1};
            was_shut = is_shut;
        }
    }
}

/* Whether the light of a lamp comes to the eyes of a body like `like` on the squares from (left,
   top) to (right, bottom): 1, 0, or 2 for what the tracer must say. Answers are rows by columns of
   the map. */
API void sight_light(const Map *map, const Body *lamp, const Body *like, int32_t left, int32_t top,
                     int32_t right, int32_t bottom, uint8_t *lit) {
    Light light = {.like = like, .window = {{left, top}, {right, bottom}}, .lit = lit};
    light.walk = (Walk){.map = map, .from = lamp, .risen = NOBODY, .questions = BIT(SIGHT)};
    int32_t highest = lamp->eyes;
    for (int32_t i = 0; i < map->columns * map->rows; i++)
        highest = higher(highest, map->ground[i] + like->eyes);
    bool is_cast = lamp->size == 1 && like->size == 1 && highest < SKY &&
                   higher(map->columns, map->rows) <= WIDEST;
    for (int row = top; row <= bottom; row++) {
        for (int column = left; column <= right; column++) {
            lit[row * map->columns + column] = 0;
            if (!is_cast || (row == lamp->row && column == lamp->column))
                light_square(&light, column, row, 0);
        }
    }
    for (int number = 0; number < 8 && is_cast; number++) {
        light.axis = number & 1;
        light.step[ACROSS] = number & 2 ? 1 : -1;
        light.step[DOWN] = number & 4 ? 1 : -1;
        int to = light.step[light.axis] > 0 ? light.window.last[light.axis]
                                            : -light.window.first[light.axis];
        light.far = to - place_of(lamp, light.axis) * light.step[light.axis];
        light_between(&light, 1, (Slope){0, 1}, (Slope){1, 1});
    }
}

/* The hash of the files that this was built from. */
API const char *sight_source(void) { return SOURCE; }
