"""Outcomes of attacks in a word and a colour, as the result card and the log have them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.events import BurstLanded, Event
from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import (
    ARMOUR,
    CRITICAL,
    DEFENDED,
    FUMBLE,
    HIT,
    MISS,
    NO_DAMAGE,
    AttackOutcome,
    hits_own_side,
    stopped_by,
)
from engine.battle.views.view import project
from engine.rules.model import Ruleset
from tui.application.describe.styled_rows import side_style

ASTRAY, DOWN, OWN_SIDE = "astray", "down", "own side"
BADGES = {
    DOWN: "$ink",
    OWN_SIDE: "$warn",
    HIT: "$good",
    CRITICAL: "$critical",
    NO_DAMAGE: "$ink",
    ARMOUR: "$muted",
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


def outcome_words(outcome: AttackOutcome, events: Sequence[Event], battle: Battle, rules: Ruleset) -> str:
    """The word for what an attack came to, a key of BADGES, the weightiest first: who drops, before all.

    A throw that missed went astray.
    """
    if outcome.is_down:
        return DOWN
    if outcome.kind in (CRITICAL, FUMBLE):
        return outcome.kind
    if hits_own_side(outcome, battle):
        return OWN_SIDE
    if stopped_by(outcome, events, battle, rules) == ARMOUR:
        return ARMOUR
    is_thrown = any(isinstance(one, BurstLanded) and one.unit == outcome.attacker for one in events)
    return ASTRAY if is_thrown and outcome.kind == MISS else outcome.kind


def badge_style(word: str, outcome: AttackOutcome, battle: Battle, rules: Ruleset) -> str:
    """The colour of a badge: that of BADGES, and of who drops the side's."""
    if word == DOWN and outcome.target in battle.units:
        return side_style(project(battle, rules).unit(outcome.target)).removeprefix("bold ")
    return BADGES[word]
