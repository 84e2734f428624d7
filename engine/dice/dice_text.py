"""Numbers, chances and dice in words: "+10", "59 %", "14 + 9 = 23", "18 and 3 (typed)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import floor

from engine.dice.sources import Roll, describe

Number = int | Fraction
SUM_OF_DICE = re.compile(r"\d+d\d+([+-]\d+)?")


def signed(value: Number) -> str:
    """A modifier with its sign: "+10", "−20", "0"."""
    if not value:
        return "0"
    return f"{'+' if value > 0 else '−'}{number(abs(Fraction(value)))}"


def number(value: Number) -> str:
    """A plain number, fractions as decimals.

    >>> number(12), number(Fraction(-5, 2))
    ('12', '−2.5')
    """
    value = Fraction(value)
    return (str(value) if value.denominator == 1 else f"{float(value):g}").replace("-", "−")


def percent(chance: Fraction) -> str:
    """A chance for people: "59 %", "0.5 %"; never 0 or 100 unless it is that exactly.

    >>> percent(Fraction(59, 100)), percent(Fraction(1, 3)), percent(Fraction(1, 200))
    ('59 %', '33.3 %', '0.5 %')
    """
    shown = f"{float(chance * 100):.1f}".removesuffix(".0")
    if chance and shown == "0":
        shown = "<0.1"
    if chance < 1 and shown == "100":
        shown = ">99.9"
    return f"{shown} %"


def whole_percent(chance: Fraction) -> str:
    """A chance in whole per cent, halves up, "<1 %" and ">99 %" where that would say never or always.

    >>> whole_percent(Fraction(169, 200)), whole_percent(Fraction(1, 1000)), whole_percent(Fraction(0))
    ('85 %', '<1 %', '0 %')
    """
    points = floor(chance * 100 + Fraction(1, 2))
    return "<1 %" if chance and not points else ">99 %" if chance < 1 and points == 100 else f"{points} %"


def percents(chances: Sequence[Fraction]) -> list[str]:
    """Chances of all outcomes, which sum to 1, each in per cent so that they add up to 100: by largest remainders.

    >>> percents([Fraction(1, 3)] * 3), percents([Fraction(1, 6), Fraction(5, 6)])
    (['33.4 %', '33.3 %', '33.3 %'], ['16.7 %', '83.3 %'])
    """
    tenths = [int(chance * 1000) for chance in chances]
    by_remainder = sorted(range(len(chances)), key=lambda one: tenths[one] - chances[one] * 1000)
    for one in by_remainder[: round(sum(chances) * 1000) - sum(tenths)]:
        tenths[one] += 1
    return [
        percent(Fraction(whole, 1000) if 0 < whole < 1000 else chance)
        for whole, chance in zip(tenths, chances, strict=True)
    ]


def sum_words(roll: Roll, bonus: Number = 0) -> str:
    """Dice and a bonus added up: "14 + 9 = 23", "3 + 4 (typed) + 1 = 8", "71".

    >>> from engine.dice.sources import DieFace
    >>> sum_words(Roll("1d20", 14, (DieFace(20, 14, "kept"),)), 9), sum_words(Roll("1d100", 71, (), is_typed=True))
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


def one_by_one(roll: Roll) -> str:
    """Dice that are never added up: "18 and 3 (typed)"."""
    return f"{' and '.join(str(face.value) for face in roll.faces)}{_typed(roll)}"


def _typed(roll: Roll) -> str:
    return " (typed)" if roll.is_typed else ""
