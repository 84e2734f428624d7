"""Declared actions that are not kept: where the order is rolled for what units declare, in the round of that roll.

Nobody is bound by what it declares; the log says who does something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_refusals import attack_refusal
from engine.battle.commands.other_actions import refusal
from engine.battle.event_builder import costs
from engine.battle.facts import action_facts
from engine.battle.setup import full_budget
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.rules.model import Action, Ruleset

ALIKE = ("attack", "move")
"""Kinds of actions of which one keeps the declaration of another."""
WALKS = "move"


def with_broken_declarations(before: Battle, rules: Ruleset, happened: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
    """The events of one command with the declarations that they break.

    A unit breaks its declaration with an action after which it can no longer take the declared one in this turn, or by
    not having taken it when the round is over.
    """
    turns = before.turns
    if not rules.turns.initiative.declares or not turns.announced or turns.announced_in != turns.round:
        return happened
    if any(isinstance(event, ev.InitiativeRolled) for event in happened):
        return happened  # what was declared before is void
    ends = (place for place, event in enumerate(happened) if isinstance(event, ev.RoundBegan))
    place = next(ends, len(happened))
    if place < len(happened):
        return (*happened[:place], *_left_undone(before, rules), *happened[place:])
    return (*happened, *_done_instead(before, rules, happened))


def _left_undone(battle: Battle, rules: Ruleset) -> Iterator[ev.DeclarationBroken]:
    """The declarations that are not kept as the round ends; those who had no whole turn for it break none."""
    for unit, label, declared in _open(battle, rules):
        if unit.is_defeated or unit.id in battle.turns.surprised or _is_kept(rules, unit, declared):
            continue
        if _is_affordable(battle, rules, unit, declared, full_budget(battle, rules, unit)):
            yield ev.DeclarationBroken(unit.id, label, _did(rules, unit))


def _done_instead(before: Battle, rules: Ruleset, happened: Sequence[ev.Event]) -> Iterator[ev.DeclarationBroken]:
    """The acting unit's declaration, where it took an action after which it can no longer keep that."""
    taken = {event.unit: event.label for event in happened if isinstance(event, ev.ActionTaken) and event.spent}
    unit_id = before.turns.active
    if unit_id not in taken or not before.turns.is_own_turn:
        return
    after = apply_all(before, happened)
    for unit, label, declared in _open(after, rules):
        is_open = _is_kept(rules, unit, declared) or _is_possible(after, rules, unit, declared)
        if unit.id == unit_id and not is_open:
            yield ev.DeclarationBroken(unit_id, label, taken[unit_id])


def _open(battle: Battle, rules: Ruleset) -> Iterator[tuple[Unit, str, Action]]:
    """The units that have declared, with the label and the action."""
    actions = {action.label: action for action in rules.actions.values()}
    for unit_id, label in battle.turns.announced.items():
        if unit_id in battle.units and label in actions:
            yield battle.units[unit_id], label, actions[label]


def _is_kept(rules: Ruleset, unit: Unit, declared: Action) -> bool:
    """Whether a unit has done what it declared in its latest turn: any attack for an attack, any move for a move."""
    done = (rules.actions[action] for action in unit.turn.tally if action in rules.actions)
    return any(action.id == declared.id or action.kind == declared.kind in ALIKE for action in done)


def _is_possible(battle: Battle, rules: Ruleset, unit: Unit, declared: Action) -> bool:
    """Whether a unit may still do what it declared, now or once the moves are made."""
    if declared.kind == WALKS:
        return any(not refusal(battle, rules, unit, one) for one in rules.actions.values() if one.kind == WALKS)
    weapon = rules.gear.weapons.get(unit.gear.weapon)
    if declared.kind != "attack" or weapon is None:
        return declared.kind != "attack" and not refusal(battle, rules, unit, declared)
    is_moving = any(move.unit == unit.id for move in battle.turns.declared)
    return any(
        (is_moving and _is_affordable(battle, rules, unit, action, unit.turn.budget))
        if action.after_moves
        else not attack_refusal(battle, rules, unit, weapon, action)
        for action in attack_actions(rules, weapon)
    )


def _is_affordable(battle: Battle, rules: Ruleset, unit: Unit, action: Action, budget: Mapping[str, int]) -> bool:
    prices = costs(action.cost, action_facts(battle, rules, unit, action))
    return all(budget.get(name, 0) >= amount for name, amount in prices.items())


def _did(rules: Ruleset, unit: Unit) -> str:
    """Label of the last action of a unit in its latest turn; "" for nothing."""
    return next((rules.actions[action].label for action in [*unit.turn.tally][::-1] if action in rules.actions), "")
