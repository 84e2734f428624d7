"""Prompts that save a map: its name, and whether to overwrite a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from engine.errors import BattleboardError
from engine.journal.session import Session
from tui.application.library.save_as_map import left_out, save_map
from tui.application.prompts.choice import Choice
from tui.application.prompts.open_prompt import ask_until_taken


class Asking(Protocol):
    """Protocol of the presenter and the terrain editor for these prompts."""

    @property
    def session(self) -> Session: ...

    @property
    def ask(self) -> Callable[..., None]: ...

    def say(self, sentence: str) -> None: ...

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None: ...


def ask_to_save(asking: Asking) -> None:
    """Asks for a map's name and writes it; overwrites a map only after a confirmation."""

    def answered(name: str) -> None:
        try:
            path = save_map(asking.session, name)
        except FileExistsError as there:
            _ask_whether_sure(asking, name, str(there.filename or there.args[0].name))
        else:
            asking.say(_saved("Saved", path, asking.session))

    ask_until_taken(asking, asking.say, "Save as a map, with the name:", answered, asking.session.battle.field.name)


def _saved(done: str, path: Path, session: Session) -> str:
    missing = "; ".join(left_out(session))
    return f"{done}. “battleboard play {path.stem}” starts a battle on it." + (
        f" Not in it: {missing}." if missing else ""
    )


def _ask_whether_sure(asking: Asking, name: str, file: str) -> None:
    def chosen(choice: str) -> None:
        if choice != "yes":
            asking.say("The map is not saved.")
            return
        try:
            path = save_map(asking.session, name, is_sure=True)
        except BattleboardError as reason:
            asking.say(str(reason))
        else:
            asking.say(_saved("Overwritten", path, asking.session))

    asking.choose(f"{file} exists", [Choice("no", "keep it"), Choice("yes", "overwrite it")], chosen)
