"""The functions that formulas may call: what does the work, and how many values it takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

Number = int | Fraction
Value = bool | int | Fraction | str

MANY = 1000


def round_half_up(value: Number) -> int:
    """The nearest whole number; halves go up, −2.5 to −2."""
    return math.floor(value + Fraction(1, 2))


def percent(value: Number) -> str:
    """A share as words: 2/5 is "40 %"."""
    return f"{round_half_up(value * 100)} %"


def reversed_digits(value: Number) -> int:
    """A percentile roll with its two digits swapped; 100 is read as 00 and stays 100.

    Raises:
        ValueError: it is no whole number from 1 to 100.

    >>> reversed_digits(7), reversed_digits(40), reversed_digits(63), reversed_digits(100)
    (70, 4, 36, 100)
    """
    if value.denominator != 1 or not 1 <= value <= 100:
        raise ValueError("reversed takes a percentile roll, a whole number from 1 to 100")
    tens, ones = divmod(int(value) % 100, 10)
    return ones * 10 + tens or 100


FUNCTIONS: dict[str, tuple[Callable[..., Value], int, int]] = {
    "min": (min, 2, MANY),
    "max": (max, 2, MANY),
    "abs": (abs, 1, 1),
    "floor": (math.floor, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "round_half_up": (round_half_up, 1, 1),
    "percent": (percent, 1, 1),
    "reversed": (reversed_digits, 1, 1),
}
"""Every function: what does it, and the least and the greatest number of values."""
