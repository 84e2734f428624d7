"""The page on geometry never lies: every drawing in it is read as a map, traced, and held against its sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.geometry.battlefield import Battlefield, Lamp
from engine.geometry.body import Body, body
from engine.geometry.los.profile import profile
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square, edge_of, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.sight_model import SightModel
from engine.text import share_percent
from engine.values import replace
from maps import parse_map
from tui.application.describe.side_view import drawn

PAGES = tuple(Path(__file__).parents[3] / "docs" / f"{name}.md" for name in ("geometry", "sight-at-the-table"))
BLOCK = re.compile(r"^```sight\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VIEW = (60, 9)
"""Columns and rows of the side views on the page."""

MAP = """\
format = 1
name = "drawing"
[scale]
square = 1.5
unit = "metres"
[map]
{key} = '''
{rows}
'''
[legend]
"o" = {{ terrain = "floor", object = "crate" }}
"k" = {{ terrain = "floor", object = "keg", height = 0.9, blocks_sight = true, stops_shots = true, cover = "light" }}
"V" = {{ terrain = "floor", object = "van" }}
"h" = {{ terrain = "floor", object = "hedge" }}
"g" = {{ terrain = "floor", object = "glass", height = 2, blocks_sight = false, stops_shots = true, cover = "light" }}
[edges]
"d" = "door"
"D" = "open door"
"w" = "window"
"p" = "parapet"
"s" = {{ kind = "wall", name = "sign", bottom = 1.5, height = 2.5 }}
"c" = "curtain"
"m" = {{ kind = "wall", name = "mirror", stops_shots = false, cover = "none" }}
"""


@dataclass
class Drawing:
    """One block of the page: the map, where the bodies stand, and what is said of them."""

    field: Battlefield
    bodies: dict[str, Body]
    said: list[tuple[str, str]] = field(default_factory=list)
    side: list[str] = field(default_factory=list)


def blocks() -> list[tuple[str, str]]:
    """The drawings with the pages and lines on which they begin."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        found += [(f"{page.name}:{text.count(chr(10), 0, one.start()) + 1}", one[1]) for one in BLOCK.finditer(text)]
    return found


def parse(block: str) -> Drawing:
    """A drawing, a blank line, then statements; after "from the side:" a side view to the end."""
    picture, _, rest = block.partition("\n\n")
    rows = picture.split("\n")
    is_canvas = rows[0].startswith("+")
    places = {}
    for number, row in enumerate(rows):
        for offset, glyph in enumerate(row):
            if glyph in "ABC":
                places[glyph] = Square(offset // 4, number // 2) if is_canvas else Square(offset, number)
    plain = re.sub("[ABC]", ".", picture)
    found = parse_map(MAP.format(key="drawn" if is_canvas else "squares", rows=plain), "drawing").battlefield
    drawing = Drawing(found, {})
    stances: dict[str, str] = {}
    statements, _, side = rest.partition("from the side:\n")
    drawing.side = side.splitlines()
    for line in statements.splitlines():
        what, _, value = line.partition(": ")
        if changed := changed_field(drawing.field, what, value):
            drawing.field = changed
        elif what in ("A at", "B at"):
            places[what[0]] = parse_square(value)
        elif what in ("A", "B", "C"):
            stances[what] = value
        else:
            drawing.said.append((what, value))
    drawing.bodies = {name: stand(name, at, stances.get(name, ""), drawing.field.sight) for name, at in places.items()}
    return drawing


def changed_field(battlefield: Battlefield, what: str, value: str) -> Battlefield | None:
    """The field with what a statement says of its ground, smoke, light or edges; None when it says nothing of these."""
    if found := re.fullmatch(r"(ground|smoke|light) (\w+)( m)?", what):
        layer = {"ground": "elevation", "smoke": "smoke", "light": "light"}[found[1]]
        names: Mapping[str, int] = {"dark": 0, "dim": 1, "bright": 2}
        level = names[found[2]] if layer == "light" else int(found[2]) * (100 if layer == "elevation" else 1)
        values = list(getattr(battlefield, layer))
        for name in value.split():
            values[battlefield.index(parse_square(name))] = level
        return replace(battlefield, **{layer: tuple(values)})
    if found := re.fullmatch(r"lamp bright (\d+), dim (\d+)", what):
        lamp = Lamp(parse_square(value), int(found[1]), int(found[2]), 200)
        return replace(battlefield, lamps=(*battlefield.lamps, lamp))
    if what.startswith("ruling "):
        ruled: bool | int | str = int(value) if value.isdecimal() else {"yes": True, "no": False}.get(value, value)
        return replace(battlefield, sight=battlefield.sight.ruled(what.removeprefix("ruling "), ruled))
    if found := re.fullmatch(r"([A-Z]+\d+) ([NESW])", what):
        edge = edge_of(parse_square(found[1]), Direction[found[2]])
        way = Direction[value.removeprefix("seen through going ")]
        return with_barriers(battlefield, [edge], replace(battlefield.barriers[edge], seen_through=way))
    return None


def stand(name: str, at: Square, stance: str, sight: SightModel) -> Body:
    """A body from words: "kneeling, 4 m up, 2 squares wide"."""
    posture, altitude, size = "standing", 0, 1
    for word in filter(None, stance.split(", ")):
        if word.endswith(" m up"):
            altitude = int(word.removesuffix(" m up")) * 100
        elif word.endswith(" squares wide"):
            size = int(word.removesuffix(" squares wide"))
        else:
            posture = word
    return body(at, "metres", posture, size, altitude, name, sight)


def answer(drawing: Drawing, what: str) -> str:
    """What the engine says to one statement of the page."""
    others = [one for name, one in drawing.bodies.items() if name == "C"]
    ends = ("B", "A") if what == "B sees A" else ("A", "B")
    one, other = (drawing.bodies[name] for name in ends)
    line, back = trace(drawing.field, one, other, others), trace(drawing.field, other, one, others)
    assert line.clear == back.clear
    assert line.can_see == back.can_see or line.is_one_way or back.is_one_way
    match what:
        case "A sees B" | "B sees A":
            return line.words
        case "eye to eye":
            return "free" if line.clear else "blocked"
        case "smoke on the line":
            return str(line.smoke)
        case "halves covered":
            assert line.left is not None and line.right is not None
            return f"{share_percent(line.left.covered)} left, {share_percent(line.right.covered)} right"
    raise AssertionError(f"the page says {what!r}, which nobody can check")


def side_view(drawing: Drawing) -> list[str]:
    one, other = drawing.bodies["A"], drawing.bodies["B"]
    return drawn(profile(drawing.field, one, other), *VIEW, is_ascii=True)


@pytest.mark.parametrize(("line", "block"), blocks(), ids=lambda value: "" if "\n" in value else value)
def test_the_page_says_what_the_engine_says(line: str, block: str) -> None:
    drawing = parse(block)
    assert drawing.said or drawing.side
    for what, value in drawing.said:
        assert answer(drawing, what) == value, line
    if drawing.side:
        assert side_view(drawing) == drawing.side, line


def test_every_drawing_of_the_pages_is_found() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert len(blocks()) == text.count("```sight") > 50
    assert text.count("```") == 2 * len(blocks())
