"""Events of moving: steps, pushes, falls, postures, facings."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from engine.battle.state.reasons import Because
from engine.bounds import SOME, Id, Text
from engine.geometry.battlefield import Height
from engine.geometry.squares import Direction, Square
from engine.values import Stored

Path = Annotated[tuple[Square, ...], SOME]
"""Squares that were walked, the start first."""


class UnitMoved(Stored, frozen=True, tag="unit-moved"):
    """A unit moved along `path` (its start first). `stride` is the rest of the move action."""

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


class PathDeclared(Stored, frozen=True, tag="way-declared"):
    """A unit declares a move along `path` (its start first) for the end of the round, at that altitude if any."""

    unit: Id
    action: Id
    label: Text
    path: Path
    cost: Fraction
    altitude: Height | None = None


class PathEnded(Stored, frozen=True, tag="way-ended"):
    """A declared move is over; `because` says why it ended before its goal, "" where it did not."""

    unit: Id
    because: Because = ""


class UnitPushed(Stored, frozen=True, tag="unit-pushed"):
    """A unit was moved along `path` (its start first) without a step of its own."""

    unit: Id
    path: Path
    because: Text
    altitude: Height | None = None
    """As for `UnitMoved`."""


class UnitFell(Stored, frozen=True, tag="unit-fell"):
    """A unit fell, in hundredths of the map's unit, to where it is now."""

    unit: Id
    drop: Height


class StrideForfeited(Stored, frozen=True, tag="stride-forfeited"):
    """The unit loses the rest of its move."""

    unit: Id


class UnitPlaced(Stored, frozen=True, tag="unit-placed"):
    """The GM put a unit somewhere."""

    unit: Id
    before: Square
    after: Square


class AltitudeChanged(Stored, frozen=True, tag="altitude-changed"):
    """Feet above the ground, in hundredths of the map's unit."""

    unit: Id
    before: Height
    after: Height
    is_fall: bool = False
    """Whether a fall brought it down, which says itself."""
    by_gm: bool = False


class UnitTurned(Stored, frozen=True, tag="unit-turned"):
    unit: Id
    facing: Direction
    is_wish: bool = False
    """Whether it turned for itself, not with what it did."""
    by_gm: bool = False
    """Whether that was out of its turn, by the GM's word."""


class PostureTaken(Stored, frozen=True, tag="posture-taken"):
    unit: Id
    posture: Id
    by_gm: bool = False
