"""All pairs at once say what the trace says of each."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from engine.geometry.batch_sight import pairs
from engine.geometry.batch_sight.pairs import Sightings, between, moved
from engine.geometry.battlefield import Ground, OffMap
from engine.geometry.body import Body, body
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tests.engine.geometry.drawing import LOW, PANE, SIGN, WALL, WINDOW, drawn, edge, person, random_field


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


@pytest.mark.slow
def test_all_pairs_agree_with_the_trace() -> None:
    for seed in range(100):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 5000, 500))
def test_all_pairs_agree_with_the_trace_on_many_maps(first: int) -> None:
    for seed in range(first, first + 500):
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


def long_map(random: Random):
    """A map of long lines, few things, and slopes that mostly hide nothing."""
    columns, rows = random.choice([(60, 3), (3, 60), (50, 40)])
    plain = drawn(*["." * columns] * rows)
    count = columns * rows
    return replace(
        plain,
        ground=tuple(random.randrange(1, 7) if random.random() < 0.02 else 0 for _ in range(count)),
        elevation=tuple(random.choice([0, 0, 0, 10, 90, 180]) for _ in range(count)),
        smoke=tuple(random.choice([0, 0, 0, 1]) for _ in range(count)),
        barriers={
            Edge(random.randrange(columns), random.randrange(rows), random.choice("NW")): random.choice(
                [LOW, WINDOW, SIGN, PANE, replace(WALL, top=120)]
            )
            for _ in range(count // 20)
        },
    )


def test_long_lines_agree_with_the_trace() -> None:
    for seed in range(12):
        random = Random(seed)
        field = long_map(random)
        bodies = [a_body(random, field, random.choice([1, 1, 1, 2, 3])) for _ in range(7)]
        assert_agrees(field, bodies, bodies, between(field, bodies, bodies))


def test_a_crowd_is_seen_as_by_looking_at_every_strip(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(3)
    field = long_map(Random(5))
    assert (field.columns, field.rows) == (50, 40)
    bodies = [a_body(random, field, random.choice([1, 1, 1, 1, 2, 4])) for _ in range(60)]
    found = between(field, bodies, bodies)
    monkeypatch.setattr(pairs, "has_corridor", lambda lines: np.zeros(len(lines), bool))
    whole = between(field, bodies, bodies)
    for name in ("visible", "covered", "smoke"):
        assert np.abs(getattr(found, name) - getattr(whole, name)).max() < 1e-12
    assert np.array_equal(found.clear, whole.clear)
    assert np.array_equal(found.clear, found.clear.T)
    assert 0.05 < found.visible.mean() < 0.95


def with_objects(field, bodies: list[Body]):
    """The same field with something solid on the squares of bodies on the ground."""
    filled = Ground("floor", "body", bodies[0].height, True, True)
    squares = {square for one in bodies for square in one.squares}
    ground = tuple(
        len(field.legend) if square in squares else field.ground[number]
        for number, square in enumerate(field.squares())
    )
    return replace(field, legend=(*field.legend, filled), ground=ground)


def test_bodies_in_the_way_are_like_objects_on_their_squares() -> None:
    hides = 0
    for seed in range(40):
        random = Random(seed)
        field = drawn(*["." * 9] * 8)
        obstacles = [person(Square(*random.choice([(3, 3), (4, 4), (5, 2), (2, 5)])).name, size=2) for _ in range(2)]
        bodies = [a_body(random, field, random.choice([1, 2])) for _ in range(5)]
        found = between(field, bodies, bodies, obstacles=obstacles)
        filled = with_objects(field, obstacles)
        plain = between(filled, bodies, bodies)
        assert same(found, plain)
        hides += int((found.visible < 1).sum())
    assert hides > 60


def test_one_who_looks_is_not_in_the_own_way() -> None:
    random = Random(5)
    field = random_field(random, 9, 8)
    bodies = [person("B2", size=2), person("H7"), person("B7")]
    everybody = between(field, bodies, bodies, obstacles=bodies)
    for one, other, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        alone = between(field, [bodies[one]], [bodies[other]], obstacles=[bodies[third]])
        assert everybody.visible[one, other] == alone.visible[0, 0]
        assert everybody.covered[one, other] == alone.covered[0, 0]


def test_below_a_flyer_one_sees_through() -> None:
    field = drawn(".....")
    observer, target = person("A1"), person("E1")
    high = between(field, [observer], [target], obstacles=[person("C1", altitude=200)])
    assert high.visible[0, 0] == 1
    hovering = between(field, [observer], [target], obstacles=[person("C1", altitude=100)])
    assert 0 < hovering.visible[0, 0] < 1
    assert hovering.visible[0, 0] == 1 - hovering.covered[0, 0]
    assert not hovering.clear[0, 0]


def test_a_one_way_mirror_hides_one_way_and_stops_shots_both_ways() -> None:
    mirror = replace(WALL, kind="mirror", seen_through=Direction.E)
    field = drawn("...", barriers={"B1 E": mirror})
    west, east = person("A1"), person("C1")
    found = between(field, [west, east], [west, east])
    assert found.visible.tolist() == [[1, 1], [0, 1]]
    assert found.covered.tolist() == [[0, 1], [1, 0]]
    assert found.clear.tolist() == [[True, False], [False, True]]


@pytest.mark.slow
def test_the_largest_map_is_seen_across() -> None:
    field = drawn(*["." * 500] * 500)
    corners = [person(Square(column, row).name) for column in (0, 499) for row in (0, 499)]
    found = between(field, corners, corners)
    assert (found.visible == 1).all() and not found.covered.any() and found.clear.all()
    walled = with_barriers(field, [edge("E499 N")], WALL)
    one, other = person("E1"), person("E500")
    assert between(walled, [one], [other]).visible[0, 0] == 0
    assert between(walled, [person("F1")], [person("F500")]).visible[0, 0] == 1


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
