"""What a roll put right looks at: the dice among some events; and the materials of cover by the GM's word."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.dice.sources import Roll

MATERIALS = ("light", "medium", "heavy")


def rolls_of(events: Iterable[ev.Event]) -> tuple[Roll, ...]:
    """All rolls among some events, in order."""
    found = list[Roll]()
    for event in events:
        match event:
            case ev.BurstLanded():
                found += event.rolls
            case ev.AttackRolled() | ev.InitiativeRolled() | ev.TieRolled() | ev.EffectRolled() | ev.DiceThrown():
                found.append(event.roll)
    return tuple(found)
