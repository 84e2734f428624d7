"""Why something happened, as data: the engine's own reasons, whose words are in `narration`."""

from __future__ import annotations

from typing import Literal

from engine.bounds import Id, Text
from engine.geometry.squares import Square
from engine.values import Stored

ReasonKind = Literal[
    "by-gm",
    "turn-comes",
    "turn-ends",
    "round-ends",
    "rounds-over",
    "has-acted",
    "budget-spent",
    "not-adjacent",
    "unit-out",
    "unit-gone",
    "weapon-gone",
    "leaves-reach",
    "enters-reach",
    "moves-in-sight",
    "moves-into-sight",
    "attacks",
    "acts",
    "defends",
    "in-the-way",
    "there-first",
    "comes-towards",
    "charge-goes-off",
    "is-out",
    "is-elsewhere",
    "no-enemy-near",
    "no-ally-near",
    "no-adjacent-enemy",
    "no-room",
]


class Reason(Stored, frozen=True):
    """One of the engine's own reasons, with its unit, label or square."""

    kind: ReasonKind
    unit: Id = ""
    label: Text = ""
    """Of a budget, a weapon or a reaction."""
    at: Square | None = None


Because = Text | Reason
"""A reason of the engine's, or in words: a label of the ruleset's, a refusal, what the GM has noted."""

BY_GM = Reason("by-gm")
