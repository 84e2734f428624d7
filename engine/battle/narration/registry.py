"""The registry of narration: for each class of event the function that says it, and what such a function is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct

from engine.battle.battle import Battle
from engine.battle.events import Event
from engine.battle.situation import BARE_SQUARE
from engine.battle.wording import BY_GM
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.values import Stored

Said = TypeVar("Said", bound=Stored)


class LogContext(Struct, frozen=True):
    """What a line of the log needs besides its event: any battle with the same units, and the ruleset for labels."""

    battle: Battle
    rules: Ruleset

    def name(self, unit_id: str) -> str:
        """What a unit is or was called."""
        return name_of(unit_id, self.battle)

    def names(self, unit_ids: tuple[str, ...]) -> str:
        """What several units are called: "Todd, Bandit"."""
        return ", ".join(map(self.name, unit_ids))

    @property
    def sign(self) -> str:
        """The sign of the map's unit of length: "ft"."""
        return UNIT_SIGNS[self.battle.field.unit]


NARRATORS: dict[type[Stored], Callable[[Any, LogContext], str]] = {}
"""By class of event, what makes its line; "" where this one says nothing."""


def narrates(kind: type[Said]) -> Callable[[Callable[[Said, LogContext], str]], Callable[[Said, LogContext], str]]:
    """Registers a function as the one that says events of a class."""

    def register(narrator: Callable[[Said, LogContext], str]) -> Callable[[Said, LogContext], str]:
        if kind in NARRATORS:
            raise TypeError(f"{kind.__name__} has two narrators")
        NARRATORS[kind] = narrator
        return narrator

    return register


def tell(event: Event, battle: Battle, rules: Ruleset) -> str:
    """One line for the log; "" for events that say nothing of their own.

    Args:
        event: what happened.
        battle: any battle with the same units, for their names.
        rules: the ruleset, for labels.
    """
    narrator = NARRATORS.get(type(event))
    return narrator(event, LogContext(battle, rules)) if narrator else ""


def name_of(unit_id: str, battle: Battle) -> str:
    """What a unit is or was called; the stand-in for an empty square is "the square"."""
    return "the square" if unit_id == BARE_SQUARE else battle.called(unit_id)


def by_hand(is_by_gm: bool) -> str:
    """That the GM has changed something by hand, where that is so."""
    return f" ({BY_GM})" if is_by_gm else ""
