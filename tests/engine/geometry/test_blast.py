"""Blasts against counting every square by itself, and the rule's clauses one by one."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Barrier, Battlefield, OffMap
from engine.geometry.blast.blast import blast, reaches, zones
from engine.geometry.blast.blast_lines import MOST_REACH, free_window, lines_of_window
from engine.geometry.blast.square_set import Zone, disc
from engine.geometry.body import Body, middle_height
from engine.geometry.metric import METRICS, distance
from engine.geometry.squares import Square, parse_square
from engine.values import replace
from tests.engine.geometry.bursting import random_field, walled
from tests.engine.geometry.ray import is_stopped
from tests.examples import examples

seeds = st.integers(0, 10**9).map(Random)


def spot(field: Battlefield, square: Square, height: int) -> tuple[Fraction, Fraction, Fraction]:
    half = Fraction(1, 2)
    return square.column + half, square.row + half, Fraction(field.elevation_at(square) + height)


def is_filled(field: Battlefield, square: Square) -> bool:
    ground = field.ground_at(square)
    return ground.contains_blast and ground.blocks_movement


def counted(field: Battlefield, centre: Square, radius: Fraction | int, metric: str, height: int) -> set[Square]:
    """The rule, square by square, by an independent judge of lines."""
    middle = middle_height(field)
    found = {centre}
    for square in field.squares():
        start, end = spot(field, centre, height), spot(field, square, middle)
        rise = (end[2] - start[2]) / field.square_size
        away = distance(metric, square.column - centre.column, square.row - centre.row, rise)
        if square == centre or away > radius or is_filled(field, square):
            continue
        if not is_stopped(field, start, end, (Body(centre), Body(square)), "contains_blast"):
            found.add(square)
    return found


@pytest.mark.long
@examples(60)
@given(seeds)
def test_a_blast_agrees_with_counting_every_square(random):
    field = random_field(random)
    centre = random.choice(field.squares())
    radius = random.choice([0, 1, 2, 3, 5, 8, Fraction(5, 2), Fraction(14, 3)])
    metric = random.choice(METRICS)
    height = random.choice([None, None, None, 0, 60, 250])
    found = blast(field, centre, radius, metric=metric, height=height)
    at = middle_height(field) if height is None else height
    assert set(found) == counted(field, centre, radius, metric, at)
    assert len(found) == len(set(found))


@examples(100)
@given(seeds)
def test_a_blast_is_mutual(random):
    field = random_field(random)
    free = [square for square in field.squares() if not is_filled(field, square)]
    if not free:
        return
    one, other = random.choice(free), random.choice(free)
    assert (one in blast(field, other, 9)) == (other in blast(field, one, 9))


@examples(60)
@given(seeds)
def test_a_point_over_a_square_is_reached_where_nothing_stops_its_line(random):
    field = random_field(random)
    centre, square = random.choice(field.squares()), random.choice(field.squares())
    height, other = random.choice([0, 60, 90, 250]), random.choice([0, 60, 120, 250, 400])
    own = (Body(centre), Body(square))
    stopped = is_stopped(field, spot(field, centre, height), spot(field, square, other), own, "contains_blast")
    assert reaches(field, centre, square, height, other) != stopped


@pytest.mark.slow
@examples(30)
@given(seeds)
def test_a_wide_blast_agrees_with_the_judge_wherever_one_looks(random):
    field = random_field(random, 34, 29)
    middle, radius = middle_height(field), random.choice([9, 16, MOST_REACH, MOST_REACH + 4])
    centre, metric = random.choice(field.squares()), random.choice(METRICS)
    found = blast(field, centre, radius, metric=metric)
    for square in random.sample(field.squares(), 30):
        rise = Fraction(field.elevation_at(square) - field.elevation_at(centre), field.square_size)
        away = distance(metric, square.column - centre.column, square.row - centre.row, rise)
        ends = spot(field, centre, middle), spot(field, square, middle)
        is_free = not is_stopped(field, *ends, (Body(centre), Body(square)), "contains_blast")
        is_reached = away <= radius and not is_filled(field, square) and is_free
        assert (square in found) == (is_reached or square == centre), square.name


@examples(60)
@given(seeds)
def test_rings_are_apart_and_make_up_the_whole(random):
    field = random_field(random)
    centre = random.choice(field.squares())
    metric = random.choice(METRICS)
    rings = zones(field, centre, (1, 2, 4), metric=metric)
    wholes = [set(blast(field, centre, radius, metric=metric)) for radius in (1, 2, 4)]
    assert set(rings[0]) == wholes[0]
    assert set(rings[1]) == wholes[1] - wholes[0]
    assert set(rings[2]) == wholes[2] - wholes[1]


def test_open_ground_is_a_whole_disc():
    field = walled(*["." * 30] * 30)
    assert len(blast(field, Square(15, 15), 4)) == 81
    assert len(blast(field, Square(15, 15), 2, metric="euclidean")) == 13
    assert len(blast(field, Square(15, 15), 2, metric="alternating")) == 21
    assert set(blast(field, Square(0, 0), 1)) == {Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1)}
    assert len(blast(field, Square(29, 29), 40)) == 900


@pytest.mark.slow
def test_a_window_too_large_to_keep_is_judged_row_by_row():
    rows = ["." * 60] * 3
    field = walled(rows[0], "." * 30 + "#" + "." * 29, rows[2])
    radius = MOST_REACH + 5
    assert set(blast(field, Square(28, 1), radius)) == counted(field, Square(28, 1), radius, "chebyshev", 90)


def test_a_wall_shelters_what_lies_behind_it():
    field = walled("......", "..#...", "......")
    found = blast(field, parse_square("B2"), 9)
    assert parse_square("D2") not in found
    assert parse_square("C2") not in found
    assert parse_square("C1") in found


def test_a_blast_goes_through_no_slit_of_a_diagonal_wall_and_round_a_single_corner():
    field = walled("..#.", ".#..", "....")
    assert parse_square("C2") not in blast(field, parse_square("B1"), 5)
    lone = walled("....", ".#..", "....")
    assert parse_square("B1") in blast(lone, parse_square("A2"), 5)


@pytest.mark.parametrize(
    ("barrier", "is_reached"),
    [
        (Barrier("wall"), False),
        (Barrier("door", "closed"), False),
        (Barrier("door", "open"), True),
        (Barrier("door", "broken"), True),
        (Barrier("low wall", top=90), True),
        (Barrier("parapet", top=91), False),
        (Barrier("window", sill=89, lintel=200), True),
        (Barrier("window", sill=95, lintel=200), False),
        (Barrier("window", sill=30, lintel=90), True),
        (Barrier("sign", bottom=89, top=250), False),
        (Barrier("sign", bottom=90, top=250), True),
        (Barrier("curtain", contains_blast=False), True),
    ],
)
def test_an_edge_stops_what_passes_it_inside_its_solid_part(barrier: Barrier, is_reached: bool):
    field = walled("....", barriers={"C1 W": barrier})
    assert (parse_square("C1") in blast(field, parse_square("B1"), 3)) == is_reached


def test_a_burst_in_the_air_comes_down_behind_a_low_wall():
    field = walled("......", barriers={"C1 W": Barrier("parapet", top=120)})
    near, behind = parse_square("B1"), parse_square("C1")
    assert behind not in blast(field, near, 5)
    assert behind in blast(field, near, 5, height=400)
    assert behind not in blast(field, near, 5, height=0)


@pytest.mark.parametrize(("height", "is_reached"), [(60, False), (90, True), (100, True)])
def test_a_level_line_is_stopped_at_its_own_height(height: int, is_reached: bool):
    field = walled("....", barriers={"C1 W": Barrier("low wall", top=90)})
    assert reaches(field, parse_square("B1"), parse_square("C1"), height, height) == is_reached


def test_the_ground_itself_shelters():
    field = walled("......")
    hill = replace(field, elevation=(0, 0, 200, 0, 0, 0))
    assert parse_square("D1") not in blast(hill, parse_square("B1"), 5)
    terrace = replace(field, elevation=(0, 0, 200, 200, 200, 200))
    found = blast(terrace, parse_square("A1"), 5)
    assert parse_square("C1") in found
    assert parse_square("D1") not in found


def test_height_counts_in_the_distance():
    field = replace(walled("....."), elevation=(0, 0, 0, 0, 600))
    assert parse_square("E1") not in blast(field, parse_square("D1"), 3)
    far = parse_square("D1")
    assert far in blast(walled("....."), parse_square("A1"), 3, metric="euclidean")
    assert far not in blast(walled("....."), parse_square("A1"), 3, metric="euclidean", height=400)


def test_one_hill_far_away_leaves_a_level_window_level():
    field = walled(*["." * 20] * 20)
    heights = list(field.elevation)
    heights[19 * 20 + 19] = 100
    hilly = replace(field, elevation=tuple(heights))
    middle = middle_height(hilly)

    def is_level(centre: Square, reach: int) -> bool:
        return free_window(hilly, centre, reach, middle, middle)[1] is None

    assert is_level(Square(4, 4), 4)
    assert not is_level(Square(17, 17), 2)
    assert is_level(Square(16, 16), 2)
    assert is_level(Square(0, 0), 3)


def test_a_centre_off_the_map_is_refused():
    field = walled("...")
    with pytest.raises(OffMap):
        blast(field, Square(3, 0), 1)
    for one, other in ((Square(0, 1), Square(0, 0)), (Square(0, 0), Square(-1, 0))):
        with pytest.raises(OffMap):
            reaches(field, one, other, 90, 90)


def test_the_lines_of_a_window_are_made_once():
    assert lines_of_window(5) is lines_of_window(5)


def test_a_zone_knows_its_squares():
    zone = Zone(Square(-1, 2), 3, 0b101_000_010)
    assert list(zone) == [Square(0, 2), Square(-1, 4), Square(1, 4)]
    assert len(zone) == 3
    assert Square(0, 2) in zone
    assert Square(2, 4) not in zone
    assert "A1" not in zone


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("radius", [0, 1, 3, Fraction(7, 2), 6, Fraction(1, 2)])
def test_a_disc_is_every_square_within_the_distance(metric: str, radius: Fraction | int):
    found = Zone(Square(0, 0), 13, disc(metric, radius, 6))
    assert set(found) == {
        Square(column, row)
        for column in range(13)
        for row in range(13)
        if distance(metric, column - 6, row - 6) <= radius
    }


def test_a_radius_past_the_map_ends_with_it():
    field = walled(*["." * 6] * 4)
    assert len(blast(field, Square(0, 0), 10**6)) == 24
