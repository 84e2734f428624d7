"""Entries of the library: battles, encounters, maps, parties and characters, with the data that a list needs.

A battle is read without its rules: its state follows from its map and its events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.battle.state.units import Placement, Unit
from engine.battle.views.unit_letters import assign_badges, signs_of
from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from engine.journal.batches import JournalRow, batches
from engine.journal.history import History, replay
from engine.journal.session import Session
from engine.journal.store import Header, Journal, NotABattle
from engine.text import side_name
from maps import BattleMap, parse_map
from tui.application.exports.battle_titles import battle_name
from tui.application.library.party_files import party_path
from tui.application.prompts.choice import fits

MOST_BATTLES = 200
"""Battles listed, the latest; older ones are opened by name."""


class Scenery(Struct, frozen=True):
    """A battlefield with its units: (square, letter, number of the side) of each."""

    field: Battlefield
    marks: tuple[tuple[Square, str, int], ...]
    outlines: frozenset[Square] = frozenset()
    """Squares at the edge of a start zone."""
    zone_names: tuple[tuple[str, Square], ...] = ()
    """Ids of the start zones, and where they are written."""


class BattleEntry(Struct, frozen=True):
    """A battle's file and its contents; only its name before it is read."""

    path: Path
    title: str
    ruleset: str = ""
    round: int = 0
    steps: int = 0
    played: str = ""
    """Time of the last command."""
    scenery: Scenery | None = None
    fault: str = ""
    """Why it cannot be opened; "" if it can."""
    is_open: bool = False
    """Whether it is the open battle."""
    is_finished: bool = False
    party: str = ""
    """Id of the party that it is for; "" for none."""
    party_name: str = ""
    """What that party is called; "" where it is gone."""
    encounter: str = ""
    """Id of the encounter that it began with; "" for none."""
    map_id: str = ""
    sides: tuple[tuple[str, int, int], ...] = ()
    """How many of each side are still in the fight, and how many there are in all."""
    turn: str = ""
    """Name of the unit whose turn it is; "" for none."""
    characters: frozenset[str] = frozenset()
    """The files of the characters in it."""

    @property
    def is_known(self) -> bool:
        return bool(self.scenery or self.fault)

    @property
    def name(self) -> str:
        return battle_name(self.path, self.title)

    @property
    def group(self) -> str:
        """The heading that it stands below: its encounter, else its map, and its party; "" for a battle of neither."""
        about = (self.party_name or side_name(self.party), self.encounter or (self.title if self.party else ""))
        return " · ".join(filter(None, about))

    @property
    def when(self) -> str:
        """Time of the last command at this place: "23 Nov 20:15"; "" if it is not known."""
        try:
            then = datetime.fromisoformat(self.played).astimezone()
        except (ValueError, OverflowError):
            return ""
        return f"{then.day} {then:%b %H:%M}"

    @property
    def stage(self) -> str:
        """How far it is: "set-up", "round 2", "finished"."""
        return "finished" if self.is_finished else f"round {self.round}" if self.round else "set-up"

    @property
    def file(self) -> Path:
        return self.path


class MapEntry(Struct, frozen=True):
    """A map for a new battle."""

    id: str
    file: Path
    where: str
    is_own: bool = False
    """Whether it is in a folder of the user's."""
    size: str = ""
    """As "26×15"; "" before it is read, and where it cannot be read."""
    is_known: bool = False
    """Whether it was read."""

    @property
    def name(self) -> str:
        return self.id


class EncounterEntry(Struct, frozen=True):
    """An encounter of the user's, from which battles start."""

    id: str
    file: Path
    name: str
    map: str
    party: str
    """"" for none."""
    ruleset: str
    opponents: int
    party_name: str = ""
    """What the party is called; "" for none, or where it is gone."""
    members: int = 0
    """Of the party."""
    fault: str = ""
    """Why no battle can begin with it; "" if one can."""
    is_known: bool = False
    """Whether it was read whole, with all that it names."""


class PartyEntry(Struct, frozen=True):
    """A party of the user's."""

    id: str
    name: str
    characters: tuple[str, ...]
    ruleset: str
    """"" where its characters' files do not say."""
    is_default: bool = False
    missing: tuple[str, ...] = ()
    """Those of the characters who have no file."""
    fault: str = ""
    """Why no party can be read; "" if they can."""

    @property
    def file(self) -> Path:
        return party_path(self.id)


class CharacterEntry(Struct, frozen=True):
    """A character or a stat block of the user's."""

    id: str
    file: Path
    name: str
    ruleset: str
    is_opponent: bool
    fault: str = ""
    """Why it cannot be used; "" if it can."""
    is_known: bool = False
    """Whether it was read whole, by its ruleset."""
    role: str = ""
    """"" before it is read, and for a character that states none."""
    health: tuple[int, int] = (0, 0)
    """What its first vital pool has, and has when it is full; both 0 before it is read."""
    weapon: str = ""
    """The first of its weapons."""


