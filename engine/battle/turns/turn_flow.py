"""Turn flow: how turns and rounds follow each other, and what their ends bring."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle import events as ev
from engine.battle.attacks.firing_positions import tell_positions
from engine.battle.command import Deciding
from engine.battle.event_builder import NO_TURN_YET, EventBuilder, refuse_if_out
from engine.battle.moves.simultaneous_moves import closers, waiters, walk_all
from engine.battle.state.battle import Battle, Interrupted
from engine.battle.state.reasons import Reason
from engine.battle.turns.condition_expiry import expire, tick
from engine.battle.turns.triggers import everybody, happen, see_through
from engine.battle.turns.turn_order import roll_order, still_to_act, to_act
from engine.battle.turns.turn_start import begin_round, begin_turn
from engine.dice.sources import DiceSource
from engine.errors import Illegal
from engine.geometry.blast.smoke_clouds import drifted


def decide_initiative(now: Deciding, declared: Mapping[str, str]) -> tuple[ev.Event, ...]:
    """Rolls the turn order again; its first unit begins its turn. A round that was on starts again."""
    battle, dice, draft = now.battle, now.dice, now.draft()
    turns = battle.turns
    acted = tuple(one for one in turns.started if one in turns.ended or battle.units[one].turn.is_used)
    left = (*(one for one in turns.started if one not in acted), *to_act(battle, now.rules))
    if turns.active:
        _end_turn(draft, dice)
    roll_order(draft, dice, declared)
    if acted:
        draft.add(ev.RoundRestarted(acted, left))
    if turns.round:
        begin_round(draft, turns.round)
    else:
        _begin_round(draft, 1, dice)
    next_turn(draft, dice)
    return draft.events


def decide_end_of_turn(now: Deciding) -> tuple[ev.Event, ...]:
    """The active unit is done; the next that has not acted begins, in a new round when there is none."""
    battle, rules, dice = now.battle, now.rules, now.dice
    if not battle.turns.active:
        raise Illegal("order", NO_TURN_YET)
    draft = now.draft()
    is_closing = battle.turns.active in battle.turns.closing[:1] and not battle.turns.interrupted
    if not is_closing:
        _end_turn(draft, dice)
    if _continues(draft, dice):
        return draft.events
    left = battle.turns.closing[1:] if is_closing else ()
    if not is_closing and not to_act(draft.battle, rules):
        moved = _walk(draft, dice)
        answering = waiters(draft.battle, rules) if moved else ()  # the arrival is the event that they wait for
        left = tuple(dict.fromkeys((*answering, *moved)))
    if closing := closers(draft, left):
        draft.add(ev.ClosingBegan(closing))
        return draft.events
    if to_act(draft.battle, rules):
        next_turn(draft, dice)
        return draft.events
    _end_round(draft, dice)
    _begin_round(draft, battle.turns.round + 1, dice)
    if rules.turns.initiative.every == "round":
        roll_order(draft, dice, {})
    next_turn(draft, dice)
    return draft.events


def decide_turn(now: Deciding, unit_id: str, *, is_again: bool) -> tuple[ev.Event, ...]:
    """The GM begins a unit's turn of this round, or gives one that has had it another; the interrupted turns continue.

    After simultaneous moves, a unit that may still attack then does so first.

    Raises:
        Illegal: it is out, has the turn already, or has had its turn and no extra one is meant.
    """
    battle, dice = now.battle, now.dice
    unit, turns = battle.unit(unit_id), battle.turns
    if not turns.active:
        raise Illegal("order", NO_TURN_YET)
    refuse_if_out(unit)
    draft = now.draft()
    has_acted = unit.id in turns.started and not turns.is_waiting(unit.id)
    if is_again and not has_acted:
        raise Illegal("turn", f"{unit.name} has not acted this round: “now {unit.id}” starts its turn.")
    if is_again and turns.active == unit.id:
        draft.add(ev.TurnWaits(unit.id, by_gm=True))
        return draft.events
    if is_again:
        draft.add(ev.TurnGiven(unit.id, turns.interrupted, turns.closing))
        begun = len(draft.events)
        begin_turn(draft, unit.id, is_extra=True)
        see_through(draft, begun, dice)
        return draft.events
    if turns.active == unit.id:
        raise Illegal("turn", f"It is already {unit.name}'s turn.")
    if unit.id in turns.closing and not turns.interrupted:
        draft.add(ev.ClosingBegan((unit.id, *(one for one in turns.closing if one != unit.id))))
        return draft.events
    if has_acted:
        raise Illegal("turn", f"{unit.name} has had its turn this round: “now {unit.id} again” gives it one more.")
    waiting = [one for one in turns.interrupted if one.unit != unit.id or one.is_extra]
    if battle.unit(turns.active).is_defeated:
        _end_turn(draft, dice)
    else:
        waiting.append(Interrupted(turns.active))
    if unit.id not in turns.order:
        draft.add(ev.OrderSet((*turns.order, unit.id), turns.initiative))
    its_own = [one for one in turns.interrupted if one.unit == unit.id and not one.is_extra]
    draft.add(ev.TurnGiven(unit.id, (*waiting, *its_own), turns.closing))
    if its_own:
        draft.add(ev.TurnResumed(unit.id))
    else:
        _begin_or_take_up(draft, unit.id, dice)
    _tell_last(draft)
    return draft.events


def _walk(draft: EventBuilder, dice: DiceSource) -> tuple[str, ...]:
    """Carries out all declared moves; returns the units that moved."""
    before = len(draft.events)
    moved = walk_all(draft)
    see_through(draft, before, dice)
    return moved


def next_turn(draft: EventBuilder, dice: DiceSource) -> None:
    """The next unit that has not acted this round begins its turn.

    Raises:
        Illegal: nobody can act.
    """
    able = to_act(draft.battle, draft.rules)
    if not able:
        raise Illegal("nobody", "No unit is left to act.")
    _begin_or_take_up(draft, able[0], dice)
    _tell_last(draft)


def _tell_last(draft: EventBuilder) -> None:
    """That the round's last turn begins, where units have waited that may still act."""
    if waiting := still_to_act(draft.battle, draft.rules):
        draft.add(ev.LastTurnCame(waiting))


