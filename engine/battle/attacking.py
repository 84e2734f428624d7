"""Attacks: what happens when one is made, with everything that follows from its roll."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.bursting import Thrown, go_off
from engine.battle.bursts import rings_of
from engine.battle.commands import Attack
from engine.battle.draft import Draft
from engine.battle.following import follow, meant
from engine.battle.setup import full_facts
from engine.battle.shots import consider, is_free, refuse
from engine.battle.situation import BARE_SQUARE, Situation, observe, sight_line
from engine.battle.units import Unit
from engine.dice.expressions import Dice
from engine.dice.sources import DiceSource, Request, roll
from engine.errors import Illegal
from engine.field.squares import Direction
from engine.rules.checks import judge, roll_facts
from engine.rules.effects import consequences
from engine.rules.ledger import Ledger
from engine.rules.model import Grade, Ruleset


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
    grade = judge(rules, situation.facts, ledger, rolled.total)
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
    if not found or not grade.is_hit:
        _follow_roll(draft, situation, ledger, rolled.total, grade, dice)
    if found:
        go_off(draft, Thrown(situation, ledger, rolled.total, grade, found), dice)
    spent_adjustments = tuple(held.entry for held in battle.adjustments if not held.is_pinned)
    if spent_adjustments:
        draft.add(ev.AdjustmentsCleared(spent_adjustments))
    return draft.events


class NamingSource:
    """Dice that are asked for by the name of the one they are about."""

    def __init__(self, dice: DiceSource, who: str) -> None:
        self._dice = dice
        self._who = who

    def request(self, dice: Dice, purpose: str) -> Request:
        return self._dice.request(dice, f"{purpose} to {self._who}")


def _follow_roll(
    draft: Draft, situation: Situation, ledger: Ledger, rolled: int, grade: Grade, dice: DiceSource
) -> None:
    """Everything that follows from a roll which came to a grade, with what follows from strikes that it turns into."""
    rules, attacker, target = draft.rules, situation.attacker, situation.target
    facts = roll_facts(rules, situation.facts, ledger, rolled)
    facts |= full_facts(rules, attacker, "attacker") | full_facts(rules, target, "target")
    found = consequences(rules, rules.effects, facts, grade, dice)
    who = {"attacker": attacker.id} | ({} if target.id == BARE_SQUARE else {"target": target.id})
    follow(draft, found, who, grade.label, situation.weapon.id)
    for change in found.changes:
        if change.kind != "strike":
            continue
        struck_as = next(other for other in rules.grades if other.id == change.name)
        for unit_id in meant(draft, change, who):
            draft.add(ev.AttackTurned(attacker.id, unit_id, struck_as.id, struck_as.label, change.label))
            again = _situation(draft.battle, rules, situation, draft.battle.unit(unit_id))
            _follow_roll(draft, again, ledger, rolled, struck_as, NamingSource(dice, draft.battle.unit(unit_id).name))


def _situation(battle: Battle, rules: Ruleset, before: Situation, target: Unit) -> Situation:
    """The same attack on another unit, or on the same one as it is now."""
    attacker = battle.unit(before.attacker.id)
    line = sight_line(battle, rules, attacker, target)
    return observe(battle, rules, attacker, target, before.weapon, before.action, line)
