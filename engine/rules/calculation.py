"""Calculation of a formula in numbers: "(3 + {attribute} 1) × 3" for a value of 12.

What has no part in the value is left out: branches not taken, zeros that are added, factors of 1.
"""

from __future__ import annotations

import ast
import contextlib
import math
import re
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from engine.dice.dice_text import number
from engine.rules.compiled import Facts
from engine.rules.expressions import Expression, compile_expression
from engine.rules.functions import Number, Value, round_half_up
from engine.rules.model import Ruleset
from engine.rules.syntax import ExpressionError
from engine.text import lower_first
from engine.values import replace

ROUNDING: Mapping[str, tuple[Callable[[Number], int], str]] = {
    "floor": (math.floor, "rounded down"),
    "ceil": (math.ceil, "rounded up"),
    "round_half_up": (round_half_up, "rounded"),
}
UNITS = ("attacker", "target", "unit", "defender", "reactor")
BRACED = re.compile(r"\{([\w.]+)\}")


class Term(Struct, frozen=True):
    """A part of a calculation: its value, and what is written for it."""

    value: Number
    text: str
    """Of a single number without its sign and its name."""
    name: str = ""
    """Of a single number."""
    is_single: bool = True
    is_literal: bool = False
    """Whether the number stands in the formula itself."""
    is_seen: bool = False
    """Whether it is a number that the reader knows already."""
    is_sum: bool = False
    is_rounded: bool = False

    is_negative: bool = False
    """Whether a minus sign goes before what is written; a fact with a name has its own sign behind that."""

    @property
    def written(self) -> str:
        """Without a sign before it."""
        return f"{self.name} {self.text}" if self.name and self.value else self.text

    @property
    def as_first(self) -> str:
        return f"−{self.written}" if self.is_negative else self.written

    @property
    def as_factor(self) -> str:
        is_apart = self.is_sum or self.is_rounded or self.is_negative or self.text.startswith("−")
        return f"({self.as_first})" if is_apart else self.written

    def negated(self) -> Term:
        """A single number with the other sign before it."""
        return replace(self, value=-self.value, is_negative=not self.is_negative)


def calculation(formula: Expression, facts: Facts, seen: Collection[str], unseen: Mapping[str, Expression]) -> str:
    """How a number comes about, or the weapon's or unit's one number that it is; "" where there is nothing to say.

    Args:
        formula: a formula whose value is a number.
        facts: the facts that it asks for.
        seen: facts that the reader knows already; they get no name.
        unseen: formulas of facts that the reader does not know; their calculation stands in their place.

    Returns:
        Numbers, each fact's with its id in braces before it.
    """
    try:
        found = _step(_tree(formula.text), _with_derived(formula, facts, unseen), seen, unseen)
        is_right = found.value == formula.evaluate(facts)
    except (ExpressionError, ZeroDivisionError):
        return ""
    if not is_right:
        return ""
    return found.text if not found.is_single else found.written if "." in found.name and found.value > 0 else ""


def is_repeated(formula: Expression, facts: Facts, seen: Collection[str], unseen: Mapping[str, Expression]) -> bool:
    """Whether a number is just one that the reader knows already; the arguments are those of `calculation`."""
    try:
        found = _step(_tree(formula.text), _with_derived(formula, facts, unseen), seen, unseen)
        return found.is_seen and found.is_single and found.value == formula.evaluate(facts)
    except (ExpressionError, ZeroDivisionError):
        return False


def _with_derived(formula: Expression, facts: Facts, unseen: Mapping[str, Expression]) -> Facts:
    """The facts with those that stand for a formula, which have a name and a number for the reader as any other."""
    derived = [one for each in (formula, *unseen.values()) for one in each.behind.items()]
    if not derived:
        return facts
    found = dict(facts)
    for name, behind in derived:
        with contextlib.suppress(ExpressionError):  # asked for in a branch that is not taken
            found[name] = behind.evaluate(facts)
    return found


def with_labels(text: str, rules: Ruleset) -> str:
    """A calculation with labels for the ids of facts; the words of the id where there is no label."""
    units = rules.units
    own = {one.id: one.label for one in rules.attack.facts}
    of_unit = {name: one.label for table in (units.stats, units.pools, units.derived) for name, one in table.items()}

    def label(name: str) -> str:
        owner, _, fact = name.rpartition(".")
        found = (of_unit if owner in UNITS else own).get(fact)
        return lower_first(found or f"{'weapon ' if owner == 'weapon' else ''}{fact.replace('_', ' ')}")

    return BRACED.sub(lambda brace: label(brace[1]), text)


