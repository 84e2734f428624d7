"""The plan that an importer draws: floors, thin things from lines anywhere, doors, lamps; in the end a map and notes.

A line from a tool without squares becomes edges by one rule: two neighbouring squares have a wall between them where it
crosses the way from the middle of one to the middle of the other. Nothing leaks through that, however crooked it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from math import ceil, floor, isfinite
from types import MappingProxyType
from typing import Any, NoReturn

from engine.errors import BattleboardError
from engine.field.battlefield import LIGHTS, MAX_COLUMNS, MAX_ROWS, NOTHING, Barrier, Battlefield, Ground, Lamp
from engine.field.squares import Direction, Edge, Square, edge_of
from engine.frozen import dataclass
from engine.text import clean
from maps import kinds
from maps.importers.thin import Thin
from maps.model import MOST_LAMPS, MOST_REACH, BattleMap

MOST_SEGMENTS = 20_000
MOST_NAME = 80
MOST_DESCRIPTION = 400
SHARE = 1 / 3
"""Of an edge, that a door has to cover to stand in it."""
LAMP_HEIGHT = {"feet": 600, "metres": 180}
NEAREST = {"feet": 500, "metres": 150}
SIDES = (Direction.N, Direction.E, Direction.S, Direction.W)
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Imported:
    """A map, and what could not be carried over or was decided on the way, a sentence each."""

    map: BattleMap
    notes: tuple[str, ...]


@dataclass(slots=True)
class Sketch:
    """A map in the making. Squares are counted from the upper left; lines are in squares as well."""

    file: str
    name: str
    square_size: int
    """In hundredths of the unit; 0 where nobody has said."""
    unit: str
    columns: int = 0
    rows: int = 0
    description: str = ""
    light: int = LIGHTS.index("bright")
    ground: dict[Square, Ground] = field(default_factory=dict)
    """Where it is not floor."""
    barriers: dict[Edge, Barrier] = field(default_factory=dict)
    doors: int = 0
    """How many there are so far."""
    lamps: list[Lamp] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    """What was left out, and how often."""
    counts: Counter[str] = field(default_factory=Counter)
    """What became something else, and how often."""
    notes: list[str] = field(default_factory=list)

    def refuse(self, why: str) -> NoReturn:
        raise BattleboardError(f"{self.file}: {why}.")

    def resize(self, columns: float, rows: float) -> None:
        """Says how large it is; parts of squares at the ends become whole ones."""
        for size, most in ((columns, MAX_COLUMNS), (rows, MAX_ROWS)):
            if not 0 < size <= most:
                self.refuse(f"the map is {columns:g} by {rows:g} squares; expected 1 to {most} either way")
        self.columns, self.rows = ceil(columns), ceil(rows)
        if (self.columns, self.rows) != (columns, rows):
            self.notes.append(f"The size {columns:g} by {rows:g} was made whole: {self.columns} by {self.rows}.")

    def scale(self, size: float, unit: str) -> None:
        """What the file says of a square; what the Game Master says comes first."""
        if not self.square_size:
            self.square_size, self.unit = max(1, round(size * 100)), unit

    def has(self, square: Square) -> bool:
        return 0 <= square.column < self.columns and 0 <= square.row < self.rows

    @property
    def feet_or_metres(self) -> str:
        return self.unit or "feet"

    def put(self, edge: Edge, kind: str | Thin) -> None:
        """Something thin on an edge of the map; what is there gives way to a door or a window, not to a wall."""
        thin = kind if isinstance(kind, Thin) else Thin(kind)
        if not any(self.has(square) for square in edge.squares):
            self.skipped["lines outside the map"] += 1
        elif thin.kind != "wall" or edge not in self.barriers:
            self.barriers[edge] = thin.barrier(edge, self.feet_or_metres)

    def line(self, start: Point, end: Point, kind: str | Thin) -> None:
        """A line from point to point, as something thin of a kind."""
        if start == end:
            self.skipped["lines without length"] += 1
            return
        for edge in crossed(start, end, self.columns, self.rows):
            self.put(edge, kind)

    def opening(self, start: Point, end: Point, kind: str | Thin) -> None:
        """A door or a window: on every edge that it covers by a third, or on the one that it covers most."""
        shares = covered(start, end)
        if not shares:
            self.skipped["openings without length"] += 1
            return
        most = max(shares.values())
        thin = self._door(kind)
        for edge, share in shares.items():
            if share >= min(SHARE, most):
                self.put(edge, thin)

    def _door(self, kind: str | Thin) -> Thin:
        """A door with a name of its own, so that all edges that it comes to open together."""
        thin = kind if isinstance(kind, Thin) else Thin(kind)
        if not kinds.barrier(thin.kind, "feet").can_open:
            return thin
        self.doors += 1
        return replace(thin, changes={**thin.changes, "door": f"door-{self.doors}"})

    def lamp(self, at: Point, bright: float, dim: float) -> None:
        """A source of light; distances in squares."""
        square = Square(floor(at[0]), floor(at[1]))
        if not self.has(square):
            self.skipped["lights outside the map"] += 1
        elif len(self.lamps) >= MOST_LAMPS:
            self.skipped[f"lights beyond {MOST_LAMPS}"] += 1
        elif round(dim) <= 0:
            self.skipped["lights that reach nothing"] += 1
        else:
            reach = min(MOST_REACH, round(dim))
            height = LAMP_HEIGHT[self.feet_or_metres]
            self.lamps.append(Lamp(square, min(reach, max(0, round(bright))), reach, height))

    def finished(self) -> Imported:
        """The map and the notes."""
        if not self.square_size:
            self.square_size, self.unit = NEAREST["feet"], "feet"
            self.notes.append("The file has no scale: a square is 5 feet. --square and --unit say otherwise.")
        plain = kinds.ground("floor", "", self.unit, ".")
        order: dict[Ground, int] = {}
        squares = [Square(column, row) for row in range(self.rows) for column in range(self.columns)]
        layer = tuple(order.setdefault(self.ground.get(square, plain), len(order)) for square in squares)
        lamps = list({(lamp.at, lamp.bright, lamp.dim): lamp for lamp in self.lamps}.values())
        battlefield = Battlefield(
            name=clean(self.name, MOST_NAME) or "Imported map",
            columns=self.columns,
            rows=self.rows,
            unit=self.unit,
            square_size=self.square_size,
            legend=tuple(order),
            ground=layer,
            elevation=(0,) * len(layer),
            smoke=(0,) * len(layer),
            light=(self.light,) * len(layer),
            barriers=MappingProxyType(alone(self.barriers)),
            lamps=tuple(lamps),
        )
        regions = areas(battlefield)
        self.notes.append(f"{battlefield.columns} by {battlefield.rows} squares; closed areas: {told_areas(regions)}.")
        self.notes += [f"{what[0].upper()}{what[1:]}: {count}." for what, count in self.counts.items() if count]
        self.notes += [f"Left out: {what}: {count}." for what, count in self.skipped.items()]
        return Imported(BattleMap(battlefield, (), clean(self.description, MOST_DESCRIPTION)), tuple(self.notes))


def crossed(start: Point, end: Point, columns: int, rows: int) -> Iterator[Edge]:
    """The edges between whose squares' middles a line passes. A point on such a way counts for one side only."""
    for (x0, y0), (x1, y1), across, along, side in (
        (start, end, columns, rows, "W"),
        (start[::-1], end[::-1], rows, columns, "N"),
    ):
        low, high = min(y0, y1), max(y0, y1)
        for number in range(max(0, ceil(low - 0.5)), min(along, ceil(high - 0.5))):
            middle = number + 0.5
            place = floor(x0 + (x1 - x0) * (middle - y0) / (y1 - y0) + 0.5)
            if 0 <= place <= across:
                yield Edge(place, number, "W") if side == "W" else Edge(number, place, "N")


