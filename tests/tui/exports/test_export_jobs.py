"""An export is made in parts: between them its progress is shown, and whoever cancels it finds no half file."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle import command as cmd
from engine.errors import Illegal
from engine.generators import result_of
from engine.journal.session import Session
from tests.tui.play import USUAL, app_for, play
from tui.__main__ import main
from tui.application.commands.runner import do
from tui.application.exports import frames, toml_tables
from tui.application.exports.export_files import write_export
from tui.application.exports.format_list import CANCELLED, FORMATS, PLAYERS
from tui.application.exports.formats import export_job, exported
from tui.application.library.battle_files import new_battle
from tui.application.terminal import private_files, progress_line
from tui.application.terminal.jobs import Job, within
from tui.application.terminal.private_files import write_new_file
from tui.view.app.board_app import BoardApp
from tui.view.library.library_screen import LibraryScreen
from tui.view.screens.battle_screen import BattleScreen

ALL_EXPORTS = [
    (name, side) for name, one in FORMATS.items() for side in ("", PLAYERS, "law") if one.has_side or not side
]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """A fight of three rounds; exports go to `tmp_path / "out"`."""
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    with closing(new_battle("frontier-trail", "aog", "7")) as session:
        session.submit(cmd.Attack("bandit", "todd", "", ""))
        while session.battle.turns.round < 3:
            session.submit(cmd.EndTurn())
        yield session


@pytest.mark.long
@pytest.mark.parametrize(("name", "side"), ALL_EXPORTS)
def test_every_export_is_made_in_parts_and_leaves_no_file_where_it_is_cancelled(
    name: str, side: str, session: Session, tmp_path: Path
) -> None:
    shares = [*(job := export_job(session, name, side))]
    assert len(shares) >= len(session.history.steps()) // 2
    assert shares == sorted(shares) and 0 < shares[0] < 1 and shares[-1] == 1
    assert next(job, None) is None
    for parts in (1, len(shares)):
        job = write_export(session, name, side=side)
        for _ in range(parts):
            next(job)
        job.close()
        assert not [*(tmp_path / "out").iterdir()]
    assert result_of(write_export(session, name, side=side)).startswith("Saved as ")
    (file,) = (tmp_path / "out").iterdir()
    assert file.read_text("utf-8") == exported(session, name, side)


def test_views_are_worked_out_of_what_is_drawn_alone(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """A view of each of many thousand steps would take half a minute and hundreds of megabytes."""
    asked: list[str] = []
    view_of: Any = frames.view_of
    monkeypatch.setattr(frames, "view_of", lambda moment, rules: asked.append("") or view_of(moment, rules))
    for name, most in (("markdown", 0), ("svg", 1), ("html", session.battle.turns.round + 1)):
        asked.clear()
        exported(session, name)
        assert len(asked) <= most < len(session.history.steps()), name


def test_a_part_of_a_job_counts_as_its_part() -> None:
    def halves() -> Job[str]:
        yield Fraction(1, 2)
        yield Fraction(1)
        return "done"

    def whole() -> Job[str]:
        return (yield from within(halves(), Fraction(1, 2), Fraction(1)))

    assert [*whole()] == [Fraction(3, 4), 1]
    assert result_of(whole()) == "done"


def cancelled_at(number: int, patch: pytest.MonkeyPatch) -> None:
    """Presses Ctrl+C while that row of an export as TOML is written."""
    original, rows = toml_tables.row_values, 0

    def pressed(row: Any) -> Any:
        nonlocal rows
        rows += 1
        if rows == number:
            raise KeyboardInterrupt
        return original(row)

    patch.setattr(toml_tables, "row_values", pressed)


def test_ctrl_c_on_the_command_line_ends_in_a_sentence_and_leaves_no_file(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["export", str(session.journal.path), "--toml", "-o", "x.toml"]
    cancelled_at(3, monkeypatch)
    assert main(words) == 130
    assert main(words[:3]) == 0, "and it was no fault of the battle"
    capsys.readouterr()
    cancelled_at(3, monkeypatch)
    assert main(words[:3]) == 130
    assert capsys.readouterr() == ("", f"{CANCELLED}\n")
    cancelled_at(3, monkeypatch)
    with pytest.raises(Illegal, match="cancelled: nothing was written"):
        do(session, "export toml")
    assert not [*(tmp_path / "out").iterdir()]


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_a_file_is_written_whole_or_not_at_all(
    fault: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(io.StringIO):
        def write(self, text: str) -> int:
            raise fault

    monkeypatch.setattr(private_files.os, "fdopen", lambda *_, **__: Failing())
    with pytest.raises(type(fault)):
        write_new_file(tmp_path / "half.md", "text")
    assert not (tmp_path / "half.md").exists()


def test_half_of_a_surrogate_pair_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="surrogates"):
        write_new_file(tmp_path / "half.md", "\ud800")
    assert not (tmp_path / "half.md").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_terminal_shows_the_progress_of_what_takes_long_in_one_line(
    stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter(range(100))
    monkeypatch.setattr(progress_line, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(sys, "stderr", stream())

    def job() -> Job[int]:
        yield from (Fraction(part, 4) for part in range(1, 5))
        return 7

    assert progress_line.with_progress_line(job()) == 7
    written = sys.stderr.getvalue()  # type: ignore[attr-defined]
    if stream is io.StringIO:
        assert not written
    else:
        assert "\r50 % done. Ctrl+C cancels.\x1b[K" in written and "\n" not in written
        assert written.endswith("\r\x1b[K"), "and the line is gone at the end"


def endless() -> Job[str]:
    """An export that never ends."""
    while True:
        yield Fraction(43, 100)


async def until_shown(pilot: Pilot[None], sentence: str) -> str:
    """The text of a widget once it tells of an export."""
    for _ in range(100):
        if "exporting" in (shown := str(pilot.app.screen.query_one(sentence, Static).content)).lower():
            return shown
        await pilot.pause(0.02)
    raise AssertionError("no progress is shown")


@pytest.mark.long
def test_esc_cancels_an_export_on_the_board_and_other_keys_go_on(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.export(endless())
        shown = await until_shown(pilot, "#title")
        assert "exporting ■■■■······ 43 %, Esc cancels" in shown
        screen.export(endless())
        assert "An export is under way" in screen.presenter.note
        before = len(screen.session.history.steps())
        await pilot.press("e")
        assert len(screen.session.history.steps()) == before + 1
        await pilot.press("escape")
        assert screen.presenter.note == CANCELLED
        assert not screen.exports.words and "exporting" not in str(screen.query_one("#title", Static).content)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
def test_the_board_says_where_an_export_is_or_why_it_is_not(session: Session, tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for line, said in (
            ("export", "Saved as"),
            ("export markdown night", "Saved as"),
            ("export x", "No format"),
        ):
            await pilot.press("colon", *("space" if key == " " else key for key in line), "enter")
            await pilot.pause()
            assert said in screen.presenter.note
            await pilot.press("escape")

    play(BoardApp(session), script, USUAL)
    assert len([*(tmp_path / "out").iterdir()]) == 2


@pytest.mark.long
def test_esc_cancels_an_export_in_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))

    async def visit() -> None:
        app = BoardApp(None)
        async with app.run_test(size=USUAL) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, LibraryScreen)
            screen.export(endless())
            assert "Exporting ■■■■······ 43 %. Esc cancels." in await until_shown(pilot, "#sentence")
            await pilot.press("escape")
            assert screen.presenter.sentence == CANCELLED

    asyncio.run(visit())
