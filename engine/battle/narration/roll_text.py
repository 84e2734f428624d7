"""Rolls in words: the result against the number needed."""

from __future__ import annotations

import re

from engine.battle import events as ev
from engine.dice.dice_text import number, one_by_one, signed, sum_words
from engine.dice.sources import NO_ROLL, Roll, describe, separate_dice
from engine.rules.model import Ruleset
from engine.text import lower_first

CHECK = re.compile(r"([-−]?\d+) or (less|more)(?: (.+))?")
"""What dice of a check are up against, as rulesets write it: "45 or less", "14 or more halves it"."""


def result_words(event: ev.AttackRolled, rules: Ruleset) -> str:
    """Result of an attack roll: "rolled 14 + 9 = 23 vs 17: hit"; the grade alone where nothing was rolled."""
    grade = event.grade_label
    return (
        grade if event.roll == NO_ROLL else f"{rules.attack.test.result_text(event.roll, event)}: {lower_first(grade)}"
    )


def check_words(label: str, roll: Roll, against: str = "") -> str:
    """Result of any other roll: "Dodge: rolled 20 vs 45: success", "Damage: 2d6 (3, 4) = 7".

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
    """An initiative roll: "7 + 4 = 11"; where dice are read one by one, the score and then the dice.

    Args:
        event: the roll.
        is_apart: dice are read one by one.
        is_under: and each has to stay under the bonus, which is added to nothing: "5 (5 and 13 vs 10)".
    """
    if is_apart and is_under:
        return f"{number(event.total)} ({one_by_one(event.roll)} vs {number(event.bonus)})"
    if is_apart or event.roll.total + event.bonus != event.total:
        dice = separate_dice(event.roll) if is_apart else sum_words(event.roll)
        return f"{number(event.total)} ({dice}{f', {signed(event.bonus)}' if event.bonus else ''})"
    return sum_words(event.roll, event.bonus)
