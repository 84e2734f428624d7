"""`battleboard`, `play` and `demo`: which battle comes on the screen, and how; the screen itself is put aside."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

from engine.journal.session import Session
from tui.__main__ import main
from tui.application.library.battle_files import battles, is_battle, open_battle
from tui.cli import arguments


class Screen:
    """Stands in for the app: notes what it was given while the battle is open."""

    def __init__(self) -> None:
        self.path = Path()
        self.seed = self.ruleset = ""
        self.read_only = self.ascii_only = self.is_kept = self.has_tour = False
        self.sizes: list[str] = []

    def run_board(
        self, session: Session, *, ascii_only: bool = False, is_kept: bool = True, has_tour: bool = False
    ) -> int:
        self.path, self.seed = session.journal.path, session.journal.header.seed
        self.ruleset, self.read_only = session.rules.id, session.journal.read_only
        self.ascii_only, self.is_kept, self.has_tour = ascii_only, is_kept, has_tour
        self.sizes = [name for name in ("COLUMNS", "LINES") if name in os.environ]
        return 0


@pytest.fixture(autouse=True)
def screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "5")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "full")
    monkeypatch.setattr(arguments, "check_terminal", lambda: None)
    found, module = Screen(), ModuleType("tui.view.app.board_app")
    monkeypatch.setattr(module, "run_board", found.run_board, raising=False)
    monkeypatch.setitem(sys.modules, "tui.view.app.board_app", module)
    return found


def test_new_battle_on_a_map(screen: Screen) -> None:
    assert main(["play", "frontier-trail", "--ruleset", "cwn", "--seed", "17", "--ascii"]) == 0
    assert (screen.ruleset, screen.seed, screen.ascii_only, screen.read_only) == ("cwn", "17", True, False)
    assert screen.sizes == []
    assert battles() == [screen.path]
    open_battle(screen.path).close()  # it was closed behind the screen


def test_battle_continues_by_name_or_path(screen: Screen) -> None:
    main(["play", "frontier-trail", "--seed", "17"])
    path = screen.path
    for name in ("frontier-trail-1", str(path)):
        assert main(["play", name]) == 0
        assert (screen.path, screen.seed, screen.read_only, screen.ascii_only) == (path, "17", False, False)
    assert main(["play", "frontier-trail-1", "--read-only"]) == 0
    assert screen.read_only
    assert len(battles()) == 1


def test_without_a_command_a_first_battle_on_the_demos_map_and_then_the_last_one(screen: Screen) -> None:
    assert main([]) == 0
    assert battles() == [screen.path]
    assert (screen.path.stem, screen.is_kept, screen.has_tour) == ("frontier-trail-1", True, True)
    assert main([]) == 0
    assert not screen.has_tour, "it is offered once"
    main(["play", "warehouse"])
    assert main(["--read-only", "--ascii"]) == 0
    assert (screen.path.name, screen.read_only, screen.ascii_only) == ("warehouse-night-shift-1.battle", True, True)


def test_demo_takes_ruleset_and_seed(screen: Screen) -> None:
    assert main(["demo", "--ruleset", "cwn", "--seed", "x", "--reduced-motion"]) == 0
    assert (screen.ruleset, screen.seed, screen.is_kept) == ("cwn", "x", False)
    assert screen.path.parent.parent.name.startswith("battleboard-")
    assert os.environ["TEXTUAL_ANIMATIONS"] == "none"
    assert battles() == []
    assert not screen.has_tour
    assert main(["demo", "--tour"]) == 0
    assert screen.has_tour


def test_bug_on_the_screen_leaves_a_closed_battle(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken(session: Session, **options: bool) -> int:
        raise RuntimeError("a bug")

    monkeypatch.setattr(sys.modules["tui.view.app.board_app"], "run_board", broken)
    assert main(["play", "frontier-trail"]) == 1
    told = capsys.readouterr().err
    assert "a bug" in told
    assert told.count("\n") == 1
    (report,) = tmp_path.glob("battleboard-bug-*/report.txt")
    assert str(report) in told
    assert "in broken" in report.read_text()
    (path,) = battles()
    assert is_battle(path)
    open_battle(path).close()


def test_damaged_last_battle_is_one_message(screen: Screen, capsys: pytest.CaptureFixture[str]) -> None:
    main(["play", "frontier-trail"])
    content = screen.path.read_bytes()
    screen.path.write_bytes(content[:-3000])
    assert main([]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert f"{screen.path} cannot be opened as a battle: " in printed.err
    assert screen.path.read_bytes() == content[:-3000]
