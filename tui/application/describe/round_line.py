"""The line of a round that has ended: how many attacks hit, who is down, who was hurt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.events import Event, PoolChanged, RoundBegan
from engine.battle.views.attack_outcomes import attack_outcomes
from engine.context import Cache
from engine.journal.history import Step
from engine.rules.model import Ruleset

MOST_CELLS = 70
_LINES: Cache[str] = Cache(16)


def round_line(step: Step | None, rules: Ruleset) -> str:
    """The line of the round that a step ends: "Round 2: 3 hits of 7, Bandit down, Cy hurt."; "" where it ends none."""
    if step is None or not any(isinstance(event, RoundBegan) and event.round > 1 for event in step.events):
        return ""
    return _LINES.get((step, rules), None, lambda: _line(step, rules))


def _line(step: Step, rules: Ruleset) -> str:
    begun = _place(step.events)
    parts: list[Sequence[Event]] = [step.events[:begun]]
    first = step
    for first in step.previous.backwards() if step.previous else ():
        place = _place(first.events)
        parts.append(first.events[place + 1 :] if place is not None else first.events)
        if place is not None:
            break
    battle, before, vital = step.after, first.after, vital_pools(rules)
    outcomes = [one for events in parts for one in attack_outcomes(events, rules) if one.rolled is not None]
    hits = sum(one.is_hit for one in outcomes)
    lost: Counter[str] = Counter()
    for event in (event for events in reversed(parts) for event in events):
        if isinstance(event, PoolChanged) and event.pool in vital:
            lost[event.unit] += event.before - event.after
    was_down = {unit.id for unit in before.units.values() if unit.is_defeated}
    down = [unit.name for unit in battle.units.values() if unit.is_defeated and unit.id not in was_down]
    hurt = [unit.name for unit in battle.units.values() if not unit.is_defeated and lost[unit.id] > 0]
    number = next(event.round for event in step.events if isinstance(event, RoundBegan)) - 1
    if not (hits or down or hurt):
        return f"Round {number}: nobody was hit."
    shots = f"{hits} {'hit' if hits == 1 else 'hits'} of {len(outcomes)}" if outcomes else ""
    forms = (
        (shots, _names(down, "down", is_named=named_down), _names(hurt, "hurt", is_named=named_hurt))
        for named_down, named_hurt in ((True, True), (True, False), (False, False))
    )
    said = [f"Round {number}: {', '.join(filter(None, form))}." for form in forms]
    return next((line for line in said if len(line) <= MOST_CELLS), said[-1])


def _place(events: Sequence[Event]) -> int | None:
    """Where the last round begins in some events; None where none does."""
    found = [place for place, one in enumerate(events) if isinstance(one, RoundBegan)]
    return found[-1] if found else None


def _names(names: Sequence[str], state: str, *, is_named: bool) -> str:
    """Whom something happened to: "Bandit and Cy down", "3 hurt"; "" for nobody."""
    *others, last = names or [""]
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{listed if is_named else len(names)} {state}" if names else ""
