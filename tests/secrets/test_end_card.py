"""The end card of a seat has what it saw: it is the same whatever hidden and unseen units there are."""

from __future__ import annotations

import pytest

from engine.battle import command as cmd
from engine.battle.command import Command
from engine.battle.commands.order_commands import FinishBattle, FormGroup, RollInitiative, SetTurn
from engine.battle.commands.roster_commands import AddUnit, RemoveUnit, RenameUnit, SetOut
from engine.battle.commands.unit_edits import DamageUnits
from engine.generators import result_of
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.secrets.stage import Stage
from tui.application.exports.end_card import EndCard
from tui.application.exports.format_list import PLAYERS
from tui.application.exports.formats import exported
from tui.application.exports.frames import frames_of
from tui.application.exports.seat_card import seat_card

UNSEEN = (
    DamageUnits(("lurker",), 2),
    RenameUnit("lurker", "Ada 2"),
    AddUnit("gunman", "outlaws", parse_square("N2"), "Thug"),
    AddUnit("gunman", "third", parse_square("N3"), "Spy"),
    SetOut("lurker", "sleeps"),
    FormGroup(("lurker", "bo")),
    RemoveUnit("lurker"),
)
"""What the GM does with outlaws in the back room, of whom the law sees nothing."""
HIDDEN = (
    DamageUnits(("mole",), 2),
    RenameUnit("mole", "Ada 2"),
    AddUnit("gunman", "outlaws", parse_square("H4"), "Thug", is_hidden=True),
    AddUnit("gunman", "third", parse_square("G4"), "Spy", is_hidden=True),
    FormGroup(("mole", "cy")),
    SetOut("mole", "sleeps"),
)
"""What she does with units that she has hidden."""


def finished(rules: str, *secrets: Command) -> Stage:
    stage = Stage.begin(rules)
    stage.do(RollInitiative())
    if stage.battle.turns.active != "ada":
        stage.do(SetTurn("ada"))
    stage.do(cmd.Attack("ada", "bo", is_free=True))
    for command in secrets:
        stage.do(command)
    for command in (SetOut("cy", "flees"), SetOut("bo", "flees"), FinishBattle()):
        stage.do(command)
    return stage


def card_of(stage: Stage, side: str) -> EndCard:
    return seat_card("Battle", result_of(frames_of(stage.session, side)), side)


@pytest.mark.parametrize("rules", ["occult-ops", "cwn"])
def test_a_card_counts_those_who_were_seen(rules: str) -> None:
    card = card_of(finished(rules), "law")
    assert card.headline == "The law holds the field.", "though the lurker and the mole stand"
    assert [side.words for side in card.sides] == ["2 of 2 standing", "0 seen standing"]
    assert {row.name for row in card.rows}.isdisjoint({"Lurker", "Mole"}) and card.rows[0].shots == 1
    assert not any(shot.odds for shot in card.shots), "chances are numbers of others"


@pytest.mark.parametrize("secret", [*UNSEEN, *HIDDEN], ids=repr)
def test_the_card_of_the_player_view_is_the_one_of_the_report(secret: Command) -> None:
    bare, other = finished("occult-ops"), finished("occult-ops", secret)
    card = other.seat("law").card
    assert card == bare.seat("law").card and card is not None
    assert replace(card, title="Battle") == card_of(bare, "law")
    other.do("undo")
    assert other.seat("law").card is None


@pytest.mark.parametrize("rules", ["occult-ops", "cwn"])
@pytest.mark.parametrize("secret", UNSEEN, ids=repr)
def test_a_card_is_the_same_whatever_unseen_units_there_are(rules: str, secret: Command) -> None:
    assert card_of(finished(rules, secret), "law") == card_of(finished(rules), "law")


@pytest.mark.parametrize("secret", HIDDEN, ids=repr)
@pytest.mark.parametrize("side", ["law", "outlaws", PLAYERS])
def test_a_card_is_the_same_whatever_hidden_units_there_are(side: str, secret: Command) -> None:
    bare, other = finished("occult-ops"), finished("occult-ops", secret)
    assert card_of(other, side) == card_of(bare, side)
    assert exported(other.session, "html", side) == exported(bare.session, "html", side)


def test_a_card_names_nobody_who_shot_from_hiding() -> None:
    card = card_of(finished("occult-ops", cmd.Attack("mole", "ada", is_free=True)), "law")
    ada = next(row for row in card.rows if row.sign == "A")
    assert ada.shots == 1 and not any(row.name == "Mole" for row in card.rows)
    assert all(shot.attacker != "Mole" for shot in card.shots)
