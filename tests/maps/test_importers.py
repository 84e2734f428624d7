"""Maps of other tools: walls and doors where they were, what has no place here is said, and nothing bad comes in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Edge, Square
from maps import parse_map, write_map
from maps.importers import Imported, Scale, detection, import_map
from maps.importers.detection import FORMATS, Format
from maps.importers.edge_lines import crossed, placed
from maps.importers.plan import areas
from maps.importers.watabou import read_watabou
from tui.__main__ import main


def taken(value: Any, scale: Scale | None = None) -> Imported:
    text = value if isinstance(value, str) else json.dumps(value)
    found = import_map(text, "there.file", "The cellar", scale)
    assert parse_map(write_map(found.map), "again.toml") == found.map, "what is imported can be written and read"
    return found


def refusal(value: Any) -> str:
    with pytest.raises(BattleboardError) as refused:
        taken(value)
    return str(refused.value)


def kind_at(field: Battlefield, column: int, row: int, side: str) -> str:
    barrier = field.barriers.get(Edge(column, row, side))
    return "" if barrier is None else f"{barrier.state} {barrier.kind}".strip()


def at(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


UVTT: dict[str, Any] = {
    "format": 0.3,
    "resolution": {"map_origin": at(2, 1), "map_size": at(6, 4), "pixels_per_grid": 70},
    "line_of_sight": [
        [at(3, 2), at(7, 2), at(7, 4), at(3, 4), at(3, 2)],
        [at(5, 2), at(5, 3)],
    ],
    "objects_line_of_sight": [[at(6.2, 2.2), at(6.8, 2.2), at(6.8, 2.8), at(6.2, 2.8)]],
    "portals": [
        {"position": at(5, 3.5), "bounds": [at(5, 3), at(5, 4)], "closed": True},
        {"position": at(3, 2.5), "bounds": [at(3, 2), at(3, 3)], "closed": False},
        {"position": at(3, 2.5), "bounds": [at(3, 2)]},
    ],
    "lights": [
        {"position": at(4.5, 2.5), "range": 4, "intensity": 1, "color": "ffffffff"},
        {"position": at(0, 0), "range": 4},
    ],
    "environment": {"ambient_light": "ff202020"},
    "image": "iVBORw0KGgo=",
}  # fmt: skip


def test_universal_vtt_is_moved_by_its_origin_and_has_walls_doors_windows_and_lights() -> None:
    found = taken(UVTT)
    field = found.map.battlefield
    assert (field.columns, field.rows, field.unit, field.square_size) == (6, 4, "feet", 500)
    assert kind_at(field, 3, 1, "W") == "wall"
    assert kind_at(field, 3, 2, "W") == "closed door"
    assert kind_at(field, 1, 1, "W") == "window"
    assert kind_at(field, 1, 2, "W") == "wall"
    assert kind_at(field, 2, 1, "N") == kind_at(field, 2, 3, "N") == "wall"
    assert field.ground_at(Square(4, 1)).object == "crate"
    (lamp,) = field.lamps
    assert (lamp.at, lamp.bright, lamp.dim) == (Square(2, 1), 2, 4)
    assert set(field.light) == {0}
    assert areas(field) == [16, 4, 3]
    said = " ".join(found.notes)
    for words in ("5 feet", "windows", "lights outside the map: 1", "openings without two ends", "crates", "16, 4, 3"):
        assert words in said or words.replace("openings", "Openings") in said


def test_a_portal_across_several_edges_is_one_door_that_opens_together() -> None:
    portals = [
        {"position": at(5, 3), "bounds": [at(5, 2), at(5, 4)], "closed": True},
        {"position": at(7, 2.5), "bounds": [at(7, 2), at(7, 3)], "closed": True},
    ]
    field = taken(changed(UVTT, portals=portals)).map.battlefield
    assert [kind_at(field, 3, row, "W") for row in (1, 2)] == ["closed door", "closed door"]
    assert field.one_door(Edge(3, 1, "W")) == (Edge(3, 1, "W"), Edge(3, 2, "W"))
    assert areas(field)[1:] != areas(field.with_state(Edge(3, 1, "W"), "open"))[1:]
    assert kind_at(field.with_state(Edge(3, 1, "W"), "open"), 3, 2, "W") == "open door"
    assert field.barriers[Edge(5, 1, "W")].door == "", "a door of one edge needs no name"


def test_the_game_masters_scale_comes_first() -> None:
    field = taken(UVTT, Scale(150, "metres")).map.battlefield
    assert (field.square_size, field.unit) == (150, "metres")


FOUNDRY: dict[str, Any] = {
    "name": "The [b]cellar[/b]\u001b[2J",
    "width": 600,
    "height": 400,
    "padding": 0.25,
    "grid": {"type": 1, "size": 100, "distance": 1.5, "units": "m"},
    "walls": [
        {"c": [400, 100, 400, 200], "move": 20, "sight": 20, "door": 0},
        {"c": [400, 200, 400, 300], "move": 20, "sight": 20, "door": 1, "ds": 2},
        {"c": [500, 100, 500, 200], "move": 20, "sight": 0},
        {"c": [500, 200, 500, 300], "move": 0, "sight": 20, "dir": 1},
        {"c": [1, 2]},
    ],
    "lights": [{"x": 450, "y": 150, "config": {"bright": 3, "dim": 6}}],
    "tokens": [{"name": "Goblin"}],
}


def test_a_foundry_scene_is_in_pixels_with_padding() -> None:
    found = taken(FOUNDRY)
    field = found.map.battlefield
    assert (field.name, field.columns, field.rows) == ("The [b]cellar[/b][2J", 6, 4)
    assert (field.unit, field.square_size) == ("metres", 150)
    assert kind_at(field, 2, 0, "W") == "wall"
    assert kind_at(field, 2, 1, "W") == "locked door"
    assert kind_at(field, 3, 0, "W") == "bars"
    assert kind_at(field, 3, 1, "W") == "closed curtain"
    assert [(lamp.at, lamp.bright, lamp.dim) for lamp in field.lamps] == [(Square(2, 0), 2, 4)]
    assert "1 token is not carried." in found.notes


def test_a_one_page_dungeon_is_rooms_in_rock() -> None:
    dungeon = {
        "title": "Halls",
        "story": "Long ago.",
        "rects": [{"x": 0, "y": 0, "w": 3, "h": 3}, {"x": 3, "y": 1, "w": 1, "h": 1}, {"x": 4, "y": 0, "w": 2, "h": 3}],
        "doors": [{"x": 3, "y": 1, "dir": at(1, 0), "type": 6}, {"x": 9, "y": 9, "dir": at(1, 0), "type": 99}],
        "water": [at(0, 0)],
        "columns": [at(1.5, 1.5)],
        "notes": [{"text": "x"}],
    }
    found = taken(dungeon)
    field = found.map.battlefield
    assert (field.name, found.map.description, field.columns, field.rows) == ("Halls", "Long ago.", 8, 5)
    assert field.ground_at(Square(0, 0)).blocks_movement
    assert field.ground_at(Square(1, 1)).terrain == "shallow water"
    assert field.ground_at(Square(2, 2)).object == "pillar"
    assert kind_at(field, 5, 2, "W") == "closed door"
    assert "Secret doors became plain doors: 1." in found.notes


def test_columns_of_a_one_page_dungeon_stand_beside_their_corners_and_cut_no_room() -> None:
    """Columns stand on corners of squares: the file of a hall of 3 by 4 squares has two rows of three."""
    columns = [at(x, y) for x in (1, 2) for y in (1, 2, 3)]
    hall = {"rects": [{"x": 0, "y": 0, "w": 3, "h": 4}], "doors": [], "columns": columns, "water": [at(0, 0)]}
    found = taken(hall)
    field = found.map.battlefield
    assert areas(field) == [12]
    shown = {square for square in field.squares() if field.ground_at(square).object == "pillar"}
    assert shown == {Square(x, y) for x in (1, 3) for y in (1, 2, 4)}
    assert field.ground_at(Square(1, 1)).terrain == "shallow water"
    assert "6 columns are drawn on 6 squares; columns block nothing." in found.notes


def test_columns_of_a_round_room_are_drawn_where_they_stand_and_counted_so() -> None:
    """Columns of a round room stand on a circle, two of them on one square."""
    columns = [at(2.5 + x, 2.5 + y) for a, b in ((0.574, 1.386), (1.386, 0.574)) for x in (a, -a) for y in (b, -b)]
    room = {"x": 0, "y": 0, "w": 5, "h": 5, "rotunda": True}
    found = taken({"rects": [room], "doors": [], "columns": columns})
    field = found.map.battlefield
    shown = {square for square in field.squares() if field.ground_at(square).object == "pillar"}
    assert shown == {Square(x, y) for x in (2, 4) for y in (2, 4)}
    assert "8 columns are drawn on 4 squares; columns block nothing." in found.notes
    one = taken({"rects": [room], "doors": [], "columns": columns[:1]})
    assert "1 column is drawn on 1 square; columns block nothing." in one.notes


def test_donjons_words_are_floor_doors_and_stairs() -> None:
    found = taken("\tF\tF\t\n\tF\tDR\tF\n\tSU\t\tDPT\n")
    field = found.map.battlefield
    assert (field.columns, field.rows, field.square_size) == (4, 3, 1000)
    assert field.ground_at(Square(0, 0)).blocks_movement
    assert kind_at(field, 3, 1, "W") == "closed door"
    assert kind_at(field, 3, 2, "N") == "bars"
    assert field.ground_at(Square(1, 2)).terrain == "stairs"


def test_a_drawing_in_characters_keeps_what_is_known() -> None:
    found = taken("\n#######\n#..+..#\n#@.#&%#\n#..+$.#\n##-+-##\n  ###\n")
    field = found.map.battlefield
    assert (field.columns, field.rows) == (7, 6)
    assert kind_at(field, 3, 1, "W") == "closed door"
    assert field.ground_at(Square(2, 4)).terrain == "wall"
    assert "Characters that mean nothing here became floor: $." in found.notes
    assert "@ became floor: figures are not imported." in found.notes


@pytest.mark.parametrize(
    ("drawing", "rows"),
    [
        (" ####\n #..#\n##..###\n#.....#\n#######\n", [" ####  ", " #..#  ", "##..###", "#.....#", "#######"]),
        ("####\n#..#\n#..#####\n#......#\n########\n", ["####    ", "#..#    ", "#..#####", "#......#", "########"]),
    ],
)
def test_a_drawing_whose_first_row_is_not_the_longest_is_filled_up_with_void(drawing: str, rows: list[str]) -> None:
    field = taken(drawing).map.battlefield
    assert (field.columns, field.rows) == (len(rows[0]), len(rows))
    for row, glyphs in enumerate(rows):
        for column, glyph in enumerate(glyphs):
            expected = {" ": "rock", "#": "wall", ".": "floor"}[glyph]
            assert field.ground_at(Square(column, row)).terrain == expected


@pytest.mark.parametrize(("indent", "sizes"), [("", [3, 1]), ("    ", [4])])
def test_boxes_may_begin_with_a_shorter_row(indent: str, sizes: list[int]) -> None:
    field = taken(f"{indent}+---+\n{indent}| . |\n+---+   +---+\n| .   .   . |\n+---+---+---+\n").map.battlefield
    assert (field.columns, field.rows) == (3, 2)
    assert areas(field) == sizes


def test_a_drawing_of_boxes_has_thin_walls() -> None:
    field = taken("+---+---+\n| . | . |\n+   +-D-+\n| .   . |\n+---+---+\n").map.battlefield
    assert (field.columns, field.rows) == (2, 2)
    assert kind_at(field, 1, 0, "W") == "wall"
    assert kind_at(field, 1, 1, "N") == "closed door"


def changed(value: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**value, **changes}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", "it is empty"),
        ("Once upon a time there was a wall.\n", "most of its characters mean nothing"),
        ("name: Cellar\nmap:\n  base:\n    - zww..H\n", "on a map drawn in characters; battleboard imports Universal"),
        ("{", "there.file:1:2: this is not JSON"),
        ('{"a": NaN}', "NaN is not a number"),
        ("[" * 100_000, "nested too deeply"),
        ([1], "no single map"),
        ({"a": 1}, "there.file is JSON of a kind that is not known here; battleboard imports Universal VTT"),
        (
            '<?xml version="1.0"?>\n<map version="1.10" tiledversion="1.10.2" orientation="orthogonal">',
            "a Tiled map (.tmx)",
        ),
        ({"layers": [], "tilewidth": 16, "type": "map"}, "there.file is a Tiled map (.tmj); battleboard imports"),
        ('#a board\nsize 16 17\nhex 0101 0 "" ""\nend\n', "there.file is a MegaMek board (.board), which has hexes"),
        ({"walls": [{"wallSection": "1 2 3 4"}], "lights": []}, "Dungeon Alchemist's own JSON; battleboard imports"),
        ({"scenes": [], "journal": []}, "a Foundry adventure; battleboard imports"),
        ({"cells": [[0]], "cell_bit": {}}, "Download it as TSV and import that file."),
        (
            '{"_id": "a", "walls": [], "grid": 1}\n{"_id": "b"}\n',
            "a Foundry pack (.db) with 2 entries; battleboard imports",
        ),
        (changed(UVTT, resolution=3), "resolution is not a table"),
        (changed(UVTT, resolution={"map_size": at(1e9, 1)}), "is not a number"),
        (changed(UVTT, resolution={"map_size": at(501, 1)}), "expected 1 to 500"),
        (changed(UVTT, resolution={"map_size": at(0, 1)}), "expected 1 to 500"),
        (changed(UVTT, resolution={"map_size": at(True, 1)}), "map_size.x is not a number"),
        (changed(UVTT, line_of_sight="x"), "line_of_sight is not a list"),
        (changed(UVTT, line_of_sight=[[{"x": 1}]]), "line_of_sight[0][0].y is not a number"),
        (changed(UVTT, line_of_sight=[[]] * 20_001), "at most 20000"),
        (changed(UVTT, lights=[3]), "lights[0] is not a light"),
        (changed(FOUNDRY, grid={"type": 2, "size": 100}), "a Foundry scene with hexes; only those with squares are"),
        (changed(FOUNDRY, grid={"type": 0, "size": 100}), "a Foundry scene without a grid; only those with squares"),
        (changed(FOUNDRY, walls=[{"c": [0, "x", 1, 1]}]), "walls[0] is not a number"),
        ({"rects": [], "doors": []}, "it has no rooms"),
        ({"rects": [{"x": 0, "y": 0, "w": 10**6, "h": 1}], "doors": []}, "too large"),
        ("#" * 2100, "larger than"),
    ],
)
def test_what_is_no_map_is_one_message(value: Any, said: str) -> None:
    message = refusal(value)
    assert said in message
    assert "there.file" in message


def test_a_format_of_the_table_is_named_in_refusals_and_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "--help"]) == 0
    helped = " ".join(capsys.readouterr().out.split())
    assert all(format.name in helped and format.name in refusal({"a": 1}) for format in FORMATS)


def test_a_new_format_is_read_though_it_looks_like_one_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exercise: a reader of Tiled maps."""
    tiled = {"layers": [], "tilewidth": 16, "tag": "ours", "rects": [{"x": 0, "y": 0, "w": 2, "h": 2}], "doors": []}
    assert "a Tiled map (.tmj)" in refusal({"layers": [], "tilewidth": 16})
    ours = Format("Tiled maps (.tmj)", lambda value: value.get("tag") == "ours", read_watabou)
    monkeypatch.setattr(detection, "FORMATS", (*FORMATS[:2], ours))
    assert taken(tiled).map.battlefield.columns == 4


@pytest.mark.parametrize("value", [FOUNDRY, UVTT, {"rects": [], "doors": []}])
def test_each_json_format_is_recognised_by_itself_alone(value: dict[str, Any]) -> None:
    """So their order in the table does not matter."""
    assert sum(format.recognises(value) for format in FORMATS if format.is_json) == 1


def test_a_crooked_wall_does_not_leak() -> None:
    """A line from side to side keeps its two sides apart, however it runs."""
    for y0, y1 in ((0.3, 5.7), (2, 4), (2.5, 2.5), (3, 3), (5.9, 0.1)):
        field = taken(changed(UVTT, resolution={"map_size": at(6, 6)}, line_of_sight=[[at(-0.1, y0), at(6.1, y1)]],
                              portals=[], objects_line_of_sight=[], lights=[])).map.battlefield  # fmt: skip
        assert len(areas(field)) == 2, (y0, y1)


NUMBERS = st.floats(-2, 8, allow_nan=False, width=16)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_lines_cross_the_same_edges_in_both_directions(x0: float, y0: float, x1: float, y1: float) -> None:
    start, end = placed((x0, y0)), placed((x1, y1))
    assert set(crossed(start, end, 6, 6)) == set(crossed(end, start, 6, 6))
