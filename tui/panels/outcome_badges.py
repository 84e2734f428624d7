"""Outcomes of attacks in a word and a colour, as the result card and the log have them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.events import BurstLanded, Event
from engine.battle.views.attack_outcomes import CRITICAL, FUMBLE, HIT, MISS, NO_DAMAGE, AttackOutcome

ASTRAY = "astray"
BADGES = {HIT: "$good", CRITICAL: "$critical", NO_DAMAGE: "$ink", MISS: "$muted", FUMBLE: "$bad", ASTRAY: "$warn"}
"""Colours of what an attack came to, by the word for it."""


def outcome_words(outcome: AttackOutcome, events: Sequence[Event]) -> str:
    """The word for what an attack came to, a key of BADGES: a throw that missed went astray."""
    is_thrown = any(isinstance(one, BurstLanded) and one.unit == outcome.attacker for one in events)
    return ASTRAY if is_thrown and outcome.kind == MISS else outcome.kind
