"""Defences that the odds of a shot leave out: those that its targets, or its attacker, may still use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from engine.battle.attacks.attack_preview import AttackPreview, caught_facts
from engine.battle.attacks.defence_odds import changes_attack
from engine.battle.attacks.defences import DefenceOption, can_counter, defender_facts, defenders, is_against
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.event_builder import costs, is_left
from engine.battle.facts import BARE_SQUARE, Situation, observe_again
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import OFF
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.rules.effects import comes_after
from engine.rules.model import Ruleset, Value
from engine.rules.reaction_rules import AIMED, BURST, SWEPT, Defence
from engine.rules.roll_odds import asked_of_rolls, grade_of, judged_rolls
from engine.rules.specialise import own_to_roll
from engine.values import replace


def with_open_defences(battle: Battle, rules: Ruleset, shot: AttackPreview) -> AttackPreview:
    """The same shot with the defences that its odds leave out, for display."""
    if not rules.attack.defences or not shot.ledger.is_possible:
        return shot
    found: set[str] = set()
    for situation, against in _struck(battle, rules, shot):
        with suppress(BattleboardError):  # a rule that fails: making the attack reports it
            found |= set(_open(battle, rules, shot, situation, against))
    labels = dict.fromkeys(defence.label for defence in rules.attack.defences if defence.id in found)
    return replace(shot, defences=tuple(labels))


def _struck(battle: Battle, rules: Ruleset, shot: AttackPreview) -> Iterator[tuple[Situation, str]]:
    """The attack on each unit that it may hit."""
    situation = shot.situation
    if shot.caught is not None:
        for unit in shot.caught:
            yield observe_again(battle, rules, situation, unit.id, caught_facts(shot.caught, unit)), SWEPT
        return
    if situation.target.id != BARE_SQUARE:
        yield situation, AIMED
    if any(BURST in defence.against for defence in rules.attack.defences):
        for risk in shot.area_risks:
            yield observe_again(battle, rules, situation, risk.unit.id), BURST


def _open(
    battle: Battle,
    rules: Ruleset,
    shot: AttackPreview,
    situation: Situation,
    against: str,
) -> Iterator[str]:
    """Ids of the defences that a unit may take after at least one of the possible rolls of the attack."""
    waiting: list[tuple[Defence, Unit, dict[str, Value], frozenset[str]]] = []
    facts_of: dict[str, Mapping[str, Value]] = {}
    own = own_to_roll(rules)
    for defence in rules.attack.defences:
        if not is_against(defence, against):
            continue
        for unit in defenders(battle, rules, situation, defence):
            if battle.gm.policy(unit, defence.id) == OFF:
                continue
            if unit.id not in facts_of:
                facts_of[unit.id] = {**situation.facts, **defender_facts(battle, rules, situation, unit)}
            names = defence.when.names.union(*(cost.names for cost in defence.cost.values()))
            known = {name: facts_of[unit.id][name] for name in names - own if name in facts_of[unit.id]}
            waiting.append((defence, unit, known, names & own))
    if not waiting:
        return
    asked = asked_of_rolls(rules, *(one[3] for one in waiting))
    tried: set[tuple[object, ...]] = set()
    found: set[str] = set()
    for _, rolled, row in judged_rolls(rules, shot.situation.facts, shot.ledger, asked)[1]:
        grade = rolled.grade
        if against == BURST:
            if not grade.goes_off or rules.space.burst is None:
                continue
            grade = grade_of(rules, rules.space.burst.grade)
        after: dict[str, Value] = {"grade": grade.id, "hit": grade.is_hit}
        for defence, unit, known, rolls in waiting:
            if defence.id in found or not comes_after(defence.on, grade.id, grade.is_hit):
                continue
            differs = {name: after[name] if name in after else row[name] for name in rolls}
            case = (defence.id, unit.id, grade.id, *differs.values())
            if case in tried:
                continue
            tried.add(case)
            facts = known | differs
            if not defence.when.evaluate(facts):
                continue
            option = DefenceOption(defence, unit, costs(defence.cost, facts))
            if not is_left(unit, option.cost):
                continue
            if defence.counter:  # one that only attacks back leaves the odds as they are
                blow = Blow(situation, shot.ledger, rolled.roll, grade, rolled.dice)
                if not can_counter(battle, rules, unit, blow, defence):
                    continue
                if not changes_attack(battle, rules, blow, option, against):
                    continue
            found.add(defence.id)
            yield defence.id
