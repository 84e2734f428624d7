"""The turn of somebody hidden: what leads to it is told with what comes after it, in one."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.battle import command as cmd
from engine.battle.command import Command
from engine.battle.commands.gear_commands import SetStat
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.order_commands import (
    Delay,
    FormGroup,
    RollInitiative,
    SetInitiative,
    SetPlace,
    Surprise,
)
from engine.battle.commands.roster_commands import AddUnit, CopyUnit, RemoveUnit, SetHidden, SetOut
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_actions import Face
from engine.battle.commands.unit_edits import DamageUnits, Place, SetCondition, SetMarker
from engine.battle.views.known_battle import is_hidden_turn
from engine.geometry.squares import Direction, Square, parse_square
from rulesets import shipped_rulesets
from tests.examples import grid
from tests.secrets.law import SCORES, Published
from tests.secrets.stage import VIEWERS, Stage
from tests.secrets.turns import turns_played

QUICK = (("aog", "dexterity", 95), ("eva", "agility", 95))
"""A ruleset, a stat that makes its unit the first to act, and how much of it does."""
MOVE_OF_BO = cmd.Move("bo", (parse_square("H2"), parse_square("G2")))
PLACES = {"first": 30, "last": 1}
"""Initiative before and after everybody else's."""


def ends(count: int) -> list[Command]:
    return [cmd.EndTurn()] * count


@pytest.mark.long
@pytest.mark.parametrize(("rules", "place"), grid(shipped_rulesets(), PLACES))
def test_what_ends_with_a_round_before_somebody_hidden_is_told_with_the_next_turn(rules: str, place: str) -> None:
    stage = Stage.begin(rules)
    condition = next(iter(stage.rules.units.conditions))
    moves = [SetCondition("ben", condition, True, rounds=1), SetMarker(("ada", "bo"), "on fire", rounds=1), *ends(3)]
    bare = turns_played(rules, moves, until="cy")
    secret = turns_played(rules, moves, until="cy", secrets=[SetInitiative("ghost", PLACES[place])])
    assert secret.differences(bare) == []


@pytest.mark.parametrize(("rules", "stat", "most"), QUICK)
def test_a_battle_whose_first_turn_is_of_somebody_hidden_begins_with_the_first_turn_of_others(
    rules: str, stat: str, most: int
) -> None:
    found = []
    for score in (1, most):
        stage, made = Stage.begin(rules), Published(VIEWERS)
        for command in (SetStat("ghost", stat, score), RollInitiative()):
            stage.do(command)
            made.look(stage)
        assert is_hidden_turn(stage.battle) == (score == most)
        while is_hidden_turn(stage.battle):
            for command in (SetNote("It begins."), cmd.EndTurn()):
                stage.do(command)
                made.look(stage)
        made.write(stage, is_whole=False)
        found.append(made)
    assert found[1].differences(found[0]) == []


def test_what_is_seen_in_a_first_turn_of_somebody_hidden_is_seen_in_the_first_turn_of_others() -> None:
    stage = Stage.begin("aog")
    for command in (SetStat("ghost", "dexterity", 95), RollInitiative()):
        stage.do(command)
    assert is_hidden_turn(stage.battle) and stage.seat("law").view.is_curtain
    stage.do(DamageUnits(("ben",), 1))
    view = stage.seat("law").view
    assert (view.active, view.round) == ("ben", 1)
    stage.do(cmd.EndTurn())
    assert (stage.battle.turns.active, stage.seat("law").view.active) == ("ben", "ben")


SHORT: dict[str, Command] = {
    "out": SetOut("bo", "flees"),
    "removed": RemoveUnit("bo"),
    "surprised": Surprise(("bo",)),
    "delayed": Delay("bo", "cy"),
}
NO_DELAY = ("volt", "delayed")


@pytest.mark.long
@pytest.mark.parametrize(("rules", "how"), [one for one in grid(shipped_rulesets(), SHORT) if one.values != NO_DELAY])
def test_a_turn_that_is_cut_short_before_that_of_somebody_hidden_is_over_as_the_next_begins(
    rules: str, how: str
) -> None:
    moves = [SHORT[how], *ends(2)]
    bare = turns_played(rules, moves, until="bo")
    assert turns_played(rules, moves, until="bo", secrets=[SetInitiative("ghost", 13)]).differences(bare) == []


