"""Lines that run anywhere become walls on edges: nothing leaks, a mirrored map is mirrored, a door is in its wall."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import pairwise, permutations
from math import cos, pi, sin
from random import Random
from typing import Any

import pytest

from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Direction, Edge, Square, edge_of
from maps.importers import import_map
from maps.importers.plan import areas

Point = tuple[float, float]
Line = list[Point]
SIDES = (Direction.N, Direction.E, Direction.S, Direction.W)


def read(size: Point, walls: Iterable[Line], doors: Iterable[Line] = (), things: Iterable[Line] = ()) -> Battlefield:
    """The battlefield of a Universal VTT map with such lines."""
    value = {
        "resolution": {"map_size": {"x": size[0], "y": size[1]}},
        "line_of_sight": [[{"x": x, "y": y} for x, y in line] for line in walls],
        "objects_line_of_sight": [[{"x": x, "y": y} for x, y in line] for line in things],
        "portals": [{"bounds": [{"x": x, "y": y} for x, y in line], "closed": True} for line in doors],
    }
    return import_map(json.dumps(value), "there.dd2vtt", "There").map.battlefield


def kinds(field: Battlefield) -> dict[Edge, str]:
    return {edge: f"{barrier.state} {barrier.kind}".strip() for edge, barrier in field.barriers.items()}


def reached(field: Battlefield, starts: Iterable[Square], are_doors_open: bool = False) -> set[Square]:
    """Every square that can be walked to from these."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        square = waiting.pop()
        for side in SIDES:
            there, barrier = square.step(side), field.barriers.get(edge_of(square, side))
            passes = barrier is None or (are_doors_open and barrier.kind == "door")
            if passes and there in field and there not in found:
                found.add(there)
                waiting.append(there)
    return found


def side_of(outline: Line, at: Point) -> bool | None:
    """Whether an outline goes around a point; None where it passes through it."""
    x, y = at
    inside = False
    for (x0, y0), (x1, y1) in pairwise([*outline, outline[0]]):
        across = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        on = abs(across) < 0.002
        if on and min(x0, x1) - 0.001 <= x <= max(x0, x1) + 0.001 and min(y0, y1) - 0.001 <= y <= max(y0, y1) + 0.001:
            return None
        if (y0 > y) != (y1 > y) and x < x0 + (x1 - x0) * (y - y0) / (y1 - y0):
            inside = not inside
    return inside


def inside_and_outside(field: Battlefield, outline: Line) -> tuple[set[Square], set[Square]]:
    sides = {square: side_of(outline, (square.column + 0.5, square.row + 0.5)) for square in field.squares()}
    inside, outside = ({square for square, side in sides.items() if side is one} for one in (True, False))
    return inside, outside


# ------------------------------------------------------------------------------------------------ shapes of real files

OCTAGON = [(4, 1), (7, 1), (10, 4), (10, 7), (7, 10), (4, 10), (1, 7), (1, 4), (4, 1)]
DIAMOND = [(5, 1), (9, 5), (5, 9), (1, 5), (5, 1)]
HALF_ROOM = [(1.5, 2.5), (6.5, 2.5), (6.5, 7.5), (1.5, 7.5), (1.5, 2.5)]
Shape = tuple[Point, list[Line], list[Line]]
"""A size, walls and doors."""
Turn = Callable[[Point, Point], Point]
"""Where a point of a map of a size comes to."""
DOOR = [(4.305, 4.51), (5.195, 5.49)]
SHAPES: dict[str, Shape] = {
    "octagon": ((11, 11), [OCTAGON], []),
    "diamond": ((10, 10), [DIAMOND], []),
    "diamond off the middle": ((12, 9), [[(x, y - 0.5) for x, y in DIAMOND]], []),
    "room through the middles of squares": ((10, 12), [HALF_ROOM], []),
    "room all around the middle": ((9, 9), [[(1.5, 1.5), (7.5, 1.5), (7.5, 7.5), (1.5, 7.5), (1.5, 1.5)]], []),
    "a third up": ((12, 12), [[(0, 0.5), (12, 4.5)], [(0, 2), (12, 10)]], []),
    "door off the grid": ((10, 10), [[(0.3, 0), DOOR[0]], [DOOR[1], (9.2, 10)]], [DOOR]),
    "door over the middle of an edge": ((10, 10), [[(3, 0), (3, 2.5)], [(3, 3.5), (3, 10)]], [[(3, 2.5), (3, 3.5)]]),
    "door between two middles": ((10, 10), [[(3, 0), (3, 2.8)], [(3, 3.2), (3, 10)]], [[(3, 2.8), (3, 3.2)]]),
}  # fmt: skip
DIAGONALS: dict[str, Shape] = {
    "slash": ((8, 8), [[(0, 8), (8, 0)]], []),
    "backslash": ((8, 8), [[(0, 0), (8, 8)]], []),
    "door in a corner": ((10, 10), [[(0, 10), (4, 6)], [(5, 5), (10, 0)]], [[(4, 6), (5, 5)]]),
}
"""Lines through the very middle of the map: a diagonal one is its own mirror image, and no quarter turn's."""


