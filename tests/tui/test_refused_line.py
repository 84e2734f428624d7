"""A refused command stays in the line, selected as a browser's address is."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from tests.tui.play import NARROW, USUAL, app_for, asked, play, typed
from tui.view.screens.battle_screen import BattleScreen


@pytest.mark.long
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


@pytest.mark.long
def test_a_command_stays_selected_whatever_refuses_it(tmp_path: Path) -> None:
    refused = (
        "move N9",  # by the rules
        "shoot nobody",  # an unknown name
        "set todd zzzz",
        "shoot bandit 25",  # dice that do not exist
        "note nobody: flanks",
        "wind 3",
        "rules zebra ",  # a blank behind it
    )

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        line = screen.query_one(Input)
        for command in refused:
            await pilot.press(":", *typed(command), "enter")
            if screen.is_asking:
                await pilot.press("u")
                assert line.value == "u", command
                await pilot.press("escape")

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_wrong_dice_behind_a_defence_open_the_question_for_dice_and_no_earlier_command(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line in ("now ox", "place hauler J7", "now ox"):
            await pilot.press(":", *typed(line), "enter", "escape")
        await pilot.press("escape", "t", "f")
        assert asked(screen).startswith("to hit, the white die, then the black, ")
        await pilot.press(*typed("25"), "enter")
        await pilot.pause()
        if not screen.is_asking:
            await pilot.press("o")
            await pilot.pause()
        assert asked(screen).startswith("to hit, the white die, then the black, ")

    play(app_for(tmp_path, "warehouse", "volt"), script, USUAL)
