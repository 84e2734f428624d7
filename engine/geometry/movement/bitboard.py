"""Bitboards: a set of squares as one whole number, so that all squares are asked at once.

One bit for each square, row by row. Each row is a whole number of bytes wide and ends in bits that no square has, so
that a shift by one bit never carries a body round the edge of the map. A large body is told by the north-west square of
its footprint.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from msgspec import Struct

from engine.geometry.squares import Direction

Board = int

SPARE = 4
"""Bits at the end of each row that no square has; footprints are at most as wide."""

MOST_CODES = 255

Value = TypeVar("Value", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)


class Shapes(Struct, frozen=True):
    """The measures of the boards of one map, for bodies of one size."""

    columns: int
    rows: int
    size: int = 1

    @property
    def width(self) -> int:
        """Bytes of a row."""
        return (self.columns + SPARE + 7) // 8

    @property
    def stride(self) -> int:
        """Bits of a row."""
        return 8 * self.width

    def bits(self, direction: Direction) -> int:
        """How many bits a neighbour in that direction is away; negative to the west and north."""
        return direction.dx + self.stride * direction.dy

    def whole(self) -> Board:
        """Every square of the map."""
        row = ((1 << self.columns) - 1).to_bytes(self.width, "little")
        return int.from_bytes(row * self.rows, "little")

    def of(self, squares: Iterable[tuple[int, int]]) -> Board:
        """The squares, by column and row. Those above the map are left out, those beside it fall on spare bits."""
        board = bytearray(self.width * (self.rows + 1))
        for column, row in squares:
            place = row * self.stride + column
            if 0 <= place < 8 * len(board):
                board[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(board, "little")

    def padded(self, layer: Sequence[Value], padding: Value) -> list[Value]:
        """A layer of the map, row by row, with `padding` for the unused bits: `stride * rows` values."""
        found: list[Value] = []
        filling = [padding] * (self.stride - self.columns)
        for start in range(0, len(layer), self.columns):
            found += layer[start : start + self.columns]
            found += filling
        return found

    def under(self, board: Board) -> Board:
        """The places, by their north-west squares, where a whole footprint of `size` lies on the board."""
        for step in (1, self.stride):
            single = board
            for part in range(1, self.size):
                board &= single >> part * step
        return board

    def touching(self, board: Board, offsets: Iterable[tuple[int, int]]) -> Board:
        """The places from which one of the squares at these offsets (columns, rows) lies on the board."""
        return reduce(or_, (board >> (x + self.stride * y) for x, y in offsets), 0)

    def entered(self, direction: Direction) -> list[tuple[int, int]]:
        """The squares that a step in that direction newly enters: columns and rows from where the body then is."""
        side = range(self.size)
        return [(x, y) for y in side for x in side if x + direction.dx not in side or y + direction.dy not in side]


def moved(board: Board, bits: int) -> Board:
    """All squares of a board shifted by so many bits, towards lower ones where negative; bits below 0 fall off."""
    return board << bits if bits >= 0 else board >> -bits


def sorted_out(layer: Sequence[Value], keys: Mapping[Value, Key | None]) -> dict[Key, Board]:
    """A board for each key, of the bits whose value has that key.

    Args:
        layer: a value for each bit.
        keys: the key of each value in the layer; None for values that belong on no board.
    """
    found: dict[Key, Board] = {}
    wanted = [key for key in dict.fromkeys(keys.values()) if key is not None]
    for first in range(0, len(wanted), MOST_CODES):
        codes = {key: code for code, key in enumerate(wanted[first : first + MOST_CODES], 1)}
        by_value = {value: 0 if key is None else codes.get(key, 0) for value, key in keys.items()}
        coded = bytes(map(by_value.__getitem__, layer))[::-1]
        for key, code in codes.items():
            digits = coded.translate(bytes(48 + (byte == code) for byte in range(256)))
            found[key] = int(digits, 2)
    return found
