"""Order and turns: rolling initiative, ending a turn, what expires then."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.draft import Draft
from engine.battle.setup import full_budget
from engine.battle.situation import circumstances
from engine.battle.units import Unit
from engine.battle.weather import clouds_drift
from engine.dice.sources import DiceSource, roll
from engine.errors import Illegal
from engine.rules.model import Ruleset
from engine.rules.values import whole_down


def decide_initiative(battle: Battle, rules: Ruleset, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Rolls the order anew; the first in it begins its turn."""
    fighting = [unit for unit in battle.units.values() if not unit.is_defeated]
    if not fighting:
        raise Illegal("nobody", "Nobody is left to fight.")
    draft = Draft(battle, rules)
    if battle.active:
        draft.add(ev.TurnEnded(battle.active))
        _expire(draft, [battle.active], "own turn end", "the turn is over")
    bonus = {unit.id: _bonus(battle, rules, unit) for unit in battle.units.values()}
    scores: dict[str, int] = {}
    if rules.initiative.kind == "sides":
        for side in dict.fromkeys(unit.side for unit in fighting):
            members = [unit.id for unit in fighting if unit.side == side]
            total = _roll(draft, rules, side, max(bonus[unit_id] for unit_id in members), dice)
            scores |= dict.fromkeys(members, total)
    else:
        for unit in fighting:
            scores[unit.id] = _roll(draft, rules, unit.id, bonus[unit.id], dice)
    sides = list(dict.fromkeys(unit.side for unit in fighting))
    best = {side: max(bonus[unit.id] for unit in fighting if unit.side == side) for side in sides}

    def rank(unit: Unit) -> tuple[int, ...]:
        if rules.initiative.kind == "sides":
            return scores[unit.id], best[unit.side], -sides.index(unit.side), bonus[unit.id]
        return scores[unit.id], bonus[unit.id]

    order = [unit.id for unit in sorted(fighting, key=rank, reverse=True)]
    draft.add(ev.OrderSet(tuple(order), scores))
    draft.add(ev.RoundBegan(max(1, battle.round)))
    begin_turn(draft, order[0])
    return draft.events


def decide_end_of_turn(battle: Battle, rules: Ruleset) -> tuple[ev.Event, ...]:
    """The active unit is done; the next in the order that can act begins, in a new round when the order is through."""
    if not battle.active:
        raise Illegal("order", "The order is not rolled yet.")
    draft = Draft(battle, rules)
    draft.add(ev.TurnEnded(battle.active))
    _expire(draft, [battle.active], "own turn end", "the turn is over")
    if _resume(draft):
        return draft.events
    position = battle.order.index(battle.whose_place)
    later = [unit_id for unit_id in battle.order[position + 1 :] if not battle.units[unit_id].is_defeated]
    if not later:
        _expire(draft, battle.units, "round end", "the round is over")
        _tick(draft)
        for event in clouds_drift(draft.battle):
            draft.add(event)
        draft.add(ev.RoundBegan(battle.round + 1))
        later = [unit_id for unit_id in battle.order if not battle.units[unit_id].is_defeated]
    if not later:
        raise Illegal("nobody", "Nobody is left to act.")
    begin_turn(draft, later[0])
    return draft.events


def _resume(draft: Draft) -> bool:
    """Whether a turn that was interrupted goes on, or an extra one of the same unit begins."""
    while draft.battle.interrupted:
        waiting = draft.battle.interrupted[-1]
        if draft.battle.unit(waiting.unit).is_defeated:
            draft.add(ev.TurnDropped(waiting.unit))
            continue
        if waiting.is_extra:
            draft.add(ev.TurnDropped(waiting.unit))
            begin_turn(draft, waiting.unit, is_extra=True)
        else:
            draft.add(ev.TurnResumed(waiting.unit))
        return True
    return False


def begin_turn(draft: Draft, unit_id: str, *, is_extra: bool = False) -> None:
    """A unit's turn, with all that ends when it comes; an extra one interrupts the active unit's."""
    _expire(draft, [unit_id], "own turn start", "its next turn has come")
    budget = full_budget(draft.battle, draft.rules, draft.battle.unit(unit_id))
    draft.add(ev.TurnBegan(unit_id, budget, is_extra))


def _expire(draft: Draft, unit_ids: Iterable[str], moment: str, because: str) -> None:
    for unit_id in unit_ids:
        for condition in draft.battle.unit(unit_id).conditions:
            is_timed = condition in draft.battle.unit(unit_id).timers
            if draft.rules.conditions[condition].until == moment and not is_timed:
                draft.set_condition(unit_id, condition, False, because)


def _tick(draft: Draft) -> None:
    """A round less of every condition that lasts a number of rounds."""
    for unit in draft.battle.units.values():
        for condition, left in unit.timers.items():
            if left > 1:
                draft.add(ev.ConditionTicked(unit.id, condition, left - 1))
            else:
                draft.set_condition(unit.id, condition, False, "its rounds are over")


def _bonus(battle: Battle, rules: Ruleset, unit: Unit) -> int:
    return whole_down(rules.initiative.bonus, circumstances(battle, rules, unit))


def _roll(draft: Draft, rules: Ruleset, who: str, bonus: int, dice: DiceSource) -> int:
    unit = draft.battle.units.get(who)
    rolled = roll(rules.initiative.dice, dice, f"Initiative of {unit.name if unit else who}")
    draft.add(ev.InitiativeRolled(who, rolled, bonus, rolled.total + bonus))
    return rolled.total + bonus
