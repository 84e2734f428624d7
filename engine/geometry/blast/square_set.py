"""Zones: sets of squares inside a square window, kept as the bits of one whole number, so that they join quickly."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

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
