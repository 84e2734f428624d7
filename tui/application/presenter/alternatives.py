"""Alternatives to a refused attack: another attack, an action that removes the obstacle, another weapon."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.rules.model import Ruleset
from engine.tactics.options import acts
from engine.values import replace
from tui.application.focus import focus as foci
from tui.application.focus.focus import Focus

MOST_NAMED = 2
"""Alternatives that are named."""


def instead(focus: Focus, shot: AttackPreview, battle: Battle, rules: Ruleset) -> str:
    """Describes the alternatives in one sentence, with action ids in braces; "" if there is none."""
    if found := _attacks(focus, battle, rules) or _mends(focus, shot, battle, rules):
        return f" {' or '.join(found[:MOST_NAMED])} is possible: {{battle.act}} chooses it."
    unit, attack = battle.units[focus.unit], foci.attack_in(focus, battle, rules)
    if _is_empty(focus, unit):
        return " {battle.weapon} switches to another weapon."
    if attack is not None and not foci.refusal(replace(attack, is_free=True), battle, rules):
        return " {battle.fire_free} attacks anyway, at no cost."
    if shot.ledger.is_possible and focus.weapon not in ("", unit.gear.weapon):
        return " {battle.weapon} takes it in hand."
    if not shot.situation.trace.can_see:
        return " {battle.move} moves, {battle.stand} shows squares with a better shot."
    return ""


def _attacks(focus: Focus, battle: Battle, rules: Ruleset) -> list[str]:
    """Names of the attacks that the unit in focus could make on its target now."""
    known = foci.attacks(focus, battle, rules)
    return [one.label for one in known if foci.option(replace(focus, action=one.id), battle, rules).shot]


def _mends(focus: Focus, shot: AttackPreview, battle: Battle, rules: Ruleset) -> list[str]:
    """Names of actions possible now that reload the empty weapon, or end the condition that forbids the attack."""
    unit, forbidden = battle.units[focus.unit], shot.ledger.forbidden
    asked = next(
        (each.when.names for each in rules.attack.restrictions if forbidden and each.id == forbidden.id), frozenset()
    )
    ends = {name for name in unit.conditions if f"attacker.{name}" in asked}
    is_empty = _is_empty(focus, unit)
    mends = [
        act.id
        for act in rules.actions.values()
        if any((effect.reloads and is_empty) or (effect.ends and effect.ends in ends) for effect in act.effects)
    ]
    able = (one.command.action for one in acts(battle, rules, unit, actions=mends, targets=[""]) if one.is_allowed)
    return [rules.actions[id].label for id in dict.fromkeys(able)]


def _is_empty(focus: Focus, unit: Unit) -> bool:
    """Whether the weapon has no round left."""
    return unit.gear.rounds.get(focus.weapon or unit.gear.weapon) == 0
