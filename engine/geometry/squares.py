"""Squares, the eight directions and the thin edges between squares. Names as a player says them: C7, C7 north."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from engine.compass import COMPASS
from engine.errors import BattleboardError

SQUARE_NAME = re.compile(r"([A-Za-z]{1,3})([1-9][0-9]{0,3})")


class NotASquare(BattleboardError):
    """Text that names no square."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not a square: write column letters and a row number, like C7.")


class Square(NamedTuple):
    """One square by 0-based column and row; row 0 is the top one."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Letters and a 1-based number.

        >>> Square(2, 6).name, Square(27, 0).name
        ('C7', 'AB1')
        """
        return f"{column_name(self.column)}{self.row + 1}"

    def step(self, direction: Direction) -> Square:
        """The neighbour in that direction, which may lie off the map."""
        return Square(self.column + direction.dx, self.row + direction.dy)


del Square._fields  # msgspec would read it as a list of numbers; so it asks `codec`, which reads "C7"


def column_name(column: int) -> str:
    """A, B … Z, AA, AB … for a 0-based column; -A, -B … for those left of the map.

    >>> column_name(26), column_name(-1)
    ('AA', '-A')
    """
    if column < 0:
        return f"-{column_name(-1 - column)}"
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def parse_square(text: str) -> Square:
    """The square a name stands for; case does not matter.

    >>> parse_square("c7")
    Square(column=2, row=6)

    Raises:
        NotASquare: the text is not letters followed by a number from 1.
    """
    match = SQUARE_NAME.fullmatch(text.strip())
    if match is None:
        raise NotASquare(text)
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return Square(column - 1, int(match[2]) - 1)


class Direction(Enum):
    """The eight directions, clockwise from north, by the names that stand in files. North is up, row 0."""

    N = "N"
    NE = "NE"
    E = "E"
    SE = "SE"
    S = "S"
    SW = "SW"
    W = "W"
    NW = "NW"

    @property
    def dx(self) -> int:
        """Columns of a step: -1 to the west, 0, or 1 to the east."""
        return COMPASS[self._value_][0]

    @property
    def dy(self) -> int:
        """Rows of a step: -1 to the north, 0, or 1 to the south."""
        return COMPASS[self._value_][1]

    @property
    def is_diagonal(self) -> bool:
        """Whether a step changes column and row."""
        return self.dx != 0 and self.dy != 0

    @classmethod
    def of(cls, dx: int, dy: int) -> Direction:
        """The direction of a step to a neighbour: columns and rows, each -1, 0 or 1."""
        return _BY_STEP[dx, dy]

    @property
    def opposite(self) -> Direction:
        """The direction straight back."""
        return _BY_STEP[-self.dx, -self.dy]

    @classmethod
    def towards(cls, start: Square, end: Square) -> Direction:
        """The direction nearest to the line from `start` to `end`; north when they are the same square."""
        dx, dy = end.column - start.column, end.row - start.row
        if dx == dy == 0:
            return cls.N
        if 5 * abs(dy) <= 2 * abs(dx):  # within about 22 degrees of an axis
            dy = 0
        elif 5 * abs(dx) <= 2 * abs(dy):
            dx = 0
        return _BY_STEP[(dx > 0) - (dx < 0), (dy > 0) - (dy < 0)]


_BY_STEP = {step: Direction(name) for name, step in COMPASS.items()}
ORTHOGONAL = (Direction.N, Direction.E, Direction.S, Direction.W)
"""The directions across the edges of a square."""


class Edge(NamedTuple):
    """The thin border on the north (`N`) or west (`W`) side of a square. Every border has exactly one such name."""

    column: int
    row: int
    side: str

    @property
    def squares(self) -> tuple[Square, Square]:
        """The square north or west of the edge, then the one south or east of it; either may lie off the map."""
        here = Square(self.column, self.row)
        return (Square(self.column, self.row - 1) if self.side == "N" else Square(self.column - 1, self.row)), here

    @property
    def name(self) -> str:
        """As it is said: the square and the side.

        >>> edge_of(Square(2, 6), Direction.E).name
        'D7 W'
        """
        return f"{Square(self.column, self.row).name} {self.side}"


del Edge._fields


def edge_of(square: Square, side: Direction) -> Edge:
    """The edge on one of the four sides of a square.

    >>> edge_of(Square(0, 0), Direction.S)
    Edge(column=0, row=1, side='N')
    """
    match side:
        case Direction.N:
            return Edge(square.column, square.row, "N")
        case Direction.W:
            return Edge(square.column, square.row, "W")
        case Direction.S:
            return Edge(square.column, square.row + 1, "N")
        case Direction.E:
            return Edge(square.column + 1, square.row, "W")
    raise ValueError(f"{side} is not one of the four sides of a square")


def diagonal_steps(path: Sequence[Square]) -> int:
    """How many steps of a path are diagonal."""
    return sum(here.column != there.column and here.row != there.row for here, there in pairwise(path))
