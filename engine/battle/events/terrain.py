"""Events of the battlefield: what the GM has drawn, raised, lit and broken on it."""

from __future__ import annotations

from engine.field.battlefield import Barrier, Ground, Height, Lamp
from engine.field.squares import Edge, Square
from engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class GroundSet:
    """These squares are of that ground now; `because` says how it came, in the GM's words."""

    squares: tuple[Square, ...]
    ground: Ground
    because: str = ""


@dataclass(frozen=True, slots=True)
class ElevationSet:
    """The ground of these squares is so high now, in hundredths of the map's unit."""

    squares: tuple[Square, ...]
    height: Height


@dataclass(frozen=True, slots=True)
class EdgesSet:
    """That stands on these edges now; None for nothing."""

    edges: tuple[Edge, ...]
    barrier: Barrier | None


@dataclass(frozen=True, slots=True)
class LightSet:
    """So light are these squares now, or all where none are named; lamps left out."""

    squares: tuple[Square, ...]
    light: str


@dataclass(frozen=True, slots=True)
class LampSet:
    """A lamp hangs on a square now, or None does."""

    at: Square
    lamp: Lamp | None
