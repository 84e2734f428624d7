"""Effect analysis: one attack on its way through the effects, before any die is rolled: known facts, live facts.

Attacks whose facts are the same as far as effects ask for them have the same plans, and these are made once.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview, StateOutcome
from engine.battle.facts import Situation, weapon_facts, with_facts
from engine.battle.gear import weapon_in_hand
from engine.battle.setup import full_facts
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.rules.effect_kinds import TURNED
from engine.rules.effects import is_after
from engine.rules.formula_values import whole_down
from engine.rules.joint_distribution import FactState
from engine.rules.liveness import EffectPlan, plan, settled
from engine.rules.model import Effect, Grade, Ruleset, Value
from engine.rules.outcome_flags import flag_name, flagged
from engine.rules.roll_odds import grade_of, known_before_roll
from engine.rules.specialise import own_to_roll, settled_by_attack
from engine.values import replace

STRIKES = "strikes"
_plans: Cache[Plans] = Cache(32)
_asked: Cache[tuple[str, ...]] = Cache(64)
_open_later: Cache[frozenset[str]] = Cache(64)


class Outcomes(Struct, frozen=True):
    """What an attack does to vital pools and whether the target is out of the fight then, in parts of `whole`."""

    weights: Mapping[tuple[tuple[int, ...], bool], int]
    """By the damage, for each of `harms` whether its pool loses any, what each of `worn` loses; and the second."""
    whole: int
    harms: tuple[str, ...] = ()
    """What it is called to lose any of a pool, for those of the vital pools that have a name for it."""
    worn: tuple[str, ...] = ()
    """Labels of the pools that protect the target and are not empty."""
    has_damage: bool = True
    """Whether the damage is shown: no, where the loss of a pool that is a part of it has a name."""
    states: Mapping[StateOutcome, int] = {}
    """How likely each of these changes happens, by itself, in the same parts."""


class Plans(Struct, frozen=True):
    """Results computed before any die is rolled, filled on demand."""

    asked_of_roll: dict[str, frozenset[str]] = {}
    """By grade."""
    effect_ids: dict[str, tuple[str, ...]] = {}
    """By grade, the ids of the effects that it has; grades that have the same share what is below."""
    effects: dict[tuple[tuple[str, ...], int], tuple[Effect, ...]] = {}
    """Those that can happen, by these ids and the number of the strike, settled."""
    made: dict[tuple[tuple[str, ...], int, frozenset[str]], EffectPlan] = {}
    """By the same, and what is wanted in the end."""
    strikes: dict[tuple[str, int, int], tuple[EffectPlan, tuple[str, ...]]] = {}
    """By grade, number of the strike and of all strikes: the effects that make a difference, and all that went into
    settling them, by which plans of several grades are known to do the same."""
    ends: dict[Hashable, dict[FactState, Outcomes | None]] = {}
    """Results of the hits for each starting state, if calculated state by state; None if impossible."""
    struck: dict[Hashable, Outcomes] = {}
    """Cached results of the hits for all starting states together, by these states and the facts they depend on."""


class EffectAnalysis(Struct, frozen=True):
    """Analysis of one attack on its way through the effects."""

    rules: Ruleset
    facts: Mapping[str, Value]
    """Of the situation, with all that is known before the roll."""
    turned: EffectAnalysis | None
    """The same attack once it has turned into another; None where it is that."""
    open_later: frozenset[str]
    """Names that may have any value once something has followed from the attack."""
    defeat: Mapping[str, Mapping[str, Value]]
    """What the rule of defeat asks for, of the attacker and of the target."""
    results: frozenset[str]
    """Facts of the target on which damage and defeat rest."""
    meant: tuple[str, ...]
    """Words for those nearby that may mean the target too."""
    vital: tuple[str, ...]
    worn: tuple[str, ...]
    """The pools that protect the target and are not empty."""
    plans: Plans
    differing: frozenset[str] = frozenset()
    """Facts of the situation that are not the same in other attacks with these plans."""
    flags: Mapping[str, StateOutcome] = {}
    """The flags of all changes of state that are possible, with what they stand for."""
    aims: frozenset[StateOutcome] = frozenset()
    """Those of them that happen for certain after some grade."""


def vital_pools(rules: Ruleset) -> tuple[str, ...]:
    """The pools whose loss hurts: those that the rule of defeat asks for; all of them where it asks for none."""
    asked = tuple(pool for pool in rules.units.pools if f"unit.{pool}" in rules.units.defeated.names)
    return asked or tuple(rules.units.pools)


def is_harmless(rules: Ruleset, facts: Mapping[str, Value]) -> bool:
    """Whether no effect of an attack can take anything from its target's vital pools, as far as the attack alone says.

    False where that rests on more: a quick answer, for a list of attacks.
    """
    vital = {f"target.{pool}" for pool in vital_pools(rules)}
    wounding = (effect for effect in rules.attack.effects if not vital.isdisjoint(effect.makes()))
    return not any(settled_by_attack(effect.when, facts).can_hold for effect in wounding)


def harmful_pools(rules: Ruleset) -> tuple[str, ...]:
    """Those of the vital pools whose loss has a name."""
    return tuple(pool for pool in vital_pools(rules) if rules.units.pools[pool].harm)


def damage_pools(rules: Ruleset) -> tuple[str, ...]:
    """Those of the vital pools whose loss is the damage."""
    return tuple(pool for pool in vital_pools(rules) if not rules.units.pools[pool].is_apart)


def analysis_of(
    rules: Ruleset,
    shot: AttackPreview,
    grade: Grade | None = None,
    differing: frozenset[str] = frozenset(),
) -> EffectAnalysis:
    """Effect analysis of an attack on the target of a shot.

    Args:
        rules: the ruleset.
        shot: the attack.
        grade: what it counts as, whatever is rolled; None for the grade of the roll.
        differing: facts of the situation that are left open in its plans.
    """
    rules, situation, vital = flagged(rules), shot.situation, vital_pools(rules)
    attacker, target = situation.attacker, situation.target
    meant = _meant(rules, attacker, target)
    worn = tuple(pool.id for pool in rules.units.pools.values() if pool.protects and target.pools.get(pool.id))
    flags = _possible_flags(rules, shot, meant)
    results = {f"target.{pool}" for pool in (*vital, *worn)}.union(
        flags, *(_defeat_asks(rules, who) for who in ("target", *meant))
    )
    full = full_facts(rules, attacker, "attacker") | full_facts(rules, target, "target")
    beyond = {**full, **known_before_roll(shot.ledger)}
    facts = {**situation.facts, **beyond}
    defeat = {who: for_defeat(rules, facts, who, unit) for who, unit in the_two(situation)}
    again = facts
    if any(effect.turns_into for effect in rules.attack.effects):
        again = {**with_facts(rules, situation, {"outcome_changed": True}).facts, **beyond}
    open_later = _open_later.get((rules,), None, lambda: _left_by_any(rules)) | differing
    wanted = (frozenset(results), tuple(meant))
    asked = _asked.get(
        (rules.attack.effects,), (grade and grade.id, differing), lambda: _asked_by(rules, grade, differing)
    )
    plans = [
        _plans.get(
            (rules.attack.effects,), (*wanted, is_turned, asked, tuple([known.get(name) for name in asked])), Plans
        )
        for known, is_turned in ((again, True), (facts, False))
    ]
    aims = _aims(rules, flags, facts, open_later)
    later = EffectAnalysis(
        rules, again, None, open_later, defeat, *wanted, vital, worn, plans[0], differing, flags, aims
    )
    return replace(later, facts=facts, turned=later, plans=plans[1])


def _meant(rules: Ruleset, attacker: Unit, target: Unit) -> list[str]:
    """Words for those nearby that effects are about and that may mean the target too."""
    words = {"enemies": target.is_enemy_of(attacker)} | dict.fromkeys(
        ("nearest_ally", "allies"), target.side == attacker.side
    )
    about = {effect.whom for effect in rules.attack.effects}
    return [word for word, is_meant in words.items() if is_meant and word in about]


def possible_changes(rules: Ruleset, shot: AttackPreview) -> tuple[str, ...]:
    """What of the state of the two an attack may change, as far as it rests on what they have now."""
    return tuple(_possible_flags(rules, shot, _meant(rules, shot.situation.attacker, shot.situation.target)))


def _possible_flags(rules: Ruleset, shot: AttackPreview, meant: Collection[str]) -> dict[str, StateOutcome]:
    """The flags of what an attack may change of the state of the two, as they are now, with what they stand for.

    What happens to the attacker whatever is rolled is its own choice, and no outcome.
    """
    situation = shot.situation
    conditions = rules.units.conditions
    found: dict[str, StateOutcome] = {}
    for effect in rules.attack.effects:
        change = effect.state_change
        if change is None or (effect.whom == "attacker" and "always" in effect.on and effect.when.is_fixed):
            continue
        whom = "target" if effect.whom in meant else effect.whom
        unit, weapon = _unit_and_weapon(situation, whom)
        if unit is not None and effect.can_change(unit, weapon, situation.facts):
            condition = conditions.get(effect.begins or effect.ends)
            label = change.words.format(condition=condition.label if condition else "")
            found[flag_name(effect)] = StateOutcome(change.id, label, whom)
    return found


def _unit_and_weapon(situation: Situation, whom: str) -> tuple[Unit | None, str]:
    """One of the two, with the weapon that it attacks with or has in hand; None for anybody else."""
    if whom == "attacker":
        return situation.attacker, situation.weapon.id
    return (situation.target, situation.target.gear.weapon) if whom == "target" else (None, "")


def _aims(
    rules: Ruleset, flags: Mapping[str, StateOutcome], facts: Mapping[str, Value], left_open: Collection[str]
) -> frozenset[StateOutcome]:
    """What an attack does to the target's state for certain once it has some grade, however likely that is."""
    of_target = (effect for effect in rules.attack.effects if effect.state_change and effect.whom == "target")
    settled_ones = ((flags.get(flag_name(effect)), effect.settled(facts, left_open)) for effect in of_target)
    return frozenset(outcome for outcome, one in settled_ones if outcome and one is not None and one.when.is_fixed)


