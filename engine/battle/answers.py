"""What people gave when a command was decided: answers, each with its question, in order."""

from __future__ import annotations

from engine.bounds import Id, Text, Whole
from engine.values import Stored


class GivenAnswer(Stored, frozen=True):
    """One answer: dice that were typed, none where the seed was to roll; or what was chosen."""

    q: Text
    """What was asked, as "Damage: 2d6"."""
    dice: tuple[Whole, ...] | None = None
    choose: Id | None = None
