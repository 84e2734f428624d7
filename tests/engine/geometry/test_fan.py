"""The field of view over every square against the trace of single pairs, square by square."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest

from engine.geometry.battlefield import LIGHTS, SKY, OffMap
from engine.geometry.body import POSTURES, Body, body
from engine.geometry.field_of_view.all_squares import FieldOfView, overlook
from engine.geometry.field_of_view.fan_rays import DENSITY, rays
from engine.geometry.los.sight import POINTS, trace
from engine.geometry.squares import Direction, Square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tests.engine.geometry.drawing import WALL, drawn, edge, mirrored, person, random_field, turned
from tests.engine.geometry.ray import is_stopped
from tests.engine.geometry.test_sight_laws import centre, feet, spot
from tests.examples import sample


def random_case(seed: int, largest: int = 1, side: int = 14) -> tuple:
    """A map of any shape, an observer and a body like those looked at."""
    random = Random(seed)
    columns, rows = random.randrange(largest, side), random.randrange(largest, side)
    field = random_field(random, columns, rows)

    def one() -> Body:
        size = random.choice([1, 1, largest])
        at = Square(random.randrange(columns - size + 1), random.randrange(rows - size + 1))
        return body(at, field.unit, random.choice(POSTURES), size, random.choice([0, 0, 0, 120, 250]))

    return field, one(), one()


def places(field, like: Body) -> list[Square]:
    return [
        square
        for square in field.squares()
        if square.column + like.size <= field.columns and square.row + like.size <= field.rows
    ]


def assert_as_traced(field, observer: Body, like: Body, answer: FieldOfView) -> None:
    left = np.ones((field.rows, field.columns), np.bool_)
    for square in places(field, like):
        expected, place = trace(field, observer, replace(like, at=square)), (square.row, square.column)
        left[place] = False
        case = observer, like, square
        assert answer.clear[place] == expected.clear, case
        assert abs(answer.visible[place] - float(expected.visible)) < 1e-12, case
        assert abs(answer.covered[place] - float(expected.covered)) < 1e-12, case
        assert (answer.visible[place] > 0) == expected.can_see, case
        assert (answer.visible[place] == 1) == (expected.visible == 1), case
        assert abs(answer.smoke[place] - float(expected.smoke)) < 1e-9, case
        assert LIGHTS[answer.light[place]] == expected.light, case
    assert not answer.visible[left].any() and not answer.clear[left].any() and answer.covered[left].all()


@pytest.mark.parametrize("seed", sample(range(50), 15))
def test_every_square_is_as_traced(seed):
    field, observer, like = random_case(seed)
    assert_as_traced(field, observer, like, overlook(field, observer, like))


@pytest.mark.parametrize("seed", sample(range(24), 8))
def test_every_square_is_as_traced_for_large_bodies(seed):
    field, observer, like = random_case(seed, 2 + seed % 3)
    assert_as_traced(field, observer, like, overlook(field, observer, like))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 2000, 100))
def test_every_square_is_as_traced_on_a_thousand_maps(start):
    for seed in range(start, start + 100):
        field, observer, like = random_case(seed, side=20)
        assert_as_traced(field, observer, like, overlook(field, observer, like))
        field, observer, like = random_case(seed, 1 + seed % 4)
        assert_as_traced(field, observer, like, overlook(field, observer, like))


@pytest.mark.parametrize("shape", [(70, 9), (9, 70), (45, 45)])
def test_far_squares_are_as_traced(shape):
    random = Random(str(shape))
    field = random_field(random, *shape)
    observer, like = person("E5"), person("A1")
    answer = overlook(field, observer, like)
    for square in random.sample(field.squares(), 60):
        expected = trace(field, observer, replace(like, at=square))
        place = square.row, square.column
        assert answer.clear[place] == expected.clear
        assert abs(answer.visible[place] - float(expected.visible)) < 1e-12
        assert abs(answer.covered[place] - float(expected.covered)) < 1e-12
        assert abs(answer.smoke[place] - float(expected.smoke)) < 1e-9


def differing_squares(seeds: Iterable[int]) -> int:
    """How many squares have another flag than a judge of single rays in plain fractions says."""
    count = 0
    for seed in seeds:
        field, observer, like = random_case(seed, side=8)
        answer = overlook(field, observer, like)
        start = spot(centre(observer), feet(field, observer) + observer.eyes)
        for square in places(field, like):
            target = replace(like, at=square)
            end = spot(centre(target), feet(field, target) + target.eyes)
            stopped = is_stopped(field, start, end, (observer, target), "blocks_sight")
            count += int(answer.clear[square.row, square.column] == stopped)
    return count


def asymmetric_pairs(seeds: Iterable[int]) -> int:
    """How many pairs of squares are clear from one to the other and not back."""
    count = 0
    for seed in seeds:
        field, observer, _ = random_case(seed, side=8)
        everywhere = np.stack(
            [overlook(field, replace(observer, at=square), observer).clear.ravel() for square in field.squares()]
        )
        count += int((everywhere != everywhere.T).sum())
    return count


def test_no_square_differs_from_a_judge_of_single_rays():
    assert differing_squares(range(20)) == 0


def test_no_pair_is_clear_one_way_only():
    assert asymmetric_pairs(range(8)) == 0


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("change", [turned, mirrored])
def test_turning_the_map_turns_the_answer(seed, change):
    field, observer, like = random_case(seed)
    here = overlook(field, observer, like)
    there = overlook(*change(field, observer), like)
    for name in ("visible", "covered", "clear", "smoke", "light"):
        mine = getattr(here, name)
        mine = np.rot90(mine, -1) if change is turned else np.fliplr(mine)
        np.testing.assert_allclose(getattr(there, name), mine, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_a_body_in_the_way_never_shows_more(seed):
    field, observer, like = random_case(seed)
    random = Random(seed)
    size = random.choice([1, 1, 2]) if min(field.columns, field.rows) > 1 else 1
    at = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    other = body(at, field.unit, random.choice(POSTURES), size, random.choice([0, 0, 150]))
    before, after = overlook(field, observer, like), overlook(field, observer, like, obstacles=[other])
    assert (after.visible <= before.visible + 1e-12).all()
    assert (after.covered >= before.covered - 1e-12).all()
    assert (before.clear | ~after.clear).all()


@pytest.mark.parametrize("altitude", [0, 60])
def test_a_body_in_the_way_hides_like_a_thing_of_its_height(altitude):
    field = drawn(*["." * 15] * 9)
    other = person("H5", altitude=altitude)
    answer = overlook(field, person("A5"), person("A1"), obstacles=[other, person("A5")])
    assert answer.visible[4, 7] == 1 and answer.clear[4, 7]
    assert not answer.clear[4, 8:].any()
    assert answer.visible[4, 8] == 0 if altitude == 0 else 0 < answer.visible[4, 8] < 1
    assert (answer.visible + answer.covered == 1).all()


@pytest.mark.parametrize("count", [1, 9])
def test_other_choices_of_body_points(count):
    pillar = drawn("." * 9, "....#....", "." * 9)
    answer = overlook(pillar, person("A2"), person("A1"), points=count)
    assert answer.visible[1, 8] == 0 and answer.clear[0, 5]
    shares = answer.visible * count
    np.testing.assert_allclose(shares, np.rint(shares), atol=1e-12)


def test_a_mirror_that_is_seen_through_one_way():
    field = drawn("." * 9)
    mirror = edge("E1 W")
    field = with_barriers(field, [mirror], replace(WALL, seen_through=Direction.E))
    there, back = (overlook(field, person(name), person("A1")) for name in ("A1", "I1"))
    assert (there.visible == 1).all() and (back.visible[0, :4] == 0).all()
    assert (there.clear == (np.arange(9) < 4)).all() and (back.clear == (np.arange(9) >= 4)).all()
    assert (there.covered[0, 4:] == 1).all()


def test_what_lies_beyond_the_reach_is_not_seen():
    field = drawn(*["." * 21] * 11)
    answer = overlook(field, person("K6"), person("A1"), reach=4)
    seen = np.zeros((11, 21), np.bool_)
    seen[1:10, 6:15] = True
    assert (answer.clear == seen).all() and (answer.visible == seen).all() and (answer.covered == ~seen).all()


@pytest.mark.parametrize("rows", [["."], ["#"], ["." * 7], ["#" * 7], [".", "#", "."], ["###", "###", "###"]])
def test_small_and_solid_maps(rows):
    field = drawn(*rows)
    for at in field.squares():
        observer = body(at, "metres")
        assert_as_traced(field, observer, observer, overlook(field, observer, observer))


def test_a_body_too_large_for_the_map_is_seen_nowhere():
    answer = overlook(drawn("..", ".."), person("A1"), person("A1", size=3))
    assert not answer.visible.any() and answer.covered.all() and not answer.clear.any()


def test_no_such_choice_of_body_points():
    with pytest.raises(ValueError, match="3 is not one of 1, 5, 9 body points"):
        overlook(drawn("..."), person("A1"), person("A1"), points=3)


def test_an_observer_off_the_map():
    with pytest.raises(OffMap, match="K1 is off the map"):
        overlook(drawn("..."), person("K1"), person("A1"))
    with pytest.raises(OffMap):
        overlook(drawn("...", "..."), person("B1", size=3), person("A1"))


def test_the_largest_map():
    field = drawn(*["." * 500] * 500)
    corner = overlook(field, person("A1"), person("A1"))
    assert (corner.visible == 1).all() and (corner.covered == 0).all() and corner.clear.all()


def test_bodies_above_the_sky_are_asked_line_by_line():
    field = drawn("..#..")
    answer = overlook(field, person("A1", altitude=SKY), person("A1"))
    assert_as_traced(field, person("A1", altitude=SKY), person("A1"), answer)


@pytest.mark.parametrize("depth", [32, 64, 256])
def test_neighbouring_rays_keep_to_neighbouring_rows(depth):
    table = rays(depth, POINTS[9])
    for strip in range(1, depth + 1):
        level = table.level(strip)
        rows = table.rows[strip + 1, :: 1 << level]
        assert np.diff(rows).max() <= 1 and np.diff(rows).min() >= 0
    assert table.pairs >= 2 * DENSITY * depth
