"""Event: what every event has in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.values import Stored

NAMING = frozenset(
    ("unit", "target", "against", "attacker", "after", "who", "about", "units", "members", "waiting", "tied", "order")
)
"""The fields of events, and of values in them, that name units by their ids."""

OWN_UNITS, UNITS_IN_SIGHT = "own units", "units in sight"


class Event(Stored, frozen=True):
    """A fact about a battle. It holds results, and what it does to a battle is its method `apply`."""

    version = 1
    """Of the fields, as files have them; see `journal.row_kinds`."""
    is_for_gm = False
    """Whether it is about what the GM keeps for herself: her notes, policies and dice, and traps."""
    reported_for = ""
    """Of which units a side's report has it in the log's words: OWN_UNITS, UNITS_IN_SIGHT, or "" for none."""

    def apply(self, battle: Battle) -> Battle:
        """The battle after it: total, pure, and blind to rulesets. The argument is not changed."""
        raise NotImplementedError

    def redacted(self, hidden: frozenset[str], before: Battle) -> Event | None:
        """The event with what players may know of it; None where that is nothing.

        Args:
            hidden: ids of the units that they do not know.
            before: the whole battle before it.
        """
        return None if self.is_for_gm or not hidden.isdisjoint(units_named(self)) else self


class LogEvent(Event, frozen=True):
    """An event for the log alone: it changes nothing."""

    def apply(self, battle: Battle) -> Battle:
        return battle


def units_named(value: Struct) -> Iterator[str]:
    """The ids of units in an event, or in a value of one."""
    for field in value.__struct_fields__:
        held = getattr(value, field)
        for one in held if isinstance(held, tuple) else (held,):
            if isinstance(one, Struct):
                yield from units_named(one)
            elif isinstance(one, str) and field in NAMING:
                yield one


def without(units: tuple[str, ...], hidden: frozenset[str]) -> tuple[str, ...]:
    """Ids of units without those that players do not know."""
    return tuple(unit for unit in units if unit not in hidden)


def scores_without(scores: Mapping[str, int], hidden: frozenset[str]) -> dict[str, int]:
    """Scores by unit id, without those that players do not know."""
    return {unit: score for unit, score in scores.items() if unit not in hidden}
