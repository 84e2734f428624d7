"""Judging a roll: which grade it comes to, and the exact chance of each grade before it is made.

One function judges; the dice and the odds both go through it, so the chance shown is the chance there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.dice.distributions import distribution
from engine.rules.ledger import Ledger, with_entries
from engine.rules.model import Grade, Number, Ruleset, Value


@dataclass(frozen=True, slots=True)
class Odds:
    """Exact chances of one attack."""

    hit: Fraction
    grades: tuple[tuple[Grade, Fraction], ...]
    """Every grade in the ruleset's order with its chance; they sum to one."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What one entry changes: the chance to hit with it less the chance without it."""

    entry: str
    change: Fraction


def roll_facts(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, roll: int) -> dict[str, Value]:
    """The situation's facts with those of the roll (ROLL_FACTS)."""
    return {**facts, **_of_roll(rules, ledger, ledger.total, roll)}


def _of_roll(rules: Ruleset, ledger: Ledger, total: Number, roll: int) -> dict[str, Value]:
    target = ledger.target_number
    margin = target - roll if rules.test.kind == "roll-under" else roll + total - target
    return {
        "band": ledger.band,
        "roll": roll,
        "total": total,
        "target_number": target,
        "margin": margin,
        "success": margin >= 0 if rules.test.equal_succeeds else margin > 0,
    }


def judge(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, roll: int) -> Grade:
    """The grade that a roll comes to: the first whose condition holds.

    Args:
        facts: the situation.
        ledger: the attack's ledger.
        roll: sum of the dice.
    """
    return _first_grade(rules, roll_facts(rules, facts, ledger, roll))


def grade_of(rules: Ruleset, grade_id: str) -> Grade:
    """The ruleset's grade of that id."""
    return next(grade for grade in rules.grades if grade.id == grade_id)


def _first_grade(rules: Ruleset, known: Mapping[str, Value]) -> Grade:
    return next((grade for grade in rules.grades if grade.when.evaluate(known)), rules.grades[-1])


def odds(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> Odds:
    """Exact chances by going through every roll there is; a forbidden attack never hits."""
    chances = {grade.id: Fraction(0) for grade in rules.grades}
    if ledger.is_possible:
        known, total = dict(facts), ledger.total
        for roll, chance in distribution(rules.test.dice).items():
            known |= _of_roll(rules, ledger, total, roll)
            chances[_first_grade(rules, known).id] += chance
    hit = sum((chances[grade.id] for grade in rules.grades if grade.is_hit), start=Fraction(0))
    return Odds(hit, tuple((grade, chances[grade.id]) for grade in rules.grades))


def worths(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> tuple[Worth, ...]:
    """What each counting entry is worth in chance to hit, in the ledger's order."""
    if not ledger.is_possible:
        return ()
    hit = odds(rules, facts, ledger).hit
    found = []
    for position, entry in enumerate(ledger.entries):
        if not entry.active or not entry.value:
            continue
        without = list(ledger.entries)
        without[position] = replace(entry, active=False)
        found.append(Worth(entry.id, hit - odds(rules, facts, with_entries(rules, facts, ledger, without)).hit))
    return tuple(found)
