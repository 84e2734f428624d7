"""Event: what every event has in common."""

from __future__ import annotations

from engine.battle.state.battle import Battle
from engine.values import Stored


class Event(Stored, frozen=True):
    """A fact about a battle. It holds results, and what it does to a battle is its method `apply`."""

    version = 1
    """Of the fields, as files have them; see `journal.row_kinds`."""

    def apply(self, battle: Battle) -> Battle:
        """The battle after it: total, pure, and blind to rulesets. The argument is not changed."""
        raise NotImplementedError


class LogEvent(Event, frozen=True):
    """An event for the log alone: it changes nothing."""

    def apply(self, battle: Battle) -> Battle:
        return battle
