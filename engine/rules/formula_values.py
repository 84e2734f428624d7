"""Values of formulas: numbers where numbers are needed, or one sentence that names the formula."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor

from engine.errors import BattleboardError
from engine.rules.expressions import Expression
from engine.rules.functions import Number, Value


class BrokenRule(BattleboardError):
    """A rule whose formula came out as something that the rule cannot use."""

    def __init__(self, formula: str, found: Value) -> None:
        super().__init__(f"The rule “{formula}” gives {found!r}, not a number: fix the ruleset.")


def number(formula: Expression, facts: Mapping[str, Value]) -> Number:
    """A formula's number; whole ones as int.

    Raises:
        BrokenRule: it came out as a word or as yes or no.
    """
    value = formula.evaluate(facts)
    if isinstance(value, (bool, str)):
        raise BrokenRule(formula.text, value)
    return plain(value)


def whole_down(formula: Expression, facts: Mapping[str, Value]) -> int:
    """Value of a formula, rounded down: for what a unit has."""
    return floor(number(formula, facts))


def whole_up(formula: Expression, facts: Mapping[str, Value]) -> int:
    """Value of a formula, rounded up: for what a unit pays."""
    return ceil(number(formula, facts))


def plain(value: Number) -> Number:
    """The same number, as int when it is whole."""
    return int(value) if value.denominator == 1 else value
