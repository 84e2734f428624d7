"""Conditions that end by what their bearer does: an aim with its next action, a held action with what it held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.battle import Battle
from engine.rules.model import NEXT_ACTION, Ruleset


def lapses(before: Battle, rules: Ruleset, happened: Iterable[ev.Event]) -> Iterator[ev.ConditionEnded]:
    """The conditions that end because their bearers did something, of those that they were in before.

    What they did sees the conditions still. An action that begins a condition renews it. A condition in which something
    is held ends when that is spent.
    """
    short = [known for known in rules.conditions.values() if known.until == NEXT_ACTION]
    if not short and not any(known.holds for known in rules.conditions.values()):
        return
    happened = tuple(happened)
    after = apply_all(before, happened)
    yield from _spent(before, after, rules)
    done: dict[str, str] = {}
    begun: set[tuple[str, str]] = set()
    for event in happened:
        if isinstance(event, ev.ActionTaken | ev.AttackRolled | ev.UnitMoved):
            done[event.unit] = event.action
        elif isinstance(event, ev.DefenceTaken):
            done[event.unit] = ""
        elif isinstance(event, ev.ConditionBegan):
            begun.add((event.unit, event.condition))
    for unit_id, action in done.items():
        was, still = before.units[unit_id].conditions, after.units[unit_id].conditions
        for condition in short:
            is_renewed = (unit_id, condition.id) in begun or _begins(rules, action, condition.id)
            if condition.id in was and condition.id in still and not is_renewed:
                yield ev.ConditionEnded(unit_id, condition.id, condition.label, "its next action has come")


def _spent(before: Battle, after: Battle, rules: Ruleset) -> Iterator[ev.ConditionEnded]:
    """The conditions in which something was held before, and nothing is any more."""
    for unit in after.units.values():
        had = before.units[unit.id].budget if unit.id in before.units else {}
        for held in (rules.conditions[condition] for condition in unit.conditions):
            if had.get(held.holds, 0) and not unit.budget.get(held.holds, 0):
                why = f"no {rules.budgets[held.holds].label} is left"
                yield ev.ConditionEnded(unit.id, held.id, held.label, why)


def _begins(rules: Ruleset, action_id: str, condition: str) -> bool:
    """Whether an action begins that condition on whoever takes it."""
    action = rules.actions.get(action_id)
    return action is not None and any(
        (effect.kind, effect.whom, effect.name) == ("condition", "attacker", condition) and effect.value.text != "0"
        for effect in action.effects
    )
