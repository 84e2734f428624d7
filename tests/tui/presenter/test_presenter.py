"""The conversation with the Game Master, played without a screen."""

from __future__ import annotations

from tests.tui.presenter.table import Conversation


def test_an_attack_asks_for_its_dice_and_undo_takes_it_back(talk: Conversation) -> None:
    talk.do("target", 1)
    assert talk.presenter.focus.target
    talk.do("fire")
    assert "Enter rolls" in talk.display.question
    before = talk.presenter.session.battle
    talk.display.answer("")
    assert talk.presenter.session.battle is not before
    talk.do("undo")
    assert talk.presenter.session.battle == before


def test_esc_at_the_dice_says_that_the_attack_is_cancelled(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("fire")
    before = talk.presenter.session.battle
    talk.display.cancel()
    assert "is cancelled" in talk.said and talk.presenter.session.battle is before


def test_a_move_is_shown_first_and_made_by_the_same_key(talk: Conversation) -> None:
    unit = talk.presenter.session.battle.units[talk.presenter.focus.unit]
    talk.do("move")
    assert talk.presenter.focus.shading == "reach" and talk.presenter.is_move_planned
    there = next(at for at in talk.presenter.shading.tints if at != unit.at)
    talk.display.cursor = there
    talk.do("move")
    assert talk.presenter.session.battle.units[unit.id].at != unit.at


def test_a_line_that_is_refused_says_why(talk: Conversation) -> None:
    talk.do("line")
    assert talk.display.question == ":"
    talk.display.answer("move nobody A1")
    assert "nobody" in talk.said


def test_without_a_target_firing_says_what_to_do(talk: Conversation) -> None:
    talk.do("fire")
    assert talk.said.startswith("Choose a target first")


def test_a_branch_is_compared_and_dropped(talk: Conversation) -> None:
    real = talk.presenter.session
    talk.do("what_if")
    talk.do("end_turn")
    assert talk.presenter.session is not real
    talk.do("what_if")
    talk.display.choose("drop")
    assert talk.presenter.session is real
