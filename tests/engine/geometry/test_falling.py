"""Falling: how far, as a fact; and what rising and sinking cost a flyer."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.errors import Illegal
from engine.geometry.movement.fall_height import fall, fall_over_edge
from engine.geometry.movement.steps import MoveRules, lift_cost
from engine.geometry.squares import Square, parse_square
from tests.engine.geometry.drawing import drawn

HERE, THERE = Square(0, 0), Square(1, 0)


def test_over_an_edge_it_is_the_difference_in_height() -> None:
    cliff = drawn("..", elevation={"A1": 450, "B1": 150})
    assert fall_over_edge(cliff, HERE, THERE) == 300
    assert fall_over_edge(cliff, THERE, HERE) == 0


def test_what_stands_below_catches_a_fall() -> None:
    field = drawn(".c", elevation={"A1": 300})
    assert fall_over_edge(field, HERE, THERE) == 180  # the crate is 1.2 m high
    assert fall(field, THERE, 1, 100) == 100  # beside or into it: from below its top there is the ground alone


def test_a_flyer_falls_from_its_altitude_and_a_walker_stands() -> None:
    field = drawn("..", elevation={"B1": 200})
    assert fall(field, HERE, 1, 900) == 900
    assert fall(field, THERE, 1, 200) == 0
    assert fall(field, THERE, 1, 100) == 0


def test_a_large_body_rests_on_the_highest_square_under_it() -> None:
    field = drawn("...", "...", elevation={"B2": 120})
    assert fall(field, HERE, 2, 500) == 380
    edge = drawn("....", "....", elevation={"A1": 600, "A2": 600, "B1": 600, "B2": 600, "C2": 200})
    assert fall_over_edge(edge, Square(0, 0), Square(2, 0), size=2) == 400


def test_rising_and_sinking_cost_by_the_square_s_side() -> None:
    field, rules = drawn(".h"), MoveRules(flies=True, feet=300, lift_cost=Fraction(1, 2))
    assert lift_cost(field, HERE, rules, 900) == 2
    assert lift_cost(field, HERE, rules, 0) == 1
    assert lift_cost(field, HERE, rules, 300) == 0


def test_nothing_sinks_into_what_stands_below() -> None:
    rules = MoveRules(flies=True, feet=300)
    assert lift_cost(drawn("c"), HERE, rules, 120) == Fraction(6, 5)
    with pytest.raises(Illegal, match=r"^The crate at A1 is higher than that altitude\.$"):
        lift_cost(drawn("c"), HERE, rules, 119)
    with pytest.raises(Illegal, match="at B2 is higher"):
        lift_cost(drawn("...", ".c.", "..."), parse_square("A1"), MoveRules(flies=True, feet=300, size=2), 50)
