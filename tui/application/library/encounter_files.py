"""Files of encounters: list, read and save them, start battles from them, and new battles in their set-up phase."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import tomli
from msgspec import Struct

from engine.battle.moves.deployment import usual_place
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError, Illegal, Unknown, Unreadable
from engine.geometry.battlefield import LIGHTS
from engine.geometry.squares import Square
from engine.journal.session import Beginning, Session
from engine.text import side_name, slug
from engine.values import replace
from maps import BattleMap, load_map, maps_in, parse_map, read_text, shipped_maps
from tui.application.library.battle_files import Scenario, begin_battle, map_file
from tui.application.library.character_files import Party, add_party, party_members, read_parties, with_characters
from tui.application.library.encounters import (
    Encounter,
    MemberPlace,
    Opponent,
    ReadyEncounter,
    commands_of,
    parse_encounter,
    write_encounter,
)
from tui.application.library.party_files import party_called
from tui.application.library.ruleset_files import read_ruleset
from tui.application.library.save_as_map import left_out
from tui.application.library.text_files import ENDING, exists, head_text, replace_file
from tui.application.settings.folders import encounters_folder, map_folders

WHAT = "an encounter"
OPPONENTS_HERE = """\
# Who is against them: as many tables as you like.
#
# [[opponent]]
# role = "gunman"         # or character = "…", a stat block of yours
# count = 3
# side = "guards"
# zone = "B"              # or at = ["D4", "E4", "F4"]
# hidden = true
"""
NUMBERED = re.compile(r"(.+) ([1-9][0-9]*)")


class EncounterHead(Struct, frozen=True):
    """What a list says of an encounter before it is read whole."""

    id: str
    """The name of its file."""
    name: str
    map: str
    party: str
    """"" for none."""
    ruleset: str
    """"" for the party's."""
    opponents: int


class SavedEncounter(Struct, frozen=True):
    """An encounter that was written, and what of the battle is not in it."""

    path: Path
    left_out: tuple[str, ...] = ()


def encounter_files() -> Mapping[str, Path]:
    """The files in the encounters folder by their names without the ending."""
    return maps_in(encounters_folder())


def encounter_heads() -> Iterator[EncounterHead]:
    """What the files in the encounters folder are; without those that cannot be read."""
    for id, path in encounter_files().items():
        try:
            top = tomli.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        name, drawn, party, ruleset = (head_text(top, key) for key in ("name", "map", "party", "ruleset"))
        if not name or not drawn:
            continue
        tables = top.get("opponent")
        rows = tables if isinstance(tables, list) else []
        counts = [_count(row) for row in rows if isinstance(row, dict)]
        yield EncounterHead(id, name, drawn, party, ruleset, sum(counts))


def _count(row: Mapping[str, object]) -> int:
    """How many opponents a table of a file stands for: its count, else its squares, else one."""
    count, squares = row.get("count"), row.get("at")
    if isinstance(count, int):
        return count
    return max(1, len(squares)) if isinstance(squares, list) else 1


def find_encounter(name: str) -> Path:
    """The file that a name or a path stands for: one in the encounters folder, else a path.

    Raises:
        Unknown: there is none; the message names the nearest.
    """
    known = encounter_files()
    if name in known:
        return known[name]
    path = Path(name)
    if exists(path) and path.is_file():
        return path
    raise Unknown("encounter", name, known)


def read_encounter(name: str | Path) -> ReadyEncounter:
    """Reads an encounter with its map, rules, party and stat blocks.

    Args:
        name: of the file in the encounters folder, or a path.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable: it is not an encounter; all problems at once.
        BattleboardError: it cannot be read.
    """
    path = find_encounter(name) if isinstance(name, str) else name
    return parse_encounter(read_text(path, WHAT), str(path), _load_map)


def begin_encounter(name: str | Path, seed: str | None = None) -> Session:
    """Starts a new battle from an encounter, in its set-up phase. Raises as `read_encounter` and `begin_battle`."""
    path = find_encounter(name) if isinstance(name, str) else name
    return begin_ready(read_encounter(path), path.stem, seed)


def begin_ready(ready: ReadyEncounter, file: str = "", seed: str | None = None, folder: Path | None = None) -> Session:
    """Starts a new battle from an encounter that is read or was just put together, in its set-up phase.

    Args:
        ready: the encounter.
        file: the name of its file; "" where it has none.
        seed: of the dice; None for the encounter's own, or a random one.
        folder: the data folder; None is the user's.

    Raises:
        Illegal: there is no room for somebody.
        CannotSave: the disk refused; nothing is left behind.
    """
    encounter = ready.encounter
    scenario = Scenario(with_characters(ready.map, ready.rules, ready.map_file), ready.map_file, ready.rules)
    beginning = Beginning(commands_of(ready), encounter.party, file)
    return begin_battle(scenario, encounter.seed or None if seed is None else seed, folder, beginning, encounter.name)


