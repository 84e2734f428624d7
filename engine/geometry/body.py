"""Bodies: how tall a unit stands, where its eyes are, which points of it can be seen. Human by default."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cache
from operator import attrgetter

from msgspec import Struct

from engine.geometry.battlefield import SKY, Battlefield, Height
from engine.geometry.squares import Edge, Square
from engine.sight_model import PLAIN, SightModel

BODY_POINTS = ((0, 0), (-3, -3), (3, -3), (-3, 3), (3, 3))
"""Eyes and points of a body in their order: from the footprint's centre, in eighths of its side."""

POSTURES = ("standing", "kneeling", "prone")

HUMAN_HEIGHT = {"feet": 600, "metres": 180}
"""Hundredths of the unit: six feet, 1.8 metres."""

STATURE = {"standing": Fraction(1), "kneeling": Fraction(3, 5), "prone": Fraction(1, 4)}
"""Share of the full height that shows in each posture."""

EYES = Fraction(9, 10)
"""Eyes sit at this share of the height shown."""


def middle_height(battlefield: Battlefield) -> Height:
    """Height of the middle of a standing body above its ground, where a blast is measured, in hundredths."""
    return HUMAN_HEIGHT[battlefield.unit] // 2


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
    lean: bool = True
    """Whether its eyes may be at any of its five points; else in its middle alone."""
    reach: Height | None = None
    """Height above the feet below which near things are out of its way; None: that of its eyes."""

    def __eq__(self, other: object) -> bool:
        return _SHAPE(self) == _SHAPE(other) if isinstance(other, Body) else NotImplemented

    def __hash__(self) -> int:
        return hash(_SHAPE(self))

    @property
    def points(self) -> tuple[tuple[int, int], ...]:
        """Its five points, the middle first: columns and rows in eighths of a square from the map's north-west."""
        x, y, size = 8 * self.at.column + 4 * self.size, 8 * self.at.row + 4 * self.size, self.size
        return tuple((x + dx * size, y + dy * size) for dx, dy in BODY_POINTS)

    @property
    def eye_points(self) -> tuple[tuple[int, int], ...]:
        """Where its eyes may be: all five points, or the middle alone."""
        return self.points if self.lean else self.points[:1]

    def touches(self, square: Square) -> bool:
        """Whether a square is part of the footprint or next to it."""
        (column, row), size = self.at, self.size
        return -1 <= square[0] - column <= size and -1 <= square[1] - row <= size

    def touches_edge(self, edge: Edge) -> bool:
        """Whether an edge has an end on the footprint's outline, or inside."""
        column, row = edge.column - self.at.column, edge.row - self.at.row
        across, down = (1, 0) if edge.side == "N" else (0, 1)
        return -across <= column <= self.size and -down <= row <= self.size

    def is_next_to(self, other: Body) -> bool:
        """Whether two footprints touch, at a corner at least, or overlap."""
        (column, row), (other_column, other_row) = self.at, other.at
        return -other.size <= other_column - column <= self.size and -other.size <= other_row - row <= self.size

    @property
    def looks_over(self) -> Height:
        """Height above the feet below which near things are out of its way."""
        return self.eyes if self.reach is None else self.reach

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of the footprint, row by row from its north-west square."""
        if self.size == 1:
            return (self.at,)
        return tuple(
            Square(self.at.column + dx, self.at.row + dy) for dy in range(self.size) for dx in range(self.size)
        )


_SHAPE = attrgetter("at", "size", "altitude", "height", "eyes", "lean", "looks_over")


def body(
    at: Square,
    unit: str,
    posture: str = "standing",
    size: int = 1,
    altitude: Height = 0,
    name: str = "",
    sight: SightModel = PLAIN,
    conditions: Collection[str] = (),
) -> Body:
    """A body of human build scaled by the footprint.

    Args:
        at: north-west square of the footprint.
        unit: the map's unit, "feet" or "metres".
        posture: one of POSTURES.
        size: side of the footprint in squares, 1 to 4.
        altitude: feet above the ground, in hundredths of the unit.
        name: what a sentence calls it; "" for somebody.
        sight: whether it leans, and what it looks over.
        conditions: those that it has; one of `sight.positions` turns both on.
    """
    height, eyes = _heights(unit, posture, size)
    if sight is PLAIN or (sight.positions and not set(sight.positions).isdisjoint(conditions)):
        sight = PLAIN
    reach = eyes
    if sight.own_cover == "off":
        reach = NO_REACH
    elif sight.own_cover == "rise" and posture == "kneeling":
        reach = _heights(unit, "standing", size)[1]
    return Body(at, size, altitude, height, eyes, name, sight.lean, reach)


NO_REACH: Height = -2 * SKY
"""The reach of somebody who looks over nothing."""


@cache
def _heights(unit: str, posture: str, size: int) -> tuple[Height, Height]:
    """Height and eyes of a human build: asked for every unit with every fact, and of few kinds."""
    height = int(HUMAN_HEIGHT[unit] * size * STATURE[posture])
    return height, int(height * EYES)
