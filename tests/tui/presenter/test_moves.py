"""Moves, doors and turns; numbers that are set by hand; what the cursor says."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.command import EndTurn
from engine.battle.commands.unit_edits import Place, SetAltitude, SetBudget
from engine.battle.moves.moves import movement_range, plan_path
from engine.battle.views.view import project
from engine.dice.dice_text import percent
from engine.errors import Illegal
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.focus.square_text import path_words
from tui.application.library.battle_files import open_battle
from tui.application.presenter.move_mode import lift
from tui.application.presenter.what_now import what_now


def test_a_move_takes_two_keys_and_the_way(talk: Conversation) -> None:
    start = talk.unit("todd").at
    talk.do("move")
    assert talk.presenter.overlay.tints[start] == "reach-1"
    talk.step(0, -2)
    talk.do("move")
    assert talk.unit("todd").at.row == start.row - 2
    assert "moves" in talk.said


def test_a_run_is_chosen_by_name_and_goes_further(talk: Conversation) -> None:
    start = talk.unit("todd").at
    talk.choose("act", "run")
    talk.step(0, -7)
    talk.do("move")
    todd = talk.unit("todd")
    assert (todd.at.row, todd.pools["fatigue"]) == (start.row - 7, 9)


def test_a_square_out_of_reach_is_refused_with_a_sentence(talk: Conversation) -> None:
    before = talk.battle.encode()
    talk.do("move")
    talk.step(20)
    assert talk.said.startswith("Out of reach.")
    talk.do("move")
    assert "cannot reach" in talk.said
    assert talk.battle.encode() == before


def test_a_square_on_which_something_stands_is_refused_with_its_name(talk: Conversation) -> None:
    field, todd = talk.battle.field, talk.unit("todd")
    closed = [square for square in field.squares() if field.ground_at(square).object]
    closed = [square for square in closed if field.ground_at(square).blocks_movement]
    goal = min(closed, key=lambda one: abs(one.column - todd.at.column) + abs(one.row - todd.at.row))
    talk.do("move")
    talk.point(goal.name)
    talk.do("move")
    assert f" {field.ground_at(goal).object} stands on {goal.name}." in talk.said
    with pytest.raises(Illegal, match=f"{goal.name} is out of reach: an? .* stands on {goal.name}"):
        plan_path(talk.battle, talk.presenter.session.rules, todd, [goal], "run")


def test_a_door_opens_from_beside_it(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse"))
    edge = next(edge for edge, barrier in talk.battle.field.barriers.items() if barrier.state == "closed")
    talk.point(edge.squares[1].name)
    talk.do("door")
    if talk.display.menu:
        talk.display.choose(talk.display.menu.choices[0].id)
    assert any(barrier.state == "open" for barrier in talk.battle.field.barriers.values())
    assert "is open" in talk.said


def test_without_a_door_beside_the_cursor_the_one_beside_the_unit_opens(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse"))
    talk.line("place raven E8")
    talk.point("T3")
    talk.do("door")
    assert "is open" in talk.said
    talk.line("place raven K6")
    talk.point("T3")
    talk.do("door")
    assert talk.said.startswith("No door beside T3")


def test_the_turn_ends_and_the_next_unit_is_in_focus(talk: Conversation) -> None:
    talk.do("end_turn")
    turns = talk.battle.turns
    assert turns.active == turns.order[1] == talk.presenter.focus.unit


def test_the_way_says_what_it_draws(talk: Conversation) -> None:
    talk.presenter.submit(Place("bandit", parse_square("O10")))
    talk.do("move")
    talk.step(-2)
    assert "Bandit" in talk.said and "leaves" in talk.said
    assert "after the move" not in talk.said


def test_the_way_says_what_the_shot_would_be_from_there(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("move")
    talk.step(2)
    promised = talk.said.partition("Bandit after the move: ")[2].rstrip(".")
    talk.do("move")
    assert isinstance(talk.presenter.shot, AttackPreview)
    assert percent(talk.presenter.shot.odds.hit) == promised


def test_a_flyer_s_way_says_how_high_it_ends_above_the_ground(tmp_path: Path) -> None:
    session = session_for(tmp_path, "rooftops")
    flyer = next(unit for unit in session.battle.units.values() if unit.can_fly)
    while session.battle.turns.active != flyer.id:
        session.submit(EndTurn())
    talk, field = Conversation(session), session.battle.field
    reach = movement_range(session.battle, session.rules, flyer, "")
    goal = next(
        square
        for square, _ in sorted(reach.reaches[0].costs.items())
        if field.elevation_at(square) != field.elevation_at(flyer.at)
    )
    focus = replace(talk.presenter.focus, unit=flyer.id, cursor=goal)
    said = path_words(reach, reach.path(goal), focus, session.battle, session.rules)
    rise = field.elevation_at(goal) - field.elevation_at(flyer.at)
    assert f", {(flyer.altitude - rise) / 100:g} m up: " in said


def test_a_flyer_below_a_roof_is_told_to_climb(tmp_path: Path) -> None:
    session = session_for(tmp_path, "rooftops")
    session.submit(SetAltitude("kite", 900))
    while session.battle.turns.active != "kite":
        session.submit(EndTurn())
    talk = Conversation(session)
    talk.do("move")
    talk.point("N4")
    talk.do("move")
    assert talk.said == "Kite cannot reach N4: the ground at N4 lies 4 m above its flight (> plans a climb)."
    for _ in range(2):
        lift(talk.presenter, 1)
    talk.point("N4")
    talk.do("move")
    assert (talk.unit("kite").at.name, talk.unit("kite").altitude) == ("N4", 0)


def test_the_cursor_says_what_it_is_on(talk: Conversation) -> None:
    talk.point("Q10")
    assert talk.said.startswith("Q10: dirt, cart 3 ft high, medium material.")
    assert "15 ft from Todd" in talk.said


def test_damage_and_numbers_are_set_by_hand(talk: Conversation) -> None:
    talk.do("target", 1)
    for text, pool, value in (("-5", "hp", 15), ("armour 12", "armour", 12), ("+5", "hp", 20)):
        talk.do("damage")
        talk.answer(text)
        assert talk.unit("bandit").pools[pool] == value


def test_out_by_hand_says_who_took_the_unit_out(talk: Conversation) -> None:
    talk.do("damage")
    talk.answer("out")
    assert talk.said.startswith("GM: Todd: taken out. Todd is out of the fight.")


def test_postures_conditions_place_in_the_order_and_altitude_are_set_by_hand(talk: Conversation) -> None:
    talk.do("target", 1)
    for text in ("prone", "intimidated 2", "initiative 30", "altitude 20"):
        talk.do("damage")
        talk.answer(text)
    bandit = talk.unit("bandit")
    assert (bandit.posture, bandit.timers, bandit.altitude) == ("prone", {"intimidated": 2}, 2000)
    assert talk.battle.turns.order[0] == "bandit"


def test_a_battle_closed_and_opened_again_is_where_it_was(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("")
    talk.do("move")
    talk.step(0, -1)
    talk.do("move")
    talk.do("end_turn")
    state, path = talk.battle.encode(), talk.presenter.session.journal.path
    talk.presenter.session.close()
    again = Conversation(open_battle(path))
    assert again.battle.encode() == state
    again.do("undo")
    assert again.battle.turns.active == "todd"


def test_notes_are_listed_one_below_the_other(talk: Conversation) -> None:
    for line in ("note rain", "note bandit has the key", "notes"):
        talk.line(line)
    assert talk.display.rows == ["note-1, the battle: rain", "note-2, Bandit: has the key"]


def test_who_has_no_move_is_told_the_reason_and_no_square_is_asked_for(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    talk.line("now raven")
    talk.presenter.submit(SetBudget("raven", "action", 0))
    talk.do("move")
    assert talk.said == "Raven cannot move: its combat action is spent; a move must be declared first."
    assert not talk.presenter.is_move_planned and talk.presenter.focus.overlay == "plain"
    assert hint(talk).startswith("e ends the turn")


def test_while_the_cursor_is_out_of_reach_the_hint_asks_for_a_square_in_reach(talk: Conversation) -> None:
    talk.do("move")
    assert hint(talk) == "Put the cursor on a square: m moves there, Esc cancels."
    talk.step(0, -2)
    assert hint(talk) == "m moves to the cursor, Esc cancels."
    talk.step(20)
    assert talk.said.startswith("Out of reach.")
    assert hint(talk) == "Put the cursor on a square in reach: m moves there, Esc cancels."
    talk.do("move")
    assert "cannot reach" in talk.said
    assert hint(talk) == "Put the cursor on a square in reach: m moves there, Esc cancels."


def hint(talk: Conversation) -> str:
    """The row below the verdict."""
    return what_now(talk.presenter, project(talk.battle, talk.presenter.session.rules), "")


def test_the_cursor_goes_with_the_unit_that_a_command_moves(talk: Conversation) -> None:
    todd, bandit = talk.unit("todd"), talk.unit("bandit")
    assert talk.presenter.focus.cursor == todd.at
    talk.line("place todd C4")
    assert talk.presenter.focus.cursor == talk.unit("todd").at == parse_square("C4")
    talk.line("place bandit C12")
    assert talk.presenter.focus.cursor == parse_square("C4"), "somebody else"
    talk.presenter.go_to(bandit.at)
    talk.line("place todd D4")
    assert talk.unit("todd").at == parse_square("D4")
    assert talk.presenter.focus.cursor == bandit.at, "the cursor was elsewhere"
