"""Dice expressions as people write them: `2d6+2`, `4d6kh3`, `d%`, `d8!`, `2d20dl1`, `d6r1`, `max(1, d6-2)`, `5`.

Decides what such a text means, once, as a small tree. Rolls nothing and knows no odds: `sources` walks the tree with
dice, `distributions` with exact chances.

After `NdS`, in any order and each at most once: `kh` `kl` `dh` `dl` and a number (keep or drop the highest or lowest,
1 when no number is given); `!` (a die that shows its highest face is thrown again and added, up to 20 times, `!3` up
to 3 times); `r` or `ro` and faces (`r1`, `r<3`, `ro>=9`: throw such a die again until it shows another face, or once).
A die with its further throws counts as one die when dice are kept or dropped. `//` rounds down, `×` is `*`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from engine.errors import BattleboardError

MOST_CHARACTERS = 200
MOST_DICE = 1000
MOST_SIDES = 1000
MOST_EXPLOSIONS = 20
MOST_VALUE = 10**9
MOST_DEPTH = 32

_DICE = re.compile(r"([0-9]*)[dD](%|[0-9]*)")
_NUMBER = re.compile(r"[0-9]+")
_EXTREME = re.compile(r"(min|max)\s*\(", re.IGNORECASE | re.ASCII)
_KEEP = re.compile(r"([kdKD][hlHL])([0-9]*)")
_EXPLODE = re.compile(r"!([0-9]*)")
_REROLL = re.compile(r"([rR][oO]?)(<=|>=|<|>|=)?([0-9]*)")
_BLANK = re.compile(r"[ \t]*")


class DiceError(BattleboardError):
    """A text that is not a dice expression. `column` counts from 0; `message` says what was expected there."""

    def __init__(self, message: str, column: int, text: str) -> None:
        self.message = message
        self.column = column
        self.text = text
        super().__init__(f"{text[:MOST_CHARACTERS]!r} is not a dice expression; character {column + 1}: {message}.")


class Constant(Struct, frozen=True):
    """A plain whole number."""

    value: int


class DiceThrow(Struct, frozen=True):
    """Some equal dice thrown together.

    `kept` is the slice (first, end) of the dice, sorted from low to high, that counts. `rerolled` holds the faces that
    are thrown again, once or until another one shows; `explosions` is how often a highest face adds another throw.
    """

    count: int
    sides: int
    kept: tuple[int, int]
    explosions: int = 0
    rerolled: range = range(0)
    reroll_once: bool = False


class Operation(Struct, frozen=True):
    """Two parts joined by `+`, `-`, `*` or `//`."""

    sign: str
    left: Node
    right: Node


class Extreme(Struct, frozen=True):
    """The least (`min`) or greatest (`max`) of several parts."""

    kind: str
    parts: tuple[Node, ...]


Node = Constant | DiceThrow | Operation | Extreme


class Dice(Struct, frozen=True):
    """A dice expression: its text, its tree, the least and greatest total it can give, and how many dice it throws."""

    text: str
    root: Node
    lowest: int
    highest: int
    count: int

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=1024)
def parse_dice(text: str) -> Dice:
    """The expression that `text` writes, blanks around it ignored.

    Raises:
        DiceError: it is none, or it is past a limit (200 characters, 1000 dice of at most 1000 sides each).

    >>> dice = parse_dice("4d6kh3 + 2")
    >>> dice.lowest, dice.highest, dice.count
    (5, 20, 4)
    """
    return _DiceParser(text).whole()


class _DiceParser:
    """One reading of one text, from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.count = 0

    def whole(self) -> Dice:
        if len(self.text) > MOST_CHARACTERS:
            raise DiceError(f"at most {MOST_CHARACTERS} characters are allowed", MOST_CHARACTERS, self.text)
        root = self.sum()
        if self.at < len(self.text):
            raise self.expected("one of + - * // or the end")
        lowest, highest = bounds(root)
        return Dice(self.text.strip(), root, lowest, highest, self.count)

    def sum(self) -> Node:
        left = self.product()
        while sign := self.sign("+", "-"):
            left = self.joined(sign, left, self.product())
        return left

    def product(self) -> Node:
        left = self.part()
        while sign := self.sign("//", "*", "×"):
            left = self.joined("*" if sign == "×" else sign, left, self.part())
        return left

    def part(self) -> Node:
        self.skip_blanks()
        start = self.at
        if self.sign("-", "+"):
            is_negative = self.text[start] == "-"
            inner = self.nested(self.part)
            return self.joined("-", Constant(0), inner) if is_negative else inner
        if self.sign("("):
            inner = self.nested(self.sum)
            self.close()
            return inner
        if found := self.match(_EXTREME):
            parts = [self.nested(self.sum)]
            while self.sign(","):
                parts.append(self.nested(self.sum))
            self.close()
            return Extreme(found[1].lower(), tuple(parts))
        if found := self.match(_DICE):
            return self.throw(start, found[1], found[2])
        if found := self.match(_NUMBER):
            return Constant(self.number(found[0], start, 0, MOST_VALUE, "a number"))
        raise self.expected("dice like 2d6, a number or (")

    def throw(self, start: int, count_text: str, sides_text: str) -> DiceThrow:
        if not sides_text:
            raise self.expected("the number of sides, or %")
        count = self.number(count_text, start, 1, MOST_DICE, "the number of dice") if count_text else 1
        sides_at = self.at - len(sides_text)
        sides = 100 if sides_text == "%" else self.number(sides_text, sides_at, 1, MOST_SIDES, "the number of sides")
        self.count += count
        if self.count > MOST_DICE:
            raise DiceError(f"at most {MOST_DICE} dice are allowed", start, self.text)
        kept_range, explosions, rerolled, once = (0, count), 0, range(0), False
        said: set[str] = set()
        while True:
            at = self.at
            if found := _KEEP.match(self.text, at):
                self.refuse_repeated("keep or drop", said)
                kept_range = self.kept_places(found[1].lower(), found[2], count, found.start(2))
            elif found := _EXPLODE.match(self.text, at):
                self.refuse_repeated("!", said)
                explosions = MOST_EXPLOSIONS
                if found[1]:
                    explosions = self.number(found[1], at + 1, 1, MOST_EXPLOSIONS, "the number of explosions")
                if sides == 1:
                    raise DiceError("a die with one side would explode forever", at, self.text)
            elif found := _REROLL.match(self.text, at):
                self.refuse_repeated("r or ro", said)
                once = len(found[1]) == 2
                rerolled = self.rerolled(found[2] or "=", found[3], sides, found.start(3))
                if not once and len(rerolled) == sides:
                    raise DiceError("every face would be rerolled forever", at, self.text)
            else:
                return DiceThrow(count, sides, kept_range, explosions, rerolled, once)
            self.at = found.end()

    def refuse_repeated(self, what: str, said: set[str]) -> None:
        if what in said:
            raise DiceError(f"{what} appears twice for the same dice", self.at, self.text)
        said.add(what)

    def kept_places(self, word: str, digits: str, count: int, at: int) -> tuple[int, int]:
        if word[0] == "k":
            number = self.number(digits or "1", at, 1, count, "the number of dice kept")
        else:
            number = count - self.number(digits or "1", at, 0, count - 1, "the number of dice dropped")
        is_high = word in ("kh", "dl")
        return (count - number, count) if is_high else (0, number)

    def rerolled(self, comparison: str, digits: str, sides: int, at: int) -> range:
        if not digits:
            raise DiceError("expected a face to reroll, like r1 or r<3", at, self.text)
        face = self.number(digits, at, 1, sides, "the face")
        ranges = {
            "=": range(face, face + 1),
            "<": range(1, face),
            "<=": range(1, face + 1),
            ">": range(face + 1, sides + 1),
            ">=": range(face, sides + 1),
        }
        return ranges[comparison] or range(0)

    def joined(self, sign: str, left: Node, right: Node) -> Node:
        """The operation, refused where it could divide by zero or grow past all bounds."""
        if sign == "//":
            low, high = bounds(right)
            if low <= 0 <= high:
                raise DiceError("the divisor could be 0", self.at, self.text)
        node = Operation(sign, left, right)
        low, high = bounds(node)
        if max(-low, high) > MOST_VALUE:
            raise DiceError(f"totals beyond {MOST_VALUE} are not allowed", self.at, self.text)
        return node

    def nested(self, inner: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise DiceError(f"at most {MOST_DEPTH} parts may be nested", self.at, self.text)
        node = inner()
        self.depth -= 1
        return node

    def number(self, digits: str, at: int, least: int, most: int, what: str) -> int:
        value = int(digits)
        if not least <= value <= most:
            raise DiceError(f"{what} must be {least} to {most}", at, self.text)
        return value

    def close(self) -> None:
        if not self.sign(")"):
            raise self.expected(")")

    def sign(self, *signs: str) -> str:
        """The first of `signs` that stands here, passed over with the blanks behind it; "" when none does."""
        self.skip_blanks()
        for sign in signs:
            if self.text.startswith(sign, self.at):
                self.at += len(sign)
                self.skip_blanks()
                return sign
        return ""

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        if found := pattern.match(self.text, self.at):
            self.at = found.end()
        return found

    def skip_blanks(self) -> None:
        blanks = _BLANK.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at

    def expected(self, what: str) -> DiceError:
        found = repr(self.text[self.at]) if self.at < len(self.text) else "the end"
        return DiceError(f"expected {what}, found {found}", self.at, self.text)


def faces_left(throw: DiceThrow) -> tuple[int, ...]:
    """The faces that one of its dice can show, from low to high."""
    if throw.reroll_once:
        return tuple(range(1, throw.sides + 1))
    return tuple(face for face in range(1, throw.sides + 1) if face not in throw.rerolled)


def bounds(node: Node) -> tuple[int, int]:
    """The least and the greatest total."""
    match node:
        case Constant(value):
            return value, value
        case DiceThrow():
            faces = faces_left(node)
            low, high = faces[0], faces[-1]
            if node.explosions and high == node.sides:
                high = node.sides * (node.explosions + 1)
                low = high if len(faces) == 1 else low
            dice_counted = node.kept[1] - node.kept[0]
            return dice_counted * low, dice_counted * high
        case Operation(sign, left, right):
            lefts, rights = bounds(left), bounds(right)
            corners = [combined(sign, a, b) for a in lefts for b in rights]
            return min(corners), max(corners)
        case Extreme(kind, parts):
            pick = min if kind == "min" else max
            spans = [bounds(part) for part in parts]
            return pick(low for low, _ in spans), pick(high for _, high in spans)


def combined(sign: str, left: int, right: int) -> int:
    """Result of an operation on two totals; `//` rounds down."""
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left // right
