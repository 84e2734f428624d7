"""Opens a character's form for a file of the user's own, or for a new one, and saves what it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App

from engine.battle.state.characters import Character
from engine.rules.model import Ruleset
from engine.values import replace
from rulesets.characters import OwnSheet
from tui.application.library.character_files import character_files, save_character
from tui.view.characters.form_screen import CharacterForm, Save


def open_form(
    app: App[Any], own: Character, rules: Ruleset, closed: Callable[[Character | None], None], *, is_new: bool = False
) -> None:
    """Opens the form of a character; `closed` gets the sheet as it was saved last, None for none."""
    made: list[str] = []

    def close_with_file(saved: Character | None) -> None:
        closed(replace(saved, file=made[0]) if saved and made else saved)

    open_form_with(app, own, rules, saving(rules, made), close_with_file, is_new=is_new)


def open_form_with(
    app: App[Any],
    own: Character,
    rules: Ruleset,
    save: Save,
    closed: Callable[[Character | None], None],
    *,
    is_new: bool = False,
    where: str = "",
) -> None:
    """Opens the form of a character that is saved in some way of its own; `where` says in its title what it changes."""
    app.push_screen(CharacterForm(own, rules, save, is_new=is_new, where=where), closed)


def saving(rules: Ruleset, made: list[str]) -> Save:
    """Saves a sheet to its file; a new one to a free file, and to the same from then on.

    Args:
        rules: the sheet's ruleset.
        made: empty; holds the name of the file once it is saved.
    """

    def save(own: Character) -> str:
        named = own if own.file or not made else replace(own, file=made[0])
        saved = save_character(OwnSheet(rules.id, named), rules).character
        made[:] = [saved.file]
        is_own = saved.file in character_files()
        return f"Saved as {saved.file}.toml in your characters folder." if is_own else f"Saved to {saved.file}."

    return save
