"""Carry over at the end of a battle: which of its changes the files of characters keep."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.battle.carry_over import Key
from engine.text import count
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import CARRY_KEYS
from tui.application.library.finished_battles import Accepted, ChangedCharacter
from tui.view.keys.bound_keys import bind
from tui.view.modals.list_screen import ListScreen
from tui.view.modals.long_list import KEYS, LongList
from tui.view.panels.styled_text import join, plain

HINT = "{carry.toggle} this one · {carry.all} all, or none · {carry.cancel} change no file\n{carry.write} "


class CarryOverScreen(ListScreen[Accepted]):
    """A list of all differences; dismissed with the accepted ones, none on Esc.

    At first what battles carry over and gear is accepted: not stats, and nothing of which the file says a third thing.
    """

    BINDINGS = bind(CARRY_KEYS)

    def __init__(self, changed: Sequence[ChangedCharacter]) -> None:
        super().__init__()
        self._changed = changed
        rows = ((one, row) for one in changed if not one.problem for row in one.rows)
        self.accepted = {(one.unit.id, row.difference.key) for one, row in rows if row.is_usual}
        self._rows: list[tuple[str, Key] | None] = []
        """What each line of the list is; None for a heading, or a change of a file that cannot be written."""

    def compose(self) -> ComposeResult:
        with self.framed() as box:
            box.border_title = plain("Carry over")
            yield LongList()
            yield Static(id="hint", markup=False)

    def on_mount(self) -> None:
        self._show()
        options = self.query_one(OptionList)
        options.highlighted = next((place for place, row in enumerate(self._rows) if row), None)

    def _show(self) -> None:
        """Rebuilds the list and keeps the selection."""
        options = self.query_one(OptionList)
        before = options.highlighted
        options.clear_options()
        self._rows = []
        for one in self._changed:
            head, *lines = one.words()
            self._add(head, None)
            for row, line in zip(one.rows, lines, strict=False):
                self._add(line.strip(), None if one.problem else (one.unit.id, row.difference.key))
            if one.problem:
                self._add(one.problem, None)
        options.highlighted = before
        hint = with_keys(HINT, CARRY_KEYS)
        self.query_one("#hint", Static).update(join([plain(hint), plain(self._writes(), "bold $ink")]))

    def _writes(self) -> str:
        """What Enter does now."""
        files = len({unit for unit, _ in self.accepted})
        accepted, every = len(self.accepted), sum(row is not None for row in self._rows)
        if not accepted:
            return "changes no file: nothing is accepted"
        return f"writes {accepted} of {every} changes into {count(files, 'file')}"

    def _add(self, line: str, row: tuple[str, Key] | None) -> None:
        mark = "" if row is None else "[x] " if row in self.accepted else "[ ] "
        style = "bold" if row is None else ""
        self._rows.append(row)
        self.query_one(OptionList).add_option(Option(join([plain(mark, "bold"), plain(line, style)]), disabled=not row))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in KEYS:
            self.query_one(LongList).move_bar(event.key)

    def action_all(self) -> None:
        """Accepts all of which the file does not say a third thing; none where all of these are accepted."""
        clean = {
            (one.unit.id, row.difference.key)
            for one in self._changed
            if not one.problem
            for row in one.rows
            if not row.is_conflict
        }
        self.accepted = self.accepted | clean if clean - self.accepted else set()
        self._show()

    def action_accept(self) -> None:
        """Accepts the selected difference, or no longer."""
        place = self.query_one(OptionList).highlighted
        if place is not None and (row := self._rows[place]):
            self.accepted ^= {row}
            self._show()

    def action_write(self) -> None:
        units = {unit for unit, _ in self.accepted}
        self._answer({unit: frozenset(key for one, key in self.accepted if one == unit) for unit in units})

    def action_cancel(self) -> None:
        self._answer({})
