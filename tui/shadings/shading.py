"""A shading: tints for squares, what they mean in words, and where the unit can go when that is what they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from engine.battle.moves.moving import Range
from engine.field.squares import Square
from engine.frozen import dataclass
from tui.board.overlay import NO_TINTS


class TintGrid(Mapping[Square, str]):
    """Tints of a whole map by number, for maps too large to make a mapping of at every key."""

    def __init__(self, names: Sequence[str], numbers: bytes, columns: int) -> None:
        """Tints by `names`, "" for none; `numbers` holds an index into them for every square, row by row."""
        self._names = tuple(names)
        self._numbers = numbers
        self._columns = columns
        self._rows = len(numbers) // columns
        self._tinted = sum(numbers.count(number) for number, name in enumerate(self._names) if name)

    def get(self, square: object, default: str | None = None) -> str | None:  # type: ignore[override]
        column, row = square if isinstance(square, Square) else (-1, -1)
        if 0 <= column < self._columns and 0 <= row < self._rows:
            return self._names[self._numbers[row * self._columns + column]] or default
        return default

    def __getitem__(self, square: Square) -> str:
        found = self.get(square)
        if found is None:
            raise KeyError(square)
        return found

    def __iter__(self) -> Iterator[Square]:
        for place, number in enumerate(self._numbers):
            if self._names[number]:
                yield Square(place % self._columns, place // self._columns)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TintGrid):
            return (self._names, self._numbers, self._columns) == (other._names, other._numbers, other._columns)
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self._tinted


@dataclass(frozen=True, slots=True)
class Shading:
    """Tints on the ground and what they mean; `reach` for those that show where the unit can go."""

    tints: Mapping[Square, str] = field(default_factory=lambda: NO_TINTS)
    words: str = ""
    reach: Range | None = None


PLAIN = Shading()
