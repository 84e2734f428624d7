"""Reactions: the question comes up, is put off, answered, and what was stopped goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.command import Act, EndTurn
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.roster_commands import RenameUnit
from engine.battle.commands.unit_edits import Place, SetCondition
from engine.battle.events import AttackRolled
from engine.battle.state.gm_overrides import AUTO
from engine.battle.views.view import project
from engine.dice.dice_text import percent
from engine.geometry.squares import Square, parse_square
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.focus.focus import Focus
from tui.application.keys.bindings import REACTION_KEYS, REPEAT
from tui.application.presenter.focus_actions import choose_square
from tui.application.presenter.what_now import what_now


def walk_into_view(talk: Conversation) -> None:
    """Todd is on overwatch, and Bandit moves two squares in his view."""
    talk.presenter.session.submit(SetCondition("todd", "planning_sight", True))
    talk.presenter.submit(SetTurn("bandit"))
    talk.do("move")
    talk.step(2)
    talk.do("move")


@pytest.fixture
def seen(talk: Conversation) -> Conversation:
    walk_into_view(talk)
    return talk


def is_asked(talk: Conversation) -> bool:
    """Whether it is asked if Todd reacts."""
    return talk.display.takes_a_key and talk.display.is_asking and "Todd" in talk.asked and "Bandit" in talk.asked


def attacks(talk: Conversation) -> list[tuple[str, str]]:
    return [(event.unit, event.target) for event in talk.every(AttackRolled)]


def place(talk: Conversation) -> str:
    return talk.unit("bandit").at.name


def test_what_is_put_off_is_asked_again_by_whatever_would_continue(seen: Conversation) -> None:
    before = place(seen)
    for how, goes_on in {
        "its key": lambda: seen.do("move"),
        "its square": lambda: choose_square(seen.presenter, seen.presenter.focus.cursor),
        "the end of the turn": lambda: seen.do("end_turn"),
        "the end in words": lambda: seen.line("end"),
        "a move in words": lambda: seen.line("move T10"),
    }.items():
        seen.display.cancel()
        assert not seen.asked and "may still attack Bandit" in seen.said
        goes_on()
        assert is_asked(seen), how
    assert place(seen) == before and seen.battle.turns.active == "bandit"
    seen.display.cancel()
    seen.do("interrupt")
    seen.roll_the_rest()
    assert attacks(seen) == [("todd", "bandit")]


@pytest.fixture
def contested(tmp_path: Path) -> Conversation:
    """Evangelion: Watchman is on overwatch for moves, and it is Ox's turn."""
    talk = Conversation(session_for(tmp_path, "warehouse", "eva"))
    talk.presenter.submit(SetTurn("watchman"))
    talk.presenter.submit(Act("watchman", "overwatch", attack="standard"))
    talk.presenter.submit(SetTurn("ox"))
    return talk


def test_the_dice_of_a_contest_are_asked_and_say_whose_they_are(contested: Conversation) -> None:
    before = contested.unit("ox").at
    contested.do("move")
    contested.step(1)
    contested.do("move")
    assert contested.asked.startswith("Agility of Watchman, overwatch, 35 or less, 1d100.")
    contested.answer("20")
    assert contested.asked.startswith("Agility of Ox, overwatch, 30 or less, 1d100.")
    contested.display.cancel()
    assert contested.said.startswith("Ox's move is cancelled") and contested.unit("ox").at == before
    contested.line(f"move ox {Square(before.column + 1, before.row).name}")
    contested.answer("20", "99")
    assert "Watchman" in contested.asked and "fire" in contested.asked
    contested.answer("pass")
    assert contested.unit("ox").at.column == before.column + 1


def test_the_dice_of_a_contest_are_asked_before_an_attack_too(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "eva"))
    talk.presenter.submit(SetTurn("watchman"))
    talk.presenter.submit(Act("watchman", "overwatch-attacks", attack="standard"))
    talk.presenter.submit(SetTurn("raven"))
    talk.do("target", 1)
    talk.do("fire")
    assert talk.asked.startswith("Agility of Watchman, overwatch, ")
    talk.answer("20", "99")
    assert talk.display.takes_a_key and "Watchman may fire at Raven" in talk.asked


def test_enter_and_the_move_key_repeat_the_question(seen: Conversation) -> None:
    before, question = place(seen), seen.asked
    assert {binding.key for binding in REACTION_KEYS if REPEAT in binding.action} == {"m", "enter"}
    for _ in range(3):
        seen.answer(REPEAT)
        assert is_asked(seen) and seen.asked == question and place(seen) == before
        assert seen.said == f"{question}  Esc look around first"
        assert "x fire  n let pass  A always fire" in question
    seen.answer("fire")
    seen.roll_the_rest()
    assert attacks(seen) == [("todd", "bandit")]


