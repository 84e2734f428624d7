"""Undo and redo, with what was undone in words."""

from __future__ import annotations

from engine.battle.commands.order_commands import FinishBattle
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import DamageUnits
from engine.battle.narration import headline
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.journal.history import Step
from tui.presenter.presenter import Presenter

FILES_STAY = "Character files that were written keep what was carried over."


def undo(presenter: Presenter) -> None:
    """Undoes the last command."""
    _travel(presenter, is_back=True)


def redo(presenter: Presenter) -> None:
    """Redoes the last undone command."""
    _travel(presenter, is_back=False)


def _travel(presenter: Presenter, *, is_back: bool) -> None:
    session = presenter.session
    presenter.reactions.forget()
    battle, undone = session.battle, session.history.done
    try:
        events = session.undo() if is_back else session.redo()
    except BattleboardError as reason:
        presenter.say(str(reason))
        return
    step = undone if is_back else session.history.done
    presenter.clear_last()
    presenter.follow_turn(battle.turns.active)
    words = several_words(step, battle) or headline(events, battle, session.rules) or "the last command."
    presenter.result = f"{'Undone' if is_back else 'Redone'}: {words}"
    has_finished = any(isinstance(one.command, FinishBattle) for one in (step.commands if step else ()))
    if is_back and has_finished and any(unit.character and unit.character.file for unit in battle.units.values()):
        presenter.result += f" {FILES_STAY}"
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
