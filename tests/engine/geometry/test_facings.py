"""Degrees off a facing: exact at the borders of arcs, the same for all eight facings, between the middles of bodies."""

from __future__ import annotations

from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.body import Body
from engine.geometry.facings import degrees_aside, degrees_between
from engine.geometry.squares import Direction, Square

HERE = Body(Square(50, 50), 1)
WAYS = tuple(Direction)


def at(across: int, down: int, size: int = 1) -> Body:
    return Body(Square(50 + across, 50 + down), size)


@pytest.mark.parametrize("turn", range(8))
def test_eighths_of_a_turn_are_exact(turn: int):
    for facing in WAYS:
        way = WAYS[(WAYS.index(facing) + turn) % 8]
        for far in (1, 7):
            found = degrees_aside(facing, HERE, at(way.dx * far, way.dy * far))
            assert found == min(turn, 8 - turn) * 45


def test_the_same_square_is_straight_ahead():
    assert degrees_aside(Direction.S, HERE, HERE) == 0


def test_fractions_count_as_one_more_so_that_borders_hold():
    assert degrees_aside(Direction.N, HERE, at(10, -11)) == 43  # 42.27
    assert degrees_aside(Direction.N, HERE, at(41, -40)) == 46  # 45.7
    assert degrees_aside(Direction.N, HERE, at(40, -40)) == 45
    assert degrees_aside(Direction.N, HERE, at(1, 40)) == 179  # 178.6


def test_large_bodies_are_measured_from_their_middles():
    assert degrees_aside(Direction.E, HERE, at(3, -1, size=3)) == 0
    assert degrees_aside(Direction.E, at(0, 0, size=2), at(4, 0, size=2)) == 0


@given(st.sampled_from(WAYS), st.integers(-40, 40), st.integers(-40, 40))
def test_it_is_the_angle_rounded_up(facing: Direction, across: int, down: int):
    found = degrees_aside(facing, HERE, at(across, down))
    if across or down:
        along, aside = across * facing.dx + down * facing.dy, abs(across * facing.dy - down * facing.dx)
        assert -1e-6 <= found - degrees(atan2(aside, along)) < 1
    mirrored = degrees_aside(facing, at(across, down), HERE) if across or down else 180
    assert abs(found + mirrored - 180) <= 1


def test_between_two_lines_from_one_place():
    assert degrees_between(HERE, at(3, 0), at(0, -4)) == 90
    assert degrees_between(HERE, at(3, 0), at(2, 2)) == degrees_between(HERE, at(2, 2), at(3, 0)) == 45
    assert degrees_between(HERE, at(3, 0), at(-1, 0)) == 180
    assert degrees_between(HERE, HERE, at(5, 1)) == degrees_between(HERE, at(5, 1), HERE) == 0


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_a_facing_is_the_line_to_the_square_ahead(across: int, down: int):
    for facing in WAYS:
        line = degrees_between(HERE, at(facing.dx, facing.dy), at(across, down))
        assert line == degrees_aside(facing, HERE, at(across, down))
