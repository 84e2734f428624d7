"""The registry of narration: for each class of event the function that says it, and what such a function is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.battle.battle import Battle
from engine.battle.events import Event
from engine.battle.narration.log_context import LogContext
from engine.rules.model import Ruleset
from engine.values import Stored

Said = TypeVar("Said", bound=Stored)


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
