"""The zoom is remembered for each battle and size of the terminal, and nowhere in the battle itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from tests.tui.play import USUAL, app_for, play
from tui.application.settings.zooms import MOST_BATTLES, read_zooms, write_zoom
from tui.view.board.zoom_levels import LARGE, MEDIUM
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.kept_zooms import kept_zooms


def test_a_zoom_comes_back_after_a_restart_at_that_size_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
    seen = {}

    async def zooms(pilot: Pilot[None], screen: BattleScreen) -> None:
        seen["first"], seen["battle"] = screen.board.zoom, screen.session.journal.path
        seen["events"] = len(screen.session.history.steps())
        await pilot.press("Z")
        await pilot.pause()
        seen["chosen"] = screen.board.zoom
        assert len(screen.session.history.steps()) == seen["events"]

    async def looks(pilot: Pilot[None], screen: BattleScreen) -> None:
        seen["again"] = screen.board.zoom
        assert screen.session.journal.path == seen["battle"]

    for script, size in ((zooms, USUAL), (looks, USUAL)):
        app = app_for(tmp_path)
        play(app, script, size)
        app.session.close()
        seen["battle"].unlink()
    assert seen["again"] == seen["chosen"] != seen["first"]
    assert kept_zooms(seen["battle"]) == {Size(*USUAL): seen["chosen"]}, "and at no other size"


def test_what_no_zoom_can_be_read_from_counts_as_none(tmp_path: Path) -> None:
    file, battle = tmp_path / "zooms.toml", tmp_path / "fight1.battle"
    assert read_zooms(file, battle) == {}
    file.write_text('"a" = 3\n["b"]\n80x24 = 4\n')
    assert read_zooms(file, Path("b")) == {}
    file.write_text("[[[")
    write_zoom(file, battle, "80x24", MEDIUM.name)
    write_zoom(file, battle, "120x40", LARGE.name)
    assert read_zooms(file, battle) == {"80x24": "medium", "120x40": "large"}


def test_the_battles_that_were_zoomed_last_are_remembered(tmp_path: Path) -> None:
    file = tmp_path / "zooms.toml"
    for number in range(MOST_BATTLES + 2):
        write_zoom(file, tmp_path / f"{number}.battle", "80x24", MEDIUM.name)
    assert not read_zooms(file, tmp_path / "1.battle") and read_zooms(file, tmp_path / "2.battle")
