"""A table as text: titles, the marked row, what is typed picked out in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from textual.content import Content

from engine.text import cells
from tui.application.describe.text_layout import fit
from tui.application.prompts.choice import Column
from tui.application.prompts.table_rows import GAP, MARKED, Sorting, TableRow, widths
from tui.view.panels.styled_text import join, lines, pieced, plain

MATCH = "bold $critical"
HEAD = 2
"""Rows above those of a table: the titles and a rule."""


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
