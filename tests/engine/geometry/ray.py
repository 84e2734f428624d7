"""An independent judge of single rays: for every square, edge and corner of the map by itself, in plain fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.squares import Direction, Edge, Square

Spot = tuple[Fraction, Fraction, Fraction]
"""Column, row and height; whole numbers are grid lines."""


def is_stopped(
    field: Battlefield,
    start: Spot,
    end: Spot,
    bodies: tuple[Body, Body],
    question: str,
    obstacles: Sequence[Body] = (),
) -> bool:
    """Whether the straight segment meets the inside of anything that `blocks_sight` or `stops_shots`."""
    judge = Judge(field, start, end, bodies, question, obstacles)
    return judge.in_square() or judge.at_edge() or judge.at_corner() or judge.along_grid()


class Judge:
    def __init__(
        self,
        field: Battlefield,
        start: Spot,
        end: Spot,
        bodies: tuple[Body, Body],
        question: str,
        obstacles: Sequence[Body] = (),
    ) -> None:
        self.field, self.question, self.obstacles = field, question, obstacles
        self.start, self.end = start, end
        self.own = [set(body.squares) for body in bodies]
        (ax, ay, _), (bx, by, _) = start, end
        self.ways = {Direction.E: ax < bx, Direction.W: ax > bx, Direction.S: ay < by, Direction.N: ay > by}

    def at(self, t: Fraction) -> Spot:
        x, y, z = (a + (b - a) * t for a, b in zip(self.start, self.end, strict=True))
        return x, y, z

    def side(self, x: Fraction | int, y: Fraction | int) -> int:
        """On which side of the line a point lies: -1, 0 or 1."""
        (ax, ay, _), (bx, by, _) = self.start, self.end
        cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        return (cross > 0) - (cross < 0)

    def top(self, square: Square) -> int:
        ground = self.field.ground_at(square)
        base = self.field.elevation_at(square)
        is_own = any(square in own for own in self.own)
        return base if is_own or not getattr(ground, self.question) else base + ground.height

    def meets(self, square: Square, low: Fraction, high: Fraction) -> bool:
        """Whether heights between two, or at one, are inside of anything on a square."""
        if low < self.top(square):
            return True
        if any(square in own for own in self.own):
            return False
        for body in self.obstacles:
            feet = max(self.field.elevation_at(one) for one in body.squares) + body.altitude
            if square in body.squares and low < feet + body.height and high > feet:
                return True
        return False

    def fills(self, edge: Edge, z: Fraction) -> bool:
        barrier = self.field.barriers.get(edge)
        if barrier is None or barrier.state in ("open", "broken") or not getattr(barrier, self.question):
            return False
        if any(set(edge.squares) <= own for own in self.own):
            return False
        if self.question == "blocks_sight" and barrier.seen_through and self.ways[barrier.seen_through]:
            return False
        up = z - max(self.field.elevation_at(square) for square in edge.squares if square in self.field)
        if up >= barrier.top or (barrier.bottom > 0 and up <= barrier.bottom):
            return False
        if barrier.sill is None or barrier.lintel is None:
            return True
        return up < barrier.sill or up > barrier.lintel

    def inside(self, square: Square) -> tuple[Fraction, Fraction] | None:
        """The part of the segment that runs through the open square."""
        low, high = Fraction(0), Fraction(1)
        for a, b, edge in zip(self.start[:2], self.end[:2], square, strict=True):
            if a == b:
                if not edge < a < edge + 1:
                    return None
                continue
            one, other = sorted(((edge - a) / (b - a), (edge + 1 - a) / (b - a)))
            low, high = max(low, one), min(high, other)
        return (low, high) if low < high else None

    def in_square(self) -> bool:
        for square in self.field.squares():
            part = self.inside(square)
            if part:
                low, high = sorted(self.at(place)[2] for place in part)
                if self.meets(square, low, high):
                    return True
        return False

    def at_edge(self) -> bool:
        (ax, ay, _), (bx, by, _) = self.start, self.end
        for edge in self.field.barriers:
            a, b, line = (ax, bx, edge.column) if edge.side == "W" else (ay, by, edge.row)
            if a == b or not 0 < (t := (line - a) / (b - a)) < 1:
                continue
            x, y, z = self.at(t)
            along, first = (y, edge.row) if edge.side == "W" else (x, edge.column)
            if first < along < first + 1 and self.fills(edge, z):
                return True
        return False

    def corners(self) -> Iterator[tuple[int, int, Fraction]]:
        """Grid corners strictly between the ends, with the height of the line there."""
        (ax, ay, _), (bx, by, _) = self.start, self.end
        for column in range(self.field.columns + 1):
            for row in range(self.field.rows + 1):
                if self.side(column, row) == 0 and (ax, ay) != (bx, by):
                    t = (column - ax) / (bx - ax) if ax != bx else (row - ay) / (by - ay)
                    if 0 < t < 1:
                        yield column, row, self.at(t)[2]

    def at_corner(self) -> bool:
        """Stopped only if something stops it on either side of the line."""
        for column, row, z in self.corners():
            sides = set()
            for square in (Square(column + x, row + y) for x in (-1, 0) for y in (-1, 0)):
                if self.inside(square) is None and self.meets(square, z, z):
                    sides.add(self.side(square.column + Fraction(1, 2), square.row + Fraction(1, 2)))
            arms = {
                Edge(column, row, "N"): (column + 1, row),
                Edge(column - 1, row, "N"): (column - 1, row),
                Edge(column, row, "W"): (column, row + 1),
                Edge(column, row - 1, "W"): (column, row - 1),
            }
            for edge, tip in arms.items():
                if self.side(*tip) and self.fills(edge, z):
                    sides.add(self.side(*tip))
            if sides >= {-1, 1}:
                return True
        return False

    def along_grid(self) -> bool:
        """Along a grid line, what both sides share."""
        for axis in (0, 1):
            a, b = self.start[axis], self.end[axis]
            if a != b or a.denominator != 1 or self.start[:2] == self.end[:2]:
                continue
            c, d = self.start[1 - axis], self.end[1 - axis]
            for step in range(max(self.field.columns, self.field.rows)):
                low, high = max(Fraction(step), min(c, d)), min(Fraction(step + 1), max(c, d))
                if low < high:
                    pair = (
                        [Square(a - 1, step), Square(a, step)] if axis == 0 else [Square(step, a - 1), Square(step, a)]
                    )
                    pair = [Square(int(square.column), int(square.row)) for square in pair]
                    heights = sorted(self.at((place - c) / (d - c))[2] for place in (low, high))
                    if all(self.meets(square, *heights) for square in pair):
                        return True
        return False
