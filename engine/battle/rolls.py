"""Rolls in words: what to roll before the dice fall, and afterwards what they came to against the number needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Protocol

from engine.battle import events as ev
from engine.dice.distributions import single_dice
from engine.dice.sources import NO_ROLL, Roll, apart, describe
from engine.rules.model import Ruleset, Test
from engine.values import Number

CHECK = re.compile(r"([-−]?\d+) or (less|more)(?: (.+))?")
"""What dice of a check are up against, as rulesets write it: "45 or less", "14 or more halves it"."""
SUM_OF_DICE = re.compile(r"\d+d\d+([+-]\d+)?")


class Reckoned(Protocol):
    """What the ledger of an attack comes to."""

    @property
    def total(self) -> Number: ...

    @property
    def target_number(self) -> Number: ...

    @property
    def beats(self) -> Number: ...


def signed(value: Number) -> str:
    """A modifier with its sign: "+10", "−20", "0"."""
    if not value:
        return "0"
    return f"{'+' if value > 0 else '−'}{number(abs(Fraction(value)))}"


def number(value: Number) -> str:
    """A plain number, fractions as decimals."""
    value = Fraction(value)
    return str(value).replace("-", "−") if value.denominator == 1 else f"{float(value):g}"


def what_to_roll(rules: Ruleset, what: Reckoned, hit: Fraction) -> str:
    """What the dice have to show: "1d100 under 60", "1d20 +3, 13 or more", "2d20: 3 to 7 on either die hits".

    Args:
        rules: the ruleset.
        what: the attack's ledger.
        hit: the chance to hit, which tells where only the highest face hits or only the lowest misses.
    """
    test, needed = rules.test, number(what.target_number)
    dice = test.dice.text
    if test.kind == "each-under":
        span = _span(test, what)
        if span is None:
            return f"{dice}: no die can hit"
        low, high = span
        faces = _with_article(high) if low == high else f"{low} to {high}" if low else f"{high} or less"
        return f"{dice}: {faces} on {'either die' if test.dice.count == 2 else 'any die'} hits"
    if test.is_under:
        return f"{dice} {'at most' if test.equal_succeeds else 'under'} {needed}"
    least = what.target_number - what.total + (0 if test.equal_succeeds else 1)
    if single_dice(test.dice) == (test.dice.highest,):
        face = Fraction(1, test.dice.highest)
        if least >= test.dice.highest and hit == face:
            return f"needs a natural {test.dice.highest}"
        if least <= 1 and hit == 1 - face:
            return "misses only on a natural 1"
    bonus = f" {signed(what.total)}" if what.total else ""
    return f"{dice}{bonus}, {f'{needed} or more' if test.equal_succeeds else f'more than {needed}'}"


def result_words(event: ev.AttackRolled, rules: Ruleset) -> str:
    """What an attack's dice came to: "rolled 14 + 9 = 23 vs 17: hit"; the grade alone where nothing was rolled."""
    grade = event.grade_label
    if event.roll == NO_ROLL:
        return grade
    test, needed = rules.test, number(event.target_number)
    if test.kind == "each-under":
        dice = _one_by_one(event.roll)
        span = _span(test, event)
        if span is None:
            return f"rolled {dice}, no die can hit: {_lower(grade)}"
        low, high = max(span[0], 1), span[1]
        return f"rolled {dice} vs {high if low == high else f'{low}–{high}'}: {_lower(grade)}"
    bonus = 0 if test.is_under else event.total
    is_equal = event.roll.total + bonus == event.target_number and not test.equal_succeeds
    note = f" ({'under' if test.is_under else 'more than'} {needed} is needed)" if is_equal else ""
    return f"rolled {sum_words(event.roll, bonus)} vs {needed}{note}: {_lower(grade)}"


