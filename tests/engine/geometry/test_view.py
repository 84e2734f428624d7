"""The binary field of view agrees with the tracer, square by square, and from either end."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Battlefield, OffMap
from engine.geometry.body import body
from engine.geometry.squares import Direction, Square, edge_of, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.geometry.visibility.height_cut import plan
from engine.geometry.visibility.shadowcast import seen_from
from engine.values import replace
from tests.engine.geometry.drawing import WALL, drawn, mirrored, person, random_field, turned
from tests.engine.geometry.drawing import straight as trace
from tests.examples import examples, sample

seeds = st.integers(0, 10**9).map(Random)
MIRRORS = {side: replace(WALL, kind="mirror", seen_through=side) for side in (Direction.E, Direction.N)}


def flat_field(random: Random, columns: int, rows: int) -> Battlefield:
    return replace(random_field(random, columns, rows), elevation=(0,) * (columns * rows))


def names(seen: bytes, field: Battlefield) -> set[str]:
    return {square.name for square, flag in zip(field.squares(), seen, strict=True) if flag}


def resolved(field: Battlefield, start: Square, end: Square) -> Battlefield:
    """The map as one line meets it: without the panes that are seen through the way it goes."""
    ways = set()
    if end.column != start.column:
        ways.add(Direction.E if end.column > start.column else Direction.W)
    if end.row != start.row:
        ways.add(Direction.S if end.row > start.row else Direction.N)
    left = {edge: barrier for edge, barrier in field.barriers.items() if barrier.seen_through not in ways}
    return replace(field, barriers=left)


@pytest.mark.long
@examples(100)
@given(seeds, st.integers(1, 14), st.integers(1, 14))
def test_every_square_agrees_with_the_tracer(random, columns, rows):
    field = flat_field(random, columns, rows)
    here = random.choice(field.squares())
    seen = seen_from(plan(field), here)
    for there, flag in zip(field.squares(), seen, strict=True):
        assert flag == trace(field, body(here, "metres"), body(there, "metres")).clear, (here, there)


@pytest.mark.slow
@examples(20)
@given(seeds)
def test_far_squares_agree_with_the_tracer(random):
    field = flat_field(random, 60, 45)
    here = random.choice(field.squares())
    seen = seen_from(plan(field), here)
    for there in random.sample(field.squares(), 60):
        assert seen[field.index(there)] == trace(field, body(here, "metres"), body(there, "metres")).clear


@examples(40)
@given(seeds, st.integers(1, 12), st.integers(1, 12))
def test_no_pair_of_squares_is_seen_one_way_only(random, columns, rows):
    field = flat_field(random, columns, rows)
    drawn_once = plan(field)
    views = [seen_from(drawn_once, square) for square in field.squares()]
    assert not [(i, j) for i, view in enumerate(views) for j, flag in enumerate(view) if flag != views[j][i]]


@pytest.mark.long
@examples(40)
@given(seeds)
def test_one_way_panes_agree_with_the_tracer_on_the_map_as_the_line_meets_it(random):
    field = flat_field(random, 8, 7)
    barriers = {
        edge: replace(
            barrier,
            seen_through=random.choice([None, *((Direction.W, Direction.E) if edge.side == "W" else (Direction.N,))]),
        )
        for edge, barrier in field.barriers.items()
    }
    field = replace(field, barriers=barriers)
    here = random.choice(field.squares())
    seen = seen_from(plan(field, one_way=True), here)
    for there, flag in zip(field.squares(), seen, strict=True):
        line = trace(resolved(field, here, there), body(here, "metres"), body(there, "metres"))
        assert flag == line.clear, (here, there)


@examples(40)
@given(seeds, st.sampled_from([turned, mirrored]))
def test_turning_the_map_turns_the_view(random, change):
    field = flat_field(random, 9, 7)
    one = body(random.choice(field.squares()), "metres")
    other_field, other = change(field, one)
    assert sum(seen_from(plan(field), one.at)) == sum(seen_from(plan(other_field), other.at))


@pytest.mark.long
@examples(40)
@given(seeds)
def test_shots_are_a_question_of_their_own(random):
    field = flat_field(random, 7, 6)
    here = random.choice(field.squares())
    reached = seen_from(plan(field, "stops_shots"), here)
    for there, flag in zip(field.squares(), reached, strict=True):
        line = trace(field, body(here, "metres"), body(there, "metres"))
        assert flag == (not any(crossing.stops_shots for crossing in line.crossings))


def test_nothing_is_seen_through_the_slit_of_a_diagonal_wall_and_one_corner_hides_nothing():
    field = drawn("..#", ".#.", "#..")
    assert "C3" not in names(seen_from(plan(field), parse_square("A1")), field)
    field = drawn("...", ".#.", "...")
    seen = names(seen_from(plan(field), parse_square("A1")), field)
    assert {"C1", "A3", "B2"} <= seen
    assert "C3" not in seen
    field = drawn(".#.", "...")
    assert "B2" in names(seen_from(plan(field), parse_square("A1")), field)


def test_a_ray_between_two_corners_is_seen_and_one_through_a_slit_is_not():
    kiss = drawn("....", "..#.", "....", "....", "....", "....", "....", "....")
    field = with_barriers(kiss, [edge_of(parse_square("C6"), Direction.N)], WALL)
    one, other = parse_square("B1"), parse_square("D7")
    assert trace(field, body(one, "metres"), body(other, "metres")).clear
    assert seen_from(plan(field), one)[field.index(other)] == 1
    assert seen_from(plan(field), other)[field.index(one)] == 1


def test_low_things_and_open_doors_hide_nothing_at_eye_height():
    field = drawn("..c.#.")
    assert names(seen_from(plan(field), Square(0, 0)), field) == {"A1", "B1", "C1", "D1", "E1"}
    assert names(seen_from(plan(field, "blocks_sight", 100), Square(0, 0)), field) == {"A1", "B1", "C1"}


def test_what_rises_to_the_very_height_of_the_cut_is_not_in_the_way():
    field = drawn("..c.")
    assert seen_from(plan(field, "blocks_sight", 120), Square(0, 0)) == b"\1\1\1\1"
    assert seen_from(plan(field, "blocks_sight", 119), Square(0, 0)) == b"\1\1\1\0"


def test_thin_walls_hide_and_so_does_ground_above_the_cut():
    field = drawn("....", barriers={"C1 W": WALL})
    assert seen_from(plan(field), Square(0, 0)) == b"\1\1\0\0"
    field = drawn("....", elevation={"B1": 300})
    assert seen_from(plan(field), Square(0, 0)) == b"\1\1\0\0"


def test_one_way_mirror_is_seen_through_one_way_only():
    field = drawn("....", barriers={"C1 W": MIRRORS[Direction.E]})
    assert seen_from(plan(field, one_way=True), Square(0, 0)) == b"\1\1\1\1"
    assert seen_from(plan(field, one_way=True), Square(3, 0)) == b"\0\0\1\1"
    field = drawn(".", ".", ".", barriers={"A2 N": MIRRORS[Direction.N]})
    assert seen_from(plan(field, one_way=True), Square(0, 0)) == b"\1\0\0"
    assert seen_from(plan(field, one_way=True), Square(0, 2)) == b"\1\1\1"


def test_one_way_mirror_hides_both_ways_where_sight_is_mutual():
    field = drawn("....", barriers={"C1 W": MIRRORS[Direction.E]})
    assert seen_from(plan(field), Square(0, 0)) == b"\1\1\0\0"
    assert seen_from(plan(field), Square(3, 0)) == b"\0\0\1\1"


def test_reach_is_a_circle_round_the_middle_of_the_square():
    field = drawn(*["." * 9] * 9)
    near = seen_from(plan(field), Square(4, 4), 2)
    assert names(near, field) == {
        square.name for square in field.squares() if (square.column - 4) ** 2 + (square.row - 4) ** 2 <= 4
    }
    assert sum(seen_from(plan(field), Square(4, 4), 0)) == 1
    assert seen_from(plan(field), Square(0, 0), 99) == b"\1" * 81


@pytest.mark.parametrize("rows", [(".",), ("#",), ("." * 30,), (*"." * 30,)])
def test_the_smallest_maps_are_seen_whole(rows):
    field = drawn(*rows)
    assert seen_from(plan(field), Square(0, 0)) == b"\1" * (field.columns * field.rows)


def test_from_within_a_wall_the_neighbours_are_seen():
    field = drawn("####", "####", "####", "####")
    assert names(seen_from(plan(field), parse_square("B2")), field) == {"B2", "A2", "C2", "B1", "B3"}


@pytest.mark.parametrize("corner", sample([Square(250, 0), Square(0, 0), Square(499, 499), Square(0, 499)]))
def test_the_largest_map_is_seen_from_its_edge(corner):
    field = drawn(*["." * 500] * 500)
    assert sum(seen_from(plan(field), corner)) == 250_000


def test_an_observer_off_the_map_is_refused():
    with pytest.raises(OffMap, match="D1 is off the map: the last square is C1"):
        seen_from(plan(drawn("...")), Square(3, 0))


def test_a_plan_is_drawn_once_for_the_very_same_battlefield():
    field = drawn("...")
    assert plan(field) is plan(field)
    assert plan(field) is plan(field, "blocks_sight", person("A1").eyes)
    assert plan(field) is not plan(field, "stops_shots")
    assert plan(replace(field, smoke=(1, 1, 1))) is not plan(field)
    with pytest.raises(ValueError, match="blocks_sight"):
        plan(field, "blocks_movement")
