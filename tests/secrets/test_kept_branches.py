"""Files for players of a battle with a what-if that was kept: one step, in which a unit may come, act and go."""

from __future__ import annotations

import pytest

from engine.battle.command import Command, EndTurn
from engine.battle.commands.order_commands import RollInitiative, SetTurn
from engine.battle.commands.roster_commands import AddUnit, RemoveUnit, SetHidden
from engine.battle.commands.ruling_commands import SetPolicy
from engine.geometry.squares import parse_square
from engine.journal.branch import Branch
from rulesets import shipped_rulesets
from tests.secrets.stage import PLAYED, VIEWERS, Stage

BRANCHES: tuple[tuple[Command, ...], ...] = (
    (SetTurn("bo"), RemoveUnit("bo")),
    (SetTurn("bo"), EndTurn(), SetHidden("bo"), RemoveUnit("bo")),
    (AddUnit("gunman", "outlaws", parse_square("G3"), "Late"), SetTurn("late"), RemoveUnit("late")),
)


@pytest.mark.long
@pytest.mark.parametrize("rules", shipped_rulesets())
def test_a_unit_that_has_a_turn_and_is_removed_in_one_step_is_in_no_files_way(rules: str) -> None:
    for commands in BRANCHES:
        stage = Stage.begin(rules)
        stage.do(RollInitiative())
        stage.do(SetPolicy("off"))
        if stage.battle.turns.active == "bo":
            stage.do(EndTurn())
        branch = Branch(stage.session)
        for command in commands:
            branch.submit(command)
        branch.keep()
        for side in VIEWERS:
            assert stage.files(side).keys() == {*PLAYED}
