"""What the last command did stays in sight until the next aim, plan of a move, Esc or undo."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from engine.battle.command import EndTurn, Move
from engine.battle.commands.unit_edits import DamageUnits, SetCondition, SetPool
from engine.battle.views.aftermath import NOTHING_DONE
from engine.battle.views.view import project
from engine.geometry.squares import Direction, parse_square
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.presenter.presenter import Presenter
from tui.application.presenter.what_now import what_now


def row_below(talk: Conversation, state: str = "") -> str:
    """The quiet row below the verdict."""
    battle, rules = talk.presenter.session.battle, talk.presenter.session.rules
    return what_now(talk.presenter, project(battle, rules), state)


@pytest.fixture
def shot(talk: Conversation) -> Conversation:
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("45")
    talk.answer("10")
    assert talk.presenter.last.result is not None
    return talk


def test_a_shot_is_shown_with_its_result_through_the_end_of_the_turn(shot: Conversation) -> None:
    found = shot.presenter.last
    assert found.aftermath.shots[0].is_hit and found.aftermath.changed == {"bandit"}
    shot.presenter.submit(EndTurn())
    assert shot.presenter.last == found


def test_it_is_shown_again_when_the_battle_is_opened_again(shot: Conversation) -> None:
    again = Presenter(shot.presenter.session, shot.presenter.display)
    assert again.last == shot.presenter.last


@pytest.mark.parametrize("key", ["target", "cancel", "undo"])
def test_the_next_aim_esc_and_undo_clear_it(shot: Conversation, key: str) -> None:
    if key == "cancel":
        shot.presenter.cancel()
    else:
        shot.do(key, *([1] if key == "target" else []))
    assert shot.presenter.last.aftermath == NOTHING_DONE
    assert shot.presenter.last.result is None


def test_undo_aims_again_at_a_target_that_the_shot_felled(talk: Conversation) -> None:
    """So that the attack key asks for the dice, which would be keys of the board without a target."""
    talk.presenter.submit(SetPool("bandit", "hp", 1))
    talk.do("target", 1)
    aimed = talk.presenter.focus
    talk.do("fire")
    talk.answer("12", "10")
    talk.roll_the_rest()
    assert talk.unit("bandit").is_defeated and not talk.presenter.focus.target
    talk.do("undo")
    assert not talk.unit("bandit").is_defeated
    assert talk.presenter.focus == aimed
    talk.do("fire")
    assert talk.asked.startswith("Todd → Bandit:")


def test_a_planned_move_clears_it_and_the_move_leaves_its_way(shot: Conversation) -> None:
    shot.do("move")
    assert shot.presenter.last.aftermath == NOTHING_DONE
    todd = shot.unit("todd")
    shot.presenter.submit(Move("todd", (todd.at, parse_square("N9"))))
    assert shot.presenter.last.aftermath.trail == (todd.at,)
    assert shot.presenter.last.result is None


def test_the_gms_damage_is_shown_without_a_result(talk: Conversation) -> None:
    talk.presenter.submit(DamageUnits(("bandit",), 5))
    assert talk.presenter.last.aftermath.changed == {"bandit"}
    assert talk.presenter.last.result is None


def test_the_row_below_the_verdict_says_what_can_be_done_now(talk: Conversation) -> None:
    said = partial(row_below, talk)
    assert said().startswith("e ends the turn: ") and said().endswith(" is next.")
    assert said("replay") == ""
    talk.do("move")
    assert said() == "Put the cursor on a square: m moves there, Esc cancels."
    talk.point("O10")
    assert said() == "m moves to the cursor, Esc cancels."
    talk.presenter.cancel()
    talk.do("target", 1)
    assert said().startswith("f attacks, t aims")
    talk.do("fire")
    talk.answer("45")
    talk.answer("10")
    assert said().endswith(" is next. U undoes this.")


def test_the_row_below_the_verdict_says_that_the_declared_moves_come_next(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))

    said = partial(row_below, talk)
    unit = talk.presenter.session.battle.unit(talk.presenter.session.battle.turns.active)
    talk.presenter.submit(Move(unit.id, (unit.at, unit.at.step(Direction.N)), "half-move"))
    order = talk.presenter.session.battle.turns.order
    assert talk.presenter.session.battle.turns.declared
    for _ in order[1:]:
        assert said().partition(" U ")[0].endswith(" is next.")
        talk.presenter.submit(EndTurn())
    assert said().startswith("e ends the turn: the declared moves are made.")


def test_the_row_names_who_still_holds_an_action_in_the_last_turn_of_a_round(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "cwn"))

    said = partial(row_below, talk)
    first, *others = talk.presenter.session.battle.turns.order
    talk.presenter.submit(SetCondition(first, "holding", is_on=True))
    talk.presenter.submit(EndTurn())
    for _ in others[1:]:
        assert "Still to act" not in said()
        talk.presenter.submit(EndTurn())
    assert f" Still to act: {talk.presenter.session.battle.called(first)}." in said()


def test_after_an_aim_and_a_plan_to_move_the_row_says_what_the_keys_do_now(talk: Conversation) -> None:
    said = partial(row_below, talk)
    talk.press("t", "m")
    assert said() == "Put the cursor on a square: m moves there, Esc cancels."
    talk.point("O10")
    assert said() == "m moves to the cursor, Esc cancels."
    talk.presenter.cancel()
    assert said().startswith("f attacks, t aims")


def test_a_unit_that_has_not_the_turn_is_let_go_by_a_key_that_is_named(talk: Conversation) -> None:
    talk.point("R10")
    talk.press("s")
    back = "Bandit is selected: Esc goes back to Todd."
    battle, rules = talk.presenter.session.battle, talk.presenter.session.rules
    assert what_now(talk.presenter, project(battle, rules), "") == back
    talk.press("m")
    talk.point("Q11")
    talk.press("m")
    assert talk.said == f"It is Todd's turn, not Bandit's. {back}"
    talk.presenter.look_at(talk.presenter.focus.on_unit("bandit"))
    talk.press("t", "f")
    assert talk.said.startswith("It is Todd's turn, not Bandit's.") and talk.said.endswith(back)


def test_a_refusal_to_move_marked_units_names_the_key_that_unmarks_them(talk: Conversation) -> None:
    talk.point("R10")
    talk.press("space")
    talk.point("N10")
    talk.press("P")
    refused, _, how = talk.said.partition(". ")
    assert "Todd" in refused and how == "Bandit is marked: Esc unmarks it."