@pytest.mark.parametrize("target", ["", "todd"], ids=["no target in focus", "another target in focus"])
def test_a_typed_attack_that_waited_for_the_answer_is_the_attack_that_was_typed(
    seen: Conversation, target: str
) -> None:
    seen.display.cancel()
    if target:
        seen.do("target", 1)
    assert seen.presenter.focus.target == target
    seen.line("shoot bandit tracker")
    assert is_asked(seen)
    seen.answer("pass")
    assert seen.said.startswith("Tracker, ") and "1d100" in seen.asked
    seen.roll_the_rest()
    assert attacks(seen) == [("bandit", "tracker")]


def test_an_attack_by_its_key_asks_first_and_is_then_made(seen: Conversation) -> None:
    seen.display.cancel()
    seen.do("target", 1)
    seen.do("fire")
    assert is_asked(seen) and attacks(seen) == []
    seen.answer("pass")
    assert seen.said.startswith("Todd, ") and "1d100" in seen.asked
    seen.roll_the_rest()
    assert attacks(seen) == [("bandit", "todd")]


@pytest.mark.parametrize("line", ["", "end"], ids=["key", "line"])
def test_the_end_of_the_turn_replaces_the_move_that_was_stopped(seen: Conversation, line: str) -> None:
    before = place(seen)
    seen.display.cancel()
    seen.line(line) if line else seen.do("end_turn")
    seen.answer("pass")
    assert place(seen) == before and seen.battle.turns.active != "bandit" and not seen.asked


def test_another_goal_replaces_the_one_of_the_move_that_was_stopped(seen: Conversation) -> None:
    seen.display.cancel()
    seen.step(-3)
    seen.do("move")
    assert "cannot reach Q10" in seen.said and not seen.asked
    seen.step(1)
    seen.do("move")
    assert is_asked(seen) and seen.presenter.focus.cursor.name == "R10"
    seen.answer("pass")
    assert place(seen) == "R10"


def test_a_move_that_is_only_drawn_asks_nothing(seen: Conversation) -> None:
    before = place(seen)
    seen.display.cancel()
    assert "asks again" in seen.said
    seen.presenter.cancel()
    seen.do("move")
    assert not seen.asked and seen.presenter.focus.overlay == "reach"
    seen.step(1)
    seen.do("move")
    assert is_asked(seen) and place(seen) == before


def test_the_one_who_reacts_fires_and_the_move_continues_with_its_key(seen: Conversation) -> None:
    before = place(seen)
    seen.answer("fire", "20")
    seen.roll_the_rest()
    assert attacks(seen) == [("todd", "bandit")]
    assert (seen.presenter.focus.unit, seen.presenter.focus.overlay) == ("bandit", "reach")
    seen.do("move")
    assert place(seen) != before


def test_always_fires_now_and_asks_no_more(seen: Conversation) -> None:
    seen.answer("always", "20")
    seen.roll_the_rest()
    assert attacks(seen) == [("todd", "bandit")]
    assert {(policy.how, policy.unit) for policy in seen.battle.gm.policies} == {(AUTO, "todd")}


def test_the_question_fits_80_columns_whatever_the_units_are_called(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path), width=80)
    talk.presenter.session.submit(RenameUnit("todd", "Sergeant First Class Theodore"))
    talk.presenter.session.submit(RenameUnit("bandit", "Bandit with the very long rifle"))
    walk_into_view(talk)
    assert len(talk.asked) < 80
    assert "Serge" in talk.asked and "Bandi" in talk.asked and " %)." in talk.asked


@pytest.mark.parametrize("how", ["another unit", "another overlay", "its key, then another", "an event", "undo"])
def test_a_move_is_made_only_where_its_own_key_has_drawn_it(talk: Conversation, how: str) -> None:
    """The overlay may be there, but it is another unit's, an older one, or was not called up to move."""
    presenter = talk.presenter
    if how == "another overlay":
        presenter.focus = Focus(unit="todd", cursor=talk.unit("todd").at)
        presenter.show_overlay("reach")
    else:
        talk.do("move")
    if how == "its key, then another":
        presenter.cancel()
        talk.do("overlay")
        talk.display.choose("reach")
    elif how == "another unit":
        presenter.session.submit(SetTurn("bandit"))
        presenter.look_at(presenter.focus.on_unit("bandit"))
    elif how == "an event":
        presenter.session.submit(SetCondition("lookout", "planning_sight", True))
    elif how == "undo":
        presenter.session.submit(EndTurn())
        talk.do("undo")
        presenter.show_overlay("reach")
    unit = presenter.focus.unit
    start = talk.unit(unit).at
    talk.step(1)
    talk.do("move")
    assert talk.unit(unit).at == start
    assert presenter.focus.overlay == "reach" and presenter.focus.cursor == start
    talk.step(1)
    talk.do("move")
    assert talk.unit(unit).at != start


