"""What a log says between the sentences of events: whose attack goes on, and who loses nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.battle import events as ev
from engine.battle.narration.log_context import name_of
from engine.battle.state.battle import Battle


def continuity(
    events: Sequence[ev.Event], battle: Battle, unseen: Collection[str] = ()
) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """What is said before, and what after, the event of each place: whose attack goes on, and who loses nothing.

    Of those who are `unseen` nothing is said.
    """
    onward, unhurt = _taken_up(events), _unharmed(events)
    before = {at: f"{name_of(unit, battle)}'s attack:" for at, unit in onward.items() if unit not in unseen}
    after = {at: f"{name_of(unit, battle)} loses nothing." for at, unit in unhurt.items() if unit not in unseen}
    return before, after


def _unharmed(events: Sequence[ev.Event]) -> Mapping[int, str]:
    """Ids of units whose harm was worked out and that lost nothing, by the place of the last event about it."""
    found: dict[int, str] = {}
    unit, last = "", None
    for place, event in enumerate(events):
        match event:
            case ev.AttackRolled() | ev.AttackTurned() | ev.BurstCaught():
                if last is not None:
                    found[last] = unit
                unit, last = event.target, place if isinstance(event, ev.BurstCaught) else None
            case ev.EffectRolled() if unit:
                last = place
            case ev.EffectComputed() if unit and last is not None:  # what is known with the roll harms nobody yet
                last = place
            case ev.PoolChanged() | ev.BudgetChanged() | ev.ConditionBegan() | ev.UnitPushed() | ev.UnitDefeated() if (
                event.unit == unit
            ):
                unit, last = "", None
    return found if last is None else {**found, last: unit}


def _taken_up(events: Sequence[ev.Event]) -> Mapping[int, str]:
    """Ids of units whose attack is gone on with after another was rolled, by the place where it is."""
    found: dict[int, str] = {}
    rolled: set[str] = set()
    whose = ""
    for place, event in enumerate(events):
        match event:
            case ev.AttackRolled():
                whose = event.unit
                rolled.add(whose)
            case ev.EffectRolled() | ev.EffectComputed() if event.unit in rolled and event.unit != whose:
                found[place] = whose = event.unit
    return found
