"""Encounters: a map, a party or a ruleset, and opponents, as one TOML file that starts a battle in its set-up phase.

name = "Ambush"
map = "warehouse"
party = "lantern"

[[opponent]]
role = "gunman"
count = 3
side = "guards"
zone = "B"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import fill

import tomli_w
from msgspec import Struct

from engine.battle.command import Command
from engine.battle.commands.note_commands import MOST_NOTE, SetNote
from engine.battle.commands.roster_commands import MOST_AT_ONCE, MOST_UNITS, AddGroup, AddUnit
from engine.battle.commands.scene_commands import SetWind
from engine.battle.commands.terrain_commands import SetLight
from engine.battle.moves.deployment import StartingPlace, usual_place
from engine.battle.state.characters import Character
from engine.battle.state.units import OPPONENTS
from engine.errors import Illegal, Unknown, near_or_known
from engine.geometry.battlefield import LIGHTS, Battlefield, Height
from engine.geometry.blast.smoke_clouds import MOST_WIND, Wind
from engine.geometry.body import POSTURES, Body
from engine.geometry.squares import Direction, NotASquare, Square, parse_square
from engine.rules.model import Ruleset
from engine.text import clause
from engine.toml_reader import Reader, parse, quoted
from engine.values import replace
from maps import BattleMap
from maps.edge_tables import squares_at
from maps.legend import filled, height
from maps.placements import DIRECTIONS, MOST_NAME, MOST_PATH, MOST_SIDE, MOST_SIZE
from maps.writer import figure
from tui.application.library.character_files import (
    Party,
    id_called,
    party_members,
    read_character,
    read_named,
    read_parties,
)
from tui.application.library.ruleset_files import read_ruleset

"""The side of opponents for whom the file names none."""
LIST = re.compile(r"\[\n((?:    .*,\n)+)\]")
"""A list as it is written, an item a line."""
MOST_TITLE = 60
MOST_SEED = 40


class Opponent(Struct, frozen=True):
    """So many opponents of a role, or with a stat block."""

    role: str = ""
    character: str = ""
    """The stat block, by the name of its file; "" for the archetype of the role."""
    count: int = 1
    name: str = ""
    side: str = OPPONENTS
    zone: str = ""
    """Where they start; "" for the usual zone."""
    squares: tuple[Square, ...] = ()
    """Where they stand, one for each; none for their zone."""
    facing: Direction | None = None
    posture: str = "standing"
    altitude: Height = 0
    size: int = 1
    is_hidden: bool = False
    is_neutral: bool = False

    @property
    def called(self) -> str:
        """What they are called, without a number."""
        return self.name or (self.character or self.role).replace("-", " ").capitalize()


class MemberPlace(Struct, frozen=True):
    """Where a member of the party stands, by the name of the character's file."""

    name: str
    at: Square
    facing: Direction | None = None
    """None: towards the nearest enemy, or the middle of the map."""
    posture: str = "standing"


class Encounter(Struct, frozen=True):
    """All that an encounter's file says."""

    name: str
    map: str
    """The map, by its id or a path."""
    party: str = ""
    ruleset: str = ""
    """"" for the one that the party's characters are for."""
    party_side: str = ""
    """"" for the party's own."""
    party_zone: str = ""
    places: tuple[MemberPlace, ...] = ()
    """Where members of the party stand; the others are in the zone."""
    opponents: tuple[Opponent, ...] = ()
    notes: tuple[tuple[str, Square | None], ...] = ()
    opening: str = ""
    """What the Game Master reads out at the start; a note of the battle."""
    light: str = ""
    """"" for the map's own."""
    wind: Wind | None = None
    seed: str = ""
    """"" for a random seed, another in every battle."""
    has_cast: bool = False
    """Whether the map's own units are in it too."""


class ReadyEncounter(Struct, frozen=True):
    """An encounter with everything that it names, read."""

    encounter: Encounter
    map: BattleMap
    """With its own units only where the encounter has them."""
    map_file: str
    rules: Ruleset
    members: tuple[Character, ...] = ()
    """The party's."""
    party_side: str = ""
    """The side of the party where the encounter names none."""
    sheets: Mapping[str, Character] = {}
    """The opponents' stat blocks, by the names of their files."""


