"""What one side sees after some states of a battle."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.state.battle import Battle
from engine.battle.views.fog_of_war import Memory, curtain
from engine.battle.views.side_moments import side_moments, view_of
from engine.battle.views.view import View
from engine.rules.model import Ruleset


def follow(moments: Sequence[Battle], rules: Ruleset, side: str) -> tuple[View, Memory]:
    """The side's view after all of them, and its memory."""
    *_, now = side_moments(moments, side)
    return curtain(moments[-1], rules) if now.battle is None else view_of(now, rules), now.memory
