"""Every command comes back from its row as it was, with who gave it and what was answered."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from engine.answers import GivenAnswer
from engine.battle import commands as cmd
from engine.battle.codec import canonical
from engine.battle.record.history import command_rows
from engine.battle.record.kinds import COMMANDS
from engine.battle.record.submitted import SubmittedCommand, read_command, write_command
from engine.bounds import MOST_TEXT
from engine.errors import Illegal
from engine.field.battlefield import Barrier, Ground
from engine.field.squares import Direction, Edge, Square
from engine.rules.ledger import Adjustment
from engine.text import is_clean

A1, B2 = Square(0, 0), Square(1, 1)
EDGE = Edge(1, 1, "W")
MUD = Ground("mud", move_cost=2)
GIVEN: tuple[cmd.Command, ...] = (
    cmd.RollInitiative({"ox": "aim"}),
    cmd.Move("ox", (A1, B2), "run", 150),
    cmd.Attack("ox", "hauler", "rifle", "burst", True, B2),
    cmd.Act("ox", "lay", "", B2, "shot", True),
    cmd.EndTurn(),
    cmd.Face("ox", Direction.SW),
    cmd.Ready("ox", "knife", True),
    cmd.SetBarrier(EDGE, "open"),
    cmd.SetPool("ox", "hp", -3, "a note"),
    cmd.SetStat("ox", "dexterity", 9),
    cmd.DamageUnits(("ox", "raven"), 5, "hp"),
    cmd.SetBudget("ox", "action", 1),
    cmd.SetCondition("ox", "prone", True, 2, "B2"),
    cmd.SetPosture("ox", "prone"),
    cmd.SetInitiative("ox", 12),
    cmd.Delay("ox", "raven"),
    cmd.SetPlace("ox", ""),
    cmd.FormGroup(("ox", "raven")),
    cmd.DissolveGroup("ox"),
    cmd.Surprise(("ox",)),
    cmd.SetAltitude("ox", 300),
    cmd.Place("ox", B2),
    cmd.Adjust(Adjustment("range", "Range", Fraction(3, 2), False, "so", True)),
    cmd.ClearAdjustments(("range",)),
    cmd.SetRuling("lucky", True),
    cmd.SetRuling("luck", 3),
    cmd.SetRuling("luck", "three"),
    cmd.SetCloud(B2, 2, 1, 3, "smoke-1"),
    cmd.ClearCloud("smoke-1"),
    cmd.SetWind(Direction.NE, 2),
    cmd.SetOff(B2),
    cmd.ClearCharge(B2),
    cmd.AddUnit("gunman", "law", B2, "Zoë 忍者", 2, Direction.E, "prone", 100, 2, True, True),
    cmd.AddGroup((cmd.AddUnit("gunman", "law", B2), cmd.AddUnit("leader", "law", A1))),
    cmd.CopyUnit("ox", B2, 2),
    cmd.RemoveUnit("ox", ("raven",)),
    cmd.RenameUnit("ox", "Bull"),
    cmd.SetSide("ox", "law", True),
    cmd.SetHidden("ox", False),
    cmd.SetOut("ox", "surrenders"),
    cmd.SetTurn("ox"),
    cmd.SetAmmunition("ox", 3, "rifle"),
    cmd.Give("ox", "rifle"),
    cmd.TakeAway("ox", "rifle"),
    cmd.SetGround((A1, B2), MUD, "rain"),
    cmd.SetElevation((A1,), -200),
    cmd.SetEdges((EDGE,), Barrier("wall", seen_through=Direction.E)),
    cmd.SetEdges((EDGE,), None),
    cmd.Draw((cmd.SetGround((A1,), MUD), cmd.SetElevation((B2,), 100), cmd.SetEdges((EDGE,), None))),
    cmd.SetLight("dim", (A1,)),
    cmd.SetLamp(A1, 2, 5, 250),
    cmd.SetCover("ox", "raven", Fraction(3, 4), "heavy", True),
    cmd.SetCover("ox", "raven", None),
    cmd.SetPolicy("ask", "dodge", "ox", "law"),
    cmd.SetNote("Beware.", B2),
    cmd.ThrowDice("2d6+1", "morale"),
)


def test_every_kind_of_command_is_among_them() -> None:
    assert {type(command) for command in GIVEN} == {*COMMANDS.values()}


@pytest.mark.parametrize("command", GIVEN, ids=lambda command: type(command).__name__)
def test_a_command_comes_back_as_it_was(command: cmd.Command) -> None:
    answers = (
        GivenAnswer("Ox attacks: 1d100", (45,)),
        GivenAnswer("Damage: 2d6", ()),
        GivenAnswer("Raven", None, "dodge"),
    )
    given = SubmittedCommand(command, answers, "law", "Ann", 12)
    kind, body = write_command(given)
    assert COMMANDS[kind] is type(command)
    assert read_command(kind, json.loads(canonical(body))) == given


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ("command/fly", {}),
        ("event/turn-ended", {}),
        ("command/set-turn", {"fields": {}}),
        ("command/set-turn", {"fields": {"unit": 5}}),
        ("command/set-turn", {"fields": {"unit": "ox", "why": ""}}),
        ("command/set-turn", {"corrects": -1}),
        ("command/set-turn", {"seat": None}),
        ("command/set-turn", {"answers": [{"dice": [1]}]}),
        ("command/set-turn", {"answers": [{"q": "x", "dice": [10**10]}]}),
        ("command/set-turn", {"more": 1}),
    ],
)
def test_what_is_no_command_is_refused(kind: str, changed: dict[str, object]) -> None:
    _, body = write_command(SubmittedCommand(cmd.SetTurn("ox")))
    with pytest.raises(ValueError):
        read_command(kind, {**body, **changed})


def test_a_command_that_nothing_would_read_again_is_refused() -> None:
    with pytest.raises(Illegal, match="more than a battle can hold"):
        command_rows(SubmittedCommand(cmd.SetPool("ox", "hp", 10**12)))


def test_what_was_typed_is_kept_plain() -> None:
    """As the events have it: else an export of the battle could not be imported."""
    _, body = write_command(SubmittedCommand(cmd.SetNote("Be\x1b[2Jware\n\ud800\u202e" + "x" * 5000, unit="ox")))
    text = body["fields"]["text"]
    assert text.startswith("Be[2Jware x") and is_clean(text) and len(text) <= MOST_TEXT
    assert read_command("command/set-note", json.loads(canonical(body))).command == cmd.SetNote(text, unit="ox")
