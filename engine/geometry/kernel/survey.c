/* What stands where, for lines between squares that are far from each other; and the proof that
   nothing passes between two. */
#include "sight.h"

#include <stdlib.h>

/* Asks the walker's rules for the tops of what stands at a place, at a distance at which heights
   behind a thing are its own. */
static void ask_tops(Walk *walk) {
    walk->floating = 0;
    for (int question = 0; question < QUESTIONS; question++)
        walk->hidden_to[question] = NOTHING;
}

static void survey_square(Walk *walk, const Survey *survey, int column, int row, int at) {
    const Map *map = walk->map;
    int square = row * map->columns + column, first = map->square_first[square];
    bool is_bare = first == map->square_first[square + 1];
    int32_t tops[QUESTIONS], marks = 0;
    bool differs = false;
    ask_tops(walk);
    meet_square(walk, column, row, 1, 1, -1);
    for (int i = first; i < map->square_first[square + 1]; i++) {
        marks |= map->square_solids[i].body >= 0 ? CROWDED : 0;
        differs |= ~map->square_solids[i].questions & map->questions;
    }
    marks |= walk->floating ? CROWDED : 0;
    for (int question = 0; question < QUESTIONS; question++)
        tops[question] = (int32_t)walk->hidden_to[question];
    if (!is_bare) {
        const Body *nobody = walk->to;
        Body there = {.column = column, .row = row, .size = 1, .reach = NOTHING};
        walk->to = &there;
        ask_tops(walk);
        meet_square(walk, column, row, 1, 1, -1);
        walk->to = nobody;
    }
    for (int question = 0; question < QUESTIONS; question++) {
        if (!(map->questions & BIT(question)))
            continue;
        Place *place = survey->places[question] + at;
        place->ground = map->ground[square];
        place->top = tops[question];
        place->own = (int32_t)walk->hidden_to[question];
        place->marks = marks | (marks && differs ? DIFFERS * question : 0);
    }
}

static void survey_edge(Walk *walk, const Survey *survey, int column, int row, bool is_west,
                        int at) {
    const Map *map = walk->map;
    int edge = 2 * at + !is_west;
    ask_tops(walk);
    if (map->edge_first[edge] != map->edge_first[edge + 1])
        meet_edge(walk, column, row, is_west, 1, -1);
    bool floats = walk->floating, differs = false;
    for (int i = map->edge_first[edge]; i < map->edge_first[edge + 1]; i++) {
        differs |= ~map->edge_solids[i].questions & map->questions;
        if (map->edge_solids[i].seen_through == ANY_WAY)
            continue;
        walk->hidden_to[SIGHT] = NOTHING;
        floats = differs = true;
    }
    for (int question = 0; question < QUESTIONS; question++) {
        if (!(map->questions & BIT(question)))
            continue;
        Place *place = survey->places[question] + at;
        *(is_west ? &place->west : &place->north) = (int32_t)walk->hidden_to[question];
        if (floats)
            place->marks |=
                (is_west ? WEST_FLOATS : NORTH_FLOATS) | (differs ? DIFFERS * question : 0);
    }
}

static int32_t higher(int32_t one, int32_t other) { return one > other ? one : other; }

/* What is met at crossings of the edges between squares. */
static void join(const Map *map, Place *places) {
    int stride = map->columns + 1;
    for (int row = 0; row < map->rows; row++) {
        for (int column = 0; column < map->columns; column++) {
            Place *place = places + row * stride + column, *west = place - 1;
            Place *north = place - stride;
            if (column)
                place->over_west = higher(place->west, higher(place->top, west->top));
            if (row)
                place->over_north = higher(place->north, higher(place->top, north->top));
            if (column && (place->marks | west->marks) & CROWDED)
                place->marks |= WEST_WALKED;
            if (row && (place->marks | north->marks) & CROWDED)
                place->marks |= NORTH_WALKED;
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
    size_t stride = (size_t)map->columns + 1, corners = stride * ((size_t)map->rows + 1);
    bool is_made = true;
    for (int question = 0; question < QUESTIONS; question++) {
        survey->places[question] = survey->places[SIGHT];
        if (question == SIGHT || map->questions & BIT(question))
            survey->places[question] = calloc(corners, sizeof(Place));
        is_made &= survey->places[question] != NULL;
    }
    if (!is_made) {
        free_survey(survey);
        return false;
    }
    Walk walk = {.map = map, .from = from ? from : &nobody, .to = &nobody, .risen = FROM};
    walk.questions = map->questions;
    walk.length = 1;
    walk.feet = NOTHING;
    walk.crown = -NOTHING;
    for (int row = 0; row <= map->rows; row++) {
        for (int column = 0; column <= map->columns; column++) {
            int at = row * (int)stride + column;
            if (row < map->rows && column < map->columns)
                survey_square(&walk, survey, column, row, at);
            survey_edge(&walk, survey, column, row, true, at);
            survey_edge(&walk, survey, column, row, false, at);
        }
    }
    for (int question = 0; question < QUESTIONS; question++)
        if (map->questions & BIT(question))
            join(map, survey->places[question]);
    return true;
}

/* Whether what stands far from both hides `one` from the eyes of `other` on all lines between their
   points for a question, and so their eyes from each other; and `other` from `one`, if both ways
   are asked for. The thing that hides on a line is tried first on the next. docs/geometry.md, "May
   attack". */
bool is_shut(const Walk *walk, const Body *one, const Body *other, int question, bool both_ways) {
    const Place *places = walk->survey->places[question];
    int64_t stride = walk->map->columns + 1, across = point_x(other, 0) - point_x(one, 0);
    int64_t down = point_y(other, 0) - point_y(one, 0);
    bool is_steep = size_of(down) > size_of(across);
    int step = (is_steep ? down : across) > 0 ? 1 : -1;
    int from = is_steep ? one->row : one->column, to = is_steep ? other->row : other->column;
    int first = step > 0 ? from + one->size + 2 : from - 2;
    int last = step > 0 ? to - 2 : to + other->size + 2, known = first;
    int64_t rise = one->crown - (int64_t)other->eyes, back = other->crown - (int64_t)one->eyes;
    if ((last - first) * step < 0)
        return false;
    int64_t per_line = is_steep ? stride : 1, per_lane = is_steep ? 1 : stride;
    int walked = is_steep ? NORTH_WALKED : WEST_WALKED;
    for (int line = 0; line < POINTS * POINTS; line++) {
        int eye = line / POINTS, point = line % POINTS;
        int64_t start = is_steep ? point_y(one, eye) : point_x(one, eye);
        int64_t lane = is_steep ? point_x(one, eye) : point_y(one, eye);
        int64_t length =
            size_of((is_steep ? point_y(other, point) : point_x(other, point)) - start);
        int64_t drift = (is_steep ? point_x(other, point) : point_y(other, point)) - lane;
        bool is_hidden = false, is_known = true;
        for (int grid = known; !is_hidden; grid += step) {
            int64_t gone = (8 * (int64_t)grid - start) * step, at = lane * length + gone * drift;
            int64_t beside = at / (8 * length);
            const Place *place = places + grid * per_line + beside * per_lane;
            int64_t top = is_steep ? place->over_north : place->over_west;
            is_hidden = at % (8 * length) && !(place->marks & walked) &&
                        (top - other->eyes) * length > rise * (length - gone) &&
                        (!both_ways || (top - one->eyes) * length > back * gone);
            if (is_hidden) {
                known = grid;
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
