"""Asking for the name of a map, and whether one that is there may be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from engine.errors import BattleboardError
from tui.library.save_as_map import save_map
from tui.modals.menu import Choice
from tui.panels.prompt import PromptBar

if TYPE_CHECKING:
    from engine.journal.session import Session


class Talk(Protocol):
    """A screen that asks, offers and says."""

    session: Session

    def say(self, sentence: str) -> None: ...

    def choose(self, title: str, choices: list[Choice], chosen: Callable[[str | None], None]) -> None: ...

    def query_one(self, wanted: type[PromptBar], /) -> PromptBar: ...


def ask_to_save(talk: Talk) -> None:
    """Asks for a map's name and writes it; a map that is there is lost only when the GM says so."""

    def answered(name: str) -> None:
        if not name:
            return
        try:
            path = save_map(talk.session, name)
        except FileExistsError as there:
            _ask_whether_sure(talk, name, str(there.filename or there.args[0].name))
        except BattleboardError as reason:
            talk.say(str(reason))
        else:
            talk.say(f"Saved: battleboard {path.stem} plays it.")

    talk.query_one(PromptBar).ask("Save as a map called:", answered, talk.session.battle.field.name)


def _ask_whether_sure(talk: Talk, name: str, file: str) -> None:
    def chosen(choice: str | None) -> None:
        if choice != "yes":
            talk.say("Nothing is saved.")
            return
        try:
            path = save_map(talk.session, name, is_sure=True)
        except BattleboardError as reason:
            talk.say(str(reason))
        else:
            talk.say(f"Saved in place of the one before: battleboard {path.stem} plays it.")

    talk.choose(f"{file} is there already", [Choice("no", "keep it"), Choice("yes", "write over it")], chosen)
