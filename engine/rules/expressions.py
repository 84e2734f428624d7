"""The little language of rules: formulas over named facts, and texts with formulas in braces.

A formula is written in Python's expression syntax; what it may be written of is in `syntax`, and nothing is ever handed
to `eval`. `compile_expression` checks the whole formula; nested closures are made of it when it is first evaluated. A
fact is asked for only when the branch taken needs it. Division is exact: `/` gives a Fraction, decimals are read as
written, and a result without a fractional part is an int. Texts can be compared and chosen, not computed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import cache

from msgspec import Struct

from engine.rules.compiled import (
    Facts,
    Link,
    Part,
    choice,
    comparison,
    computed,
    either_or_both,
    fact,
    fixed,
    plain,
    remembered,
    sides_by_rolls,
    split_by_rolls,
)
from engine.rules.functions import FUNCTIONS, OF_TEXTS, Value, round_half_up
from engine.rules.syntax import (
    ANY_KIND,
    ARITHMETIC,
    COMPARISONS,
    MOST_CHARACTERS,
    WHOLE_QUOTIENTS,
    ExpressionError,
    FormulaChecker,
    kind_of,
)

_BRACE = re.compile(r"[{}]")
_DROPPED = ast.expr()


class Expression(Struct, frozen=True):
    """A checked formula. Two are equal when their texts are."""

    text: str
    names: frozenset[str]
    """The facts it may ask for."""
    compiled: Callable[[], Part]
    """Gives what is run, which is made when it is first asked for."""
    kinds: int = ANY_KIND
    """The kinds of value it may have, for facts of the kinds that it was checked with."""
    behind: Mapping[str, Expression] = {}
    """The formulas behind derived facts that its text names; `names` has the facts that these ask for."""

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Expression) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def evaluate(self, facts: Facts) -> Value:
        """Its value for these facts.

        Raises:
            ExpressionError: division by zero, computing with a text, a number past ±10^9, or a fact without a value.
        """
        return plain(self.compiled().run(facts))

    def settled(self, facts: Facts, left_open: Collection[str]) -> Expression:
        """The same formula for facts of which only those left open may yet be others; it keeps its text.

        What comes out the same whatever these are is worked out now, so it is quicker and asks for less.
        """
        whole = self.compiled()
        part = whole.settled(facts, left_open)
        return self if part is whole else _made(self.text, part)

    def remembered(self) -> Expression:
        """The same formula, which works nothing out twice for the same values of all that it asks for."""
        return _made(self.text, remembered(self.compiled()))

    def split_by_rolls(self, rolled: Collection[str], name: str) -> dict[str, Expression]:
        """The same formula under a name, after others for its parts in which several of the rolled facts come together.

        It asks for these by their names, which no other formula can ask for; alone where few of those facts go into it.
        """
        if len(self.names.intersection(rolled)) < 3:
            return {name: self}
        found: dict[str, Expression] = {}

        def called(part: Part) -> str:
            inner = f"{name}, part {len(found) + 1}"
            found[inner] = _made(inner, part)
            return inner

        whole = self.compiled()
        part = split_by_rolls(whole, rolled, called)
        return found | {name: self if part is whole else _made(self.text, part)}

    def sides_by_rolls(self, rolled: Collection[str], name: str) -> dict[str, Expression]:
        """The same condition under a name, after others for the sides of its comparisons that rest on one roll each.

        It asks for these by their names, which no other formula can ask for; alone where it rests on a roll alone.
        """
        if self.names.isdisjoint(rolled) or len(self.names) < 2:
            return {name: self}
        found: dict[str, Expression] = {}

        def called(part: Part) -> str:
            side = f"{name}, side {len(found) + 1}"
            found[side] = _made(side, part)
            return side

        return found | {name: _made(self.text, sides_by_rolls(self.compiled(), rolled, called))}

    @property
    def is_fixed(self) -> bool:
        """Whether its value is the same for all facts."""
        return self.compiled().is_fixed

    @property
    def can_hold(self) -> bool:
        """Whether it may be true, or another number than 0, for some facts, as far as it is settled."""
        return self.compiled().can_hold

    def __str__(self) -> str:
        return self.text


class Template(Struct, frozen=True):
    """A text with formulas in braces; `parts` are literal texts and formulas in order. Equal when the texts are."""

    text: str
    names: frozenset[str]
    parts: tuple[str | Expression, ...]

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Template) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def render(self, facts: Facts) -> str:
        """The text with every formula's value in its place (see `shown`). Raises ExpressionError as formulas do."""
        return "".join(part if isinstance(part, str) else shown(part.evaluate(facts)) for part in self.parts)

    def __str__(self) -> str:
        return self.text


