"""Judging a roll: which grade it comes to, and the exact chance of each grade before it is made.

One function judges; the dice and the odds both go through it, so the chance shown is the chance there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.dice.distributions import distribution, outcomes, single_dice
from engine.rules.facts import DICE_FACTS
from engine.rules.ledger import Entry, Ledger, with_entries
from engine.rules.model import MOST_STRIKES, Grade, Number, Ruleset, Value
from engine.rules.named import add_roll_facts, all_asked, grades_ask, with_roll_facts
from engine.rules.values import whole_down

NO_DICE = (0,) * len(DICE_FACTS)


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


@dataclass(frozen=True, slots=True)
class Alike:
    """Rolls that nothing can tell apart: their grade, how often they strike, the facts that tell them from others."""

    grade: Grade
    strikes: int
    told: tuple[tuple[str, Value], ...]
    chance: Fraction
    """Of all of them together."""
    roll: int
    """The sum of one of them."""
    dice: tuple[int, ...]
    """What its dice show."""


def roll_facts(
    rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, roll: int, dice: Sequence[int] = ()
) -> dict[str, Value]:
    """The situation's facts with those of the roll: ROLL_FACTS, the single dice, the ruleset's own.

    Args:
        rules: the ruleset.
        facts: the situation.
        ledger: the attack's ledger.
        roll: sum of the dice.
        dice: what each of them shows; may be left out for a single die, and where nothing asks for them.
    """
    if not dice and single_dice(rules.test.dice) == (rules.test.dice.highest,):
        dice = (roll,)
    return with_roll_facts(rules, {**facts, **_of_roll(rules, ledger, ledger.total, roll, dice)})


def _of_roll(rules: Ruleset, ledger: Ledger, total: Number, roll: int, dice: Sequence[int]) -> dict[str, Value]:
    test, target = rules.test, ledger.target_number
    is_equal_enough = test.equal_succeeds
    counted = roll
    if test.kind == "each-under":
        fitting = [die for die in dice if die < target or (is_equal_enough and die == target)]
        counted = max(fitting) if fitting else min(dice)
    margin = target - counted if test.is_under else roll + total - target
    known: dict[str, Value] = {
        **ledger.band_facts,
        "roll": roll,
        "total": total,
        "target_number": target,
        "margin": margin,
        "success": margin >= 0 if is_equal_enough else margin > 0,
    }
    if dice:  # else nothing asks for them
        known |= zip(DICE_FACTS, (*dice, *NO_DICE), strict=False)
    return known


def judge(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, roll: int, dice: Sequence[int] = ()) -> Grade:
    """The grade that a roll comes to: the first whose condition holds.

    Args:
        rules: the ruleset.
        facts: the situation.
        ledger: the attack's ledger.
        roll: sum of the dice.
        dice: what each of them shows, as for `roll_facts`.
    """
    return _first_grade(rules, roll_facts(rules, facts, ledger, roll, dice))


def lesser_grade(
    rules: Ruleset,
    situations: tuple[Mapping[str, Value], Mapping[str, Value]],
    ledger: Ledger,
    rolled: tuple[int, Sequence[int]],
    struck_as: Grade,
) -> Grade:
    """What strikes as one grade, whatever was rolled, comes to after a defence.

    The first grade before its own that holds once somebody has defended and did not hold before; else its own. The roll
    counts as a success in both.

    Args:
        rules: the ruleset.
        situations: the facts before and after the defence.
        ledger: the attack's ledger.
        rolled: sum and faces of the attack's dice.
        struck_as: the grade that it strikes as.
    """
    before, after = (roll_facts(rules, facts, ledger, *rolled) | {"success": True} for facts in situations)
    for grade in rules.grades[: rules.grades.index(struck_as)]:
        if grade.when.evaluate(after) and not grade.when.evaluate(before):
            return grade
    return struck_as


def every_roll(rules: Ruleset, asked: Collection[str]) -> Iterable[tuple[Fraction, int, tuple[int, ...]]]:
    """Every way the attack's dice can fall that makes a difference: its chance, the sum, what each die shows.

    Args:
        rules: the ruleset.
        asked: the facts that will be asked for; sums are enough where no single die is among them.
    """
    test = rules.test
    if test.kind == "each-under" or not set(DICE_FACTS).isdisjoint(asked):
        ways = outcomes(test.dice)
        chance = Fraction(1, len(ways))
        return ((chance, total, dice) for dice, total in ways)
    return ((chance, total, ()) for total, chance in distribution(test.dice).items())


def distinct_rolls(
    rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, wanted: Mapping[str, frozenset[str]]
) -> list[Alike]:
    """The rolls of an attack, those together that nothing can tell apart.

    Args:
        rules: the ruleset.
        facts: the situation.
        ledger: the attack's ledger.
        wanted: by grade, the facts that will be asked for after it.
    """
    asked = grades_ask(rules).union(*wanted.values(), rules.strikes.count.names if rules.strikes else ())
    asked = all_asked(rules.facts, asked)
    own = own_to_roll(rules)
    tell_apart = {grade: tuple(sorted(names & own)) for grade, names in wanted.items()}
    known, total = dict(facts), ledger.total
    found: dict[tuple[str, int, tuple[tuple[str, Value], ...]], Alike] = {}
    for chance, roll, dice in every_roll(rules, asked):
        known |= _of_roll(rules, ledger, total, roll, dice)
        full = add_roll_facts(rules, known, asked)
        grade = _first_grade(rules, full)
        strikes = strikes_of(rules, full, grade)
        full |= {"grade": grade.id, "hit": grade.is_hit}
        told = tuple((name, full[name]) for name in tell_apart[grade.id])
        before = found.get((grade.id, strikes, told))
        total_chance = chance if before is None else before.chance + chance
        found[grade.id, strikes, told] = Alike(grade, strikes, told, total_chance, roll, dice)
    return list(found.values())


def own_to_roll(rules: Ruleset) -> frozenset[str]:
    """The facts that differ from roll to roll of one attack, that of its grade among them."""
    named = (one.id for one in rules.facts if one.after == "roll")
    return frozenset(("roll", "margin", "success", "grade", "hit", *DICE_FACTS, *named))


def strikes_of(rules: Ruleset, facts: Mapping[str, Value], grade: Grade) -> int:
    """How often what follows from a roll happens; once for a miss, and where the ruleset does not say.

    Args:
        rules: the ruleset.
        facts: with those of the roll, from `roll_facts`.
        grade: what the roll counts as.
    """
    if rules.strikes is None or not grade.is_hit:
        return 1
    count = whole_down(rules.strikes.count, {**facts, "grade": grade.id, "hit": grade.is_hit})
    return max(0, min(count, MOST_STRIKES))


def grade_of(rules: Ruleset, grade_id: str) -> Grade:
    """The ruleset's grade of that id."""
    return next(grade for grade in rules.grades if grade.id == grade_id)


