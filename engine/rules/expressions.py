"""The little language of rules: formulas over named facts, and texts with formulas in braces.

A formula is written in Python's expression syntax and parsed by `ast`; a short list of nodes is understood, everything
else is refused with its column. Nothing is ever handed to `eval`. `compile_expression` turns it into nested closures
once; evaluating asks for a fact only when the branch taken needs it. Division is exact: `/` gives a Fraction, decimals
are read as written, and a result without a fractional part is an int. Texts can be compared and chosen, not computed.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import Any, cast

from msgspec import Struct

from engine.errors import BattleboardError, near_fact, near_miss
from engine.rules.functions import FUNCTIONS, OF_TEXTS, Number, Value, round_half_up
from engine.rules.parts import (
    MOST_VALUE,
    Facts,
    Fail,
    Link,
    Part,
    choice,
    comparison,
    computed,
    either_or_both,
    fact,
    fixed,
    is_text,
    plain,
    postponed,
    remembered,
)

MOST_CHARACTERS = 1000
MOST_NODES = 200
MOST_DEPTH = 32

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_LINE_BREAKS = str.maketrans("\n\r\t\f\v", "     ")


class ExpressionError(BattleboardError):
    """A formula that cannot be understood, or not be worked out. `column` counts from 0 within `text`."""

    def __init__(self, message: str, column: int, text: str = "") -> None:
        self.message = message
        self.column = column
        self.text = text
        super().__init__(f"{text!r}, character {column + 1}: {message}." if text else f"{message}.")


class Expression(Struct, frozen=True):
    """A compiled formula. Two are equal when their texts are."""

    text: str
    names: frozenset[str]
    """The facts it may ask for."""
    part: Part

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Expression) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def evaluate(self, facts: Facts) -> Value:
        """Its value for these facts.

        Raises:
            ExpressionError: division by zero, computing with a text, a number past ±10^9, or a fact without a value.
        """
        return plain(self.part.run(facts))

    def settled(self, facts: Facts, left_open: Collection[str]) -> Expression:
        """The same formula for facts of which only those left open may yet be others; it keeps its text.

        What comes out the same whatever these are is worked out now, so it is quicker and asks for less.
        """
        if self.part.is_fixed:
            return self
        part = self.part.settled(facts, left_open)
        return self if part is self.part else Expression(self.text, part.names, part)

    def remembered(self) -> Expression:
        """The same formula, which works nothing out twice for the same values of all that it asks for."""
        return Expression(self.text, self.names, remembered(self.part))

    @property
    def is_fixed(self) -> bool:
        """Whether it comes to one value, whatever the facts."""
        return self.part.is_fixed

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        """Kept as its text, for closures cannot be kept."""
        if self.part.is_fixed:
            return settled_on, (self.text, self.names, self.evaluate({}))
        return understood, (self.text, self.names, self.part.size)


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
        names: the facts that may be asked for, dotted as they are written (`target.posture`).

    Raises:
        ExpressionError: the text is no formula, is too large, or asks for what does not exist.

    >>> formula = compile_expression("-30 if distance <= 2 else 0", {"distance"})
    >>> formula.evaluate({"distance": 2}), sorted(formula.names)
    (-30, ['distance'])
    """
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"a formula has at most {MOST_CHARACTERS} characters", MOST_CHARACTERS, text[:40] + "…")
    compiler = _Compiler(text, names if isinstance(names, AbstractSet | Mapping) else frozenset(names))
    part = compiler.compiled(compiler.parsed(), 1)
    return Expression(text.strip(), part.names, part)


def understood(text: str, names: frozenset[str], size: int) -> Expression:
    """The formula of a text that has been understood before, as `compile_expression` gave it.

    Args:
        text: of the formula.
        names: the facts it asks for.
        size: the parts it has; it is made of them only when it is first asked.
    """
    return Expression(text, names, postponed(names, lambda: compile_expression(text, names).part, size))