class NewEntry(Struct, frozen=True):
    """A line of the library that makes something new."""

    id: str
    """BLANK_MAP, NEW_PARTY or NEW_CHARACTER."""
    name: str

    @property
    def file(self) -> str:
        return self.id


BLANK_MAP, NEW_PARTY, NEW_CHARACTER = "blank-map", "new-party", "new-character"
Entry = BattleEntry | EncounterEntry | MapEntry | PartyEntry | CharacterEntry | NewEntry
CONTINUE, ENCOUNTERS, MAPS, PARTIES, CHARACTERS = range(5)
SECTIONS = ("Continue", "Encounters", "Maps", "Parties", "Characters")


def section_of(entry: Entry) -> int:
    """The place of an entry's section among SECTIONS."""
    match entry:
        case BattleEntry():
            return CONTINUE
        case EncounterEntry():
            return ENCOUNTERS
        case MapEntry() | NewEntry(id="blank-map"):
            return MAPS
        case PartyEntry() | NewEntry(id="new-party"):
            return PARTIES
    return CHARACTERS


def searched(entries: Sequence[Entry], wanted: str) -> tuple[Entry, ...]:
    """The entries in which words begin with every word of the search; all of them for ""."""
    return tuple(entry for entry in entries if fits(_words(entry), wanted))


def _words(entry: Entry) -> str:
    """What a search looks at."""
    match entry:
        case BattleEntry():
            return f"{entry.name} {entry.path.stem} {entry.ruleset} {entry.group}"
        case CharacterEntry() | PartyEntry():
            return f"{entry.name} {entry.id} {entry.ruleset}"
        case EncounterEntry():
            return f"{entry.name} {entry.id} {entry.map} {entry.party} {entry.ruleset}"
    return entry.name


def grouped(entries: Sequence[BattleEntry]) -> tuple[BattleEntry, ...]:
    """Battles with those of a group together, where the first of them stands."""
    groups: dict[str, list[BattleEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.group or str(entry.path), []).append(entry)
    return tuple(entry for group in groups.values() for entry in group)


def read_entry(path: Path) -> BattleEntry:
    """Reads the entry of a battle that is not open in this program."""
    try:
        with Journal.open(path, read_only=True) as journal:
            return _entry(path, journal)
    except NotABattle as error:
        return BattleEntry(path, path.stem, fault=error.found)
    except BattleboardError as error:
        return BattleEntry(path, path.stem, fault=str(error))
    except Exception:  # another program may have written the file
        return BattleEntry(path, path.stem, fault="its events contradict each other")


def entry_of(session: Session) -> BattleEntry:
    """The entry of the open battle."""
    journal, history = session.journal, session.history
    rows = list(journal.rows())
    last = max((row.stamp.time for row in rows), default="")
    return _described(journal.path, journal.header, history, rows, last, is_open=True)


def _entry(path: Path, journal: Journal) -> BattleEntry:
    header, rows = journal.header.in_todays_language(), list(journal.rows())
    field = parse_map(header.map_text, header.map_file).battlefield
    history = replay(Battle(field), (batch.rows for batch in batches(rows)))
    return _described(path, header, history, rows, rows[-1].stamp.time if rows else header.created)


def _described(
    path: Path, header: Header, history: History, rows: Sequence[JournalRow], played: str, *, is_open: bool = False
) -> BattleEntry:
    battle = history.battle
    units = [unit for unit in battle.units.values() if not unit.is_neutral]
    fighting, total = Counter(unit.side for unit in units if not unit.is_defeated), Counter(unit.side for unit in units)
    return BattleEntry(
        path,
        header.title,
        header.ruleset_id,
        battle.turns.round,
        len(history.steps()),
        played,
        scenery_of(battle),
        is_open=is_open,
        is_finished=battle.is_finished,
        party=battle.party,
        encounter=_encounter(rows),
        map_id=Path(header.map_file).stem,
        sides=tuple((side, fighting[side], total[side]) for side in total),
        turn=battle.called(battle.turns.active) if battle.turns.active else "",
        characters=frozenset(unit.character.file for unit in units if unit.character),
    )


def _encounter(rows: Sequence[JournalRow]) -> str:
    """Id of the encounter that a battle began with; "" for none."""
    return str(rows[0].body.get("encounter", "")) if rows else ""


def scenery_of(shown: Battle | BattleMap) -> Scenery:
    """The battlefield and the units in the fight."""
    if isinstance(shown, BattleMap):
        zones = shown.battlefield.zones
        outlines = frozenset(square for zone in zones for square in zone.outline)
        names = tuple((zone.id, zone.corner) for zone in zones)
        return Scenery(shown.battlefield, _marks(shown.placements, assign_badges(shown.placements)), outlines, names)
    units = [unit for unit in shown.units.values() if not unit.is_defeated]
    return Scenery(shown.field, _marks(units, signs_of(shown)))


def _marks(units: Sequence[Unit | Placement], badges: Mapping[str, str]) -> tuple[tuple[Square, str, int], ...]:
    sides = list(dict.fromkeys(unit.side for unit in units))
    return tuple((unit.at, badges[unit.id][0], sides.index(unit.side)) for unit in units)