def _first_grade(rules: Ruleset, known: Mapping[str, Value]) -> Grade:
    return next((grade for grade in rules.grades if grade.when.evaluate(known)), rules.grades[-1])


def odds(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> Odds:
    """Exact chances by going through every roll there is; a forbidden attack never hits."""
    chances = {grade.id: Fraction(0) for grade in rules.grades}
    if ledger.is_possible:
        known, total, asked = dict(facts), ledger.total, grades_ask(rules)
        for chance, roll, dice in every_roll(rules, asked):
            known |= _of_roll(rules, ledger, total, roll, dice)
            chances[_first_grade(rules, add_roll_facts(rules, known, asked)).id] += chance
    hit = sum((chances[grade.id] for grade in rules.grades if grade.is_hit), start=Fraction(0))
    return Odds(hit, tuple((grade, chances[grade.id]) for grade in rules.grades))


def worths(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> tuple[Worth, ...]:
    """What each counting entry is worth in chance to hit, in the ledger's order."""
    return tuple(every_worth(rules, facts, ledger))


def every_worth(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> Iterator[Worth]:
    """The same one after another, each worked out when it is asked for."""
    if not ledger.is_possible:
        return
    hit = odds(rules, facts, ledger).hit
    for position, entry in enumerate(ledger.entries):
        if entry.active and entry.value:
            without = list(ledger.entries)
            without[position] = replace(entry, active=False)
            yield Worth(entry.id, hit - odds(rules, facts, with_entries(rules, facts, ledger, without)).hit)


def deciding(rules: Ruleset, roll: int, entries: Sequence[Entry], total: Number, target_number: Number) -> list[Entry]:
    """The entries but for which a roll would have turned out otherwise; none where dice are read apart.

    Args:
        rules: the ruleset.
        roll: what was rolled.
        entries: the attack's ledger.
        total, target_number: what it came to.
    """
    if rules.test.kind == "each-under":
        return []
    did = _succeeds(rules, roll, total, target_number)
    found = []
    for entry in entries:
        is_base = rules.test.is_under and entry.step == rules.steps[0]
        if entry.active and entry.value and not entry.forbids and not is_base:
            number = target_number - entry.value if rules.test.is_under else target_number
            if _succeeds(rules, roll, total - entry.value, number) != did:
                found.append(entry)
    return found


def _succeeds(rules: Ruleset, roll: int, total: Number, target_number: Number) -> bool:
    test = rules.test
    reached, needed = (target_number, roll) if test.is_under else (roll + total, target_number)
    return reached >= needed if test.equal_succeeds else reached > needed
