"""Key actions of the battle by name. Keys that open a screen belong to the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.battle.command import EndTurn
from tui.presenter import unit_actions
from tui.presenter.action_menu import choose_act
from tui.presenter.attack_flow import interrupt
from tui.presenter.command_line import ask_line, hear_line
from tui.presenter.gm_menu import notes, open_table, throw, wreck
from tui.presenter.move_mode import lift, show_stands
from tui.presenter.policy_menu import choose_policy
from tui.presenter.presenter import Presenter
from tui.presenter.ruling_menu import choose_ruling
from tui.presenter.split_hits_menu import choose_share
from tui.presenter.what_if import rehearse

ACTIONS: Mapping[str, Callable[..., None]] = {
    "target": unit_actions.aim,
    "select": unit_actions.select,
    "find": unit_actions.find,
    "fire": Presenter.fire,
    "fire_free": lambda presenter: presenter.fire(is_free=True),
    "interrupt": interrupt,
    "share": choose_share,
    "move": unit_actions.move,
    "lift": lift,
    "stand": show_stands,
    "act": choose_act,
    "end_turn": lambda presenter: presenter.roll(EndTurn()),
    "undo": Presenter.undo,
    "redo": Presenter.redo,
    "shade": unit_actions.choose_shading,
    "what_if": rehearse,
    "door": unit_actions.door,
    "line": ask_line,
    "say": lambda presenter: hear_line(presenter, "="),
    "adjust": unit_actions.adjust,
    "ruling": choose_ruling,
    "policy": choose_policy,
    "damage": unit_actions.damage,
    "mark": unit_actions.mark,
    "table": open_table,
    "put": unit_actions.put,
    "cover": unit_actions.cover,
    "throw": throw,
    "note": notes,
    "wreck": wreck,
    "smoke": unit_actions.smoke,
    "weapon": unit_actions.weapon,
    "initiative": unit_actions.initiative,
}
"""Functions of the presenter and the key's parameters."""
