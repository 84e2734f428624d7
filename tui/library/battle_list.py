"""What the library shows: the battles that are kept and the maps there are, each known as far as a list has to.

A battle is looked into without its rules: where it stands follows from its map and its events alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.battle.state.units import Placement, Unit
from engine.battle.views.view import assign_letters
from engine.errors import BattleboardError
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from engine.journal.history import replay
from engine.journal.session import Session
from engine.journal.store import Journal, NotABattle
from maps import BattleMap, parse_map

MOST_BATTLES = 200
"""Battles listed, the ones last played; the others are reached by name."""


class Scenery(Struct, frozen=True):
    """A piece of ground with who is on it: (square, letter, number of the side) of each."""

    field: Battlefield
    marks: tuple[tuple[Square, str, int], ...]


class BattleEntry(Struct, frozen=True):
    """A battle's file, and what was found in it; before anybody has looked there is only its name."""

    path: Path
    title: str
    ruleset: str = ""
    round: int = 0
    steps: int = 0
    played: str = ""
    """When it was last played, as battles note the time."""
    scenery: Scenery | None = None
    fault: str = ""
    """Why it cannot be opened; "" when it can."""
    is_open: bool = False
    """Whether it is the one that is played now."""

    @property
    def is_known(self) -> bool:
        return bool(self.scenery or self.fault)


class MapEntry(Struct, frozen=True):
    """A map to begin a battle on."""

    id: str
    file: Path
    where: str


Entry = BattleEntry | MapEntry


def look_into(path: Path) -> BattleEntry:
    """What there is to be said of a battle that is not open in this program."""
    try:
        with Journal.open(path, read_only=True) as journal:
            return _entry(path, journal)
    except NotABattle as error:
        return BattleEntry(path, path.stem, fault=error.found)
    except BattleboardError as error:
        return BattleEntry(path, path.stem, fault=str(error))
    except Exception:  # a file that somebody else may have written
        return BattleEntry(path, path.stem, fault="its events do not fit each other")


def look_at(session: Session) -> BattleEntry:
    """The same of the battle that is open."""
    journal, history = session.journal, session.history
    last = max((row.time for row in journal.rows()), default="")
    return BattleEntry(
        journal.path,
        journal.header.title,
        journal.header.ruleset_id,
        history.battle.turns.round,
        len(history.steps()),
        last,
        scenery_of(history.battle),
        is_open=True,
    )


def _entry(path: Path, journal: Journal) -> BattleEntry:
    header, rows = journal.header.in_todays_language(), list(journal.rows())
    field = parse_map(header.map_text, header.map_file).battlefield
    batches = groupby(rows, key=lambda row: row.batch)
    history = replay(Battle(field), ([(row.kind, row.body) for row in found] for _, found in batches))
    return BattleEntry(
        path,
        header.title,
        header.ruleset_id,
        history.battle.turns.round,
        len(history.steps()),
        rows[-1].time if rows else header.created,
        scenery_of(history.battle),
    )


def scenery_of(shown: Battle | BattleMap) -> Scenery:
    """The ground and everybody who is still up."""
    if isinstance(shown, BattleMap):
        return Scenery(shown.battlefield, _marks(shown.placements))
    return Scenery(shown.field, _marks([unit for unit in shown.units.values() if not unit.is_defeated]))


def _marks(units: Sequence[Unit | Placement]) -> tuple[tuple[Square, str, int], ...]:
    letters, sides = assign_letters(units), list(dict.fromkeys(unit.side for unit in units))
    return tuple((unit.at, letters[unit.id], sides.index(unit.side)) for unit in units)
