"""Distributions: every total of a dice expression with its exact chance. Rolls nothing."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.dice.dice_expressions import Constant, Dice, DiceThrow, Extreme, Node, Operation, bounds
from engine.errors import Illegal

if TYPE_CHECKING:
    from icepool import Die  # type: ignore[import-untyped]

MOST_WORK = 2_000_000
"""Steps an exact answer may cost: about a second. `100d6` costs a thirtieth of it."""

MOST_OUTCOMES = 10_000
"""Ways to fall that single dice may have: four ten-sided ones."""

_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv}


class Weights(Struct, frozen=True, eq=False):
    """Every total that dice can come to, totals rising, with its weight; the chance of one is weight ÷ `whole`."""

    totals: Mapping[int, int]
    whole: int


@lru_cache(maxsize=256)
def weights(dice: Dice) -> Weights:
    """The exact weight of every total that can come up. Raises as `distribution`.

    A few plain dice are counted here: icepool takes longer to load than a board to begin.
    """
    if (sides := single_dice(dice)) is not None:
        return Weights(_totals(sides, dice.lowest - len(sides)), prod(sides))
    die = _die(dice.root, dice)
    return Weights(dict(die.items()), die.denominator())


@lru_cache(maxsize=256)
def distribution(dice: Dice) -> Mapping[int, Fraction]:
    """The exact chance of every total that can come up, totals rising; the chances sum to 1.

    Raises:
        Illegal: so many dice that counting would take longer than a table waits.

    >>> from engine.dice.dice_expressions import parse_dice
    >>> distribution(parse_dice("2d6+2"))[4]
    Fraction(1, 36)
    """
    found = weights(dice)
    return {total: Fraction(weight, found.whole) for total, weight in found.totals.items()}


@lru_cache(maxsize=64)
def outcomes(dice: Dice) -> tuple[tuple[tuple[int, ...], int], ...]:
    """All equally likely outcomes of plain dice: what each die shows, and the total.

    Raises:
        Illegal: dice are kept, dropped, thrown again or multiplied, or there are more than MOST_OUTCOMES ways.

    >>> from engine.dice.dice_expressions import parse_dice
    >>> outcomes(parse_dice("2d20"))[22]
    ((2, 3), 5)
    """
    sides = single_dice(dice)
    if sides is None:
        raise Illegal("single-dice", f"The dice of {dice.text} cannot be read one by one.")
    plus = dice.lowest - len(sides)
    return tuple((faces, sum(faces) + plus) for faces in product(*(range(1, most + 1) for most in sides)))


def single_dice(dice: Dice) -> tuple[int, ...] | None:
    """The sides of each die where plain dice and numbers are added up; None for anything else, or for too many dice."""
    sides = _plain_dice(dice.root)
    return None if sides is None or prod(sides) > MOST_OUTCOMES else sides


def _plain_dice(node: Node) -> tuple[int, ...] | None:
    match node:
        case Constant():
            return ()
        case DiceThrow():
            is_plain = node.kept == (0, node.count) and not node.explosions and not node.rerolled
            return (node.sides,) * node.count if is_plain else None
        case Operation("+", left, right):
            first, second = _plain_dice(left), _plain_dice(right)
            return None if first is None or second is None else first + second
    return None


def _totals(sides: tuple[int, ...], plus: int) -> dict[int, int]:
    """In how many ways plain dice of these sides and a number come to each total, totals rising."""
    totals = {plus: 1}
    for most in sides:
        found: dict[int, int] = {}
        for total, weight in totals.items():
            for face in range(1, most + 1):
                found[total + face] = found.get(total + face, 0) + weight
        totals = dict(sorted(found.items()))
    return totals


def _die(node: Node, dice: Dice) -> Die[int]:
    import icepool

    match node:
        case Constant(value):
            return icepool.Die([value])
        case DiceThrow():
            return _thrown(node, dice)
        case Operation(sign, left, right):
            _afford(_width(left) * _width(right), dice)
            result: Die[int] = _SIGNS[sign](_die(left, dice), _die(right, dice))
            return result
        case Extreme(kind, parts):
            pick = icepool.lowest if kind == "min" else icepool.highest
            return reduce(pick, [_die(part, dice) for part in parts])


def _thrown(throw: DiceThrow, dice: Dice) -> Die[int]:
    """The dice that count, each with its rerolls and explosions, added up."""
    import icepool

    die = icepool.d(throw.sides)
    if throw.rerolled:
        die = die.reroll(throw.rerolled, depth=1 if throw.reroll_once else "inf")
    if throw.explosions:
        die = die.explode([throw.sides], depth=throw.explosions)
    low, high = throw.kept
    if high - low == throw.count:
        _afford(_width(throw) ** 2 // 4, dice)
        return _sum(die, throw.count)
    _afford(2 * throw.count * len(die) * _width(throw), dice)
    return die.pool(throw.count)[low:high].sum()


def _sum(die: Die[int], count: int) -> Die[int]:
    """`count` such dice added up, by doubling."""
    if count == 1:
        return die
    half = _sum(die, count // 2)
    return half + half + die if count % 2 else half + half


def _width(node: Node) -> int:
    low, high = bounds(node)
    return high - low + 1


def _afford(work: int, dice: Dice) -> None:
    if work > MOST_WORK:
        raise Illegal("too-many-dice", f"No exact odds for {dice.text}: too many dice.")
