"""The drawn style: a canvas of 4 columns and 2 rows a square, with thin walls between the squares.

    +---+-D-+---+      even rows: corners at every fourth column, edges in the middle between them
    | .   o | .        odd rows: edges at every fourth column, squares in the middle between them
    +---+---+---+

Every other place is dead. A mark in a dead place would silently vanish, so it is noted as a problem.
"""

from __future__ import annotations

from engine.geometry.squares import Edge
from engine.toml_reader import Reader
from maps.glyph_rows import (
    Drawing,
    Stroke,
    drawn_rows,
    glyph_fault,
    limited,
    note_long_rows,
    padded,
    stated_columns,
    stated_rows,
)
from maps.model import OUTSIDE

PITCH = 4
CORNERS = " +-|"
NOTHING = " "


def drawn_canvas(reader: Reader) -> Drawing:
    """The drawing under `drawn`. Marks in dead places, half walls and ragged rows are noted."""
    lines = drawn_rows(reader, "drawn")
    width = len(lines[0]) if lines else 0
    if width % PITCH != 1 and lines and not reader.has("columns"):
        message = f"the first row is {width} characters long; expected four for each square plus one, as +---+---+"
        reader.problem("drawn", message)
    columns = stated_columns(reader, (width + 2) // PITCH)
    rows = stated_rows(reader, "drawn", len(lines) // 2)
    width = columns * PITCH + 1
    note_long_rows(reader, "drawn", lines, width, "characters")
    full = padded(lines, width, rows * 2 + 1)
    strokes: list[Stroke] = []
    for number, line in enumerate(full):
        if number % 2:
            strokes += _square_line(reader, line, number)
        else:
            strokes += _edge_line(reader, line, number)
    glyphs = tuple(line[2::PITCH] for line in full[1::2])
    return limited(reader, Drawing("drawn", columns, rows, glyphs, tuple(strokes), (PITCH, 2), (2, 1)))


def _edge_line(reader: Reader, line: str, number: int) -> list[Stroke]:
    """Strokes on the north side of the squares below a line of corners and edges."""
    strokes = []
    for offset, glyph in enumerate(line):
        match offset % PITCH:
            case 0 if glyph not in CORNERS:
                _note_dead(reader, glyph, number, offset, "a corner takes only + - | or a space")
            case 1 | 3 if glyph not in " -":
                _note_dead(reader, glyph, number, offset, "an edge's glyph stands in the middle between two corners")
            case 2 if glyph == "|":
                _note_dead(reader, glyph, number, offset, "a wall between upper and lower squares is drawn as ---")
            case 2 if glyph != NOTHING:
                strokes.append(Stroke(Edge(offset // PITCH, number // 2, "N"), glyph, number, offset))
            case 2 if line[offset - 1] == "-" or line[offset + 1] == "-":
                reader.problem(
                    "drawn",
                    "only half an edge is drawn here; expected a glyph in its middle",
                    row=number,
                    offset=offset,
                )
    return strokes


def _square_line(reader: Reader, line: str, number: int) -> list[Stroke]:
    """Strokes on the west side of the squares on a line of edges and squares, and on the last one's east side."""
    strokes = []
    for offset, glyph in enumerate(line):
        match offset % PITCH:
            case 0 if glyph == "-":
                _note_dead(reader, glyph, number, offset, "a wall between left and right squares is drawn as |")
            case 0 if glyph != NOTHING:
                strokes.append(Stroke(Edge(offset // PITCH, number // 2, "W"), glyph, number, offset))
            case 1 | 3 if glyph != OUTSIDE:
                _note_dead(reader, glyph, number, offset, "a square's glyph stands in the middle between two edges")
    return strokes


def _note_dead(reader: Reader, glyph: str, row: int, offset: int, expected: str) -> None:
    if not glyph_fault(glyph):
        reader.problem("drawn", f"{glyph!r} in a place without a meaning; {expected}", row=row, offset=offset)
