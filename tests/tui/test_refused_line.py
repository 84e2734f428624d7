"""A refused command stays in the line, selected as a browser's address is."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.play import NARROW, app_for, play, typed
from tui.screens.battle_screen import BattleScreen


def test_typing_replaces_a_refused_command_and_an_arrow_keeps_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        line = screen.query_one(Input)
        await pilot.press(":", *typed("find grenadee"), "enter")
        assert screen.is_asking and line.value == "find grenadee"
        await pilot.press("u")
        assert line.value == "u", "not added to what was refused"
        await pilot.press("backspace", *typed("fnord"), "enter", "right", "s")
        assert line.value == "fnords"
        await pilot.press("enter", "left", "x")
        assert line.value == "xfnords"
        await pilot.press("escape")
        assert not screen.is_asking
        await pilot.press(":", "a")
        assert line.value == "a"

    play(app_for(tmp_path), script, NARROW)
