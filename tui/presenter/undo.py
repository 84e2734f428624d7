"""Undo and redo, with what was undone in words."""

from __future__ import annotations

from engine.battle.command import Attack
from engine.battle.commands.order_commands import FinishBattle
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import DamageUnits
from engine.battle.narration import headline, narrate
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.journal.history import Step
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.values import replace
from tui.presenter.presenter import Presenter

FILES_STAY = "Character files that were written keep what was carried over."


def undo(presenter: Presenter) -> None:
    """Undoes the last command."""
    travel(presenter, 1)


def redo(presenter: Presenter) -> None:
    """Redoes the last undone command."""
    travel(presenter, -1)


def travel(presenter: Presenter, back: int) -> None:
    """Undoes several commands, or redoes -`back`; says which, the latest first, and where the battle then stands."""
    said: list[str] = []
    for _ in range(abs(back)):
        try:
            said.append(_step(presenter, is_back=back > 0))
        except BattleboardError as reason:
            if not said:
                presenter.say(str(reason))
                return
            break
    if back > 0:
        _aim_again(presenter)
    many = f"{len(said)} commands, latest first. " if len(said) > 1 and back > 0 else ""
    undone = f"{many}{'Undone' if back > 0 else 'Redone'}: {' '.join(said)}"
    presenter.result = f"{undone} {place_words(presenter.session)}"
    presenter.say(presenter.result)


def _aim_again(presenter: Presenter) -> None:
    """Aims as before the undone attack of the unit in focus; the focus has let go of a target that it felled."""
    battle, undone = presenter.session.battle, presenter.session.history.undone
    for attack in [one.command for one in undone.step.commands] if undone else []:
        if isinstance(attack, Attack) and attack.unit == presenter.focus.unit and attack.target in battle.units:
            cursor = battle.units[attack.target].at
            aim = replace(presenter.focus, target=attack.target, weapon=attack.weapon, action=attack.action)
            presenter.focus = replace(aim, cursor=cursor)


def place_words(session: Session) -> str:
    """Where the battle stands between undo and redo: "Now round 2, Todd's turn: 5 more to undo, 1 to redo." """
    battle, history = session.battle, session.history
    turn = f", {battle.called(battle.turns.active)}'s turn" if battle.turns.active else ""
    place = "the set-up" if battle.is_set_up else f"round {battle.turns.round}{turn}" if turn else "nobody's turn"
    left = max(0, len(history.steps()) - 1)
    return f"Now {place}: {left or 'nothing'} more to undo, {len(history.steps_undone()) or 'nothing'} to redo."


def _step(presenter: Presenter, *, is_back: bool) -> str:
    """Undoes or redoes one command, and says which.

    Raises:
        BattleboardError: there is none.
    """
    session = presenter.session
    presenter.reactions.forget()
    battle, undone = session.battle, session.history.done
    events = session.undo() if is_back else session.redo()
    step = undone if is_back else session.history.done
    presenter.clear_last()
    presenter.follow_turn(battle.turns.active)
    verb, place = "Undone" if is_back else "Redone", place_words(session)
    several = several_words(step, battle, session.rules)
    words = next((one for one in several if presenter.has_room(f"{verb}: {one} {place}")), several[-1])
    whole = headline(events, battle, session.rules)
    if not presenter.has_room(f"{verb}: {whole} {place}"):
        whole = headline(events, battle, session.rules, is_short=True)
    words = words or whole or "the last command."
    has_finished = any(isinstance(one.command, FinishBattle) for one in (step.commands if step else ()))
    if is_back and has_finished and any(unit.character and unit.character.file for unit in battle.units.values()):
        words = f"{words} {FILES_STAY}"
    return words


def several_words(step: Step | None, battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """One change of several units, the most words first: each unit's change, the first one's, the units' names alone.

    "3 units: Todd is prone (set by the GM). …"; "3 units: Todd, Anna, Bo."; "" for any other command.
    """
    commands = [one.command for one in step.commands] if step else []
    names: dict[str, None] = {}
    for command in commands:
        if isinstance(command, EditUnits | DamageUnits):
            units = command.units if isinstance(command, DamageUnits) else [edit.unit for edit in command.edits]
            names |= dict.fromkeys(map(battle.called, units))
    if len(names) < 2:
        return ("",)
    changes = [said for event in step.events if (said := narrate(event, battle, rules))] if step else []
    count, named = f"{len(names)} units: ", f"{', '.join(names)}."
    return f"{count}{' '.join(changes)}", f"{count}{named} {changes[0] if changes else ''} …", f"{count}{named}"
