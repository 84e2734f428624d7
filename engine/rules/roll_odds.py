"""Roll odds: the grade of a roll, and the exact chance of each grade before it is made.

One function judges; the dice and the odds both go through it, so the chance shown is the chance there is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.context import Cache
from engine.dice.distributions import outcomes, single_dice, weights
from engine.rules.compiled import plain
from engine.rules.derived_facts import all_asked, grades_ask, with_roll_facts
from engine.rules.fact_list import DICE_FACTS
from engine.rules.formula_values import whole_down
from engine.rules.ledger import Entry, Ledger, with_entries
from engine.rules.model import MOST_STRIKES, Grade, NamedFact, Number, Ruleset, Value
from engine.rules.specialise import own_to_roll, settled_facts, specialised_for_rolls
from engine.values import replace

NO_DICE = (0,) * len(DICE_FACTS)


class Odds(Struct, frozen=True):
    """Exact chances of one attack."""

    hit: Fraction
    grades: tuple[tuple[Grade, Fraction], ...]
    """Every grade in the ruleset's order with its chance; they sum to one."""


class EntryWorth(Struct, frozen=True):
    """Effect of one entry: the chance to hit with it minus the chance without it."""

    entry: str
    change: Fraction


class Rolled(Struct, frozen=True):
    """One outcome of an attack's dice: the grade, the sum, what each die shows."""

    grade: Grade
    roll: int
    dice: tuple[int, ...]


class DistinctRoll(Struct, frozen=True):
    """Rolls that nothing can tell apart: their grade, how often they strike, the facts that tell them from others."""

    grade: Grade
    strikes: int
    facts: tuple[tuple[str, Value], ...]
    chance: Fraction
    """Of all of them together."""
    roll: int
    """The sum of one of them."""
    dice: tuple[int, ...]
    """What its dice show."""


_asked_before: Cache[tuple[str, ...]] = Cache(128)
_rolls: Cache[tuple[DistinctRoll, ...]] = Cache(64)
_odds: Cache[Odds] = Cache(256)


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
    if not dice and single_dice(rules.attack.test.dice) == (rules.attack.test.dice.highest,):
        dice = (roll,)
    return with_roll_facts(rules, {**facts, **_of_roll(rules, ledger, ledger.total, roll, dice)})


def _of_roll(rules: Ruleset, ledger: Ledger, total: Number, roll: int, dice: Sequence[int]) -> dict[str, Value]:
    margin, is_success = rules.attack.test.margin(ledger.target_number, total, roll, dice)
    known: dict[str, Value] = {
        **ledger.band_facts,
        "roll": roll,
        "total": total,
        "target_number": ledger.target_number,
        "margin": margin,
        "success": is_success,
    }
    if dice:  # else nothing asks for them
        known |= zip(DICE_FACTS, (*dice, *NO_DICE), strict=False)
    return known


def judge(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, roll: int, dice: Sequence[int] = ()) -> Grade:
    """Grade of a roll: the first whose condition holds.

    Args:
        rules: the ruleset.
        facts: the situation.
        ledger: the attack's ledger.
        roll: sum of the dice.
        dice: what each of them shows, as for `roll_facts`.
    """
    return _first_grade(rules, roll_facts(rules, facts, ledger, roll, dice))


