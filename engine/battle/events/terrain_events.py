"""Events of the battlefield: ground, elevation, edges, light and lamps that the GM set."""

from __future__ import annotations

from engine.bounds import ListOf, Text
from engine.geometry.battlefield import Barrier, Ground, Height, Lamp
from engine.geometry.squares import Edge, Square
from engine.values import Stored


class GroundSet(Stored, frozen=True, tag="ground-set"):
    """The GM sets the ground of squares; `because` is the GM's reason."""

    squares: ListOf[Square]
    ground: Ground
    because: Text = ""


class ElevationSet(Stored, frozen=True, tag="elevation-set"):
    """The ground of these squares is so high now, in hundredths of the map's unit."""

    squares: ListOf[Square]
    height: Height


class EdgesSet(Stored, frozen=True, tag="edges-set"):
    """That stands on these edges now; None for nothing."""

    edges: ListOf[Edge]
    barrier: Barrier | None


class LightSet(Stored, frozen=True, tag="light-set"):
    """So light are these squares now, or all where none are named; lamps left out."""

    squares: ListOf[Square]
    light: Text


class LampSet(Stored, frozen=True, tag="lamp-set"):
    """A lamp hangs on a square now, or None does."""

    at: Square
    lamp: Lamp | None
