"""Card: rows with a key each, which takes its row; a row that is not possible says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.values import replace
from tui.application.describe.text_layout import wrap
from tui.application.keys.battle_keys import with_keys
from tui.application.prompts.choice import (
    LIST_KEY,
    NO_PASTE,
    UNFOLDS,
    Choice,
    MenuQuestion,
    Picked,
    begun_keys,
    key_place,
    keys_for,
    numbers_for,
)
from tui.view.modals.card_rows import FOLDED, CardRow, about, card_rows, item_text, key_hints
from tui.view.modals.list_screen import ListScreen, Place
from tui.view.modals.long_list import KEYS as BAR_KEYS
from tui.view.modals.long_list import LongList
from tui.view.modals.picker import Picker
from tui.view.panels.styled_text import join, lines, plain
from tui.view.terminal.idle_jobs import IdleJobs
from tui.view.terminal.key_queue import OrderedKeys

DICE = "0123456789 /"
Head = Callable[[int], Sequence[Content | str]]
"""Rows for so many cells."""
SIDEWAYS = ("left", "right")
FRAME = 2
"""Cells of a card's frame beside a row."""
MOST_ABOUT = 2
"""Rows of what the marked row does."""


class Card(ListScreen[Picked]):
    """Answers with what was picked; an empty `Picked` if it was cancelled."""

    DEFAULT_CSS = """
    Card #question { color: $text; margin-bottom: 1; }
    Card #lists { height: auto; }
    Card.-beside #lists { height: 1fr; }
    Card #lists LongList { width: 1fr; }
    """

    def __init__(self, menu: MenuQuestion, place: Place | None = None, head: Head | None = None) -> None:
        """Builds a card of a menu; `place` is None for the middle of the screen, `head` gives rows above it."""
        super().__init__()
        self.head = head
        self.menu, self.place = menu, place
        self.choices = tuple(menu.choices)
        self.keys = numbers_for(self.choices) if menu.is_passing else keys_for(self.choices, menu.more_keys)
        self.typed = menu.typed or ""
        """Dice typed before the prompt for them."""
        self._is_unfolded = self._is_warned = False
        self._is_astray = False
        """Whether the last key was no key of the card, such as a stray die; its Enter is ignored."""
        self._begun = ""
        """The first signs of a key of several, as of a badge."""
        self._rows: list[CardRow] = []
        self._split = 0
        """How many of the rows stand in the first column."""
        self.spare = IdleJobs(self.set_interval, self.call_after_refresh)

    def compose(self) -> ComposeResult:
        with self.framed() as box:
            box.border_title = plain(self.menu.title)
            if self.head is not None:
                yield Static(id="head", markup=False)
            if self.menu.question:
                yield Static(plain(self.menu.question, "bold"), id="question", markup=False)
            with Horizontal(id="lists"):
                yield LongList()
                if self.menu.two_columns_from:
                    yield LongList()
            yield Static(id="about", markup=False)
            if said := self._more_words():
                yield Static(plain(said), id="more", markup=False)
            if self.place is None:
                yield Static(id="hint", markup=False)
        if self.place is not None:
            yield Static(id="hint", markup=False)

    def _more_words(self) -> str:
        keys = self.menu.more_keys
        alike = {said: [key for key in keys if keys[key] == said] for said in keys.values()}
        return " · ".join(f"{', '.join(of)}: {said}" for said, of in alike.items())

    def on_mount(self) -> None:
        self.settle()
        self._hint("")
        self.later(self._fill) if self.place is None else self._fill()
        if self.menu.later is not None:
            self.spare.do("numbers", self._work(self.menu.later()))

    def settle(self) -> None:
        width = self.row_width
        head = self.head(width) if self.head is not None else []
        if self.head is not None:
            self.query_one("#head", Static).update(lines(head))
        asked = len(wrap(self.menu.question, width)) + 1 if self.menu.question else 0
        rows, split = self._card_rows()
        high = max(sum(row.text.plain.count("\n") + 1 for row in part) for part in (rows[:split], rows[split:]))
        more = len(wrap(self._more_words(), width)) if self.menu.more_keys else 0
        self.rows_needed = len(head) + asked + high + more + (2 if self.menu.columns else 0)
        super().settle()
        if self._rows:  # of another width
            self._fill()

    @property
    def row_width(self) -> int:
        """Cells of a row."""
        region = self.place(len(self.choices)) if self.place is not None else None
        return region.width - 2 if region is not None else max(1, self.query_one(LongList).size.width)

    @property
    def _column_width(self) -> int:
        """Cells of a row of a column, of one or two."""
        width, least = self.row_width, self.menu.two_columns_from
        return width // 2 - 1 if 0 < least <= width + FRAME else width

    def _card_rows(self) -> tuple[list[CardRow], int]:
        """The rows, and how many of them stand in the first column: all, or those of one heading."""
        column = self._column_width
        rows = list(card_rows(self.menu, self.keys, column, is_unfolded=self._is_unfolded))
        has_two = column < self.row_width
        headings = [line for line, row in enumerate(rows) if not row.id]
        return rows, headings[1] if has_two and len(headings) > 1 else len(rows)

    @property
    def _lists(self) -> list[LongList]:
        """The columns that have rows."""
        return [*self.query(LongList)][: 1 + (self._split < len(self._rows))]

    @property
    def _line(self) -> int | None:
        """The marked row."""
        starts = zip((0, self._split), self._lists, strict=False)
        return next((start + one.highlighted for start, one in starts if one.highlighted is not None), None)

    def _mark(self, line: int | None) -> None:
        """Marks a row, of whichever column."""
        for start, end, one in zip((0, self._split), (self._split, len(self._rows)), self._lists, strict=False):
            one.highlighted = line - start if line is not None and start <= line < end else None

    def _move(self, key: str) -> None:
        """Moves the mark within a column, and past its end, or left and right, to the other one."""
        lists, line = self._lists, self._line
        place = int(line is not None and line >= self._split)
        before = lists[place].highlighted
        if key in SIDEWAYS:
            self._mark(self._nearest(1 - place, before or 0) if len(lists) > 1 else line)
            return
        lists[place].move_bar(key)
        now = lists[place].highlighted
        if len(lists) > 1 and before is not None and now is not None:
            if key in ("down", "j") and now <= before:
                self._mark(self._nearest(1 - place, 0))
            elif key in ("up", "k") and now >= before:
                self._mark(self._nearest(1 - place, len(self._rows)))

    def _nearest(self, column: int, line: int) -> int | None:
        """The row of a column that can be taken, nearest to a line of it."""
        start, end = ((0, self._split), (self._split, len(self._rows)))[column]
        taken = [place for place in range(start, end) if self._rows[place].is_taken]
        return min(taken, key=lambda place: abs(place - start - line), default=None)

    def _fill(self) -> None:
        """Builds the rows, and marks the one that was marked, else the usual one, else the first."""
        marked = self._marked.id if self._rows and self._marked else self.menu.usual
        self._rows, self._split = self._card_rows()
        parts = self._rows[: self._split], self._rows[self._split :]
        for one, part in zip(self.query(LongList), parts, strict=False):
            one.display = bool(part)
            one.clear_options()
            one.add_options(Option(row.text, id=row.id or None, disabled=not row.is_taken) for row in part)
        taken = [line for line, row in enumerate(self._rows) if row.is_taken]
        self._mark(next((line for line in taken if self._rows[line].id == marked), taken[0] if taken else None))
        needed = max((len(about(one, self.menu, self._column_width)) for one in self.choices), default=0)
        said = self.query_one("#about")
        said.styles.height = min(needed, MOST_ABOUT)
        said.display = needed > 0
        self._say_about()
        self.later(self._say_more)

    def _say_more(self) -> None:
        """Says below that there are more rows than are in sight."""
        is_cut = any(one.virtual_size.height > one.size.height for one in self._lists)
        self.query_one(".box").border_subtitle = "▾ more" if is_cut else ""

    @property
    def _marked(self) -> Choice | None:
        place = self._line
        return self._rows[place].choice if place is not None and place < len(self._rows) else None

    def _say_about(self) -> None:
        rows = about(self._marked, self.menu, self._column_width)
        self.query_one("#about", Static).update(lines(plain(f" {row}", "$muted") for row in rows[:MOST_ABOUT]))

    def on_option_list_option_highlighted(self) -> None:
        self._say_about()

    def _work(self, job: Iterator[Choice | None]) -> Iterator[None]:
        """Shows items anew as their numbers become known."""
        for changed in job:
            if changed is not None:
                self.update(changed)
            yield

    def update(self, changed: Choice) -> None:
        """Shows an item anew whose numbers are known by now."""
        place = next((i for i, one in enumerate(self.choices) if one.id == changed.id), None)
        if place is None:
            return
        self.choices = (*self.choices[:place], changed, *self.choices[place + 1 :])
        self.menu = replace(self.menu, choices=self.choices)
        for line, row in enumerate(self._rows):
            if row.choice is not None and row.id == changed.id:
                text = item_text(self.menu, changed, self.keys[place], self._column_width)
                self._rows[line] = CardRow(text, changed, changed.id)
                column = line >= self._split
                self._lists[column].replace_option_prompt_at_index(line - self._split * column, text)
        self._say_about()

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._hint(with_keys(NO_PASTE), "bold $warn")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        menu, character = self.menu, event.character or ""
        is_first = not self._is_warned
        self._is_warned = event.key == "escape"
        if event.key == "escape" and menu.warning and is_first:
            self._hint(menu.warning, "bold $warn")
        elif event.key == "escape":
            self._answer(Picked("", typed=self.typed))
        elif character == UNFOLDS and not menu.is_passing:
            self._is_unfolded = not self._is_unfolded
            self._fill()
        elif (
            event.key in BAR_KEYS and not (menu.is_by_letter and self._place_of(character) is not None)
        ) or event.key in SIDEWAYS:
            self._move(event.key)
        elif event.key == "enter":
            if (line := self._line) is not None and not self._is_astray:
                self._take(line)
            self._is_astray = False
        elif menu.is_passing and self._place_of(character) is None:
            self._answer(Picked(""))
            if isinstance(self.app, OrderedKeys):
                self.app.press_again(event)
        elif character in menu.more_keys:
            if (marked := self._marked) is not None:
                self._answer(Picked(marked.id, character, self.typed))
        elif menu.typed is not None and character and character in DICE:
            self._is_astray = True
            self.typed += character
            self._hint(f"{self.typed.strip()}: saved for the next roll")
        elif character == LIST_KEY:
            self._open_list()
        elif event.is_printable:
            self._press(character)

    def _press(self, character: str) -> None:
        """Takes the row of a key; of a key of several signs the first ones wait for the next."""
        typed, self._begun = self._begun + character, ""
        place, near = self._place_of(typed), begun_keys(typed, self.keys) if self.menu.is_by_letter else []
        self._is_astray = place is None and not near
        if near:
            self._begun = typed
            first = self.choices[place if place in near else near[0]].id
            self._mark(next(line for line, row in enumerate(self._rows) if row.id == first))
            self._hint(f"{typed}… its number; Enter takes the marked one.")
        elif place is not None:
            self._choose(self.choices[place])
        else:
            self._hint(f"No row has the key {typed}.", "bold $warn")

    def _open_list(self) -> None:
        """Shows the same rows as a list; Esc comes back."""
        rows = [one for one in self.choices if not one.reason]
        self.app.push_screen(Picker(MenuQuestion(self.menu.title, rows), self.place), self._picked)

    def _picked(self, choice: str | None) -> None:
        if choice:
            self.call_later(self._answer, Picked(choice, typed=self.typed))

    def _place_of(self, character: str) -> int | None:
        return key_place(character, self.keys, is_by_letter=self.menu.is_by_letter)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        is_second = len(self._lists) > 1 and event.option_list is self._lists[1]
        self._take(event.option_index + self._split * is_second)

    def _take(self, line: int) -> None:
        """Takes a row; the one for the items that are not shown shows them."""
        row = self._rows[line]
        if row.id == FOLDED:
            self._is_unfolded = True
            self._fill()
        elif row.choice is not None:
            self._choose(row.choice)

    def _choose(self, chosen: Choice) -> None:
        if chosen.reason:
            self._hint(f"{chosen.label}: {chosen.reason}.", "bold $warn")
        else:
            self._answer(Picked(chosen.id, typed=self.typed))

    def _hint(self, said: str, style: str = "") -> None:
        """Shows a sentence before the keys."""
        pieces = [plain(f" {said} " if said else "", style)]
        for key, words in key_hints(self.menu):
            pieces += [plain(f" {key}", "bold"), plain(f" {words} ", "$muted")]
        self.query_one("#hint", Static).update(join(pieces))
