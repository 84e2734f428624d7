"""The last command that has something to show: what the board and the shot panel show of it."""

from __future__ import annotations

from msgspec import Struct

from engine.battle.views.aftermath import NOTHING_DONE, Aftermath
from engine.journal.history import Step, aftermath_of
from engine.rules.model import Ruleset
from tui.application.describe.attack_result import Result, is_attack

MOST_BACK = 8
"""Steps that are looked through: the ends of turns and the like, after which it stays."""


class LastCommand(Struct, frozen=True):
    """What the last command with something to show did, and the result of its attack, if it made one."""

    aftermath: Aftermath = NOTHING_DONE
    result: Result | None = None


def last_command(done: Step | None, over: Step | None, rules: Ruleset) -> LastCommand:
    """What the last command with something to show did.

    Args:
        done: the last step; None for none.
        over: the step from which on nothing is shown; None for none.
        rules: the ruleset.
    """
    for back, step in enumerate(done.backwards() if done else ()):
        if step is over or step.previous is None or back == MOST_BACK:
            break
        found = aftermath_of(step, rules)
        if not found.is_empty:
            return LastCommand(
                found, Result(step.events, step.after, step.previous.after) if is_attack(step.events) else None
            )
    return LastCommand()
