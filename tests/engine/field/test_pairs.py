"""All pairs at once say what the trace says of each."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from engine.field.battlefield import OffMap
from engine.field.pairs import Sightings, between, moved
from engine.field.sight import trace
from engine.field.silhouette import Body, body
from engine.field.squares import Square
from tests.engine.field.drawing import drawn, person, random_field


def crowd(random: Random, field, count: int = 6) -> list[Body]:
    """Bodies of sizes 1 to 4, of every posture, some in the air, some on the same square."""
    largest = min(4, field.columns, field.rows)
    size = random.choice([1, largest])
    return [a_body(random, field, random.choice([1, 1, size, min(2, largest)])) for _ in range(count)]


def a_body(random: Random, field, size: int) -> Body:
    at = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    posture = random.choice(["standing", "kneeling", "prone"])
    return body(at, field.unit, posture, size, random.choice([0, 0, 0, 120, 250]))


def assert_agrees(field, observers: list[Body], targets: list[Body], found: Sightings) -> None:
    for (row, one), (column, other) in product(enumerate(observers), enumerate(targets)):
        answer = trace(field, one, other)
        said = one, other, field
        assert abs(found.visible[row, column] - answer.visible) < 1e-12, said
        assert abs(found.covered[row, column] - answer.covered) < 1e-12, said
        assert found.clear[row, column] == answer.clear, said
        assert abs(found.smoke[row, column] - answer.smoke) < 1e-8, said


def check(seed: int) -> None:
    random = Random(seed)
    field = random_field(random, random.choice([1, 4, 7, 9, 14]), random.choice([1, 4, 6, 8, 12]))
    bodies = crowd(random, field)
    found = between(field, bodies, bodies)
    assert_agrees(field, bodies, bodies, found)
    assert np.array_equal(found.clear, found.clear.T)
    others = crowd(random, field, 3)
    assert_agrees(field, others, bodies, between(field, others, bodies))


@pytest.mark.parametrize("seed", range(100))
def test_all_pairs_agree_with_the_trace(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 6000))
def test_all_pairs_agree_with_the_trace_on_many_maps(seed: int) -> None:
    check(seed)


def same(one: Sightings, other: Sightings) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("visible", "covered", "clear", "smoke")
    )


@pytest.mark.parametrize("seed", range(30))
def test_after_a_move_the_matrix_is_that_of_all_pairs_anew(seed: int) -> None:
    random = Random(seed)
    field = random_field(random, 9, 8)
    bodies = crowd(random, field)
    before = between(field, bodies, bodies)
    kept = [array.copy() for array in (before.visible, before.covered, before.clear, before.smoke)]
    index = random.randrange(len(bodies))
    bodies[index] = a_body(random, field, random.choice([1, 2]))
    assert same(moved(before, field, bodies, index), between(field, bodies, bodies))
    assert same(before, Sightings(*kept))


def test_nobody_sees_nobody() -> None:
    field = drawn("..", "..")
    for observers, targets in (([], []), ([person("A1")], []), ([], [person("A1")])):
        found = between(field, observers, targets)
        for array in (found.visible, found.covered, found.clear, found.smoke):
            assert array.shape == (len(observers), len(targets))


def test_who_shares_a_square_is_seen_whole() -> None:
    field = drawn("c#", "..", smoke={"A1": 2})
    found = between(field, [person("A1")], [person("A1"), person("A1", "prone"), person("A1", altitude=300)])
    assert found.visible.tolist() == [[1, 1, 1]]
    assert found.covered.tolist() == [[0, 0, 0]]
    assert found.clear.all()
    assert not found.smoke.any()


@pytest.mark.parametrize("name", ["C1", "A3"])
def test_a_body_off_the_map_is_refused(name: str) -> None:
    field = drawn("..", "..")
    for observers, targets in (([person(name)], [person("A1")]), ([person("A1")], [person(name)])):
        with pytest.raises(OffMap, match="is off the map"):
            between(field, observers, targets)
    with pytest.raises(OffMap):
        between(field, [person("A1")], [person("A1")], obstacles=[person(name)])
