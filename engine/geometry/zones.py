"""Zones: named parts of a map where units start. A start zone is for a side, an ambush zone for those who hide."""

from __future__ import annotations

from typing import Literal

from engine.bounds import ListOf, Text
from engine.geometry.squares import Square
from engine.values import Stored

START, AMBUSH = "start", "ambush"
KINDS = (START, AMBUSH)


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
    def name(self) -> str:
        """What sentences call it.

        >>> StartZone("C", (), "the catwalk", "ambush").name
        'zone C (the catwalk)'
        """
        return f"zone {self.id} ({self.label})" if self.label else f"zone {self.id}"
