"""The library on the screen: what is listed, what Enter opens, and the way back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.command import EndTurn
from tests.tui.play import NARROW, USUAL, WIDE
from tui.application.library.battle_files import new_battle, open_battle
from tui.application.library.battle_list import BattleEntry, read_entry
from tui.view.app.board_app import BoardApp
from tui.view.library.library_list import BattleList, shelf_text
from tui.view.library.library_screen import LibraryScreen
from tui.view.library.map_preview import Preview, draw
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.replay_screen import ReplayScreen

Script = Callable[[Pilot[None], LibraryScreen], Awaitable[None]]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def begun(map_id: str = "frontier-trail", turns: int = 0) -> Path:
    with closing(new_battle(map_id, "occult-ops", "demo-17")) as session:
        for _ in range(turns):
            session.submit(EndTurn())
        return session.journal.path


def visit(script: Script, size: tuple[int, int] = NARROW) -> None:
    """Opens the library, waits until it has looked into everything, and runs a script."""
    app = BoardApp(None)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            screen = await settled(pilot)
            await script(pilot, screen)

    asyncio.run(run())
    app.close_battle()


async def settled(pilot: Pilot[None]) -> LibraryScreen:
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, LibraryScreen)
    while any(isinstance(entry, BattleEntry) and not entry.is_known for entry in screen.presenter.entries):
        await pilot.pause()
    return screen


def shelf(screen: LibraryScreen) -> str:
    return str(shelf_text(screen.query_one(BattleList).shown, 60, 40))


def told(screen: LibraryScreen) -> str:
    return " ".join(str(screen.query_one("#sentence", Static).content).split())


@pytest.mark.slow
def test_enter_continues_with_a_battle_and_leaving_it_leads_back() -> None:
    begun()

    async def script(pilot: Pilot[None], screen: LibraryScreen) -> None:
        await pilot.press("enter")
        await pilot.pause()
        board = pilot.app.screen
        assert isinstance(board, BattleScreen)
        await pilot.press("e", "ctrl+o")
        screen = await settled(pilot)
        assert "2 steps" in told(screen)
        await pilot.press("escape", "Q")
        await pilot.pause()
        assert not pilot.app.is_running

    visit(script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_library_as_a_picture(snap_compare: Any, size: tuple[int, int]) -> None:
    async def press(pilot: Pilot[None]) -> None:
        await settled(pilot)
        await pilot.press("down")
        await pilot.pause()

    assert snap_compare(BoardApp(None), run_before=press, terminal_size=size)


@pytest.mark.slow
def test_from_the_board_to_the_library_and_back() -> None:
    other, path = begun("warehouse"), begun()
    session = open_battle(path)
    app = BoardApp(session)

    async def run() -> None:
        async with app.run_test(size=USUAL) as pilot:
            await pilot.pause()
            await pilot.press("ctrl+o")
            screen = await settled(pilot)
            entry = screen.presenter.entries[0]
            assert isinstance(entry, BattleEntry)
            assert entry.is_open
            await pilot.press("escape")
            assert isinstance(pilot.app.screen, BattleScreen)
            await pilot.press("e", "ctrl+o")
            screen = await settled(pilot)
            assert "2 steps" in told(screen)
            await pilot.press("p")
            await pilot.pause()
            assert isinstance(pilot.app.screen, ReplayScreen)
            await pilot.press("Q")
            screen = await settled(pilot)
            await pilot.press("end", "home", "down", "enter")
            await pilot.pause()
            board = pilot.app.screen
            assert isinstance(board, BattleScreen)
            assert board.session.journal.path == other
            open_battle(path).close()  # the one before was closed
            await pilot.press("Q")
            await pilot.pause()
            assert not app.is_running, "the library is another key"

    asyncio.run(run())
    app.close_battle()
    assert app.farewell.startswith(f"Saved as {other.stem}. "), "the battle that was played last"


@pytest.mark.slow
def test_replay_from_the_library_takes_no_lock_and_a_branch_is_played() -> None:
    path = begun(turns=2)

    async def script(pilot: Pilot[None], screen: LibraryScreen) -> None:
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReplayScreen)
        open_battle(path).close()
        await pilot.press("full_stop", "B")
        await pilot.pause()
        board = pilot.app.screen
        assert type(board) is BattleScreen
        assert board.session.journal.path.stem == "frontier-trail-from-step-2-1"
        await pilot.press("ctrl+o")
        screen = await settled(pilot)
        assert len([entry for entry in screen.presenter.entries if isinstance(entry, BattleEntry)]) == 2

    visit(script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL, WIDE])
def test_everything_fits_the_terminal(size: tuple[int, int]) -> None:
    begun()

    async def script(pilot: Pilot[None], screen: LibraryScreen) -> None:
        preview = screen.query_one(Preview)
        for _ in range(4):
            shown = preview.shown
            assert shown is not None
            rows = draw(shown, *preview.size, preview._glyphs, preview._palette)
            assert 0 < len(rows) <= preview.size.height
            assert all(0 < len(row) <= preview.size.width for row in rows)
            letters = [cell.glyph for row in rows for cell in row if cell.glyph.isalpha() and cell.glyph.isascii()]
            assert len(letters) >= len(shown.marks) - 2, "hardly any two in one cell"
            await pilot.press("down")
        assert screen.query_one("#keys").region.bottom == size[1]

    visit(script, size)


def test_a_file_that_is_no_battle_is_looked_into_without_harm(tmp_path: Path) -> None:
    path = tmp_path / "x.battle"
    path.write_text("hello", encoding="utf-8")
    assert read_entry(path).fault
    assert read_entry(tmp_path / "none.battle").fault
