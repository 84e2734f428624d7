"""What if: begun and ended with one key; kept or dropped."""

from __future__ import annotations

from pathlib import Path

from engine.battle.commands.order_commands import FormGroup
from engine.battle.commands.ruling_commands import SetPolicy
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation


def test_what_is_kept_keeps_groups_and_what_is_asked_for(talk: Conversation) -> None:
    real = talk.presenter.session
    real.submit(SetPolicy("off"))
    talk.do("what_if")
    talk.presenter.submit(FormGroup(("bandit", "cutter")))
    talk.presenter.submit(SetPolicy("auto", unit="todd"))
    tried = talk.battle
    talk.choose("what_if", "keep")
    assert (real.battle.gm.policies, real.battle.turns.groups) == (tried.gm.policies, tried.turns.groups)
    assert len(real.battle.gm.policies) == 2 and real.battle.turns.groups


def test_what_is_kept_is_undone_as_one_step(talk: Conversation) -> None:
    real, before = talk.presenter.session, talk.battle
    talk.do("what_if")
    talk.do("end_turn")
    talk.do("end_turn")
    talk.choose("what_if", "keep")
    assert talk.presenter.session is real and real.battle.turns.active == "deputy"
    talk.do("undo")
    assert real.battle == before


def test_where_nothing_was_tried_the_same_key_goes_back(talk: Conversation) -> None:
    real = talk.presenter.session
    talk.do("what_if")
    talk.do("what_if")
    assert talk.presenter.session is real


def test_a_move_that_is_declared_for_the_end_of_the_round_is_a_change(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    talk.line("now ox")
    talk.do("what_if")
    talk.do("move")
    talk.step(-1)
    talk.do("move")
    talk.do("what_if")
    assert talk.display.menu is not None
    assert talk.display.menu.question == "Ox: Half a move I7 → H7 at the end of the round."
