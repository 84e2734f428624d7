"""Defences against an attack whose roll is known: who defends, the price, and the change of the attack."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import weapon_to_answer
from engine.battle.attacks.attack_preview import adjusted_ledger, is_allowed
from engine.battle.attacks.resolve_effects import Blow, facts_of_roll
from engine.battle.command import Attack
from engine.battle.distances import distance_between
from engine.battle.event_builder import EventBuilder, costs, is_left, left_after
from engine.battle.facts import BARE_SQUARE, Situation, observe_again, unit_facts, weapon_facts, with_facts
from engine.battle.gear import weapon_in_hand
from engine.battle.setup import full_facts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import measured
from engine.rules.effects import comes_after
from engine.rules.ledger import Ledger
from engine.rules.model import Grade, Ruleset, Value
from engine.rules.reaction_rules import AIMED, ALLY, BURST, SWEPT, TARGET, Defence
from engine.rules.roll_odds import judge, lesser_grade
from engine.values import replace

NO_DEFENCE = ("", "none")
SHARED = "shared"
"""What sort of attack it is for those on whom hits fall that were rolled against another: what is done against an
attack on oneself may be done against them, but for what answers with a blow."""


class DefenceOption(Struct, frozen=True):
    """A defence that a unit may use now, and its price."""

    defence: Defence
    unit: Unit
    cost: Mapping[str, int]
    is_by_itself: bool = False
    """Whether nobody was asked."""
    counters: str = ""
    """Id of the unit that it attacks in answer; "" for the attacker."""

    @property
    def id(self) -> str:
        """Id of its answer; a defence by an ally includes the ally, one that attacks another that unit."""
        named = self.unit.id if self.defence.by == ALLY else self.counters
        return f"{self.defence.id}:{named}" if named else self.defence.id


def options(draft: EventBuilder, blow: Blow, against: str = AIMED) -> tuple[DefenceOption, ...]:
    """Every defence of those AGAINST it that may be taken against an attack that was rolled, the nearest ally first."""
    found: list[DefenceOption] = []
    if blow.situation.target.id == BARE_SQUARE:
        return ()
    for defence in draft.rules.attack.defences:
        if defence.is_before_roll or not is_against(defence, against) or not is_after_grade(defence, blow):
            continue
        for unit in defenders(draft.battle, draft.rules, blow.situation, defence):
            facts = facts_of_defence(draft, blow, unit)
            if not defence.when.evaluate(facts):
                continue
            cost = costs(defence.cost, facts)
            if not is_left(unit, cost):
                continue
            if not defence.counter or can_counter(draft.battle, draft.rules, unit, blow, defence):
                found.append(DefenceOption(defence, unit, cost))
    return tuple(found)


AGAINST_WORDS = {AIMED: "an attack on one target", SWEPT: "an attack on an area", BURST: "a blast"}
REFILL_WORDS = {"own turn start": "until {unit}'s next turn begins", "round start": "until the next round begins"}


def why_no_defence(draft: EventBuilder, blow: Blow, defence: Defence, by: str, against: str) -> str:
    """Why nobody can take a defence against an attack.

    Args:
        draft: the battle, with the attack's roll.
        blow: the attack.
        defence: one that `options` does not offer.
        by: id of the one who was to take it; "" where nobody was named.
        against: what sort of attack it is.
    """
    battle, rules, target = draft.battle, draft.rules, blow.situation.target
    if target.id == BARE_SQUARE:
        return "nobody is attacked"
    if against == SHARED and defence.counter:
        return f"it is a counter-attack, and {target.name} only takes hits split off from an attack on another unit"
    if not is_against(defence, against):
        kinds = " or ".join(AGAINST_WORDS[each] for each in defence.against)
        return f"it works against {kinds}, and this is {AGAINST_WORDS[AIMED if against == SHARED else against]}"
    able = defenders(battle, rules, blow.situation, defence)
    unit = next((each for each in able if by in ("", each.id)), None)
    if unit is None and defence.by == TARGET:
        is_other = bool(by) and by != target.id
        return f"only {target.name}, who is attacked, can take it" if is_other else f"{target.name} is out of the fight"
    if unit is None:
        within = "" if defence.within is None else f" within {measured(defence.within, rules)}"
        who = f"{battle.called(by)} is not an ally" if by else "there is no ally"
        return f"{who} of {target.name}{within} who is in the fight"
    facts = facts_of_defence(draft, blow, unit)
    if not defence.when.evaluate(facts):
        return f"for {unit.name}, against this attack, its condition does not hold ({defence.origin.source})"
    for budget, amount in costs(defence.cost, facts).items():
        left = unit.turn.budget.get(budget, 0)
        if left < amount:
            pool = rules.units.budgets[budget]
            back = REFILL_WORDS[pool.refills].format(unit=unit.name)
            rest = "has none left" if left <= 0 else f"has {left} left"
            return f"it costs {pool.counted(amount)}; {unit.name} {rest} {back}"
    return f"{unit.name} cannot attack back now"


def is_against(defence: Defence, against: str) -> bool:
    """Whether a defence is for that sort of attack: SHARED or one of AGAINST."""
    if against == SHARED:
        return AIMED in defence.against and not defence.counter
    return against in defence.against


def is_after_grade(defence: Defence, blow: Blow) -> bool:
    """Whether a defence is for attacks with such a grade."""
    return comes_after(defence.on, blow.grade.id, blow.grade.is_hit)


def defenders(battle: Battle, rules: Ruleset, situation: Situation, defence: Defence) -> list[Unit]:
    """Those who might take a defence against an attack, the nearest ally first."""
    attacker = battle.unit(situation.attacker.id)
    target = battle.unit(situation.target.id)
    if defence.by == TARGET:
        return [target] if not target.is_defeated and target.id != attacker.id else []
    far: dict[str, float] = {}
    for other in battle.units.values():
        if other.side != target.side or other.is_defeated or other.id in (target.id, attacker.id):
            continue
        distance = distance_between(battle.field, rules, target, other)
        if defence.within is None or distance <= defence.within:
            far[other.id] = float(distance)
    return [battle.units[unit_id] for unit_id in sorted(far, key=lambda unit_id: far[unit_id])]


def facts_of_defence(draft: EventBuilder, blow: Blow, unit: Unit) -> dict[str, Value]:
    """Facts for a defence: those of the attack, its roll and its grade, and of the one who defends."""
    return graded_facts(draft.rules, blow) | defender_facts(draft.battle, draft.rules, blow.situation, unit)


def graded_facts(rules: Ruleset, blow: Blow) -> dict[str, Value]:
    """The facts of a blow's situation, of its roll and of its grade."""
    return facts_of_roll(rules, blow) | {"grade": blow.grade.id, "hit": blow.grade.is_hit}


