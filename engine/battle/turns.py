"""Order and turns: rolling initiative, ending a turn, what expires then."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.beginning import begin_turn, expire, tick
from engine.battle.draft import Draft
from engine.battle.moments import everybody, happen, see_through
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
        _end_turn(draft, dice)
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
    begin = len(draft.events) - 1
    begin_turn(draft, order[0])
    see_through(draft, begin, dice)
    return draft.events


def decide_end_of_turn(battle: Battle, rules: Ruleset, dice: DiceSource) -> tuple[ev.Event, ...]:
    """The active unit is done; the next in the order that can act begins, in a new round when the order is through."""
    if not battle.active:
        raise Illegal("order", "The order is not rolled yet.")
    draft = Draft(battle, rules)
    _end_turn(draft, dice)
    next_turn = len(draft.events)
    if not _resume(draft):
        position = battle.order.index(_whose_place(battle))
        later = _able(draft, battle.order[position + 1 :])
        if not later:
            _end_round(draft, dice)
            next_turn = len(draft.events) - 1
            later = _able(draft, battle.order)
        if not later:
            raise Illegal("nobody", "Nobody is left to act.")
        begin_turn(draft, later[0])
    see_through(draft, next_turn, dice)
    return draft.events


def _end_turn(draft: Draft, dice: DiceSource) -> None:
    """The active unit's turn is over, with all that happens and ends then."""
    unit_id, before = draft.battle.active, len(draft.events)
    draft.add(ev.TurnEnded(unit_id))
    happen(draft, "own turn end", [unit_id], dice)
    see_through(draft, before, dice)
    expire(draft, [unit_id], "own turn end", "the turn is over")


def _end_round(draft: Draft, dice: DiceSource) -> None:
    """The round is over, with all that happens and ends then; the next begins."""
    before = len(draft.events)
    happen(draft, "round end", everybody(draft), dice)
    see_through(draft, before, dice)
    expire(draft, draft.battle.units, "round end", "the round is over")
    tick(draft)
    for event in clouds_drift(draft.battle):
        draft.add(event)
    draft.add(ev.RoundBegan(draft.battle.round + 1))


def _able(draft: Draft, order: Sequence[str]) -> list[str]:
    return [unit_id for unit_id in order if not draft.battle.units[unit_id].is_defeated]


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


def _whose_place(battle: Battle) -> str:
    """The unit whose place in the order the round has come to: the first that was interrupted, else the active one."""
    return battle.interrupted[0].unit if battle.interrupted else battle.active


def _bonus(battle: Battle, rules: Ruleset, unit: Unit) -> int:
    return whole_down(rules.initiative.bonus, circumstances(battle, rules, unit))


def _roll(draft: Draft, rules: Ruleset, who: str, bonus: int, dice: DiceSource) -> int:
    unit = draft.battle.units.get(who)
    rolled = roll(rules.initiative.dice, dice, f"Initiative of {unit.name if unit else who}")
    draft.add(ev.InitiativeRolled(who, rolled, bonus, rolled.total + bonus))
    return rolled.total + bonus
