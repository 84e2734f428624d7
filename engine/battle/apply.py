"""Applying events: the only way a battle changes. What an event does is its own method `apply`."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle.events import Event
from engine.battle.state.battle import Battle


def apply(battle: Battle, event: Event) -> Battle:
    """The battle after one event; the argument is not changed."""
    return event.apply(battle)


def apply_all(battle: Battle, happened: Iterable[Event]) -> Battle:
    """The battle after a row of events."""
    for event in happened:
        battle = event.apply(battle)
    return battle