def covered(start: Point, end: Point) -> Mapping[Edge, float]:
    """How much of each edge a straight opening covers; a slanting one lies as its longer way does."""
    is_upright = abs(end[1] - start[1]) >= abs(end[0] - start[0])
    (across, low), (further, high) = (start, end) if is_upright else (start[::-1], end[::-1])
    place, low, high = floor((across + further) / 2 + 0.5), min(low, high), max(low, high)
    shares = {}
    for number in range(floor(low), ceil(high)):
        share = min(high, number + 1) - max(low, number)
        if share > 0:
            shares[Edge(place, number, "W") if is_upright else Edge(number, place, "N")] = share
    return shares


def alone(barriers: Mapping[Edge, Barrier]) -> dict[Edge, Barrier]:
    """The same, without the names of doors that came to stand on one edge only."""
    counts = Counter(barrier.door for barrier in barriers.values())
    return {edge: replace(one, door="") if counts[one.door] == 1 else one for edge, one in barriers.items()}


def areas(battlefield: Battlefield) -> list[int]:
    """Sizes of the areas that walls and closed doors keep apart, largest first."""
    free = {square for square in battlefield.squares() if not battlefield.ground_at(square).blocks_movement}
    sizes = []
    while free:
        found, waiting = 0, [free.pop()]
        while waiting:
            square = waiting.pop()
            found += 1
            for side in SIDES:
                there = square.step(side)
                barrier = battlefield.barriers.get(edge_of(square, side))
                if there in free and (barrier is None or barrier.is_open or not barrier.blocks_movement):
                    free.remove(there)
                    waiting.append(there)
        sizes.append(found)
    return sorted(sizes, reverse=True)


def told_areas(sizes: list[int]) -> str:
    """Their number and sizes: "3 (36, 36 and 28 squares)"."""
    shown = ", ".join(str(size) for size in sizes[:6])
    more = f" and {len(sizes) - 6} smaller" if len(sizes) > 6 else ""
    return f"{len(sizes)} ({shown}{more} squares)"


def wall_off(sketch: Sketch, floors: Mapping[Square, Ground]) -> None:
    """Everything that is no floor becomes rock, and what is one keeps its ground."""
    for row in range(sketch.rows):
        for column in range(sketch.columns):
            square = Square(column, row)
            sketch.ground[square] = floors.get(square, NOTHING)


def real(sketch: Sketch, value: Any, where: str) -> float:
    """A finite number of bearable size."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or abs(value) > 10**7:
        sketch.refuse(f"{where} is no number; expected one")
    return float(value)


def point(sketch: Sketch, value: Any, where: str) -> Point:
    """A point, as { "x": 1, "y": 2 }."""
    if not isinstance(value, dict):
        sketch.refuse(f"{where} is no point; expected x and y")
    return real(sketch, value.get("x"), f"{where}.x"), real(sketch, value.get("y"), f"{where}.y")


def listed(sketch: Sketch, value: Any, where: str, most: int = MOST_SEGMENTS) -> list[Any]:
    """A list of bearable length; none where there is nothing."""
    if value is None:
        return []
    if not isinstance(value, list):
        sketch.refuse(f"{where} is no list; expected one")
    if len(value) > most:
        sketch.refuse(f"{where} has {len(value)} entries; at most {most} are read")
    return value


def moved(place: Point, origin: Point) -> Point:
    return place[0] - origin[0], place[1] - origin[1]