def strike_facts(number: int) -> dict[str, Value]:
    """The facts that number a hit on the target of an attack; it is struck before others, so both count alike."""
    return {"strike_number": number, "target_strike": number}


def _left_by_any(rules: Ruleset) -> frozenset[str]:
    """Names that may have any value after some effects."""
    return own_to_roll(rules).union({STRIKES, *strike_facts(0)}, *(effect.makes() for effect in rules.attack.effects))


def _asked_by(rules: Ruleset, grade: Grade | None, differing: frozenset[str]) -> tuple[str, ...]:
    """The facts on which the plans of an attack rest; as far as they follow from a grade, where it counts as one."""
    effects = rules.attack.effects
    if grade is not None:
        grades = [grade]
        for one in grades:  # it grows by the grades that this may turn into
            turned = {effect.turns_into for effect in effects if effect.turns_into and is_after(effect, one)}
            grades += [grade_of(rules, each) for each in turned.difference(known.id for known in grades)]
        effects = tuple(effect for effect in effects if any(is_after(effect, one) for one in grades))
    names = frozenset[str]().union(*(effect.asks() for effect in effects))
    return tuple(sorted((names | (rules.attack.strikes.count.names if rules.attack.strikes else set())) - differing))


def for_defeat(rules: Ruleset, facts: Mapping[str, Value], who: str, unit: Unit) -> dict[str, Value]:
    """What the rule of defeat asks for of one of the two, as the situation has it or the GM has set it by hand."""
    known: dict[str, Value] = {}
    in_hand = weapon_facts(rules, unit, weapon_in_hand(rules, unit))
    for name in sorted(rules.units.defeated.names):
        its = f"{who}.{name.removeprefix('unit.')}" if name.startswith("unit.") else name
        known[name] = in_hand[name] if name in in_hand else facts[its]
    return known


