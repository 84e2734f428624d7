"""The field of view against the trace of single pairs: the overlay, all pairs, and one that moved."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.geometry.battlefield import SKY, Battlefield, Ground, OffMap
from engine.geometry.body import POSTURES, Body, body
from engine.geometry.kernel import questions
from engine.geometry.los.field_of_view import FieldOfView, between, moved, overlook
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.sight_model import OWN_COVER, SightModel
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from tests.engine.geometry.drawing import (
    GLYPHS,
    WALL,
    drawn,
    edge,
    mirrored,
    person,
    random_crowd,
    random_field,
    turned,
    with_mirrors,
)
from tests.examples import sample

SOFT = (Ground("grass", "reeds", 150, True), Ground("grass", "bush", 90, True))


def random_map(random: Random, columns: int, rows: int) -> Battlefield:
    """Everything that a map may have, soft things and mirrors, too; by rules of sight of any kind."""
    field = random_field(random, columns, rows)
    soft = [len(GLYPHS), len(GLYPHS) + 1]
    ground = tuple(random.choice(soft) if kind and random.random() < 0.3 else kind for kind in field.ground)
    field = replace(field, legend=(*field.legend, *SOFT), ground=ground)
    if random.random() < 0.3:
        field = with_mirrors(random, field)
    if random.random() < 0.3:
        field = replace(field, smoke_opacity=SmokeOpacity(random.choice([0, 1, 3])))
    flags = [random.random() < 0.5 for _ in range(3)]
    shares = random.choice([0, 10, 20]), random.choice([0, 5, 10])
    model = SightModel(flags[0], random.choice(OWN_COVER), flags[1], random.choice([0, 1, 2]), *shares, flags[2])
    return replace(field, sight=model) if random.random() < 0.4 else field


def random_person(random: Random, field: Battlefield) -> Body:
    size = random.choice([1, 1, 1, 2, 3])
    at = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    altitude = random.choice([0, 0, 0, 120, 250])
    found = body(at, field.unit, random.choice(POSTURES), size, altitude, sight=field.sight)
    return replace(found, lean=found.lean and random.random() < 0.8)


def case(seed: int, columns: int = 0, rows: int = 0) -> tuple[Random, Battlefield, list[Body]]:
    random = Random(seed)
    field = random_map(random, columns or random.randrange(4, 14), rows or random.randrange(4, 14))
    return random, field, random_crowd(random, field) if random.random() < 0.5 else []


def assert_as_traced(
    field: Battlefield, one: Body, other: Body, crowd: list[Body], seen: float, covered: float
) -> None:
    line = trace(field, one, other, crowd)
    said = field.sight, one, other, line.words
    assert abs(seen - float(line.visible)) < 1e-9, said
    assert abs(covered - float(line.covered)) < 1e-9, said
    assert (seen > 0, seen == 1, covered == 1) == (line.can_see, line.visible == 1, line.covered == 1), said


def assert_overlay_as_traced(
    field: Battlefield, one: Body, like: Body, crowd: list[Body], found: FieldOfView, most: int = 60
) -> None:
    places = [
        square
        for square in field.squares()
        if square.column + like.size <= field.columns and square.row + like.size <= field.rows
    ]
    left = np.ones((field.rows, field.columns), np.bool_)
    for square in places:
        left[square.row, square.column] = False
    assert not found.visible[left].any() and found.covered[left].all()
    for square in Random(0).sample(places, min(most, len(places))):
        at, other = (square.row, square.column), replace(like, at=square)
        assert_as_traced(field, one, other, crowd, found.visible[at], found.covered[at])


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(60), 20))
def test_every_square_is_as_traced(seed: int) -> None:
    random, field, crowd = case(seed)
    one, like = random_person(random, field), random_person(random, field)
    assert_overlay_as_traced(field, one, like, crowd, overlook(field, one, like, obstacles=crowd))


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 2000, 100))
def test_every_square_is_as_traced_on_a_thousand_maps(start: int) -> None:
    for seed in range(start, start + 100):
        random, field, crowd = case(seed, random_side(seed), random_side(seed + 1))
        one, like = random_person(random, field), random_person(random, field)
        assert_overlay_as_traced(field, one, like, crowd, overlook(field, one, like, obstacles=crowd), 40)


def random_side(seed: int) -> int:
    return Random(seed).randrange(4, 40)


@pytest.mark.long
@pytest.mark.parametrize("shape", [(70, 9), (9, 70), (45, 45)])
def test_far_squares_are_as_traced(shape: tuple[int, int]) -> None:
    field = random_field(Random(str(shape)), *shape)
    one, like = person("E5"), person("A1")
    assert_overlay_as_traced(field, one, like, [], overlook(field, one, like))


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(60), 20))
def test_all_pairs_and_one_that_moved_are_as_traced(seed: int) -> None:
    random, field, crowd = case(seed)
    people = [random_person(random, field) for _ in range(6)]
    found = between(field, people, people, crowd)
    people[2] = random_person(random, field)
    after = moved(found, field, people, 2, crowd)
    np.testing.assert_array_equal(after.visible, between(field, people, people, crowd).visible)
    some = between(field, people[:2], people, crowd)
    for row, one in enumerate(people):
        for column, other in enumerate(people):
            if one is not other:
                assert_as_traced(field, one, other, crowd, after.visible[row, column], after.covered[row, column])
                if row < 2:
                    assert some.visible[row, column] == after.visible[row, column]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("change", [turned, mirrored])
def test_turning_the_map_turns_the_answer(seed: int, change) -> None:
    random, field, _ = case(seed)
    one, like = random_person(random, field), replace(random_person(random, field), size=1)
    here, there = overlook(field, one, like), overlook(*change(field, one), like)
    for name in ("visible", "covered"):
        mine = getattr(here, name)
        mine = np.rot90(mine, -1) if change is turned else np.fliplr(mine)
        np.testing.assert_allclose(getattr(there, name), mine, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_a_body_in_the_way_never_shows_more(seed: int) -> None:
    random, field, _ = case(seed)
    one, like, other = (random_person(random, field) for _ in range(3))
    before, after = overlook(field, one, like), overlook(field, one, like, obstacles=[other])
    assert (after.visible <= before.visible + 1e-12).all()
    assert (after.covered >= before.covered - 1e-12).all()


def test_a_mirror_that_is_seen_through_one_way() -> None:
    field = with_barriers(drawn("." * 9), [edge("E1 W")], replace(WALL, seen_through=Direction.E))
    there, back = (overlook(field, person(name), person("A1")) for name in ("A1", "I1"))
    assert (there.visible == 1).all() and (back.visible[0, :4] == 0).all()
    assert (there.covered[0, 4:] == 1).all()


def test_what_lies_outside_of_a_part_of_the_map_is_not_seen() -> None:
    field = drawn(*["." * 21] * 11)
    answer = overlook(field, person("K6"), person("A1"), within=(parse_square("G2"), parse_square("O10")))
    seen = np.zeros((11, 21), np.bool_)
    seen[1:10, 6:15] = True
    assert (answer.visible == seen).all() and (answer.covered == ~seen).all()


@pytest.mark.parametrize("rows", [["."], ["#"], ["." * 7], ["#" * 7], [".", "#", "."], ["###", "###", "###"]])
def test_small_and_solid_maps(rows: list[str]) -> None:
    field = drawn(*rows)
    for at in field.squares():
        one = body(at, "metres")
        assert_overlay_as_traced(field, one, one, [], overlook(field, one, one))


def test_a_body_too_large_for_the_map_is_seen_nowhere() -> None:
    answer = overlook(drawn("..", ".."), person("A1"), person("A1", size=3))
    assert not answer.visible.any() and answer.covered.all()


def test_an_observer_off_the_map() -> None:
    with pytest.raises(OffMap, match="K1 is off the map"):
        overlook(drawn("..."), person("K1"), person("A1"))
    with pytest.raises(OffMap):
        between(drawn("...", "..."), [person("B1", size=3)], [person("A1")])


@pytest.mark.long
def test_the_largest_map() -> None:
    field = drawn(*["." * 500] * 500)
    corner = between(field, [person("A1")], [person("SF500"), person("SF1"), person("B3")])
    assert (corner.visible == 1).all() and (corner.covered == 0).all()


def test_bodies_above_the_sky() -> None:
    field, one = drawn("..#.."), person("A1", altitude=SKY)
    assert_overlay_as_traced(field, one, person("A1"), [], overlook(field, one, person("A1")))


def test_nobody_sees_nobody() -> None:
    assert between(drawn("..."), [], []).visible.shape == (0, 0)
    assert between(drawn("..."), [person("A1")], []).visible.shape == (1, 0)


def test_the_tracer_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiled kernel an overlay is looked at row by row."""
    monkeypatch.setattr(questions, "library", lambda: None)
    field, one = drawn("....", ".#.."), person("A1")
    counts = [int(np.isnan(overlook(field, one, one, most=3).visible).sum()) for _ in range(4)]
    assert counts == [5, 2, 0, 0]
    whole = overlook(field, one, one)
    np.testing.assert_array_equal(overlook(field, one, one, most=0).visible, whole.visible)
    assert np.isnan(overlook(field, one, person("A1"), most=0, obstacles=[person("C1")]).covered).all()
