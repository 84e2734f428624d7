"""`watch`: a battle from a side's seat, kept up with while somebody else plays it; and nothing else of it is shown."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest
from textual.widgets import Static

from engine.battle import commands as cmd
from tests.tui.play import NARROW
from tui.__main__ import main
from tui.app import BoardApp
from tui.battles import new_battle, open_battle
from tui.board.glyphs import ASCII
from tui.screens.watch import WatchScreen
from tui.watching import Watch


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))


def test_the_board_follows_the_battle_and_shows_nothing_more() -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        path = played.journal.path
        with closing(open_battle(path, read_only=True)) as session:
            app = BoardApp(None, watch=Watch(session, "crew"))

            async def run() -> None:
                async with app.run_test(size=NARROW) as pilot:
                    await pilot.pause()
                    screen = pilot.app.screen
                    assert isinstance(screen, WatchScreen)
                    while screen.board.view is None:
                        await pilot.pause(0.05)
                    known = {unit.id for unit in screen.board.view.units}
                    assert {"raven", "ox", "spark", "moth"} <= known
                    assert "sergeant" not in known, "behind walls"
                    before = screen.board.view
                    played.submit(cmd.SetPool("raven", next(iter(played.rules.pools)), 3))
                    screen._look_again()
                    while screen.board.view is before:
                        await pilot.pause(0.05)
                    assert screen.board.view.unit("raven").pools[0].now == 3
                    text = "\n".join(str(found.content) for found in screen.query(Static))
                    assert "Sergeant" not in text
                    await pilot.press("e", "f", "U", "m", "question_mark", "escape")
                    assert pilot.app.screen is screen
                    await pilot.press("O", "2", "O", "5")
                    await pilot.pause()
                    assert (pilot.app.theme, screen.board.glyphs) == ("daylight", ASCII)
                    await pilot.press("Q")

            asyncio.run(run())
        assert len(played.history.steps()) == 2, "nothing was done by whoever watched"


def test_what_was_taken_back_is_followed_too() -> None:
    with (
        closing(new_battle("warehouse", "occult-ops", "7")) as played,
        closing(open_battle(played.journal.path, read_only=True)) as session,
    ):
        watch = Watch(session)
        assert watch.side == "crew"
        first = played.battle
        played.submit(cmd.EndTurn())
        played.undo()
        played.redo()
        assert watch.look_again()
        assert not watch.look_again()
        while watch.is_behind:
            watch.catch_up()
        assert watch._history.battle == played.battle != first


def test_no_side_of_that_name_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    with closing(new_battle("warehouse", "occult-ops", "7")) as played:
        name = played.journal.path.stem
    assert main(["watch", name, "--side", "crow"]) == 1
    assert "Did you mean 'crew'?" in capsys.readouterr().err
    assert main(["watch", name]) == 1
    assert "needs a terminal" in capsys.readouterr().err
    assert main(["watch", "nothing"]) == 1