def check_words(label: str, roll: Roll, against: str) -> str:
    """What dice for anything else came to: "Dodge: rolled 20 vs 45: success", "Damage: 2d6 (3, 4) = 7".

    Args:
        label: what was rolled.
        roll: the dice.
        against: what they were up against, in words; "" where nothing says so.
    """
    check = CHECK.fullmatch(against)
    if check is None:
        return f"{label}{f', {against}' if against else ''}: {describe(roll)}"
    needed = int(check[1].replace("−", "-"))
    is_success = roll.total <= needed if check[2] == "less" else roll.total >= needed
    means = check[3] or ""
    if means.startswith("is "):
        came_to = f"{'' if is_success else 'no '}{means.removeprefix('is ')}"
    else:
        came_to = f"success{f', {means}' if means else ''}" if is_success else "failure"
    return f"{label}: rolled {sum_words(roll)} vs {check[1]}: {came_to}"


def initiative_words(event: ev.InitiativeRolled, *, is_apart: bool, is_under: bool = False) -> str:
    """What was rolled for the order: "7 + 4 = 11"; where dice are read one by one, the score and then these.

    Args:
        event: the roll.
        is_apart: dice are read one by one.
        is_under: and each has to stay under the bonus, which is added to nothing: "5 (5 and 13 vs 10)".
    """
    if is_apart and is_under:
        return f"{number(event.total)} ({_one_by_one(event.roll)} vs {number(event.bonus)})"
    if is_apart or event.roll.total + event.bonus != event.total:
        dice = apart(event.roll) if is_apart else sum_words(event.roll)
        return f"{number(event.total)} ({dice}{f', {signed(event.bonus)}' if event.bonus else ''})"
    return sum_words(event.roll, event.bonus)


def sum_words(roll: Roll, bonus: Number = 0) -> str:
    """Dice and a bonus added up: "14 + 9 = 23", "3 + 4 (typed) + 1 = 8", "71".

    >>> from engine.dice.sources import Face
    >>> sum_words(Roll("1d20", 14, (Face(20, 14, "kept"),)), 9), sum_words(Roll("1d100", 71, (), is_typed=True))
    ('14 + 9 = 23', '71 (typed)')
    """
    faces = [face.value for face in roll.faces]
    fixed = roll.total - sum(faces)
    parts: Sequence[str] = [number(roll.total)]
    if faces and SUM_OF_DICE.fullmatch(roll.text):
        parts = [number(face) for face in faces]
    elif faces and len(faces) > 1:
        parts, fixed = [f"{number(roll.total)} ({describe(roll).partition(' (')[2].partition(')')[0]})"], 0
    else:
        fixed = 0
    added = "".join(f" {'+' if one > 0 else '−'} {number(abs(Fraction(one)))}" for one in (fixed, bonus) if one)
    total = f" = {number(roll.total + bonus)}" if added or len(parts) > 1 else ""
    return f"{' + '.join(parts)}{_typed(roll)}{added}{total}"


def _one_by_one(roll: Roll) -> str:
    """Dice that are never added up: "18 and 3 (typed)"."""
    return f"{' and '.join(str(face.value) for face in roll.faces)}{_typed(roll)}"


def _typed(roll: Roll) -> str:
    return " (typed)" if roll.is_typed else ""


def _span(test: Test, what: Reckoned) -> tuple[int, int] | None:
    """The lowest and highest face of use where dice are read apart, 0 for no lowest; None where no face is."""
    high = floor(what.target_number) if test.equal_succeeds else ceil(what.target_number) - 1
    low = floor(what.beats) + 1 if what.beats else 0
    sides = single_dice(test.dice) or (high,)
    return (low, min(high, *sides)) if max(low, 1) <= min(high, *sides) else None


def _with_article(face: int) -> str:
    return f"{'an' if face in (8, 11, 18) or 80 <= face < 90 else 'a'} {face}"


def _lower(label: str) -> str:
    """A label in the middle of a sentence; abbreviations stay."""
    return label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"
