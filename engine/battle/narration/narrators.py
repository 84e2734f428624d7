"""The registry of narration: for each class of event the function that describes it in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.battle.events import Event
from engine.battle.narration.log_context import LogContext
from engine.battle.state.battle import Battle
from engine.battle.unit_names import capitalised
from engine.rules.model import Ruleset
from engine.values import Stored

Said = TypeVar("Said", bound=Stored)


Narrator = Callable[[Said, LogContext], str]

NARRATORS: dict[type[Stored], Callable[[Any, LogContext], str]] = {}
"""By class of event, what makes its line; "" where this one says nothing."""
BRIEF: dict[type[Stored], Callable[[Any, LogContext], str]] = {}
"""Shorter ones for the summary of an attack, where a class has one."""


def narrates(kind: type[Said], *, is_brief: bool = False) -> Callable[[Narrator[Said]], Narrator[Said]]:
    """Registers a function as the narrator of a class of events."""
    narrators = BRIEF if is_brief else NARRATORS

    def register(narrator: Narrator[Said]) -> Narrator[Said]:
        if kind in narrators:
            raise TypeError(f"{kind.__name__} has two narrators")
        narrators[kind] = narrator
        return narrator

    return register


def says(kind: type[Said], line: Narrator[Said]) -> None:
    """Registers a one-line narrator for a class of events."""
    narrates(kind)(line)


def narrate(event: Event, battle: Battle, rules: Ruleset, *, is_brief: bool = False) -> str:
    """One line for the log; "" for events without a sentence of their own.

    Args:
        event: what happened.
        battle: any battle with the same units, for their names.
        rules: the ruleset, for labels.
        is_brief: as the summary of an attack says it.
    """
    narrator = (BRIEF.get(type(event)) if is_brief else None) or NARRATORS.get(type(event))
    return capitalised(narrator(event, LogContext(battle, rules)), battle) if narrator else ""
