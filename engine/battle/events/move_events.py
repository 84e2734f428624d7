"""Events of moving: steps, pushes, falls, postures, facings."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from engine.battle.events.event import OWN_UNITS, UNITS_IN_SIGHT, Event, LogEvent
from engine.battle.state.battle import Battle, Declared
from engine.battle.state.open_reactions import resumed
from engine.battle.state.reasons import Because
from engine.bounds import SOME, Id, Text
from engine.geometry.battlefield import Height
from engine.geometry.squares import Direction, Square, diagonal_steps
from engine.values import replace

__all__ = [
    "AltitudeChanged",
    "PathDeclared",
    "PathEnded",
    "PostureTaken",
    "StrideForfeited",
    "UnitFell",
    "UnitMoved",
    "UnitPlaced",
    "UnitPushed",
    "UnitTurned",
]

Path = Annotated[tuple[Square, ...], SOME]
"""Squares that were walked, the start first."""


class UnitMoved(Event, frozen=True, tag="unit-moved"):
    """A unit moved along `path` (its start first). `stride` is the rest of the move action."""

    reported_for = OWN_UNITS
    version = 2
    unit: Id
    action: Id
    path: Path
    cost: Fraction
    stride: Fraction
    facing: Direction
    is_begun: bool = False
    """Whether a move action begins with it."""
    altitude: Height | None = None
    """Of a flyer above the ground where it ends; None where that is as before."""

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        turn = replace(
            unit.turn,
            drawn_by_move=() if self.is_begun else unit.turn.drawn_by_move,
            moved=unit.turn.moved + self.cost,
            odd_diagonals=unit.turn.odd_diagonals != bool(diagonal_steps(self.path) % 2),
            trail=(*(unit.turn.trail or self.path[:1]), *self.path[1:]),
            stride=self.stride,
            stride_action=self.action,
        )
        altitude = unit.altitude if self.altitude is None else self.altitude
        unit = replace(unit, at=self.path[-1], altitude=altitude, facing=self.facing, turn=turn)
        return resumed(battle, unit.id).with_unit(unit)


class PathDeclared(Event, frozen=True, tag="way-declared"):
    """A unit declares a move along `path` (its start first) for the end of the round, at that altitude if any."""

    unit: Id
    action: Id
    label: Text
    path: Path
    cost: Fraction
    altitude: Height | None = None

    def apply(self, battle: Battle) -> Battle:
        path = Declared(self.unit, self.action, self.path, self.altitude)
        battle = replace(battle, turns=replace(battle.turns, declared=(*battle.turns.declared, path)))
        return resumed(battle, self.unit)


class PathEnded(Event, frozen=True, tag="way-ended"):
    """A declared move is over; `because` says why it ended before its goal, "" where it did not."""

    unit: Id
    because: Because = ""

    def apply(self, battle: Battle) -> Battle:
        left = tuple(path for path in battle.turns.declared if path.unit != self.unit)
        return replace(battle, turns=replace(battle.turns, declared=left))


class UnitPushed(Event, frozen=True, tag="unit-pushed"):
    """A unit was moved along `path` (its start first) without a step of its own."""

    version = 2
    unit: Id
    path: Path
    because: Text
    altitude: Height | None = None
    """As for `UnitMoved`."""

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        altitude = unit.altitude if self.altitude is None else self.altitude
        turn = replace(unit.turn, trail=())
        return battle.with_unit(replace(unit, at=self.path[-1], altitude=altitude, turn=turn))


class UnitFell(LogEvent, frozen=True, tag="unit-fell"):
    """A unit fell, in hundredths of the map's unit, to where it is now."""

    reported_for = UNITS_IN_SIGHT
    unit: Id
    drop: Height


class StrideForfeited(Event, frozen=True, tag="stride-forfeited"):
    """The unit loses the rest of its move."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, turn=replace(unit.turn, stride=Fraction(0), stride_action="")))


class UnitPlaced(Event, frozen=True, tag="unit-placed"):
    """The GM put a unit somewhere."""

    unit: Id
    before: Square
    after: Square

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, at=self.after, turn=replace(unit.turn, start=self.after, trail=())))


class AltitudeChanged(Event, frozen=True, tag="altitude-changed"):
    """Feet above the ground, in hundredths of the map's unit."""

    reported_for = OWN_UNITS
    unit: Id
    before: Height
    after: Height
    is_fall: bool = False
    """Whether a fall brought it down, which says itself."""
    by_gm: bool = False

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], altitude=self.after))


class UnitTurned(Event, frozen=True, tag="unit-turned"):
    version = 2

    unit: Id
    facing: Direction
    is_chosen: bool = False
    """Whether it turned for itself, not with what it did."""
    by_gm: bool = False
    """Whether that was out of its turn, by the GM's word."""

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], facing=self.facing))


class PostureTaken(Event, frozen=True, tag="posture-taken"):
    reported_for = UNITS_IN_SIGHT
    unit: Id
    posture: Id
    by_gm: bool = False

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], posture=self.posture))