def parse_encounter(text: str, file: str, load_map: Callable[[str], tuple[BattleMap, str]]) -> ReadyEncounter:
    """The encounter that a TOML text describes.

    Args:
        text: the whole file.
        file: its name, for messages.
        load_map: reads a map by its id or path; gives it with the name of its file.

    Raises:
        Unreadable: with every problem found, each with its line and column.
    """
    document = parse(text, file)
    root = document.root
    name = filled(root, "name", most=MOST_TITLE)
    map_name = filled(root, "map", most=MOST_PATH)
    drawn = read_named(root, "map", lambda: load_map(map_name)) if map_name else None
    field = drawn[0].battlefield if drawn else None
    party, members, rules = _read_party(root)
    sheets: dict[str, Character] = {}
    opponents = tuple(_read_opponent(table, field, rules, sheets) for table in root.tables("opponent"))
    encounter = Encounter(
        name=name,
        map=map_name,
        party=party.id if party else "",
        ruleset=rules.id if rules and not party else "",
        party_side=filled(root, "party_side", "", most=MOST_SIDE),
        party_zone=_read_zone(root, "party_zone", field),
        places=_read_places(root.table("places"), party, field),
        opponents=opponents,
        notes=tuple(_read_note(table, field) for table in root.tables("note")),
        opening=root.text("opening", "", most=MOST_NOTE),
        light=root.text("light", "", choices=LIGHTS) if root.has("light") else "",
        wind=_read_wind(root.table("wind")) if root.has("wind") else None,
        seed=root.text("seed", "", most=MOST_SEED),
        has_cast=root.flag("cast", False),
    )
    count = len(members) + sum(each.count for each in opponents)
    if count > MOST_UNITS:
        root.problem("opponent", f"there are {count} units; at most {MOST_UNITS} fit")
    if drawn and field:
        _check_squares(root, encounter, drawn[0])
    root.finish()
    if rules is None and not document.problems:
        root.problem(None, "the encounter has no party and no ruleset; expected one of them")
    document.check()
    assert drawn is not None and rules is not None
    placed = drawn[0] if encounter.has_cast else replace(drawn[0], placements=())
    party_side = party.side if party else ""
    return ReadyEncounter(encounter, placed, drawn[1], rules, members, party_side, sheets)


def commands_of(ready: ReadyEncounter) -> tuple[Command, ...]:
    """What sets the encounter up on its empty map: the party, the opponents, notes, light and wind.

    Of either side those with squares of their own come first, so that nobody from a zone stands there.
    """
    encounter, field = ready.encounter, ready.map.battlefield
    found: list[Command] = []
    groups = [[*_members(ready)]]
    for each in encounter.opponents:
        sheet = ready.sheets.get(each.character)
        groups.append([_added(each, _place(each, place, field), sheet) for place in range(each.count)])
    party, opponents = groups[0], groups[1:]
    stated = {place.name for place in encounter.places}
    placed = [member for member in party if member.character and member.character.file in stated]
    in_zone = [member for member in party if member not in placed]
    free = [group for group, each in zip(opponents, encounter.opponents, strict=True) if not each.squares]
    fixed = [group for group, each in zip(opponents, encounter.opponents, strict=True) if each.squares]
    found += [AddGroup(tuple(group)) for group in (placed, in_zone, *fixed, *free) if group]
    notes = (*([(encounter.opening, None)] if encounter.opening else []), *encounter.notes)
    found += [SetNote(text, at) for text, at in notes]
    if encounter.light and {LIGHTS.index(encounter.light)} != {*field.light}:
        found.append(SetLight(encounter.light))
    if encounter.wind is not None and encounter.wind.squares:
        found.append(SetWind(encounter.wind.towards, encounter.wind.squares))
    return tuple(found)


