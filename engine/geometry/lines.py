"""Which squares and edges a straight line passes, in order, and how it may get round them. Knows no heights.

Coordinates are eighths of a square, so that the centres of all footprints and the body points are whole numbers. Places
on a line are whole multiples of one common fraction of its length: nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from engine.geometry.squares import Direction, Edge, Square

EIGHTHS = 8

Place = Square | Edge
Way = tuple[Place, ...]


class Point(NamedTuple):
    """A point of the plane, in eighths of a square; x to the east, y to the south."""

    x: int
    y: int


class LineStretch(NamedTuple):
    """One stretch or one point of a line, from `start` to `end` (equal at a point), in the line's own measure.

    There is one way, with one square or edge, except where the line touches the squares on both of its sides: through a
    corner, or along a grid line. Then there are two ways round, and only what stops both of them stops the line. So
    nothing is seen through the slit of a diagonal wall, and one corner alone hides nothing. (A line without length at
    a corner has four.)
    """

    start: int
    end: int
    ways: tuple[Way, ...]


class Line(NamedTuple):
    """Passages in order. `length` is the measure of the whole line; 0 for a line that is a single point."""

    length: int
    passages: tuple[LineStretch, ...]
    heading: frozenset[Direction] = frozenset()
    """The one or two of the four directions in which it goes: those in which it crosses edges."""


class Marks(NamedTuple):
    """Squares and edges that a line must report on a map: the squares that rise above it, and some edges."""

    columns: int
    """Of the map."""
    tops: Sequence[int]
    """The height of what stands on each square, row by row."""
    eye: int
    feet: int
    """The height of the line at its start and at its end; at a corner the lower of the two."""
    edges: Collection[object]
    by_row: Sequence[int] = ()
    """For each row, a bit for each column where there may be something of it: on the square or on an edge of it."""
    by_column: Sequence[int] = ()
    """The same the other way round."""


EVERYTHING = Marks(0, (), 0, 0, ())
"""In place of None: nothing of it is looked at."""


def is_past_all(start: Point, end: Point, marks: Marks, margin: int = 0) -> bool:
    """Whether a line passes nothing that is marked: as far as can be told square by square, and that soon.

    Args:
        start, end: of the line.
        marks: of the map.
        margin: of all lines to points so many eighths around the end, across and down.
    """
    if abs(end.x - start.x) < abs(end.y - start.y):
        start, end, bits = Point(start.y, start.x), Point(end.y, end.x), marks.by_column
    else:
        bits = marks.by_row
    if not bits:
        return False
    # now it goes at least as far across as down: there are fewer rows to be looked at than columns
    if end.y < start.y:
        start, end = end, start
    down, across = end.y - start.y, end.x - start.x
    slack = abs(across) if down <= 2 * margin else margin * abs(across) // down
    extra, x = slack + margin + 3, start.x
    for row in range(max(0, (start.y - margin - 1) // EIGHTHS), min(len(bits), (end.y + margin) // EIGHTHS + 1)):
        y = row * EIGHTHS + EIGHTHS
        ahead = end.x if y >= end.y else start.x + across * (y - start.y) // down if y > start.y else start.x
        low, high = (x - extra, ahead + extra) if x < ahead else (ahead - extra, x + extra)
        low = low // EIGHTHS if low > 0 else 0
        if bits[row] >> low & (2 << high // EIGHTHS - low) - 1:
            return False
        x = ahead
    return True


def line(start: Point, end: Point, marks: Marks | None = None) -> Line:
    """Every square, edge and corner on the way between two points.

    Corners and edges that hold an end of the line itself are left out: the line does not cross them. A line that runs
    along a grid line crosses no edge between its two sides.

    Args:
        start, end: the two points.
        marks: what has to be reported; other passages may be left out, but for those right before and right behind a
            reported edge or corner. A corner is reported when something stands on both ways round. None: everything is.
    """
    if start == end:
        touched = tuple((Square(column, row),) for row in _sides(start.y) for column in _sides(start.x))
        return Line(0, (LineStretch(0, 0, touched),))
    across, down = end.x - start.x, end.y - start.y
    heading = frozenset(
        ([Direction.E if across > 0 else Direction.W] if across else [])
        + ([Direction.S if down > 0 else Direction.N] if down else [])
    )
    if marks is not None and is_past_all(start, end, marks):
        return Line(abs(across * down) or abs(across + down), (), heading)
    if across and down:
        return Line(abs(across * down), tuple(_slanted(start, across, down, marks)), heading)
    return Line(abs(across + down), tuple(_straight(start, across, down)), heading)


def _slanted(start: Point, across: int, down: int, marks: Marks | None) -> list[LineStretch]:
    """A line that is neither along rows nor along columns. Its measure is the product of both extents."""
    is_whole = marks is None
    columns, tops, eye, feet, edges, *_ = marks or EVERYTHING
    floor, fall = min(eye, feet), feet - eye
    has_edges = is_whole or bool(edges)
    width, depth = abs(across), abs(down)
    step_x, step_y = (1 if across > 0 else -1), (1 if down > 0 else -1)
    length = width * depth
    column, row = _first(start.x, step_x), _first(start.y, step_y)
    next_x, next_y = _ahead(start.x, step_x) * depth, _ahead(start.y, step_y) * width
    stride_x, stride_y = EIGHTHS * depth, EIGHTHS * width
    east, south = int(step_x > 0), int(step_y > 0)
    place, stride_place = row * columns + column, step_y * columns
    passages: list[LineStretch] = []
    append, new = passages.append, tuple.__new__  # past the tuples' own constructors, which take as long again
    here, is_behind = 0, is_whole
    while True:
        there = next_x if next_x < next_y else next_y
        is_reported = is_behind
        if not is_behind and tops[place] > floor:
            rise = tops[place] - eye  # above the eye it hides more at its near end, else at its far end
            is_reported = rise * length > fall * (here if rise > 0 else min(there, length))
        if there >= length:
            break
        if next_x == next_y:  # nothing stops a line there but what stops both of the ways round
            is_behind = is_whole or (
                (
                    tops[place + step_x] > floor
                    or (column + east, row, "W") in edges
                    or (column + step_x, row + south, "N") in edges
                )
                and (
                    tops[place + stride_place] > floor
                    or (column, row + south, "N") in edges
                    or (column + east, row + step_y, "W") in edges
                )
            )
        elif has_edges:
            is_behind = (
                is_whole or ((column + east, row, "W") if next_x < next_y else (column, row + south, "N")) in edges
            )
        else:
            is_behind = False
        if is_reported or is_behind:
            square = new(Square, (column, row))
            append(new(LineStretch, (here, there, ((square,),))))
            if next_x == next_y and is_behind:
                append(LineStretch(there, there, _round_corner(square, step_x, step_y)))
            elif is_behind:
                edge = (column + east, row, "W") if next_x < next_y else (column, row + south, "N")
                append(new(LineStretch, (there, there, ((new(Edge, edge),),))))
        here = there
        if next_x == there:
            column += step_x
            place += step_x
            next_x += stride_x
        if next_y == there:
            row += step_y
            place += stride_place
            next_y += stride_y
    if is_reported:
        append(new(LineStretch, (here, length, ((new(Square, (column, row)),),))))
    return passages


def _round_corner(square: Square, step_x: int, step_y: int) -> tuple[Way, Way]:
    """Both ways round the corner at which a slanted line leaves a square, each with an edge, a square and an edge."""
    column, row = square
    beyond = Square(column + step_x, row + step_y)
    upright, level = max(column, beyond.column), max(row, beyond.row)
    return (
        (Edge(upright, row, "W"), Square(beyond.column, row), Edge(beyond.column, level, "N")),
        (Edge(column, level, "N"), Square(column, beyond.row), Edge(upright, beyond.row, "W")),
    )


def _straight(start: Point, across: int, down: int) -> Iterator[LineStretch]:
    """A line along a row or a column, or along the grid line between two of them."""
    along, beside, step = (start.x, start.y, across) if across else (start.y, start.x, down)
    lanes, length, step = _sides(beside), abs(step), 1 if step > 0 else -1
    here, ahead, place = 0, _ahead(along, step), _first(along, step)
    while True:
        there, border = min(ahead, length), place + (step > 0)
        yield LineStretch(
            here, there, tuple((Square(place, lane) if across else Square(lane, place),) for lane in lanes)
        )
        if there == length:
            return
        edges = [Edge(border, lane, "W") if across else Edge(lane, border, "N") for lane in lanes]
        yield LineStretch(there, there, _over(edges))
        place += step
        here, ahead = there, ahead + EIGHTHS


def _over(edges: list[Edge]) -> tuple[Way, ...]:
    """Across one edge; or, between two columns or rows, across the edge on either side with the squares it joins."""
    if len(edges) == 1:
        return ((edges[0],),)
    return tuple((edge.squares[0], edge, edge.squares[1]) for edge in edges)


def _sides(coordinate: int) -> tuple[int, ...]:
    """The column (or row) a coordinate lies in, or the two that it separates."""
    whole = coordinate // EIGHTHS
    return (whole,) if coordinate % EIGHTHS else (whole - 1, whole)


def _first(coordinate: int, step: int) -> int:
    """The column (or row) that a line enters first when it leaves a coordinate in that direction."""
    return coordinate // EIGHTHS if step > 0 else (coordinate - 1) // EIGHTHS


def _ahead(coordinate: int, step: int) -> int:
    """How far the next grid line lies ahead, 1 to 8 eighths."""
    return EIGHTHS - coordinate % EIGHTHS if step > 0 else (coordinate - 1) % EIGHTHS + 1
