"""Every command comes back from its row as it was, with who gave it and what was answered."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from engine.answers import GivenAnswer
from engine.battle import command as cmd
from engine.battle.commands.gear_commands import Give, SetAmmunition, SetCharacter, SetStat, TakeAway
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.commands.order_commands import (
    Delay,
    DissolveGroup,
    FinishBattle,
    FormGroup,
    RollInitiative,
    SetInitiative,
    SetPlace,
    SetTurn,
    Surprise,
)
from engine.battle.commands.roster_commands import (
    AddGroup,
    AddUnit,
    CopyUnit,
    RemoveUnit,
    RenameUnit,
    SetHidden,
    SetOut,
    SetSide,
)
from engine.battle.commands.ruling_commands import Adjust, ClearAdjustments, SetCover, SetPolicy, SetRuling
from engine.battle.commands.scene_commands import ClearCharge, ClearCloud, SetCloud, SetOff, SetWind
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.terrain_commands import (
    Draw,
    SetBarrier,
    SetEdges,
    SetElevation,
    SetGround,
    SetLamp,
    SetLight,
    SetSmoke,
    SetZone,
)
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import (
    DamageUnits,
    HealUnits,
    Place,
    SetAltitude,
    SetBudget,
    SetCondition,
    SetMarker,
    SetPool,
    SetPosture,
)
from engine.battle.state.characters import Character
from engine.battle.state.codec import canonical
from engine.bounds import MOST_TEXT
from engine.errors import Illegal
from engine.geometry.battlefield import Barrier, Ground
from engine.geometry.squares import Direction, Edge, Square
from engine.journal.history import command_rows
from engine.journal.row_kinds import COMMANDS
from engine.journal.submitted_commands import SubmittedCommand, read_command, write_command
from engine.rules.ledger import Adjustment
from engine.text import is_clean

A1, B2 = Square(0, 0), Square(1, 1)
EDGE = Edge(1, 1, "W")
MUD = Ground("mud", move_cost=2)
GIVEN: tuple[cmd.Command, ...] = (
    RollInitiative({"ox": "aim"}),
    cmd.Move("ox", (A1, B2), "run", 150),
    cmd.Attack("ox", "hauler", "rifle", "burst", True, B2),
    cmd.Act("ox", "lay", "", B2, "shot", True),
    cmd.EndTurn(),
    FinishBattle(),
    Face("ox", Direction.SW),
    Ready("ox", "knife", True),
    SetBarrier(EDGE, "open"),
    SetPool("ox", "hp", -3, "a note"),
    SetStat("ox", "dexterity", 9),
    DamageUnits(("ox", "raven"), 5, "hp"),
    HealUnits(("ox", "raven"), 5, "hp"),
    SetBudget("ox", "action", 1),
    SetCondition("ox", "prone", True, 2, "B2"),
    SetMarker(("ox", "todd"), "on fire", True, 2),
    SetPosture("ox", "prone"),
    SetInitiative("ox", 12),
    Delay("ox", "raven"),
    SetPlace("ox", ""),
    FormGroup(("ox", "raven")),
    DissolveGroup("ox"),
    Surprise(("ox",)),
    SetAltitude("ox", 300),
    Place("ox", B2),
    EditUnits((SetPool("ox", "hp", 3), SetHidden("raven"), Place("ox", B2))),
    Adjust(Adjustment("range", "Range", Fraction(3, 2), False, "so", True)),
    ClearAdjustments(("range",)),
    SetRuling("lucky", True),
    SetRuling("luck", 3),
    SetRuling("luck", "three"),
    SetCloud(B2, 2, 1, 3, "smoke-1"),
    ClearCloud("smoke-1"),
    SetWind(Direction.NE, 2),
    SetOff(B2),
    ClearCharge(B2),
    AddUnit("gunman", "law", B2, "Zoë 忍者", 2, Direction.E, "prone", 100, 2, True, True),
    AddGroup((AddUnit("gunman", "law", B2), AddUnit("leader", "law", A1))),
    CopyUnit("ox", B2, 2),
    RemoveUnit("ox", ("raven",)),
    RenameUnit("ox", "Bull"),
    SetSide("ox", "law", True),
    SetHidden("ox", False),
    SetOut("ox", "surrenders"),
    SetTurn("ox"),
    SetAmmunition("ox", 3, "rifle"),
    Give("ox", "rifle"),
    TakeAway("ox", "rifle"),
    SetCharacter("ox", Character("Anna", (("skill", 63),), ("rifle",), attachments=(("scope", "rifle"),))),
    SetGround((A1, B2), MUD, "rain"),
    SetElevation((A1,), -200),
    SetEdges((EDGE,), Barrier("wall", seen_through=Direction.E)),
    SetEdges((EDGE,), None),
    Draw((SetGround((A1,), MUD), SetElevation((B2,), 100), SetEdges((EDGE,), None))),
    SetLight("dim", (A1,)),
    SetLamp(A1, 2, 5, 250),
    SetSmoke((A1, B2), 2),
    SetZone("A", (A1, B2), False),
    SetCover("ox", "raven", Fraction(3, 4), "heavy", True),
    SetCover("ox", "raven", None),
    SetPolicy("ask", "dodge", "ox", "law"),
    SetNote("Beware.", B2),
    ThrowDice("2d6+1", "morale"),
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
    given = SubmittedCommand(command, answers, 12)
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
        ("command/set-turn", {"corrects": None}),
        ("command/set-turn", {"answers": [{"dice": [1]}]}),
        ("command/set-turn", {"answers": [{"q": "x", "dice": [10**10]}]}),
        ("command/set-turn", {"more": 1}),
    ],
)
def test_what_is_no_command_is_refused(kind: str, changed: dict[str, object]) -> None:
    _, body = write_command(SubmittedCommand(SetTurn("ox")))
    with pytest.raises(ValueError):
        read_command(kind, {**body, **changed})


def test_a_command_that_nothing_would_read_again_is_refused() -> None:
    with pytest.raises(Illegal, match="Too large for a battle to hold"):
        command_rows(SubmittedCommand(SetPool("ox", "hp", 10**12)))


def test_what_was_typed_is_kept_plain() -> None:
    """As the events have it: else an export of the battle could not be imported."""
    _, body = write_command(SubmittedCommand(SetNote("Be\x1b[2Jware\n\ud800\u202e" + "x" * 5000, unit="ox")))
    text = body["fields"]["text"]
    assert text.startswith("Be[2Jware x") and is_clean(text) and len(text) <= MOST_TEXT
    assert read_command("command/set-note", json.loads(canonical(body))).command == SetNote(text, unit="ox")