def write_encounter(encounter: Encounter) -> str:
    """The encounter as TOML text; `parse_encounter` makes an equal one of it."""
    wind = encounter.wind
    top = {
        "name": encounter.name,
        "map": encounter.map,
        "party": encounter.party,
        "ruleset": encounter.ruleset,
        "party_side": encounter.party_side,
        "party_zone": encounter.party_zone,
        "opening": encounter.opening,
        "light": encounter.light,
        "seed": encounter.seed,
        "cast": encounter.has_cast,
        "wind": {"towards": wind.towards.name, "squares": wind.squares} if wind else None,
    }
    parts = [tomli_w.dumps(_stated(top))]
    if encounter.places:
        parts.append("[places]\n" + "".join(f"{_place_line(place)}\n" for place in encounter.places))
    for each in encounter.opponents:
        table = {
            "role": each.role,
            "character": each.character,
            "count": each.count if each.count > 1 else None,
            "name": each.name,
            "side": each.side if each.side != OPPONENTS else None,
            "zone": each.zone,
            "at": _names(each.squares),
            "facing": each.facing.name if each.facing else None,
            "posture": each.posture if each.posture != "standing" else None,
            "altitude": figure(each.altitude) if each.altitude else None,
            "size": each.size if each.size != 1 else None,
            "hidden": each.is_hidden,
            "neutral": each.is_neutral,
        }
        parts.append(f"[[opponent]]\n{LIST.sub(_in_one_line, tomli_w.dumps(_stated(table)))}")
    for text, at in encounter.notes:
        parts.append(f"[[note]]\n{tomli_w.dumps(_stated({'at': at.name if at else None, 'text': text}))}")
    return "\n".join(parts)


def _place_line(place: MemberPlace) -> str:
    """As `anna = "B6"`, or `anna = { at = "B6", facing = "W" }`."""
    stated = {
        "at": place.at.name,
        "facing": place.facing.name if place.facing else "",
        "posture": place.posture if place.posture != "standing" else "",
    }
    values = [tomli_w.dumps({key: value}).strip() for key, value in _stated(stated).items()]
    key = tomli_w.dumps({place.name: 0}).partition(" = ")[0]
    return f"{key} = {{ {', '.join(values)} }}" if len(values) > 1 else f'{key} = "{place.at.name}"'


def _in_one_line(found: re.Match[str]) -> str:
    return fill(f"[{', '.join(found[1].replace(',', ' ').split())}]", 100, subsequent_indent="    ")


def _stated(table: Mapping[str, object]) -> dict[str, object]:
    """The keys of a table that say something."""
    return {key: value for key, value in table.items() if value}


def _names(squares: tuple[Square, ...]) -> str | list[str] | None:
    return squares[0].name if len(squares) == 1 else [square.name for square in squares] or None


def _members(ready: ReadyEncounter) -> Iterator[AddUnit]:
    encounter, places = ready.encounter, {place.name: place for place in ready.encounter.places}
    usual = _start(ready.map.battlefield, encounter.party_zone, is_party=True)
    for each in ready.members:
        own = places.get(each.file)
        place = StartingPlace(own.at) if own else usual
        yield AddUnit(
            "",
            encounter.party_side or ready.party_side,
            place.at,
            each.name,
            facing=own.facing if own else None,
            posture=own.posture if own else "standing",
            size=each.size,
            character=each,
            zone=place.zone,
        )


def _start(
    field: Battlefield, zone: str, square: Square | None = None, *, is_party: bool = False, is_hidden: bool = False
) -> StartingPlace:
    """Where units start: in a zone, on a square, or at their usual place."""
    found = next((one for one in field.zones if zone and one.id.casefold() == zone.casefold()), None)
    if found is not None:
        return StartingPlace(found.squares[0], found.id)
    return StartingPlace(square) if square else usual_place(field, is_party=is_party, is_hidden=is_hidden)


def _place(each: Opponent, place: int, field: Battlefield) -> StartingPlace:
    if each.squares:
        return StartingPlace(each.squares[min(place, len(each.squares) - 1)])
    return _start(field, each.zone, is_hidden=each.is_hidden)


