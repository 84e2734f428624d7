"""How far off somebody's facing another lies, in whole degrees. Exact: the border of an arc belongs to the arc."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, ceil, degrees

from engine.field.burst.cone import is_within
from engine.field.silhouette import Body
from engine.field.squares import Direction


def degrees_aside(facing: Direction, here: Body, there: Body) -> int:
    """Degrees between a facing and the line from the middle of one footprint to the middle of another.

    Fractions count as one more, so that "at most 45" is just as true as it is of the angle itself.

    Returns:
        0 straight ahead (and where the two middles are the same) to 180 straight behind.
    """
    across, down = _line(here, there)
    dx, dy = facing.dx, facing.dy
    return _degrees(across * dx + down * dy, abs(across * dy - down * dx))


def degrees_between(here: Body, one: Body, other: Body) -> int:
    """The same between the lines from the middle of one footprint to the middles of two others."""
    (across, down), (columns, rows) = _line(here, one), _line(here, other)
    if not across and not down:
        return 0
    return _degrees(across * columns + down * rows, abs(across * rows - down * columns))


def _line(here: Body, there: Body) -> tuple[int, int]:
    """Columns and rows from middle to middle, in half squares."""
    return (
        2 * (there.at.column - here.at.column) + there.size - here.size,
        2 * (there.at.row - here.at.row) + there.size - here.size,
    )


@lru_cache(maxsize=1024)
def _degrees(along: int, aside: int) -> int:
    if not along and not aside:
        return 0
    angle = degrees(atan2(aside, along))
    nearest = round(angle)
    if abs(angle - nearest) > 1e-6:
        return ceil(angle)
    # a slope of whole numbers is a whole number of degrees only at eighths of a turn: those are asked exactly
    is_at_most = aside == 0 and along > 0 if nearest == 0 else is_within(along, aside, 2 * nearest)
    return nearest if is_at_most else nearest + 1
