"""A table: columns that give way where there is no room, the marked row, what is typed picked out in it. Pure.

The columns of numbers stand right, those of words left. Where a table is too wide, columns that may be are cut, then
those with a drop rank go, the highest first; at last the first column is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from textual.content import Content

from engine.text import cells
from tui.application.describe.text_layout import fit
from tui.application.prompts.choice import Choice, Column
from tui.view.panels.styled_text import join, lines, pieced, plain

GAP, MARKED = "  ", "▸ "
LEAST_FIRST = 8
"""Cells that the first column keeps."""
MATCH = "bold $critical"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
HEAD = 2
"""Rows above those of a table: the titles and a rule."""


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


def header(columns: Sequence[Column], shown: Sequence[tuple[int, int]], sorting: Sorting = Sorting()) -> Content:  # noqa: B008 - frozen
    """The titles of the columns; that by which the rows stand is bright."""
    parts = [
        plain(_cell(columns[place].title, size, columns[place]), "bold" if place == sorting.column else "$muted")
        for place, size in shown
    ]
    return join([" " * cells(MARKED), *_between(parts)])


def row_text(
    columns: Sequence[Column],
    shown: Sequence[tuple[int, int]],
    row: TableRow,
    typed: str = "",
    *,
    is_marked: bool = False,
    width: int = 0,
) -> Content:
    """A row; the letters that were typed are picked out in its first column."""
    parts: list[Content] = []
    for place, size in shown:
        text = row.cells[place] if place < len(row.cells) else ""
        cell = _cell(text, size, columns[place])
        style = row.styles[place] if place < len(row.styles) else ""
        parts.append(_picked_out(cell, typed) if place == 0 and typed else plain(cell, style))
    found = join([MARKED if is_marked else " " * cells(MARKED), *_between(parts)])
    return join([found, " " * (width - found.cell_length)]).stylize("reverse") if is_marked else found


def table_text(
    columns: Sequence[Column],
    rows: Sequence[TableRow],
    width: int,
    height: int,
    *,
    place: int = 0,
    typed: str = "",
    sorting: Sorting = Sorting(),  # noqa: B008 - frozen
    among: Sequence[TableRow] = (),
) -> Content:
    """A whole table in so many rows: titles, a rule and the rows around the marked one.

    Args:
        columns: its columns.
        rows: its rows, in order.
        width, height: of the table in cells.
        place: of the marked row; -1 for none.
        typed: the letters that narrowed it.
        sorting: by which column the rows stand.
        among: all rows of which these are some, so that the columns stay where they are.
    """
    shown = widths(columns, among or rows, width)
    head = [header(columns, shown, sorting), plain("─" * width, "$panel-line")]
    room = max(1, height - len(head))
    first = max(0, min(place - room // 2, len(rows) - room))
    body = [
        row_text(columns, shown, row, typed, is_marked=number == place, width=width)
        for number, row in enumerate(rows[first : first + room], first)
    ]
    return lines([*head, *body])


def _between(parts: Sequence[Content]) -> Iterator[Content | str]:
    for number, part in enumerate(parts):
        if number:
            yield GAP
        yield part


def _cell(text: str, size: int, column: Column) -> str:
    """A cell of so many terminal cells: numbers on the right, words on the left, cut at a word where there is one."""
    lacking = size - cells(text)
    if lacking >= 0:
        return f"{' ' * lacking}{text}" if column.is_number else f"{text}{' ' * lacking}"
    start = fit(text, size).rstrip().removesuffix("…").rstrip()
    word = start if text[len(start) :].startswith(" ") else start.rpartition(" ")[0]
    return fit(f"{word if cells(word) > size // 2 else start}…", size)


def _picked_out(cell: str, typed: str) -> Content:
    """A name with the typed beginnings of its words picked out."""
    wanted = [re.escape(word) for word in typed.split()]
    found = re.split(rf"((?:^|(?<=[ _-]))(?:{'|'.join(wanted)}))", cell, flags=re.IGNORECASE) if wanted else [cell]
    return pieced((piece, MATCH if place % 2 else "") for place, piece in enumerate(found))
