"""A unit's sheet opens in the form from the board, and changes this battle, the file, or both."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.gear import stats_of
from engine.journal.session import Session
from tests.tui.play import NARROW, app_for, play
from tui.characters.form_screen import CharacterForm
from tui.library.character_files import read_character
from tui.screens.battle_screen import BattleScreen
from tui.screens.sheet_editing import sheet_in_battle


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def active(session: Session) -> str:
    return session.battle.turns.active


async def change_first_number(pilot: Pilot[None], answer: str) -> str:
    """Opens the form of the active unit, types 7 into the first number of the second page, saves; gives the stat."""
    await pilot.press("r", "e", answer)
    await pilot.pause()
    form = pilot.app.screen
    assert isinstance(form, CharacterForm)
    await pilot.press("tab")
    while form.form.field.kind != "number":
        await pilot.press("down")
    stat = form.form.field.id
    await pilot.press("7", "enter", "s")
    await pilot.pause()
    await pilot.press("escape")
    await pilot.pause()
    return stat


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "in_battle", "in_file"), [("1", True, False), ("2", False, True), ("3", True, True)]
)
def test_the_form_changes_what_was_chosen(tmp_path: Path, answer: str, in_battle: bool, in_file: bool) -> None:
    async def script(pilot: Pilot[None], board: BattleScreen) -> None:
        session = board.session
        unit, before = active(session), len(session.history.steps())
        stat = await change_first_number(pilot, answer)
        assert isinstance(pilot.app.screen, BattleScreen)
        assert (stats_of(session.rules, session.battle.unit(unit))[stat] == 7) is in_battle
        assert len(session.history.steps()) == before + in_battle
        files = list((tmp_path / "data").glob("characters/*.toml"))
        assert bool(files) is in_file
        if in_file:
            assert dict(read_character(files[0].stem, session.rules).character.stats)[stat] == 7

    play(app_for(tmp_path), script, NARROW)


def test_an_archetype_becomes_a_stat_block_that_fights_alike(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], board: BattleScreen) -> None:
        session = board.session
        for unit in session.battle.units.values():
            sheet = sheet_in_battle(unit, session.rules)
            assert sheet.weapons == unit.gear.weapons
            assert sheet.is_opponent

    play(app_for(tmp_path), script, NARROW)
