"""Picker: a long list that letters narrow. Arrows walk, Enter takes, Esc leaves; no letter is a command."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.text import cells
from tui.application.describe.text_layout import fit
from tui.application.prompts.choice import Choice, Column, narrowed, split_count
from tui.application.prompts.table_rows import Sorting, column_at, ordered, rows_of, widths
from tui.view.modals.list_screen import ListScreen, Place
from tui.view.modals.long_list import KEYS as BAR_KEYS
from tui.view.modals.long_list import LongList
from tui.view.panels.styled_text import join, plain
from tui.view.panels.table import header, row_text

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
    Picker #typed { color: $text; }
    Picker.-table .box { max-width: 110; } /* MOST_WIDE */
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        columns: Sequence[Column] = (),
        *,
        counts: bool = False,
        place: Place | None = None,
    ) -> None:
        """Builds a list.

        Args:
            title: over the list.
            choices: what can be taken.
            columns: of a table, that of the labels first; a click on a title sorts by it. None for notes.
            counts: whether digits before the letters are how many.
            place: where it stands; None for the middle of the screen.
        """
        super().__init__(classes="-table" if columns else "")
        self._counts = counts
        self._columns = columns
        self._sorting = Sorting()
        self._title = title
        self.choices = choices
        self.place = place
        self.typed = ""

    def compose(self) -> ComposeResult:
        with self.framed() as box:
            box.border_title = plain(self._title)
            yield Static(id="typed", markup=False)
            if self._columns:
                yield Static(id="titles", markup=False)
            yield LongList()
            if self.place is None:
                yield Static(self._hint(), id="hint", markup=False)
        if self.place is not None:
            yield Static(self._hint(), id="hint", markup=False)

    def _hint(self) -> Content:
        keys = [("letters", "narrow"), *([COUNTS.split(": ")] if self._counts else []), ("↑↓ Enter", "take")]
        keys.append(("Esc", "back"))
        return join(part for key, words in keys for part in (plain(f" {key}", "bold"), plain(f" {words} ", "$muted")))

    def on_mount(self) -> None:
        self.rows_needed = len(self.choices) + 1 + bool(self._columns)
        self.settle()

    def settle(self) -> None:
        super().settle()
        self._show()

    @property
    def count(self) -> str:
        """How many were typed; "" for none."""
        return split_count(self.typed)[0] if self._counts else ""

    def _show(self) -> None:
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
            options.action_first()
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
