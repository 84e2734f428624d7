"""The conversation with the Game Master, played without a screen."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from engine.battle.commands.order_commands import FinishBattle
from engine.battle.views.view import project
from engine.geometry.squares import Square
from engine.journal.session import Beginning
from maps import shipped_maps
from tests.tui.play import put_characters, session_for
from tests.tui.presenter.table import Conversation
from tui.application.library.battle_files import DEMO_SEED, begin_battle, open_battle, read_scenario
from tui.application.presenter.what_now import key_state
from tui.view.panels.unit_panel import unit_text
from tui.view.screens.title_bar import battle_title, state_of


def test_an_attack_asks_for_its_dice_and_undo_takes_it_back(talk: Conversation) -> None:
    talk.do("target", 1)
    assert talk.presenter.focus.target
    talk.do("fire")
    assert talk.display.keys[0] == ("Enter", "roll all") and talk.display.prompt.startswith("to hit ")
    before = talk.presenter.session.battle
    talk.display.answer("")
    assert talk.presenter.session.battle is not before
    talk.do("undo")
    assert talk.presenter.session.battle == before


def test_esc_at_the_dice_says_that_the_attack_is_cancelled(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("fire")
    before = talk.presenter.session.battle
    talk.display.cancel()
    assert "is cancelled" in talk.said and talk.presenter.session.battle is before


def test_a_move_is_shown_first_and_made_by_the_same_key(talk: Conversation) -> None:
    unit = talk.presenter.session.battle.units[talk.presenter.focus.unit]
    talk.do("move")
    assert talk.presenter.focus.overlay == "reach" and talk.presenter.is_move_planned
    there = next(at for at in talk.presenter.overlay.tints if at != unit.at)
    talk.display.cursor = there
    talk.do("move")
    assert talk.presenter.session.battle.units[unit.id].at != unit.at


def test_the_cursor_moves_before_what_is_seen_from_it_which_follows_to_the_last_square(talk: Conversation) -> None:
    talk.presenter.show_overlay("here")
    before, start = talk.presenter.overlay, talk.presenter.focus.cursor
    assert f"on {start.name} sees" in talk.said
    talk.step(1)
    talk.step(1)
    assert talk.presenter.focus.cursor == Square(start.column + 2, start.row)
    assert talk.presenter.overlay is before
    talk.display.paint()
    after = talk.presenter.overlay
    assert f"on {talk.presenter.focus.cursor.name} sees" in talk.said and after.tints != before.tints
    talk.display.paint()
    assert talk.presenter.overlay is after
    talk.step(1)
    talk.presenter.cancel()
    talk.display.paint()
    assert not talk.presenter.overlay.tints and "sees" not in talk.said


def test_a_line_that_is_refused_says_why(talk: Conversation) -> None:
    talk.do("line")
    assert talk.display.question == ":"
    talk.display.answer("move nobody A1")
    assert "nobody" in talk.said


def test_without_a_target_firing_says_what_to_do(talk: Conversation) -> None:
    talk.do("fire")
    assert talk.said.startswith("Choose a target first")


def test_a_branch_is_compared_and_dropped(talk: Conversation) -> None:
    real = talk.presenter.session
    talk.do("what_if")
    talk.do("end_turn")
    assert talk.presenter.session is not real
    talk.do("what_if")
    talk.display.choose("drop")
    assert talk.presenter.session is real


@pytest.mark.parametrize("action", ["target", "fire", "act", "end_turn", "interrupt"])
def test_before_initiative_every_key_of_the_fight_says_the_same(tmp_path: Path, action: str) -> None:
    scenario = read_scenario(shipped_maps()["frontier-trail"], "occult-ops")
    talk = Conversation(begin_battle(scenario, DEMO_SEED, tmp_path, Beginning()))
    talk.do(action, *([1] if action == "target" else []))
    assert talk.said == "Nobody has a turn yet: i rolls initiative."


def test_a_finished_battle_says_how_it_is_reopened(talk: Conversation) -> None:
    talk.presenter.submit(FinishBattle())
    for action in ("fire", "act", "damage", "put"):
        talk.do(action)
        assert talk.said == "The battle is finished: U reopens it.", action
    talk.do("undo")
    assert not talk.battle.is_finished and "files" not in talk.said


def test_undoing_the_finish_says_that_written_files_stay(tmp_path: Path) -> None:
    put_characters(tmp_path, anna='ruleset = "occult-ops"\nname = "Anna"\nweapons = ["usp9"]\n')
    talk = Conversation(session_for(tmp_path))
    talk.line("add anna law D4")
    talk.presenter.submit(FinishBattle())
    talk.do("undo")
    assert "Character files that were written keep what was carried over." in talk.said


def test_initiative_in_a_battle_says_before_the_dice_that_it_rolls_the_turn_order_anew(talk: Conversation) -> None:
    before = talk.battle
    talk.line("initiative")
    assert talk.said == "Rolls the turn order anew and begins with its first unit." and talk.battle is before


def test_a_battle_open_read_only_says_so_at_once(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        path = session.journal.path
    talk = Conversation(open_battle(path, read_only=True))
    talk.do("target", 1)
    assert talk.presenter.focus.target
    for action in ("fire", "damage", "undo"):
        talk.do(action)
        assert talk.said == "The battle is open read-only: nothing can be changed.", action


def test_a_finished_battle_open_read_only_offers_no_key_that_reopens_it(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        session.submit(FinishBattle())
        assert key_state(session, state_of(session)) == "finished"
        path = session.journal.path
    with closing(open_battle(path, read_only=True)) as session:
        assert key_state(session, state_of(session)) == "read-only"
        assert key_state(session, "replay") == "replay"


@pytest.mark.parametrize("key", ["line", "damage", "adjust", "smoke", "throw", "note", "cover"])
def test_an_empty_answer_says_that_nothing_was_typed(talk: Conversation, key: str) -> None:
    talk.do("target", 1)
    before = talk.battle
    talk.do(key)
    assert talk.asked
    talk.answer("")
    assert talk.said == "Nothing was typed: nothing has changed." and not talk.asked and talk.battle is before


def test_undo_says_what_was_undone_where_the_battle_stands_and_how_much_is_left(talk: Conversation) -> None:
    first = talk.unit(talk.battle.turns.active).name
    for _ in range(5):
        talk.do("end_turn")
        talk.roll_the_rest()
    for left in (4, 3, 2, 1):
        talk.do("undo")
        where = f"· R redoes {5 - left} · U undoes {left} more"
        assert talk.said.startswith("Undone: ") and talk.said.endswith(f" turn. {where}")
    talk.do("undo")
    assert talk.said.endswith(" turn. · R redoes 5") and talk.unit(talk.battle.turns.active).name == first
    talk.do("undo")
    assert talk.said == "Nothing to undo: this is the start of the battle."
    talk.line("redo 5")
    assert talk.said.startswith("Redone: ") and talk.said.count("·") == 1
    assert talk.said.endswith("· U undoes 5 more")
    talk.line("undo 2")
    assert talk.said.startswith("2 commands, latest first. Undone: ")


def test_a_unit_that_drops_in_its_own_turn_has_nothing_left_and_the_turn_is_ended_by_its_key(
    talk: Conversation,
) -> None:
    acting = talk.presenter.session.battle.turns.active
    name = talk.unit(acting).name
    talk.line(f"kill {acting}")
    assert talk.said.endswith(f"It is still {name}'s turn: e ends it.")
    talk.line("who")
    whose = f"Round 1, {name}'s turn: out of the fight, “end” ends the turn."
    assert whose in "\n".join((talk.said, *talk.display.rows))
    view = project(talk.battle, talk.presenter.session.rules)
    title = battle_title(view, talk.battle, talk.presenter.session.rules, "", 100).plain
    assert "out of the fight" in title and "attack action" not in title
    assert re.search("remaining +nothing", unit_text(view.unit(acting), "ft", 40, 30).plain)
