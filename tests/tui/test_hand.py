"""The GM's hand on the screen: the table menu, and the keys for what is done most."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.commands.roster_commands import RemoveUnit
from tests.tui.play import NARROW, USUAL, app_for, play, said, typed
from tui.application.keys.battle_keys import BATTLE_KEYS
from tui.application.prompts.choice import keys_for
from tui.view.modals.card import Card
from tui.view.screens.battle_screen import BattleScreen


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # one of the keys writes a picture
    return tmp_path / "data"


def key_of(screen: BattleScreen, beginning: str) -> str:
    """The key of a menu's line."""
    menu = screen.app.screen
    assert isinstance(menu, Card)
    keys = zip(keys_for(menu.choices), menu.choices, strict=True)
    return next(key for key, choice in keys if choice.label.startswith(beginning))


async def choose(pilot: Pilot[None], screen: BattleScreen, *beginnings: str) -> None:
    for beginning in beginnings:
        await pilot.pause()
        await pilot.press(key_of(screen, beginning))
    await pilot.pause()


@pytest.mark.slow
def test_an_empty_table_still_answers_every_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for unit in list(screen.session.battle.units):
            screen.presenter.submit(RemoveUnit(unit))
        await pilot.pause()
        assert not screen.session.battle.units and screen.session.battle.turns.active == ""
        keys = {key for binding in BATTLE_KEYS for key in binding.key.split(",")} - {"Q", "U", "R", "backspace"}
        for key in sorted(keys):
            await pilot.press(key)
            await pilot.pause()
            for _ in range(3):
                await pilot.press("escape")
        await pilot.pause()
        await pilot.press("plus")
        await choose(pilot, screen, "add units")
        await pilot.press(*typed("gunman"), "enter")
        await choose(pilot, screen, "another side")
        await pilot.press(*typed("law"), "enter", "enter", "i", "enter")
        await pilot.pause()
        assert screen.session.battle.turns.active == "gunman"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_damage_is_asked_for_and_a_stat_is_typed_on(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus", "d", *typed("5"), "enter")
        await pilot.pause()
        assert said(screen) == "Todd: hit points 20 → 15, set by the GM."
        await pilot.press("plus", "d", *typed("wibble"), "enter")
        await pilot.pause()
        assert said(screen).startswith("Type an amount")
        await pilot.press("escape", "plus", "b", *typed("dext"), "tab", "9", "enter")
        await pilot.pause()
        assert said(screen) == "GM: Todd's DEX: 9, was 8."
        await pilot.press("plus", "e", *typed("3"), "enter")
        await pilot.pause()
        assert screen.session.battle.unit("todd").pools["hp"] == 18

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_tab_lists_conditions_where_damage_is_asked_for_and_completes_a_begun_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        unit = screen.session.battle.at(screen.presenter.focus.cursor)
        assert unit is not None
        await pilot.press("d", "tab")
        assert "aiming" in said(screen) and "Tab for more" in said(screen) and unit.name.lower() not in said(screen)
        await pilot.press(*typed("stu"), "up", "tab", "enter")
        assert "stunned" in screen.session.battle.units[unit.id].conditions

    play(app_for(tmp_path, "warehouse", "eva"), script, USUAL)
