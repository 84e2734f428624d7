"""Prompts for dice: the name of the roll and the question."""

from __future__ import annotations

from engine.dice.sources import RollAsk
from engine.text import upper_first
from engine.values import replace


def rolls_named(ask: RollAsk) -> str:
    """Describes a roll: "damage, 2d6"; several dice "Damage, white die, then black die, 1d20 each".

    Of an attack it says what is needed: "Todd attacks Bandit, 1d100, 25 or less".
    """
    named = "".join(f", then {label}" for label in ask.further)
    return f"{ask.purpose}{named}, {ask.needed or ask.dice.text}{' each' if named and not ask.needed else ''}"


def dice_questions(ask: RollAsk) -> tuple[str, ...]:
    """The question for a roll, the longest form first."""
    bare = replace(ask, purpose=ask.purpose.partition(" (")[0], needed="")
    return tuple(f"{upper_first(rolls_named(one))}." for one in (ask, replace(ask, needed=""), bare))
