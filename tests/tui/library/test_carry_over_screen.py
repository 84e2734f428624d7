"""The list of changes at the end of a battle, with its keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.library.test_finished_battles import ANNA, wounded
from tests.tui.play import NARROW, USUAL, put_characters, session_for, typed
from tui.application.commands.runner import do
from tui.application.library.battle_list import entry_of
from tui.application.library.finished_battles import changed_characters
from tui.view.app.board_app import BoardApp
from tui.view.library.carry_over_screen import CarryOverScreen


@pytest.fixture(autouse=True)
def file(tmp_path: Path) -> Path:
    return put_characters(tmp_path, anna=ANNA, bo=ANNA.replace("Anna", "Bo")) / "anna.toml"


def finished(folder: Path, keys: list[str], then: Callable[[BoardApp], None]) -> None:
    """Types ":finish" in a battle with wounded characters, presses keys, and looks."""
    session = session_for(folder)
    for line in ("add anna law D4", "add bo law D6", "damage bo 3 hp"):
        do(session, line)
    wounded(session)
    app = BoardApp(session)

    async def run() -> None:
        async with app.run_test(size=NARROW) as pilot:
            await pilot.press("colon", *typed("finish"), "enter")
            await pilot.pause()
            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(app.screen, CarryOverScreen)
            await pilot.press(*keys)
            await pilot.pause()
            then(app)

    asyncio.run(run())
    app.close_battle()


def hint(app: BoardApp) -> str:
    return str(app.screen.query_one("#hint", Static).render()).splitlines()[-1].strip()


@pytest.mark.slow
def test_wounds_and_gear_are_accepted_at_first_and_a_accepts_stats_too(tmp_path: Path, file: Path) -> None:
    def look(app: BoardApp) -> None:
        assert hint(app) == "Enter changes no file: nothing is accepted"

    def at_first(app: BoardApp) -> None:
        assert hint(app) == "Enter writes 4 of 5 changes into 2 files"

    finished(tmp_path / "look", ["a", "a"], look)
    finished(tmp_path / "first", [], at_first)

    def then(app: BoardApp) -> None:
        assert not isinstance(app.screen, CarryOverScreen)
        assert "hp = 17" in file.read_text()
        assert "dexterity = 10" in file.read_text()
        assert "hp = 19" in (file.parent / "bo.toml").read_text()
        assert "Round 1 · finished" in str(app.screen.query_one("#title", Static).content)
        assert app.session is not None and entry_of(app.session).is_finished

    finished(tmp_path, ["a", "enter"], then)


@pytest.mark.slow
def test_space_accepts_one_and_esc_none(tmp_path: Path, file: Path) -> None:
    def one(app: BoardApp) -> None:
        assert file.read_text() == ANNA + "\n[rounds]\nusp9 = 3\n"
        assert (file.parent / "bo.toml").read_text() == ANNA.replace("Anna", "Bo")

    finished(tmp_path / "one", ["a", "a", "down", "space", "enter"], one)
    file.write_text(ANNA)
    finished(tmp_path / "none", ["escape"], lambda app: None)
    assert file.read_text() == ANNA


def test_what_the_file_says_otherwise_by_now_is_not_accepted_at_first(tmp_path: Path, file: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        do(session, "add anna law D4")
        wounded(session)
        file.write_text(file.read_text() + "[pools]\nhp = 20\n")
        (anna,) = changed_characters(session.battle, session.rules)
    accepted = CarryOverScreen([anna]).accepted
    assert {row.difference.label for row in anna.rows if (anna.unit.id, row.difference.key) not in accepted} == {
        "hit points",
        "DEX",
    }, "a stat that the GM has set is for tonight, and a conflict is never accepted at first"
    assert len(accepted) == 2


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_carry_over_as_a_picture(snap_compare: Any, size: tuple[int, int], tmp_path: Path, file: Path) -> None:
    session = session_for(tmp_path)
    do(session, "add anna law D4")
    do(session, "add bo law D6")
    wounded(session)
    do(session, "damage bo 3 hp")
    file.write_text(file.read_text() + "[pools]\nhp = 20\n")

    async def press(pilot: Pilot[None]) -> None:
        await pilot.press("colon", *typed("finish"), "enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("down", "space")
        await pilot.pause()

    app = BoardApp(session)
    assert snap_compare(app, terminal_size=size, run_before=press)
    session.close()
