"""Reads [[zone]]: where sides start, and where an ambush waits."""

from __future__ import annotations

from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import NotASquare, Square, parse_square
from engine.geometry.zones import KINDS, MOST_AREAS, MOST_ZONES, START, ZONE_ID, StartZone
from engine.toml_reader import Reader, quoted
from maps.legend import filled

MOST_LABEL = 40


def read_zones(reader: Reader, battlefield: Battlefield) -> tuple[StartZone, ...]:
    """All zones of a map, in the file's order. A battlefield without squares says nothing about their places.

    Noted: ids given twice, squares off the map or named twice, zones without squares or where nobody can stand.
    """
    tables = reader.tables("zone")
    if len(tables) > MOST_ZONES:
        reader.problem("zone", f"there are {len(tables)} zones; at most {MOST_ZONES} fit")
        return ()
    found: list[StartZone] = []
    for table in tables:
        zone = StartZone(
            id=_read_id(table, found),
            areas=_read_areas(table, battlefield),
            label=filled(table, "label", "", most=MOST_LABEL),
            kind="ambush" if table.text("kind", START, choices=KINDS) != START else "start",
        )
        if zone.areas and all(battlefield.ground_at(square).blocks_movement for square in zone.squares):
            table.problem("squares", f"nobody can stand in zone {zone.id}; expected open ground")
        found.append(zone)
        table.finish()
    return tuple(found)


def _read_id(reader: Reader, before: list[StartZone]) -> str:
    id = filled(reader, "id")
    if id and ZONE_ID.fullmatch(id) is None:
        reader.problem("id", f"{quoted(id)} is not a valid id; expected up to 16 letters, digits, - and _")
    elif id.casefold() in [zone.id.casefold() for zone in before]:
        reader.problem("id", f"the id {quoted(id)} is already used; expected a different id for each zone")
    return id


def _read_areas(reader: Reader, battlefield: Battlefield) -> tuple[tuple[Square, Square], ...]:
    """The rectangles that `squares` names, as "A1:F4", and its single squares."""
    is_list = isinstance(reader.raw("squares"), list)
    names = reader.texts("squares") if is_list else (filled(reader, "squares"),)
    if is_list and not 0 < len(names) <= MOST_AREAS:
        reader.problem("squares", f"the zone has {len(names)} squares or rectangles; expected 1 to {MOST_AREAS}")
        return ()
    found: list[tuple[Square, Square]] = []
    for index, name in enumerate(names):
        area = _area(name, battlefield) if name else None
        if isinstance(area, tuple) and area in found:
            area = f"{quoted(name)} stands in the zone twice"
        if isinstance(area, tuple):
            found.append(area)
        elif area or is_list:
            place = (*reader.path, "squares", index) if is_list else (*reader.path, "squares")
            reader.document.note(place, area or "'' is not a square; expected a square or a rectangle, such as A1:F4")
    return tuple(found) if battlefield.columns else ()


def _area(name: str, battlefield: Battlefield) -> tuple[Square, Square] | str:
    """The corners of a rectangle, north-west first; what is wrong where it is none."""
    corners: list[Square] = []
    for part in name.split(":"):
        try:
            square = parse_square(part)
        except NotASquare:
            return f"{quoted(name)} is not a square; expected a square or a rectangle, such as A1:F4"
        if battlefield.columns and square not in battlefield:
            last = Square(battlefield.columns - 1, battlefield.rows - 1)
            return f"{square.name} is off the map; expected squares from A1 to {last.name}"
        corners.append(square)
    if len(corners) > 2:
        return f"{quoted(name)} is not a rectangle; expected two corners, such as A1:F4"
    (first, *_), last = corners, corners[-1]
    north_west = Square(min(first.column, last.column), min(first.row, last.row))
    return north_west, Square(max(first.column, last.column), max(first.row, last.row))
