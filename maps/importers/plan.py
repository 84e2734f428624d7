"""The plan that an importer draws: floors, lines from anywhere, doors, lamps; in the end a map and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil, floor
from typing import Any, NoReturn

from msgspec import Struct, field

from engine.errors import BattleboardError
from engine.geometry.battlefield import LIGHTS, MAX_COLUMNS, MAX_ROWS, NOTHING, Barrier, Battlefield, Ground, Lamp
from engine.geometry.squares import Edge, Square
from engine.text import clean
from engine.values import replace
from maps import kinds
from maps.importers.edge_lines import Place, passed, placed, span
from maps.importers.edge_things import Thin
from maps.importers.snapping import ProvokedOpening, Snapped, strength
from maps.model import MOST_LAMPS, MOST_REACH, BattleMap

MOST_SEGMENTS = 20_000
MOST_NAME = 80
MOST_DESCRIPTION = 400
MOST_READ = 4000
"""Characters of a name or a description that are looked at."""
MOST_PASSED = 200_000
"""Rows and columns that all lines of a file pass, and squares that its outlines and rooms hold."""
OPENING = 100
"""Of those, what an opening takes as long as."""
LAMP_HEIGHT = {"feet": 600, "metres": 180}
NEAREST = {"feet": 500, "metres": 150}
LARGEST_NUMBER = 10**7
"""In a file, up or down."""
Point = tuple[float, float]
"""In squares, from the upper left corner of the map."""


class Imported(Struct, frozen=True):
    """A map, and what could not be carried over or was decided on the way, a sentence each."""

    map: BattleMap
    notes: tuple[str, ...]


class Sketch(Struct):
    """A map in the making. Squares are counted from the upper left; lines are in squares as well."""

    file: str
    name: str
    square_size: int
    """In hundredths of the unit; 0 where nobody has said."""
    unit: str
    level: str
    """Which level of a scene that has several, by name; "" for the one that it opens with."""
    imported: str
    """The formats that are imported, for a refusal."""
    columns: int = 0
    rows: int = 0
    description: str = ""
    light: int = LIGHTS.index("bright")
    ground: dict[Square, Ground] = {}
    """Where it is not floor."""
    things: dict[Edge, Thin] = {}
    """What stands on edges already."""
    doors: dict[tuple[Place, Place, str], str] = {}
    """Names of doors, by their ends and state."""
    lines: list[tuple[Place, Place, Thin]] = []
    openings: list[ProvokedOpening] = []
    passed: int = 0
    """Rows and columns that the lines pass so far, and squares that outlines and rooms hold."""
    lamps: list[Lamp] = []
    skipped: Counter[str] = field(default_factory=Counter)
    """What was left out, and how often."""
    counts: Counter[str] = field(default_factory=Counter)
    """What became something else, and how often."""
    notes: list[str] = []

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

    def square_at(self, at: Point) -> Square:
        """The square of a point; of one on the border of two squares the one nearer to the middle of the map."""

        def number(place: float, count: int) -> int:
            whole = floor(place)
            return whole - 1 if whole == place and 2 * whole > count else whole

        return Square(number(at[0], self.columns), number(at[1], self.rows))

    def put(self, edge: Edge, kind: str | Thin) -> None:
        """Something thin on an edge of the map; of two things on one edge the stronger stays."""
        thin = _thin(kind)
        if not any(self.has(square) for square in edge.squares):
            self.skipped["lines outside the map"] += 1
        else:
            self.things[edge] = min(self.things.get(edge, thin), thin, key=strength)

    def line(self, start: Point, end: Point, kind: str | Thin) -> None:
        """A line from point to point, as something thin of a kind."""
        first, last = self._ends(start, end)
        if first == last:
            self.skipped["lines without length"] += 1
        else:
            self.lines.append((first, last, _thin(kind)))

    def opening(self, start: Point, end: Point, kind: str | Thin, is_hole: bool = False) -> None:
        """A door or a window: on the edges that it crosses, and on those of its wall that it covers by a third.

        Args:
            start: one end.
            end: the other.
            kind: of what stands there.
            is_hole: whether a wall that runs on the very line of the opening ends at it, though the file draws it
                through.
        """
        first, last = self._ends(start, end)
        if first == last:
            self.skipped["openings without length"] += 1
        else:
            self.spend(OPENING)
            thin = _thin(kind)
            usual = kinds.barrier(thin.kind, "feet")
            if usual.can_open:
                state = dict(thin.changes).get("state", usual.state)
                name = self.doors.setdefault((first, last, state), f"door-{len(self.doors) + 1}")
                thin = replace(thin, changes=(*thin.changes, ("door", name)))
            self.openings.append(ProvokedOpening(first, last, thin, is_hole))

    def _ends(self, start: Point, end: Point) -> tuple[Place, Place]:
        first, last = placed(start), placed(end)
        self.spend(1 + span(first, last, self.columns, self.rows))
        return first, last

    def spend(self, squares: int) -> None:
        """Counts what takes time, so that no file takes long."""
        self.passed += squares
        if self.passed > MOST_PASSED:
            self.refuse(f"its lines and rooms cover more than {MOST_PASSED:,} squares; at most that many are read")

    def inside(self, outline: list[Point]) -> list[Square]:
        """The squares of the map whose middles a closed outline holds."""
        places = [placed(at) for at in outline]
        rows: dict[int, list[int]] = {}
        for start, end in zip(places, [*places[1:], places[0]], strict=True):
            self.spend(1 + span(start, end, 0, self.rows))
            for row, column in passed(start, end, self.columns, self.rows):
                rows.setdefault(row, []).append(min(max(0, column), self.columns))
        found: list[Square] = []
        for row, columns in rows.items():
            columns.sort()
            for left, right in zip(columns[::2], columns[1::2], strict=True):
                self.spend(right - left)
                found += (Square(column, row) for column in range(left, right))
        return found

    def lamp(self, at: Point, bright: float, dim: float) -> None:
        """A source of light; distances in squares."""
        square = self.square_at(at)
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
        snapped = Snapped(self.columns, self.rows, self.lines, self.openings)
        for edge, thin in snapped.things.items():
            self.put(edge, thin)
        self.skipped["doors and windows that share their edge with something stronger"] += snapped.hidden
        self.skipped["doors and windows drawn again in the same place"] += snapped.doubled
        self.skipped["lines outside the map"] += snapped.outside
        plain = kinds.ground("floor", "", self.unit, ".")
        barriers = {edge: thin.barrier(edge, self.unit) for edge, thin in self.things.items()}
        order: dict[Ground, int] = {}
        squares = [Square(column, row) for row in range(self.rows) for column in range(self.columns)]
        layer = tuple(order.setdefault(self.ground.get(square, plain), len(order)) for square in squares)
        lamps = list({(lamp.at, lamp.bright, lamp.dim): lamp for lamp in self.lamps}.values())
        battlefield = Battlefield(
            name=clean(self.name[:MOST_READ], MOST_NAME) or "Imported map",
            columns=self.columns,
            rows=self.rows,
            unit=self.unit,
            square_size=self.square_size,
            legend=tuple(order),
            ground=layer,
            elevation=(0,) * len(layer),
            smoke=(0,) * len(layer),
            light=(self.light,) * len(layer),
            barriers=_without_lone_doors(barriers),
            lamps=tuple(lamps),
        )
        regions = areas(battlefield)
        self.notes.append(f"{battlefield.columns} by {battlefield.rows} squares; closed areas: {areas_text(regions)}.")
        self.notes += [f"{what[0].upper()}{what[1:]}: {count}." for what, count in self.counts.items() if count]
        self.notes += [f"Left out: {what}: {count}." for what, count in self.skipped.items() if count]
        return Imported(
            BattleMap(battlefield, (), clean(self.description[:MOST_READ], MOST_DESCRIPTION)), tuple(self.notes)
        )


def _thin(kind: str | Thin) -> Thin:
    return kind if isinstance(kind, Thin) else Thin(kind)


def _without_lone_doors(barriers: Mapping[Edge, Barrier]) -> dict[Edge, Barrier]:
    """The same, without the names of doors that are on one edge only."""
    counts = Counter(barrier.door for barrier in barriers.values())
    return {edge: replace(one, door="") if counts[one.door] == 1 else one for edge, one in barriers.items()}


def areas(battlefield: Battlefield) -> list[int]:
    """Sizes of the areas that walls and closed doors keep apart, largest first."""
    wide = battlefield.columns + 1  # each row ends in a square that nobody can stand on, so there is no step around it
    solid = [ground.blocks_movement for ground in battlefield.legend]
    free = bytearray(wide * (battlefield.rows + 2))
    for row in range(battlefield.rows):
        layer = battlefield.ground[row * battlefield.columns : (row + 1) * battlefield.columns]
        free[(row + 1) * wide : (row + 2) * wide - 1] = bytes(not solid[number] for number in layer)
    shut = {
        ((edge.row + 1) * wide + edge.column, 1 if edge.side == "W" else wide)
        for edge, barrier in battlefield.barriers.items()
        if barrier.blocks_movement and not barrier.is_open
    }
    sizes = []
    start = free.find(1)
    while start >= 0:
        free[start] = 0
        found, waiting = 0, [start]
        while waiting:
            here = waiting.pop()
            found += 1
            for there, wall in (
                (here - 1, (here, 1)),
                (here + 1, (here + 1, 1)),
                (here - wide, (here, wide)),
                (here + wide, (here + wide, wide)),
            ):
                if free[there] and wall not in shut:
                    free[there] = 0
                    waiting.append(there)
        sizes.append(found)
        start = free.find(1, start)
    return sorted(sizes, reverse=True)


def areas_text(sizes: list[int]) -> str:
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


def number(value: Any) -> float | None:
    """A finite number of bearable size; None for anything else."""
    is_one = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
    return float(value) if is_one else None


def real(sketch: Sketch, value: Any, where: str) -> float:
    """A number that has to be one: anything else is refused."""
    found = number(value)
    if found is None:
        sketch.refuse(f"{where} is not a number; expected one")
    return found


def point(sketch: Sketch, value: Any, where: str) -> Point:
    """A point, as { "x": 1, "y": 2 }."""
    if not isinstance(value, dict):
        sketch.refuse(f"{where} is not a point; expected x and y")
    return real(sketch, value.get("x"), f"{where}.x"), real(sketch, value.get("y"), f"{where}.y")


def listed(sketch: Sketch, value: Any, where: str, most: int = MOST_SEGMENTS) -> list[Any]:
    """A list of bearable length; none where there is nothing."""
    if value is None:
        return []
    if not isinstance(value, list):
        sketch.refuse(f"{where} is not a list; expected one")
    if len(value) > most:
        sketch.refuse(f"{where} has {len(value)} entries; at most {most} are read")
    return value


def moved(place: Point, origin: Point) -> Point:
    return place[0] - origin[0], place[1] - origin[1]
