"""Markings of the board: cursor, selection, tints, line of fire, planned path. Data only."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from msgspec import Struct

from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, Shot
from engine.geometry.squares import Edge, Square
from engine.values import replace

BANDS = ("band-0", "band-1", "band-2", "band-3", "band-4")
SCALE = ("scale-0", "scale-1", "scale-2", "scale-3", "scale-4")
BURST = ("burst-0", "burst-1", "burst-2")
"""Rings of the blast of the last command, the innermost first."""
TINTS = (*BANDS, *SCALE, *BURST, "reach-1", "reach-2", "seen", "part", "little", "unseen", "blast", "edge", "blocked")
"""Names of the tints: range bands near to far; a scale from little to much; reach of the first move and beyond it; what
is seen whole, half or more, less and not at all; a blast and its outer rings; squares shut out or threatened."""


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

    def along(self, row: int, first: int, last: int) -> list[str]:
        """The tints of the squares of a row from column `first` up to `last`; "" for none, and off the map."""
        if not 0 <= row < self._rows:
            return [""] * (last - first)
        start, names = row * self._columns, self._names
        found = [names[number] for number in self._numbers[start + first : start + min(last, self._columns)]]
        return found + [""] * (last - first - len(found))

    def differences(self, other: TintGrid) -> set[Square] | None:
        """The squares with another tint in other tints of the same map; None where these are by other names."""
        if (self._names, self._columns, self._rows) != (other._names, other._columns, other._rows):
            return None
        found: set[Square] = set()
        for row in range(self._rows):
            here = slice(row * self._columns, (row + 1) * self._columns)
            one, two = self._numbers[here], other._numbers[here]
            if one != two:
                found |= {Square(column, row) for column in range(self._columns) if one[column] != two[column]}
        return found

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


class Chip(Struct, frozen=True):
    """A tint in the line of the scale: what it means, and where it ends."""

    tint: str
    label: str
    end: str


class Tracer(Struct, frozen=True):
    """A shot on its way: from where to where, and how many squares of it are behind it."""

    start: Square
    end: Square
    flown: int


class Markings(Struct, frozen=True):
    """Everything on the board that is not the battle itself.

    Give the same `tints` mapping again when only something else changes: the board then redraws the few squares that
    differ and need not compare the mappings.
    """

    cursor: Square | None = None
    selected: str = ""
    """Id of the selected unit; "" for none."""
    target: str = ""
    """Id of the target; "" for none."""
    marked: frozenset[str] = frozenset()
    """Ids of the units that are marked to be changed together."""
    tints: Mapping[Square, str] = {}
    """One of TINTS for each tinted square."""
    line: tuple[Square, ...] = ()
    """Squares that the line of fire crosses, in order, both ends included."""
    stop: Square | Edge | None = None
    """The first obstacle of the line, where its drawing ends."""
    path: tuple[Square, ...] = ()
    """The planned path with its first square."""
    numbered: tuple[Square, ...] = ()
    """Squares with a number, from 1 on."""
    letters: Mapping[Square, str] = {}
    """Squares with a sign of their own, such as the letter of a start zone."""
    chips: tuple[Chip, ...] = ()
    """What the tints mean, for the line of the scale."""
    aim: Square | None = None
    """Where the cursor aims an attack on an area, or an act."""
    outline: tuple[Square, ...] = ()
    """The outer squares of the area that it strikes."""
    aftermath: Aftermath = NOTHING_DONE
    """What the last command did."""
    tracers: tuple[Tracer, ...] = ()
    """Shots on their way to their targets."""

    @property
    def flight(self) -> tuple[Square, ...]:
        """The part of the line that is drawn: up to the square or the edge where it stops."""
        if self.stop is None:
            return self.line
        there = self.stop.squares if isinstance(self.stop, Edge) else (self.stop,)
        return self.line[: max((place for place, square in enumerate(self.line) if square in there), default=None)]


NO_MARKINGS = Markings()


FLIGHT, SPREAD, FALL = (4, 0.04), (3, 0.06), (2, 0.08)
"""Pictures of a shot on its way, of a blast that spreads, of somebody who falls; and seconds for each."""
Beat = list[tuple[Markings, float]]
"""Pictures and the seconds that each is shown."""


def beat_of(markings: Markings, down: Container[str]) -> Beat:
    """What the last command did as it happens, before its marks are shown: one thing, in a quarter of a second.

    A blast spreads, a shot flies, the mark of somebody who drops is lit twice; none for anything else.

    Args:
        markings: the board when it is over.
        down: ids of the units that are out of the fight.
    """
    done = markings.aftermath
    still = replace(markings, aftermath=replace(done, shots=(), marks=(), rings=(), landed=None))
    if done.rings:
        count, seconds = SPREAD
        shown = [done.rings[: -(-len(done.rings) * step // count)] for step in range(1, count + 1)]
        return [(_spread(still, markings, rings), seconds) for rings in shown]
    if shots := [shot for shot in done.shots if len(shot.squares) > 1 and not shot.is_melee]:
        count, seconds = FLIGHT
        return [
            (replace(still, tracers=tuple(_flown(shot, step, count) for shot in shots)), seconds)
            for step in range(1, count + 1)
        ]
    if any(mark.unit in down for mark in done.marks):
        return [(markings, FALL[1]), (still, FALL[1])]
    return []


def _spread(still: Markings, whole: Markings, rings: tuple[tuple[Square, ...], ...]) -> Markings:
    """A blast that has come as far as these rings."""
    tints = {square: tint for ring in rings for square in ring if (tint := whole.tints.get(square))}
    return replace(still, tints=tints, aftermath=replace(still.aftermath, rings=rings, landed=whole.aftermath.landed))


def _flown(shot: Shot, step: int, count: int) -> Tracer:
    """A shot after so many of so many steps."""
    return Tracer(shot.squares[0], shot.squares[-1], max(1, (len(shot.squares) - 1) * step // count))
