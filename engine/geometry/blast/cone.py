"""Cones and arcs of any width, from a square in a direction or towards another square. Exact: no angle is rounded.

The rule. A square belongs when its centre lies within the range and no farther than half the width to either side of
the axis, both seen from the middle of the square that the cone starts from; on the border is inside. The square it
starts from does not belong.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import gcd

from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield, OffMap
from engine.geometry.blast.blast import blast, farthest
from engine.geometry.blast.square_set import Zone, disc, within_map
from engine.geometry.facings import BORDER, half_angle, is_within_exactly
from engine.geometry.squares import Direction, Square


def cone(
    battlefield: Battlefield,
    start: Square,
    towards: Direction | Square,
    degrees: int,
    length: int | Fraction,
    *,
    metric: str = "chebyshev",
    is_sheltered: bool = True,
) -> Zone:
    """The squares of a cone.

    Args:
        battlefield: where it spreads.
        start: the square it starts from.
        towards: a direction, or a square through whose centre the axis runs.
        degrees: the whole width, 1 to 360; a breath or a burst of shrapnel is some 60, an arc of fire 30 to 90.
        length: range in squares.
        metric: how distances are counted.
        is_sheltered: whether it reaches only what a blast from `start` would reach, heights counted in the distance
            too (see `blast`); else walls and heights do not matter. Meant for bursts: past some twenty squares it takes
            a line for each square, and for an arc of fire the field of view is the better shelter.

    Raises:
        OffMap: `start` is outside.
        Illegal: a width that is none, or an axis without a direction.
    """
    if start not in battlefield:
        raise OffMap(start, battlefield)
    if not 1 <= degrees <= 360:
        raise Illegal("cone", f"A cone is 1 to 360 degrees wide, not {degrees}.")
    if isinstance(towards, Direction):
        across, down = towards.dx, towards.dy
    else:
        across, down = towards.column - start.column, towards.row - start.row
    if across == down == 0:
        raise Illegal("cone", f"A cone from {start.name} to {start.name} has no direction.")
    reach = farthest(battlefield, length)
    side = 2 * reach + 1
    common = gcd(across, down)
    bits = sector(across // common, down // common, degrees, reach)
    if is_sheltered:
        reached = blast(battlefield, start, length, metric=metric)
        return Zone(reached.corner, side, reached.bits & bits)
    corner = Square(start.column - reach, start.row - reach)
    return Zone(corner, side, disc(metric, length, reach) & within_map(battlefield, corner, side) & bits)


@lru_cache(maxsize=64)
def sector(across: int, down: int, degrees: int, reach: int) -> int:
    """The squares of a window within an angle around an axis through its middle, the middle one left out.

    Args:
        across, down: direction of the axis in columns and rows; not both 0.
        degrees: the whole angle, 1 to 360; the border is inside.
        reach: squares from the window's middle to its sides.

    Returns:
        Bits numbered row by row from the window's north-west square.
    """
    side = 2 * reach + 1
    bits = 0
    sine, cosine = half_angle(degrees)
    for row in range(side):
        for column in range(side):
            dx, dy = column - reach, row - reach
            along, aside = dx * across + dy * down, abs(dx * down - dy * across)
            inside = along * sine - aside * cosine  # how far inside the border, as far as that can be told
            if abs(inside) > BORDER * (abs(along) + aside):
                if inside > 0:
                    bits |= 1 << (row * side + column)
            elif (dx or dy) and is_within_exactly(along, aside, degrees):
                bits |= 1 << (row * side + column)
    return bits