def compile_expression(text: str, names: Collection[str]) -> Expression:
    """Understand a formula.

    Args:
        text: at most 1000 characters, 200 nodes, 32 levels; line breaks count as blanks.
        names: the facts that may be asked for, dotted as they are written (`target.posture`); in a mapping, each with a
            typical value, whose kind it keeps, or with the formula that stands behind the name.

    Raises:
        ExpressionError: the text is no formula, is too large, or asks for what does not exist.

    >>> formula = compile_expression("-30 if distance <= 2 else 0", {"distance"})
    >>> formula.evaluate({"distance": 2}), sorted(formula.names)
    (-30, ['distance'])
    """
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"a formula has at most {MOST_CHARACTERS} characters", MOST_CHARACTERS, text[:40] + "…")
    formula = _Formula(text, names if isinstance(names, AbstractSet | Mapping) else frozenset(names))
    kinds = formula.checked(formula.tree, 1)
    return Expression(text.strip(), frozenset(formula.names), cache(formula.whole), kinds, formula.behind)


def _made(text: str, part: Part, kinds: int = ANY_KIND) -> Expression:
    """The formula of a part that is there already."""
    return Expression(text, part.names, lambda: part, kinds)


def compile_template(text: str, names: Collection[str]) -> Template:
    """Understand a text with formulas in braces; `{{` and `}}` stand for braces.

    Raises:
        ExpressionError: a brace without its partner, or a formula that cannot be understood; the column is the text's.

    >>> compile_template("{distance} ft, {percent(covered)} hidden", {"distance", "covered"}).render(
    ...     {"distance": 23, "covered": Fraction(2, 5)}
    ... )
    '23 ft, 40 % hidden'
    """
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"a text has at most {MOST_CHARACTERS} characters", MOST_CHARACTERS, text[:40] + "…")
    known = names if isinstance(names, AbstractSet | Mapping) else frozenset(names)
    parts: list[str | Expression] = []
    literal, at = "", 0
    while (brace := _BRACE.search(text, at)) is not None:
        literal, at = literal + text[at : brace.start()], brace.start()
        if text.startswith(("{{", "}}"), at):
            literal, at = literal + text[at], at + 2
        elif text[at] == "}":
            raise ExpressionError("a } without its {; write }} for a brace", at, text)
        else:
            end = _closing_brace(text, at)
            if literal:
                parts.append(literal)
            literal = ""
            try:
                parts.append(compile_expression(text[at + 1 : end], known))
            except ExpressionError as error:
                raise ExpressionError(error.message, at + 1 + error.column, text) from error
            at = end + 1
    if literal + text[at:]:
        parts.append(literal + text[at:])
    asked = frozenset[str]().union(*(part.names for part in parts if isinstance(part, Expression)))
    return Template(text, asked, tuple(parts))


def constant(value: Value) -> Expression:
    """The formula that is always `value`; equal to the one compiled from its own text."""
    always = plain(value)
    return _made(_literal(always), fixed(always), kind_of(always))


