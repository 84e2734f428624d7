"""Odds for those whom an attack on somebody else may strike instead, as a friend in the melee that it is shot into.

Each roll is followed as in play: what it counts as, the effects that turn the attack onto somebody nearby, with their
dice, and then what the attack does to that unit, as whatever it has turned into.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview
from engine.battle.attacks.damage_odds import (
    MOST_STATES,
    ONE,
    OddsCase,
    OddsDriver,
    WeightedOutcomes,
    follow_all,
    summed,
)
from engine.battle.attacks.effect_analysis import STRIKES, analysis_of, asked_of_roll
from engine.battle.attacks.resolve_effects import Blow, blow_facts, turned
from engine.battle.cause import affected_units
from engine.battle.facts import observe_again
from engine.battle.state.battle import Battle
from engine.rules.effect_kinds import Effect, EffectChange
from engine.rules.effects import is_after
from engine.rules.expressions import constant
from engine.rules.formula_values import number
from engine.rules.joint_distribution import FactState, JointDistribution, effect_outcomes
from engine.rules.model import NEARBY, Ruleset
from engine.rules.outcome_flags import OddsFact, flag_of
from engine.rules.roll_odds import asked_of_rolls, grade_of, judged_rolls
from engine.rules.specialise import own_to_roll, settled_by_attack
from engine.values import replace

FIRST = constant(1)


def struck_instead(battle: Battle, rules: Ruleset, shot: AttackPreview) -> tuple[AreaRisk, ...]:
    """Damage odds for each unit that an attack on one target may strike in its place, the likeliest first."""
    facts, turning = shot.situation.facts, _turning(rules, shot)
    if not turning:
        return ()
    whole, rolls = judged_rolls(rules, facts, shot.ledger, asked_of_rolls(rules, own_to_roll(rules)))
    struck: dict[tuple[str, str], list[tuple[Fraction, Blow]]] = {}
    for weight, rolled, _ in rolls:
        blow = Blow(shot.situation, shot.ledger, rolled.roll, rolled.grade, rolled.dice)
        for chance, unit_id, grade in _turns_onto(battle, rules, blow, turning):
            struck.setdefault((unit_id, grade), []).append((chance * Fraction(weight, whole), blow))
    parts: dict[str, list[WeightedOutcomes]] = {}
    for (unit_id, grade), blows in struck.items():
        parts.setdefault(unit_id, []).append(_outcomes_on(battle, rules, shot, unit_id, grade, blows))
    found = []
    for unit_id, outcomes in parts.items():
        chance = sum((share for share, _ in outcomes), start=Fraction(0))
        found.append(AreaRisk(battle.unit(unit_id), chance, summed(chance, outcomes)))
    return tuple(sorted(found, key=lambda risk: (-risk.caught, risk.unit.name)))


def _turning(rules: Ruleset, shot: AttackPreview) -> list[Effect]:
    """The effects that may turn the attack onto somebody else."""
    if not shot.ledger.is_possible:
        return []
    onto_others = (one for one in rules.attack.effects if one.turns_into and one.whom in NEARBY)
    return [one for one in onto_others if settled_by_attack(one.when, shot.situation.facts).can_hold]


def _turns_onto(
    battle: Battle, rules: Ruleset, blow: Blow, turning: Sequence[Effect]
) -> list[tuple[Fraction, str, str]]:
    """The units that an attack turns onto after its roll: the chance, the id, the grade it counts as against it."""
    flags = {one.id: _flag(one) for one in turning if is_after(one, blow.grade)}
    if not flags:
        return []
    effects = tuple(each for effect in rules.attack.effects for each in (flags.get(effect.id), effect) if each)
    facts, _ = blow_facts(rules, blow)
    facts |= {"grade": blow.grade.id, "hit": blow.grade.is_hit}
    names = {flag.name: one for one in turning if (flag := flags.get(one.id))}
    spread = effect_outcomes(effects, facts, names, MOST_STATES, blow.grade)
    found = []
    for state, weight in spread.states.items():
        for name, place in spread.values(state).items():
            if name in names and isinstance(place, int) and place:
                effect = names[name]
                within = number(effect.within, facts) if effect.within else 0
                change = EffectChange(effect, within, place)
                units = affected_units(battle, rules, change, blow.who)
                found += [(Fraction(weight, spread.whole), unit_id, effect.turns_into) for unit_id in units]
    return found


def _flag(effect: Effect) -> OddsFact:
    """The flag of such an effect, whose value is which of those nearby it is about, 1 for the nearest."""
    about = replace(flag_of(effect, f"{effect.id} turns it"), whom="attacker", within=None, nth=None)
    return replace(about, value=effect.nth or FIRST)


def _outcomes_on(
    battle: Battle, rules: Ruleset, shot: AttackPreview, unit_id: str, grade_id: str, blows: list[tuple[Fraction, Blow]]
) -> WeightedOutcomes:
    """What the attack does to a unit as that grade, after these rolls; with the chance of all of them."""
    grade = grade_of(rules, grade_id)
    near = observe_again(battle, rules, shot.situation, unit_id)
    analysis = analysis_of(rules, replace(shot, situation=near), grade)
    analysis = analysis.turned or analysis
    names = sorted((asked_of_roll(analysis, grade) & own_to_roll(rules)) - {STRIKES})
    parts = lcm(*(chance.denominator for chance, _ in blows))
    states: dict[FactState, int] = {}
    for chance, blow in blows:
        facts, strikes = blow_facts(rules, turned(rules, replace(blow, situation=near), grade))
        facts |= {"grade": grade.id, "hit": grade.is_hit}
        state = (strikes, *[facts[name] for name in names])
        states[state] = states.get(state, 0) + chance.numerator * (parts // chance.denominator)
    weight = sum(states.values())
    begun = JointDistribution((STRIKES, *names), states, weight)
    first = turned(rules, replace(blows[0][1], situation=near), grade)
    _, outcomes = OddsDriver().run(follow_all(first, OddsCase(analysis, ONE, begun)))
    return Fraction(weight, parts), outcomes
