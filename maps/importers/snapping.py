"""Which thin thing stands on which edge, once all lines and openings of a file are known, whatever their order.

Where lines meet, the stronger stays: a wall before a door, a door before a window, a window before bars, those before
a curtain. An opening is a piece of its wall and lies on the same chain of edges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from msgspec import Struct

from engine.geometry.squares import Edge
from engine.values import replace
from maps import kinds
from maps.importers.edge_lines import PARTS, Place, crossed
from maps.importers.edge_things import Thin

STRONGEST = ("wall", "locked door", "door", "open door", "gate", "window", "glass", "bars", "curtain")
STRENGTH = (*STRONGEST, *(kind for kind in kinds.EDGES if kind not in STRONGEST))
"""Kinds of thin things, the strongest first."""
REACH = PARTS // 6
"""An opening covers a third of an edge when its end is that near to the middle of it, or beyond."""
BESIDE = 1 / 3
"""Of an opening, that a wall runs beside to stand in front of it, and does not merely meet it."""
SAME_LINE = PARTS // 20
"""From the line of a wall to an opening that is a hole in it."""
MOST_ON_EDGE = 16
"""Walls on one edge that are remembered."""
NEAR = PARTS
"""From the middle of an opening to a wall that it can be in."""

Line = tuple[Place, Place]


class ProvokedOpening(Struct, frozen=True):
    """A door or a window from place to place."""

    start: Place
    end: Place
    thin: Thin
    is_hole: bool
    """Whether a wall on its very line ends at it."""

    @property
    def lets_through(self) -> bool:
        """Whether one walks through it as it stands."""
        found = replace(kinds.barrier(self.thin.kind, "feet"), **dict(self.thin.changes))
        return not self.is_hole and (found.is_open or not found.blocks_movement)


def strength(thin: Thin) -> int:
    """Where something thin stands among the others, the strongest first; what hangs overhead comes last."""
    return STRENGTH.index(thin.kind) + len(STRENGTH) * thin.is_overhead


class Snapped:
    """What stands on each edge of all lines and openings on a map."""

    def __init__(
        self, columns: int, rows: int, lines: Iterable[tuple[Place, Place, Thin]], openings: Sequence[ProvokedOpening]
    ) -> None:
        self.things: dict[Edge, Thin] = {}
        self.hidden = 0
        """Openings that something stronger stands in front of."""
        self.doubled = 0
        """Openings that another stands in the very place of."""
        self.outside = 0
        """Openings that lie outside the map."""
        self._size = columns, rows
        self._walls: defaultdict[Edge, list[Line]] = defaultdict(list)
        self._opened: set[Edge] = set()
        for start, end, thin in sorted(lines, key=lambda line: strength(line[2])):
            is_wall = thin.kind == "wall" and not thin.is_overhead
            for edge in crossed(start, end, columns, rows):
                self.things.setdefault(edge, thin)
                if is_wall and len(self._walls[edge]) < MOST_ON_EDGE:
                    self._walls[edge].append((start, end))
        openings = sorted(openings, key=lambda opening: strength(opening.thin))
        crossings = [list(self._crossed(opening.start, opening.end)) for opening in openings]
        counts = [self._open_first(opening, edges) for opening, edges in zip(openings, crossings, strict=True)]
        for number, (opening, edges) in enumerate(zip(openings, crossings, strict=True)):
            if not (opening.lets_through and counts[number]) and not any(
                self._is_beside(opening, edge) for edge in edges
            ):
                counts[number] += self._open(opening, self._covered(opening))
        places: set[frozenset[Place]] = set()
        for opening, edges, count in zip(openings, crossings, counts, strict=True):
            place = frozenset((opening.start, opening.end))
            if not count:
                near = edges or self._nearest(opening)
                is_left_out = bool(near) and not self._open(opening, near)
                self.doubled += is_left_out and place in places
                self.hidden += is_left_out and place not in places
                self.outside += not near
            places.add(place)

    def _open_first(self, opening: ProvokedOpening, edges: list[Edge]) -> int:
        """As `_open`; one that lets people through, an open door, makes no hole in a wall that it merely meets."""
        clear = [edge for edge in edges if edge not in self._walls] if opening.lets_through else edges
        return self._open(opening, clear) or self._open(opening, edges)

    def _open(self, opening: ProvokedOpening, edges: Iterable[Edge]) -> int:
        """Puts an opening on those edges that nothing stronger is on; how many they are."""
        found = [edge for edge in edges if edge not in self._opened and not self._is_beside(opening, edge)]
        self.things.update(dict.fromkeys(found, opening.thin))
        self._opened.update(found)
        return len(found)

    def _crossed(self, start: Place, end: Place) -> Iterator[Edge]:
        return crossed(start, end, *self._size)

    def _is_beside(self, opening: ProvokedOpening, edge: Edge) -> bool:
        """Whether a wall that crosses an edge runs along the opening."""
        return any(_runs_along(opening, line) for line in self._walls.get(edge, ()))

    def _covered(self, opening: ProvokedOpening) -> Iterator[Edge]:
        """Edges of walls beyond the ends of an opening, that it covers by a third."""
        (x0, y0), (x1, y1) = opening.start, opening.end
        part = REACH / max(abs(x1 - x0), abs(y1 - y0))
        right, down = round((x1 - x0) * part), round((y1 - y0) * part)
        for line in ((opening.start, (x0 - right, y0 - down)), (opening.end, (x1 + right, y1 + down))):
            yield from (edge for edge in self._crossed(*line) if edge in self._walls)

    def _nearest(self, opening: ProvokedOpening) -> list[Edge]:
        """For an opening between two edges: those of walls whose crossing is nearest, else the one it lies on."""
        (x0, y0), (x1, y1) = opening.start, opening.end
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        column, row = int(x // PARTS), int(y // PARTS)
        away: dict[Edge, float] = {}
        for edge in (Edge(c, r, side) for c in range(column - 1, column + 3) for r in range(row - 1, row + 3)
                     for side in "NW"):  # fmt: skip
            lines = [line for line in self._walls.get(edge, ()) if not _runs_along(opening, line)]
            if lines:
                away[edge] = min(hypot(at[0] - x, at[1] - y) for at in (_crossing(edge, line) for line in lines))
        nearest = min(away.values(), default=NEAR + 1)
        if nearest <= NEAR:
            return [edge for edge, far in away.items() if far <= nearest + 1]
        part = PARTS / 2 / max(abs(x1 - x0), abs(y1 - y0))
        right, down = (x1 - x0) * part, (y1 - y0) * part
        return list(self._crossed((round(x - right), round(y - down)), (round(x + right), round(y + down))))


def _runs_along(opening: ProvokedOpening, line: Line) -> bool:
    """Whether a wall runs beside an opening, and not only up to it."""
    (x, y), (x1, y1) = opening.start, opening.end
    dx, dy = x1 - x, y1 - y
    (u, v), (u1, v1) = line
    if opening.is_hole:
        wide, high = u1 - u, v1 - v
        most = SAME_LINE * hypot(wide, high)
        if all(abs(wide * (b - v) - high * (a - u)) <= most for a, b in (opening.start, opening.end)):
            return False
    long = dx * dx + dy * dy
    ends = sorted((dx * (a - x) + dy * (b - y) for a, b in line))
    return min(long, ends[1]) - max(0, ends[0]) > BESIDE * long


def _crossing(edge: Edge, line: Line) -> tuple[float, float]:
    """Where a line crosses the way between the middles of an edge's squares."""
    (x, y), (x1, y1) = line
    if edge.side == "W":
        middle = (edge.row + 0.5) * PARTS
        return x + (x1 - x) * (middle - y) / (y1 - y), middle
    middle = (edge.column + 0.5) * PARTS
    return middle, y + (y1 - y) * (middle - x) / (x1 - x)
