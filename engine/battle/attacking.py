"""Attacks: what one would be (the shot: ledger and odds), whether it is allowed, and what happens when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.commands import Attack
from engine.battle.draft import (
    Draft,
    ready_action,
    refuse_unless_affordable,
    refuse_unless_loaded,
    refuse_unless_met,
    refuse_unless_turn,
)
from engine.battle.following import follow, meant
from engine.battle.setup import full_facts
from engine.battle.situation import BARE_SQUARE, Situation, bare_square, observe, sight_line, with_facts
from engine.battle.units import Unit
from engine.dice.sources import DiceSource, roll
from engine.errors import Illegal, Unknown
from engine.field.squares import Direction, Square
from engine.rules.checks import Odds, judge, odds, roll_facts
from engine.rules.effects import consequences
from engine.rules.ledger import Ledger, itemise
from engine.rules.model import Action, Grade, Ruleset, Value, Weapon


@dataclass(frozen=True, slots=True)
class Shot:
    """One attack before any die is rolled: what panels, the verdict line and the command line show."""

    situation: Situation
    ledger: Ledger
    odds: Odds
    refusal: str
    """Why it cannot be made now, one sentence; "" when it can. Odds and ledger stand either way."""
    refusal_brief: str
    """The same in a few words."""


def consider(
    battle: Battle,
    rules: Ruleset,
    wish: Attack,
    *,
    square: Square | None = None,
    changed: Mapping[str, Value] | None = None,
) -> Shot:
    """What an attack would be.

    Args:
        battle: now.
        rules: the ruleset.
        wish: who attacks whom with what; `target` is ignored when `square` is given.
        square: a bare square to aim at in place of a unit.
        changed: facts set by hand, for "what if".

    Raises:
        Unknown: no such unit, weapon or action.
        Illegal: the unit has no weapon, or no attack fits it.
    """  # fmt: skip
    attacker = battle.unit(wish.unit)
    target = bare_square(battle, square) if square is not None else battle.unit(wish.target)
    weapon = weapon_of(rules, attacker, wish.weapon)
    action = attack_action(rules, attacker, weapon, wish.action)
    line = sight_line(battle, rules, attacker, target)
    situation = observe(battle, rules, attacker, target, weapon, action, line)
    if changed:
        situation = with_facts(situation, changed)
    ledger = itemise(rules, situation.facts, battle.adjustments)
    refusal = brief = ""
    try:
        _refuse(battle, rules, situation, ledger, _is_free(battle, wish))
    except Illegal as reason:
        refusal, brief = str(reason), reason.brief
    return Shot(situation, ledger, odds(rules, situation.facts, ledger), refusal, brief)


def decide_attack(battle: Battle, rules: Ruleset, wish: Attack, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Rolls an attack and everything that follows from it."""
    shot = consider(battle, rules, wish)
    situation, ledger = shot.situation, shot.ledger
    is_free = _is_free(battle, wish)
    _refuse(battle, rules, situation, ledger, is_free)
    attacker, target, weapon, action = situation.attacker, situation.target, situation.weapon, situation.action
    draft = Draft(battle, rules)
    if not is_free:
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
        )
    )
    _follow_roll(draft, situation, ledger, rolled.total, grade, dice)
    spent_adjustments = tuple(held.entry for held in battle.adjustments if not held.is_pinned)
    if spent_adjustments:
        draft.add(ev.AdjustmentsCleared(spent_adjustments))
    return draft.events


def _is_free(battle: Battle, wish: Attack) -> bool:
    """Whether an attack costs nothing and needs no turn: the GM says so, or the battle gives the unit the right."""
    return wish.is_free or battle.opening(wish.unit, wish.target) is not None


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
            _follow_roll(draft, again, ledger, rolled, struck_as, dice)


def _situation(battle: Battle, rules: Ruleset, before: Situation, target: Unit) -> Situation:
    """The same attack on another unit, or on the same one as it is now."""
    attacker = battle.unit(before.attacker.id)
    line = sight_line(battle, rules, attacker, target)
    return observe(battle, rules, attacker, target, before.weapon, before.action, line)


def weapon_of(rules: Ruleset, unit: Unit, weapon_id: str) -> Weapon:
    """The weapon a unit attacks with: the one named, or the one in hand.

    Raises:
        Unknown: the unit does not carry it.
        Illegal: it carries nothing.
    """
    chosen = weapon_id or unit.weapon
    if not chosen:
        raise Illegal("weapon", f"{unit.name} has nothing in hand.")
    if chosen not in rules.weapons or (unit.weapons and chosen not in unit.weapons):
        raise Unknown(f"weapon of {unit.name}", chosen, unit.weapons)
    return rules.weapons[chosen]


def attack_actions(rules: Ruleset, weapon: Weapon) -> tuple[Action, ...]:
    """The attack actions that work with a weapon, in the ruleset's order."""
    return tuple(
        action for action in rules.actions.values() if action.kind == "attack" and weapon.kind in action.weapons
    )


def attack_action(rules: Ruleset, unit: Unit, weapon: Weapon, action_id: str) -> Action:
    """The attack action named, or the first that works with the weapon.

    Raises:
        Unknown: there is no such attack.
        Illegal: it does not work with this weapon, or none does.
    """
    fitting = attack_actions(rules, weapon)
    if not action_id:
        if not fitting:
            raise Illegal("weapon", f"{rules.name} has no attack with {weapon.label}.")
        return fitting[0]
    if action_id not in rules.actions or rules.actions[action_id].kind != "attack":
        raise Unknown("attack", action_id, (action.id for action in rules.actions.values() if action.kind == "attack"))
    action = rules.actions[action_id]
    if action not in fitting:
        raise Illegal("weapon", f"“{action.label}” does not work with {unit.name}'s {weapon.label}.")
    return action


def _refuse(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger, is_free: bool) -> None:
    attacker, target = situation.attacker, situation.target
    if attacker.id == target.id:
        raise Illegal("target", f"{attacker.name} cannot attack itself.")
    if target.is_defeated:
        raise Illegal("target", f"{target.name} is out of the fight already.")
    if ledger.forbidden:
        because = ledger.forbidden.because.rstrip(".")
        raise Illegal("impossible", f"{ledger.forbidden.label}: {because}.", because)
    if situation.weapon.id != attacker.weapon and ready_action(rules) is not None:
        label = situation.weapon.label
        raise Illegal("weapon", f"{attacker.name} has not got the {label} in hand.", f"the {label} is not in hand")
    if not is_free:
        refuse_unless_turn(battle, attacker, rules)
        refuse_unless_affordable(attacker, situation.action, situation.facts, rules)
    elif attacker.is_defeated:
        raise Illegal("defeated", f"{attacker.name} is out of the fight.")
    else:
        refuse_unless_met(attacker, situation.action, situation.facts)
    refuse_unless_loaded(attacker, situation.weapon.id, situation.action, situation.facts, rules)
