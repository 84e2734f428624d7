"""A drawn block of text as rows of glyphs, whichever style it is drawn in. Knows characters, not what they mean."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from msgspec import Struct

from engine.geometry.battlefield import MAX_COLUMNS, MAX_ROWS
from engine.geometry.squares import Edge
from engine.text import cells, is_clean
from engine.toml_reader import Reader
from maps.model import OUTSIDE

REFUSED_GLYPHS = {"\\": "a backslash", '"': "a quotation mark"}
"""TOML would write them as two characters, and the columns below would shift."""


class Stroke(Struct, frozen=True):
    """A glyph on an edge, and where in the drawing it stands."""

    edge: Edge
    glyph: str
    row: int
    offset: int


class Drawing(Struct, frozen=True):
    """One glyph for each square, all rows equally long, and the strokes between squares."""

    key: str
    """The key of [map] that it was read from."""
    columns: int
    rows: int
    glyphs: tuple[str, ...]
    strokes: tuple[Stroke, ...] = ()
    pitch: tuple[int, int] = (1, 1)
    """Characters a square takes, across and down."""
    origin: tuple[int, int] = (0, 0)
    """Offset and row of the first square's glyph."""

    def place(self, column: int, row: int) -> tuple[int, int]:
        """Row and offset of a square's glyph in the drawing."""
        return row * self.pitch[1] + self.origin[1], column * self.pitch[0] + self.origin[0]


@lru_cache(4096)
def glyph_fault(glyph: str) -> str | None:
    """What is wrong with a character as a glyph, or None."""
    if glyph in REFUSED_GLYPHS:
        return REFUSED_GLYPHS[glyph]
    if glyph == "\t":
        return "a tab"
    if unicodedata.category(glyph)[0] == "M":
        return "a combining mark"
    if not is_clean(glyph):
        return f"the unprintable character U+{ord(glyph):04X}"
    return "a character two columns wide" if cells(glyph) != 1 else None


def drawn_rows(reader: Reader, key: str) -> list[str]:
    """The rows of a block without trailing spaces and trailing empty rows; characters that cannot be glyphs are noted.

    A character that was noted is left in the row, so that the columns behind it keep their places.
    """
    rows = [row.rstrip(" ") for row in reader.block(key).split("\n")]
    while rows and not rows[-1]:
        rows.pop()
    faults = {glyph: fault for glyph in set("".join(rows)) if (fault := glyph_fault(glyph))}
    if faults:
        for number, row in enumerate(rows):
            for offset, glyph in enumerate(row):
                if glyph in faults:
                    message = f"{faults[glyph]} is not allowed in a drawing; expected characters one column wide"
                    reader.problem(key, message, row=number, offset=offset)
    return rows


def drawn_squares(reader: Reader) -> Drawing:
    """A drawing with one character a square: the first row sets the width, shorter rows end in outside.

    Rows longer than the first are noted, as is a map that is empty or beyond the limits.
    """
    rows = drawn_rows(reader, "squares")
    columns = stated_columns(reader, len(rows[0]) if rows else 0)
    count = stated_rows(reader, "squares", len(rows))
    note_long_rows(reader, "squares", rows, columns, "squares")
    return limited(reader, Drawing("squares", columns, count, padded(rows, columns, count)))


def stated_columns(reader: Reader, drawn: int) -> int:
    """The width: what `columns` says, else what the first row shows."""
    return reader.whole("columns", least=1, most=MAX_COLUMNS) if reader.has("columns") else drawn


def stated_rows(reader: Reader, key: str, drawn: int) -> int:
    """The height: what `rows` says, else what is drawn."""
    if not reader.has("rows"):
        return drawn
    count = reader.whole("rows", least=1, most=MAX_ROWS)
    if drawn > count:
        reader.problem(key, f"there are {drawn} rows; [map] rows = {count}", row=count)
    return count


def note_long_rows(reader: Reader, key: str, rows: list[str], width: int, what: str) -> None:
    """Note each row that is longer than the map is wide."""
    for number, row in enumerate(rows):
        if len(row) > width:
            first = "columns is" if reader.has("columns") else "the first row has"
            message = f"row {number + 1} has {len(row)} {what}; {first} {width}"
            reader.problem(key, message, row=number, offset=width)


def padded(rows: list[str], columns: int, count: int) -> tuple[str, ...]:
    """Rows of exactly that size, cut, or filled with outside."""
    full = [row[:columns].ljust(columns, OUTSIDE) for row in rows[:count]]
    return (*full, *[OUTSIDE * columns] * (count - len(full)))


def limited(reader: Reader, drawing: Drawing) -> Drawing:
    """The drawing when its size is allowed; else an empty one, and a note."""
    if 1 <= drawing.columns <= MAX_COLUMNS and 1 <= drawing.rows <= MAX_ROWS:
        return drawing
    if not drawing.columns or not drawing.rows:
        reader.problem(drawing.key, "the map is empty; expected rows of squares")
    else:
        size = f"{drawing.columns} × {drawing.rows}"
        reader.problem(drawing.key, f"the map has {size} squares; at most {MAX_COLUMNS} × {MAX_ROWS} fit")
    return Drawing(drawing.key, 0, 0, ())


def read_layer(
    reader: Reader, name: str, drawing: Drawing, default: int, value_of: Callable[[str], int | None], expected: str
) -> tuple[int, ...]:
    """A layer of the map's size, row-major: one character a square, `.` or a space for the default.

    Args:
        reader: the layer's table, with its `rows`.
        name: what messages call the layer.
        drawing: the map it lies over.
        default: value where nothing is said.
        value_of: value of a character, None when it has none.
        expected: what a message expects instead of such a character.
    """
    rows = drawn_rows(reader, "rows") if reader.has("rows") else []
    known = {".": default, OUTSIDE: default}
    for glyph in set("".join(rows)) - set(known):
        value = value_of(glyph)
        if value is not None:
            known[glyph] = value
    for number, offset, glyph in _strangers(rows, known):
        if not glyph_fault(glyph):
            where = f"{name} row {number + 1}, column {offset + 1}"
            reader.problem("rows", f"{where}: {glyph!r} is not known; expected {expected}", row=number, offset=offset)
    for number, row in enumerate(rows):
        if drawing.columns and len(row) > drawing.columns:
            message = f"{name} row {number + 1} has {len(row)} squares; the map has {drawing.columns}"
            reader.problem("rows", message, row=number, offset=drawing.columns)
    if drawing.rows and len(rows) > drawing.rows:
        reader.problem("rows", f"{name} has {len(rows)} rows; the map has {drawing.rows}", row=drawing.rows)
    full = padded(rows, drawing.columns, drawing.rows)
    return tuple(known.get(glyph, default) for row in full for glyph in row)


def _strangers(rows: list[str], known: dict[str, int]) -> Iterator[tuple[int, int, str]]:
    """Row, offset and glyph of every character without a value."""
    for number, row in enumerate(rows):
        if set(row) - set(known):
            yield from ((number, offset, glyph) for offset, glyph in enumerate(row) if glyph not in known)
