"""Dice that the table throws, typed on the board: words ask for them as keys do, and so does a roll put right."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.unit_edits import Place
from engine.battle.events import AttackRolled, EffectRolled, RollCorrected
from engine.geometry.squares import parse_square
from tests.tui.play import NARROW, USUAL, app_for, asked, play, said, typed
from tui.panels.prompt import PromptInput
from tui.screens.battle_screen import BattleScreen


@pytest.mark.slow
def test_an_attack_in_words_asks_for_its_dice(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(":", *typed("shoot bandit"), "enter")
        assert asked(screen) == "Todd attacks Bandit, 1d100: Enter rolls them all, or type the die:"
        await pilot.press(*"80", "enter")
        (attack,) = (one for one in screen.session.history.done.events if isinstance(one, AttackRolled))  # type: ignore[union-attr]
        assert attack.roll.total == 80 and attack.roll.is_typed

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_while_dice_are_asked_for_the_attack_is_told_and_not_the_cursor_s_square(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line in ("give fox frag-grenade", "ready fox frag-grenade free", "place fox D10"):
            await pilot.press(":", *typed(line), "enter")
        screen.board.move_cursor(parse_square("AA15"))
        await pilot.pause()
        assert said(screen).startswith("AA15, ") and "no attack" in said(screen)
        await pilot.press(":", *typed("shoot fox E11 with frag-grenade free"), "enter")
        assert asked(screen).startswith("Fox attacks E11, 1d100")
        assert said(screen).startswith("E11, ") and "AA15" not in said(screen) and "no attack" not in said(screen)

    play(app_for(tmp_path, "rooftops", "aog"), script, (110, 34))


@pytest.mark.slow
def test_what_a_roll_decides_is_told_whole_above_a_question_that_is_cut(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line in ("give fox frag-grenade", "ready fox frag-grenade free", "place fox D10"):
            await pilot.press(":", *typed(line), "enter")
        await pilot.press(":", *typed("shoot fox E11 with frag-grenade free"), "enter")
        await pilot.press(*"95", "enter")
        assert asked(screen).startswith("Off the mark: direction (1–12 NW, ")
        assert asked(screen).endswith("… Enter rolls it:")
        assert "97–100 again), 1d100." in said(screen)

    play(app_for(tmp_path, "rooftops", "aog"), script, NARROW)


def test_a_roll_put_right_asks_for_the_dice_that_follow_from_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(":", *typed("shoot bandit dice 80"), "enter")
        await pilot.press(":", *typed("correct 5"), "enter")
        assert asked(screen) == "Damage, 1d6+12: Enter rolls it, or type the die:"
        await pilot.press(*"4", "enter")
        done = screen.session.history.done
        assert done is not None
        assert [one.roll.total for one in done.events if isinstance(one, AttackRolled)] == [5]
        assert [one.after for one in done.events if isinstance(one, RollCorrected)] == [(5, 4)]

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_dice_that_are_thrown_together_are_typed_together(tmp_path: Path) -> None:
    """VOLT rolls damage with a white and a black die: one question takes both."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(Place("hauler", parse_square("J7")))
        screen.presenter.submit(SetTurn("ox"))
        await pilot.press(":", *typed("shoot ox hauler defence none dice 9 8"), "enter")
        assert asked(screen).endswith("black die, 1d20 each: Enter rolls them, or type both dice:")
        await pilot.press(*typed("4 7"), "enter")
        done = screen.session.history.done
        assert done is not None
        assert [one.roll.total for one in done.events if isinstance(one, EffectRolled)] == [4, 7]

    play(app_for(tmp_path, "warehouse", "volt"), script, USUAL)


@pytest.mark.slow
def test_an_attack_whose_dice_are_typed_waits_for_the_attack_that_it_draws(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.session.submit(Place("bandit", parse_square("N9")))
        await pilot.press(":", *typed("shoot todd boss dice 60"), "enter")
        assert said(screen).startswith("Bandit may attack Todd now (free): interrupt attack")
        assert "n let pass" in asked(screen) and "left over" not in said(screen)
        await pilot.press("n")  # with the dice that were typed
        done = screen.session.history.done
        assert done and any(isinstance(one, AttackRolled) and one.target == "boss" for one in done.events)

    play(app_for(tmp_path), script, USUAL)


def test_each_roll_of_an_attack_is_told_before_the_next_is_asked_and_esc_says_that_it_is_cancelled(
    tmp_path: Path,
) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(":", *typed("shoot bandit dice 5"), "enter")
        assert said(screen).startswith("Todd → Bandit: rolled 5 (typed) vs 60: ")
        assert asked(screen).startswith("Damage")
        before = screen.session.battle.encode()
        await pilot.press("escape")
        assert said(screen).startswith("Todd's attack on Bandit is cancelled: nothing of it has happened")
        assert screen.session.battle.encode() == before

    play(app_for(tmp_path), script, NARROW)


def test_a_line_whose_dice_cannot_be_stays_and_names_the_roll(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        line = "shoot bandit dice 5 / 77"
        await pilot.press(":", *typed(line), "enter")
        assert said(screen) == "Damage: a d6 shows 1 to 6, not 77."
        assert (asked(screen), screen.query_one(PromptInput).value) == (":", line)
        await pilot.press("backspace", "backspace", "4", "enter")
        assert asked(screen) == "" and "rolled 5 (typed)" in said(screen)

    play(app_for(tmp_path), script, NARROW)


def test_undo_of_several_names_each_and_tab_offers_page_by_page(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        first = screen.session.battle.turns.active
        await pilot.press(":", *typed("end"), "enter", ":", *typed("end"), "enter", ":", *typed("undo 2"), "enter")
        assert screen.session.battle.turns.active == first
        assert said(screen).startswith("2 commands, the last first. Taken back: ") and said(screen).count("turn.") == 2
        await pilot.press(":", *typed("odds todd "), "tab")
        begin = said(screen)
        assert "Tab for more" in begin
        await pilot.press("tab")
        assert "Tab for more" in said(screen) and said(screen) != begin
        await pilot.press("escape", ":", *typed("correct "), "tab")
        assert said(screen).startswith("correct DICE: correct the last roll")

    play(app_for(tmp_path, ruleset="eva"), script, NARROW)