def new_encounter(
    map_name: str,
    party: str = "",
    ruleset: str = "",
    seed: str | None = None,
    *,
    has_cast: bool = False,
    brings_party: bool = False,
) -> Session:
    """Starts a new battle in its set-up phase on a map without its own units.

    Args:
        map_name: the map's id or path.
        party: id of the party that it is for, which fixes the ruleset.
        ruleset: the ruleset without a party.
        seed: of the dice; None for a random one.
        has_cast: whether the map's own units are there.
        brings_party: whether the party stands in its start zone; else nobody is there yet.

    Raises:
        Unknown: there is no such map, party or ruleset; the message names the nearest.
        Illegal, Unreadable, BattleboardError: one of them cannot be used, or has no room.
    """
    party = party_called(party).id if party else ""
    rules = read_ruleset(ruleset_of(party) if party else ruleset)
    drawn, file = _load_map(map_name)
    drawn = with_characters(drawn if has_cast else replace(drawn, placements=()), rules, file)
    place = usual_place(drawn.battlefield, is_party=True)
    found = party_called(party) if brings_party and party else None
    first = (add_party(found, rules, found.side, place),) if found else ()
    return begin_battle(Scenario(drawn, file, rules), seed, None, Beginning(first, party))


def ruleset_of(party: str) -> str:
    """Id of the ruleset that a party's characters are for.

    Raises:
        Unknown: there is no such party; the message names the nearest.
        Illegal, Unreadable, BattleboardError: as `party_members`.
    """
    return party_members(party_called(party))[0].ruleset


def save_encounter(session: Session, name: str, *, is_sure: bool = False) -> SavedEncounter:
    """Writes what stands in a battle as an encounter in the encounters folder, by the name of its file.

    Args:
        session: the battle.
        name: the encounter's name; the file name follows from it.
        is_sure: whether to overwrite an encounter with that name.

    Raises:
        FileExistsError: there is such an encounter, and `is_sure` is false.
        Illegal: the name has no letters or digits, or is that of a map.
        BattleboardError: it cannot be written.
    """
    stem = encounter_stem(name)
    path = encounters_folder() / f"{stem}{ENDING}"
    if os.path.lexists(path) and not is_sure:
        raise FileExistsError(path)
    title = name if name != stem else name.replace("-", " ").capitalize()
    text = write_encounter(encounter_of(session, title))
    parse_encounter(text, path.name, _load_map)  # never write one that cannot be read
    return SavedEncounter(replace_file(path, text), tuple(_left_out(session)))


def write_new_encounter(name: str, map_name: str, party: str = "", ruleset: str = "") -> Path:
    """Writes a new encounter without opponents, with the lines for them as comments; gives its path.

    Raises:
        Illegal: the name has no letters or digits, or there is an encounter with it.
        Unreadable: the map, the party or the ruleset cannot be used.
        BattleboardError: it cannot be written.
    """
    path = encounters_folder() / f"{encounter_stem(name)}{ENDING}"
    if os.path.lexists(path):
        raise Illegal("encounter", f"There is already an encounter called {path.stem}.")
    party = party_called(party).id if party else ""
    text = write_encounter(Encounter(name, map_name, party, ruleset))
    parse_encounter(text, path.name, _load_map)
    return replace_file(path, f"{text}\n{OPPONENTS_HERE}")


def encounter_stem(name: str) -> str:
    """The name of an encounter's file. Raises Illegal where it has no letters or digits, or is that of a map."""
    stem = slug(name)
    if not stem:
        raise Illegal("encounter", "The name of an encounter needs letters or digits.")
    if stem in {id for maps in (shipped_maps(), *map(maps_in, map_folders())) for id in maps}:
        raise Illegal("encounter", f"{stem} is the name of a map: choose another name for the encounter.")
    return stem


def encounter_of(session: Session, name: str) -> Encounter:
    """What stands in a battle, as an encounter with that name.

    Raises:
        Illegal: its map is gone, or somebody's sheet has no file.
    """
    battle, header = session.battle, session.journal.header.in_todays_language()
    drawn = parse_map(header.map_text, header.map_file)
    for unit in battle.units.values():
        if unit.character and not unit.character.file:
            raise Illegal("character", f"{unit.name}'s sheet has no file: save the character first.")
    party, members = _party_in(battle)
    others = [unit for unit in battle.units.values() if unit.id not in {member.id for member in members}]
    openings = [note.text for note in battle.gm.notes if note.at is None and not note.unit]
    lights = {*battle.field.light}
    return Encounter(
        name=name,
        map=_map_name(header.map_file, session),
        party=party.id if party else "",
        ruleset="" if party else header.ruleset_id,
        party_side=members[0].side if party and members[0].side != party.side else "",
        places=tuple(
            MemberPlace(member.character.file, member.at, member.facing, member.posture)
            for member in members
            if member.character
        ),
        opponents=tuple(_opponents(others)),
        notes=(
            *((note.text, note.at) for note in battle.gm.notes if note.at is not None),
            *((text, None) for text in openings[1:]),
        ),
        opening=openings[0] if openings else "",
        light=LIGHTS[min(lights)] if len(lights) == 1 and lights != {*drawn.battlefield.light} else "",
        wind=battle.scene.wind,
    )