def settled_on(text: str, names: frozenset[str], value: Value) -> Expression:
    """The formula of a text that always comes to this value."""
    return Expression(text, names, fixed(value))


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
    while at < len(text):
        if text.startswith(("{{", "}}"), at):
            literal, at = literal + text[at], at + 2
        elif text[at] == "}":
            raise ExpressionError("a } without its {; write }} for a brace", at, text)
        elif text[at] == "{":
            end = _closing_brace(text, at)
            if literal:
                parts.append(literal)
            literal = ""
            try:
                parts.append(compile_expression(text[at + 1 : end], known))
            except ExpressionError as error:
                raise ExpressionError(error.message, at + 1 + error.column, text) from error
            at = end + 1
        else:
            literal, at = literal + text[at], at + 1
    if literal:
        parts.append(literal)
    asked = frozenset[str]().union(*(part.names for part in parts if isinstance(part, Expression)))
    return Template(text, asked, tuple(parts))


def constant(value: Value) -> Expression:
    """The formula that is always `value`; equal to the one compiled from its own text."""
    always = plain(value)
    return Expression(_literal(always), frozenset(), fixed(always))


def shown(value: Value) -> str:
    """A value as a text shows it: whole numbers plainly, others with one decimal, "yes" and "no", texts as they are."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        tenths = round_half_up(abs(value) * 10)
        sign = "-" if value < 0 and tenths else ""
        return f"{sign}{tenths // 10}" + (f".{tenths % 10}" if tenths % 10 else "")
    return str(value)


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


_ARITHMETIC: dict[type[ast.operator], Callable[..., Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: Fraction,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}

WHOLE_QUOTIENTS: dict[str, Callable[..., Number]] = {
    "floor": operator.floordiv,
    "ceil": lambda left, right: -(-left // right),
}
"""A quotient rounded, without a fraction on the way."""

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class _Compiler:
    """One formula on its way from text to closures."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        self.text = text
        self.known = known
        self.nodes = 0
        self.line = text.translate(_LINE_BREAKS).lstrip(" ")
        self.start = len(text) - len(self.line)

    def parsed(self) -> ast.expr:
        for sign in "#\\":
            if sign in self.text:
                raise ExpressionError(f"{sign} has no meaning in a formula", self.text.index(sign), self.text)
        if not self.line.strip():
            raise ExpressionError("expected a formula, found nothing", 0, self.text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                return ast.parse(self.line, mode="eval").body
        except SyntaxError as error:
            raise self.syntax_error(error) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise ExpressionError("this is no formula", 0, self.text) from error

    def syntax_error(self, error: SyntaxError) -> ExpressionError:
        """The parser's complaint in our words: it knows of Python's statements, which would mislead here."""
        if error.offset == 0:
            return ExpressionError("the formula stops too early", len(self.text.rstrip()), self.text)
        column = self.start + max(0, min((error.offset or 1) - 1, len(self.line) - 1))
        message = "this is no formula"
        if re.search(r"(?<![=<>!])=(?!=)", self.line):
            message += "; compare with =="
        elif not error.msg.startswith("invalid syntax"):
            message += f"; {error.msg}"
        return ExpressionError(message, column, self.text)

    def compiled(self, node: ast.expr, depth: int) -> Part:
        self.nodes += 1
        if depth > MOST_DEPTH:
            raise self.error(f"a formula nests at most {MOST_DEPTH} deep", node)
        if self.nodes > MOST_NODES:
            raise self.error(f"a formula has at most {MOST_NODES} parts", node)
        fail = self.fail(node)
        match node:
            case ast.Constant():
                return fixed(self.constant(node))
            case ast.Name() | ast.Attribute():
                return fact(self.fact(node), fail)
            case ast.BoolOp(op, values):
                parts = [self.operand(part, depth + 1) for part in values]
                return either_or_both(isinstance(op, ast.And), parts, fail)
            case ast.UnaryOp(ast.Not(), operand):
                return choice(self.operand(operand, depth + 1), fixed(False), fixed(True), fail)
            case ast.UnaryOp(ast.USub(), operand):
                return computed([self.operand(operand, depth + 1)], lambda value: -value, fail)
            case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
                sides = [self.operand(left, depth + 1), self.operand(right, depth + 1)]
                return computed(sides, _ARITHMETIC[type(op)], fail)
            case ast.Compare():
                return self.comparison(node, depth)
            case ast.IfExp(test, body, orelse):
                yes, no = (self.compiled(part, depth + 1) for part in (body, orelse))
                return choice(self.operand(test, depth + 1), yes, no, fail)
            case ast.Call():
                return self.call(node, depth)
            case _:
                raise self.error("expected numbers, texts, facts, + - * / // %, comparisons, and, or, not, if", node)

    def operand(self, node: ast.expr, depth: int) -> Part:
        """A part to compute with or to decide by, so no text."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            raise self.error(is_text(node.value), node)
        return self.compiled(node, depth)

    def constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool | str):
            return value
        written = self.line.encode()[node.col_offset : node.end_col_offset].decode()  # it counts bytes
        if not isinstance(value, int | float) or not _NUMBER.fullmatch(written):
            raise self.error("write numbers in plain digits, like 12 or 0.5", node)
        number = plain(Fraction(written))
        if cast(Number, number) > MOST_VALUE:
            raise self.error(f"numbers go up to {MOST_VALUE}", node)
        return number

    def fact(self, node: ast.Name | ast.Attribute) -> str:
        """The name of a fact that may be asked for."""
        name = self.dotted(node)
        if name in self.known:
            return name
        if name in FUNCTIONS:
            raise self.error(f"{name} is a function: write {name}(…)", node)
        near = near_fact(name, self.known)
        hint = f"; did you mean {near!r}?" if near else ""
        raise self.error(f"no fact is called {name!r}{hint}", node)

    def dotted(self, node: ast.expr) -> str:
        words: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            words.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            raise self.error("only names can be joined by a dot", node)
        return ".".join([inner.id, *reversed(words)])

    def call(self, node: ast.Call, depth: int) -> Part:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            near = near_miss(name, FUNCTIONS)
            hint = f"; did you mean {near!r}?" if near else f"; there are {', '.join(FUNCTIONS)}"
            raise self.error(f"no function is called {name or 'this'!r}{hint}", node)
        work, least, most = FUNCTIONS[name]
        if node.keywords or not least <= len(node.args) <= most:
            count = f"{least}" if least == most else f"at least {least}"
            raise self.error(f"{name} takes {count} value{'' if count == '1' else 's'}", node)
        match node.args:
            case [ast.BinOp(left, ast.Div(), right)] if name in WHOLE_QUOTIENTS:
                sides = [self.operand(side, depth + 2) for side in (left, right)]
                return computed(sides, WHOLE_QUOTIENTS[name], self.fail(node))
        if name in OF_TEXTS:
            return computed(
                [self.compiled(part, depth + 1) for part in node.args], work, self.fail(node), of_texts=True
            )
        return computed([self.operand(part, depth + 1) for part in node.args], work, self.fail(node))

    def comparison(self, node: ast.Compare, depth: int) -> Part:
        """A chain of comparisons."""
        first = self.compiled(node.left, depth + 1)
        links = [self.link(op, part, depth) for op, part in zip(node.ops, node.comparators, strict=True)]
        for op, behind in zip(node.ops, node.comparators[1:], strict=False):
            if isinstance(op, ast.In | ast.NotIn):
                raise self.error("nothing can be compared with a list; join with and", behind)
        return comparison(first, links, self.fail(node))

    def link(self, op: ast.cmpop, part: ast.expr, depth: int) -> Link:
        if isinstance(op, ast.In | ast.NotIn):
            if not isinstance(part, ast.Tuple) or not part.elts:
                raise self.error("expected a list in round brackets after in, like ('prone', 'kneeling')", part)
            is_in = isinstance(op, ast.In)
            choices = tuple(self.compiled(choice, depth + 1) for choice in part.elts)
            return Link(lambda left, right: (left in right) is is_in, choices)
        if type(op) not in _COMPARISONS:
            raise self.error("compare with ==, !=, <, <=, >, >=, in or not in", part)
        return Link(_COMPARISONS[type(op)], self.compiled(part, depth + 1))

    def fail(self, node: ast.expr) -> Fail:
        return lambda message: self.error(message, node)

    def error(self, message: str, node: ast.expr) -> ExpressionError:
        column = len(self.line.encode()[: node.col_offset].decode(errors="ignore"))
        return ExpressionError(message, self.start + column, self.text)
