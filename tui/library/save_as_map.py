"""Saves a battle's terrain and units as a map: a TOML file in the user's maps folder."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from engine.battle.state.battle import Battle
from engine.battle.state.units import ROLES, Placement, Unit, placed
from engine.errors import BattleboardError, Illegal
from engine.journal.session import Session
from engine.text import clean
from engine.values import replace
from maps import BattleMap, parse_map, write_map
from tui.settings.folders import map_folders

MAP_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_ID = 40
MOST_TITLE = 80
ENDING = ".toml"


def map_id(name: str) -> str:
    """The id of a map with that name, which is also its file name.

    Raises:
        Illegal: the name has no letters or digits.

    >>> map_id("The old Docks!")
    'the-old-docks'
    """
    found = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:MOST_ID].strip("-")
    if not MAP_ID.fullmatch(found):
        raise Illegal("map", "The name of a map needs letters or digits.")
    return found


def map_of(session: Session, name: str) -> BattleMap:
    """The present battlefield without clouds, and the units in the fight, as a map with that name."""
    battle = session.battle
    header = session.journal.header.in_todays_language()
    drawn = parse_map(header.map_text, header.map_file)
    known = {placement.id: placement for placement in drawn.placements}
    field = replace(battle.bare_field, name=clean(name, MOST_TITLE))
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
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.unlink(missing_ok=True)
        beside.touch(0o600)  # it names the hidden units
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise BattleboardError(f"{path} cannot be written: {error.strerror or error}.") from None
    return path


def _placements(battle: Battle, known: Mapping[str, Placement]) -> tuple[Placement, ...]:
    return tuple(_placement(unit, known.get(unit.id)) for unit in battle.units.values() if not unit.is_defeated)


def _placement(unit: Unit, drawn: Placement | None) -> Placement:
    """A unit as a placement. A unit with a ruleset's own sheet has the role that it had on the map."""
    is_role = unit.role in ROLES
    role = unit.role if is_role else drawn.role if drawn else ROLES[0]
    sheet = unit.role if not is_role else drawn.sheet if drawn else ""
    return replace(placed(unit), role=role, is_hidden=unit.is_hidden, sheet=sheet)
