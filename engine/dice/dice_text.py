"""Numbers, chances and dice in words: "+10", "59 %", "14 + 9 = 23", "18 and 3 (typed)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import floor

from engine.dice.sources import Roll, describe

Number = int | Fraction
HALF = Fraction(1, 2)
SMALL = Fraction(1, 10)
"""A chance below this is shown with a decimal."""
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
    """A chance for people: in whole per cent, below 10 % with one decimal; never 0 or 100 unless it is that exactly.

    This is the one place that says how chances are written, on the screen, in reports and in the log.

    >>> percent(Fraction(59, 100)), percent(Fraction(1, 3)), percent(Fraction(9, 200)), percent(Fraction(1, 20))
    ('59 %', '33 %', '4.5 %', '5 %')
    >>> percent(Fraction(0)), percent(Fraction(1, 9999)), percent(Fraction(9999, 10000)), percent(Fraction(1))
    ('0 %', '<0.1 %', '>99 %', '100 %')
    """
    tenths = floor(chance * 1000 + HALF)
    if chance < SMALL and tenths < 100:
        return f"{number(Fraction(tenths, 10))} %" if tenths or not chance else "<0.1 %"
    points = floor(chance * 100 + HALF)
    return ">99 %" if chance < 1 and points == 100 else f"{points} %"


def signed_percent(change: Fraction) -> str:
    """A change of a chance, written as chances are: "+10 %", "−4.5 %", "0 %"."""
    return f"{'+' if change > 0 else ''}{percent_points(change)}"


def percent_points(difference: Fraction) -> str:
    """A difference of chances that is no change, with no sign above 0: "10 %", "−4.5 %", "0 %"."""
    return f"{'−' if difference < 0 else ''}{percent(abs(difference))}"


def percents(chances: Sequence[Fraction]) -> list[str]:
    """Chances of all outcomes, which sum to 1, each as `percent` writes it; whole ones by largest remainders.

    So whole per cents add up to 100, and with decimals among them to 100 as nearly as whole per cents can.

    >>> percents([Fraction(1, 3)] * 3), percents([Fraction(1, 6), Fraction(5, 6)])
    (['34 %', '33 %', '33 %'], ['17 %', '83 %'])
    >>> percents([Fraction(1, 400), Fraction(38, 400), Fraction(361, 400)])
    ['0.3 %', '9.5 %', '90 %']
    """
    small = [chance for chance in chances if chance < SMALL]
    whole = {at: floor(chance * 100) for at, chance in enumerate(chances) if chance >= SMALL}
    left = floor(100 * (1 - sum(small)) + HALF) - sum(whole.values())
    for at in sorted(whole, key=lambda at: whole[at] - chances[at] * 100)[:left]:
        whole[at] += 1
    return [
        percent(Fraction(whole[at], 100) if at in whole and whole[at] < 100 else chance)
        for at, chance in enumerate(chances)
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
