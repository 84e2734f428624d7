"""Picker: a long list that letters narrow. Arrows walk, Enter takes, Esc leaves; no letter is a command."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.text import cells
from tui.application.describe.text_layout import fit, wrap
from tui.application.prompts.choice import Choice, MenuQuestion, narrowed, split_count
from tui.application.prompts.table_rows import Sorting, column_at, ordered, rows_of, widths
from tui.view.modals.list_screen import ListScreen, Place
from tui.view.modals.long_list import KEYS as BAR_KEYS
from tui.view.modals.long_list import LongList
from tui.view.panels.styled_text import join, lines, plain
from tui.view.panels.table import header, row_text
from tui.view.terminal.idle_jobs import IdleJobs

WALKS = frozenset(BAR_KEYS) - {"j", "k"}
COUNTS = "3 gu: three of them"
CARET = "▏"
MOST_WIDE, FRAME = 110, 6
"""Columns of a table in the middle of the screen, and those that its frame and padding take."""
LEAST_NOTE = 5
"""Cells that a note beside a label needs."""


class Picker(ListScreen[str]):
    """Returns the chosen id, "" if cancelled."""

    DEFAULT_CSS = """
    Picker .box { height: 90%; }
    Picker OptionList { height: 1fr; max-height: 100%; }
    Picker #says { height: 0; }
    Picker #typed { color: $text; }
    Picker.-table .box { max-width: 110; } /* MOST_WIDE */
    """

    def __init__(self, menu: MenuQuestion, place: Place | None = None) -> None:
        """Builds a list of a menu; a click on the title of a column sorts by it.

        Args:
            menu: what can be taken; what a choice says stands below the list while it is marked.
            place: where it stands; None for the middle of the screen.
        """
        super().__init__(classes="-table" if menu.table else "")
        self._menu, self.place = menu, place
        self._counts, self._columns = menu.counts, menu.table
        self._sorting = Sorting()
        self.choices = tuple(menu.choices)
        self.typed = ""
        self.spare = IdleJobs(self.set_interval, self.call_after_refresh)

    def compose(self) -> ComposeResult:
        with self.framed() as box:
            box.border_title = plain(self._menu.title)
            yield Static(id="typed", markup=False)
            if self._columns:
                yield Static(id="titles", markup=False)
            yield LongList()
            yield Static(id="says", markup=False)
            if self.place is None:
                yield Static(self._hint(), id="hint", markup=False)
        if self.place is not None:
            yield Static(self._hint(), id="hint", markup=False)

    def _hint(self) -> Content:
        keys = [("letters", "narrow"), *([COUNTS.split(": ")] if self._counts else []), ("↑↓ Enter", "take")]
        keys.append(("Esc", "back"))
        return join(part for key, words in keys for part in (plain(f" {key}", "bold"), plain(f" {words} ", "$muted")))

    def on_mount(self) -> None:
        self.rows_needed = len(self.choices) + 1 + bool(self._columns) + self._rows_below
        self.settle()
        if self._menu.later is not None:
            self.spare.do("numbers", self._work(self._menu.later()))

    def settle(self) -> None:
        super().settle()
        self.query_one("#says").styles.height = self._rows_below
        self._show()

    @property
    def _rows_below(self) -> int:
        """Rows that the longest sentence takes, as it is wrapped at words."""
        return -(-max(cells(one.says) for one in self.choices) * 9 // (8 * (self._width - 2))) if self.choices else 0

    def _work(self, job: Iterator[Choice | None]) -> Iterator[None]:
        """Shows items anew as their numbers become known."""
        for changed in job:
            if changed is not None:
                self.choices = tuple(changed if one.id == changed.id else one for one in self.choices)
                self._show(self._marked)
            yield

    @property
    def _marked(self) -> str:
        """Id of the marked choice; "" for none."""
        options = self.query_one(LongList)
        return options.get_option_at_index(options.highlighted).id or "" if options.highlighted is not None else ""

    def on_option_list_option_highlighted(self) -> None:
        says = next((one.says for one in self.choices if one.id == self._marked), "")
        self.query_one("#says", Static).update(lines(plain(f" {row}") for row in wrap(says, self._width - 2)))

    @property
    def count(self) -> str:
        """How many were typed; "" for none."""
        return split_count(self.typed)[0] if self._counts else ""

    def _show(self, marked: str = "") -> None:
        """Lists what is typed, and marks a choice, or the first."""
        letters = split_count(self.typed)[1] if self._counts else self.typed
        found = narrowed(self.choices, letters)
        options = self.query_one(LongList)
        options.clear_options()
        if self._columns:
            shown = self._shown()
            self.query_one("#titles", Static).update(header(self._columns, shown, self._sorting))
            rows = ordered(rows_of(found), self._columns, self._sorting)
            options.add_options(Option(row_text(self._columns, shown, row, letters), id=row.id) for row in rows)
        else:
            options.add_options(Option(self._row(one), id=one.id) for one in found)
        if found:
            place = next((place for place, one in enumerate(options.options) if marked and one.id == marked), 0)
            options.highlighted = place
        said = f" of {len(self.choices)}" if found else f" Nothing with “{self.typed}”."
        count = plain(f"  {len(found)}{said}" if found else said, "$muted")
        self.query_one("#typed", Static).update(join([plain(f" {self.typed}{CARET}", "bold"), count]))

    def _shown(self) -> list[tuple[int, int]]:
        """The columns that there is room for."""
        return widths(self._columns, rows_of(self.choices), self._width)

    @property
    def _width(self) -> int:
        """Cells of a row."""
        if self.place is not None:
            return self.place(self.rows_needed).width - 4
        return min(MOST_WIDE, self.size.width * 9 // 10) - FRAME

    def on_click(self, event: events.Click) -> None:
        titles = self.query("#titles")
        offset = event.get_content_offset(titles.first()) if titles else None
        column = column_at(self._shown(), offset.x) if offset is not None else None
        if column is not None:
            self._sorting = self._sorting.clicked(column)
            self._show()

    def _row(self, one: Choice) -> Content:
        """An item in one row of the column, or in as many as it takes in the middle of the screen."""
        if self.place is None:
            return join([plain(one.label), plain(f"  {one.note}" if one.note else "", "$muted")])
        width = self._width
        label = fit(f"{one.sign} {one.label}" if one.sign else one.label, width).rstrip()
        note = fit(f"  {one.note}", width - cells(label)) if one.note and width - cells(label) > LEAST_NOTE else ""
        return join([" ", plain(label), plain(note, "$muted")])

    def type(self, text: str) -> None:
        """Types a text at the caret."""
        self.typed += text
        self._show()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.type(" ".join(event.text.split()))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        options = self.query_one(LongList)
        if event.key == "escape" and not self.typed:
            self._answer("")
        elif event.key in ("escape", "ctrl+u"):
            self.typed = ""
            self._show()
        elif event.key == "enter":
            if options.highlighted is not None:
                self._answer(options.get_option_at_index(options.highlighted).id or "")
        elif event.key in WALKS:
            options.move_bar(event.key)
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
            self._show()
        elif event.character and event.is_printable:
            self.type(event.character)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._answer(event.option_id or "")
