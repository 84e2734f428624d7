"""Saving a battle's ground and units as a map of the GM's own: a TOML file in her maps folder."""

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
    """The id of a map of that name, which is its file's name.

    Raises:
        Illegal: nothing is left of the name.

    >>> map_id("The old Docks!")
    'the-old-docks'
    """
    found = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:MOST_ID].strip("-")
    if not MAP_ID.fullmatch(found):
        raise Illegal("map", "A map needs a name with letters or digits in it.")
    return found


def map_of(session: Session, name: str) -> BattleMap:
    """The battlefield as it is now, without clouds, and the units that are in the fight, as a map of that name."""
    battle = session.battle
    header = session.journal.header.in_todays_language()
    drawn = parse_map(header.map_text, header.map_file)
    known = {placement.id: placement for placement in drawn.placements}
    field = replace(battle.bare_field, name=clean(name, MOST_TITLE))
    return BattleMap(field, _placements(battle, known), drawn.description)


def save_map(session: Session, name: str, *, is_sure: bool = False) -> Path:
    """Writes the battle's map to the GM's maps folder.

    Args:
        session: the battle.
        name: what the map shall be called; its file's name is made of it.
        is_sure: whether a map of that name may be lost.

    Raises:
        FileExistsError: there is such a map, and nobody said that it may be lost.
        Illegal: the name is none.
        BattleboardError: it cannot be written.
    """
    path = map_folders()[0] / f"{map_id(name)}{ENDING}"
    text = write_map(map_of(session, name))
    parse_map(text, path.name)  # what could not be read again is not written
    if os.path.lexists(path) and not is_sure:
        raise FileExistsError(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.unlink(missing_ok=True)
        beside.touch(0o600)  # it tells who is hidden
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise BattleboardError(f"{path} cannot be written: {error.strerror or error}.") from None
    return path


def _placements(battle: Battle, known: Mapping[str, Placement]) -> tuple[Placement, ...]:
    return tuple(_placement(unit, known.get(unit.id)) for unit in battle.units.values() if not unit.is_defeated)


def _placement(unit: Unit, drawn: Placement | None) -> Placement:
    """A unit as a map states it. Who has a sheet of a ruleset's own keeps the role it had on the map."""
    is_role = unit.role in ROLES
    role = unit.role if is_role else drawn.role if drawn else ROLES[0]
    sheet = unit.role if not is_role else drawn.sheet if drawn else ""
    return replace(placed(unit), role=role, is_hidden=unit.is_hidden, sheet=sheet)