def defender_facts(battle: Battle, rules: Ruleset, situation: Situation, unit: Unit) -> dict[str, Value]:
    """Facts of the defender, and full values of attacker and target."""
    return {
        **unit_facts(battle, rules, unit, "defender"),
        **weapon_facts(rules, unit, weapon_in_hand(rules, unit), "defender_weapon"),
        **full_facts(rules, unit, "defender"),
        **full_facts(rules, situation.attacker, "attacker"),
        **full_facts(rules, situation.target, "target"),
    }


def can_counter(battle: Battle, rules: Ruleset, unit: Unit, blow: Blow, defence: Defence, against: str = "") -> bool:
    """Whether the defender could attack back with the defence's own attack: the attacker, or the unit of that id."""
    command = counter_attack_command(rules, unit, blow, defence, against)
    return bool(command.weapon) and is_allowed(battle, rules, command)


def counter_attack_command(rules: Ruleset, unit: Unit, blow: Blow, defence: Defence, against: str = "") -> Attack:
    """The attack that a defence answers with: on the attacker, or on the unit of that id."""
    weapon = weapon_to_answer(rules, unit, defence.counter_weapons)
    return Attack(unit.id, against or blow.who["attacker"], weapon, defence.counter, is_free=True)


def counters(draft: EventBuilder, blow: Blow, option: DefenceOption) -> bool:
    """Whether the defender attacks back now, after the result of the defence."""
    defence, unit = option.defence, draft.battle.unit(option.unit.id)
    if not defence.counter or not defence.counter_when.evaluate(facts_of_defence(draft, blow, unit)):
        return False
    return can_counter(draft.battle, draft.rules, unit, blow, defence, option.counters)