def _defeat_asks(rules: Ruleset, who: str) -> set[str]:
    """What the rule of defeat asks of a unit, under the name that effects have for it."""
    asked = (name.removeprefix("unit.") for name in rules.units.defeated.names if name.startswith("unit."))
    return {f"{who}.{name}" for name in asked}


def turns(analysis: EffectAnalysis, grade: Grade) -> bool:
    """Whether the effects of a grade may change the attack on its target to another grade."""
    whom = ("target", *analysis.meant)
    turning = [effect for effect in analysis.rules.attack.effects if effect.turns_into]
    if not any(effect.whom in whom and is_after(effect, grade) for effect in turning):
        return False
    return any(effect.turns_into and effect.whom in whom for effect in _effects(analysis, grade, 0))


def planned_for(
    analysis: EffectAnalysis, grade: Grade, number: int, strikes: int
) -> tuple[EffectPlan, tuple[str, ...]]:
    """The effects of a strike that make a difference, to what follows after it as well, and what went into the plan."""
    plans = analysis.plans.strikes
    if (grade.id, number, strikes) not in plans:
        if number < strikes:
            wanted = _lasting(analysis, planned_for(analysis, grade, number + 1, strikes)[0].asked)
        else:
            wanted = analysis.results | _wanted_later(analysis, grade, may_repeat=False)
        planned = _made_plan(analysis, grade, wanted, number)
        ids = {step.effect.id for step in planned.steps}
        relevant = planned.asked.union(
            (step.makes for step in planned.steps),
            *(each.asks() for each in analysis.rules.attack.effects if each.id in ids),
        )
        same = tuple(each.id for each in _effects(analysis, grade, number) if not relevant.isdisjoint(each.makes()))
        plans[grade.id, number, strikes] = planned, same
    return plans[grade.id, number, strikes]


