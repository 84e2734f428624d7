"""What an entry of the library learns when its file is read whole: the first fault, and what its row says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.gear import weapon_label
from engine.battle.setup import pools_of
from engine.errors import BattleboardError, first_line
from engine.values import replace
from maps import load_map
from rulesets.characters import fresh
from tui.application.library.battle_list import BattleEntry, CharacterEntry, EncounterEntry, Entry, MapEntry, read_entry
from tui.application.library.character_files import read_character
from tui.application.library.encounter_files import read_encounter
from tui.application.library.ruleset_files import read_ruleset

FileEntry = BattleEntry | EncounterEntry | MapEntry | CharacterEntry
"""What is listed before its file is read whole."""


def read_whole(entry: FileEntry) -> FileEntry:
    """The entry with all that its file says, or with the first thing that is wrong with it."""
    if isinstance(entry, BattleEntry):
        return read_entry(entry.path)
    known = replace(entry, is_known=True)
    try:
        if isinstance(known, CharacterEntry):
            return _with_sheet(known)
        if isinstance(known, EncounterEntry):
            read_encounter(known.file)
            return replace(known, fault="")
        field = load_map(known.file).battlefield
    except BattleboardError as error:
        return known if isinstance(known, MapEntry) else replace(known, fault=first_line(error))
    return replace(known, size=f"{field.columns}×{field.rows}")


def _with_sheet(entry: CharacterEntry) -> CharacterEntry:
    """A character with its role, its first vital pool and its main weapon."""
    found = read_character(entry.id)
    rules = read_ruleset(found.ruleset)
    unit, pool = fresh(found.character, rules), next(iter(vital_pools(rules)), "")
    full = int(pools_of(rules, unit)[pool]) if pool else 0
    role = found.character.role or ("opponent" if entry.is_opponent else "")
    weapon = weapon_label(rules, unit) or ""
    return replace(entry, fault="", role=role, health=(unit.pools.get(pool, 0), full), weapon=weapon)


def as_before(entry: Entry, before: Mapping[Path | str, Entry]) -> Entry:
    """An entry that is not read yet with what its row said when it was read before."""
    match entry, before.get(entry.file):
        case MapEntry(), MapEntry(size=size):
            return replace(entry, size=size)
        case EncounterEntry(), EncounterEntry(fault=fault):
            return replace(entry, fault=fault)
        case CharacterEntry(), CharacterEntry() as was:
            return replace(entry, fault=was.fault, role=was.role, health=was.health, weapon=was.weapon)
    return entry
