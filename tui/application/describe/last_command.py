"""What the board and the shot panel show of a command: the last one with something to show, or the one whose dice are
asked for."""

from __future__ import annotations

from msgspec import Struct

from engine.answers import Needs
from engine.battle import command as cmd
from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, aftermath_so_far
from engine.journal.history import Step, aftermath_of
from engine.rules.model import Ruleset
from tui.application.describe.attack_result import Result, is_attack
from tui.application.describe.dice_tray import Tray, tray_of

MOST_BACK = 8
"""Steps that are looked through: the ends of turns and the like, after which it stays."""


class LastCommand(Struct, frozen=True):
    """What a command did, or has done so far, and the result of its attack, if it made one."""

    aftermath: Aftermath = NOTHING_DONE
    result: Result | None = None
    tray: Tray | None = None
    """Its rolls, while dice are asked for."""


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


def plan_of(
    command: cmd.Command, need: Needs | None, before: Battle, rules: Ruleset, shot: AttackPreview | None
) -> LastCommand:
    """What is known of a command that asks for something: what the dice so far have done.

    Args:
        command: the command.
        need: what it asks for; None before its first question.
        before: the battle before it.
        rules: the ruleset.
        shot: the attack in focus.
    """
    aftermath, result = NOTHING_DONE, None
    if need is not None and need.battle is not None:
        aftermath = aftermath_so_far(before, need.happened, rules)
        result = Result(need.happened, need.battle, before, is_open=True) if is_attack(need.happened) else None
    tray = tray_of(command, need, before, rules, result=result, shot=shot)
    return LastCommand(aftermath, result, tray)
