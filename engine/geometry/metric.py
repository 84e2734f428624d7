"""Distances in squares under the three ways of counting a diagonal. Knows no feet, no metres, no bands."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import lru_cache
from math import floor, isqrt

METRICS = ("chebyshev", "alternating", "euclidean")

DIGITS = 10**10
"""Roots that are not whole are cut off after ten decimals."""


def distance(metric: str, columns: int, rows: int, rise_squares: Fraction = Fraction(0)) -> Fraction:
    """How far apart two squares are, in squares.

    The rise counts like one more direction: `chebyshev` takes the longest of the three extents; `alternating` (every
    second diagonal step counts double) the longest and half of the second longest, that half rounded down, because one
    step may go up and aside at once; `euclidean` the straight line.

    Args:
        metric: one of METRICS.
        columns: columns apart; the sign does not matter.
        rows: rows apart; the sign does not matter.
        rise_squares: difference in height, in sides of a square.

    Returns:
        Exact for the first two and for whole roots; otherwise at most 1e-10 below the true root.

    Raises:
        ValueError: no such metric.

    >>> [str(distance(metric, 4, 3)) for metric in METRICS]
    ['4', '5', '5']
    """
    longest, second, third = sorted((abs(Fraction(columns)), abs(Fraction(rows)), abs(rise_squares)), reverse=True)
    match metric:
        case "chebyshev":
            return longest
        case "alternating":
            return longest + second // 2
        case "euclidean":
            return root(longest**2 + second**2 + third**2)
    raise ValueError(f"{metric!r} is not one of {', '.join(METRICS)}")


@lru_cache(maxsize=8192)
def level_distance(metric: str, columns: int, rows: int) -> Fraction:
    """`distance` on level ground in squares, remembered: the same few are asked for thousands of times.

    Raises:
        ValueError: no such metric.
    """
    return distance(metric, columns, rows)


def distance_with_rise(metric: str, columns: int, rows: int, rise: int, square_size: int) -> Fraction:
    """`distance` between squares of different height.

    Args:
        metric: one of METRICS.
        columns, rows: how far apart; the signs do not matter.
        rise: difference in height, in hundredths of the map's unit.
        square_size: side of a square in the same hundredths, above 0.

    Returns:
        In squares, exact as `distance` is.

    Raises:
        ValueError: no such metric.
    """
    longer, shorter = max(abs(columns), abs(rows)), min(abs(columns), abs(rows))
    counted = {"chebyshev": longer, "alternating": shorter}.get(metric, 0)
    if abs(rise) <= counted * square_size:  # one of the extents that do not count
        return level_distance(metric, columns, rows)
    if metric == "euclidean":
        size = square_size * square_size
        return root(Fraction((columns * columns + rows * rows) * size + rise * rise, size))
    return distance(metric, columns, rows, Fraction(rise, square_size))


def most_rise(metric: str, columns: int, rows: int, radius: int | Fraction, square_size: int) -> int:
    """How much higher or lower a square may lie to be within a radius, in hundredths; -1 where it is farther anyhow.

    Args:
        metric: one of METRICS.
        columns, rows: how far apart; the signs do not matter.
        radius: in squares; the border is inside.
        square_size: side of a square in the same hundredths, above 0.

    Raises:
        ValueError: no such metric.

    >>> most_rise("euclidean", 4, 0, 5, 100)
    300
    """
    rises = range(floor(radius * square_size) + 2)  # no distance is less than the rise, roots a little less
    return (
        bisect_right(rises, radius, key=lambda rise: distance_with_rise(metric, columns, rows, rise, square_size)) - 1
    )


def root(number: Fraction) -> Fraction:
    """The square root of a number of 0 or more: exact where it is a fraction, else cut off to at most 1e-10 below.

    >>> root(Fraction(9, 4))
    Fraction(3, 2)
    """
    product = number.numerator * number.denominator
    whole = isqrt(product)
    if whole * whole == product:
        return Fraction(whole, number.denominator)
    return Fraction(isqrt(product * DIGITS * DIGITS), number.denominator * DIGITS)