def check_encounter(path: Path) -> str:
    """Checks an encounter; gives what it is, in a few words. Raises as `read_encounter`."""
    ready = read_encounter(path)
    count = sum(each.count for each in ready.encounter.opponents)
    who = (
        f"{len(ready.members)} of {side_name(ready.party_side)} against {count}"
        if ready.members
        else f"{count} opponents"
    )
    return f"encounter {ready.encounter.name!r}, {ready.map.battlefield.name}, {ready.rules.id}, {who}"


def _load_map(name: str) -> tuple[BattleMap, str]:
    path = map_file(name)
    return load_map(path), path.name


def _map_name(map_file: str, session: Session) -> str:
    """The id of the map that a battle began on.

    Raises:
        Illegal: there is no such map any more.
    """
    stem = map_file.removesuffix(ENDING)
    try:
        _load_map(stem)
    except (Unknown, Unreadable):
        title = session.battle.field.name
        raise Illegal("map", f"The map {title} is not among your maps: save the battle as a map first.") from None
    return stem


def _party_in(battle: Battle) -> tuple[Party | None, list[Unit]]:
    """The battle's party and its units, where all of them are there, on one side; else no party."""
    try:
        party = read_parties().get(battle.party)
    except BattleboardError:
        return None, []
    if party is None:
        return None, []
    by_file = {unit.character.file: unit for unit in battle.units.values() if unit.character and unit.character.file}
    members = [by_file[name] for name in party.characters if name in by_file]
    is_whole = len(members) == len(party.characters) and len({unit.side for unit in members}) == 1
    plain = all(not (unit.is_hidden or unit.is_neutral or unit.altitude) for unit in members)
    names = [unit.name for unit in members] == [unit.character.name for unit in members if unit.character]
    return (party, members) if is_whole and plain and names else (None, [])


def _opponents(units: Sequence[Unit]) -> Iterator[Opponent]:
    """Units as lines of opponents, each where it stands; those that are alike and numbered through in one line."""
    whole = {stem for stem in {_stem(unit) for unit in units} if _is_line(stem, units)}
    row: list[tuple[Opponent, Square]] = []
    for unit in units:
        stem = _stem(unit)
        found = _opponent(unit, stem if stem in whole else unit.name)
        if row and (row[0][0] != found or stem not in whole):
            yield _joined(row)
            row = []
        row.append((found, unit.at))
    if row:
        yield _joined(row)


def _joined(row: Sequence[tuple[Opponent, Square]]) -> Opponent:
    return replace(row[0][0], count=len(row), squares=tuple(square for _, square in row))


def _stem(unit: Unit) -> str:
    """A unit's name without its number."""
    found = NUMBERED.fullmatch(unit.name)
    return found[1] if found else unit.name


def _is_line(stem: str, units: Sequence[Unit]) -> bool:
    """Whether the units of that name are alike and numbered from 1 in their order, and there are several."""
    ours = [unit for unit in units if _stem(unit) == stem]
    is_numbered = [unit.name for unit in ours] == [f"{stem} {number}" for number in range(1, len(ours) + 1)]
    return len(ours) > 1 and is_numbered and len({_opponent(unit, stem) for unit in ours}) == 1


def _opponent(unit: Unit, name: str) -> Opponent:
    own = unit.character.file if unit.character else ""
    found = Opponent(
        role="" if own else unit.role,
        character=own,
        name=name,
        side=unit.side,
        facing=unit.facing,
        posture=unit.posture,
        altitude=unit.altitude,
        size=unit.size,
        is_hidden=unit.is_hidden,
        is_neutral=unit.is_neutral,
    )
    bare = replace(found, name="")
    return bare if bare.called == name else found


def _left_out(session: Session) -> Iterator[str]:
    """What of a battle an encounter does not hold, in a few words each."""
    battle, header = session.battle, session.journal.header.in_todays_language()
    drawn = parse_map(header.map_text, header.map_file).battlefield
    now, then = battle.bare_field, drawn
    if (now.ground, now.elevation, now.barriers, now.lamps) != (then.ground, then.elevation, then.barriers, then.lamps):
        yield "the changed ground: save it as a map"
    changed = [unit.name for unit in battle.units.values() if unit.overrides != type(unit.overrides)()]
    if changed:
        yield f"changed stats and armour of {', '.join(changed)}"
    if battle.scene.clouds:
        yield "smoke"
    yield from left_out(session)
