"""The end of a battle: what it has changed of each character, beside its file, and writing what is accepted.

No file is touched unless it is asked for. A file that has changed since is read again, and only accepted values change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from engine.battle.carry_over import STAT, Key, SheetChange, carried, differences, sheet_values, value_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError, Illegal
from engine.journal.branch import Branch
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import visible
from engine.values import replace
from rulesets.character_imports import checked
from rulesets.characters import OwnSheet
from tui.application.library.character_files import read_character, save_character

Accepted = Mapping[str, Collection[Key]]
"""Keys of accepted differences, by unit id."""
NO_DIFFERENCE = "The battle changed no character files."


class ChangedRow(Struct, frozen=True):
    """A difference, and what the character's file says of it now."""

    difference: SheetChange
    file_words: str = ""
    """"" where the file says the same as when the battle began."""

    @property
    def is_conflict(self) -> bool:
        """Whether the file says a third thing: it is only written where that very change is accepted."""
        return bool(self.file_words)

    @property
    def is_usual(self) -> bool:
        """Whether it is accepted at first: what battles carry over and gear, not stats that the GM has set."""
        return not self.is_conflict and self.difference.kind != STAT

    def words(self) -> str:
        """One line: what it is, before and after, and what the file says where that is a third."""
        one = self.difference
        now = f" (the file now says {self.file_words})" if self.file_words else ""
        return f"{one.label}: {one.before_words} → {one.after_words}{now}"


class ChangedCharacter(Struct, frozen=True):
    """A character of a battle that is other than its file."""

    unit: Unit
    rows: tuple[ChangedRow, ...]
    problem: str = ""
    """Why its file cannot be written; "" where it can."""
    is_newer: bool = False
    """Whether its file has changed since the battle began."""

    def words(self) -> list[str]:
        """Whose it is, and a line for each difference."""
        newer = ", which has changed since the battle began" if self.is_newer else ""
        head = f"{self.unit.name}, {shown_file(self.unit)}{newer}:"
        return [head, *(f"  {row.words()}" for row in self.rows), *([f"  {self.problem}"] if self.problem else [])]


def check_finish(session: Session) -> None:
    """Raises Illegal for a what-if branch: nothing of it may reach a file."""
    if isinstance(session, Branch):
        raise Illegal("what-if", "A what-if branch cannot be finished: keep it or drop it first.")


def changed_characters(battle: Battle, rules: Ruleset) -> tuple[ChangedCharacter, ...]:
    """Characters of a battle that have files which say otherwise; without stat blocks, which are used many times."""
    found = []
    for unit in battle.units.values():
        if unit.character and unit.character.file and not unit.character.is_opponent:
            one = _changed(rules, unit, differences(rules, unit))
            if one.rows:
                found.append(one)
    return tuple(found)


def write_changes(rules: Ruleset, one: ChangedCharacter, keys: Collection[Key] | None = None) -> bool:
    """Writes differences into a character's file as it is now; says whether there were any.

    Args:
        rules: the ruleset of the battle.
        one: the character.
        keys: of the differences that are accepted; None for all but conflicts.

    Raises:
        BattleboardError: the file cannot be read or written; it is as it was.
    """
    assert one.unit.character is not None
    accepted = [
        row.difference for row in one.rows if (not row.is_conflict if keys is None else row.difference.key in keys)
    ]
    if not accepted:
        return False
    now = read_character(one.unit.character.file, rules)
    own = carried(now.character, accepted)
    for problem in checked(own, rules):
        raise BattleboardError(f"{problem}.")
    save_character(OwnSheet(now.ruleset, own), rules)
    return True


def write_accepted(rules: Ruleset, changed: Iterable[ChangedCharacter], keys: Accepted | None = None) -> list[str]:
    """Writes changes of characters into their files, and says of each what became of it.

    Args:
        rules: the ruleset of the battle.
        changed: the characters.
        keys: of the accepted differences, by unit id; None for all but conflicts, which are named.
    """
    lines: list[str] = []
    for one in changed:
        try:
            is_written = write_changes(rules, one, None if keys is None else keys.get(one.unit.id, ()))
        except BattleboardError as error:
            lines.append(f"{one.unit.name}: {shown_file(one.unit)} is as it was. {error}")
        else:
            lines += [f"{one.unit.name}: written to {shown_file(one.unit)}."] * is_written
            conflicts = [row.words() for row in one.rows if row.is_conflict and keys is None]
            lines += [f"{one.unit.name}: not written: {words}." for words in conflicts]
    return lines or ["No file was changed. “finish” lists the changes again."]


def shown_file(unit: Unit) -> str:
    """The name of a unit's character file."""
    return f"{visible(unit.character.file).removesuffix('.toml')}.toml" if unit.character else ""


def _changed(rules: Ruleset, unit: Unit, found: Iterable[SheetChange]) -> ChangedCharacter:
    """Differences of a unit, without those that its file has already."""
    assert unit.character is not None
    try:
        now = read_character(unit.character.file, rules).character
    except BattleboardError as error:
        return ChangedCharacter(unit, tuple(map(ChangedRow, found)), f"It cannot be written: {error}")
    values, rows = sheet_values(rules, unit, now), []
    for one in found:
        value = values.get(one.key)
        if value != one.after:
            file_words = value_words(rules, replace(unit, character=now), one.key, value) if value != one.before else ""
            rows.append(ChangedRow(one, file_words))
    return ChangedCharacter(unit, tuple(rows), is_newer=now != unit.character)
