"""Straight paths over squares: whether a path is straight, and the squares of one between two ends."""

from __future__ import annotations

from engine.geometry.squares import Square


def is_straight(trail: tuple[Square, ...]) -> bool:
    """Whether a path is one straight line: each step a square nearer, never more than half a square off the line."""
    if len(trail) < 2:
        return False
    start, end = trail[0], trail[-1]
    columns, rows = end.column - start.column, end.row - start.row
    longest = max(abs(columns), abs(rows))
    if longest != len(trail) - 1:
        return False
    return all(
        2 * abs((square.column - start.column) * longest - columns * step) <= longest
        and 2 * abs((square.row - start.row) * longest - rows * step) <= longest
        for step, square in enumerate(trail)
    )


def straight_path(start: Square, end: Square) -> tuple[Square, ...]:
    """The squares of a straight line, both ends included; halves are rounded towards the south and east."""
    columns, rows = end.column - start.column, end.row - start.row
    longest = max(abs(columns), abs(rows), 1)
    return tuple(
        Square(
            start.column + (2 * columns * step + longest) // (2 * longest),
            start.row + (2 * rows * step + longest) // (2 * longest),
        )
        for step in range(longest + 1)
    )
