"""Blank maps: an empty ground of so many squares in the user's maps folder, and a battle in its set-up phase on it."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield
from engine.journal.session import Session
from engine.text import clean
from maps import BattleMap, palette, parse_map, write_map
from maps.writer import figure
from tui.application.library.encounter_files import new_encounter
from tui.application.library.save_as_map import MOST_TITLE, map_id
from tui.application.library.text_files import free_file, replace_file
from tui.application.settings.folders import map_folders

BLANK_NAME = "Blank map"
BLANK_SIZE = "30x20 5ft"
MOST_SIDE = 200
"""Squares of a blank map's side."""
UNITS = {"ft": "feet", "m": "metres"}
SIZE = re.compile(r"\s*(\d{1,4})\s*[x×*]\s*(\d{1,4})(?:\s+(.+?))?\s*", re.ASCII | re.IGNORECASE)
SQUARE = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))?\s*(ft|m)", re.ASCII | re.IGNORECASE)
USUAL_SQUARE = "5ft"


class BlankMap(Struct, frozen=True):
    """The size of an empty map."""

    columns: int
    rows: int
    square: int
    """Its side in hundredths of the unit."""
    unit: str


def parse_size(text: str) -> BlankMap:
    """The size of an empty map, as "30x20" or "30x20 1.5m".

    Raises:
        Illegal: it is not one.

    >>> parse_size("30x20"), parse_size("24 x 16 1.5m").square
    (BlankMap(columns=30, rows=20, square=500, unit='feet'), 150)
    """
    found = SIZE.fullmatch(text)
    if found is None:
        shown = clean(text.partition(" ")[0], 20)
        raise Illegal("size", f"“{shown}” is not the size of a map; expected columns and rows: 30x20.")
    columns, rows = int(found[1]), int(found[2])
    if not (0 < columns <= MOST_SIDE and 0 < rows <= MOST_SIDE):
        raise Illegal("size", f"A blank map has 1 to {MOST_SIDE} columns and rows, not {columns}×{rows}.")
    square = SQUARE.fullmatch(found[3] or USUAL_SQUARE)
    side = int(square[1]) * 100 + int((square[2] or "").ljust(2, "0")) if square else 0
    if square is None or not side:
        raise Illegal("size", f"“{clean(found[3] or '', 20)}” is not the side of a square; expected 5ft or 1.5m.")
    return BlankMap(columns, rows, side, UNITS[square[3].casefold()])


def write_blank(size: BlankMap, name: str = BLANK_NAME) -> Path:
    """Writes an empty map to a free file in the user's maps folder; gives its path.

    Raises:
        Illegal: the name has no letters or digits.
        BattleboardError: it cannot be written.
    """
    stem, many = map_id(name), size.columns * size.rows
    ground, flat = palette.terrain("floor", size.unit), (0,) * many
    field = Battlefield(
        clean(name, MOST_TITLE),
        size.columns,
        size.rows,
        size.unit,
        size.square,
        (ground,),
        flat,
        flat,
        flat,
        (2,) * many,
    )
    side = f"{figure(size.square)} {size.unit}"
    text = write_map(BattleMap(field, (), f"An empty map, {size.columns}×{size.rows} squares of {side}."))
    parse_map(text, stem)  # never write a map that does not parse
    return replace_file(free_file(map_folders()[0], stem), text)


def begin_blank(size: str, name: str, ruleset: str) -> Session:
    """Writes an empty map and starts a battle in its set-up phase on it.

    Raises:
        Illegal: the size or the name cannot be used; nothing is written.
        BattleboardError: the ruleset cannot be used, or the disk refuses.
    """
    return new_encounter(write_blank(parse_size(size), name or BLANK_NAME).stem, ruleset=ruleset)