def test_a_move_stops_for_a_reaction_and_continues_with_the_same_key(talk: Conversation) -> None:
    talk.presenter.submit(Place("bandit", parse_square("O10")))
    talk.do("move")
    talk.step(-2)
    talk.do("move")
    todd = talk.unit("todd")
    assert todd.at == todd.turn.start
    assert "as Todd leaves its reach at N10" in talk.said
    assert "Bandit" in talk.asked
    talk.answer("fire")
    assert talk.asked.startswith("Bandit → Todd:")
    talk.answer("80")
    talk.roll_the_rest()
    focus = talk.presenter.focus
    assert (focus.unit, focus.overlay, talk.battle.openings) == ("todd", "reach", ())
    talk.do("undo")
    talk.do("interrupt")
    talk.display.cancel()
    talk.presenter.cancel()  # not made, but not let pass either
    assert (talk.presenter.focus.unit, talk.presenter.reactions.interrupted) == ("todd", None)
    talk.do("move")
    assert talk.display.takes_a_key and talk.unit("todd").at == parse_square("N10")
    talk.answer("pass")
    assert talk.unit("todd").at == parse_square("L10")


def test_what_was_begun_in_words_continues_with_the_same_keys(talk: Conversation) -> None:
    talk.presenter.submit(Place("bandit", parse_square("O10")))
    talk.line("move L10")
    assert talk.display.takes_a_key
    talk.answer("fire", "80")
    talk.roll_the_rest()
    talk.do("move")
    assert talk.unit("todd").at == parse_square("L10")
    talk.presenter.submit(Place("bandit", parse_square("M10")))
    talk.line("shoot lookout")
    assert talk.display.takes_a_key
    talk.answer("fire", "80")
    talk.roll_the_rest()
    talk.do("fire")
    assert talk.asked.startswith("Todd → Lookout:")


@pytest.mark.parametrize("act", ["lie-down", "move"])
def test_volt_18_one_who_waits_takes_any_action_before_the_stopped_one(tmp_path: Path, act: str) -> None:
    """VOLT-18: the question names the key of an act, and the stopped attack goes on after it."""
    talk = Conversation(session_for(tmp_path, ruleset="volt"))
    talk.line("give marshal knife")
    talk.line("now marshal")
    talk.line("take marshal knife free")
    talk.line("place marshal N9")
    talk.line("act poise")
    talk.presenter.submit(SetTurn("bandit"))
    talk.line("shoot bandit todd")
    assert talk.asked == "Interrupt: Marshal may act before Bandit.  a act  n let pass"
    talk.display.answer("act")
    assert "Marshal may take any action now: a opens its actions" in talk.said
    talk.choose("act", act)
    if act == "move":
        talk.step(-2)
        talk.do("move")
    assert (talk.unit("marshal").posture == "prone") == (act == "lie-down")
    assert ("marshal" in [way.unit for way in talk.battle.turns.declared]) == (act == "move")
    assert talk.presenter.focus.unit == "bandit" and "f makes the attack." in talk.said
    assert not talk.presenter.unanswered
    talk.do("fire")
    assert talk.asked.startswith("Bandit → Todd")


def test_only_what_the_ruleset_lets_any_action_answer_has_its_key(seen: Conversation) -> None:
    question = seen.asked
    assert "  a act" not in question
    seen.display.answer("act")
    assert seen.asked == question


def test_the_shot_panel_shows_the_reaction_while_it_is_asked(seen: Conversation) -> None:
    def shown() -> tuple[str, str]:
        shot = seen.presenter.attack
        assert isinstance(shot, AttackPreview)
        return shot.situation.attacker.id, shot.situation.target.id

    assert shown() == ("todd", "bandit") and f"({percent(seen.presenter.shot.odds.hit)})" in seen.asked
    seen.answer(REPEAT)
    assert shown() == ("todd", "bandit")
    seen.display.cancel()
    assert seen.presenter.focus.unit == "bandit" and not seen.presenter.focus.target
    seen.do("end_turn")
    assert shown() == ("todd", "bandit")
    seen.answer("pass")
    assert seen.presenter.focus.unit == seen.battle.turns.active != "bandit"


def test_the_quiet_row_names_what_is_open_and_the_end_of_the_turn_what_is_lost(seen: Conversation) -> None:
    def hint() -> str:
        return what_now(seen.presenter, project(seen.battle, seen.presenter.session.rules), "")

    assert hint() == "r shows the whole shot, Esc looks around first."
    seen.display.cancel()
    assert hint() == "Todd may still attack out of turn: x attacks."
    seen.do("interrupt")
    assert "1d100" in seen.asked and hint() == "", "a roll is asked for, and x would be typed into it"
    seen.display.cancel()
    seen.do("damage")
    assert hint() == ""
    seen.answer("")
    seen.do("end_turn")
    assert is_asked(seen) and seen.said == "The answer ends Bandit's turn, without its next squares."
    seen.answer("pass")
    assert "ends the turn" in hint()
