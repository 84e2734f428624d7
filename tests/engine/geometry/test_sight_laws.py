"""Laws of sight over many random maps."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.body import BODY_POINTS
from engine.geometry.lines import Point, line
from engine.geometry.los.shadows import ShadowLine, shadows
from engine.geometry.obstacles import Surroundings
from engine.geometry.squares import Edge, Square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tests.engine.geometry.drawing import GLYPHS, LOW, SLIT, WALL, mirrored, random_body, random_field, turned
from tests.engine.geometry.drawing import straight as trace
from tests.engine.geometry.ray import is_stopped
from tests.examples import examples

seeds = st.integers(0, 10**9).map(Random)


def spot(point: Point, height: Fraction | int) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point.x, 8), Fraction(point.y, 8), Fraction(height)


def centre(body) -> Point:
    return Point(8 * body.at.column + 4 * body.size, 8 * body.at.row + 4 * body.size)


def feet(field, body) -> int:
    return max(field.elevation_at(square) for square in body.squares) + body.altitude


@examples(400)
@given(seeds)
def test_a_clear_line_is_clear_both_ways(random):
    field = random_field(random)
    one, other = random_body(random, field), random_body(random, field)
    there, back = trace(field, one, other), trace(field, other, one)
    assert there.clear == back.clear
    assert there.smoke == back.smoke
    assert there.smoke_squares == back.smoke_squares
    assert (there.columns_apart, there.rows_apart, there.rise) == (back.columns_apart, back.rows_apart, -back.rise)


@examples(400)
@given(seeds)
def test_the_flags_agree_with_a_judge_of_single_rays(random):
    field = random_field(random)
    one, other = random_body(random, field), random_body(random, field)
    start = spot(centre(one), feet(field, one) + one.eyes)
    end = spot(centre(other), feet(field, other) + other.eyes)
    answer = trace(field, one, other)
    assert answer.clear != is_stopped(field, start, end, (one, other), "blocks_sight")
    blocks, stops = (
        any(getattr(crossing, name) for crossing in answer.crossings) for name in ("blocks_sight", "stops_shots")
    )
    assert (answer.first_blocker is not None) == blocks
    is_level = feet(field, one) == min(field.elevation_at(square) for square in one.squares) + one.altitude
    stopped = is_stopped(field, start, end, (one, other), "stops_shots")
    if is_level and one.altitude == 0 and end[2] >= start[2]:  # nothing of it is the observer's own ground
        assert (blocks, stops) == (not answer.clear, stopped)
    assert blocks <= (not answer.clear) and stops <= stopped


@pytest.mark.long
@examples(250)
@given(seeds)
def test_every_height_of_every_column_agrees_with_the_judge(random):
    field = random_field(random)
    one, other = random_body(random, field), random_body(random, field)
    low = feet(field, other)
    eye, crown = feet(field, one) + one.eyes, low + other.height
    surroundings = Surroundings(field, one, other, min(eye, low), (), ())
    for x, y in BODY_POINTS:
        goal = Point(centre(other).x + x * other.size, centre(other).y + y * other.size)
        view = ShadowLine(line(centre(one), goal), eye, low, crown, low + other.eyes)
        found = shadows(view, surroundings)
        ends = [end for shadow in found for end in (shadow.low, shadow.high) if low <= end <= crown]
        heights = {low + Fraction(random.randrange(1, 100), 100) * (crown - low), *ends[:6]}
        for height in heights:
            for question in ("blocks_sight", "stops_shots"):
                hidden = any(
                    shadow.low < height < shadow.high and (shadow.sight if question == "blocks_sight" else shadow.shots)
                    for shadow in found
                )
                expected = is_stopped(field, spot(centre(one), eye), spot(goal, height), (one, other), question)
                assert hidden == expected, (one, other, goal, height, question)


@examples(150)
@given(seeds)
def test_an_obstacle_more_never_shows_more(random):
    field = random_field(random)
    one, other = random_body(random, field), random_body(random, field)
    before = trace(field, one, other)
    if random.random() < 0.5:
        index = random.randrange(len(field.ground))
        ground = [kind if place != index else list(GLYPHS).index("#") for place, kind in enumerate(field.ground)]
        fuller = replace(field, ground=tuple(ground))
    else:
        edge = Edge(random.randrange(field.columns), random.randrange(field.rows), random.choice("NW"))
        if edge in field.barriers:
            return
        fuller = with_barriers(field, [edge], random.choice([WALL, LOW, SLIT]))
    after = trace(fuller, one, other)
    assert after.visible <= before.visible
    assert after.covered >= before.covered
    assert before.clear or not after.clear


@examples(150)
@given(seeds, st.sampled_from([turned, mirrored]))
def test_turning_the_map_turns_the_answer(random, change):
    field = random_field(random)
    one, other = random_body(random, field), random_body(random, field)
    here, there = trace(field, one, other), trace(*change(field, one, other))
    for name in ("visible", "covered", "clear", "smoke", "smoke_squares", "light", "rise"):
        assert getattr(here, name) == getattr(there, name), name
    assert {here.columns_apart, here.rows_apart} == {there.columns_apart, there.rows_apart}
    for name in ("first_blocker", "cover"):
        mine, theirs = getattr(here, name), getattr(there, name)
        assert (mine is None) == (theirs is None)
        assert mine is None or mine.share == theirs.share or name == "first_blocker"


@examples(150)
@given(seeds)
def test_the_record_of_a_trace_is_in_order(random):
    field = random_field(random)
    one, other = random_body(random, field), random_body(random, field)
    answer = trace(field, one, other)
    places = [crossing.start for crossing in answer.crossings]
    assert places == sorted(places)
    assert answer.crossings[0].square in one.squares or one.at == other.at
    assert answer.crossings[-1].square in other.squares
    assert 0 <= answer.visible <= 1 and 0 <= answer.covered <= 1
    for blocker in (answer.first_blocker, answer.cover):
        assert blocker is None or 0 < blocker.share <= 1
    assert (answer.cover is None) == (answer.covered == 0)
    assert answer.words.endswith(".") and "\n" not in answer.words
    assert all(isinstance(square, Square) for square in answer.squares)
