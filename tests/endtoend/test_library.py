"""The library, a replay and the players' view in a real pseudo-terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.endtoend.terminal import ROOT, Terminal


def run(folder: Path, *words: str) -> str:
    """What a command prints; it must succeed."""
    ended = subprocess.run(
        [sys.executable, "-m", "tui", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"BATTLEBOARD_DATA": str(folder), "PATH": "", "LANG": "C.UTF-8"},
    )
    return ended.stdout


@pytest.mark.slow
def test_an_evening_goes_out_as_text_and_comes_back_on_another_machine(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    terminal = Terminal(["library"], {"BATTLEBOARD_DATA": str(here)}, 80, 24)
    terminal.wait_for("no encounters yet")
    terminal.send("\r")
    terminal.wait_for("Round 1")
    terminal.send("e")
    terminal.wait_for("'s turn")
    terminal.send("Q")
    terminal.wait_for("Saved as frontier-trail-1")
    assert terminal.wait() == 0
    (file,) = (here / "battles").glob("*.battle")
    for ending in ("toml", "jsonl"):
        text = tmp_path / f"evening.{ending}"
        run(here, "export", file.stem, f"--{ending}", "-o", str(text))
        assert "Imported as" in run(there, "import", str(text))
        assert run(there, "export", file.stem, f"--{ending}").rstrip() == text.read_text(encoding="utf-8").rstrip()
    assert "## Round 1" in run(there, "export", file.stem)


@pytest.mark.slow
def test_replay_and_watch_change_nothing(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path)}
    first = Terminal(["play", "frontier-trail", "--seed", "demo-17"], environment)
    first.wait_for("4 Log")
    seen = Terminal(["watch", "frontier-trail-1", "--side", "law"], environment, 80, 24)
    seen.wait_for("view of law")
    seen.wait_for("Round 1")
    first.send("e")
    first.wait_for("The Boss's turn")
    seen.wait_for("Boss")
    again = Terminal(["replay", "frontier-trail-1"], environment, 80, 24)
    again.wait_for("replay, step 1 of 2")
    again.send(".")
    again.wait_for("replay, step 2 of 2")
    for terminal in (again, seen, first):
        terminal.send("Q")
        assert terminal.wait() == 0
