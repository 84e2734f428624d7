/* What stands where, for lines between squares that are far from each other; and the proof that
   nothing passes between two. */
#include "sight.h"

#include <stdlib.h>

/* Asks the walker's rules up to which height everything is hidden behind a square, or behind one of
   its edges, for who looks past it and is not near. */
static int32_t height_of(Walk *walk, const Body *to, int column, int row, int edge) {
    walk->to = to;
    walk->parts = 0;
    walk->hidden_to = NOTHING;
    if (edge < 0)
        meet_square(walk, column, row, 1, 1, -1);
    else
        meet_edge(walk, column, row, edge == ACROSS, 1, -1);
    return (int32_t)walk->hidden_to;
}

/* Whether something that was asked about is the walker's: a part that floats, is seen through one
   way or is a body. */
static bool is_odd(const Walk *walk, const Solid *solids, const int32_t *first) {
    bool is_odd = walk->parts > 0;
    for (int i = first[0]; i < first[1]; i++)
        is_odd |= solids[i].body >= 0 || solids[i].seen_through != ANY_WAY;
    return is_odd;
}

static void survey_place(Walk *walk, Place *place, int column, int row) {
    static const Body nobody = {.column = -1000, .row = -1000, .size = 1, .reach = NOTHING};
    const Map *map = walk->map;
    int stride = map->columns + 1, at = row * stride + column, square = at - row;
    for (int axis = 0; axis < 2; axis++) {
        place->edge[axis] = place->over[axis] = height_of(walk, &nobody, column, row, axis);
        if (is_odd(walk, map->edge_solids, map->edge_first + 2 * at + axis)) {
            place->edge[axis] = NOTHING;
            place->is_odd[axis] = true;
        }
    }
    if (column == map->columns || row == map->rows)
        return;
    Body there = {.column = column, .row = row, .size = 1, .reach = NOTHING};
    place->ground = map->ground[square];
    place->own = height_of(walk, &there, column, row, -1);
    place->top = height_of(walk, &nobody, column, row, -1);
    place->has_odd = is_odd(walk, map->square_solids, map->square_first + square);
    for (int axis = 0; axis < 2; axis++) { /* where a line crosses the edge */
        const Place *before = place - (axis == ACROSS ? 1 : stride);
        if (!(axis == ACROSS ? column : row))
            continue;
        place->over[axis] = higher(place->edge[axis], higher(place->top, before->top));
        place->is_odd[axis] |= place->has_odd || before->has_odd;
    }
}

/* Surveys the map for an observer, whose own low things are left out; NULL for nobody's eyes. False
   where there is no memory. What it allocates begins at `survey[SIGHT]`. */
bool make_survey(Walk *walk, const Body *from) {
    const Map *map = walk->map;
    const Body nobody = {.column = -1000, .row = -1000, .size = 1, .reach = NOTHING};
    size_t corners = ((size_t)map->columns + 1) * ((size_t)map->rows + 1), count = 0;
    for (int question = 0; question < QUESTIONS; question++)
        count += map->questions >> question & 1;
    Place *next = calloc(count * corners, sizeof(Place)), *first = next;
    if (!first)
        return false;
    for (int question = 0; question < QUESTIONS; question++) {
        walk->survey[question] = first;
        if (!(map->questions & BIT(question)))
            continue;
        walk->survey[question] = next;
        begin_pair(walk, from ? from : &nobody, &nobody, FROM, question);
        begin_line(walk, (End){{0, 0}, 0, 0}, (End){{0, 0}, NOTHING, -NOTHING});
        for (int row = 0; row <= map->rows; row++)
            for (int column = 0; column <= map->columns; column++)
                survey_place(walk, next++, column, row);
    }
    return true;
}

/* Whether what stands far from both hides `one` from the eyes of `other` on all lines between their
   points for a question, and so their eyes from each other; and `other` from `one`, if both ways
   are asked for. The thing that hides on a line is tried first on the next, and between the next
   two. docs/geometry.md, "May attack". */
bool is_shut(Walk *walk, const Body *one, const Body *other, int question, bool both_ways) {
    int64_t stride = walk->map->columns + 1, away[2];
    for (int axis = 0; axis < 2; axis++)
        away[axis] = point_of(other, 0, axis) - point_of(one, 0, axis);
    int axis = llabs(away[DOWN]) > llabs(away[ACROSS]) ? DOWN : ACROSS;
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
            const Place *place = walk->survey[question] +
                                 (axis == ACROSS ? beside * stride + grid : grid * stride + beside);
            int64_t top = place->over[axis];
            is_hidden = at != beside * 8 * length && !place->is_odd[axis] &&
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
