"""The list of the library: a table for each section, headings of groups, the marked entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import var

from engine.values import replace
from tui.application.describe.text_layout import fit
from tui.application.library.battle_list import SECTIONS, BattleEntry, Entry, section_of
from tui.application.library.library_rows import DAMAGED, columns_of, table_rows
from tui.application.prompts.table_rows import MARKED, Sorting, TableRow, column_at, widths
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, lines, plain
from tui.view.panels.table import header, row_text

EMPTY = ("no battles yet", "no encounters yet", "", "", "")


class Shelf(Struct, frozen=True):
    """The list as it is shown."""

    entries: tuple[Entry, ...] = ()
    rows: tuple[TableRow, ...] = ()
    """The row of each entry."""
    place: int = 0
    """Of the marked entry."""
    wanted: str = ""
    """What is searched for; "" where everything is listed."""
    total: int = 0
    """How many entries there are, listed or not."""
    sortings: tuple[Sorting, ...] = (Sorting(),) * len(SECTIONS)
    """By which column each section stands."""


class ShelfLine(Struct, frozen=True):
    """A line of the list before it is drawn: the titles of a section, an entry, or words."""

    section: int
    place: int = -1
    """Of the entry; -1 for none."""
    words: str = ""
    """Muted; "" for titles or an entry."""
    sizes: tuple[tuple[int, int], ...] = ()
    """Of the section's columns."""


class BattleList(Panel):
    """List of battles, encounters, maps, parties and characters with one selected; a click on a title sorts by it."""

    TITLE = "Library"
    shown: var[Shelf] = var(Shelf(), init=False)

    class SectionSorted(Message):
        """The title of a column of a section was clicked."""

        def __init__(self, section: int, column: int) -> None:
            super().__init__()
            self.section, self.column = section, column

    class EntryClicked(Message):
        """An entry was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def build(self, width: int, height: int) -> Content:
        shelf = self.shown
        if shelf.wanted:
            self.head(f"Search: {fit(shelf.wanted, width // 3).rstrip()}", f"{len(shelf.entries)} of {shelf.total}")
        else:
            self.head(self.TITLE)
        return shelf_text(shelf, width, height)

    def on_click(self, event: Click) -> None:
        offset, size = event.get_content_offset(self), self.content_size
        shown = shelf_lines(self.shown, size.width, size.height)
        if offset is None or offset.y >= len(shown):
            return
        line = shown[offset.y]
        column = column_at(line.sizes, offset.x)
        if line.place >= 0:
            self.post_message(self.EntryClicked(line.place))
        elif column is not None and not line.words:
            self.post_message(self.SectionSorted(line.section, column))


def shelf_of(entries: Sequence[Entry], place: int = 0) -> Shelf:
    """A list of everything there is."""
    return Shelf(tuple(entries), table_rows(entries, entries), place, total=len(entries))


def shelf_text(shelf: Shelf, width: int, height: int) -> Content:
    """Renders the sections, as many rows as fit around the selection; of a search only those in which it is found."""
    if shelf.wanted and not shelf.entries:
        return plain(f"  Nothing with “{shelf.wanted}”.", "$muted")
    return lines(_drawn(shelf, line, width) for line in shelf_lines(shelf, width, height))


def shelf_lines(shelf: Shelf, width: int, height: int) -> list[ShelfLine]:
    """The lines in sight."""
    found = [line for section in range(len(SECTIONS)) for line in _section_lines(shelf, section, width)]
    bar = next((number for number, line in enumerate(found) if line.place == shelf.place), 0)
    start = 0 if bar < height else max(0, min(bar - height // 2, len(found) - height))
    return found[start : start + height]


def _section_lines(shelf: Shelf, section: int, width: int) -> Iterator[ShelfLine]:
    places = [place for place, entry in enumerate(shelf.entries) if section_of(entry) == section]
    if shelf.wanted and not places:
        return
    rows = [_inside(shelf, place) for place in places]
    sizes = tuple(widths(columns_of(section), rows, width))
    yield ShelfLine(section, sizes=sizes)
    group = ""
    for place in places:
        entry = shelf.entries[place]
        if isinstance(entry, BattleEntry):
            if entry.group not in ("", group):
                yield ShelfLine(section, words=entry.group)
            group = entry.group
        yield ShelfLine(section, place, sizes=sizes)
    if not places and EMPTY[section]:
        yield ShelfLine(section, words=EMPTY[section])


def _inside(shelf: Shelf, place: int) -> TableRow:
    """A row; that of a battle below the heading of its group is indented."""
    entry, row = shelf.entries[place], shelf.rows[place]
    is_below = isinstance(entry, BattleEntry) and entry.group
    return replace(row, cells=(f"  {row.cells[0]}", *row.cells[1:])) if is_below else row


def _drawn(shelf: Shelf, line: ShelfLine, width: int) -> Content:
    columns, sorting = columns_of(line.section), shelf.sortings[line.section]
    if line.words:
        return plain(fit(f"  {line.words}", width), "$muted")
    if line.place < 0:
        first = len(MARKED) + (line.sizes[0][1] if line.sizes else 0)
        title = plain(fit(columns[0].title, first), "bold $panel-title")
        return join([title, header(columns, line.sizes, sorting)[first:]])
    row = _inside(shelf, line.place)
    styles = ("", "$bad" if row.cells[1:2] == (DAMAGED,) else "", *["$muted"] * len(columns))
    is_marked = line.place == shelf.place
    styled = row if is_marked else replace(row, styles=styles)
    return row_text(columns, line.sizes, styled, shelf.wanted, is_marked=is_marked, width=width)
