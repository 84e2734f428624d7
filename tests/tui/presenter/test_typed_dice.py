"""Dice that the table throws: words ask for them as keys do, and so does a roll that is corrected."""

from __future__ import annotations

import re
from pathlib import Path

from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.events import AttackRolled, DiceThrown, EffectRolled, RollCorrected
from engine.battle.state.gm_overrides import AUTO
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation


def totals(talk: Conversation) -> list[tuple[str, int]]:
    return [(one.unit, one.roll.total) for one in talk.last(AttackRolled)]


def test_an_attack_in_words_asks_for_its_dice(talk: Conversation) -> None:
    talk.line("shoot bandit")
    assert talk.asked.startswith("Todd attacks Bandit, 1d100")
    talk.answer("80")
    (attack,) = talk.last(AttackRolled)
    assert attack.roll.total == 80 and attack.roll.is_typed


def test_while_dice_are_asked_for_the_attack_is_reported_and_not_the_cursor_s_square(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "rooftops", "aog"))
    for line in ("give fox frag-grenade", "ready fox frag-grenade free", "place fox D10"):
        talk.line(line)
    talk.point("AA15")
    assert talk.said.startswith("AA15, ") and "no attack" in talk.said
    talk.line("shoot fox E11 with frag-grenade free")
    assert talk.asked.startswith("Fox attacks E11, 1d100")
    assert talk.said.startswith("E11, ") and "AA15" not in talk.said and "no attack" not in talk.said


def test_a_roll_that_is_corrected_asks_for_the_dice_that_follow_from_it(talk: Conversation) -> None:
    talk.line("shoot bandit dice 80")
    talk.line("correct 5")
    assert talk.asked.startswith("Extra die, 1d6")
    talk.answer("4")
    assert totals(talk) == [("todd", 5)]
    assert [(one.before, one.after) for one in talk.last(RollCorrected)] == [((80,), (5,))]
    assert [one.roll.dice for one in talk.last(EffectRolled)][:1] == [(4,)]


def test_a_correction_that_is_left_at_a_question_changes_nothing(talk: Conversation) -> None:
    talk.line("shoot bandit dice 80")
    before = talk.battle
    talk.line("correct 5")
    talk.display.cancel()
    assert talk.battle is before and "cancelled" in talk.said


def test_menu_question_and_log_show_the_rolls_of_the_attack_and_not_of_the_automatic_one(talk: Conversation) -> None:
    for unit in ("todd", "bandit"):
        talk.presenter.submit(SetPool(unit, "hp", 500))
    talk.presenter.submit(Place("bandit", parse_square("O10")))
    talk.presenter.submit(SetPolicy(AUTO))
    talk.line("shoot bandit dice 70")
    talk.roll_the_rest()
    (first, drawn), (own, was) = totals(talk)
    assert (first, own, was) == ("bandit", "todd", 70)
    talk.do("table")
    line = talk.display.line("correct")
    assert "70" in line.note and str(drawn) not in line.note and not line.reason
    talk.display.choose("correct")
    assert "70 (Todd attacks Bandit)" in talk.display.prompt and str(drawn) not in talk.display.prompt
    tray = talk.presenter.last.tray
    assert tray is not None and (tray.rows[0].label, tray.rows[0].faces) == ("to hit", (70,))
    assert all(row.faces for row in tray.rows) and talk.presenter.last.result is not None
    talk.display.cancel()
    assert talk.presenter.plan is None and "cancelled: the last roll stands" in talk.said
    talk.choose("table", "correct")
    talk.answer("71")
    talk.roll_the_rest()
    assert totals(talk) == [("bandit", drawn), ("todd", 71)]
    (corrected,) = talk.last(RollCorrected)
    assert (corrected.before, corrected.after, corrected.purpose) == ((70,), (71,), "Todd attacks Bandit")


