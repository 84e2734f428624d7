"""Asking for the name of a map, and whether one that is there may be lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from engine.errors import BattleboardError
from engine.journal.session import Session
from tui.library.save_as_map import save_map
from tui.modals.choice import Choice


class Asking(Protocol):
    """Who asks, offers and says: the presenter of a battle, or the terrain editor."""

    @property
    def session(self) -> Session: ...

    def ask(self, label: str, answered: Callable[[str], None], value: str = "") -> None: ...

    def say(self, sentence: str) -> None: ...

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None: ...


def ask_to_save(asking: Asking) -> None:
    """Asks for a map's name and writes it; a map that is there is lost only when the GM says so."""

    def answered(name: str) -> None:
        if not name:
            return
        try:
            path = save_map(asking.session, name)
        except FileExistsError as there:
            _ask_whether_sure(asking, name, str(there.filename or there.args[0].name))
        except BattleboardError as reason:
            asking.say(str(reason))
        else:
            asking.say(f"Saved: battleboard {path.stem} plays it.")

    asking.ask("Save as a map called:", answered, asking.session.battle.field.name)


def _ask_whether_sure(asking: Asking, name: str, file: str) -> None:
    def chosen(choice: str) -> None:
        if choice != "yes":
            asking.say("Nothing is saved.")
            return
        try:
            path = save_map(asking.session, name, is_sure=True)
        except BattleboardError as reason:
            asking.say(str(reason))
        else:
            asking.say(f"Saved in place of the one before: battleboard {path.stem} plays it.")

    asking.choose(f"{file} is there already", [Choice("no", "keep it"), Choice("yes", "write over it")], chosen)