def _added(each: Opponent, place: StartingPlace, sheet: Character | None) -> AddUnit:
    return AddUnit(
        "" if sheet else each.role,
        each.side,
        place.at,
        each.called,
        facing=each.facing,
        posture=each.posture,
        altitude=each.altitude,
        size=sheet.size if sheet and each.size == 1 else each.size,
        is_neutral=each.is_neutral,
        is_hidden=each.is_hidden,
        character=sheet,
        zone=place.zone,
    )


def _read_party(root: Reader) -> tuple[Party | None, tuple[Character, ...], Ruleset | None]:
    """The party with its characters, and the rules: the party's, or without one those that `ruleset` names."""
    named, ruleset = filled(root, "party", "", most=MOST_NAME), filled(root, "ruleset", "", most=MOST_PATH)
    if not named:
        if not ruleset and not root.has("ruleset") and not root.has("party"):
            root.problem(None, "the encounter has no party and no ruleset; expected one of them")
        return None, (), read_named(root, "ruleset", lambda: read_ruleset(ruleset)) if ruleset else None
    parties = read_named(root, "party", read_parties)
    if parties is None:
        return None, (), None
    try:
        named = id_called("party", named, {id: party.name for id, party in parties.items()})
    except Unknown:
        hint = near_or_known(named, parties)
        root.problem("party", f"no party is called {quoted(named)}; {hint}")
        return None, (), None
    except Illegal as several:
        root.problem("party", clause(str(several)))
        return None, (), None
    sheets = read_named(root, "party", lambda: party_members(parties[named])) or ()
    own = sheets[0].ruleset if sheets else ""
    if ruleset and own and ruleset != own:
        root.problem("ruleset", f"the party {named} is for {own}, not for {ruleset}; expected {own} or no ruleset")
    rules = read_named(root, "party", lambda: read_ruleset(own)) if own else None
    return parties[named], tuple(sheet.character for sheet in sheets), rules


def _read_opponent(
    table: Reader, field: Battlefield | None, rules: Ruleset | None, sheets: dict[str, Character]
) -> Opponent:
    character = filled(table, "character", "", most=MOST_PATH)
    role = filled(table, "role", "") if character or table.has("character") else filled(table, "role")
    if character and role:
        table.problem("role", "an opponent has a role or a character, not both; expected one of them")
    if character and rules and character not in sheets:
        sheet = read_named(table, "character", lambda: read_character(character, rules))
        if sheet:
            sheets[character] = sheet.character
    if role and rules and role not in rules.units.sheets:
        hint = near_or_known(role, rules.units.sheets)
        table.problem("role", f"{rules.name} has no sheet for the role {quoted(role)}; {hint}")
    squares = _read_squares(table, field) if table.has("at") else ()
    found = Opponent(
        role=role,
        character=character,
        count=table.whole("count", max(1, min(len(squares), MOST_AT_ONCE)), least=1, most=MOST_AT_ONCE),
        name=filled(table, "name", "", most=MOST_NAME),
        side=filled(table, "side", OPPONENTS, most=MOST_SIDE),
        zone=_read_zone(table, "zone", field),
        squares=squares,
        facing=_read_direction(table, "facing") if table.has("facing") else None,
        posture=table.text("posture", "standing", choices=POSTURES),
        altitude=height(table, "altitude", 0),
        size=table.whole("size", 1, least=1, most=MOST_SIZE),
        is_hidden=table.flag("hidden", False),
        is_neutral=table.flag("neutral", False),
    )
    if squares and len(squares) != found.count:
        table.problem("at", f"{len(squares)} squares for {found.count} units; expected one for each")
    if squares and found.zone:
        table.problem("zone", "an opponent has squares or a zone, not both; expected one of them")
    table.finish()
    return found


def _read_squares(table: Reader, field: Battlefield | None) -> tuple[Square, ...]:
    columns, rows = (field.columns, field.rows) if field else (0, 0)
    return tuple(squares_at(table, columns, rows))


