"""A turn begins, and what ends with a turn or a round: the conditions whose moment has come."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.battle.draft import Draft
from engine.battle.setup import full_budget


def begin_turn(draft: Draft, unit_id: str, *, is_extra: bool = False) -> None:
    """A unit's turn, with all that ends when it comes; an extra one interrupts the active unit's."""
    expire(draft, [unit_id], "own turn start", "its next turn has come")
    budget = full_budget(draft.battle, draft.rules, draft.battle.unit(unit_id))
    draft.add(ev.TurnBegan(unit_id, budget, is_extra))


def expire(draft: Draft, unit_ids: Iterable[str], moment: str, because: str) -> None:
    """Ends the conditions of those units that last until that moment."""
    for unit_id in unit_ids:
        for condition in draft.battle.unit(unit_id).conditions:
            is_timed = condition in draft.battle.unit(unit_id).timers
            if draft.rules.conditions[condition].until == moment and not is_timed:
                draft.set_condition(unit_id, condition, False, because)


def tick(draft: Draft) -> None:
    """A round less of every condition that lasts a number of rounds."""
    for unit in draft.battle.units.values():
        for condition, left in unit.timers.items():
            if left > 1:
                draft.add(ev.ConditionTicked(unit.id, condition, left - 1))
            else:
                draft.set_condition(unit.id, condition, False, "its rounds are over")
