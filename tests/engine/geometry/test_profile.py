"""The side view as data: what a traced line passes, with heights, and where it ends."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import SKY, OffMap
from engine.geometry.los.profile import profile
from engine.geometry.los.sight import trace
from engine.geometry.obstacles import DEPTH
from engine.sight_model import SightModel
from engine.values import replace
from tests.engine.geometry.drawing import (
    DOOR,
    LOW,
    SIGN,
    WALL,
    WINDOW,
    drawn,
    person,
    random_body,
    random_crowd,
    random_field,
    with_mirrors,
)
from tests.examples import examples


def test_every_square_is_a_stretch_with_its_heights():
    field = drawn("..c.", elevation={"B1": 50}, smoke={"D1": 2})
    view = profile(field, person("A1"), person("D1"))
    assert [(one.square.name, one.name, one.ground, one.top) for one in view.stretches] == [
        ("A1", "floor", 0, 0),
        ("B1", "floor", 50, 50),
        ("C1", "crate", 0, 120),
        ("D1", "floor", 0, 0),
    ]
    assert [one.smoke for one in view.stretches] == [0, 0, 0, 2]
    assert (view.length, view.sight_ends, view.shot_ends) == (3, None, None)
    assert (view.stretches[0].start, view.stretches[-1].end) == (0, 1)
    assert all(one.line_start == one.line_end == 162 for one in view.stretches)
    assert (view.observer.feet, view.observer.eyes, view.observer.crown) == (0, 162, 180)


def test_edges_have_their_base_and_what_they_fill():
    field = drawn("......", elevation={"C1": 100}, barriers={"B1 W": WINDOW, "C1 W": LOW, "E1 W": SIGN, "F1 W": DOOR})
    view = profile(field, person("A1", altitude=200), person("F1"))
    assert [(one.edge.name, one.at, one.base, one.solids) for one in view.uprights] == [
        ("B1 W", Fraction(1, 10), 0, ((DEPTH, 90), (200, SKY))),
        ("C1 W", Fraction(3, 10), 100, ((DEPTH, 200),)),
        ("E1 W", Fraction(7, 10), 0, ((150, 250),)),
        ("F1 W", Fraction(9, 10), 0, ((DEPTH, SKY),)),
    ]
    assert view.sight_ends == Fraction(1, 10)  # over the lintel
    opened = profile(drawn("..", barriers={"B1 W": replace(DOOR, state="open")}), person("A1"), person("B1"))
    assert [(one.name, one.solids) for one in opened.uprights] == [("door", ())]


def test_the_line_ends_where_it_sinks_into_a_thing_not_where_its_square_begins():
    field = drawn(".....", elevation={"A1": 600, "B1": 600, "C1": 600})
    view = profile(field, person("A1"), person("E1"))
    # from 762 down to 162, at 600 after 162 of 600: over square B1, whose far side is at 3/8
    assert view.sight_ends == Fraction(162, 600)
    assert profile(drawn("..#.."), person("A1"), person("E1")).sight_ends == Fraction(3, 8)


def test_a_corner_that_cannot_be_passed_is_an_upright_thing():
    view = profile(drawn(".#", "#."), person("A1"), person("B2"))
    assert [(one.edge, one.name, one.at) for one in view.uprights] == [(None, "wall", Fraction(1, 2))] * 2
    assert view.sight_ends == Fraction(1, 2)
    thin = profile(drawn("..", "..", barriers={"B1 W": WALL, "A2 N": WALL}), person("A1"), person("B2"))
    assert {one.edge.name for one in thin.uprights} == {"B1 W", "A2 N"}


def test_somebody_on_the_way_stands_from_feet_to_crown():
    other = replace(person("C1", "kneeling", altitude=40), name="Bat")
    field = replace(drawn("....."), sight=SightModel(bodies=1))
    view = profile(field, person("A1"), person("E1"), obstacles=[other])
    (figure,) = view.others
    assert (figure.name, figure.start, figure.end, figure.feet, figure.crown) == (
        "Bat",
        Fraction(3, 8),
        Fraction(5, 8),
        40,
        148,
    )


def test_glass_ends_the_shot_alone_and_a_hedge_the_sight_alone():
    glass = profile(drawn("..g.."), person("A1"), person("E1"))
    assert (glass.sight_ends, glass.shot_ends) == (None, Fraction(3, 8))
    hedge = profile(drawn("..h.."), person("A1"), person("E1"))
    assert (hedge.sight_ends, hedge.shot_ends) == (Fraction(3, 8), None)


def test_one_above_the_other():
    view = profile(drawn("."), person("A1"), person("A1", altitude=400))
    assert (view.length, len(view.stretches), view.uprights, view.sight_ends) == (0, 1, (), None)
    assert (view.observer.feet, view.target.feet) == (0, 400)


def test_off_the_map():
    with pytest.raises(OffMap):
        profile(drawn("."), person("A1"), person("B1"))


@examples(120)
@given(st.integers(0, 10**9).map(Random))
def test_the_side_view_is_the_trace(random):
    field = with_mirrors(random, random_field(random))
    one, other, crowd = random_body(random, field, 4), random_body(random, field, 4), random_crowd(random, field)
    line = trace(field, one, other, crowd)
    view = profile(field, one, other, line)
    assert view == profile(field, one, other, obstacles=crowd)
    assert (view.sight_ends is None) == (line.first_blocker is None)
    assert len(view.stretches) + len(view.uprights) + len(view.others) <= len(line.crossings)
    for end in (view.sight_ends, view.shot_ends):
        assert end is None or 0 <= end <= 1
    starts = [stretch.start for stretch in view.stretches]
    assert starts == sorted(starts) and starts[0] == 0 and view.stretches[-1].end in (0, 1)
    assert all(earlier.end == later.start for earlier, later in zip(view.stretches, view.stretches[1:], strict=False))
