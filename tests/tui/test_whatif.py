"""What if, on the board: begun and ended with one key; kept or dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.journal.branch import Branch
from tests.tui.play import USUAL, app_for, play, said
from tui.view.modals.card import Card
from tui.view.panels.side_panels import LogPanel
from tui.view.screens.battle_screen import BattleScreen


@pytest.mark.long
def test_what_is_tried_is_dropped_or_kept(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        real = screen.session
        before = real.battle
        await pilot.press("I")
        assert isinstance(screen.session, Branch)
        assert "WHAT IF, not saved" in str(screen.query_one("#title", Static).content)
        await pilot.press("t", "f", "enter", "e", "I")
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        assert "Todd: USP9 15 → 14 rounds" in str(menu.query_one("#question", Static).content)
        await pilot.press("2")
        assert screen.session is real
        assert real.battle is before
        assert said(screen).startswith("Branch dropped")
        await pilot.press("I", "e", "I", "1")
        assert screen.session is real
        assert real.battle.turns.active == "boss"
        assert said(screen).startswith("Branch kept")
        await pilot.press("U")
        assert real.battle == before

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_log_continues_from_the_battles_own(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("I", "e")
        shown = str(screen.query_one(LogPanel).build(60, 40))
        assert "rolls initiative" in shown and "The Boss's turn." in shown

    play(app_for(tmp_path), script, USUAL)
