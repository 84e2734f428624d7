"""Saves a battle's terrain and units as a map: a TOML file in the user's maps folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.battle.commands.roster_commands import HIDDEN_ID
from engine.battle.setup import enlist
from engine.battle.state.battle import Battle, free_id
from engine.battle.state.units import ROLES, Placement, Unit, placed
from engine.errors import Illegal
from engine.geometry.terrain_edits import without_unused
from engine.journal.session import Session
from engine.text import clean, slug
from engine.values import replace
from maps import BattleMap, parse_map, write_map
from tui.application.library.text_files import ENDING, replace_file
from tui.application.settings.folders import map_folders

MOST_TITLE = 80
MOST_NAMED = 4


def map_id(name: str) -> str:
    """The id of a map with that name, which is also its file name.

    Raises:
        Illegal: the name has no letters or digits.

    >>> map_id("The old Docks!")
    'the-old-docks'
    """
    if found := slug(name):
        return found
    raise Illegal("map", "The name of a map needs letters or digits.")


def map_of(session: Session, name: str) -> BattleMap:
    """The present battlefield without clouds, and the units in the fight, as a map with that name.

    Start zones in which nobody can stand any more are not in it.
    """
    battle = session.battle
    header = session.journal.header.in_todays_language()
    drawn = parse_map(header.map_text, header.map_file)
    known = {placement.id: placement for placement in drawn.placements}
    bare = battle.bare_field
    zones = tuple(zone for zone in bare.zones if not all(bare.ground_at(at).blocks_movement for at in zone.squares))
    field = without_unused(replace(bare, name=clean(name, MOST_TITLE), zones=zones))
    return BattleMap(field, _placements(battle, known), drawn.description)


def save_map(session: Session, name: str, *, is_sure: bool = False) -> Path:
    """Writes the battle's map to the user's maps folder.

    Args:
        session: the battle.
        name: the map's name; the file name follows from it.
        is_sure: whether to overwrite a map with that name.

    Raises:
        FileExistsError: there is such a map, and `is_sure` is false.
        Illegal: the name has no letters or digits.
        BattleboardError: it cannot be written.
    """
    path = map_folders()[0] / f"{map_id(name)}{ENDING}"
    text = write_map(map_of(session, name))
    parse_map(text, path.name)  # never write a map that does not parse
    if os.path.lexists(path) and not is_sure:
        raise FileExistsError(path)
    return replace_file(path, text)


def left_out(session: Session) -> Iterator[str]:
    """What of the units neither a map nor an encounter holds, in a few words each."""
    rules, changed = session.rules, dict[str, list[str]]()
    for unit in session.battle.units.values():
        if unit.is_defeated:
            changed.setdefault("units that are down", []).append(unit.name)
            continue
        fresh = enlist(placed(unit), rules)
        worn = unit.overrides.armour, unit.overrides.accessories
        differ = {
            "gear given or taken": unit.gear.weapons != fresh.gear.weapons or worn != (None, None),
            "wounds and wear": unit.pools != fresh.pools and worn == (None, None),
            "rounds": any(
                fresh.gear.rounds.get(weapon) not in (None, left) for weapon, left in unit.gear.rounds.items()
            ),
            "conditions": {*unit.conditions} != {*fresh.conditions},
            "markers": bool(unit.markers),
        }
        for what in (what for what, is_other in differ.items() if is_other):
            changed.setdefault(what, []).append(unit.name)
    for what, names in changed.items():
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        yield f"{what} ({', '.join(names[:MOST_NAMED])}{more})"


def _placements(battle: Battle, known: Mapping[str, Placement]) -> tuple[Placement, ...]:
    """The units in the fight, under ids that a map may have: those that joined hidden have others in the battle."""
    standing = [unit for unit in battle.units.values() if not unit.is_defeated]
    taken = {unit.id for unit in standing if not unit.id.endswith(HIDDEN_ID)}
    found = []
    for unit in standing:
        placement = _placement(unit, known.get(unit.id))
        if unit.id.endswith(HIDDEN_ID):
            plain = unit.id.removesuffix(HIDDEN_ID)
            placement = replace(placement, id=plain if plain not in taken else free_id(plain, taken, 2))
            taken.add(placement.id)
        found.append(placement)
    return tuple(found)


def _placement(unit: Unit, drawn: Placement | None) -> Placement:
    """A unit as a placement. A unit with a ruleset's own sheet has the role that it had on the map."""
    if unit.character and unit.character.file:
        return replace(placed(unit), role=drawn.role if drawn else "", is_hidden=unit.is_hidden)
    is_role = unit.role in ROLES
    role = unit.role if is_role else drawn.role if drawn else ROLES[0]
    sheet = unit.role if not is_role else drawn.sheet if drawn else ""
    return replace(placed(unit), role=role, is_hidden=unit.is_hidden, sheet=sheet)
