"""Moments: automatic effects when a round or a turn begins or ends, and when units move, fall or drop.

What is laid on the ground goes off as they come near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from engine.battle import events as ev
from engine.battle.attacks.explosives import explode, tread
from engine.battle.attacks.resolve_effects import add_consequences
from engine.battle.cause import Cause
from engine.battle.distances import counted_distance
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import circumstances, unit_facts
from engine.battle.setup import full_facts
from engine.dice.sources import DiceSource
from engine.geometry.battlefield import Height
from engine.rules.effects import consequences

MOST = 10
"""Maximum number of times that a trigger fires for a unit in one command: it stops a trigger that causes itself."""


def happen(draft: EventBuilder, at: str, unit_ids: Iterable[str], dice: DiceSource, drop: Height = 0) -> None:
    """Runs the ruleset's moments of a kind for some units, one after the other.

    Args:
        draft: where what follows is added.
        at: one of MOMENTS.
        unit_ids: to whom it happens.
        dice: where its dice come from.
        drop: how far they fell, in hundredths of the map's unit.
    """
    moments = [moment for moment in draft.rules.turns.triggers if moment.at == at]
    for unit_id in unit_ids if moments else ():
        for moment in moments:
            battle, rules = draft.battle, draft.rules
            unit = battle.unit(unit_id)
            facts = {**circumstances(battle, rules, unit), **unit_facts(battle, rules, unit, "attacker")}
            facts |= {"fall_height": counted_distance(Fraction(drop, battle.field.square_size), battle.field, rules)}
            if moment.when.evaluate(facts):
                facts |= full_facts(rules, unit, "attacker")
                found = consequences(moment.effects, facts, None, dice, tells=draft.tells)
                add_consequences(draft, found, Cause({"attacker": unit_id}, moment.label))


def see_through(draft: EventBuilder, since: int, dice: DiceSource) -> None:
    """Runs the moments that events brought about, and those that these bring about in turn.

    Args:
        draft: where it is added.
        since: how many of its events are seen through already.
        dice: where further dice come from.
    """
    times: Counter[tuple[str, str]] = Counter()
    while since < len(draft.events):
        event = draft.events[since]
        since += 1
        match event:
            case ev.ChargeSetOff():
                explode(draft, event.charge, dice)
                continue
            case ev.UnitFell():
                at, units, drop = "falls", [event.unit], event.drop
            case ev.UnitMoved() | ev.UnitPushed():
                tread(draft, event.unit, event.path)
                at, units, drop = "moves", [event.unit], 0
            case ev.UnitDefeated():
                at, units, drop = "defeated", [event.unit], 0
            case ev.TurnBegan():
                at, units, drop = "own turn start", [event.unit], 0
            case ev.RoundBegan():
                at, units, drop = "round start", everybody(draft), 0
            case _:
                continue
        for unit_id in units:
            times[at, unit_id] += 1
            if times[at, unit_id] <= MOST:
                happen(draft, at, [unit_id], dice, drop)


def everybody(draft: EventBuilder) -> list[str]:
    """All units in the order in which they act, those last who have no place in it."""
    order = draft.battle.turns.order
    return [*order, *(unit_id for unit_id in draft.battle.units if unit_id not in order)]