@pytest.mark.long
@pytest.mark.parametrize(
    "moves", ([MOVE_OF_BO], [MOVE_OF_BO, *ends(1), cmd.Act("ben", "wait")]), ids=("alone", "beside others")
)
def test_moves_after_which_somebody_hidden_may_act_are_told_with_what_comes_next(moves: list[Command]) -> None:
    later = [SetInitiative("mole", 9)]
    waits = {"mole": cmd.Act("mole", "wait")}
    moves = [*moves, *ends(7 - len(moves))]
    bare = turns_played("volt", moves, until="bo", secrets=later)
    assert turns_played("volt", moves, until="bo", secrets=later, acts=waits).differences(bare) == []


UNDONE: dict[str, tuple[Command | str, ...]] = {
    "end": (cmd.EndTurn(), "undo", cmd.EndTurn()),
    "end, done again": (cmd.EndTurn(), "undo", "redo"),
    "removal": (RemoveUnit("ghost"), "undo", cmd.EndTurn()),
    "removal, done again": (RemoveUnit("ghost"), "undo", "redo"),
}


@pytest.mark.long
@pytest.mark.parametrize("commands", UNDONE.values(), ids=UNDONE)
def test_a_turn_that_somebody_hidden_takes_back_stays_as_it_was_told(commands: Sequence[Command | str]) -> None:
    found = []
    for given in ((cmd.EndTurn(),), commands):
        stage, made = Stage.begin("aog"), Published(VIEWERS)
        begin = [RollInitiative(), SetPolicy("off"), *(SetInitiative(unit, score) for unit, score in SCORES.items())]
        for command in begin:
            stage.do(command)
        while stage.battle.turns.active != "ghost":
            stage.do(cmd.EndTurn())
        for each in (*given, DamageUnits(("ben",), 1)):
            made.look(stage)
            stage.do(each)
        made.look(stage)
        made.write(stage, is_whole=False)
        found.append(made)
    assert found[1].differences(found[0]) == []


IN_BETWEEN: dict[str, tuple[Command, ...]] = {
    "removed": (RemoveUnit("cy"),),
    "added": (AddUnit("gunman", "law", Square(3, 1), "Newguy"),),
    "copied": (CopyUnit("ben", Square(3, 1)),),
    "another place": (SetPlace("cy", "bo"),),
    "initiative": (SetInitiative("cy", 19),),
    "grouped": (FormGroup(("bo", "cy")),),
    "hidden and revealed": (SetHidden("ada", True), SetHidden("ada", False)),
    "revealed": (SetHidden("imp", False),),
}
"""What the GM may do that everybody sees, while it is the turn of ada or already of somebody hidden after her."""


@pytest.mark.parametrize("how", IN_BETWEEN)
def test_what_everybody_sees_in_a_hidden_turn_says_nothing_of_how_far_the_round_is(how: str) -> None:
    found = []
    for is_hidden in (False, True):
        stage = Stage.begin("aog")
        scores = {**SCORES, "ada": 40, "ghost": 39, "mole": 2, "imp": 1}
        begin = [RollInitiative(), SetPolicy("off"), *(SetInitiative(unit, score) for unit, score in scores.items())]
        for command in begin:
            stage.do(command)
        while (stage.battle.turns.round, stage.battle.turns.active) != (2, "ada"):
            stage.do(cmd.EndTurn())
        if is_hidden:
            stage.do(cmd.EndTurn())
            assert stage.battle.turns.active == "ghost"
        for command in IN_BETWEEN[how]:
            stage.do(command)
        view = stage.seat("law").view
        found.append((view.active, view.round, view.acted, view.upcoming, view.waiting, view.order))
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize("times", (1, 2))
@pytest.mark.parametrize("rules", [one for one in shipped_rulesets() if one != "volt"])  # there it moves later
def test_what_somebody_did_in_its_turn_before_it_is_revealed_stays_secret(rules: str, times: int) -> None:
    path = tuple(map(parse_square, ("E4", "E5")))
    found = []
    for came in (Place("mole", path[-1]), cmd.Move("mole", path)):
        stage, made = Stage.begin(rules), Published(("law",))
        scores = (SetInitiative(unit, score) for unit, score in SCORES.items())
        for command in (RollInitiative(), SetPolicy("off"), *scores):
            stage.do(command)
        for _ in range(times):
            stage.do(cmd.EndTurn())
            while stage.battle.turns.active != "mole":
                stage.do(cmd.EndTurn())
                made.look(stage)
        for command in (came, Face("mole", Direction.N), SetHidden("mole", False), cmd.EndTurn()):
            stage.do(command)
            made.look(stage)
        made.write(stage, is_whole=False)
        found.append(made)
    assert found[1].differences(found[0]) == []
