"""Narration: all sentences of the log and the screens about a battle, and nothing else.

Each class of event has one narrator, in the module that is called like the one of its class in `events`; a few say
nothing. Words for what is not done yet are in `preview_text`. Refusals stay with what they refuse; numbers and prices
in words are in `wording`.
"""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration import attack_text, gm_text, move_text, roster_text, terrain_text, turn_text, unit_text
from engine.battle.narration.log_context import name_of, reason_words
from engine.battle.narration.log_continuity import continuity
from engine.battle.narration.narrators import NARRATORS, narrate
from engine.battle.narration.summary import (
    drops_in_its_turn,
    headline,
    left_alone,
    main_words,
    summarise,
    what_happened,
)

__all__ = [
    "FAMILIES",
    "NARRATORS",
    "SILENT",
    "continuity",
    "drops_in_its_turn",
    "headline",
    "left_alone",
    "main_words",
    "name_of",
    "narrate",
    "reason_words",
    "summarise",
    "what_happened",
]

FAMILIES = (turn_text, move_text, attack_text, unit_text, roster_text, gm_text, terrain_text)
"""The modules that register narrators."""

SILENT = frozenset(
    {
        ev.CommandHeld,
        ev.TurnDelayed,
        ev.TurnEnded,
        ev.TurnDropped,
        ev.DiceDrawn,
        ev.StrideForfeited,
        ev.ConditionTicked,
        ev.AdjustmentsCleared,
    }
)
"""Events that say nothing of their own: others beside them do."""