def _read_square(table: Reader, key: str, field: Battlefield | None) -> Square | None:
    name = filled(table, key)
    if not name:
        return None
    try:
        square = parse_square(name)
    except NotASquare:
        table.problem(key, f"{key} = {quoted(name)} is not a square; expected letters and a number, such as C7")
        return None
    if field is not None and square not in field:
        last = Square(field.columns - 1, field.rows - 1)
        table.problem(key, f"{square.name} is off the map; expected a square from A1 to {last.name}")
        return None
    return square


def _read_zone(table: Reader, key: str, field: Battlefield | None) -> str:
    named = filled(table, key, "")
    known = [zone.id for zone in field.zones] if field else []
    if named and field and named.casefold() not in [id.casefold() for id in known]:
        hint = near_or_known(named, known)
        table.problem(key, f"the map has no zone {quoted(named)}; {hint}")
        return ""
    return named


def _read_direction(table: Reader, key: str) -> Direction | None:
    name = filled(table, key)
    if name.upper() in DIRECTIONS:
        return Direction[name.upper()]
    if name:
        known = ", ".join(DIRECTIONS)
        table.problem(key, f"{key} = {quoted(name)} is not a direction; expected one of {known}")
    return None


def _read_places(table: Reader, party: Party | None, field: Battlefield | None) -> tuple[MemberPlace, ...]:
    """Where members of the party stand: a square, or a table with the square, the facing and the posture."""
    found: list[MemberPlace] = []
    for name in table:
        facing, posture = None, "standing"
        if isinstance(table.raw(name), dict):
            own = table.table(name)
            square = _read_square(own, "at", field)
            facing = _read_direction(own, "facing") if own.has("facing") else None
            posture = own.text("posture", "standing", choices=POSTURES)
            own.finish()
        else:
            square = _read_square(table, name, field)
        if party is not None and name not in party.characters:
            hint = near_or_known(name, party.characters)
            table.problem(name, f"{quoted(name)} is not in the party {party.id}; {hint}")
        elif square is not None:
            found.append(MemberPlace(name, square, facing, posture))
    return tuple(found)


def _read_note(table: Reader, field: Battlefield | None) -> tuple[str, Square | None]:
    at = _read_square(table, "at", field) if table.has("at") else None
    text = filled(table, "text", most=MOST_NOTE)
    table.finish()
    return text, at


def _read_wind(table: Reader) -> Wind:
    towards = _read_direction(table, "towards")
    found = Wind(towards or Direction.N, table.whole("squares", least=1, most=MOST_WIND))
    table.finish()
    return found


def _check_squares(root: Reader, encounter: Encounter, drawn: BattleMap) -> None:
    """Note squares on which nobody can stand, and those that are named twice."""
    field = drawn.battlefield
    standing = {
        square
        for each in (drawn.placements if encounter.has_cast else ())
        for square in Body(each.at, each.size).squares
    }
    named: list[tuple[tuple[str | int, ...], Square, int, Height]] = [
        (("places", place.name), place.at, 1, 0) for place in encounter.places
    ]
    for index, each in enumerate(encounter.opponents):
        is_list = len(each.squares) > 1
        named += [
            (
                ("opponent", index, "at", place) if is_list else ("opponent", index, "at"),
                square,
                each.size,
                each.altitude,
            )
            for place, square in enumerate(each.squares)
        ]
    for path, at, size, altitude in named:
        problem = _why_not(field, Body(at, size).squares, altitude, standing)
        if problem:
            root.document.note(path, problem)
        standing.update(Body(at, size).squares)


def _why_not(field: Battlefield, squares: Iterable[Square], altitude: Height, standing: set[Square]) -> str:
    for square in squares:
        if square not in field:
            last = Square(field.columns - 1, field.rows - 1)
            return f"{square.name} is off the map; expected a square from A1 to {last.name}"
        ground = field.ground_at(square)
        if ground.blocks_movement and altitude < max(ground.height, 1):
            return f"a unit cannot stand on {square.name} ({ground.name}); expected open ground"
        if square in standing:
            return f"another unit already stands on {square.name}; expected one unit per square"
    return ""
