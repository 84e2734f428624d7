"""The further attacks that the price of one attack pays for: the second and third shot of a mode of fire.

What an attack does for certain is done in thought: its price, its rounds, and the conditions of its attacker that begin
whatever the roll comes to. What an attack of the same weapon at the same target then costs nothing but what was paid
for already, is part of the whole action. No dice are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import AttackPreview, consider, is_allowed, pay_for_attack
from engine.battle.command import Attack
from engine.battle.effects.condition_effects import ConditionEffect
from engine.battle.event_builder import EventBuilder, costs
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.rules.model import Ruleset, Value
from engine.values import replace

MOST_ATTACKS = 6
ALWAYS = "always"
"""What an effect stands after that no roll can prevent."""


def further_attacks(
    battle: Battle, rules: Ruleset, command: Attack, shot: AttackPreview
) -> Iterator[tuple[Battle, AttackPreview]]:
    """The attacks that follow one and are paid with it, each with the battle in which it is made.

    Args:
        battle: now.
        rules: the ruleset.
        command: the first attack.
        shot: its preview.
    """
    # what begins at 0 holds only what an action has paid for
    paid = {id for id, budget in rules.units.budgets.items() if budget.start.text.strip() == "0"}
    for _ in range(1, MOST_ATTACKS):
        try:
            after = _made(battle, rules, shot, paid)
            found = _next(battle, after, rules, command, paid) if after is not None else None
            if after is None or found is None:
                return
            battle, command, shot = after, found, consider(after, rules, found)
        except BattleboardError:  # as where a magazine is empty
            return
        yield battle, shot


def _made(battle: Battle, rules: Ruleset, shot: AttackPreview, paid: set[str]) -> Battle | None:
    """The battle after an attack of which nobody knows what it came to; None where that pays for nothing more."""
    attacker, action, facts = shot.situation.attacker, shot.situation.action, shot.situation.facts
    begun = [effect for effect in rules.attack.effects if _begins(effect, facts)]
    if not begun and not paid.intersection(costs(action.cost, facts)):
        return None
    draft = EventBuilder(battle, rules, tells=False)
    pay_for_attack(draft, shot)
    draft.spend_rounds(draft.battle.unit(attacker.id), shot.situation.weapon.id, action, facts)
    unit = draft.battle.unit(attacker.id)
    conditions = (*unit.conditions, *(one.condition for one in begun if isinstance(one, ConditionEffect)))
    turn = replace(unit.turn, attacks=unit.turn.attacks + 1)
    return draft.battle.with_unit(replace(unit, conditions=tuple(dict.fromkeys(conditions)), turn=turn))


def _begins(effect: object, facts: Mapping[str, Value]) -> bool:
    """Whether an effect begins a condition of the attacker whatever the roll comes to."""
    return (
        isinstance(effect, ConditionEffect)
        and not effect.is_end
        and effect.whom == "attacker"
        and ALWAYS in effect.on
        and effect.when.names <= facts.keys()
        and bool(effect.when.evaluate(facts))
    )


def _next(before: Battle, after: Battle, rules: Ruleset, command: Attack, paid: set[str]) -> Attack | None:
    """The attack with the same weapon that may follow for nothing; None for none."""
    weapon = command.weapon or after.unit(command.unit).gear.weapon
    for action in attack_actions(rules, rules.gear.weapons[weapon]):
        found = replace(command, weapon=weapon, action=action.id)
        if not is_allowed(after, rules, found):
            continue
        price = costs(action.cost, consider(after, rules, found).situation.facts)
        spends = {budget for budget, amount in price.items() if amount > 0}
        is_paid = bool(spends) if action.id == command.action else not is_allowed(before, rules, found)
        if spends <= paid and is_paid:
            return found
    return None
