"""Blasts: which squares a burst reaches, and in which of its rings each lies. Knows no damage and no ruleset.

The rule. One straight line is drawn from the burst, at its height above the ground of its square, to the middle of a
body standing in the other square: half a human's height above that ground. The square is reached when nothing stops the
line: no ground, no object that contains blast, no closed barrier that contains blast. As for sight, the objects on both
squares themselves do not count, their ground does; to touch a top or a corner is not to be stopped; and through a
corner the line is stopped only when both ways round it are. A square that is filled by what contains blast and blocks
movement is never reached. A burst is as high as the middle of a body unless said otherwise, and then the answer is
mutual: what is reached from here reaches here.

Distances are those of the same two points, by the ruleset's metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from engine.geometry.battlefield import Battlefield, Height, OffMap
from engine.geometry.blast.square_set import Zone, disc, within_map
from engine.geometry.body import middle_height
from engine.geometry.metric import distance_with_rise
from engine.geometry.squares import Square

Radius = int | Fraction
"""In squares, 0 or more."""


def blast(
    battlefield: Battlefield,
    centre: Square,
    radius: Radius,
    *,
    metric: str = "chebyshev",
    height: Height | None = None,
) -> Zone:
    """Every square within a radius that a burst reaches, its own always among them.

    Args:
        battlefield: where it bursts.
        centre: the square of the burst.
        radius: in squares; a square belongs when its distance is at most that.
        metric: how distances are counted.
        height: of the burst above the ground of its square; None for the middle of a body.

    Raises:
        OffMap: `centre` is outside.
    """
    (zone,) = zones(battlefield, centre, (radius,), metric=metric, height=height)
    return zone


def zones(
    battlefield: Battlefield,
    centre: Square,
    radii: Sequence[Radius],
    *,
    metric: str = "chebyshev",
    height: Height | None = None,
) -> tuple[Zone, ...]:
    """The rings of a burst: for each radius the squares it reaches that no earlier ring holds.

    Args:
        battlefield: where it bursts.
        centre: the square of the burst.
        radii: in squares, from the innermost ring to the outermost.
        metric: how distances are counted.
        height: of the burst above the ground of its square; None for the middle of a body.

    Raises:
        OffMap: `centre` is outside.
    """
    if centre not in battlefield:
        raise OffMap(centre, battlefield)
    # here, as NumPy is not to delay the board's first paint
    from engine.geometry.blast.blast_lines import bits_of, free_window, most_rises

    middle, reach = middle_height(battlefield), farthest(battlefield, max(radii, default=0))
    corner, side = Square(centre.column - reach, centre.row - reach), 2 * reach + 1
    free, rise = free_window(battlefield, centre, reach, middle if height is None else height, middle)
    bits, own = bits_of(free), 1 << (reach * side + reach)
    if min(corner) < 0 or corner.column + side > battlefield.columns or corner.row + side > battlefield.rows:
        bits &= within_map(battlefield, corner, side)
    found: list[Zone] = []
    inner = 0
    for radius in radii:
        if rise is None:
            near = disc(metric, radius, reach)
        else:
            near = bits_of(abs(rise) <= most_rises(metric, radius, reach, battlefield.square_size))
        reached = bits & near | own
        found.append(Zone(corner, side, reached & ~inner))
        inner |= reached
    return tuple(found)


def reaches(battlefield: Battlefield, centre: Square, square: Square, height: Height, target_height: Height) -> bool:
    """Whether a burst over one square reaches a point over the middle of another; see the rule at the head.

    Args:
        battlefield: where it bursts.
        centre: the square of the burst.
        square: the other square; itself filled or not.
        height: of the burst above the ground of `centre`.
        target_height: of the point above the ground of `square`.

    Raises:
        OffMap: a square is outside.
    """
    from engine.geometry.blast.blast_lines import free_lines, lines_to

    for one in (centre, square):
        if one not in battlefield:
            raise OffMap(one, battlefield)
    drawn = lines_to([Square(square.column - centre.column, square.row - centre.row)])
    free, _ = free_lines(battlefield, centre, drawn, height, target_height, is_standing=False)
    return bool(free[0])


def burst_distance(
    battlefield: Battlefield, metric: str, centre: Square, square: Square, height: Height, target_height: Height
) -> Fraction:
    """Distance from a burst over one square to a point over another, heights counted.

    Args:
        battlefield: both squares lie on it.
        metric: one of METRICS.
        centre, square: where the burst and the point are; measured from middle to middle.
        height, target_height: above the ground of these squares, in hundredths of the map's unit.

    Returns:
        In squares.

    Raises:
        OffMap: a square is outside.
        ValueError: no such metric.
    """
    start, end = battlefield.elevation_at(centre) + height, battlefield.elevation_at(square) + target_height
    return distance_with_rise(
        metric, square.column - centre.column, square.row - centre.row, end - start, battlefield.square_size
    )


def farthest(battlefield: Battlefield, radius: Radius) -> int:
    """How many columns or rows a radius goes: whole squares, rounded down, no more than the map's longer side."""
    return min(floor(radius), max(battlefield.columns, battlefield.rows))
