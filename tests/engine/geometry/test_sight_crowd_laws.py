"""Laws of sight with one-way barriers, bodies in the way, large bodies and every choice of body points."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.lines import Point, line
from engine.geometry.los.shadows import ShadowLine, shadows
from engine.geometry.los.sight import POINTS
from engine.geometry.obstacles import Surroundings, feet_of
from engine.geometry.squares import Square
from engine.values import replace
from tests.engine.geometry.drawing import (
    STRAIGHT,
    drawn,
    mirrored,
    random_body,
    random_crowd,
    random_field,
    turned,
    with_mirrors,
)
from tests.engine.geometry.drawing import straight as trace
from tests.engine.geometry.ray import is_stopped
from tests.examples import examples, sample

seeds = st.integers(0, 10**9).map(Random)


def spot(point: Point, height: Fraction | int) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point.x, 8), Fraction(point.y, 8), Fraction(height)


def centre(one: Body) -> Point:
    return Point(8 * one.at.column + 4 * one.size, 8 * one.at.row + 4 * one.size)


def opaque(field: Battlefield) -> Battlefield:
    """The same field with nothing that is seen through one way."""
    barriers = {edge: replace(barrier, seen_through=None) for edge, barrier in field.barriers.items()}
    return replace(field, barriers=barriers)


@examples(120)
@given(seeds)
def test_clear_is_mutual_whatever_is_seen_through_one_way(random):
    field = with_mirrors(random, random_field(random))
    one, other, crowd = random_body(random, field, 4), random_body(random, field, 4), random_crowd(random, field)
    there, back = trace(field, one, other, crowd), trace(field, other, one, crowd)
    assert there.clear == back.clear
    assert there.clear == trace(opaque(field), one, other, crowd).clear
    assert not there.clear or there.first_blocker is back.first_blocker is None
    for answer in (there, back):
        assert any(crossing.blocks_sight for crossing in answer.crossings) == (answer.first_blocker is not None)


@pytest.mark.slow
@pytest.mark.parametrize("number", sample(range(2)))
def test_no_pair_of_squares_on_a_whole_map_differs(number):
    random = Random(number)
    field = with_mirrors(random, random_field(random))
    crowd = random_crowd(random, field)
    bodies = [body(square, "metres") for square in field.squares()]
    for one, other in combinations(bodies, 2):
        assert trace(field, one, other, crowd, 1).clear == trace(field, other, one, crowd, 1).clear


@pytest.mark.long
@examples(100)
@given(seeds, st.sampled_from([1, 5, 9]))
def test_every_height_of_every_column_agrees_with_the_judge(random, points):
    field = with_mirrors(random, random_field(random, 8, 7))
    one, other, crowd = random_body(random, field, 3), random_body(random, field, 4), random_crowd(random, field)
    low = feet_of(field, other)
    eye, crown = feet_of(field, one) + one.eyes, low + other.height
    field = replace(field, sight=STRAIGHT)
    surroundings = Surroundings(field, one, other, min(eye, low), crowd, ())
    for x, y in random.sample(POINTS[points], k=min(3, points)):
        goal = Point(centre(other).x + x * other.size, centre(other).y + y * other.size)
        found = shadows(ShadowLine(line(centre(one), goal), eye, low, crown, low + other.eyes), surroundings)
        ends = [end for shadow in found for end in (shadow.low, shadow.high) if low <= end <= crown]
        for height in {low + Fraction(random.randrange(1, 100), 100) * (crown - low), *ends[:5]}:
            inside = [shadow for shadow in found if shadow.low < height < shadow.high]
            start, end = spot(centre(one), eye), spot(goal, height)
            assert any(s.sight for s in inside) == is_stopped(field, start, end, (one, other), "blocks_sight", crowd)
            assert any(s.shots for s in inside) == is_stopped(field, start, end, (one, other), "stops_shots", crowd)
            mutual = is_stopped(opaque(field), start, end, (one, other), "blocks_sight", crowd)
            assert any(s.mutual for s in inside) == mutual


@examples(80)
@given(seeds, st.sampled_from([turned, mirrored]), st.sampled_from([1, 5, 9]))
def test_turning_the_map_turns_the_answer(random, change, points):
    field = with_mirrors(random, random_field(random))
    one, other, crowd = random_body(random, field, 4), random_body(random, field, 4), random_crowd(random, field)
    changed, one_there, other_there, *crowd_there = change(field, one, other, *crowd)
    here = trace(field, one, other, crowd, points)
    there = trace(changed, one_there, other_there, crowd_there, points)
    for name in ("visible", "covered", "clear", "smoke", "smoke_squares", "light", "rise"):
        assert getattr(here, name) == getattr(there, name), name
    assert sorted((point.visible, point.covered) for point in here.points) == sorted(
        (point.visible, point.covered) for point in there.points
    )
    halves = [(half.visible, half.covered) if half else None for half in (here.left, here.right)]
    theirs = [(half.visible, half.covered) if half else None for half in (there.left, there.right)]
    assert halves == (theirs if change is turned else theirs[::-1])


@examples(80)
@given(seeds)
def test_somebody_more_in_the_way_never_shows_more(random):
    field = with_mirrors(random, random_field(random))
    one, other, crowd = random_body(random, field, 4), random_body(random, field, 4), random_crowd(random, field)
    before = trace(field, one, other, crowd)
    after = trace(field, one, other, [*crowd, random_body(random, field, 4)])
    assert after.visible <= before.visible
    assert after.covered >= before.covered
    assert before.clear or not after.clear


@examples(80)
@given(seeds)
def test_who_looks_from_higher_sees_no_less_of_flat_ground(random):
    flat = replace(random_field(random), elevation=(0,) * 42, barriers={})
    one, other = random_body(random, flat, 4), replace(random_body(random, flat, 4), altitude=0)
    higher = replace(one, altitude=one.altitude + random.randrange(1, 400))
    before, after = trace(flat, one, other), trace(flat, higher, other)
    assert after.visible >= before.visible
    assert after.covered <= before.covered


@examples(100)
@given(seeds)
def test_the_whole_is_the_mean_of_its_points_and_the_two_bodies_are_never_in_their_own_way(random):
    field = with_mirrors(random, random_field(random))
    one, other, crowd = random_body(random, field, 4), random_body(random, field, 4), random_crowd(random, field)
    for points in POINTS:
        answer = trace(field, one, other, crowd, points)
        assert answer == trace(field, one, other, [one, *crowd, other], points)
        assert [point.name for point in answer.points][:1] == ["centre"]
        assert answer.visible == sum(point.visible for point in answer.points) / points
        assert answer.covered == sum(point.covered for point in answer.points) / points
        for side, half in (("left", answer.left), ("right", answer.right)):
            own = [point for point in answer.points if point.side == side]
            assert (half is None) == (not own)
            if half:
                assert half.covered == sum(point.covered for point in own) / len(own)
                assert (half.cover is None) == (half.covered == 0)


def test_the_choices_of_points():
    with pytest.raises(ValueError, match="3 is not one of 1, 5, 9"):
        trace(drawn(".."), body(Square(0, 0), "metres"), body(Square(1, 0), "metres"), (), 3)
