"""Lines that run anywhere, snapped to the thin edges of the grid.

Two neighbouring squares have a wall between them where a line crosses the segment between their centres, so a closed
line becomes a closed chain of edges. All of it is counted in whole numbers: what is decided of a centre, left or right
of a line, is decided once and the same way for every edge around it.

A line may pass exactly through a centre. Then the centres are thought of as moved: all of them a little away from the
middle of the map, which moves the line towards it. Where that does not decide (the line passes through the middle of
the map as well), those farther out are moved farther, then those left and right; on the very middle line a centre is
left of the line and above it. The first three are mirrored as the map is. This is a "simulation of simplicity"
(Edelsbrunner and Mücke 1990): an order of ever smaller shifts that leaves no tie and keeps every closed line closed.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.geometry.squares import Edge

Place = tuple[int, int]
"""In parts of a square."""
PARTS = 4096
"""Of a square's side; what differs by less is the same place."""
HALF = PARTS // 2


def placed(point: tuple[float, float]) -> Place:
    """The place of a point that is in squares from the upper left corner of the map.

    >>> placed((1.5, 2))
    (6144, 8192)
    """
    return round(point[0] * PARTS), round(point[1] * PARTS)


def crossed(start: Place, end: Place, columns: int, rows: int) -> Iterator[Edge]:
    """The edges of a map between whose squares' centres a line passes; the same from either end."""
    for row, column in passed(start, end, columns, rows):
        if 0 <= column <= columns:
            yield Edge(column, row, "W")
    for column, row in passed(start[::-1], end[::-1], rows, columns, is_turned=True):
        if 0 <= row <= rows:
            yield Edge(column, row, "N")


def span(start: Place, end: Place, columns: int, rows: int) -> int:
    """How many rows and columns of a map a line passes: what `crossed` takes time for."""
    return len(_between(start[1], end[1], rows)) + len(_between(start[0], end[0], columns))


def passed(start: Place, end: Place, across: int, along: int, is_turned: bool = False) -> Iterator[tuple[int, int]]:
    """Where a line passes the middles of rows: each row, and how many centres of it lie left of the line.

    The count is of columns from 0 on; it is below 0 or above `across` where the line is beside the map.

    Args:
        start: one end.
        end: the other; the result is the same either way.
        across: columns of the map.
        along: rows of the map.
        is_turned: whether rows and columns are exchanged, so that the places are (y, x).
    """
    x, y = start
    dx, dy = end[0] - x, end[1] - y
    for row in _between(y, end[1], along):
        left, rest = divmod((x - HALF) * dy + (row * PARTS + HALF - y) * dx, dy * PARTS)
        is_left = rest != 0 or _is_left(2 * left + 1 - across, 2 * row + 1 - along, dx, dy, is_turned)
        yield row, left + is_left


def _between(start: int, end: int, count: int) -> range:
    """The rows whose middles lie between two heights. One at a height is moved away from the middle of the map."""
    low, high = min(start, end), max(start, end)
    first, last = -((HALF - low) // PARTS), (high - HALF) // PARTS
    if first * PARTS + HALF == low and 2 * first + 1 <= count:
        first += 1
    if last * PARTS + HALF == high and 2 * last + 1 > count:
        last -= 1
    return range(max(0, first), min(count, last + 1))


def _is_left(x: int, y: int, dx: int, dy: int, is_turned: bool) -> bool:
    """Whether a centre that lies on a line is left of it; `x` and `y` are counted from the middle of the map."""
    sides = (
        x * dy - y * dx,
        x**3 * dy - y**3 * dx,
        -y * dx if is_turned else x * dy,
        dx if is_turned else -dy,
        -dy,
    )
    return next(side for side in sides if side) * dy < 0
