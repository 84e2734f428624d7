"""Undo and redo, with what was undone in words."""

from __future__ import annotations

from collections.abc import Callable

from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import DamageUnits
from engine.battle.events import Event
from engine.battle.narration import headline
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.journal.history import Step
from tui.presenter.presenter import Presenter


def undo(presenter: Presenter) -> None:
    """Undoes the last command."""
    _travel(presenter, presenter.session.undo, "Undone")


def redo(presenter: Presenter) -> None:
    """Redoes the last undone command."""
    _travel(presenter, presenter.session.redo, "Redone")


def _travel(presenter: Presenter, step: Callable[[], tuple[Event, ...]], said: str) -> None:
    presenter.reactions.forget()
    battle, rules = presenter.session.battle, presenter.session.rules
    undone = presenter.session.history.done
    try:
        events = step()
    except BattleboardError as reason:
        presenter.say(str(reason))
        return
    made = undone if step == presenter.session.undo else presenter.session.history.done
    presenter.clear_last()
    presenter.follow_turn(battle.turns.active)
    words = several_words(made, battle) or headline(events, battle, rules) or "the last command."
    presenter.result = f"{said}: {words}"
    presenter.say(presenter.result)


def several_words(step: Step | None, battle: Battle) -> str:
    """The units of one change of several units: "3 units: Todd, Anna, Bo."; "" for any other command."""
    commands = [one.command for one in step.commands] if step else []
    names: dict[str, None] = {}
    for command in commands:
        if isinstance(command, EditUnits | DamageUnits):
            units = command.units if isinstance(command, DamageUnits) else [edit.unit for edit in command.edits]
            names |= dict.fromkeys(map(battle.called, units))
    return f"{len(names)} units: {', '.join(names)}." if len(names) > 1 else ""
