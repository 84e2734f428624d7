/* What stands where, for lines between squares that are far from each other; and the proof that
   nothing passes between two. */
#include "sight.h"

#include <stdlib.h>

/* Asks the walker's rules what stands on a square or an edge, so near that a height behind it is
   its own. */
static void ask(Walk *walk, const Body *to, int column, int row, int edge) {
    walk->to = to;
    walk->floating = 0;
    for (int question = 0; question < QUESTIONS; question++)
        walk->hidden_to[question] = NOTHING;
    if (edge < 0)
        meet_square(walk, column, row, 1, 1, -1);
    else
        meet_edge(walk, column, row, edge == ACROSS, 1, -1);
}

/* Whether what stands at a place is the walker's: a part that floats, is seen through one way or
   is a body. */
static bool is_odd(const Walk *walk, const Solid *solids, int first, int last) {
    bool is_odd = walk->floating > 0;
    for (int i = first; i < last; i++)
        is_odd |= solids[i].body >= 0 || solids[i].seen_through != ANY_WAY;
    return is_odd;
}

static void survey_place(Walk *walk, const Survey *survey, const Body *nobody, int column,
                         int row) {
    const Map *map = walk->map;
    int at = row * (map->columns + 1) + column, square = row * map->columns + column;
    bool is_square = column < map->columns && row < map->rows;
    Place found[QUESTIONS] = {0};
    for (int part = is_square ? -1 : 0; part < 2; part++) {
        int number = part < 0 ? square : 2 * at + part;
        const int32_t *firsts = (part < 0 ? map->square_first : map->edge_first) + number;
        bool is_bare = firsts[0] == firsts[1];
        ask(walk, nobody, column, row, part);
        int32_t odd =
            is_odd(walk, part < 0 ? map->square_solids : map->edge_solids, firsts[0], firsts[1]);
        for (int question = 0; question < QUESTIONS; question++) {
            Place *place = found + question;
            int32_t top = (int32_t)walk->hidden_to[question];
            bool is_passed = part >= 0 && question == SIGHT && odd;
            if (part < 0)
                place->top = place->own = top;
            else
                place->edge[part] = is_passed ? NOTHING : top;
            place->marks |= odd << (part + 1);
        }
        if (part >= 0 || is_bare)
            continue;
        Body there = {.column = column, .row = row, .size = 1, .reach = NOTHING};
        ask(walk, &there, column, row, part);
        for (int question = 0; question < QUESTIONS; question++)
            found[question].own = (int32_t)walk->hidden_to[question];
    }
    for (int question = 0; question < QUESTIONS; question++) {
        if (!(map->questions & BIT(question)))
            continue;
        Place *place = survey->places[question] + at;
        *place = found[question];
        place->ground = is_square ? map->ground[square] : 0;
        for (int axis = 0; axis < 2 && is_square; axis++) { /* where a line crosses the edge */
            const Place *before = place - (axis == ACROSS ? 1 : map->columns + 1);
            if (!(axis == ACROSS ? column : row))
                continue;
            place->over[axis] = higher(place->edge[axis], higher(place->top, before->top));
            if ((place->marks | before->marks) & ODD)
                place->marks |= WALKED << axis;
        }
    }
}

void free_survey(Survey *survey) {
    for (int question = 0; question < QUESTIONS; question++)
        if (question == SIGHT || survey->places[question] != survey->places[SIGHT])
            free(survey->places[question]);
}

/* Surveys the map for an observer, whose own low things are left out; NULL for nobody's eyes. False
   where there is no memory. */
bool make_survey(Survey *survey, const Map *map, const Body *from) {
    const Body nobody = {.column = -1000, .row = -1000, .size = 1, .reach = NOTHING};
    size_t corners = ((size_t)map->columns + 1) * ((size_t)map->rows + 1);
    bool is_made = true;
    for (int question = 0; question < QUESTIONS; question++) {
        bool is_own = question == SIGHT || map->questions & BIT(question);
        survey->places[question] = is_own ? malloc(corners * sizeof(Place)) : survey->places[SIGHT];
        is_made &= survey->places[question] != NULL;
    }
    Walk walk = {.map = map, .from = from ? from : &nobody, .risen = FROM, .length = 1};
    walk.questions = map->questions;
    walk.feet = NOTHING;
    walk.crown = -NOTHING;
    for (int row = 0; row <= map->rows && is_made; row++)
        for (int column = 0; column <= map->columns; column++)
            survey_place(&walk, survey, &nobody, column, row);
    if (!is_made)
        free_survey(survey);
    return is_made;
}

/* Whether what stands far from both hides `one` from the eyes of `other` on all lines between their
   points for a question, and so their eyes from each other; and `other` from `one`, if both ways
   are asked for. The thing that hides on a line is tried first on the next, and between the next
   two. docs/geometry.md, "May attack". */
bool is_shut(Walk *walk, const Body *one, const Body *other, int question, bool both_ways) {
    int64_t stride = walk->map->columns + 1, away[2];
    for (int axis = 0; axis < 2; axis++)
        away[axis] = point_of(other, 0, axis) - point_of(one, 0, axis);
    int axis = size_of(away[DOWN]) > size_of(away[ACROSS]) ? DOWN : ACROSS;
    int step = away[axis] > 0 ? 1 : -1, from = place_of(one, axis), to = place_of(other, axis);
    int first = step > 0 ? from + one->size + 2 : from - 2;
    int last = step > 0 ? to - 2 : to + other->size + 2, known = first;
    int64_t rise = one->crown - (int64_t)other->eyes, back = other->crown - (int64_t)one->eyes;
    if ((last - first) * step < 0)
        return false;
    if ((walk->shut_at - first) * step > 0 && (last - walk->shut_at) * step >= 0)
        known = walk->shut_at;
    for (int line = 0; line < POINTS * POINTS; line++) {
        int eye = line / POINTS, point = line % POINTS;
        int64_t start = point_of(one, eye, axis), lane = point_of(one, eye, !axis);
        int64_t length = (point_of(other, point, axis) - start) * step;
        int64_t drift = point_of(other, point, !axis) - lane;
        bool is_hidden = false, is_known = true;
        for (int grid = known; !is_hidden; grid += step) {
            int64_t gone = (8 * (int64_t)grid - start) * step, at = lane * length + gone * drift;
            int64_t beside = at / (8 * length);
            const Place *place = walk->survey->places[question] +
                                 (axis == ACROSS ? beside * stride + grid : grid * stride + beside);
            int64_t top = place->over[axis];
            is_hidden = at != beside * 8 * length && !(place->marks & WALKED << axis) &&
                        (top - other->eyes) * length > rise * (length - gone) &&
                        (!both_ways || (top - one->eyes) * length > back * gone);
            if (is_hidden) {
                known = walk->shut_at = grid;
            } else if (is_known) {
                is_known = false;
                grid = first - step;
            } else if (grid == last) {
                return false;
            }
        }
    }
    return true;
}
