"""Other programs at the battle's file: one that reads it for long, one that deletes it or writes over it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.endtoend.terminal import Terminal
from tui.application.library.battle_files import battles, open_battle

READER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT * FROM journal").fetchall()
print("reading", flush=True)
time.sleep(60)
"""
WAITING = "Waiting for another program that is reading the battle file"


@contextmanager
def read_by_another_process(path: Path) -> Iterator[None]:
    """Another process holds SQLite's shared lock until this ends."""
    with subprocess.Popen([sys.executable, "-c", READER, str(path)], stdout=subprocess.PIPE) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == b"reading\n"
        try:
            yield
        finally:
            reader.kill()


def played(folder: Path) -> tuple[Terminal, Path]:
    terminal = Terminal(["play", "frontier-trail", "--seed", "demo-17"], {"BATTLEBOARD_DATA": str(folder)})
    terminal.wait_for("● saved")
    return terminal, battles(folder)[0]


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.5, 10])
def test_a_reader_delays_a_command_and_never_ends_the_session(tmp_path: Path, seconds: float) -> None:
    terminal, path = played(tmp_path)
    with read_by_another_process(path):
        terminal.send("e")
        terminal.wait_for(WAITING)
        time.sleep(seconds)
        terminal.read(0.1)
        assert "The Boss's turn." not in terminal.text
    terminal.wait_for("The Boss's turn.")
    terminal.read(0.3)
    assert WAITING not in terminal.text
    assert "● saved" in terminal.text
    terminal.send("e")
    terminal.wait_for("Deputy's turn.")
    terminal.send("Q")
    terminal.wait_for("Saved as")
    assert terminal.wait() == 0


@pytest.mark.slow
def test_a_line_waits_for_a_reader_and_says_so(tmp_path: Path) -> None:
    terminal, path = played(tmp_path)
    terminal.send("Q")
    assert terminal.wait() == 0
    with read_by_another_process(path):
        line = subprocess.Popen(
            [sys.executable, "-m", "tui", "do", str(path), "end"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert line.stderr is not None
        assert WAITING in line.stderr.readline()
    said, complained = line.communicate(timeout=20)
    assert (line.returncode, complained) == (0, "")
    assert "The Boss's turn" in said


@pytest.mark.slow
@pytest.mark.parametrize("how", ["deleted", "overwritten", "replaced", "folder deleted"])
def test_a_battle_whose_file_is_lost_is_written_into_a_new_one(tmp_path: Path, how: str) -> None:
    terminal, path = played(tmp_path)
    terminal.send("e")
    terminal.wait_for("The Boss's turn.")
    terminal.read(0.2)
    if how == "overwritten":
        path.write_bytes(b"\x5a" * path.stat().st_size)
    else:
        path.rename(tmp_path / "elsewhere")
    if how == "replaced":
        path.write_text("a letter")
    if how == "folder deleted":
        for file in path.parent.iterdir():
            file.unlink()
        path.parent.rmdir()
    terminal.send("e")
    terminal.wait_for("it is saved to a new file")
    assert "is safe" not in terminal.text
    terminal.wait_for("read-only" if how == "overwritten" else "FILE GONE, not saved")
    terminal.send("Q")
    terminal.wait_for("It is saved to a new file")
    assert "Saved as" not in terminal.text
    assert terminal.wait() == 1
    (kept,) = [file for file in (tmp_path / "battles").glob("*.battle") if file.read_bytes()[:6] == b"SQLite"]
    with closing(open_battle(kept)) as session:
        assert session.battle.units[session.battle.turns.active].name == "The Boss"


@pytest.mark.slow
def test_a_file_that_is_lost_unnoticed_is_noticed_when_the_battle_is_left(tmp_path: Path) -> None:
    terminal, path = played(tmp_path)
    path.unlink()
    terminal.send("Q")
    terminal.wait_for("does not contain the whole battle: it no longer exists.")
    assert terminal.wait() == 1
    assert len(battles(tmp_path)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--plain",)])
def test_a_file_in_use_when_the_battle_is_left_is_no_lost_one(tmp_path: Path, words: tuple[str, ...]) -> None:
    terminal = Terminal(["play", "frontier-trail", "--seed", "7", *words], {"BATTLEBOARD_DATA": str(tmp_path)})
    terminal.wait_for("Frontier trail, " if words else "● saved")
    (path,) = battles(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        terminal.send("quit\n" if words else "Q")
        terminal.wait_for("is being used by another program; it was not checked.")
        assert terminal.wait() == 0
    assert "Saved as" not in terminal.text
    assert battles(tmp_path) == [path]
    open_battle(path).close()
