"""Zones: named parts of a map where units start. A start zone is for a side, an ambush zone for those who hide."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from engine.bounds import ListOf, Text
from engine.geometry.squares import ORTHOGONAL, Square
from engine.values import Stored

START, AMBUSH = "start", "ambush"
KINDS = (START, AMBUSH)
ZONE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,15}")
MOST_ZONES = 50
MOST_AREAS = 200
"""Rectangles and squares of one zone."""


class StartZone(Stored, frozen=True):
    """A start zone of a map, as rectangles; a single square is one whose corners are the same."""

    id: Text
    areas: ListOf[tuple[Square, Square]]
    """The north-west and the south-east corner of each rectangle, in the map's order."""
    label: Text = ""
    """What it is called besides its id; "" for nothing more."""
    kind: Literal["start", "ambush"] = "start"

    @property
    def squares(self) -> tuple[Square, ...]:
        """Its squares, each once: the first is where it begins to fill.

        >>> areas = (Square(1, 0), Square(1, 0)), (Square(0, 0), Square(1, 1))
        >>> [square.name for square in StartZone("A", areas).squares]
        ['B1', 'A1', 'A2', 'B2']
        """
        found = (
            Square(column, row)
            for first, last in self.areas
            for row in range(first.row, last.row + 1)
            for column in range(first.column, last.column + 1)
        )
        return tuple(dict.fromkeys(found))

    @property
    def outline(self) -> frozenset[Square]:
        """Its squares with one beside them that does not belong to it."""
        inside = frozenset(self.squares)
        return frozenset(square for square in inside if any(square.step(side) not in inside for side in ORTHOGONAL))

    @property
    def corner(self) -> Square:
        """Its first square from above, in that row the first from the west: where its letter stands."""
        return min((first for first, _ in self.areas), key=lambda at: (at.row, at.column))

    @property
    def name(self) -> str:
        """What sentences call it.

        >>> StartZone("C", (), "the catwalk", "ambush").name
        'zone C (the catwalk)'
        """
        return f"zone {self.id} ({self.label})" if self.label else f"zone {self.id}"


def areas_of(squares: Iterable[Square]) -> tuple[tuple[Square, Square], ...]:
    """Some squares as rectangles, row by row: the runs of a row, each joined with the same run of the next row.

    >>> [f"{first.name}:{last.name}" for first, last in areas_of([Square(x, y) for y in (0, 1) for x in (0, 1, 3)])]
    ['A1:B2', 'D1:D2']
    """
    runs: list[tuple[Square, Square]] = []
    for square in sorted(set(squares), key=lambda at: (at.row, at.column)):
        if runs and runs[-1][1] == Square(square.column - 1, square.row):
            runs[-1] = runs[-1][0], square
        else:
            runs.append((square, square))
    above: dict[tuple[int, int, int], tuple[Square, Square]] = {}
    """The rectangles by the columns of their sides and the row of their lower one."""
    found: dict[Square, tuple[Square, Square]] = {}
    for first, last in runs:
        before = above.pop((first.column, last.column, first.row - 1), None)
        whole = (before[0] if before else first), last
        above[first.column, last.column, last.row] = found[whole[0]] = whole
    return tuple(found.values())
