"""A short list to choose from, with one key each; what cannot be chosen is shown with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.text import join, plain

KEYS = "123456789abcdefghilmnopqrstuvwxyz"
"""Without j and k, which move the bar."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu; `reason` says why it cannot be chosen, "" when it can."""

    id: str
    label: str
    note: str = ""
    reason: str = ""


class Menu(ModalScreen[str]):
    """Gives the id chosen, or "" when given up."""

    BINDINGS = [  # noqa: RUF012 - Textual's way
        Binding("escape", "give_up", "Give up", id="menu.give_up"),
        Binding("j", "down", show=False, id="menu.down"),
        Binding("k", "up", show=False, id="menu.up"),
    ]

    DEFAULT_CSS = """
    Menu { align: center middle; }
    Menu Vertical {
        width: 90%; max-width: 76; height: auto; max-height: 90%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
    }
    Menu OptionList, Menu OptionList:focus {
        height: auto; max-height: 18; border: none; background: $panel-back; padding: 0; scrollbar-size-vertical: 1;
    }
    Menu Static { height: auto; color: $muted; }
    """

    def __init__(self, title: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._title = title
        self.choices = tuple(choices)

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = plain(self._title)
            yield OptionList(*(self._option(i, choice) for i, choice in enumerate(self.choices)), markup=False)
            yield Static(plain("a key or Enter chooses, Esc gives up"), markup=False)

    def _option(self, index: int, choice: Choice) -> Option:
        key = KEYS[index] if index < len(KEYS) else " "
        tail = choice.reason or choice.note
        prompt = join([plain(f"{key} ", "bold"), plain(choice.label), plain(f"  {tail}" if tail else "", "$muted")])
        return Option(prompt, id=choice.id, disabled=bool(choice.reason))

    def on_key(self, event: events.Key) -> None:
        index = KEYS.find(event.character) if event.character else -1
        if 0 <= index < len(self.choices):
            event.stop()
            if not self.choices[index].reason:
                self.dismiss(self.choices[index].id)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id or "")

    def action_give_up(self) -> None:
        self.dismiss("")

    def action_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()