def shown(value: Value) -> str:
    """A value as a text shows it: whole numbers plainly, others with one decimal, "yes" and "no", texts as they are."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        tenths = round_half_up(abs(value) * 10)
        sign = "−" if value < 0 and tenths else ""
        return f"{sign}{tenths // 10}" + (f".{tenths % 10}" if tenths % 10 else "")
    return str(value).replace("-", "−") if isinstance(value, int) else value


def _closing_brace(text: str, start: int) -> int:
    """Where the brace opened at `start` closes; braces inside quotes do not count."""
    quote = ""
    for at in range(start + 1, len(text)):
        if quote:
            quote = "" if text[at] == quote else quote
        elif text[at] in "'\"":
            quote = text[at]
        elif text[at] == "}":
            return at
    raise ExpressionError("a { without its }; write {{ for a brace", start, text)


def _literal(value: Value) -> str:
    if not isinstance(value, Fraction):
        return repr(value)
    tens = next((power for power in range(1, 10) if 10**power % value.denominator == 0), 0)
    if not tens:
        return f"{value.numerator} / {value.denominator}"
    digits = str(abs(value.numerator) * 10**tens // value.denominator).rjust(tens + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-tens]}.{digits[-tens:]}"


class _Formula(FormulaChecker):
    """One formula on its way from text to closures."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        super().__init__(text, known)
        self.behind: dict[str, Expression] = {}
        self.tree = self.parsed()
        self._part: Part | None = None

    def whole(self) -> Part:
        """All of it; the tree, which takes as much memory, is needed no more."""
        tree = self.tree  # another thread may drop it, but only when the part is there
        if self._part is None:
            self._part = self.compiled(tree)
            self.tree = _DROPPED
        return self._part

    def fact(self, node: ast.Name | ast.Attribute) -> int:
        """The kind of a fact that may be asked for; one that has a formula asks for what this asks for."""
        formula = self.formula_of(node)
        if formula is None:
            return super().fact(node)
        self.names |= formula.names
        self.behind[self.dotted(node)] = formula
        return formula.kinds

    def formula_of(self, node: ast.expr) -> Expression | None:
        """The formula of a derived fact; None for any other."""
        found = self.known.get(self.dotted(node)) if isinstance(self.known, Mapping) else None
        return found if isinstance(found, Expression) else None

    def compiled(self, node: ast.expr) -> Part:
        """A part that was checked."""

        at = node.col_offset

        def fail(message: str) -> ExpressionError:
            return self.error_at(message, at)

        match node:
            case ast.Name() | ast.Attribute():
                formula = self.formula_of(node)
                return fact(self.dotted(node), fail) if formula is None else formula.compiled()
            case ast.Constant():
                return fixed(self.constant(node))
            case ast.Compare(left, ops, comparators):
                return comparison(self.compiled(left), list(map(self.link, ops, comparators)), fail)
            case ast.BoolOp(op, values):
                return either_or_both(isinstance(op, ast.And), [*map(self.compiled, values)], fail)
            case ast.UnaryOp(ast.Not(), operand):
                return choice(self.compiled(operand), fixed(False), fixed(True), fail)
            case ast.UnaryOp(_, operand):
                return computed([self.compiled(operand)], lambda value: -value, fail)
            case ast.BinOp(left, op, right):
                return computed([self.compiled(left), self.compiled(right)], ARITHMETIC[type(op)], fail)
            case ast.IfExp(test, body, orelse):
                return choice(self.compiled(test), self.compiled(body), self.compiled(orelse), fail)
            case ast.Call(ast.Name(name), [ast.BinOp(left, ast.Div(), right)]) if name in WHOLE_QUOTIENTS:
                return computed([self.compiled(left), self.compiled(right)], WHOLE_QUOTIENTS[name], fail)
            case ast.Call(ast.Name(name), parts):
                of_texts = name in OF_TEXTS
                return computed([*map(self.compiled, parts)], FUNCTIONS[name][0], fail, of_texts=of_texts)
        raise AssertionError(f"{self.text!r} was not checked")

    def link(self, op: ast.cmpop, part: ast.expr) -> Link:
        if isinstance(part, ast.Tuple):
            is_in = isinstance(op, ast.In)
            return Link(lambda left, right: (left in right) is is_in, tuple(map(self.compiled, part.elts)))
        return Link(COMPARISONS[type(op)], self.compiled(part))
