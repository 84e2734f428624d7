"""Long work says how far it is, lets keys through, and stops at Esc."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.play import USUAL, app_for, play
from tui.application.describe.progress_bar import progress
from tui.application.overlays.positioning import prospects
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.comparison import comparison_text


def title(screen: BattleScreen) -> str:
    return str(screen.query_one("#title", Static).content)


def test_a_bar_is_full_only_when_all_is_done() -> None:
    assert progress(Fraction(0)) == "·········· 0 %"
    assert progress(Fraction(999, 1000)) == "■■■■■■■■■· 99 %"
    assert progress(Fraction(1)) == "■■■■■■■■■■ 100 %"
    assert progress(Fraction(-1)) == progress(Fraction(0)) and progress(Fraction(7)) == progress(Fraction(1))


@pytest.mark.slow
def test_where_to_stand_says_how_far_it_is_and_stops_at_escape(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("W")
        found = prospects(screen.presenter.focus, screen.session.battle, screen.session.rules)
        assert not found.is_whole
        assert "%, Esc stops" in title(screen)
        await pilot.press("escape")
        assert "Esc stops" not in title(screen) and "saved" in title(screen)
        stopped = len(found.known)
        await pilot.pause(0.2)
        assert len(found.known) == stopped
        await pilot.press("W")
        for _ in range(200):
            if len(found.known) > stopped:
                break
            await pilot.pause(0.05)
        assert len(found.known) > stopped, "it goes on where it stopped"

    play(app_for(tmp_path), script, USUAL)


def test_a_comparison_says_what_is_still_to_come() -> None:
    assert "·········· 0 %, 4 to go; Esc stops." in str(comparison_text((), 4, 76))
    assert "Esc stops" not in str(comparison_text((), 0, 76))
