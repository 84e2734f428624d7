"""A glance along one line agrees with the tracer."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.body import Body
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square
from engine.geometry.visibility.clear_line import hides, is_clear
from engine.values import replace
from tests.engine.geometry.drawing import WALL, drawn, random_field
from tests.examples import examples

seeds = st.integers(0, 10**9).map(Random)


@pytest.mark.long
@examples(200)
@given(seeds)
def test_every_line_agrees_with_the_tracer(random):
    field = random_field(random, random.randrange(1, 10), random.randrange(1, 8))
    hidden = hides(field)
    for _ in range(30):
        (one, low), (other, high) = (
            (random.choice(field.squares()), random.choice([0, 40, 100, 162, 300])) for _ in range(2)
        )
        line = trace(field, Body(one, 1, 0, low + 1, low), Body(other, 1, 0, high + 1, high))
        heights = field.elevation_at(one) + low, field.elevation_at(other) + high
        assert is_clear(hidden, one, heights[0], other, heights[1]) == line.clear, (one, low, other, high)


def test_one_way_panes_are_open_one_way_where_that_is_asked():
    field = drawn("....", barriers={"C1 W": replace(WALL, seen_through=Direction.E)})
    west, east = Square(0, 0), Square(3, 0)
    assert is_clear(hides(field, one_way=True), west, 100, east, 100)
    assert not is_clear(hides(field, one_way=True), east, 100, west, 100)
    assert not is_clear(hides(field), west, 100, east, 100)
