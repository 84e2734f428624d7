"""The rulers: column letters above the board and row numbers on its left, in step with what the window shows."""

from __future__ import annotations

from collections.abc import Iterator

from engine.geometry.squares import Square, column_name
from engine.rules.ledger import UNIT_SIGNS
from tui.view.board.ground import NO_EDGE, Cell, south_look
from tui.view.board.palette import VOID, Paper
from tui.view.board.picture import Picture, Run, merge
from tui.view.board.zoom_levels import Zoom

TOP = 1
"""Lines that the column letters take."""
CHIP = 3
"""Cells of a chip beside its words."""


def left_width(rows: int) -> int:
    """Columns that the row numbers take, with a blank after them."""
    return len(str(rows)) + 1


def column_ruler(picture: Picture, start: int, end: int, row: int, below: int | None = None) -> list[Run]:
    """Letters over canvas columns `start` to `end`; a letter stands over the middle of its squares.

    Letters that would touch others are left out: of two letters every second, the neighbours of the cursor's, and those
    that the window cuts. Thin things on the north side of `row`, the first row in the window, are drawn here, as a line
    under the letters. At its ends stands whether the map continues, and where somebody is who is aimed at and not in
    sight; `below` is the row after the last one in the window.
    """
    kept, place = picture.squares.rulers, (start, end, row)
    if place not in kept:  # walls are looked for once for each place of the window, not with each move of the cursor
        across, columns = picture.manner.zoom.width, picture.view.field.columns
        cells = [picture.manner.cell(" ", "ruler", VOID)] * (end - start)
        for column in range(start // across, min((end - 1) // across + 1, columns)):
            is_shown = column % 2 == 1 or not _touch(column, column + 1, picture.manner.zoom)
            _put_letter(cells, start, picture, Square(column, row), "ruler" if is_shown else "")
        kept.clear()
        kept[place] = cells
    cells = list(kept[place])
    cursor = picture.markings.cursor
    if cursor is not None:
        for column in (cursor.column - 1, cursor.column + 1):
            if 0 <= column < picture.view.field.columns and _touch(cursor.column, column, picture.manner.zoom):
                _put_letter(cells, start, picture, Square(column, row), "")
        _put_letter(cells, start, picture, Square(cursor.column, row), "ruler-cursor")
    for is_left, text in _beyond(picture, start, end, row, below):
        _put_end(cells, text, picture, is_left=is_left)
    return merge(cells)


def _put_end(cells: list[Cell], text: str, picture: Picture, *, is_left: bool) -> None:
    """Writes at an end of the letters, and blanks the one that it would touch."""
    ink = "ruler-cursor" if len(text) > 1 else "ruler"
    first = 0 if is_left else max(0, len(cells) - len(text))
    for x, glyph in enumerate(text, first):
        _put(cells, x, picture.manner.cell(glyph, ink, VOID))
    place, step = (len(text), 1) if is_left else (first - 1, -1)
    while 0 <= place < len(cells) and cells[place].glyph != " ":
        cells[place] = picture.manner.cell(" ", "ruler", VOID)
        place += step


def _beyond(picture: Picture, start: int, end: int, row: int, below: int | None) -> Iterator[tuple[bool, str]]:
    """What stands at the ends of the letters, each with whether it is the left end: "▸ g3", "◂"."""
    left, right, up, down = picture.manner.glyphs.onward
    across = picture.manner.zoom.width
    ways = {left: start > 0, right: end < picture.size[0]}
    markings, view = picture.markings, picture.view
    aimed = next((unit for unit in view.units if unit.id == markings.target), None) if markings.target else None
    if aimed is not None and below is not None:
        place = aimed.at.column * across
        way = left if place < start else right if place >= end else ""
        way = way or (up if aimed.at.row < row else down if aimed.at.row >= below else "")
        if way:
            yield way == left, f"{way} {aimed.badge} "
            ways[left if way == left else right] = False
    yield from ((way == left, way) for way, is_beyond in ways.items() if is_beyond)


def _touch(column: int, other: int, zoom: Zoom) -> bool:
    """Whether the letters of two neighbouring columns would have no blank between them."""
    left, right = sorted((column, other))
    return _first(left, zoom) + len(column_name(left)) >= _first(right, zoom)


def _first(column: int, zoom: Zoom) -> int:
    """The cell on the canvas in which the letters of a column begin."""
    return column * zoom.width + zoom.centre[0] - (len(column_name(column)) > 1)


def _put_letter(cells: list[Cell], start: int, picture: Picture, below: Square, ink: str) -> None:
    """Writes the letters of a square's column, in cells that begin at canvas column `start`; no `ink` blanks them."""
    manner, column = picture.manner, below.column
    across, text = manner.zoom.width, column_name(column)
    first = _first(column, manner.zoom)
    if not ink or first < start or first + len(text) > start + len(cells):
        text, ink = "", "ruler"
    north = Square(column, below.row - 1)
    has_wall = south_look(picture.view.field, north) not in NO_EDGE
    for x in range(column * across, (column + 1) * across):
        inside = 0 <= x - first < len(text)
        glyph = text[x - first] if inside else " "
        own = ink if inside else "ruler"
        _put(cells, x - start, manner.cell(glyph, f"{own} underline" if has_wall else own, VOID))


def _put(cells: list[Cell], place: int, cell: Cell) -> None:
    if 0 <= place < len(cells):
        cells[place] = cell


def scale_line(picture: Picture, width: int) -> list[Run]:
    """What a square and a digit of height measure, what tints mean, and the signs of smoke, in so many cells.

    "5 ft a square · ¹ = 3 ft · ░ thin ▒ thick smoke"; with tints their chips, as long as fits, before what they leave
    room for.
    """
    manner, field = picture.manner, picture.view.field
    unit = UNIT_SIGNS[field.unit]
    parts = [f"{field.square_size / 100:g} {unit} a square"]
    if any(field.elevation):
        parts.append(f"{manner.glyphs.level(1)} = {manner.step / 100:g} {unit}")
    if any(field.smoke):
        parts.append(f"{manner.glyphs.smoke[0]} thin {manner.glyphs.smoke[1]} thick smoke")
    between = " · " if manner.glyphs.has_unicode else ", "
    chips = _chips(picture, width - len(parts[0]) - 1)
    room = width - len(chips) - bool(chips)
    while len(parts) > 1 and len(between.join(parts)) > room:
        parts.pop()
    text = f"{between.join(parts)[:room]}{' ' * bool(chips)}"
    rest = width - len(text) - len(chips)
    signs = [manner.cell(glyph, "ruler", VOID) for glyph in text], [manner.cell(" ", "ruler", VOID)] * rest
    return merge([*signs[0], *chips, *signs[1]])


def _chips(picture: Picture, room: int) -> list[Cell]:
    """A chip for each tint that the markings explain: its sign, what it means and where it ends, as far as fits."""
    manner, chips = picture.manner, picture.markings.chips
    ways = [
        [(chip, " ".join(filter(None, words))) for chip, words in zip(chips, said, strict=True)]
        for said in (
            [(chip.label, chip.end) for chip in chips],
            [(chip.label,) for chip in chips],
            [(chip.end,) for chip in chips],
        )
    ]
    fitting = (way for way in ways if sum(len(words) + CHIP for _, words in way) <= room)
    cells: list[Cell] = []
    for chip, words in next(fitting, []):
        paper = Paper("floor", tint=chip.tint)
        cells += [manner.cell(" ", "label", paper), manner.cell(manner.glyphs.tints[chip.tint], "tint", paper)]
        cells += [manner.cell(glyph, "label", paper) for glyph in f" {words}"]
    return cells


def row_ruler(picture: Picture, y: int, onward: str = "") -> list[Run]:
    """The number of the row that canvas line `y` runs through the middle of, right-aligned; blank on other lines.

    After it stands `onward`, the sign that the map continues above or below.
    """
    manner, field = picture.manner, picture.view.field
    row, line = divmod(y, manner.zoom.height)
    width = left_width(field.rows)
    is_shown = 0 <= row < field.rows and line == (manner.zoom.height - 1) // 2
    text = str(row + 1).rjust(width - 1) if is_shown else " " * (width - 1)
    cursor = picture.markings.cursor
    ink = "ruler-cursor" if is_shown and cursor is not None and cursor.row == row else "ruler"
    cells = [manner.cell(glyph, ink if glyph != " " else "ruler", VOID) for glyph in text]
    return merge([*cells, manner.cell(onward or " ", "ruler", VOID)])