def follow_on(draft: EventBuilder, dice: DiceSource) -> None:
    """What comes after a turn that was put off: the one that it interrupted, or the next."""
    if not _continues(draft, dice):
        next_turn(draft, dice)


def _continues(draft: EventBuilder, dice: DiceSource) -> bool:
    """Whether an interrupted turn continues, with all that comes with it."""
    before = len(draft.events)
    if not _resume(draft):
        return False
    see_through(draft, before, dice)
    if not draft.battle.unit(draft.battle.turns.active).turn.is_used:
        _tell_last(draft)
    return True


def _begin_or_take_up(draft: EventBuilder, unit_id: str, dice: DiceSource) -> None:
    """A unit's turn of this round begins, or is taken up where it was put off with all that comes with it."""
    before = len(draft.events)
    if unit_id in draft.battle.turns.delayed:
        draft.add(ev.TurnTakenUp(unit_id))
    else:
        begin_turn(draft, unit_id)
        see_through(draft, before, dice)


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
    tell_positions(draft, before)
    expire(draft, draft.battle.units, "round end", Reason("round-ends"))
    tick(draft)
    for event in _clouds_drift(draft.battle):
        draft.add(event)


def _begin_round(draft: EventBuilder, number: int, dice: DiceSource) -> None:
    before = len(draft.events)
    begin_round(draft, number)
    see_through(draft, before, dice)


def _resume(draft: EventBuilder) -> bool:
    """Whether an interrupted turn continues, or an extra one of the same unit begins."""
    while draft.battle.turns.interrupted:
        turns = draft.battle.turns
        waiting = turns.interrupted[-1]
        is_lost = waiting.unit in turns.surprised and not waiting.is_extra
        if is_lost or draft.battle.unit(waiting.unit).is_defeated:
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