def test_as_many_rolls_are_named_as_there_is_room_for(talk: Conversation) -> None:
    talk.do("initiative")
    talk.answer("5", "/")
    named = {}
    for width in (160, 120, 40):
        talk.display.width = width
        talk.choose("table", "correct")
        named[width] = talk.display.prompt.count("(Initiative of ")
        assert talk.display.has_room_to_ask(talk.display.prompt) or not named[width]
        talk.display.cancel()
    assert named[160] > named[120] > named[40] == 0


def test_a_move_of_which_only_an_automatic_attack_rolled_cannot_be_corrected(talk: Conversation) -> None:
    talk.presenter.submit(SetPool("todd", "hp", 500))
    talk.presenter.submit(Place("bandit", parse_square("O10")))
    talk.presenter.submit(SetPolicy(AUTO))
    talk.line("move L10")
    assert [unit for unit, _ in totals(talk)] == ["bandit"]
    before = talk.battle
    talk.line("correct 5")
    assert "automatic reactions" in talk.said and talk.battle is before
    talk.display.cancel()
    talk.do("table")
    assert "automatic reactions" in talk.display.line("correct").reason


def test_dice_are_thrown_and_the_last_roll_is_corrected(talk: Conversation) -> None:
    talk.do("throw")
    talk.answer("2d6+1 wolves")
    assert talk.said.startswith("wolves: 2d6+1 (")
    talk.choose("table", "correct")
    talk.answer("6 6")
    assert talk.last(RollCorrected)
    assert [event.roll.total for event in talk.last(DiceThrown)] == [13]
    assert "2d6+1 (6, 6) = 13" in talk.said


def test_dice_that_are_thrown_together_are_typed_together(tmp_path: Path) -> None:
    """VOLT rolls damage with a white and a black die: one question takes both."""
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    talk.presenter.submit(Place("hauler", parse_square("J7")))
    talk.presenter.submit(SetTurn("ox"))
    talk.line("shoot ox hauler defence none dice 9 8")
    assert "black die, 1d20 each" in talk.asked
    talk.answer("4 7")
    assert [one.roll.total for one in talk.last(EffectRolled)] == [4, 7]


def test_an_attack_whose_dice_are_typed_waits_for_the_attack_that_it_draws(talk: Conversation) -> None:
    talk.presenter.session.submit(Place("bandit", parse_square("N9")))
    talk.line("shoot todd boss dice 60")
    assert "Bandit" in talk.said and "interrupt attack" in talk.said
    assert talk.display.takes_a_key and "left over" not in talk.said
    talk.answer("pass")  # with the dice that were typed
    assert [one.target for one in talk.last(AttackRolled)] == ["boss"]


def test_each_roll_of_an_attack_is_reported_before_the_next_is_asked_and_esc_says_that_it_is_cancelled(
    talk: Conversation,
) -> None:
    talk.line("shoot bandit dice 5")
    assert talk.said.startswith("Todd → Bandit: rolled 5 (typed) vs 60")
    assert talk.asked.startswith("Extra die")
    before = talk.battle.encode()
    talk.display.cancel()
    assert "attack on Bandit is cancelled" in talk.said
    assert talk.battle.encode() == before


def test_a_line_whose_dice_cannot_be_stays_and_names_the_roll(talk: Conversation) -> None:
    line = "shoot bandit dice 5 / 77"
    talk.line(line)
    assert talk.said == "Extra die: a d6 shows 1 to 6, not 77. Dice were taken for: Todd attacks Bandit; Extra die."
    assert (talk.asked, talk.display.value) == (":", line)
    talk.answer("shoot bandit dice 5 / 4")
    assert not talk.asked and talk.said == "Critical: Bandit takes 16. Rolled 5 vs 60."


def test_undo_of_several_names_each(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, ruleset="eva"))
    first = talk.battle.turns.active
    for line in ("end", "end", "undo 2"):
        talk.line(line)
    assert talk.battle.turns.active == first
    assert talk.said.startswith("2 commands, latest first.") and talk.said.count("turn.") == 2


def test_what_is_no_dice_is_refused_at_the_correction(talk: Conversation) -> None:
    talk.line("shoot bandit dice 80")
    before = talk.battle
    talk.choose("table", "correct")
    talk.answer("five")
    assert talk.battle is before and talk.said


