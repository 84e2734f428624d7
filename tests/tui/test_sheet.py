"""A sheet of text: searched in place, closed by the keys that it names, and no key typed there reaches the battle.

The library's key alone leaves it for another screen, as it does everywhere.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Input, Static

from tests.tui.play import NARROW, USUAL, app_for, play, typed
from tui.view.modals.help_screen import SYMBOLS
from tui.view.modals.text_modal import TextModal
from tui.view.screens.battle_screen import BattleScreen

PRINTABLE = [chr(code) for code in range(33, 127) if chr(code) not in "q?"]
OPENERS = {"help": "question_mark", "receipt": "r", "unit": "r", "close-up": "slash", "comparison": "C"}


def subtitle(screen: object) -> str:
    assert isinstance(screen, TextModal)
    return str(screen.query_one(VerticalScroll).border_subtitle)


def row_shown(sheet: TextModal) -> str:
    """The rows of the sheet that are in view."""
    box = sheet.query_one(VerticalScroll)
    assert box.size.height < sheet.size.height
    rows = str(sheet.query_one(Static).content).splitlines()
    return "\n".join(rows[int(box.scroll_y) : int(box.scroll_y) + box.size.height])


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_words_typed_in_help_are_searched_for_and_play_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle
        await pilot.press("question_mark", *typed("/the cursor"))
        sheet = pilot.app.screen
        assert "“the cursor”: 1 of " in subtitle(sheet) and isinstance(sheet, TextModal)
        assert "the cursor" in row_shown(sheet)
        await pilot.press("enter", "n", "n", "N")
        assert "“the cursor”: 2 of " in subtitle(sheet)
        await pilot.press("enter")
        assert "“the cursor”: 3 of " in subtitle(sheet)
        await pilot.press("escape")
        assert "/ search" in subtitle(sheet) and pilot.app.screen is sheet
        await pilot.press(*typed("/grenade"), "escape", *typed("/zzz"))
        assert "not found" in subtitle(sheet)
        await pilot.press("escape", "escape")
        assert pilot.app.screen is screen and screen.session.battle is before

    play(app_for(tmp_path), script, size)


@pytest.mark.long
def test_a_search_of_the_help_for_signs_lands_on_their_legend(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("question_mark")
        for words in ("symbols", "legend", "signs", "marks", "icons"):
            await pilot.press(*typed(f"/{words}"), "enter")
            sheet = pilot.app.screen
            assert isinstance(sheet, TextModal) and SYMBOLS in row_shown(sheet)
            await pilot.press("escape")
        await pilot.press(*typed("/overwatch"), "enter")
        assert "“overwatch”: 1 of " in subtitle(sheet), "in no title: the first"

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_what_is_searched_for_can_be_put_right_and_the_page_keys_scroll(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("question_mark", *typed("/gre"), "x", "backspace", "left", "delete", "tab", "e")
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal) and "“gre”" in subtitle(sheet)
        await pilot.press("escape")
        for key, is_at_top in (("pagedown", False), ("home", True), ("end", False), ("pageup", False), ("home", True)):
            await pilot.press(key)
            await pilot.pause(0.6)
            assert (sheet.query_one(VerticalScroll).scroll_y == 0) == is_at_top, key
        assert pilot.app.screen is sheet

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
@pytest.mark.parametrize("opener", OPENERS)
def test_no_key_typed_in_a_sheet_reaches_the_battle(tmp_path: Path, opener: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t") if opener != "unit" else None
        before, looked = screen.session.battle, screen.presenter.focus
        await pilot.press(OPENERS[opener])
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal)
        own = "e" if opener == "unit" else ""  # opens the form of the unit
        for key in (
            *"request".replace(own, ""),
            "enter",
            "tab",
            "shift+tab",
            "space",
            "backspace",
            "left",
            "U",
        ):
            await pilot.press(key)
            assert pilot.app.screen is sheet, key
        keys = [key for key in PRINTABLE if key != own]
        await pilot.press(*typed("".join(keys[:15])), "enter", *typed("".join(keys[15:])))
        assert pilot.app.screen is sheet
        assert (screen.session.battle, screen.presenter.focus) == (before, looked)
        sheet.query_one(Input).display = False
        await pilot.press("escape", "escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_random_key_typed_in_help_reaches_the_battle(tmp_path: Path, seed: int) -> None:
    """Whatever is typed, but for the keys that close it and that of the library."""
    keys = [*typed("".join(PRINTABLE)), "enter", "tab", "space", "backspace", "up", "down", "pagedown", "f2"]

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before, looked = screen.session.battle, screen.presenter.focus
        await pilot.press("question_mark")
        sheet = pilot.app.screen
        for key in random.Random(seed).choices(keys, k=120):
            await pilot.press(key)
            assert pilot.app.screen is sheet, key
        assert (screen.session.battle, screen.presenter.focus) == (before, looked)

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_two_keys_close_help(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for key in ("escape", "question_mark"):
            await pilot.press("question_mark")
            assert pilot.app.screen is not screen
            await pilot.press(key)
            assert pilot.app.screen is screen

    play(app_for(tmp_path), script, NARROW)
