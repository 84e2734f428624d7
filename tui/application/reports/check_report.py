"""The report on files: whether a map, ruleset, character or battle is fine, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.errors import BattleboardError, Unknown
from engine.rules.model import Ruleset
from engine.text import count
from maps import find_map, idle_parts, load_map
from rulesets import find_ruleset
from rulesets.loader import check_ruleset
from tui.application.library.battle_files import MAP, is_encounter, open_battle
from tui.application.library.character_files import (
    check_map_units,
    has_own_stats,
    is_character,
    party_members,
    read_character,
    read_parties,
)
from tui.application.library.encounter_files import check_encounter, encounter_files
from tui.application.library.listings import known_rulesets
from tui.application.library.ruleset_files import read_ruleset
from tui.application.settings.folders import map_folders, ruleset_folders

RULESET = "ruleset.toml"
PARTY = "party.toml"
RULESET_FILES = (RULESET, "weapons.toml", "sheets.toml")


class Checked(NamedTuple):
    """A good file."""

    words: str
    """What it is, in a few words."""
    warnings: tuple[str, ...] = ()
    """What of it changes nothing, each with its place in the file."""


def check_file(path: Path) -> Checked:
    """What a good file is.

    Args:
        path: a ruleset's folder, one of its files or its id; a character, parties, an encounter or a map, which end in
            .toml, or the name of a map or an encounter; anything else should be a battle.

    Raises:
        BattleboardError: it is not good; the text names every place.
    """
    try:
        if path.is_dir():
            return Checked(_ruleset(path))
        if not path.exists():
            if str(path) in known_rulesets(ruleset_folders()):
                return Checked(_ruleset(find_ruleset(str(path), ruleset_folders())))
            if (encounter := encounter_files().get(str(path))) is not None:  # named as “play” takes it
                return Checked(check_encounter(encounter))
            with suppress(Unknown):
                return _map(find_map(str(path), map_folders()))
            raise BattleboardError(f"There is no file {path}.")
        if path.name in RULESET_FILES and (path.parent / RULESET).is_file():
            return Checked(_ruleset(path.parent))
    except OSError as error:
        raise BattleboardError(f"{path} cannot be read: {error.strerror or error}.") from None
    if path.suffix != MAP:
        return Checked(_battle(path))
    if is_encounter(path):
        return Checked(check_encounter(path))
    if path.name == PARTY or is_character(path):
        return Checked(_parties(path) if path.name == PARTY else _character(path))
    return _map(path)


def check_characters(files: Iterable[Path]) -> Iterator[tuple[Path, str, str]]:
    """Checks files of characters and parties: of each the path, what it is, and what is wrong with it or ""."""
    for path in files:
        try:
            yield path, _parties(path) if path.name == PARTY else _character(path), ""
        except BattleboardError as error:
            yield path, "", str(error)


def _character(path: Path) -> str:
    sheet = read_character(str(path))
    kind = "stat block" if sheet.character.is_opponent else "character"
    return f"{kind} {sheet.character.name}, ruleset {sheet.ruleset}"


def _parties(path: Path) -> str:
    if not path.is_file():
        raise BattleboardError(f"There is no file {path}.")
    parties = read_parties(path, checks_members=True)
    for party in parties.values():
        party_members(party)
    return f"parties: {', '.join(party.name for party in parties.values()) or 'none'}"


def _map(path: Path) -> Checked:
    found = load_map(path)
    if has_own_stats(found):
        check_map_units(found, _rulesets(), str(path))
    field, units = found.battlefield, len(found.placements)
    warnings = tuple(problem.text(str(path)) for problem in idle_parts(found, str(path)))
    return Checked(f"map, {field.columns}×{field.rows}, {count(units, 'unit')}", warnings)


def _rulesets() -> Iterator[Ruleset]:
    """The rulesets that ship and the user's own, without those that cannot be read."""
    for name in known_rulesets(ruleset_folders()):
        with suppress(BattleboardError):
            yield read_ruleset(name)


def _ruleset(folder: Path) -> str:
    if not any((folder / name).exists() for name in RULESET_FILES):
        raise BattleboardError(f"{folder} is a folder without {RULESET}; expected a map, a ruleset or a battle.")
    rules = check_ruleset(folder)
    rule_count = (
        len(rules.attack.modifiers) + len(rules.attack.restrictions) + len(rules.attack.effects) + len(rules.actions)
    )
    return f"ruleset {rules.id}, {count(rule_count, 'rule')}, {count(len(rules.gear.weapons), 'weapon')}"


def _battle(path: Path) -> str:
    session = open_battle(path, read_only=True)
    try:
        steps, battle = len(session.history.steps()), session.battle
    finally:
        session.close()
    return f"battle, {battle.field.name} under {session.rules.name}, round {battle.turns.round}, {count(steps, 'step')}"
