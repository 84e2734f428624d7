"""What if: a branch is played without the disk and with other dice; kept it is one step, dropped it was nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.answers import typed_dice
from engine.battle.command import Attack, EndTurn, Move
from engine.battle.commands.note_commands import ThrowDice
from engine.battle.commands.unit_edits import Place, SetPool, SetPosture
from engine.battle.narration.differences import differences
from engine.errors import Illegal
from engine.geometry.squares import parse_square
from engine.journal.branch import Branch
from tests.tui.play import session_for
from tui.application.library.battle_files import open_battle


def test_a_branch_changes_nothing_until_it_is_kept(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    before, rows = session.battle, len(list(session.journal.rows()))
    branch = Branch(session)
    branch.submit(SetPool("todd", "hp", 3))
    branch.submit(EndTurn())
    assert session.battle is before
    assert len(list(session.journal.rows())) == rows
    assert branch.command_count == 2
    kept = branch.keep()
    assert kept == branch.events
    assert (session.battle.units["todd"].pools["hp"], session.battle.turns.active) == (3, "boss")
    assert session.battle.dice.seed == before.dice.seed
    session.undo()
    assert session.battle == before
    session.redo()
    session.close()
    again = open_battle(session.journal.path, read_only=True)
    assert again.battle == session.battle
    again.close()


def test_its_dice_are_others(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    attack = Attack("todd", "bandit")
    tried = [event for event in Branch(session).submit(attack) if hasattr(event, "roll")]
    real = [event for event in session.submit(attack) if hasattr(event, "roll")]
    assert tried[0].roll != real[0].roll
    session.close()


def test_undo_stops_where_the_branch_began(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    branch = Branch(session)
    with pytest.raises(Illegal):
        branch.keep()
    branch.submit(SetPosture("todd", "prone"))
    branch.undo()
    assert branch.command_count == 0
    with pytest.raises(Illegal):
        branch.undo()
    branch.close()
    session.submit(SetPosture("todd", "prone"))  # its journal is still open
    session.close()


def test_differences_are_reported_unit_by_unit(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    before, branch = session.battle, Branch(session)
    path = tuple(map(parse_square, ("N10", "O10")))
    branch.submit(Move("todd", path))
    branch.submit(SetPool("bandit", "hp", 0))
    branch.submit(Place("cutter", parse_square("D4")))
    branch.submit(EndTurn())
    assert differences(before, branch.battle, session.rules) == [
        "Todd: N10 → O10.",
        "Bandit: hit points 20 → 0, out of the fight.",
        "Cutter: M17 → D4.",
        "Round 1, The Boss's turn.",
    ]
    assert differences(before, before, session.rules) == []
    session.close()


def test_a_kept_branch_is_one_batch_of_several_commands(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    before = len(list(session.journal.rows()))
    branch = Branch(session)
    branch.submit(SetPool("todd", "hp", 3))
    branch.submit(ThrowDice("1d6"), typed_dice(((2,),)))
    branch.correct(typed_dice(((5,),)))  # what it corrects was never in the file
    branch.submit(SetPosture("todd", "prone"))
    branch.undo()
    branch.keep()
    added = list(session.journal.rows())[before:]
    assert {row.batch for row in added} == {before + 1}
    assert [row.kind for row in added] == [
        "command/set-pool", "event/pool-changed",
        "command/throw-dice", "event/roll-corrected", "event/dice-thrown",
    ]  # fmt: skip
    assert [row.body["corrects"] for row in added if row.kind.startswith("command/")] == [0, 0]
    session.close()
    again = open_battle(session.journal.path)
    assert again.battle == session.battle
    with pytest.raises(Illegal, match="The last step is a kept what-if of several commands"):
        again.correct(typed_dice(((3,),)))
    again.undo()
    assert len(again.history.steps()) == 1
    again.close()
