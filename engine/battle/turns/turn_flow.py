"""Turn flow: how turns and rounds follow each other, and what their ends bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.battle import events as ev
from engine.battle.event_builder import NO_TURN_YET, EventBuilder, refuse_if_out
from engine.battle.moves.simultaneous_moves import closers, waiters, walk_all
from engine.battle.state.battle import Battle
from engine.battle.state.reasons import Reason
from engine.battle.turns.condition_expiry import expire, tick
from engine.battle.turns.triggers import everybody, happen, see_through
from engine.battle.turns.turn_order import others_at_any_time, roll_order
from engine.battle.turns.turn_start import begin_round, begin_turn
from engine.dice.sources import DiceSource
from engine.errors import Illegal
from engine.geometry.blast.smoke_clouds import drifted
from engine.rules.model import Ruleset


def decide_initiative(
    battle: Battle, rules: Ruleset, dice: DiceSource, declared: Mapping[str, str]
) -> tuple[ev.Event, ...]:
    """Rolls the turn order again; its first unit begins its turn."""
    draft = EventBuilder(battle, rules)
    if battle.turns.active:
        _end_turn(draft, dice)
    roll_order(draft, dice, declared)
    if battle.turns.round:
        begin_round(draft, battle.turns.round)
    else:
        _begin_round(draft, 1, dice)
    next_turn(draft, draft.battle.turns.order, dice)
    return draft.events


def decide_end_of_turn(battle: Battle, rules: Ruleset, dice: DiceSource) -> tuple[ev.Event, ...]:
    """The active unit is done; the next in the order that can act begins, in a new round when the order is through."""
    if not battle.turns.active:
        raise Illegal("order", NO_TURN_YET)
    draft = EventBuilder(battle, rules)
    is_closing = battle.turns.active in battle.turns.closing[:1] and not battle.turns.interrupted
    if not is_closing:
        _end_turn(draft, dice)
    resumed = len(draft.events)
    if _resume(draft):
        see_through(draft, resumed, dice)
        return draft.events
    later = () if is_closing else battle.turns.order[battle.turns.order.index(battle.turns.current_place) + 1 :]
    if not _able(draft, later):
        left = battle.turns.closing[1:]
        if not is_closing:
            moved = _walk(draft, dice)
            late = waiters(draft.battle, rules) if moved else ()  # what answers the moves comes after them
            left = tuple(dict.fromkeys((*(unit for unit in moved if unit not in late), *late)))
        closing = closers(draft, left)
        if closing:
            draft.add(ev.ClosingBegan(closing))
            return draft.events
        _end_round(draft, dice)
        _begin_round(draft, battle.turns.round + 1, dice)
        if rules.turns.initiative.every == "round":
            roll_order(draft, dice, {})
        later = draft.battle.turns.order
    next_turn(draft, later, dice)
    return draft.events


def decide_turn(battle: Battle, rules: Ruleset, unit_id: str, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Ends the active turn and begins that of a chosen unit; the turn order continues from it."""
    unit = battle.unit(unit_id)
    if not battle.turns.order:
        raise Illegal("order", NO_TURN_YET)
    refuse_if_out(unit)
    if battle.turns.active == unit.id and not battle.turns.interrupted and not battle.turns.closing:
        raise Illegal("turn", f"It is already {unit.name}'s turn.")
    draft = EventBuilder(battle, rules)
    if battle.turns.active and not battle.turns.closing:
        _end_turn(draft, dice)
    if unit.id not in battle.turns.order:
        draft.add(ev.OrderSet((*battle.turns.order, unit.id), battle.turns.initiative))
    draft.add(ev.TurnGiven(unit.id))
    before = len(draft.events)
    begin_turn(draft, unit.id)
    see_through(draft, before, dice)
    return draft.events


def _walk(draft: EventBuilder, dice: DiceSource) -> tuple[str, ...]:
    """Carries out all declared moves; returns the units that moved."""
    before = len(draft.events)
    moved = walk_all(draft)
    see_through(draft, before, dice)
    return moved


def next_turn(draft: EventBuilder, order: Sequence[str], dice: DiceSource) -> None:
    """The first of these who can act begins its turn."""
    able, before = _able(draft, order), len(draft.events)
    if not able:
        raise Illegal("nobody", "No unit is left to act.")
    if able[0] in draft.battle.turns.delayed:  # it has begun already, and all that comes with it
        draft.add(ev.TurnTakenUp(able[0]))
    else:
        begin_turn(draft, able[0])
        see_through(draft, before, dice)
    if len(able) > 1:
        return
    if waiting := others_at_any_time(draft.battle, draft.rules, able[0]):
        draft.add(ev.LastTurnCame(waiting))


def _end_turn(draft: EventBuilder, dice: DiceSource) -> None:
    """The active unit's turn is over, with all that happens and ends then."""
    unit_id, before = draft.battle.turns.active, len(draft.events)
    draft.add(ev.TurnEnded(unit_id))
    happen(draft, "own turn end", [unit_id], dice)
    see_through(draft, before, dice)
    expire(draft, [unit_id], "own turn end", Reason("turn-ends"))
    draft.end_changes()


def _end_round(draft: EventBuilder, dice: DiceSource) -> None:
    """The round is over, with all that happens and ends then."""
    before = len(draft.events)
    happen(draft, "round end", everybody(draft), dice)
    see_through(draft, before, dice)
    expire(draft, draft.battle.units, "round end", Reason("round-ends"))
    tick(draft)
    for event in _clouds_drift(draft.battle):
        draft.add(event)


def _begin_round(draft: EventBuilder, number: int, dice: DiceSource) -> None:
    before = len(draft.events)
    begin_round(draft, number)
    see_through(draft, before, dice)


def _able(draft: EventBuilder, order: Sequence[str]) -> list[str]:
    battle = draft.battle
    return [one for one in order if not battle.units[one].is_defeated and one not in battle.turns.surprised]


def _resume(draft: EventBuilder) -> bool:
    """Whether an interrupted turn continues, or an extra one of the same unit begins."""
    while draft.battle.turns.interrupted:
        waiting = draft.battle.turns.interrupted[-1]
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


def _clouds_drift(battle: Battle) -> tuple[ev.Event, ...]:
    """Drift of the clouds at the end of a round; nothing where none changes."""
    after = drifted(battle.bare_field, battle.scene.clouds, battle.scene.wind)
    return (ev.CloudsDrifted(battle.scene.clouds, after),) if after != battle.scene.clouds else ()
