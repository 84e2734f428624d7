"""How far off somebody's facing another lies, in whole degrees. Exact: the border of an arc belongs to the arc."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, ceil, cos, gcd, radians, sin
from math import degrees as in_degrees

from engine.geometry.body import Body
from engine.geometry.squares import Direction

BORDER = 1e-9
"""How near to the border of an angle, as a share of the distance, is asked exactly."""


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
    """Degrees between the lines from the middle of one footprint to the middles of two others.

    Fractions count as one more, as in `degrees_aside`.

    Returns:
        0 to 180; 0 where a middle lies on that of `here`.
    """
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
    angle = in_degrees(atan2(aside, along))
    nearest = round(angle)
    if abs(angle - nearest) > 1e-6:
        return ceil(angle)
    # a slope of whole numbers is a whole number of degrees only at eighths of a turn: those are asked exactly
    is_at_most = aside == 0 and along > 0 if nearest == 0 else is_within(along, aside, 2 * nearest)
    return nearest if is_at_most else nearest + 1


def is_within(along: int, aside: int, degrees: int) -> bool:
    """Whether a direction lies at most half of so many degrees off an axis; exactly half is within.

    Args:
        along: its part along the axis; negative behind.
        aside: its part across the axis, 0 or more.
        degrees: 1 to 360.

    >>> is_within(1, 1, 90), is_within(100, 101, 90)
    (True, False)
    """
    sine, cosine = half_angle(degrees)
    inside = along * sine - aside * cosine
    if abs(inside) > BORDER * (abs(along) + aside):
        return inside > 0
    return is_within_exactly(along, aside, degrees)


@lru_cache(maxsize=64)
def half_angle(degrees: int) -> tuple[float, float]:
    """Sine and cosine of half an angle of so many degrees."""
    half = radians(degrees) / 2
    return sin(half), cos(half)


def is_within_exactly(along: int, aside: int, degrees: int) -> bool:
    """`is_within` in whole numbers, for directions near the border of the angle.

    The direction is turned by its own angle again and again, as a product of whole complex numbers, and half turns are
    counted: a direction is 22.5 degrees off at most when eight times its angle is half a turn at most.

    Args:
        along: its part along the axis; negative behind.
        aside: its part across the axis, 0 or more.
        degrees: 1 to 360.
    """
    common = gcd(degrees, 360)
    times, most = 360 // common, degrees // common
    x, y, half_turns = 1, 0, 0
    for _ in range(times):
        x, y = x * along - y * aside, x * aside + y * along
        if y < 0 or (y == 0 and x < 0):
            x, y, half_turns = -x, -y, half_turns + 1
    return half_turns < most or (half_turns == most and y == 0)
