"""Cones: angles that can be checked by hand, angles against long decimals, and what shelters."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Illegal
from engine.geometry.battlefield import OffMap
from engine.geometry.blast.blast import blast
from engine.geometry.blast.cone import cone
from engine.geometry.facings import is_within
from engine.geometry.squares import Direction, Square, parse_square
from tests.engine.geometry.bursting import random_field, walled

OPEN = walled(*["." * 21] * 21)
MIDDLE = Square(10, 10)


def cosine(degrees: Fraction) -> Decimal:
    """The cosine to 60 digits, by its series."""
    with localcontext() as context:
        context.prec = 70
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534")
        x = pi * degrees.numerator / degrees.denominator / 180
        term = total = Decimal(1)
        for n in range(2, 120, 2):
            term = -term * x * x / (n * (n - 1))
            total += term
        return total


def test_a_quarter_to_the_north_is_two_diagonals_and_what_lies_between():
    found = cone(OPEN, MIDDLE, Direction.N, 90, 2)
    expected = {(dx, -dy) for dy in (1, 2) for dx in range(-dy, dy + 1)}
    assert {(square.column - 10, square.row - 10) for square in found} == expected


def test_half_a_circle_holds_the_squares_beside_and_none_behind():
    found = {(square.column - 10, square.row - 10) for square in cone(OPEN, MIDDLE, Direction.E, 180, 3)}
    assert found == {(dx, dy) for dx in range(4) for dy in range(-3, 4) if (dx, dy) != (0, 0)}
    assert len(cone(OPEN, MIDDLE, Direction.S, 360, 3)) == 48


@pytest.mark.parametrize("degrees", [1, 30, 45, 60, 77, 90, 120, 180, 233, 270, 359])
@pytest.mark.parametrize("towards", [Direction.N, Direction.SE, Square(13, 11), Square(3, 20)])
def test_angles_agree_with_long_decimals(degrees: int, towards: Direction | Square):
    across, down = (
        (towards.dx, towards.dy) if isinstance(towards, Direction) else (towards.column - 10, towards.row - 10)
    )
    limit = cosine(Fraction(degrees, 2))
    found = cone(OPEN, MIDDLE, towards, degrees, 10, is_sheltered=False)
    for square in OPEN.squares():
        dx, dy = square.column - 10, square.row - 10
        if (dx, dy) == (0, 0):
            continue
        with localcontext() as context:
            context.prec = 60
            along = Decimal(dx * across + dy * down)
            length = (Decimal(dx * dx + dy * dy) * Decimal(across * across + down * down)).sqrt()
            assert (square in found) == (along - limit * length >= Decimal("-1e-40"))


@given(st.integers(-500, 500), st.integers(0, 500), st.integers(1, 359))
def test_a_wider_cone_holds_a_narrower_one(along: int, aside: int, degrees: int):
    if along or aside:
        assert not is_within(along, aside, degrees) or is_within(along, aside, degrees + 1)
        assert is_within(along, aside, 360)


@given(st.integers(0, 10**9).map(Random))
def test_a_sheltered_cone_is_the_blast_within_its_angle(random: Random):
    field = random_field(random)
    start = random.choice(field.squares())
    towards, degrees = random.choice(list(Direction)), random.choice([30, 45, 60, 90, 180])
    metric = random.choice(["chebyshev", "alternating", "euclidean"])
    sheltered = set(cone(field, start, towards, degrees, 5, metric=metric))
    level = set(cone(field, start, towards, degrees, 5, metric=metric, is_sheltered=False))
    assert sheltered == level & set(blast(field, start, 5, metric=metric))


def test_directions_that_mirror_each_other_give_cones_of_one_size():
    for degrees in (30, 45, 60, 90):
        straight = {len(cone(OPEN, MIDDLE, way, degrees, 8)) for way in Direction if not way.is_diagonal}
        slanted = {len(cone(OPEN, MIDDLE, way, degrees, 8)) for way in Direction if way.is_diagonal}
        assert len(straight) == len(slanted) == 1


def test_walls_shelter_and_may_be_left_out():
    field = walled("......", "..#...", "......")
    start = parse_square("A2")
    assert parse_square("D2") not in cone(field, start, Direction.E, 45, 5)
    assert parse_square("D2") in cone(field, start, Direction.E, 45, 5, is_sheltered=False)
    assert all(square in field for square in cone(field, start, Direction.E, 90, 20, is_sheltered=False))


def test_what_is_no_cone_is_refused():
    with pytest.raises(Illegal, match="1 to 360 degrees"):
        cone(OPEN, MIDDLE, Direction.N, 0, 3)
    with pytest.raises(Illegal, match="no direction"):
        cone(OPEN, MIDDLE, MIDDLE, 60, 3)
    with pytest.raises(OffMap):
        cone(OPEN, Square(21, 0), Direction.N, 60, 3)