def test_dice_of_the_seed_that_are_not_corrected_stay_without_a_question(talk: Conversation) -> None:
    talk.line("shoot bandit dice 30")
    talk.answer("/")
    before = [one.roll.dice for one in talk.last(EffectRolled)]
    talk.line("correct 31")
    assert not talk.asked and totals(talk) == [("todd", 31)]
    assert [one.roll.dice for one in talk.last(EffectRolled)] == before


def test_a_roll_that_was_undone_is_listed_with_that_reason_until_it_is_redone(talk: Conversation) -> None:
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("70")
    talk.roll_the_rest()
    talk.do("undo")
    talk.do("table")
    assert talk.display.line("correct").reason == "the last roll is undone"
    talk.display.choose("")
    talk.line("correct 71")
    assert talk.said == "The last roll is undone: redo it first."
    talk.display.cancel()
    talk.do("redo")
    talk.do("table")
    assert not talk.display.line("correct").reason


def melee_in_volt(folder: Path) -> Conversation:
    """Ox beside Hauler, who may counterattack; the last typed command is another."""
    talk = Conversation(session_for(folder, "warehouse", "volt"))
    talk.presenter.submit(Place("hauler", parse_square("J7")))
    talk.line("now ox")
    talk.presenter.look_at(replace(talk.presenter.focus.on_unit("ox"), target="hauler"))
    talk.do("fire")
    return talk


def test_dice_that_cannot_be_the_attack_s_are_refused_before_anybody_is_asked_to_defend(tmp_path: Path) -> None:
    talk = melee_in_volt(tmp_path)
    question = talk.asked
    talk.answer("25")
    assert talk.display.menu is None and talk.asked == question and talk.display.value == "25"
    assert talk.said == "2d20 is read die by die here: type each die, not the sum."
    talk.answer("9 8")
    assert talk.display.menu is not None
    assert talk.display.menu.question == "Hauler is attacked; 9 8 is typed for the attack."
    assert "die by die" not in talk.said
    counter = talk.display.line("counterattack").note
    assert counter.startswith("19 % then · its action and moves this turn") and " · its own attack hits " in counter


def test_dice_that_are_refused_after_the_defence_are_asked_for_again_and_no_earlier_command(tmp_path: Path) -> None:
    talk = melee_in_volt(tmp_path)
    question = talk.asked
    talk.answer("9 8 / 4 7 / 3 3 / 5")
    talk.display.choose("none")
    assert (talk.asked, talk.display.value) == (question, "9 8 / 4 7 / 3 3 / 5")
    assert "typed" in talk.said


def test_where_other_commands_came_after_the_last_roll_it_says_how_many_and_that_a_correction_drops_them(
    talk: Conversation,
) -> None:
    talk.line("shoot bandit dice 80")
    for line in ("note first", "end", "note second"):
        talk.line(line)
    talk.do("table")
    assert talk.display.line("correct").reason == "the last roll is 3 commands back: undo to it"
    talk.display.choose("")
    talk.line("correct 81")
    assert talk.said == (
        "The last roll is 3 commands back: “undo 3” goes back to it; the 3 commands after it are lost when the roll is "
        "corrected."
    )
    talk.line("undo 3")
    talk.do("table")
    assert talk.display.line("correct").note == "it was 80; this drops the 3 undone commands after it"
    talk.display.choose("correct")
    assert talk.asked.endswith("This drops the 3 undone commands after it.")
    talk.answer("81")
    assert talk.last(RollCorrected) and talk.said.endswith("Dropped: 3 undone commands after it.")


def test_a_counter_attack_s_dice_are_asked_for_with_the_number_that_they_need(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"))
    for line in ("place hauler J7", "now ox"):
        talk.line(line)
    talk.line("shoot ox hauler defence counter dice 90")
    assert re.match(r"Hauler attacks Ox, 1d100, \d+ or less\.", talk.asked), talk.asked