def surely_may_hit(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> bool:
    """Whether a roll is soon found that is a hit: with all dice at their least, in the middle or at their most.

    False says nothing: `odds` go through every roll.
    """
    dice = rules.attack.test.dice
    sides = single_dice(dice)
    if sides is None:
        return False
    added = dice.lowest - len(sides)
    for faces in ([1] * len(sides), [(side + 1) // 2 for side in sides], sides):
        if judge(rules, facts, ledger, sum(faces) + added, faces).is_hit:
            return True
    return False


def lesser_grade(
    rules: Ruleset,
    situations: tuple[Mapping[str, Value], Mapping[str, Value]],
    ledger: Ledger,
    rolled: tuple[int, Sequence[int]],
    struck_as: Grade,
) -> Grade:
    """Grade after a defence of an attack that counts as one grade, whatever was rolled.

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
    for grade in rules.attack.grades[: rules.attack.grades.index(struck_as)]:
        if grade.when.evaluate(after) and not grade.when.evaluate(before):
            return grade
    return struck_as


def every_roll(rules: Ruleset, asked: Collection[str]) -> tuple[int, Iterable[tuple[int, int, tuple[int, ...]]]]:
    """Every outcome of the attack's dice that makes a difference: its weight, the sum, what each die shows.

    Args:
        rules: the ruleset.
        asked: the facts that will be asked for; sums are enough where no single die is among them.

    Returns:
        The sum of all weights, and the outcomes; the chance of each is its weight ÷ that sum.
    """
    test = rules.attack.test
    if _reads_each_die(rules, asked):
        results = outcomes(test.dice)
        return len(results), ((1, total, dice) for dice, total in results)
    found = weights(test.dice)
    return found.whole, ((weight, total, ()) for total, weight in found.totals.items())


def _reads_each_die(rules: Ruleset, asked: Collection[str]) -> bool:
    return rules.attack.test.reads_each_die or not set(DICE_FACTS).isdisjoint(asked)


def judged_rolls(
    rules: Ruleset,
    facts: Mapping[str, Value],
    ledger: Ledger,
    asked: frozenset[str],
    only: Collection[int] | None = None,
) -> tuple[int, Iterator[tuple[int, Rolled, dict[str, Value]]]]:
    """Every roll of an attack that makes a difference, judged, with the facts that are known after it.

    Args:
        rules: the ruleset.
        facts: the situation.
        ledger: the attack's ledger.
        asked: every fact that will be asked for, from `derived_facts.all_asked`.
        only: the places of those rolls that matter, of all in their order; None for all.

    Returns:
        The sum of all weights, and the rolls with their weights. The facts are one row that the next roll overwrites.
    """
    graded = _graded_rolls(rules, facts, ledger, asked, only)

    def judged() -> Iterator[tuple[int, Rolled, dict[str, Value]]]:
        known = {**facts, **known_before_roll(ledger), **graded.same}
        left_open = set(own_to_roll(rules)).difference(graded.same)
        further = settled_facts(rules, known, left_open, asked - graded.asked)
        named = [(one.id, one.value.compiled().run) for one in further]
        for weight, rolled, row in graded.rolls:
            known |= row
            for name, work in named:
                known[name] = plain(work(known))
            yield weight, rolled, known

    return graded.whole, judged()


class GradedRolls(Struct, frozen=True):
    """The rolls of an attack and what each counts as."""

    whole: int
    """What all weights come to."""
    rolls: tuple[tuple[int, Rolled, Mapping[str, Value]], ...]
    """Each with its weight, and with the facts of it that grades ask for."""
    same: Mapping[str, Value]
    """Those of these facts that are the same for all rolls."""
    asked: frozenset[str]
    """Every fact that grades ask for."""


_graded: Cache[GradedRolls] = Cache(16)
"""The chance to hit, the damage and the defences of an attack all go through its rolls."""


def _graded_rolls(
    rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger, asked: frozenset[str], only: Collection[int] | None
) -> GradedRolls:
    """The rolls of an attack, graded; as for `judged_rolls`."""
    reads = grades_ask(rules)

    def graded_now() -> GradedRolls:
        whole, results = every_roll(rules, asked) if is_rolled(rules, facts) else (1, ((1, 0, ()),))
        if only is not None:
            results = (result for place, result in enumerate(results) if place in only)
        known, left_open = {**facts, **known_before_roll(ledger)}, set(own_to_roll(rules))
        further = settled_facts(rules, known, left_open, reads)
        named = [(one.id, one.value.compiled().run) for one in further]
        graded = [(grade.when.settled(known, left_open).compiled().run, grade) for grade in rules.attack.grades]
        margin_of, total, target = rules.attack.test.margin, ledger.total, ledger.target_number
        rolls = []
        for weight, roll, dice in results:  # hundreds of them, so without a detour
            margin, is_success = margin_of(target, total, roll, dice)
            row: dict[str, Value] = {"roll": roll, "margin": margin, "success": is_success}
            if dice:
                row |= zip(DICE_FACTS, (*dice, *NO_DICE), strict=False)
            known |= row
            for name, work in named:
                known[name] = row[name] = plain(work(known))
            found = rules.attack.grades[-1]
            for is_reached, grade in graded:
                if is_reached(known):
                    found = grade
                    break
            rolls.append((weight, Rolled(found, roll, dice), row))
        own = own_to_roll(rules) & reads
        same = {name: known[name] for name in own - left_open}
        return GradedRolls(whole, tuple(rolls), same, reads)

    if only is not None:
        return graded_now()
    rests_on = (_reads_each_die(rules, asked), rolls_rest_on(rules, reads, facts, ledger))
    return _graded.get((rules.attack.grades, rules.attack.facts), rests_on, graded_now)


def distinct_rolls(
    rules: Ruleset,
    facts: Mapping[str, Value],
    ledger: Ledger,
    wanted: Mapping[str, frozenset[str]],
    judged_by: Mapping[str, Value] | None = None,
) -> tuple[DistinctRoll, ...]:
    """The rolls of an attack, those together that nothing can tell apart.

    Args:
        rules: the ruleset.
        facts: the situation.
        ledger: the attack's ledger.
        wanted: by grade, the facts that will be asked for after it.
        judged_by: the facts that the roll is judged by, where it strikes others than the one aimed at.
    """
    asked = asked_of_rolls(rules, *wanted.values())
    by = facts if judged_by is None else judged_by
    rests_on = [rolls_rest_on(rules, asked, each, ledger) for each in (facts, by)]
    layers = (rules.attack.grades, rules.attack.facts, rules.attack.strikes)
    return _rolls.get(layers, (tuple(wanted.items()), *rests_on), lambda: _rolls_of(rules, facts, ledger, wanted, by))


def asked_of_rolls(rules: Ruleset, *wanted: frozenset[str]) -> frozenset[str]:
    """Every fact that judging a roll asks for, how often it strikes, and what is wanted of it besides."""
    strikes = rules.attack.strikes.count.names if rules.attack.strikes else frozenset[str]()
    return all_asked(rules.attack.facts, grades_ask(rules).union(strikes, *wanted))


def _rolls_of(
    rules: Ruleset,
    facts: Mapping[str, Value],
    ledger: Ledger,
    wanted: Mapping[str, frozenset[str]],
    judged_by: Mapping[str, Value],
) -> tuple[DistinctRoll, ...]:
    own, asked = own_to_roll(rules), asked_of_rolls(rules, *wanted.values())
    tell_apart = {grade: tuple(sorted(names & own)) for grade, names in wanted.items()}
    if judged_by is facts:
        whole, rolls = judged_rolls(rules, facts, ledger, asked)
    else:
        whole, rolls = _with_own_labels(rules, facts, ledger, tell_apart, judged_by, asked)
    return merged_rolls(rules, whole, rolls, tell_apart)


def merged_rolls(
    rules: Ruleset,
    whole: int,
    rolls: Iterable[tuple[int, Rolled, dict[str, Value]]],
    tell_apart: Mapping[str, tuple[str, ...]],
) -> tuple[DistinctRoll, ...]:
    """Judged rolls, those together that nothing can tell apart.

    Args:
        rules: the ruleset.
        whole: the sum of all weights.
        rolls: with weights and facts, as `judged_rolls` yields them.
        tell_apart: by grade, the facts of a roll that will be asked for after it.
    """
    weights: dict[tuple[str, int, tuple[Value, ...]], int] = {}
    examples: dict[tuple[str, int, tuple[Value, ...]], Rolled] = {}
    for weight, rolled, known in rolls:
        grade = rolled.grade
        known |= {"grade": grade.id, "hit": grade.is_hit}
        strikes = _strikes(rules, known, grade)
        key = (grade.id, strikes, tuple([known[name] for name in tell_apart[grade.id]]))
        if key in weights:
            weights[key] += weight
        else:
            weights[key], examples[key] = weight, rolled
    found = []
    for (grade_id, strikes, facts), weight in weights.items():
        rolled = examples[grade_id, strikes, facts]
        named = tuple(zip(tell_apart[grade_id], facts, strict=True))
        found.append(DistinctRoll(rolled.grade, strikes, named, Fraction(weight, whole), rolled.roll, rolled.dice))
    return tuple(found)


Judged = tuple[int, tuple[tuple[int, Rolled, Mapping[str, Value]], ...]]
"""The sum of all weights; the rolls with their weights and what differs from one to another."""
_judged: Cache[Judged] = Cache(16)
"""For attacks on several, whom the same rolls strike."""


def _with_own_labels(
    rules: Ruleset,
    facts: Mapping[str, Value],
    ledger: Ledger,
    tell_apart: Mapping[str, tuple[str, ...]],
    judged_by: Mapping[str, Value],
    asked: frozenset[str],
) -> tuple[int, Iterator[tuple[int, Rolled, dict[str, Value]]]]:
    """The rolls of an attack on several as they strike one of these: judged by the attack's facts, shown by its own.

    Those on which nothing rests that would tell them apart are together.
    """
    own = own_to_roll(rules)
    its = {name: facts[name] for name in asked - own if name in facts} | known_before_roll(ledger)
    names = {name for name in its.keys() & judged_by.keys() if its[name] != judged_by[name]}
    anew: list[NamedFact] = []
    for one in rules.attack.facts:
        if one.after == "roll" and one.id in asked and not names.isdisjoint(one.value.names):
            names.add(one.id)
            anew.append(one)
    counts = rules.attack.strikes.count.names if rules.attack.strikes else frozenset[str]()
    needed = {
        grade.id: tuple(sorted(all_asked(anew, {*tell_apart[grade.id], *(counts if grade.is_hit else ())}) & own))
        for grade in rules.attack.grades
    }
    again = {grade: [one for one in anew if one.id in found] for grade, found in needed.items()}

    def judged() -> Judged:
        whole, rolls = judged_rolls(rules, judged_by, ledger, asked)
        weights: dict[tuple[object, ...], int] = {}
        rows: dict[tuple[object, ...], tuple[Rolled, Mapping[str, Value]]] = {}
        for weight, rolled, known in rolls:
            row = {name: known[name] for name in needed[rolled.grade.id] if name in known}
            alike = (rolled.grade.id, *row.values())
            weights[alike] = weights.get(alike, 0) + weight
            rows.setdefault(alike, (rolled, row))
        return whole, tuple((weights[alike], *row) for alike, row in rows.items())

    rests_on = (asked, tuple(needed.items()), rolls_rest_on(rules, asked, judged_by, ledger))
    whole, rows = _judged.get((rules.attack.grades, rules.attack.facts), rests_on, judged)

    def known_rows() -> Iterator[tuple[int, Rolled, dict[str, Value]]]:
        known = dict(its)
        for weight, rolled, row in rows:
            known |= row
            for one in again[rolled.grade.id]:
                known[one.id] = one.value.evaluate(known)
            yield weight, rolled, known

    return whole, known_rows()


def rolls_rest_on(
    rules: Ruleset, asked: frozenset[str], facts: Mapping[str, Value], ledger: Ledger
) -> tuple[Value, ...]:
    """Everything that decides the rolls of one attack, as far as these facts are asked for."""
    names = _asked_before.get((rules.attack.facts,), asked, lambda: tuple(sorted(asked - own_to_roll(rules))))
    known = known_before_roll(ledger)
    held = [known[name] if name in known else facts.get(name, "") for name in names]
    return (is_rolled(rules, facts), ledger.total, ledger.target_number, *held)


def is_rolled(rules: Ruleset, facts: Mapping[str, Value]) -> bool:
    """Whether the test is rolled for an attack with the action that its facts name."""
    action = rules.actions.get(str(facts.get("action.id", "")))
    return action is None or action.is_rolled


def known_before_roll(ledger: Ledger) -> dict[str, Value]:
    """Those facts of a roll that are the same for all rolls of one attack."""
    return {**ledger.band_facts, "total": ledger.total, "target_number": ledger.target_number}


def strikes_of(rules: Ruleset, facts: Mapping[str, Value], grade: Grade) -> int:
    """Number of strikes of a roll; 1 for a miss, and unless the ruleset says more.

    Args:
        rules: the ruleset.
        facts: with those of the roll, from `roll_facts`.
        grade: what the roll counts as.
    """
    return _strikes(rules, {**facts, "grade": grade.id, "hit": grade.is_hit}, grade)


def _strikes(rules: Ruleset, known: Mapping[str, Value], grade: Grade) -> int:
    """The same with the grade among the facts."""
    if rules.attack.strikes is None or not grade.is_hit:
        return 1
    return max(0, min(whole_down(rules.attack.strikes.count, known), MOST_STRIKES))


def grade_of(rules: Ruleset, grade_id: str) -> Grade:
    """The ruleset's grade of that id."""
    return next(grade for grade in rules.attack.grades if grade.id == grade_id)


def _first_grade(rules: Ruleset, known: Mapping[str, Value]) -> Grade:
    return next((grade for grade in rules.attack.grades if grade.when.evaluate(known)), rules.attack.grades[-1])


def odds(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> Odds:
    """Exact chances by going through every roll there is; a forbidden attack never hits."""
    known = specialised_for_rolls(rules, facts)
    asked = grades_ask(known)
    rests_on = (ledger.is_possible, rolls_rest_on(known, asked, facts, ledger))
    layers = (rules.attack.grades, known.attack.grades, known.attack.facts)

    def found() -> Odds:
        weights, whole = {grade.id: 0 for grade in rules.attack.grades}, 1
        if ledger.is_possible:
            graded = _graded_rolls(known, facts, ledger, asked, None)
            whole = graded.whole
            for weight, rolled, _ in graded.rolls:
                weights[rolled.grade.id] += weight
        hit = Fraction(sum(weights[grade.id] for grade in rules.attack.grades if grade.is_hit), whole)
        return Odds(hit, tuple((grade, Fraction(weights[grade.id], whole)) for grade in rules.attack.grades))

    return _odds.get(layers, rests_on, found)


def worths(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> tuple[EntryWorth, ...]:
    """Effect of each counting entry on the chance to hit, in the ledger's order."""
    return tuple(every_worth(rules, facts, ledger))


def every_worth(rules: Ruleset, facts: Mapping[str, Value], ledger: Ledger) -> Iterator[EntryWorth]:
    """The same one after another, each computed on demand."""
    if not ledger.is_possible:
        return
    hit = odds(rules, facts, ledger).hit
    for position, entry in enumerate(ledger.entries):
        if entry.active and entry.value:
            without = list(ledger.entries)
            without[position] = replace(entry, active=False)
            yield EntryWorth(entry.id, hit - odds(rules, facts, with_entries(rules, facts, ledger, without)).hit)


def deciding(rules: Ruleset, roll: int, entries: Sequence[Entry], total: Number, target_number: Number) -> list[Entry]:
    """Entries without which a roll would have another result; none where dice are read apart.

    Args:
        rules: the ruleset.
        roll: what was rolled.
        entries: the attack's ledger.
        total, target_number: the total of the modifiers and the number needed.
    """
    found = []
    for entry in entries:
        is_base = rules.attack.test.is_under and entry.step == rules.attack.steps[0]
        counts = entry.active and entry.value and not entry.forbids and not is_base
        value = -entry.value if entry.of else entry.value  # what makes it harder to beat is taken off
        if counts and rules.attack.test.is_decided_by(value, target_number, total, roll):
            found.append(entry)
    return found
