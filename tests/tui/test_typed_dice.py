"""Dice typed on the board: a question that is cut keeps what it asks, and Tab offers words page by page."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.play import NARROW, app_for, asked, play, said, typed
from tui.view.screens.battle_screen import BattleScreen


@pytest.mark.slow
def test_what_a_roll_decides_is_reported_whole_above_a_question_that_is_cut(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line in ("give fox frag-grenade", "ready fox frag-grenade free", "place fox D10"):
            await pilot.press(":", *typed(line), "enter")
        await pilot.press(":", *typed("shoot fox E11 with frag-grenade free"), "enter")
        await pilot.press(*"95", "enter")
        assert asked(screen).startswith("Scatter: direction (1–12 NW, ")
        assert asked(screen).endswith("… Enter rolls it:")
        assert "97–100 again), 1d100." in said(screen)

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
