"""Damage odds: exact chances of what an attack leads to, before any die is rolled; no dice, no second model.

Every roll of the attack's dice is judged by `roll_odds`; rolls that nothing can tell apart are one `Blow`. What follows
from it runs through `joint_distribution`, which takes the same steps as the effects in play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, cast

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds, StateOutcome
from engine.battle.attacks.blast_rings import rings_of
from engine.battle.attacks.effect_analysis import (
    STRIKES,
    EffectAnalysis,
    Outcomes,
    analysis_of,
    asked_of_roll,
    damage_pools,
    for_defeat,
    harmful_pools,
    planned_for,
    possible_changes,
    strike_facts,
    the_two,
    turns,
)
from engine.battle.attacks.resolve import (
    Choose,
    CountAs,
    Counter,
    Ends,
    Flow,
    Join,
    Judge,
    Result,
    RollAttack,
    Run,
    Spill,
    Step,
    TurnsInto,
    drive,
    follow,
    resolve,
    strikes,
)
from engine.battle.attacks.resolve_effects import Blow, blow_facts, turned
from engine.battle.attacks.split_hits import hits_kept
from engine.battle.facts import BARE_SQUARE
from engine.battle.state.battle import Battle
from engine.context import Cache
from engine.rules.effect_kinds import TURNED
from engine.rules.joint_distribution import MARK, FactState, JointDistribution, Terms, joined, narrowed, picker, spread
from engine.rules.model import Ruleset, Value
from engine.rules.roll_odds import DistinctRoll, distinct_rolls, grade_of, known_before_roll
from engine.rules.specialise import asked_after_roll, specialised
from engine.values import replace

MOST_STATES = 20_000
"""States that one effect may lead to; the least likely ones beyond are not followed."""


ONE = Fraction(1)
NOTHING: frozenset[str] = frozenset()
_names: Cache[tuple[str, ...]] = Cache(64)
_outlooks: Cache[DamageOdds] = Cache(256)
"""By all that they rest on: attacks on several are often the same to some of these."""


def outlook(battle: Battle, rules: Ruleset, shot: AttackPreview) -> DamageOdds | None:
    """Damage odds of an attack; None for one that is not possible or has more than one target.

    Args:
        battle: now.
        rules: the ruleset.
        shot: the attack, from `consider`.
    """
    situation, ledger = shot.situation, shot.ledger
    has_one_target = shot.caught is None and situation.target.id != BARE_SQUARE
    if not ledger.is_possible or not has_one_target or rings_of(battle.field, rules, situation, ledger):
        return None
    return outlook_on(rules, shot, situation.facts)


def outlook_on(rules: Ruleset, shot: AttackPreview, judged_by: Mapping[str, Value]) -> DamageOdds:
    """Damage odds for the target of a shot; these facts grade the roll."""
    rules = specialised(rules, shot.situation.facts, judged_by)
    rests_on = _rests_on(rules, shot, judged_by)
    return _outlooks.get((rules,), rests_on, lambda: _outlook_on(rules, shot, judged_by))


def _rests_on(rules: Ruleset, shot: AttackPreview, judged_by: Mapping[str, Value]) -> Hashable:
    """Cache key of damage odds: all facts that any of its rules may read, and the rest of its input."""
    situation, ledger = shot.situation, shot.ledger
    attacker, target, facts = situation.attacker, situation.target, situation.facts
    names = _names.get((rules,), None, lambda: _every_name(rules))
    judged = () if judged_by is situation.facts else tuple(map(judged_by.get, names))
    before = known_before_roll(ledger)
    return (
        tuple([before[name] if name in before else facts.get(name) for name in names]),
        judged,
        (ledger.total, ledger.target_number),
        tuple([tuple(for_defeat(rules, facts, *each).values()) for each in the_two(situation)]),
        tuple([(unit.role, unit.overrides) for unit in (attacker, target)]),
        (target.is_enemy_of(attacker), target.side == attacker.side, shot.odds.hit, shot.shared),
        possible_changes(rules, shot),
        MOST_STATES,
    )


def _every_name(rules: Ruleset) -> tuple[str, ...]:
    """Every fact that a rule about a roll or its effects may read, and the pools of both units."""
    pools = (f"{who}.{pool}" for who in ("attacker", "target") for pool in rules.units.pools)
    return tuple(sorted(asked_after_roll(rules).union(pools, ("action.id",))))


def _outlook_on(rules: Ruleset, shot: AttackPreview, judged_by: Mapping[str, Value]) -> DamageOdds:
    analysis = analysis_of(rules, shot)
    is_alone = judged_by is shot.situation.facts
    reached = {grade.id for grade, chance in shot.odds.grades if chance or not is_alone}
    wanted = {one.id: asked_of_roll(analysis, one) if one.id in reached else NOTHING for one in rules.attack.grades}
    rolls = distinct_rolls(rules, shot.situation.facts, shot.ledger, wanted, judged_by)
    if shot.share:
        kept = hits_kept(rules, shot.situation, shot.ledger, shot.shared)
        rolls = tuple(replace(one, strikes=min(one.strikes, kept)) if one.grade.is_hit else one for one in rolls)
    then = follow_all if is_alone else _follow_each
    parts = OddsDriver(lambda: strikes_of_rolls(analysis, shot, rolls)).run(resolve(then))
    return summed(shot.odds.hit, parts, analysis.aims)


class OddsCase(Struct, frozen=True):
    """Possible states of an attack for its target."""

    analysis: EffectAnalysis
    chance: Fraction
    """The chance of all of them together."""
    found: JointDistribution
    marks: frozenset[str] = frozenset()
    """Names by which states are told apart throughout."""
    facts: Mapping[str, Value] = {}
    """Those on which everything that follows rests; none before the first strike."""
    strikes: int = 0
    """How often it happens at most."""


Struck = tuple[Blow, OddsCase]
"""An attack as it strikes, before anything has followed."""
WeightedOutcomes = tuple[Fraction, Outcomes]
"""A result of a roll, with its chance."""


class OddsDriver:
    """Driver of an attack's odds: every step for all outcomes at once; nobody defends."""

    def __init__(self, judge: Callable[[], Iterable[Struck]] = tuple) -> None:
        self._judge = judge

    def run(self, flow: Flow[object, OddsCase, Result]) -> Result:
        """Drives a flow; returns its result."""
        return drive(flow, self.answer)

    def answer(self, step: Step[object, OddsCase]) -> Any:
        match step:
            case RollAttack() | Counter():
                return None
            case Choose(cases):
                return [(None, cases)]
            case Judge():
                return self._judge()
            case Ends(blow, case, number):
                return _ends_after(blow, case, number)
            case Run(blow, case, number):
                terms = Terms(case.analysis.meant, MOST_STATES)
                facts = {**case.facts, **strike_facts(number)}
                planned, _ = planned_for(case.analysis, blow.grade, number, case.strikes)
                return replace(case, found=spread(planned, case.found, facts, terms, case.marks))
            case TurnsInto(blow, case):
                return list(_by_turns(blow, case))
            case CountAs(blow, case, _, grade, _):
                return list(_turned(blow, case, grade))
            case Spill(_, case):
                return case
            case Join(parts, before):
                if len(parts) == 1 and before is None:
                    return parts[0]
                return replace(before or parts[0], found=joined([part.found for part in parts]))
        raise AssertionError(step)


