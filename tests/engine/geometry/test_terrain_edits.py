"""Changes of a battlefield: the one given stays as it was; what is joined, between corners, around."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Barrier, Battlefield, Ground, Lamp, OffMap
from engine.geometry.squares import Direction, Edge, Square, edge_of
from engine.geometry.terrain_edits import (
    alike_around,
    edges_along,
    rectangle,
    with_barriers,
    with_elevation,
    with_ground,
    with_lamp,
    with_light,
)
from engine.values import replace

FLOOR, MUD, WALL = Ground("floor"), Ground("mud"), Ground("wall", blocks_movement=True)
SIDES = (Direction.N, Direction.E, Direction.S, Direction.W)


def field_of(*rows: str) -> Battlefield:
    columns, count = len(rows[0]), len(rows) * len(rows[0])
    ground = tuple(".m#".index(glyph) for row in rows for glyph in row)
    nothing = (0,) * count
    return Battlefield("x", columns, len(rows), "feet", 500, (FLOOR, MUD, WALL), ground, nothing, nothing, (2,) * count)


def test_each_layer_is_changed_in_a_copy() -> None:
    field = field_of("...", "...")
    here, edge = Square(1, 1), Edge(1, 1, "W")
    assert with_ground(field, [here], MUD).ground_at(here) == MUD
    assert with_ground(field, [here], Ground("lava")).legend == (*field.legend, Ground("lava"))
    assert with_elevation(field, [here], 500).elevation_at(here) == 500
    assert with_light(field, [here], 0).light == (2, 2, 2, 2, 0, 2)
    assert with_light(field, (), 1).light == (1,) * 6
    lit = with_lamp(with_lamp(field, here, Lamp(here, 1, 2)), here, Lamp(here, 2, 3))
    assert lit.lamps == (Lamp(here, 2, 3),) and with_lamp(lit, here, None).lamps == ()
    walled = with_barriers(field, [edge], Barrier("wall"))
    assert walled.barriers == {edge: Barrier("wall")} and not with_barriers(walled, [edge], None).barriers
    assert field == field_of("...", "...")
    with pytest.raises(OffMap):
        with_ground(field, [Square(3, 0)], MUD)


def test_what_is_alike_and_joined_stops_at_other_ground_corners_and_thin_things() -> None:
    field = field_of("..m..", ".#m#.", "mm..m")
    assert {square.name for square in alike_around(field, Square(0, 0))} == {"A1", "B1", "A2"}
    assert {square.name for square in alike_around(field, Square(2, 0))} == {"C1", "C2"}
    parted = replace(field, barriers={Edge(1, 0, "W"): Barrier("railing")})
    assert {square.name for square in alike_around(parted, Square(0, 0))} == {"A1", "A2"}


@given(st.lists(st.text(".m#", min_size=4, max_size=4), min_size=1, max_size=4), st.integers(0, 3))
def test_one_who_is_joined_to_one_is_joined_to_all_of_them(rows: list[str], column: int) -> None:
    field = field_of(*rows)
    found = alike_around(field, Square(column, 0))
    assert list(found) == sorted(set(found), key=field.index)
    assert all(alike_around(field, square) == found for square in found)
    around = {square.step(side) for square in found for side in SIDES} - set(found)
    assert all(field.ground_at(square) != field.ground_at(found[0]) for square in around if square in field)


def test_a_rectangle_has_the_same_squares_from_any_of_its_corners() -> None:
    found = rectangle(Square(3, 1), Square(1, 2))
    assert found == rectangle(Square(1, 1), Square(3, 2)) and len(found) == 6


def test_a_room_has_walls_on_its_outside_alone() -> None:
    room = rectangle(Square(1, 1), Square(2, 2))
    assert len(edges_along(room, SIDES)) == 8
    assert edges_along(room, [Direction.N]) == (Edge(1, 1, "N"), Edge(2, 1, "N"))
    assert edge_of(Square(1, 1), Direction.E) not in edges_along(room, SIDES)
