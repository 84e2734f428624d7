"""Seats: every command with its permission, and what a seat may order."""

from __future__ import annotations

import pytest

from engine.answers import GivenAnswer, Needs
from engine.battle.command import GM, OWN, Act, Attack, Command, EndTurn, Move
from engine.battle.commands.command_list import COMMANDS
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import Delay, SetTurn
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place
from engine.battle.seats import LOOKS, NOT_YOURS, ONLY_THE_GM, Seat
from engine.errors import Illegal
from engine.geometry.squares import Direction, Square
from engine.values import replace
from tests.rules.table import Table, fight

OF_PLAYERS = {Move, Attack, Act, EndTurn, Delay, Face, Ready, SetTurn}
ANNA = Seat("anna", "law", ("a",))
LAW = Seat("law", "law")


def duel(name: str = "occult-ops") -> Table:
    table = fight(name, "a....b", "c.....", allies="c", a="gunman", b="gunman", c="gunman")
    hidden = replace(table.unit("b"), id="h", name="Hidden", is_hidden=True, at=Square(5, 1))
    table.battle = table.battle.with_unit(hidden)
    return table


def refused(table: Table, command: Command, seat: Seat, *answers: GivenAnswer) -> str:
    before = repr(table.battle)
    with pytest.raises(Illegal) as why:
        decide(table.battle, command, table.rules, answers, seat=seat)
    assert repr(table.battle) == before
    return str(why.value)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_a_command_without_a_permission_is_the_game_masters(command: type[Command]) -> None:
    assert command.may == (OWN if command in OF_PLAYERS else GM)


def test_a_seat_orders_its_units_in_their_turn() -> None:
    table = duel()
    assert decide(table.battle, Move("a", table.way("a", "B1")), table.rules, seat=ANNA)
    assert decide(table.battle, EndTurn(), table.rules, seat=LAW)
    assert "It is A's turn" in refused(table, Attack("c", "b"), LAW)


@pytest.mark.parametrize("unit", ["c", "b", "h", "nobody", ""])
@pytest.mark.parametrize("kind", ["move", "attack", "act", "ready", "face", "delay", "turn"])
def test_a_unit_that_is_not_its_own_hidden_or_not_there_is_refused_in_the_same_words(unit: str, kind: str) -> None:
    commands = {
        "move": Move(unit, (Square(0, 0), Square(1, 0))),
        "attack": Attack(unit, "b"),
        "act": Act(unit, "nothing"),
        "ready": Ready(unit, "nothing"),
        "face": Face(unit, Direction.S),
        "delay": Delay(unit, "b"),
        "turn": SetTurn(unit),
    }
    assert refused(duel(), commands[kind], ANNA) == NOT_YOURS


def test_the_game_masters_leave_and_tools_are_the_game_masters() -> None:
    table = duel()
    for command in (
        Attack("a", "b", is_free=True),
        Act("a", "nothing", is_free=True),
        Ready("a", "nothing", is_free=True),
        SetTurn("a", again=True),
        SetTurn("a"),
        Place("a", Square(1, 0)),
    ):
        assert refused(table, command, ANNA) == ONLY_THE_GM, command
    table.do(EndTurn())
    assert refused(table, Face("a", Direction.S), ANNA) == ONLY_THE_GM
    assert refused(table, EndTurn(), ANNA) == NOT_YOURS


def test_who_looks_on_orders_nothing_and_dice_are_typed_by_leave() -> None:
    table, shot = duel(), Attack("a", "b")
    assert refused(table, EndTurn(), replace(LAW, mode=LOOKS)) == "You look on: you give no orders."
    assert refused(table, shot, LAW, GivenAnswer("", (5,))) == "Your dice are rolled for you."
    assert decide(table.battle, shot, table.rules, seat=LAW)
    assert decide(table.battle, shot, table.rules, [GivenAnswer("", (50,))], seat=replace(LAW, types_dice=True))


def test_a_side_that_acts_together_says_who_is_next() -> None:
    table = fight("cwn", "a....b", "c.....", allies="c", a="gunman", b="gunman", c="gunman")
    assert decide(table.battle, SetTurn("c"), table.rules, seat=LAW)
    assert refused(table, SetTurn("c"), Seat("cay", "law", ("c",))) == NOT_YOURS  # it is A's turn to give away
    assert refused(table, SetTurn("b"), LAW) == NOT_YOURS


def test_a_question_belongs_to_whom_it_is_put_to() -> None:
    """Who is attacked says whether to defend; whose command it is types its dice."""
    table = fight("aog", "a....b", "......", a="gunman", b="gunman")
    with pytest.raises(Needs) as defence:
        decide(table.battle, Attack("a", "b"), table.rules, [GivenAnswer("", (50,))], asks=True)
    with pytest.raises(Needs) as roll:
        decide(table.battle, Attack("a", "b"), table.rules, asks_dice=True)
    assert (defence.value.ask.owner, roll.value.ask.owner) == ("b", "")
