"""Start of a turn or a round: budgets to refill."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.event_builder import EventBuilder
from engine.battle.setup import full_budget
from engine.battle.state.reasons import Reason
from engine.battle.turns.condition_expiry import expire
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
