"""Selects what a report shows of a battle: the final orders, the rounds played, the result of each attack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.battle import events as ev
from engine.journal.history import Step

ACTS = (ev.ActionTaken, ev.AttackRolled, ev.UnitMoved)


def orders_thrown_away(steps: Sequence[Step]) -> frozenset[int]:
    """Numbers of the steps that rolled an order which was rolled anew before anybody did anything."""
    found: set[int] = set()
    latest: int | None = None
    for step in steps:
        if _rolls_order(step):
            if latest is not None:
                found.add(latest)
            latest = step.number
        elif _acts(step) or _ends_turn(step):
            latest = None
    return frozenset(found)


def rounds_played(steps: Sequence[Step]) -> int:
    """How many rounds were played: one that has just begun is none yet."""
    played = 0
    for step in steps:
        before = step.previous.after.turns.round if step.previous else 0
        if before > played and (step.after.turns.round > before or _acts(step)):
            played = before
    return played


def hidden_on_arrival(steps: Sequence[Step]) -> tuple[frozenset[str], ...]:
    """For each step, who was hidden from the players before anybody acted after it had joined: it never was seen."""
    found: list[frozenset[str]] = []
    for place in (*(place for place, step in enumerate(steps) if _acts(step)), len(steps)):
        begin = len(found)
        known = steps[begin - 1].after.units if begin else {}
        units = steps[place - 1].after.units if place > begin else {}
        arrived = frozenset(unit.id for unit in units.values() if unit.is_hidden and unit.id not in known)
        found += [arrived] * (place - begin) + [frozenset[str]()] * (place < len(steps))
    return tuple(found)


def table_set_up(steps: Sequence[Step]) -> int:
    """How many steps there are before anybody does anything or ends a turn; those set up the table."""
    return next((place for place, step in enumerate(steps) if _acts(step) or _ends_turn(step)), len(steps))


def what_counts(events: Sequence[ev.Event]) -> Mapping[int, int]:
    """By the place of each attack's roll, the place of what it counts as in the end: itself, or what it turned into.

    What strikes several keeps its roll: each of them has an end of their own.
    """
    found: dict[int, int] = {}
    for place, event in enumerate(events):
        if isinstance(event, ev.AttackRolled):
            later = range(place + 1, len(events))
            again = (at for at in later if isinstance(one := events[at], ev.AttackRolled) and one.unit == event.unit)
            mine = range(place + 1, next(again, len(events)))
            turned = [at for at in mine if isinstance(one := events[at], ev.AttackTurned) and one.unit == event.unit]
            is_many = any(isinstance(events[at], ev.BurstCaught) for at in mine)
            found[place] = place if is_many or not turned else turned[-1]
    return found


def target_of_effect(events: Sequence[ev.Event], place: int) -> str:
    """Id of the unit that an effect of an attack is rolled or worked out against, which its event does not name.

    "" for any other event, and where its unit attacks nobody.
    """
    effect = events[place]
    if not isinstance(effect, ev.EffectRolled | ev.EffectComputed):
        return ""
    for event in reversed(events[:place]):
        match event:
            case ev.AttackRolled() | ev.AttackTurned() | ev.BurstCaught() | ev.StrikeBegan():
                if event.unit == effect.unit:
                    return event.target
            case ev.BurstLanded():  # rolled once for all in the area
                if event.unit == effect.unit:
                    return ""
            case ev.TurnBegan() | ev.TurnEnded() | ev.RoundBegan():
                return ""
    return ""


def _rolls_order(step: Step) -> bool:
    return {ev.OrderSet, ev.InitiativeRolled} <= {type(event) for event in step.events}


def _ends_turn(step: Step) -> bool:
    """Whether somebody's turn is over, and not because it is somebody else's by the GM's hand."""
    kinds = {type(event) for event in step.events}
    return ev.TurnEnded in kinds and not kinds & {ev.UnitRemoved, ev.TurnGiven} and not _rolls_order(step)


def _acts(step: Step) -> bool:
    return any(isinstance(event, ACTS) for event in step.events)