def left_right(at: Point, size: Point) -> Point:
    return size[0] - at[0], at[1]


def up_down(at: Point, size: Point) -> Point:
    return at[0], size[1] - at[1]


def quarter(at: Point, size: Point) -> Point:
    return size[1] - at[1], at[0]


def half(at: Point, size: Point) -> Point:
    return size[0] - at[0], size[1] - at[1]


def turned(edge: Edge, way: Turn, size: Point) -> Edge:
    """The edge that lies where another comes to when the map is mirrored or turned."""
    ends = [(edge.column, edge.row), (edge.column + (edge.side == "N"), edge.row + (edge.side == "W"))]
    (x0, y0), (x1, y1) = sorted(way(end, size) for end in ends)
    assert (x0, y0) != (x1, y1)
    return Edge(int(x0), int(y0), "W" if x0 == x1 else "N")


def assert_turns(size: Point, walls: list[Line], doors: list[Line], way: Turn) -> None:
    image = [[[way(at, size) for at in line] for line in lines] for lines in (walls, doors)]
    wide, high = size[::-1] if way is quarter else size
    there = kinds(read((wide, high), *image))
    assert there == {turned(edge, way, size): kind for edge, kind in kinds(read(size, walls, doors)).items()}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("way", [left_right, up_down, quarter, half])
def test_a_mirrored_or_turned_map_gives_mirrored_or_turned_walls(name: str, way: Turn) -> None:
    assert_turns(*SHAPES[name], way)


@pytest.mark.parametrize("name", DIAGONALS)
@pytest.mark.parametrize("way", [left_right, up_down, half])
def test_a_diagonal_of_the_map_is_mirrored_with_it(name: str, way: Turn) -> None:
    assert_turns(*DIAGONALS[name], way)


@pytest.mark.parametrize("name", [*SHAPES, *DIAGONALS])
def test_it_does_not_matter_from_which_end_a_line_is_drawn_or_which_line_is_first(name: str) -> None:
    size, walls, doors = (SHAPES | DIAGONALS)[name]
    back = read(size, [line[::-1] for line in reversed(walls)], [line[::-1] for line in reversed(doors)])
    assert kinds(back) == kinds(read(size, walls, doors))


def test_walls_at_45_degrees_from_corner_to_corner_close_an_octagon() -> None:
    field = read((11, 11), [OCTAGON])
    inside = reached(field, [Square(5, 5)])
    assert len(areas(field)) == 2
    assert Square(9, 0) not in inside, "F6 and J1"


@pytest.mark.parametrize("shape", [*DIAGONALS.values(), ((10, 10), [DIAMOND], [])])
def test_a_diagonal_wall_makes_two_areas(shape: Shape) -> None:
    assert len(areas(read(*shape))) == 2


@pytest.mark.parametrize("name", ["door off the grid", "door in a corner", "door between two middles"])
def test_a_door_joins_two_areas_when_it_is_open(name: str) -> None:
    field = read(*(SHAPES | DIAGONALS)[name])
    assert len(areas(field)) == 2
    assert len(reached(field, [Square(0, 5)])) < len(field.squares())
    assert len(reached(field, [Square(0, 5)], are_doors_open=True)) == len(field.squares())


def test_a_wall_through_the_middles_of_squares_goes_to_the_side_of_the_maps_middle() -> None:
    edges = {(edge.column, edge.row) for edge in read((10, 3), [[(2.5, 0), (2.5, 3)], [(7.5, 0), (7.5, 3)]]).barriers}
    assert edges == {(3, 0), (3, 1), (3, 2), (7, 0), (7, 1), (7, 2)}


def test_a_wall_along_the_very_middle_goes_to_the_right_and_down() -> None:
    field = read((5, 5), [[(2.5, 0), (2.5, 5)], [(0, 2.5), (5, 2.5)]])
    assert {edge.column for edge in field.barriers if edge.side == "W"} == {3}
    assert {edge.row for edge in field.barriers if edge.side == "N"} == {3}
    assert len(areas(field)) == 4


def test_outlines_of_things_and_lights_are_mirrored_too() -> None:
    crate = [(1.5, 1.5), (3.5, 1.5), (3.5, 3), (1.5, 3)]
    small = [(5.8, 0.8), (6.2, 0.8), (6.2, 1.2), (5.8, 1.2)]
    for way in (left_right, up_down, half):
        here = read((8, 6), [], (), [crate, small])
        there = read((8, 6), [], (), [[way(at, (8, 6)) for at in one] for one in (crate, small)])
        squares = {square for square in here.squares() if here.ground_at(square).object == "crate"}
        middles = {way((square.column + 0.5, square.row + 0.5), (8, 6)) for square in squares}
        assert len(squares) == 3
        assert {square for square in there.squares() if there.ground_at(square).object == "crate"} == {
            Square(int(x), int(y)) for x, y in middles
        }


