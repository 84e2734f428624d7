"""What each command loads, seen from a fresh process: the quick ones load nothing slow."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import contextlib, io, json, sys
from tui.__main__ import main
with contextlib.redirect_stdout(io.StringIO()) as printed:
    status = main(sys.argv[1:])
print(json.dumps([status, printed.getvalue(), sorted(sys.modules)]))
"""


def loaded(folder: Path, *words: str) -> frozenset[str]:
    """Top names of the modules that a command loaded."""
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        capture_output=True,
        text=True,
        check=True,
        env={"BATTLEBOARD_DATA": str(folder), "PATH": ""},
    )
    status, printed, modules = json.loads(ended.stdout)
    assert (status, ended.stderr) == (0, "")
    assert printed
    return frozenset(module.partition(".")[0] for module in modules)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["odds", "--help"]])
def test_help_and_version_load_nothing_slow(tmp_path: Path, words: list[str]) -> None:
    assert not loaded(tmp_path, *words) & {"textual", "numpy", "rich", "icepool", "sqlite3", "maps", "rulesets"}


@pytest.mark.parametrize(
    "words",
    [
        ["sight", "frontier-trail", "todd", "bandit"],
        ["view", "frontier-trail", "todd"],
        ["odds", "frontier-trail", "todd", "bandit", "--ruleset", "occult-ops", "--json"],
        ["maps"],
        ["rules", "occult-ops"],
        ["facts"],
    ],
)
def test_reports_do_without_textual(tmp_path: Path, words: list[str]) -> None:
    assert not loaded(tmp_path, *words) & {"textual", "rich"}


def test_the_board_alone_does_not_load_what_begins_battles() -> None:
    command = [sys.executable, "-c", "import sys, tui.app.board_app; print('tui.library.battle_files' in sys.modules)"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "False"
