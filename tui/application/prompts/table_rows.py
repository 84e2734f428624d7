"""Rows and columns of a table: how they stand, which columns there is room for. Drawn by `tui/view/panels/table.py`.

The columns of numbers stand right, those of words left. Where a table is too wide, columns that may be are cut, then
those with a drop rank go, the highest first; what is free then, those that were cut get back;
at last the first column is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.text import cells
from tui.application.prompts.choice import Choice, Column

GAP, MARKED = "  ", "▸ "
LEAST_FIRST = 8
"""Cells that the first column keeps."""
NUMBER = re.compile(r"\d+(?:\.\d+)?")


class TableRow(Struct, frozen=True):
    """A row: the id of what it is, its cells, and their styles where they have any."""

    id: str
    cells: tuple[str, ...]
    styles: tuple[str, ...] = ()


def rows_of(choices: Iterable[Choice]) -> list[TableRow]:
    """The rows of a table: label and numbers, or label and note."""
    return [TableRow(one.id, (one.label, *(one.cells or (one.note,)))) for one in choices]


class Sorting(Struct, frozen=True):
    """By which column rows stand; None for the order in which they came."""

    column: int | None = None
    is_reversed: bool = False

    def clicked(self, column: int | None) -> Sorting:
        """After a click on a header: that column, then the other way round, then as they came."""
        if column is None or column != self.column:
            return Sorting(column)
        return Sorting() if self.is_reversed else Sorting(column, is_reversed=True)


def ordered(rows: Sequence[TableRow], columns: Sequence[Column], sorting: Sorting) -> list[TableRow]:
    """The rows as they stand: words from a to z, numbers from the largest, what is missing last."""
    place = sorting.column
    if place is None:
        return list(rows)
    known = [row for row in rows if place < len(row.cells) and _number(row.cells[place], columns[place]) is not None]
    found = sorted(known, key=lambda row: _number(row.cells[place], columns[place]) or 0)
    if columns[place].is_number != sorting.is_reversed:
        found.reverse()
    return [*found, *(row for row in rows if row not in known)]


def _number(text: str, column: Column) -> float | str | None:
    """What a cell is sorted by; None where it says nothing."""
    if not column.is_number:
        return text.casefold() or None
    found = NUMBER.search(text)
    return float(found[0]) if found else None


def widths(columns: Sequence[Column], rows: Sequence[TableRow], width: int) -> list[tuple[int, int]]:
    """The place and the cells of each column that is shown, in so many cells beside the mark."""
    sizes = {
        place: max([cells(column.title), *(cells(row.cells[place]) for row in rows if place < len(row.cells))])
        for place, column in enumerate(columns)
    }
    whole = dict(sizes)
    shown = [place for place in sizes if place == 0 or any(row.cells[place : place + 1] > ("",) for row in rows)]
    room = width - cells(MARKED)

    def needed() -> int:
        return sum(sizes[place] for place in shown) + len(GAP) * (len(shown) - 1)

    for place in shown:
        if columns[place].least:
            sizes[place] -= max(0, min(needed() - room, sizes[place] - columns[place].least))
    for place in sorted(shown, key=lambda place: -columns[place].drop):
        if needed() > room and columns[place].drop:
            shown.remove(place)
    for place in shown:
        sizes[place] += min(max(0, room - needed()), whole[place] - sizes[place])
    sizes[0] = min(sizes[0], max(LEAST_FIRST, sizes[0] - needed() + room))
    return [(place, sizes[place]) for place in shown]


def column_at(shown: Sequence[tuple[int, int]], x: int) -> int | None:
    """The column whose cells, or the gap after them, hold the `x`-th cell of a row; None for none."""
    start = cells(MARKED)
    for place, size in shown:
        if start <= x < start + size + len(GAP):
            return place
        start += size + len(GAP)
    return None
