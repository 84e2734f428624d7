"""Picker: a long list that letters narrow. Arrows walk, Enter takes, Esc leaves; no letter is a command."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.application.prompts.choice import Choice, narrowed, split_count
from tui.view.modals.long_list import KEYS as BAR_KEYS
from tui.view.modals.long_list import LongList
from tui.view.modals.menu import ListScreen
from tui.view.panels.styled_text import join, plain

WALKS = frozenset(BAR_KEYS) - {"j", "k"}
COUNTS = "“3 gu”: three of them; "
HINT = "letters narrow the list, Ctrl+U clears them; Enter chooses; Esc cancels"


class Picker(ListScreen[str]):
    """Returns the chosen id, "" if cancelled."""

    DEFAULT_CSS = """
    Picker Vertical { height: 90%; }
    Picker OptionList { height: 1fr; max-height: 100%; }
    """

    def __init__(self, title: str, choices: Sequence[Choice], *, counts: bool = False) -> None:
        """Builds a picker; with `counts`, digits before the letters are how many."""
        super().__init__()
        self._counts = counts
        self._title = title
        self._choices = choices
        self.typed = ""

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = plain(self._title)
            yield Static(id="typed", markup=False)
            yield LongList()
            yield Static(plain(f"{COUNTS if self._counts else ''}{HINT}"), id="hint", markup=False)

    def on_mount(self) -> None:
        self._show()

    @property
    def count(self) -> str:
        """How many were typed; "" for none."""
        return split_count(self.typed)[0] if self._counts else ""

    def _show(self) -> None:
        found = narrowed(self._choices, split_count(self.typed)[1] if self._counts else self.typed)
        options = self.query_one(LongList)
        options.clear_options()
        options.add_options(
            Option(join([plain(one.label), plain(f"  {one.note}" if one.note else "", "$muted")]), id=one.id)
            for one in found
        )
        if found:
            options.action_first()
        said = f"{self.typed}▏" if self.typed else f"{len(found)} in the list"
        self.query_one("#typed", Static).update(plain(said if found else f"{self.typed}▏  no match", "bold"))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        options = self.query_one(LongList)
        if event.key == "escape":
            self._answer("")
        elif event.key == "enter":
            if options.highlighted is not None:
                self._answer(options.get_option_at_index(options.highlighted).id or "")
        elif event.key in WALKS:
            options.move_bar(event.key)
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
            self._show()
        elif event.key == "ctrl+u":
            self.typed = ""
            self._show()
        elif event.character and event.is_printable:
            self.typed += event.character
            self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._answer(event.option_id or "")