def _made_plan(analysis: EffectAnalysis, grade: Grade, wanted: frozenset[str], number: int) -> EffectPlan:
    """A plan for what is wanted in the end; number 0 for any strike."""
    key = (_effect_ids(analysis, grade), number, wanted)
    if key not in analysis.plans.made:
        analysis.plans.made[key] = plan(_effects(analysis, grade, number), wanted, _left_open(analysis, number))
    return analysis.plans.made[key]


def _effect_ids(analysis: EffectAnalysis, grade: Grade) -> tuple[str, ...]:
    """The ids of the effects that a grade has."""
    known = analysis.plans.effect_ids
    if grade.id not in known:
        known[grade.id] = tuple(effect.id for effect in analysis.rules.attack.effects if is_after(effect, grade))
    return known[grade.id]


def _effects(analysis: EffectAnalysis, grade: Grade, number: int) -> tuple[Effect, ...]:
    """The effects that can happen at all after a grade, on a strike of that number; 0 for any."""
    known_effects, key = analysis.plans.effects, (_effect_ids(analysis, grade), number)
    if key not in known_effects:
        facts = {**analysis.facts, **strike_facts(number)}
        left_open = _left_open(analysis, number)
        known_effects[key] = settled(analysis.rules.attack.effects, grade, facts, left_open, is_first=number < 2)
    return known_effects[key]


def _left_open(analysis: EffectAnalysis, number: int) -> frozenset[str]:
    """Names that may have any value before a strike."""
    if number == 1 and analysis.turned is not None:  # nothing has followed yet, so units are as the facts have them
        return own_to_roll(analysis.rules) | {STRIKES} | analysis.differing
    return analysis.open_later.difference(strike_facts(number)) if number else analysis.open_later


def asked_of_roll(analysis: EffectAnalysis, grade: Grade) -> frozenset[str]:
    """Facts of the roll that may be asked for after a grade."""
    if grade.id not in analysis.plans.asked_of_roll:
        later = _wanted_later(analysis, grade, may_repeat=_may_repeat(analysis, grade))
        analysis.plans.asked_of_roll[grade.id] = _made_plan(analysis, grade, analysis.results | later, 1).asked
    return analysis.plans.asked_of_roll[grade.id]


def _wanted_later(analysis: EffectAnalysis, grade: Grade, *, may_repeat: bool) -> frozenset[str]:
    """What further strikes, and attacks that it turns into, ask of what a first strike leaves."""
    rules, again = analysis.rules, analysis.turned or analysis
    further = [(analysis, grade)] if may_repeat else []
    if turns(analysis, grade):
        further += [(again, each) for each in rules.attack.grades]
    if not further:
        return frozenset()
    wanted = analysis.results | _defeat_asks(rules, "attacker") | {TURNED}
    while True:
        asked = frozenset[str]().union(*(_made_plan(one, each, wanted, 0).asked for one, each in further))
        more = _lasting(analysis, asked) - wanted
        if not more:
            return wanted
        wanted |= more


def _lasting(analysis: EffectAnalysis, asked: frozenset[str]) -> frozenset[str]:
    """What is wanted between strikes: whether the two are still in the fight, and of these names those that last."""
    rules = analysis.rules
    kept = (effect.makes() for effect in rules.attack.effects if effect.lasts)
    own = own_to_roll(rules).union({"cover_damage", STRIKES}, *kept)
    lasting = {name for name in asked if "." in name} | (asked & own)
    return analysis.results | _defeat_asks(rules, "attacker") | {TURNED, STRIKES} | lasting


def _may_repeat(analysis: EffectAnalysis, grade: Grade) -> bool:
    """Whether an attack with this grade may strike more than once."""
    strikes = analysis.rules.attack.strikes
    if strikes is None or not grade.is_hit:
        return False
    count = strikes.count.settled(analysis.facts, analysis.open_later)
    return not count.is_fixed or whole_down(count, analysis.facts) > 1


def the_two(situation: Situation) -> tuple[tuple[str, Unit], tuple[str, Unit]]:
    return ("attacker", situation.attacker), ("target", situation.target)
