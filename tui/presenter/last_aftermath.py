"""The aftermath that the board shows: of the last command that has something to show."""

from __future__ import annotations

from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, aftermath
from engine.journal.history import Step
from engine.rules.model import Ruleset

MOST_BACK = 8
"""Steps that are looked through: the ends of turns and the like, after which it stays."""


def last_aftermath(done: Step | None, over: Step | None, rules: Ruleset) -> Aftermath:
    """What the last command with something to show did.

    Args:
        done: the last step; None for none.
        over: the step from which on nothing is shown; None for none.
        rules: the ruleset.
    """
    for back, step in enumerate(done.backwards() if done else ()):
        if step is over or step.previous is None or back == MOST_BACK:
            break
        if not (found := aftermath(step.previous.after, step.events, rules)).is_empty:
            return found
    return NOTHING_DONE
