"""What can be done now, in the quiet row below the verdict."""

from __future__ import annotations

from engine.battle.attacks.reactions import can_answer
from engine.battle.state.battle import Battle
from engine.battle.turns.turn_order import still_to_act
from engine.battle.views.view import View
from engine.journal.session import Session
from engine.text import upper_first
from tui.application.describe.order_blocks import next_units
from tui.application.focus import focus as foci
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.placing import ACTS, FIRES
from tui.application.presenter.presenter import Presenter

PLAYED = ("", "what-if")
"""States of the title bar in which commands are given."""


def key_state(session: Session, state: str) -> str:
    """The state of the title bar, or "finished" for a finished battle that can be reopened."""
    return "finished" if state in PLAYED and session.battle.is_finished else state


def what_now(presenter: Presenter, view: View | None, state: str) -> str:
    """The next key of a reaction, a planned move or an aim, else how marked or selected units are let go.

    Else how the turn ends: "e ends the turn: Bandit is next."

    Args:
        presenter: of the battle.
        view: of the battle.
        state: as `key_state` has it.

    Returns:
        A sentence or two; "" where nobody has a turn, where no commands are given, and while a line is being typed.
    """
    battle = presenter.session.battle
    if view is None or not view.active or battle.is_finished or state not in PLAYED:
        return ""
    if presenter.reactions.looked_from is not None:
        return with_keys("{battle.receipt} shows the whole shot, {battle.cancel} looks around first.")
    if presenter.display.is_asking:
        return ""
    focus, shot = presenter.focus, presenter.shot
    able = [held.unit for held in presenter.unanswered if can_answer(battle, presenter.session.rules, held)]
    if able:
        return with_keys(
            f"{upper_first(battle.called(able[0]))} may still attack out of turn: {{battle.interrupt}} attacks."
        )
    is_possible = foci.is_allowed(shot)
    if presenter.is_move_planned and presenter.can_move:
        is_later = any(action.is_at_round_end for action in presenter.session.rules.actions.values())
        does = f"{{battle.move}} {'declares a move' if is_later and not battle.is_set_up else 'moves'}"
        move = f"{does} to the cursor"
        if not presenter.path:
            where = "a square" if focus.cursor == battle.units[focus.unit].at else "a square in reach"
            move = f"Put the cursor on {where}: {does} there"
        return with_keys(f"{move}, {{battle.cancel}} cancels.")
    is_shown = not presenter.last.aftermath.is_empty
    if presenter.places == ACTS:
        return with_keys("{battle.act} does it towards the cursor, {battle.cancel} cancels.")
    if presenter.places == FIRES:
        does = "{battle.fire} attacks there" if is_possible else "Move the aim with the arrows"
        return with_keys(f"{does}, {{battle.cancel}} cancels.")
    if focus.target and not is_shown:
        fire = "{battle.fire} attacks, " if is_possible else ""
        return with_keys(f"{fire}{{battle.next_target}} aims at the next enemy, {{battle.cancel}} cancels.")
    if let_go := presenter.unmark_words or presenter.go_back_words:
        return let_go
    undo = with_keys(" {battle.undo} undoes this.") if is_shown else ""
    waiting = [battle.called(one) for one in still_to_act(battle, presenter.session.rules)]
    lost = f" Still to act: {', '.join(waiting)}." if waiting else ""
    return f"{with_keys('{battle.end_turn}')} ends {_what_follows(view, battle)}.{lost}{undo}"


def _what_follows(view: View, battle: Battle) -> str:
    """What ends with the active turn, and who or what comes then."""
    if then := next_units(view):
        return f"the turn: {then[0].name} is next"
    if battle.turns.declared and not battle.turns.closing:
        return "the turn: the declared moves are made"
    return "the round: the turn order is rolled again"
