"""Undo and redo, with what was undone in words."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.command import Attack
from engine.battle.commands.order_commands import FinishBattle
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import DamageUnits
from engine.battle.events import AttackRolled, Event, UnitMoved
from engine.battle.narration import headline, main_words, narrate, what_happened
from engine.battle.state.battle import Battle
from engine.battle.views.verdict import attack_name
from engine.errors import BattleboardError
from engine.journal.history import Step
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import count
from engine.values import replace
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.presenter import Presenter

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
    """What is left between undo and redo: "· R redoes 2 · U undoes 24 more"."""
    left, undone = max(0, len(session.history.steps()) - 1), len(session.history.steps_undone())
    parts = f"{{battle.redo}} redoes {undone}" * bool(undone), f"{{battle.undo}} undoes {left} more" * bool(left)
    return with_keys("".join(f"· {part} " for part in parts if part).rstrip())


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
    several = what_if_words(step, battle, session.rules) or several_words(step, battle, session.rules)
    several = several or between_words(events, battle, session.rules) or ("",)
    words = next((one for one in several if presenter.has_room(f"{verb}: {one} {place}")), several[-1])
    name = attack_name(step.events if step else events, battle, session.rules)
    whole = f"{name}." if name else headline(events, battle, session.rules)
    if not presenter.has_room(f"{verb}: {whole} {place}"):
        whole = headline(events, battle, session.rules, is_short=True)
    words = words or whole or "the last command."
    has_finished = any(isinstance(one.command, FinishBattle) for one in (step.commands if step else ()))
    if is_back and has_finished and any(unit.character and unit.character.file for unit in battle.units.values()):
        words = f"{words} {FILES_STAY}"
    return words


def several_words(step: Step | None, battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """One change of several units, the most words first: each unit's change, the first one's, the units' names alone.

    "3 units: Todd is prone (set by the GM). …"; "3 units: Todd, Anna, Bo."; none for any other command.
    """
    commands = [one.command for one in step.commands] if step else []
    names: dict[str, None] = {}
    for command in commands:
        if isinstance(command, EditUnits | DamageUnits):
            units = command.units if isinstance(command, DamageUnits) else [edit.unit for edit in command.edits]
            names |= dict.fromkeys(map(battle.called, units))
    if len(names) < 2:
        return ()
    changes = [said for event in step.events if (said := narrate(event, battle, rules))] if step else []
    count, named = f"{len(names)} units: ", f"{', '.join(names)}."
    return f"{count}{' '.join(changes)}", f"{count}{named} {changes[0] if changes else ''} …", f"{count}{named}"


def what_if_words(step: Step | None, battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """The commands of a kept what-if, the most words first: what happened, its moves and attacks, their number alone.

    "2 commands of the what-if: Todd moves N10 → P9. Todd → Bandit: rolled 45 vs 60: hit."; none for any other step.
    """
    if step is None or len(step.commands) < 2:
        return ()
    whole, main = (what_happened(step.events, battle, rules, has_losses=has_losses) for has_losses in (True, False))
    kept = f"{len(step.commands)} commands of the what-if"
    return f"{kept}: {whole}", f"{kept}: {main}", f"{kept}."


def between_words(events: Sequence[Event], battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """A command in which several units moved or attacked, the most words first; none for any other.

    "Bo moves R3 → Q3. Todd → Bo: rolled 45 vs 60: hit."; "Bo moves R3 → Q3, and 1 attack."
    """
    main = [event for event in events if isinstance(event, UnitMoved | AttackRolled)]
    attacks = [event for event in main[1:] if isinstance(event, AttackRolled)]
    if not attacks or len({event.unit for event in main}) < 2:
        return ()
    whole, shorter = (what_happened(events, battle, rules, has_losses=has_losses) for has_losses in (True, False))
    return whole, shorter, f"{main_words(main[0], battle, rules)}, and {count(len(attacks), 'attack')}."
