"""The set-up phase: nobody has a turn, everything may be placed, and initiative ends it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine.battle.command import Attack, EndTurn, Move
from engine.battle.commands.note_commands import SetNote
from engine.battle.commands.order_commands import RollInitiative, SetTurn
from engine.battle.commands.roster_commands import AddUnit, SetHidden
from engine.battle.commands.unit_actions import Ready
from engine.battle.commands.unit_edits import Place
from engine.battle.events import BattleBegan
from engine.battle.views.fog_of_war import NOTHING_SEEN, curtain
from engine.battle.views.known_battle import is_hidden_turn
from engine.battle.views.view import project
from engine.errors import Illegal
from engine.geometry.squares import Square, parse_square
from engine.journal.session import Beginning, Session
from tests.seats import follow
from tui.application.library.battle_files import begin_battle, open_battle, read_scenario

NOBODY = "Nobody has a turn yet: “begin” rolls initiative."


@pytest.fixture
def session(tmp_path: Path) -> Session:
    scenario = read_scenario("warehouse", "occult-ops")
    return begin_battle(scenario, "7", tmp_path, Beginning((SetNote("the safe", Square(3, 3)),), "lantern", "ambush"))


def test_it_begins_without_an_order_and_with_what_was_asked(session: Session) -> None:
    battle = session.battle
    assert battle.is_set_up and not battle.turns.active and not battle.turns.order
    assert [note.text for note in battle.gm.notes] == ["the safe"] and battle.party == "lantern"
    began = session.history.steps()[0].events[0]
    assert isinstance(began, BattleBegan) and began.encounter == "ambush"
    with pytest.raises(Illegal):
        session.undo()
    session.close()


def test_moves_are_unlimited_draw_nothing_and_can_be_undone(session: Session) -> None:
    before = session.battle.unit("raven").at
    events = session.submit(Place("raven", parse_square("A15")))
    assert len(events) == 1 and not session.battle.openings
    session.undo()
    assert session.battle.unit("raven").at == before
    session.close()


@pytest.mark.parametrize(
    "command",
    [EndTurn(), Attack("raven", "watchman"), SetTurn("raven"), Move("raven", (Square(7, 5), Square(7, 6)))],
    ids=lambda command: type(command).__name__,
)
def test_what_takes_a_turn_is_refused_with_one_sentence(session: Session, command: EndTurn) -> None:
    with pytest.raises(Illegal) as refused:
        session.submit(command)
    assert str(refused.value) == NOBODY
    session.close()


def test_weapons_are_taken_for_free(session: Session) -> None:
    unit = next(unit for unit in session.battle.units.values() if len(unit.gear.weapons) > 1)
    session.submit(Ready(unit.id, unit.gear.weapons[1]))
    assert session.battle.unit(unit.id).gear.weapon == unit.gear.weapons[1]
    session.close()


def test_initiative_ends_it_and_the_file_opens_again(session: Session) -> None:
    session.submit(AddUnit("gunman", "crew", Square(0, 0), count=2, zone="A"))
    session.submit(SetHidden("watchman"))
    session.submit(RollInitiative())
    battle, path = session.battle, session.journal.path
    assert (battle.turns.round, len(battle.turns.order)) == (1, len(battle.units)) and battle.turns.active
    session.close()
    with closing(open_battle(path)) as again:
        assert again.battle.encode() == battle.encode()


def test_players_see_a_curtain_until_round_one(session: Session) -> None:
    moments = [session.battle]
    for command in (Place("raven", parse_square("A15")), SetHidden("watchman")):
        session.submit(command)
        moments.append(session.battle)
    view, memory = follow(moments, session.rules, "crew")
    assert view == curtain(session.battle, session.rules) and view.is_curtain and memory == NOTHING_SEEN
    assert (view.units, view.notes, view.order, view.field.name) == ((), (), (), session.battle.field.name)
    assert {ground.glyph for ground in view.field.legend} == {" "} and not view.field.zones
    session.submit(RollInitiative())
    view, _ = follow([*moments, session.battle], session.rules, "crew")
    assert not view.is_curtain and {unit.side for unit in view.units} >= {"crew"}
    assert not project(session.battle, session.rules).is_curtain
    session.undo()
    assert follow([*moments, session.battle], session.rules, "crew")[0].is_curtain
    session.close()


def test_the_curtain_lifts_with_the_first_turn_of_a_unit_that_is_not_hidden(session: Session) -> None:
    set_up = session.battle
    for unit in [unit for unit in set_up.units.values() if unit.side != "crew"]:
        session.submit(SetHidden(unit.id))
    session.submit(RollInitiative())
    while session.battle.turns.active in [unit.id for unit in session.battle.units.values() if unit.side == "crew"]:
        session.undo()
        session.submit(Place("raven", Square(0, len(session.history.steps()) % 15)))
        session.submit(RollInitiative())
    moments = [set_up, session.battle]
    assert follow(moments, session.rules, "crew")[0].is_curtain  # else it would tell that somebody hidden is the first
    while is_hidden_turn(session.battle):
        session.submit(EndTurn())
        moments.append(session.battle)
    view, _ = follow(moments, session.rules, "crew")
    assert not view.is_curtain and view.units and view.round == 1
    session.close()
