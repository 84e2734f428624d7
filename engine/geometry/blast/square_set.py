"""Zones: sets of squares inside a square window, kept as the bits of one whole number, so that they join quickly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from engine.geometry.battlefield import Battlefield
from engine.geometry.metric import distance
from engine.geometry.squares import Square


class Zone(Struct, frozen=True):
    """Some squares around a middle one. It is iterated row by row.

    `corner` is the window's north-west square, which may lie off the map; `side` how many columns and rows it has; bit
    number `row * side + column` of `bits`, both counted from the corner, says whether a square belongs to the zone.
    """

    corner: Square
    side: int
    bits: int

    def __contains__(self, square: object) -> bool:
        if not isinstance(square, Square):
            return False
        column, row = square.column - self.corner.column, square.row - self.corner.row
        return 0 <= column < self.side and 0 <= row < self.side and bool(self.bits >> (row * self.side + column) & 1)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __iter__(self) -> Iterator[Square]:
        left, top = self.corner
        bits = self.bits
        while bits:
            lowest = bits & -bits
            row, column = divmod(lowest.bit_length() - 1, self.side)
            yield Square(left + column, top + row)
            bits ^= lowest


@lru_cache(maxsize=128)
def disc(metric: str, radius: int | Fraction, reach: int) -> int:
    """The squares of a window within a radius of its middle.

    Args:
        metric: one of METRICS.
        radius: in squares; the border is inside.
        reach: squares from the window's middle to its sides.

    Returns:
        Bits numbered row by row from the window's north-west square.
    """
    side, bits, wide = 2 * reach + 1, 0, reach
    for down in range(reach + 1):
        while wide >= 0 and distance(metric, wide, down) > radius:
            wide -= 1
        if wide < 0:
            break
        span = ((1 << (2 * wide + 1)) - 1) << (reach - wide)
        bits |= span << ((reach - down) * side) | span << ((reach + down) * side)
    return bits


def within_map(battlefield: Battlefield, corner: Square, side: int) -> int:
    """The squares of a window that lie on the map.

    Args:
        battlefield: the map.
        corner: the window's north-west square, which may lie off the map.
        side: of the window, in squares.

    Returns:
        Bits numbered row by row from `corner`.
    """
    left, top = corner
    columns = ((1 << min(side, battlefield.columns - left)) - 1) >> max(0, -left) << max(0, -left)
    return sum(columns << (row * side) for row in range(max(0, -top), min(side, battlefield.rows - top)))
