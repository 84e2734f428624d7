"""Attacks: what happens when one is made, with everything that follows from its roll."""

from __future__ import annotations

from dataclasses import replace

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.bursting import go_off
from engine.battle.bursts import rings_of
from engine.battle.commands import Attack
from engine.battle.draft import Draft
from engine.battle.following import Blow, NamingSource, meant, strike, tell_facts
from engine.battle.shots import consider, is_free, refuse
from engine.battle.situation import observe_again, with_facts
from engine.dice.sources import DiceSource, roll
from engine.errors import Illegal
from engine.field.squares import Direction
from engine.rules.checks import grade_of, judge
from engine.rules.model import Ruleset
from engine.rules.named import reads_dice


def decide_attack(battle: Battle, rules: Ruleset, wish: Attack, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Rolls an attack and everything that follows from it."""
    shot = consider(battle, rules, wish)
    situation, ledger = shot.situation, shot.ledger
    found = rings_of(battle.field, rules, situation, ledger)
    if wish.square is not None and not found:
        raise Illegal("target", f"{situation.weapon.label} does not burst; it needs somebody to aim at.")
    costs_nothing = is_free(battle, wish)
    refuse(battle, rules, situation, ledger, costs_nothing)
    attacker, target, weapon, action = situation.attacker, situation.target, situation.weapon, situation.action
    draft = Draft(battle, rules)
    if not costs_nothing:
        draft.pay(attacker, action, situation.facts)
    draft.spend_rounds(attacker, weapon.id, action, situation.facts)
    if target.at != attacker.at:
        facing = Direction.towards(attacker.at, target.at)
        if facing is not attacker.facing:
            draft.add(ev.UnitTurned(attacker.id, facing))
    rolled = roll(rules.test.dice, dice, f"{attacker.name} attacks {target.name}")
    if not rolled.faces and reads_dice(rules):
        raise Illegal("typed-dice", f"{rolled.text} is read die by die here: type each of them, not their sum.")
    grade = judge(rules, situation.facts, ledger, rolled.total, rolled.dice)
    draft.add(
        ev.AttackRolled(
            unit=attacker.id,
            target=target.id,
            weapon=weapon.id,
            weapon_label=weapon.label,
            action=action.id,
            action_label=action.label,
            distance=situation.distance,
            sight=situation.trace.words,
            entries=ledger.entries,
            total=ledger.total,
            target_number=ledger.target_number,
            chance=shot.odds.hit,
            roll=rolled,
            grade=grade.id,
            grade_label=grade.label,
            is_hit=grade.is_hit,
            square=wish.square,
        )
    )
    blow = Blow(situation, ledger, rolled.total, grade, rolled.dice)
    tell_facts(draft, blow)
    if not found or not grade.is_hit:
        _follow_roll(draft, blow, dice, frozenset())
    if found:
        go_off(draft, blow, found, dice)
    spent_adjustments = tuple(held.entry for held in battle.adjustments if not held.is_pinned)
    if spent_adjustments:
        draft.add(ev.AdjustmentsCleared(spent_adjustments))
    return draft.events


def _follow_roll(draft: Draft, blow: Blow, dice: DiceSource, before: frozenset[tuple[str, str]]) -> None:
    """Everything that follows from a roll which came to a grade, with what follows from strikes that it turns into.

    What has counted as a grade against somebody `before` does not turn into the same again.
    """
    counted = before | {(blow.situation.target.id, blow.grade.id)}
    for change in strike(draft, blow, dice):
        if change.kind != "strike":
            continue
        struck_as = grade_of(draft.rules, change.name)
        for unit_id in meant(draft, change, blow.who):
            if (unit_id, struck_as.id) in counted:
                continue
            draft.add(ev.AttackTurned(blow.who["attacker"], unit_id, struck_as.id, struck_as.label, change.label))
            again = observe_again(draft.battle, draft.rules, blow.situation, unit_id)
            again = with_facts(draft.rules, again, {"turned": True})
            turned = replace(blow, situation=again, grade=struck_as)
            _follow_roll(draft, turned, NamingSource(dice, f" to {again.target.name}"), counted)
