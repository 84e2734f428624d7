"""Bodies: how tall a unit stands, where its eyes are, which points of it can be seen. Human by default."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from operator import attrgetter

from msgspec import Struct

from engine.geometry.battlefield import Height
from engine.geometry.squares import Square

POSTURES = ("standing", "kneeling", "prone")

HUMAN_HEIGHT = {"feet": 600, "metres": 180}
"""Hundredths of the unit: six feet, 1.8 metres."""

STATURE = {"standing": Fraction(1), "kneeling": Fraction(3, 5), "prone": Fraction(1, 4)}
"""Share of the full height that shows in each posture."""

EYES = Fraction(9, 10)
"""Eyes sit at this share of the height shown."""


class Body(Struct, frozen=True):
    """Where a body is: the north-west square of its footprint, the footprint's side, and its heights.

    `altitude` lifts the feet above the ground of the square; `height` is from feet to crown in the present posture.
    """

    at: Square
    size: int = 1
    altitude: Height = 0
    height: Height = 600
    eyes: Height = 540
    name: str = ""
    """What a sentence calls it where it stands in somebody's way; "" for somebody. Not compared."""

    def __eq__(self, other: object) -> bool:
        return _SHAPE(self) == _SHAPE(other) if isinstance(other, Body) else NotImplemented

    def __hash__(self) -> int:
        return hash(_SHAPE(self))

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of the footprint, row by row from its north-west square."""
        if self.size == 1:
            return (self.at,)
        return tuple(
            Square(self.at.column + dx, self.at.row + dy) for dy in range(self.size) for dx in range(self.size)
        )


_SHAPE = attrgetter("at", "size", "altitude", "height", "eyes")


def body(at: Square, unit: str, posture: str = "standing", size: int = 1, altitude: Height = 0, name: str = "") -> Body:
    """A body of human build scaled by the footprint.

    Args:
        at: north-west square of the footprint.
        unit: the map's unit, "feet" or "metres".
        posture: one of POSTURES.
        size: side of the footprint in squares, 1 to 4.
        altitude: feet above the ground, in hundredths of the unit.
        name: what a sentence calls it; "" for somebody.
    """
    height, eyes = _heights(unit, posture, size)
    return Body(at, size, altitude, height, eyes, name)


@cache
def _heights(unit: str, posture: str, size: int) -> tuple[Height, Height]:
    """Height and eyes of a human build: asked for every unit with every fact, and of few kinds."""
    height = int(HUMAN_HEIGHT[unit] * size * STATURE[posture])
    return height, int(height * EYES)
