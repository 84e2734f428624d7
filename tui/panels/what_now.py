"""What can be done now, in the quiet row below the verdict."""

from __future__ import annotations

from engine.battle.views.aftermath import Aftermath
from engine.battle.views.view import View
from tui.keys.battle_keys import with_keys
from tui.panels.order_panel import following

PLAYED = ("", "what-if")
"""States of the title bar in which commands are given."""


def what_now(view: View | None, state: str, done: Aftermath) -> str:
    """How the turn ends and who is next: "e ends the turn: Bandit is next. U undoes this."; "" without a turn.

    Args:
        view: of the battle.
        state: of the title bar.
        done: what the board shows of the last command.
    """
    then = following(view) if view is not None and state in PLAYED else ()
    if not then:
        return ""
    undo = " {battle.undo} undoes this." if not done.is_empty else ""
    return f"{with_keys('{battle.end_turn}')} ends the turn: {then[0].name} is next.{with_keys(undo)}"
