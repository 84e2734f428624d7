"""What a map is once it is read: a battlefield, the units on it, and the text it came from. And the limits of maps."""

from __future__ import annotations

from operator import attrgetter

from msgspec import Struct

from engine.battle.state.units import Placement
from engine.geometry.battlefield import Battlefield
from engine.toml_positions import Limits

FORMAT = 1
MOST_BYTES = 16_000_000
LIMITS = Limits(lines=500_000, marks=700_000, keys=40_000)
"""Of a map's text; the largest map with a wall on most of its edges is within them."""
MOST_UNITS = 500
MOST_LAMPS = 500
MOST_REACH = 100
"""Squares that the light of a lamp goes."""

MOST_HEIGHT = 10_000
"""Heights and altitudes, up or down, in the map's unit."""

LARGEST_SQUARE = 1000
"""Side of a square, and height of an elevation step, in the map's unit."""

FLOOR = "."
"""The glyph of the floor in drawings, of the default in layers."""

OUTSIDE = " "
"""The glyph of what lies outside the drawing."""

DIGITS = "0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""Digits and then letters count elevation steps, 0 to 35."""

STEP = {"feet": 500, "metres": 150}
"""Hundredths of the unit that one elevation digit counts, where a map does not say."""


class BattleMap(Struct, frozen=True):
    """A whole map. Two maps are equal when they say the same, however they are written."""

    battlefield: Battlefield
    placements: tuple[Placement, ...] = ()
    description: str = ""
    text: str = ""
    """The TOML it was read from."""

    def __eq__(self, other: object) -> bool:
        return _MEANING(self) == _MEANING(other) if isinstance(other, BattleMap) else NotImplemented

    def __hash__(self) -> int:
        return hash(_MEANING(self))


_MEANING = attrgetter("battlefield", "placements", "description")