# ----------------------------------------------------------------------------------------------------- random polygons


def polygon(dice: Random) -> Line:
    """A star-shaped room of 4 to 9 corners: on grid corners, on middles of squares and edges, or anywhere."""
    around = sorted(dice.random() for _ in range(dice.randint(4, 9)))
    grid = dice.choice([1, 2, 0])
    found: Line = []
    for share in around:
        far = dice.uniform(3, 5.5)
        x, y = 6 + far * cos(2 * pi * share), 6 + far * sin(2 * pi * share)
        at = (round(x * grid) / grid, round(y * grid) / grid) if grid else (x, y)
        if at not in found:
            found.append(at)
    return found if len(found) > 2 and abs(area(found)) > 12 else polygon(dice)


def area(outline: Line) -> float:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise([*outline, outline[0]])) / 2


def with_door(outline: Line, dice: Random) -> tuple[list[Line], list[Line]]:
    """The walls of a room and a door somewhere in its longest wall."""
    sides = list(pairwise([*outline, outline[0]]))
    number = max(range(len(sides)), key=lambda n: abs(complex(*sides[n][0]) - complex(*sides[n][1])))
    (x0, y0), (x1, y1) = sides[number]
    length = abs(complex(x1 - x0, y1 - y0))
    wide = min(dice.choice([0.4, 1, 1, 1.3, 2]) / length, 0.5)
    start = dice.uniform(0.2, 0.8 - wide)
    if dice.random() < 0.5:  # on the middles of squares, or of edges, as editors place them
        start = round(start * length * 2) / 2 / length
    door = [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share) for share in (start, start + wide)]
    return [[*side] for n, side in enumerate(sides) if n != number] + [[(x0, y0), door[0]], [door[1], (x1, y1)]], [door]


@pytest.mark.slow
def test_of_a_thousand_random_rooms_with_closed_doors_none_leaks_and_each_can_be_left_by_its_door() -> None:
    dice = Random(9)
    for number in range(1000):
        outline = polygon(dice)
        field = read((12, 12), *with_door(outline, dice))
        inside, outside = inside_and_outside(field, outline)
        assert inside and outside
        assert outside.isdisjoint(reached(field, inside)), (number, outline)
        assert not outside.isdisjoint(reached(field, inside, are_doors_open=True)), (number, outline)


@pytest.mark.parametrize("seed", range(8))
def test_random_rooms_are_mirrored_and_turned_with_the_map(seed: int) -> None:
    dice = Random(seed)
    for _ in range(6):
        outline = polygon(dice)
        walls, doors = with_door(outline, dice)
        for way in (left_right, up_down, half):
            assert_turns((12, 12), walls, doors, way)
            assert_turns((14, 12), walls, doors, way)
        assert_turns((12, 12), walls, doors, quarter)


# ------------------------------------------------------------------------------------------- what wins where lines meet

WALLS: list[tuple[str, dict[str, Any]]] = [
    ("wall", {"move": 20, "sight": 20, "door": 0}),
    ("closed door", {"move": 20, "sight": 20, "door": 1, "ds": 0}),
    ("bars", {"move": 20, "sight": 0, "door": 0}),
    ("closed curtain", {"move": 0, "sight": 20, "door": 0}),
]
"""What Foundry calls them, the strongest first."""


@pytest.mark.parametrize("beside", [0, 10])
@pytest.mark.parametrize(("one", "other"), permutations(range(len(WALLS)), 2))
def test_where_lines_meet_the_stronger_stays_whichever_is_first(one: int, other: int, beside: int) -> None:
    scene = {
        "grid": {"size": 100, "type": 1, "distance": 5, "units": "ft"},
        "width": 1000,
        "height": 1000,
        "padding": 0,
        "walls": [
            {"c": [500, 0, 500, 1000], **WALLS[one][1]},
            {"c": [500 + beside, 300, 500 + beside, 700], **WALLS[other][1]},
        ],
    }
    field = import_map(json.dumps(scene), "there.json", "There").map.battlefield
    kind = WALLS[min(one, other)][0]
    assert {kinds(field)[Edge(5, row, "W")] for row in range(3, 7)} == {kind}
    assert len(kinds(field)) == 10


def test_a_door_in_a_gap_of_its_wall_is_on_every_edge_that_it_covers_by_a_third() -> None:
    field = read((6, 10), [[(3, 0), (3, 2.55)], [(3, 4.4), (3, 10)]], [[(3, 2.55), (3, 4.4)]])
    assert {edge.row for edge, kind in kinds(field).items() if kind == "closed door"} == {2, 3, 4}
    assert len(areas(field)) == 2
