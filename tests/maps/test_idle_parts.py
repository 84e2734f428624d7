"""What of a map changes nothing is warned of: each kind of it, at its place, and nothing that does something."""

from __future__ import annotations

from pathlib import Path

import pytest

from maps import idle_parts, load_map, parse_map, shipped_maps
from maps.kinds import EDGES, OBJECTS, ONE_WAY
from tui.__main__ import main

MAP = """format = 1
name = "Yard"
[scale]
square = 5
unit = "feet"
[map]
squares = '''
######
#....#
#..x.#
#....#
######
'''
[legend]
"x" = {x}
"""
EDGE = '[[edge]]\nat = {at}\nside = "{side}"\nkind = "{kind}"\n'
BOX = """format = 1
name = "Box"
[scale]
square = 5
unit = "feet"
[map]
drawn = '''
+---+---+---+
| . | . w # |
+-D-+---+---+
'''
"""


def warned(text: str) -> list[str]:
    return [f"{one.line}:{one.column}: {one.message}" for one in idle_parts(parse_map(text, "a.toml"), "a.toml")]


def yard(*edges: str, x: str = '"crate"') -> str:
    return MAP.format(x=x) + "".join(edges)


def edge(kind: str, at: str = '"C3"', side: str = "W") -> str:
    way = f'{ONE_WAY[kind]} = "{side}"\n' if kind in ONE_WAY else ""
    return EDGE.format(at=at, side=side, kind=kind) + way


@pytest.mark.parametrize("name", sorted(shipped_maps()))
def test_in_the_maps_that_ship_everything_does_something(name: str) -> None:
    path = shipped_maps()[name]
    assert idle_parts(load_map(path), str(path)) == []


@pytest.mark.parametrize("kind", EDGES)
def test_an_edge_between_open_squares_does_something_beside_a_wall_or_the_end_of_the_map_nothing(kind: str) -> None:
    assert warned(yard(edge(kind))) == []
    solid = "17:6: the edge changes nothing: A2 is wall up to the sky: nobody looks or walks through it"
    assert warned(yard(edge(kind, '"B2"'))) == [solid]
    assert warned(yard(edge(kind, '"A2"'))) == ["17:6: the edge changes nothing: the map ends at A2 W"]
    assert warned(yard(edge(kind, '["B2", "C2"]'))) == [], "one of them does something"


def test_an_edge_that_is_there_already_or_takes_nothing_away_is_named() -> None:
    taken = yard(edge("none"))
    assert warned(taken) == ["17:6: the edge changes nothing: nothing is at C3 W"]
    assert warned(yard(edge("window"), edge("none"))) == []
    assert warned(yard(edge("window"), edge("window"))) == ["21:6: the edge changes nothing: C3 W has it already"]
    assert warned(yard(edge("window"), '[[edge]]\nat = "C3"\nside = "W"\nsill = 2\n')) == []


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_that_is_built_in_does_something(name: str) -> None:
    assert warned(yard(x=f'"{name}"')) == []


def test_an_object_without_effect_and_a_sign_that_is_nowhere_are_named() -> None:
    none = "height = 0, blocks_sight = false, stops_shots = false, blocks_movement = false"
    rug = yard(x=f'{{ object = "rug", cover = "none", {none} }}')
    assert [one.partition(";")[0] for one in warned(rug)] == [
        "15:7: rug changes nothing: it has no height, no cover, and is in nobody's way"
    ]
    assert warned(yard(x=f'{{ object = "rug", cover = "light", {none} }}')) == []
    assert warned(yard(x=f'{{ terrain = "rug", move_cost = 1, {none} }}')) == [], "terrain is seen on the board"
    unused = yard().replace('"x" =', '"q" = "barrel"\n"x" =')
    assert warned(unused) == ["15:7: 'q' changes nothing: it is nowhere on the map"]
    assert warned(f'{BOX}[edges]\n"v" = "glass"\n')[1:] == ["13:7: 'v' changes nothing: it is nowhere on the map"]


def test_a_drawn_window_beside_a_solid_square_is_named_where_it_is_drawn() -> None:
    assert warned(BOX) == [
        "9:9: the window changes nothing: C1 is wall up to the sky: nobody looks or walks through it"
    ]


def test_check_prints_warnings_below_and_the_map_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "yard.toml").write_text(yard(edge("window", '"B2"')))
    assert main(["check", str(path)]) == 0
    told = capsys.readouterr()
    assert told.out == f"{path}: no errors (map, 6×5, 0 units)\n"
    assert told.err.startswith(f"warning: {path}:17:6: the edge changes nothing: ")
