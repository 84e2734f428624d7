"""Functions of formulas: their implementation and their number of arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from engine.dice.dice_expressions import DiceError, parse_dice
from engine.text import clause, share_percent
from engine.values import Number as Number
from engine.values import Value as Value

MANY = 1000


def round_half_up(value: Number) -> int:
    """The nearest whole number; halves go up, −2.5 to −2."""
    return math.floor(value + Fraction(1, 2))


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


SMALLER = {"20": "12", "12": "10", "10": "8", "8": "6", "6": "4", "4": "3", "3": "2"}
_SIDES = re.compile(r"(?<=d)[0-9]+")


def smaller_dice(dice: str) -> str:
    """Dice with sides a step fewer, of d20, d12, d10, d8, d6, d4, d3, d2; others stay as they are.

    >>> smaller_dice("2d6+4"), smaller_dice("1d20"), smaller_dice("d100"), smaller_dice("")
    ('2d4+4', '1d12', 'd100', '')
    """
    return _SIDES.sub(lambda sides: SMALLER.get(sides[0], sides[0]), dice)


def least_total(dice: str) -> int:
    """Lowest total of dice; 0 without dice.

    >>> least_total("2d6+4"), least_total("")
    (6, 0)
    """
    return parse_dice(dice).lowest if dice else 0


def most_total(dice: str) -> int:
    """Highest total of dice; 0 without dice.

    >>> most_total("2d6+4"), most_total("")
    (16, 0)
    """
    return parse_dice(dice).highest if dice else 0


def _of_text(work: Callable[[str], Value]) -> Callable[[Value], Value]:
    def run(value: Value) -> Value:
        if not isinstance(value, str):
            raise ValueError(f"{value} is not a text")
        try:
            return work(value)
        except DiceError as error:
            raise ValueError(clause(str(error))) from error

    return run


FUNCTIONS: dict[str, tuple[Callable[..., Value], int, int]] = {
    "min": (min, 2, MANY),
    "max": (max, 2, MANY),
    "abs": (abs, 1, 1),
    "floor": (math.floor, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "round_half_up": (round_half_up, 1, 1),
    "percent": (share_percent, 1, 1),
    "reversed": (reversed_digits, 1, 1),
    "smaller": (_of_text(smaller_dice), 1, 1),
    "least": (_of_text(least_total), 1, 1),
    "most": (_of_text(most_total), 1, 1),
}
"""Every function: what does it, and the least and the greatest number of values."""
OF_TEXTS = ("smaller", "least", "most")
"""Those that take texts; all others take numbers."""
