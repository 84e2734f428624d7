"""Reads [[unit]]: who stands where. What a role is worth is not decided here; rulesets have a sheet for each."""

from __future__ import annotations

import re

from engine.battle.state.units import ROLES, Placement
from engine.bounds import StatValue
from engine.errors import near_or_known
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import POSTURES, Body
from engine.geometry.squares import SQUARE_NAME, Direction, NotASquare, Square, parse_square
from engine.toml_reader import Reader, described, quoted
from maps.legend import filled, height
from maps.model import MOST_UNITS

UNIT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
SHEET = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DIRECTIONS = tuple(direction.name for direction in Direction)
MOST_SIZE = 4
MOST_NAME = 40
MOST_SIDE = 24
MOST_PATH = 200


def read_placements(reader: Reader, battlefield: Battlefield) -> tuple[Placement, ...]:
    """All units of a map, in the file's order. A battlefield without squares says nothing about their places.

    Noted: ids given twice or that name a square of this map, unknown roles, units off the map, on ground that nobody
    can stand on, or two on one square.
    """
    tables = reader.tables("unit")
    if len(tables) > MOST_UNITS:
        reader.problem("unit", f"there are {len(tables)} units; at most {MOST_UNITS} fit")
        return ()
    placements: list[Placement] = []
    ids: set[str] = set()
    standing: dict[Square, str] = {}
    for table in tables:
        placement = _read_placement(table, battlefield)
        if placement.id.casefold() in ids and placement.id:
            table.problem("id", f"the id {quoted(placement.id)} is already used; expected a different id for each unit")
        ids.add(placement.id.casefold())
        if battlefield.columns:
            _check_place(table, placement, battlefield, standing)
        placements.append(placement)
        table.finish()
    return tuple(placements)


def read_square(reader: Reader, key: str) -> Square | None:
    """A square by its name, as C7; None, and a note, when it is none."""
    name = filled(reader, key)
    if not name:
        return None
    try:
        return parse_square(name)
    except NotASquare:
        reader.problem(key, f"{key} = {quoted(name)} is not a square; expected letters and a number, such as C7")
        return None


def _read_placement(reader: Reader, battlefield: Battlefield) -> Placement:
    id = _read_id(reader, battlefield)
    size = reader.whole("size", 1, least=1, most=MOST_SIZE)
    at = read_square(reader, "at")
    centre = Square(battlefield.columns // 2, battlefield.rows // 2)
    return Placement(
        id=id,
        name=filled(reader, "name", id.replace("-", " ").replace("_", " ").strip().capitalize(), most=MOST_NAME),
        role=_read_role(reader) if not reader.has("character") or reader.has("role") else "",
        side=filled(reader, "side", most=MOST_SIDE),
        at=at or Square(-1, -1),
        facing=_read_facing(reader, Direction.towards(at or centre, centre)),
        posture=reader.text("posture", "standing", choices=POSTURES),
        size=size,
        altitude=height(reader, "altitude", 0),
        is_neutral=reader.flag("neutral", False),
        is_hidden=reader.flag("hidden", False),
        sheet=_read_sheet(reader),
        character_file=filled(reader, "character", "", most=MOST_PATH),
        stats=_read_stats(reader.table("stats")),
    )


def _read_id(reader: Reader, battlefield: Battlefield) -> str:
    id = filled(reader, "id")
    if not id:
        return id
    if UNIT_ID.fullmatch(id) is None:
        reader.problem("id", f"{quoted(id)} is not a valid id; expected up to 32 letters, digits, - and _")
    elif SQUARE_NAME.fullmatch(id) and parse_square(id) in battlefield:
        reader.problem("id", f"{quoted(id)} is also the name of a square; expected another id")
    return id


def _read_role(reader: Reader) -> str:
    role = filled(reader, "role")
    if role and role not in ROLES:
        expected = near_or_known(role, ROLES)
        reader.problem("role", f"no role is called {quoted(role)}; {expected}")
    return role


def _read_sheet(reader: Reader) -> str:
    """`sheet`: one of a ruleset's own; which there are the map does not know."""
    sheet = reader.text("sheet", "")
    if sheet and SHEET.fullmatch(sheet) is None:
        reader.problem(
            "sheet", f"{quoted(sheet)} is not a valid sheet name; expected lower-case letters, digits and hyphens"
        )
    return sheet


def _read_stats(reader: Reader) -> tuple[tuple[str, StatValue], ...]:
    """Values of stats; which there are the map does not know."""
    found: list[tuple[str, StatValue]] = []
    for name in reader:
        value = reader.value(name)
        if isinstance(value, bool | str | int):
            found.append((name, value))
        else:
            reader.problem(name, f"{name} is {described(value)}; expected a whole number, a text, true or false")
    return tuple(found)


def _read_facing(reader: Reader, default: Direction) -> Direction:
    name = reader.text("facing", default.name)
    if name.upper() in DIRECTIONS:
        return Direction[name.upper()]
    reader.problem("facing", f"facing = {quoted(name)} is not a direction; expected one of {', '.join(DIRECTIONS)}")
    return default


def _check_place(reader: Reader, unit: Placement, battlefield: Battlefield, standing: dict[Square, str]) -> None:
    """Note what keeps a unit from being where it is; the first reason only."""
    if unit.at.column < 0:
        return
    for square in Body(unit.at, unit.size).squares:
        if square not in battlefield:
            last = Square(battlefield.columns - 1, battlefield.rows - 1)
            what = f"{quoted(unit.id)} is off the map at {square.name}"
            reader.problem("at", f"{what}; expected a square from A1 to {last.name}")
            return
        ground = battlefield.ground_at(square)
        if ground.blocks_movement and unit.altitude < max(ground.height, 1):
            reader.problem("at", f"a unit cannot stand on {square.name} ({ground.name}); expected open ground")
            return
        if square in standing:
            what = f"{quoted(standing[square])} already stands on {square.name}"
            reader.problem("at", f"{what}; expected one unit per square")
            return
    standing.update(dict.fromkeys(Body(unit.at, unit.size).squares, unit.id))