def _step(node: ast.expr, facts: Facts, seen: Collection[str], unseen: Mapping[str, Expression]) -> Term:
    def step(part: ast.expr) -> Term:
        return _step(part, facts, seen, unseen)

    match node:
        case ast.Name() | ast.Attribute():
            return _fact(ast.unparse(node), facts, seen, unseen)
        case ast.UnaryOp(ast.USub(), operand) if (inner := step(operand)).is_single:
            return inner.negated()
        case ast.BinOp(left, ast.Add(), right):
            return _sum(step(left), step(right), is_less=False)
        case ast.BinOp(left, ast.Sub(), right):
            return _sum(step(left), step(right), is_less=True)
        case ast.BinOp(left, ast.Mult(), right):
            return _product(step(left), step(right))
        case ast.BinOp(ast.BinOp(whole, ast.Mult(), share), ast.Div(), ast.Constant(100)) if found := _percentage(
            step(whole), step(share)
        ):
            return found
        case ast.BinOp(left, ast.Div(), right):
            return _quotient(step(left), step(right))
        case ast.BinOp(left, ast.FloorDiv(), right):
            return _rounded("floor", _quotient(step(left), step(right)))
        case ast.IfExp(test, body, orelse):
            is_so = _value(test, facts)
            found = step(body if is_so else orelse)
            return replace(found, name=_reason(test)) if is_so and found.is_literal and not found.name else found
        case ast.Call(ast.Name("min" | "max"), parts):
            value = _number(node, facts)
            return next(one for one in map(step, parts) if one.value == value)
        case ast.Call(ast.Name(name), [inner]) if name in ROUNDING:
            return _rounded(name, step(inner))
    return replace(_plain(_number(node, facts)), is_literal=isinstance(node, ast.Constant))


def _fact(name: str, facts: Facts, seen: Collection[str], unseen: Mapping[str, Expression]) -> Term:
    """A fact's number with its name, or its calculation where the reader does not know it."""
    plain = _plain(_number(_tree(name), facts))
    if name in unseen:
        others = {one: formula for one, formula in unseen.items() if one != name}
        found = _step(_tree(unseen[name].text), facts, seen, others)
        return found if found.value == plain.value else plain
    if name in seen:
        return replace(plain, is_seen=True)
    return replace(plain, text=plain.as_first, is_negative=False, name=f"{{{name}}}")


def _sum(left: Term, right: Term, *, is_less: bool) -> Term:
    value = left.value - right.value if is_less else left.value + right.value
    if not right.value:
        return left
    if not left.value and (right.is_single or not is_less):
        return right.negated() if is_less else right
    sign = "−" if is_less != right.is_negative else "+"
    first = f"({left.text})" if left.is_rounded else left.as_first
    second = f"({right.text})" if right.is_rounded or (right.is_sum and is_less) else right.written
    return Term(value, f"{first} {sign} {second}", is_single=False, is_sum=True)


def _product(left: Term, right: Term) -> Term:
    value = left.value * right.value
    if not value:
        return _plain(value)
    if 1 in (left.value, right.value):
        return right if left.value == 1 != right.value else left
    return Term(value, f"{left.as_factor} × {right.as_factor}", is_single=False)


def _percentage(whole: Term, share: Term) -> Term | None:
    """So many per cent of a number; None where that has no name of its own."""
    if not whole.value or not share.value or not whole.name or not share.is_single:
        return None
    counted = f"{whole.text} {whole.name}" if whole.is_single and whole.value > 0 else whole.as_factor
    return Term(whole.value * Fraction(share.value, 100), f"{share.text} % of {counted}", is_single=False)


def _quotient(left: Term, right: Term) -> Term:
    value = Fraction(left.value) / Fraction(right.value)
    if not value or right.value == 1:
        return left
    divisor = right.as_factor if right.is_single else f"({right.written})"
    return Term(value, f"{left.as_factor} ÷ {divisor}", is_single=False)


def _rounded(function: str, step: Term) -> Term:
    work, words = ROUNDING[function]
    value = work(step.value)
    if value == step.value:
        return step
    return Term(value, f"{step.as_first}, {words}", is_single=False, is_rounded=True)


def _plain(value: Number) -> Term:
    return Term(value, number(abs(Fraction(value))), is_negative=value < 0)


def _reason(test: ast.expr) -> str:
    """What a number in the formula itself is for, by the condition that lets it count; "" where that has no name."""
    match test:
        case ast.Name(name) | ast.Attribute(_, name):
            return name.replace("_", " ")
        case ast.BoolOp(ast.And(), [first, *_]):
            return _reason(first)
        case ast.Compare(_, [ast.Eq()], [ast.Constant(str(name))]):
            return name
    return ""


def _number(node: ast.expr, facts: Facts) -> Number:
    value = _value(node, facts)
    if isinstance(value, str):
        raise ExpressionError("a text is no number", 0)
    return int(value) if isinstance(value, bool) else value


def _value(node: ast.expr, facts: Facts) -> Value:
    return _compiled(ast.unparse(node)).evaluate(facts)


@lru_cache(512)
def _compiled(text: str) -> Expression:
    names = (ast.unparse(one) for one in ast.walk(_tree(text)) if isinstance(one, ast.Name | ast.Attribute))
    return compile_expression(text, frozenset(names))


@lru_cache(512)
def _tree(text: str) -> ast.expr:
    return ast.parse(" ".join(text.split()), mode="eval").body
