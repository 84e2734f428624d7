"""Key actions of the battle by name. Keys that open a screen belong to the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.battle.command import EndTurn
from engine.journal.branch import Branch
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter import focus_actions
from tui.application.presenter.action_menu import choose_act
from tui.application.presenter.attack_flow import interrupt
from tui.application.presenter.command_line import ask_line, hear_line
from tui.application.presenter.gm_menu import notes, open_table, throw, wreck
from tui.application.presenter.move_mode import lift, show_stands
from tui.application.presenter.policy_menu import choose_policy
from tui.application.presenter.presenter import FINISHED, NOBODY_YET, Presenter
from tui.application.presenter.ruling_menu import choose_ruling
from tui.application.presenter.split_hits_menu import choose_share
from tui.application.presenter.undo import redo, undo
from tui.application.presenter.what_if import rehearse

LOOKS = ("target", "select", "find", "overlay", "stand", "line", "say")
"""Actions that change nothing, and the command line, whose commands say for themselves what they may not do."""
ACTS = ("fire", "fire_free", "interrupt", "share", "act", "end_turn")
"""Actions of units that have a turn, or have had one."""
AFTERWARDS = ("undo", "redo", "table")
"""Actions of a finished battle: it is reopened, and the GM tools write what it changed of characters."""
READ_ONLY = "The battle is open read-only: nothing can be changed."


def why_not(presenter: Presenter, name: str) -> str:
    """Why an action is not possible in the present state of the battle; "" if it may be."""
    session = presenter.session
    if name in LOOKS:
        return ""
    journal = session.journal
    if journal.read_only and not journal.may_try_again and not isinstance(session, Branch):
        return READ_ONLY
    if session.battle.is_finished and name not in AFTERWARDS:
        return with_keys(FINISHED)
    return with_keys(NOBODY_YET) if session.battle.is_set_up and name in ACTS else ""


_ACTIONS: Mapping[str, Callable[..., None]] = {
    "target": focus_actions.aim,
    "select": focus_actions.select,
    "find": focus_actions.find,
    "fire": Presenter.fire,
    "fire_free": lambda presenter: presenter.fire(is_free=True),
    "interrupt": interrupt,
    "share": choose_share,
    "move": focus_actions.move,
    "lift": lift,
    "stand": show_stands,
    "act": choose_act,
    "end_turn": lambda presenter: presenter.roll(EndTurn()),
    "undo": undo,
    "redo": redo,
    "overlay": focus_actions.choose_overlay,
    "what_if": rehearse,
    "door": focus_actions.door,
    "line": ask_line,
    "say": lambda presenter: hear_line(presenter, "="),
    "adjust": focus_actions.adjust,
    "ruling": choose_ruling,
    "policy": choose_policy,
    "damage": focus_actions.damage,
    "mark": focus_actions.mark,
    "table": open_table,
    "put": focus_actions.put,
    "cover": focus_actions.cover,
    "throw": throw,
    "note": notes,
    "wreck": wreck,
    "smoke": focus_actions.smoke,
    "weapon": focus_actions.weapon,
    "initiative": focus_actions.initiative,
}


def _unless_refused(name: str) -> Callable[..., None]:
    def act(presenter: Presenter, *parameters: object, **named: object) -> None:
        if refusal := why_not(presenter, name):
            presenter.say(refusal)
        else:
            _ACTIONS[name](presenter, *parameters, **named)

    return act


ACTIONS: Mapping[str, Callable[..., None]] = {name: _unless_refused(name) for name in _ACTIONS}
"""Functions of the presenter and the key's parameters."""
