"""Syntax of formulas: allowed expressions; others are refused with their column."""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

from engine.errors import BattleboardError, near_fact, near_miss
from engine.rules.compiled import MOST_VALUE, is_text, plain
from engine.rules.functions import FUNCTIONS, OF_TEXTS, Number, Value

MOST_CHARACTERS = 1000
MOST_NODES = 200
MOST_DEPTH = 32

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_LINE_BREAKS = str.maketrans("\n\r\t\f\v", "     ")


NUMBER, YES_NO, TEXT = 1, 2, 4
"""Kinds of value, as bits."""
ANY_KIND = NUMBER | YES_NO | TEXT


class ExpressionError(BattleboardError):
    """A formula that cannot be understood, or not be worked out. `column` counts from 0 within `text`."""

    def __init__(self, message: str, column: int, text: str = "") -> None:
        self.message = message
        self.column = column
        self.text = text
        super().__init__(f"{text!r}, character {column + 1}: {message}." if text else f"{message}.")


def kind_of(value: Value) -> int:
    """NUMBER, YES_NO or TEXT."""
    return YES_NO if isinstance(value, bool) else TEXT if isinstance(value, str) else NUMBER


ARITHMETIC: dict[type[ast.operator], Callable[..., Number]] = {
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

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class FormulaChecker:
    """Checker of one formula: its syntax, the facts it reads, and the kinds of value it may have."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        self.text = text
        self.known = known
        self.names: set[str] = set()
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
            raise ExpressionError("this is not a formula", 0, self.text) from error

    def syntax_error(self, error: SyntaxError) -> ExpressionError:
        """The parser's complaint in our words: it knows of Python's statements, which would mislead here."""
        if error.offset == 0:
            return ExpressionError("the formula is incomplete", len(self.text.rstrip()), self.text)
        column = self.start + max(0, min((error.offset or 1) - 1, len(self.line) - 1))
        message = "this is not a formula"
        if re.search(r"(?<![=<>!])=(?!=)", self.line):
            message += "; compare with =="
        elif not error.msg.startswith("invalid syntax"):
            message += f"; {error.msg}"
        return ExpressionError(message, column, self.text)

    def error(self, message: str, node: ast.expr) -> ExpressionError:
        return self.error_at(message, node.col_offset)

    def error_at(self, message: str, byte: int) -> ExpressionError:
        """The error at a byte of the line, by which the parser counts."""
        column = len(self.line.encode()[:byte].decode(errors="ignore"))
        return ExpressionError(message, self.start + column, self.text)

    def constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool | str):
            return value
        written = self.line.encode()[node.col_offset : node.end_col_offset].decode()  # it counts bytes
        if not isinstance(value, int | float) or not _NUMBER.fullmatch(written):
            raise self.error("write numbers in plain digits, like 12 or 0.5", node)
        number = value if isinstance(value, int) else plain(Fraction(written))
        if cast(Number, number) > MOST_VALUE:
            raise self.error(f"numbers go up to {MOST_VALUE}", node)
        return number

    def dotted(self, node: ast.expr) -> str:
        words: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            words.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            raise self.error("only names can be joined by a dot", node)
        return ".".join([inner.id, *reversed(words)]) if words else inner.id

    def checked(self, node: ast.expr, depth: int) -> int:
        """The kinds of a part."""
        self.nodes += 1
        if depth > MOST_DEPTH:
            raise self.error(f"a formula nests at most {MOST_DEPTH} deep", node)
        if self.nodes > MOST_NODES:
            raise self.error(f"a formula has at most {MOST_NODES} parts", node)
        match node:
            case ast.Name() | ast.Attribute():
                return self.fact(node)
            case ast.Constant():
                return kind_of(self.constant(node))
            case ast.Compare():
                return self.comparison(node, depth)
            case ast.BoolOp(_, values):
                return self.operands(values, depth)
            case ast.UnaryOp(ast.Not(), operand):
                self.operands([operand], depth)
                return YES_NO
            case ast.UnaryOp(ast.USub(), operand):
                self.operands([operand], depth)
                return NUMBER
            case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
                self.operands([left, right], depth)
                return NUMBER
            case ast.IfExp(test, body, orelse):
                kinds = self.checked(body, depth + 1) | self.checked(orelse, depth + 1)
                self.operands([test], depth)
                return kinds
            case ast.Call():
                return self.call(node, depth)
            case _:
                raise self.error("expected numbers, texts, facts, + - * / // %, comparisons, and, or, not, if", node)

    def operands(self, nodes: Sequence[ast.expr], depth: int) -> int:
        """All kinds of parts to compute with or to decide by, which are no texts."""
        kinds = 0
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                raise self.error(is_text(node.value), node)
            kinds |= self.checked(node, depth + 1)
        return kinds

    def fact(self, node: ast.Name | ast.Attribute) -> int:
        """The kind of a fact that may be asked for."""
        name = self.dotted(node)
        if name in self.known:
            self.names.add(name)
            return kind_of(self.known[name]) if isinstance(self.known, Mapping) else ANY_KIND
        if name in FUNCTIONS:
            raise self.error(f"{name} is a function: write {name}(…)", node)
        near = near_fact(name, self.known)
        hint = f"; did you mean {near!r}?" if near else ""
        raise self.error(f"no fact is called {name!r}{hint}", node)

    def call(self, node: ast.Call, depth: int) -> int:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in FUNCTIONS:
            near = near_miss(name, FUNCTIONS)
            hint = f"; did you mean {near!r}?" if near else f"; there are {', '.join(FUNCTIONS)}"
            raise self.error(f"no function is called {name or 'this'!r}{hint}", node)
        _, least, most = FUNCTIONS[name]
        if node.keywords or not least <= len(node.args) <= most:
            count = f"{least}" if least == most else f"at least {least}"
            raise self.error(f"{name} takes {count} value{'' if count == '1' else 's'}", node)
        match node.args:
            case [ast.BinOp(left, ast.Div(), right)] if name in WHOLE_QUOTIENTS:
                self.operands([left, right], depth + 1)
                return NUMBER
        if name in OF_TEXTS:
            for part in node.args:
                self.checked(part, depth + 1)
            return NUMBER | TEXT
        kinds = self.operands(node.args, depth)
        return TEXT if name == "percent" else NUMBER | kinds & YES_NO

    def comparison(self, node: ast.Compare, depth: int) -> int:
        """A chain of comparisons."""
        self.checked(node.left, depth + 1)
        for op, part in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if not isinstance(part, ast.Tuple) or not part.elts:
                    raise self.error("expected a list in round brackets after in, like ('prone', 'kneeling')", part)
                for choice in part.elts:
                    self.checked(choice, depth + 1)
            elif type(op) in COMPARISONS:
                self.checked(part, depth + 1)
            else:
                raise self.error("compare with ==, !=, <, <=, >, >=, in or not in", part)
        for op, behind in zip(node.ops, node.comparators[1:], strict=False):
            if isinstance(op, ast.In | ast.NotIn):
                raise self.error("nothing can be compared with a list; join with and", behind)
        return YES_NO
