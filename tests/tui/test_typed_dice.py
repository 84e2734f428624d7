"""Dice typed on the board: a question that is cut keeps what it asks, and Tab offers words page by page."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.play import NARROW, USUAL, app_for, asked, play, said, typed
from tui.view.panels.prompt import PromptInput
from tui.view.screens.battle_screen import BattleScreen


@pytest.mark.slow
def test_what_a_roll_decides_is_reported_whole_above_a_question_that_is_cut(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line in ("give fox frag-grenade", "ready fox frag-grenade free", "place fox D10"):
            await pilot.press(":", *typed(line), "enter")
        await pilot.press(":", *typed("shoot fox E11 with frag-grenade free"), "enter")
        await pilot.press(*"95", "enter")
        assert asked(screen) == "scatter 1d100, 1–12 NW, then clockwise, 97–100 again >"
        assert said(screen).startswith("Scatter: direction (1–12 NW, then clockwise, 97–100 again), 1d100. ")

    play(app_for(tmp_path, "rooftops", "aog"), script, NARROW)


@pytest.mark.slow
def test_undo_of_several_names_each_and_tab_offers_page_by_page(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        first = screen.session.battle.turns.active
        await pilot.press(":", *typed("end"), "enter", ":", *typed("end"), "enter", ":", *typed("undo 2"), "enter")
        assert screen.session.battle.turns.active == first
        assert said(screen).startswith("2 commands, latest first. Undone: ") and said(screen).count("turn.") == 2
        await pilot.press(":", *typed("odds todd "), "tab")
        begin = said(screen)
        assert "Tab for more" in begin
        await pilot.press("tab")
        assert "Tab for more" in said(screen) and said(screen) != begin
        await pilot.press("escape", ":", *typed("correct "), "tab")
        assert said(screen).startswith("correct DICE: correct the last roll")

    play(app_for(tmp_path, ruleset="eva"), script, NARROW)


@pytest.mark.long
def test_backspace_takes_a_die_back_esc_asks_once_and_an_enter_too_many_does_nothing(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle
        await pilot.press("t", "f", *"45", "enter")
        damage = asked(screen)
        assert damage.startswith("damage 2d")
        await pilot.press("backspace")
        assert "1d100" in asked(screen) and screen.prompt.query_one(PromptInput).value.strip() == "45"
        await pilot.press("enter")
        assert asked(screen) == damage
        await pilot.press("escape")
        assert asked(screen).startswith("1 typed die would be lost.")
        await pilot.press("3")
        assert asked(screen) == damage and screen.prompt.query_one(PromptInput).value == "3"
        await pilot.press("escape", "escape")
        assert not screen.is_asking and screen.session.battle is before and not screen.board.markings.aftermath.marks
        await pilot.press("f", *"45", "enter", *"3", "enter")
        while screen.is_asking:
            await pilot.press("enter")
        after, sentence = screen.session.battle, said(screen)
        await pilot.press("enter", "enter")
        assert (screen.session.battle, said(screen)) == (after, sentence)
        assert screen.board.markings.aftermath.marks
        await pilot.press("left", "enter")
        assert said(screen) != sentence

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
def test_a_terminal_that_becomes_too_small_cancels_what_asks_for_dice(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", *"45", "enter")
        assert screen.presenter.plan is not None
        await pilot.resize_terminal(30, 8)
        assert not screen.is_asking and screen.presenter.plan is None
        await pilot.resize_terminal(*USUAL)
        assert not screen.board.markings.aftermath.shots and "cancelled" in said(screen)

    play(app_for(tmp_path), script, USUAL)


def test_a_click_on_a_roll_of_the_tray_goes_back_to_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", *"45", "enter")
        damage = asked(screen)
        assert damage.startswith("damage 2d") and said(screen).startswith("Damage, 2d6. Todd")
        tray = screen.shot_panel
        line = next(y for y, row in enumerate(tray.text_rows()) if row.plain.startswith(" to hit"))
        await pilot.click(tray, offset=(4, line + 1))
        assert asked(screen).startswith("to hit 1d100") and screen.prompt.query_one(PromptInput).value.strip() == "45"
        await pilot.press("enter")
        assert asked(screen) == damage
        await pilot.click(tray, offset=(4, line))
        assert asked(screen) == damage, "only a roll that is made"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.parametrize("size", [NARROW, USUAL, (60, 24)])
def test_question_prompt_and_keys_have_a_row_each_and_nothing_moves(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        board = screen.board.region
        await pilot.press("f", *"45", "enter")
        bottom = size[1]
        assert screen.prompt.region.y == bottom - 2 and screen.prompt.region.height == 2
        assert screen.board.region == board
        keys = str(screen.prompt.query_one("#answer-keys", Static).render())
        assert keys.startswith(" Enter roll it  / roll the rest  Backspace back one die  Esc cancel")
        await pilot.press("escape", "escape")
        assert screen.board.region == board and screen.query_one("#verdict").region.bottom == bottom - 1

    play(app_for(tmp_path), script, size)
