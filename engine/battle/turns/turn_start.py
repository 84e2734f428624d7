"""Start of a turn or a round: budgets to refill and conditions to end."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.battle.event_builder import EventBuilder
from engine.battle.setup import full_budget
from engine.battle.state.reasons import Reason
from engine.rules.model import Ruleset


def begin_turn(draft: EventBuilder, unit_id: str, *, is_extra: bool = False) -> None:
    """A unit's turn, with all that ends when it comes; an extra one interrupts the active unit's."""
    expire(draft, [unit_id], "own turn start", Reason("turn-comes"))
    unit = draft.battle.unit(unit_id)
    budget = full_budget(draft.battle, draft.rules, unit)
    for name in _by_round(draft.rules):
        left = unit.turn.budget.get(name, budget[name])
        budget[name] = left + budget[name] if is_extra else left
    draft.add(ev.TurnBegan(unit_id, budget, is_extra))


def begin_round(draft: EventBuilder, number: int) -> None:
    """A round, with all that is refilled when it comes; who has had no turn yet has all that a turn gives."""
    found: dict[str, dict[str, int]] = {}
    for unit in draft.battle.units.values():
        full = full_budget(draft.battle, draft.rules, unit)
        refilled = {name: full[name] for name in (_by_round(draft.rules) if unit.turn.budget else full)}
        if refilled.items() - unit.turn.budget.items():
            found[unit.id] = {**unit.turn.budget, **refilled}
    draft.add(ev.RoundBegan(number, found))


def _by_round(rules: Ruleset) -> list[str]:
    return [budget.id for budget in rules.units.budgets.values() if budget.refills == "round start"]


def expire(draft: EventBuilder, unit_ids: Iterable[str], moment: str, because: Reason) -> None:
    """Ends the conditions of those units that last until that moment."""
    for unit_id in unit_ids:
        for condition in draft.battle.unit(unit_id).conditions:
            is_timed = condition in draft.battle.unit(unit_id).timers
            if draft.rules.units.conditions[condition].until == moment and not is_timed:
                draft.set_condition(unit_id, condition, False, because)


def tick(draft: EventBuilder) -> None:
    """A round less of every condition and marker that lasts a number of rounds."""
    for unit in draft.battle.units.values():
        for condition, left in unit.timers.items():
            if left > 1:
                draft.add(ev.ConditionTicked(unit.id, condition, left - 1))
            else:
                draft.set_condition(unit.id, condition, False, Reason("rounds-over"))
        for marker, left in unit.markers.items():
            if left > 1:
                draft.add(ev.MarkerSet(unit.id, marker, left - 1, is_tick=True))
            elif left:
                draft.add(ev.MarkerCleared(unit.id, marker, Reason("rounds-over")))
