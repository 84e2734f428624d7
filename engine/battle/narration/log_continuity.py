"""Log lines between the sentences of events: whose attack continues, and who is unharmed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.battle import events as ev
from engine.battle.narration.log_context import name_of
from engine.battle.state.battle import Battle
from engine.text import upper_first


def continuity(
    events: Sequence[ev.Event], battle: Battle, unseen: Collection[str] = ()
) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """Lines before and after the events, by index: whose attack continues, and who is unharmed.

    Units in `unseen` get no line.
    """
    onward, unhurt = _taken_up(events), unharmed(events)
    before = {
        at: f"{upper_first(name_of(unit, battle))}'s attack:" for at, unit in onward.items() if unit not in unseen
    }
    after = {at: unharmed_words([unit], battle) for at, unit in unhurt.items() if unit not in unseen}
    return before, after


def unharmed_words(units: Sequence[str], battle: Battle) -> str:
    """Sentence for units that lost nothing: "Todd is unharmed.", "Unharmed: Todd, Anna."; "" for none."""
    names = ", ".join(name_of(unit, battle) for unit in units)
    return f"Unharmed: {names}." if len(units) > 1 else f"{names} is unharmed." if units else ""


def unharmed(events: Sequence[ev.Event]) -> Mapping[int, str]:
    """Ids of units that were attacked and lost nothing, by the index of the last event of that attack."""
    unhurt: dict[int, str] = {}
    unit, last = "", None
    for index, event in enumerate(events):
        match event:
            case ev.AttackRolled() | ev.AttackTurned() | ev.BurstCaught():
                if last is not None:
                    unhurt[last] = unit
                unit, last = event.target, index if isinstance(event, ev.BurstCaught) else None
            case ev.EffectRolled() if unit:
                last = index
            case ev.EffectComputed() if unit and last is not None:  # what is known with the roll harms nobody yet
                last = index
            case ev.PoolChanged() | ev.BudgetChanged() | ev.ConditionBegan() | ev.UnitPushed() | ev.UnitDefeated() if (
                event.unit == unit
            ):
                unit, last = "", None
    return unhurt if last is None else {**unhurt, last: unit}


def _taken_up(events: Sequence[ev.Event]) -> Mapping[int, str]:
    """Ids of units whose attack continues after another was rolled, by the index where it continues."""
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
