"""What the board and the shot panel show of a command: the last one with something to show, or the one whose dice are
asked for."""

from __future__ import annotations

from msgspec import Struct

from engine.answers import Needs
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, aftermath_so_far
from engine.journal.history import Step, aftermath_of
from engine.rules.model import Ruleset
from tui.application.describe.attack_result import Result, is_attack

MOST_BACK = 8
"""Steps that are looked through: the ends of turns and the like, after which it stays."""


class LastCommand(Struct, frozen=True):
    """What a command did, or has done so far, and the result of its attack, if it made one."""

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


def plan_of(before: Battle, need: Needs, rules: Ruleset) -> LastCommand:
    """What is known of a command that asks for something: what the dice so far have done.

    Args:
        before: the battle before the command.
        need: what it asks for.
        rules: the ruleset.
    """
    if need.battle is None:
        return LastCommand()
    result = Result(need.happened, need.battle, before, is_open=True) if is_attack(need.happened) else None
    return LastCommand(aftermath_so_far(before, need.happened, rules), result)
