"""Commands about what units have, about the ground and the light: what the GM gives, and draws on the table."""

from __future__ import annotations

from engine.field.battlefield import Barrier, Ground, Height
from engine.field.squares import Edge, Square
from engine.values import Stored


class Give(Stored, frozen=True, tag="give"):
    """The GM gives a unit a weapon to carry, or armour to wear in place of what it wears."""

    unit: str
    item: str
    """Id of a weapon or of armour of the ruleset."""


class TakeAway(Stored, frozen=True, tag="take-away"):
    """The GM takes a weapon, or the armour that it wears, away from a unit."""

    unit: str
    item: str


class SetGround(Stored, frozen=True, tag="set-ground"):
    """The GM says what some squares are made of and what stands on them; `because` is for the log."""

    squares: tuple[Square, ...]
    ground: Ground
    because: str = ""


class SetElevation(Stored, frozen=True, tag="set-elevation"):
    """The GM raises or lowers the ground of some squares: hundredths of the map's unit above its zero."""

    squares: tuple[Square, ...]
    height: Height


class SetEdges(Stored, frozen=True, tag="set-edges"):
    """The GM puts something thin on some edges, or takes away what stands there."""

    edges: tuple[Edge, ...]
    barrier: Barrier | None


class Draw(Stored, frozen=True, tag="draw"):
    """The GM changes several things about the field in one stroke; what is like that already is passed over."""

    parts: tuple[SetGround | SetElevation | SetEdges, ...]


class SetLight(Stored, frozen=True, tag="set-light"):
    """The GM says how light some squares are, or all where none are named: "dark", "dim" or "bright"."""

    light: str
    squares: tuple[Square, ...] = ()


class SetLamp(Stored, frozen=True, tag="set-lamp"):
    """The GM hangs a lamp over a square: bright and dim light so many squares far; with 0 of both she takes it away."""

    at: Square
    bright: int
    dim: int
    height: Height = 0
