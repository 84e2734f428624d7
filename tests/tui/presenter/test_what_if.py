"""What if: begun and ended with one key; kept or dropped."""

from __future__ import annotations

from pathlib import Path

from engine.battle.commands.order_commands import FormGroup, SetTurn
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import SetCondition
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.view.panels.log_panel import log_text
from tui.view.screens.logbook import log_rows


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


def keep_a_move_and_a_shot(talk: Conversation) -> None:
    talk.do("what_if")
    talk.line("move todd P9")
    talk.line("shoot todd bandit dice 31")
    talk.roll_the_rest()
    talk.choose("what_if", "keep")


def test_undo_after_a_kept_what_if_says_all_that_was_undone(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path), width=200)
    keep_a_move_and_a_shot(talk)
    talk.do("undo")
    assert talk.said.startswith(
        "Undone: 2 commands of the what-if: Todd moves N10 → P9, 2 squares. Todd → Bandit: rolled 31"
    )
    assert "Bandit: hit points 20 → 10" in talk.said
    talk.presenter.display.width = 44  # type: ignore[misc]
    talk.do("redo")
    assert talk.said.startswith("Redone: 2 commands of the what-if. · ")


def test_the_log_has_a_kept_what_if_in_its_order(talk: Conversation) -> None:
    keep_a_move_and_a_shot(talk)
    session = talk.presenter.session
    rows = log_text(session.history.steps()[-1:], talk.battle, session.rules, 59, 20).plain.split("\n")
    moved = next(place for place, row in enumerate(rows) if "Todd moves N10 → P9" in row)
    assert moved < next(place for place, row in enumerate(rows) if "Todd ▸ Bandit" in row)
    (row,) = log_rows(session.history.steps()[-1:], talk.battle, session.rules)
    assert row.sentence.startswith("What-if of 2 commands: Todd moves N10 → P9, 2 squares. Todd → Bandit: rolled 31")


def test_undo_in_a_branch_stops_at_its_start_and_says_so(talk: Conversation) -> None:
    talk.do("what_if")
    talk.do("undo")
    assert talk.said == "Nothing to undo: this is the start of the branch."


def test_undo_of_a_move_that_was_shot_at_says_the_shot(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path), width=200)
    talk.presenter.session.submit(SetPolicy("auto"))
    talk.presenter.session.submit(SetCondition("todd", "planning_sight", True))
    talk.presenter.submit(SetTurn("bandit"))
    talk.do("move")
    talk.step(2)
    talk.do("move")
    talk.roll_the_rest()
    talk.do("undo")
    assert "Bandit moves" in talk.said and "Todd → Bandit: rolled" in talk.said