def follow_all(blow: Blow, case: OddsCase) -> Flow[object, OddsCase, WeightedOutcomes]:
    """Everything that follows from a roll: its chance and its outcomes."""
    ended = yield from follow(blow, case)
    return case.chance, outcomes(ended.analysis, ended.found)


def _follow_each(blow: Blow, case: OddsCase) -> Flow[object, OddsCase, WeightedOutcomes]:
    """The same for an attack on several units by the same rolls; results are shared between them."""
    found = state_by_state(case.analysis, blow, case.found)
    return (case.chance, found) if found else (yield from follow_all(blow, case))


def state_by_state(analysis: EffectAnalysis, blow: Blow, start: JointDistribution) -> Outcomes | None:
    """Outcomes of a strike, put together from the outcomes of each state that it starts in.

    Those whom one attack strikes differ in little but how likely these states are, so each is followed once for all.

    Returns:
        None where that cannot be: a blow that may turn, states that are too many to be told apart.
    """
    if turns(analysis, blow.grade):
        return None
    defeat = tuple(tuple(facts.values()) for facts in analysis.defeat.values())
    seen = analysis.plans.ends.setdefault((blow.grade.id, start.names, defeat, MOST_STATES), {})
    new = [state for state in start.states if state not in seen]
    if new:
        seen |= _ends(analysis, blow, start.names, new)
    weights: dict[tuple[tuple[int, ...], bool], int] = {}
    states: dict[StateOutcome, int] = {}
    times = 1
    for state in start.states:
        end = seen[state]
        if end is None:
            return None
        times = lcm(times, end.whole)
    for state, weight in start.states.items():
        end = cast(Outcomes, seen[state])
        share = weight * (times // end.whole)
        for outcome, part in end.weights.items():
            weights[outcome] = weights.get(outcome, 0) + share * part
        for changed, part in end.states.items():
            states[changed] = states.get(changed, 0) + share * part
    return Outcomes(weights, start.whole * times, *_labels(analysis), states)


def struck_outcomes(analysis: EffectAnalysis, blow: Blow, start: JointDistribution) -> Outcomes:
    """Outcomes of a strike from all the states that it starts in; computed once for equal strikes."""
    defeat = tuple(tuple(facts.values()) for facts in analysis.defeat.values())
    differing = tuple([analysis.facts[name] for name in sorted(analysis.differing)])
    key = (blow.grade.id, start.names, frozenset(start.states.items()), defeat, differing, MOST_STATES)
    if key not in analysis.plans.struck or turns(analysis, blow.grade):
        found = OddsDriver().run(strikes(blow, OddsCase(analysis, ONE, start))).found
        analysis.plans.struck[key] = outcomes(analysis, found)
    return analysis.plans.struck[key]


def _ends(
    analysis: EffectAnalysis, blow: Blow, names: tuple[str, ...], states: Sequence[FactState]
) -> dict[FactState, Outcomes | None]:
    """Outcomes of a strike from several states at once, each marked with the state where it began."""
    marks = tuple(MARK + name for name in names)
    start = JointDistribution((*names, *marks), {state + state: 1 for state in states}, len(states))
    found = OddsDriver().run(strikes(blow, OddsCase(analysis, ONE, start, frozenset(marks)))).found
    if found.lost:
        return dict.fromkeys(states)
    pick = picker([found.names.index(mark) for mark in marks])
    begun: dict[FactState, dict[FactState, int]] = {}
    for state, weight in found.states.items():
        begun.setdefault(pick(state), {})[state] = weight
    whole = found.whole // len(states)
    return {state: outcomes(analysis, JointDistribution(found.names, begun[state], whole)) for state in states}


def summed(hit: Fraction, parts: Sequence[WeightedOutcomes], aims: Iterable[StateOutcome] = ()) -> DamageOdds:
    """Sum of all outcomes of an attack; the remaining chance has no effect.

    Args:
        hit: the chance to hit.
        parts: each with its chance.
        aims: changes of the target's state that are among the result even at 0.
    """
    whole = lcm(*(chance.denominator * found.whole for chance, found in parts))  # all are counted in parts of it
    damage: dict[int, int] = {}
    named = frozenset(aims)
    states = dict.fromkeys(named, 0)
    drop = unsettled = whole_share = 0
    harms = max((found.harms for _, found in parts), key=len, default=())
    worn = max((found.worn for _, found in parts), key=len, default=())
    lost = [0] * (len(harms) + len(worn))
    for chance, found in parts:
        share = chance.numerator * (whole // (chance.denominator * found.whole))
        whole_share += share * found.whole
        unsettled += share * (found.whole - sum(found.weights.values()))
        for ((amount, *losses), is_out), weight in found.weights.items():
            for place, loss in enumerate(losses):
                lost[place] += share * weight * loss
            damage[amount] = damage.get(amount, 0) + share * weight
            drop += share * weight * is_out
        for changed, weight in found.states.items():
            states[changed] = states.get(changed, 0) + share * weight
    if whole_share < whole:
        damage[0] = damage.get(0, 0) + whole - whole_share
    return DamageOdds(
        hit=hit,
        hurt=Fraction(sum(weight for amount, weight in damage.items() if amount), whole),
        drop=Fraction(drop, whole),
        expected=Fraction(sum(amount * weight for amount, weight in damage.items()), whole),
        damage=tuple((amount, Fraction(weight, whole)) for amount, weight in sorted(damage.items())),
        unsettled=Fraction(unsettled, whole),
        has_damage=all(found.has_damage for _, found in parts),
        harms=tuple((harm, Fraction(weight, whole)) for harm, weight in zip(harms, lost, strict=False)),
        worn=tuple((label, Fraction(weight, whole)) for label, weight in zip(worn, lost[len(harms) :], strict=True)),
        outcomes=_likeliest_first({one: Fraction(n, whole) for one, n in states.items() if n or one in named}),
    )


def _likeliest_first(chances: Mapping[StateOutcome, Fraction]) -> tuple[tuple[StateOutcome, Fraction], ...]:
    """Changes of state with their chances: the target's first; without what the attacker brings on itself anyway."""
    told = [(one, chance) for one, chance in chances.items() if one.whom == "target" or 0 < chance < 1]
    return tuple(sorted(told, key=lambda one: (one[0].whom != "target", -one[1], one[0].id)))


def strikes_of_rolls(analysis: EffectAnalysis, shot: AttackPreview, rolls: Sequence[DistinctRoll]) -> Iterator[Struck]:
    """The attack's rolls as they strike: those after which the same effects count as one, each with its states.

    A blow that may turn into another grade is judged anew then, by its very roll.
    """
    together: dict[object, list[DistinctRoll]] = {}
    most = max((alike.strikes for alike in rolls), default=1)
    may_turn = {grade.id: turns(analysis, grade) for grade in analysis.rules.attack.grades}
    sames: dict[tuple[str, int], tuple[tuple[str, ...], ...]] = {}
    for alike in rolls:
        grade = alike.grade
        alone = (grade.id, alike.strikes, alike.facts) if may_turn[grade.id] else ()
        strikes = min(1, alike.strikes) if alone or alike.strikes < 2 else most
        if (grade.id, strikes) not in sames:
            numbers = range(1, strikes + 1)
            sames[grade.id, strikes] = tuple(planned_for(analysis, grade, number, strikes)[1] for number in numbers)
        fact_names = tuple([name for name, _ in alike.facts])
        together.setdefault((strikes, grade.is_hit, sames[grade.id, strikes], fact_names, alone), []).append(alike)
    for alikes in together.values():
        whole = lcm(*(one.chance.denominator for one in alikes))
        states: dict[FactState, int] = {}
        for one in alikes:
            state = (one.strikes, *[value for _, value in one.facts])
            states[state] = states.get(state, 0) + one.chance.numerator * (whole // one.chance.denominator)
        weight = sum(states.values())
        first = alikes[0]
        blow = Blow(shot.situation, shot.ledger, first.roll, first.grade, first.dice)
        begun = JointDistribution((STRIKES, *(name for name, _ in first.facts)), states, weight)
        yield blow, OddsCase(analysis, Fraction(weight, whole), begun)


def _ends_after(blow: Blow, case: OddsCase, number: int) -> tuple[OddsCase | None, OddsCase | None]:
    """Outcomes that are final after so many strikes, because all were made or one of the two is out; and the rest."""
    analysis, found = case.analysis, case.found
    if not number:
        facts, strikes = blow_facts(analysis.rules, blow)
        if STRIKES in found.names:
            place = found.names.index(STRIKES)
            strikes = max(cast(int, state[place]) for state in found.states)
        facts |= {"grade": blow.grade.id, "hit": blow.grade.is_hit}
        case = replace(case, facts=facts, strikes=strikes)
    if number >= case.strikes or not found.states:
        return case, None
    if not number:
        return None, case
    is_over = _is_over(analysis, found, number)
    over, onward = dict[FactState, int](), dict[FactState, int]()
    for state, weight in found.states.items():
        (over if is_over(state) else onward)[state] = weight
    return (
        replace(case, found=replace(found, states=over)) if over else None,
        replace(case, found=replace(found, states=onward)) if onward else None,
    )


def _by_turns(blow: Blow, case: OddsCase) -> Iterator[tuple[list[tuple[str, str, str]], OddsCase]]:
    """Grades that the attack on its target has changed to, and the states with each."""
    found, target = case.found, blow.situation.target.id
    if TURNED not in found.names:
        yield [], case
        return
    place = found.names.index(TURNED)
    yield (
        [],
        replace(case, found=replace(found, states={one: n for one, n in found.states.items() if one[place] is None})),
    )
    for state, weight in found.states.items():
        if state[place] is not None:
            turns = [(target, grade, "") for grade in str(state[place]).split()]
            left = (*state[:place], None, *state[place + 1 :])
            yield turns, replace(case, found=replace(found, states={left: weight}))


def _turned(blow: Blow, case: OddsCase, grade: str) -> Iterator[Struck]:
    """The attack with its changed grade, for each state of its target."""
    analysis = case.analysis
    before = narrowed(case.found, [name for name in case.found.names if name != STRIKES])
    for state, weight in before.states.items():
        again = turned(analysis.rules, replace(blow, learned=before.values(state)), grade_of(analysis.rules, grade))
        begun = JointDistribution(before.names, {state: weight}, before.whole)
        yield again, OddsCase(analysis.turned or analysis, case.chance, begun)


def _is_over(analysis: EffectAnalysis, found: JointDistribution, number: int) -> Callable[[FactState], bool]:
    """Test whether a state has no more strikes after so many."""
    target_is_out, attacker_is_out = _is_out(analysis, "target", found), _is_out(analysis, "attacker", found)
    place = found.names.index(STRIKES) if STRIKES in found.names else -1
    return lambda state: (place >= 0 and state[place] == number) or target_is_out(state) or attacker_is_out(state)


def _is_out(analysis: EffectAnalysis, who: str, found: JointDistribution) -> Callable[[FactState], bool]:
    """Test whether in a state one of the two is out of the fight."""
    rule, facts = analysis.rules.units.defeated, analysis.defeat[who]
    under = [name.replace(f"{who}.", "unit.", 1) if name.startswith(f"{who}.") else "" for name in found.names]
    places = [place for place, name in enumerate(under) if name in rule.names]
    pick, seen = picker(places), dict[FactState, bool]()

    def is_out(state: FactState) -> bool:
        values = pick(state)
        if values not in seen:
            changed = {under[place]: value for place, value in zip(places, values, strict=True) if value is not None}
            seen[values] = bool(rule.evaluate({**facts, **changed}))
        return seen[values]

    return is_out


def outcomes(analysis: EffectAnalysis, found: JointDistribution) -> Outcomes:
    """Loss of the vital pools and whether the target drops, which one that is out already cannot, with weights."""
    of_target = narrowed(found, [name for name in found.names if name.startswith("target.")])
    is_out, weights = _is_out(analysis, "target", of_target), dict[tuple[tuple[int, ...], bool], int]()
    was_out = is_out((None,) * len(of_target.names))
    harmful, counted = harmful_pools(analysis.rules), damage_pools(analysis.rules)
    states: dict[StateOutcome, int] = {}
    for name, one in analysis.flags.items():
        if name in found.names:
            place = found.names.index(name)
            happened = sum(weight for state, weight in found.states.items() if state[place])
            states[one] = states.get(one, 0) + happened
    for state, weight in of_target.states.items():
        changed = of_target.values(state)
        losses = {pool: _loss(analysis, changed, pool) for pool in (*analysis.vital, *analysis.worn)}
        lost = sum(losses[pool] for pool in counted)
        flags = (losses[pool] > 0 for pool in harmful)
        outcome = ((lost, *flags, *(losses[pool] for pool in analysis.worn)), not was_out and is_out(state))
        weights[outcome] = weights.get(outcome, 0) + weight
    return Outcomes(weights, found.whole, *_labels(analysis), states)


def _loss(analysis: EffectAnalysis, changed: Mapping[str, Value], pool: str) -> int:
    """What a pool of the target loses."""
    before = analysis.facts[f"target.{pool}"]
    after = changed.get(f"target.{pool}", before)
    return max(0, before - after) if isinstance(before, int) and isinstance(after, int) else 0


def _labels(analysis: EffectAnalysis) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The names of harms, the labels of pools that protect, and whether the damage is shown."""
    pools = analysis.rules.units.pools
    harms = tuple(pools[pool].harm for pool in harmful_pools(analysis.rules))
    is_whole = not any(pools[pool].harm for pool in damage_pools(analysis.rules))
    return harms, tuple(pools[pool].label for pool in analysis.worn), is_whole
