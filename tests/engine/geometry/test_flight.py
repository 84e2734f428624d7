"""Things that fly astray: how far they get, what they clear, what stops them."""

from __future__ import annotations

import pytest

from engine.geometry.battlefield import Barrier, Battlefield
from engine.geometry.blast.scatter_path import MAP_EDGE, flight_path
from engine.geometry.squares import Direction, parse_square
from engine.values import replace
from tests.engine.geometry.bursting import walled
from tests.engine.geometry.drawing import DOOR, LOW, WALL, drawn


def ends(field: Battlefield, start: str, direction: Direction, most: int, metric: str = "chebyshev") -> tuple[str, str]:
    flown = flight_path(field, parse_square(start), direction.dx, direction.dy, most, metric)
    return flown.squares[-1].name, flown.stopped_by


def test_nothing_in_the_way_is_flown_over_to_the_end():
    field = walled("......", "......")
    assert ends(field, "A1", Direction.E, 4) == ("E1", "")
    assert ends(field, "A1", Direction.E, 0) == ("A1", "")
    assert ends(field, "A1", Direction.E, 9) == ("F1", MAP_EDGE)


def test_a_diagonal_costs_what_the_metric_says():
    field = walled(*["......"] * 6)
    assert ends(field, "A1", Direction.SE, 3) == ("D4", "")
    assert ends(field, "A1", Direction.SE, 3, "alternating") == ("C3", "")
    assert ends(field, "A1", Direction.SE, 4, "euclidean") == ("C3", "")


def test_walls_and_closed_doors_stop_on_the_near_side():
    assert ends(walled("...#.."), "A1", Direction.E, 5) == ("C1", "the wall at D1")
    field = walled("......", barriers={"D1 W": DOOR})
    assert ends(field, "A1", Direction.E, 5) == ("C1", "the door on D1 W")
    assert ends(field, "F1", Direction.W, 5) == ("D1", "the door on D1 W")
    field = walled("......", barriers={"D1 W": replace(DOOR, state="open")})
    assert ends(field, "A1", Direction.E, 5) == ("F1", "")


def test_low_things_are_cleared_and_high_ones_are_not():
    assert ends(drawn("..c..k"), "A1", Direction.E, 5) == ("F1", "")
    assert ends(drawn("..h..."), "A1", Direction.E, 5) == ("F1", "")
    assert ends(drawn("..g..."), "A1", Direction.E, 5) == ("B1", "the glass at C1")
    assert ends(walled("......", barriers={"D1 W": LOW}), "A1", Direction.E, 5) == ("F1", "")
    bars = Barrier("bars", contains_blast=False)
    assert ends(walled("......", barriers={"D1 W": bars}), "A1", Direction.E, 5)[0] == "C1"
    curtain = Barrier("curtain", blocks_movement=False, contains_blast=False)
    assert ends(walled("......", barriers={"D1 W": curtain}), "A1", Direction.E, 5)[0] == "F1"


def test_a_bank_of_earth_stops_going_up_and_not_going_down():
    field = drawn("......", elevation={"D1": 180, "E1": 180, "F1": 180})
    assert ends(field, "A1", Direction.E, 5) == ("C1", "the higher ground at D1")
    assert ends(field, "F1", Direction.W, 5) == ("A1", "")


def test_a_corner_stops_only_when_both_ways_round_it_do():
    assert ends(walled("..", "#.", "..", ".."), "A1", Direction.SE, 1)[0] == "B2"
    assert ends(walled(".#", "#."), "A1", Direction.SE, 1) == ("A1", "the wall at B1")
    both = walled("..", "..", barriers={"B1 W": WALL, "A2 N": WALL})
    assert ends(both, "A1", Direction.SE, 1)[0] == "A1"
    one = walled("..", "..", barriers={"B1 W": WALL})
    assert ends(one, "A1", Direction.SE, 1)[0] == "B2"


@pytest.mark.parametrize("across", [-5, -2, 1, 3])
@pytest.mark.parametrize("down", [-4, -1, 2, 5])
def test_a_slanted_course_is_a_line_of_neighbours_that_mirrors(across: int, down: int):
    field = walled(*["." * 21] * 21)
    middle = parse_square("K11")
    there = flight_path(field, middle, across, down, 8, "chebyshev").squares
    back = flight_path(field, middle, -across, -down, 8, "chebyshev").squares
    assert len(there) == 9
    for one, other, mirrored in zip(there[1:], there, back[1:], strict=False):
        assert max(abs(one.column - other.column), abs(one.row - other.row)) == 1
        assert (one.column + mirrored.column, one.row + mirrored.row) == (20, 20)
