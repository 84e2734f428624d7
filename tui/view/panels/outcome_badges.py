"""Outcomes of attacks in a word and a colour, as the result card and the log have them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.events import BurstLanded, Event
from engine.battle.views.attack_outcomes import CRITICAL, DEFENDED, FUMBLE, HIT, MISS, NO_DAMAGE, AttackOutcome
from engine.rules.model import Ruleset

ASTRAY = "astray"
BADGES = {
    HIT: "$good",
    CRITICAL: "$critical",
    NO_DAMAGE: "$ink",
    DEFENDED: "$ink",
    MISS: "$muted",
    FUMBLE: "$bad",
    ASTRAY: "$warn",
}
"""Colours of what an attack came to, by the word for it."""


def badge_text(word: str, grade_label: str, rules: Ruleset) -> str:
    """A word of BADGES as the board shows it: "HIT"; by the ruleset's own name "TRAUMATIC HIT", and "EVADED"."""
    own = {CRITICAL: rules.attack.critical_label, DEFENDED: grade_label}
    return own.get(word, word).upper()


def outcome_words(outcome: AttackOutcome, events: Sequence[Event]) -> str:
    """The word for what an attack came to, a key of BADGES: a throw that missed went astray."""
    is_thrown = any(isinstance(one, BurstLanded) and one.unit == outcome.attacker for one in events)
    return ASTRAY if is_thrown and outcome.kind == MISS else outcome.kind