def counters_on_others(draft: EventBuilder, blow: Blow, option: DefenceOption) -> list[DefenceOption]:
    """The same defence with its attack on each other enemy that it is possible on, the nearest first."""
    battle, rules, unit = draft.battle, draft.rules, option.unit
    if not option.defence.counters_anyone:
        return []
    others = [
        other
        for other in battle.units.values()
        if other.side != unit.side and not other.is_defeated and other.id != blow.who["attacker"]
    ]
    others.sort(key=lambda other: distance_between(battle.field, rules, unit, other))
    able = (one.id for one in others if can_counter(battle, rules, unit, blow, option.defence, one.id))
    return [replace(option, counters=unit_id) for unit_id in able]


def situation_after(
    draft: EventBuilder, before: Battle, situation: Situation, ally: Unit | None, learned: Mapping[str, Value]
) -> Situation:
    """The same attack after a defence, on the target as it is now; or on the ally to whom it is redirected."""
    rules = draft.rules
    if ally is not None:
        situation = observe_again(before.with_unit(situation.attacker), rules, situation, ally.id)
    now = draft.battle.unit(situation.target.id)
    facts = unit_facts(draft.battle, rules, now, "target")
    return replace(with_facts(rules, situation, {**facts, **learned}), target=now)


def grade_after(rules: Ruleset, blow: Blow, situation: Situation, ledger: Ledger, against: str) -> Grade:
    """Grade of an attack's roll after a defence.

    A burst hits as its ruleset says, whatever was rolled: it gets a lesser grade only where the defence
    makes that grade hold.

    Args:
        rules: the ruleset.
        blow: the attack before the defence.
        situation, ledger: those after it.
        against: what sort of attack it is, SHARED or one of AGAINST.
    """
    if against != BURST:
        return judge(rules, situation.facts, ledger, blow.rolled, blow.dice)
    situations = (blow.situation.facts, situation.facts)
    return lesser_grade(rules, situations, ledger, (blow.rolled, blow.dice), blow.grade)


def ledger_after(battle: Battle, rules: Ruleset, blow: Blow, situation: Situation, against: str) -> Ledger:
    """The ledger after a defence; against a cone or a blast it stays as rolled."""
    return adjusted_ledger(battle, rules, situation) if against == AIMED else blow.ledger


def pay_for_defence(draft: EventBuilder, blow: Blow, option: DefenceOption) -> EventBuilder:
    """The battle once a defence is paid for, its events apart from those before."""
    paid = EventBuilder(draft.battle, draft.rules)
    paid.add(defence_taken(blow.situation.attacker.id, option))
    return paid


def defence_taken(attacker: str, option: DefenceOption) -> ev.DefenceTaken:
    """The event of a defence that is taken against the attack of a unit."""
    defence, unit, cost = option.defence, option.unit, dict(option.cost)
    left = left_after(unit, option.cost)
    return ev.DefenceTaken(unit.id, attacker, defence.id, defence.label, cost, left, option.is_by_itself)


def learned_of_defence(rules: Ruleset, option: DefenceOption, values: Mapping[str, Value]) -> dict[str, Value]:
    """Facts that the effects of a defence make known about the attack."""
    numbers = {name: int(value) if isinstance(value, bool) else value for name, value in values.items()}
    learned = {name: value for name, value in numbers.items() if name in rules.attack.defence_facts}
    return {"defence": option.defence.id, **learned}
