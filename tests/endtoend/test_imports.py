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
found = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = main(words)
    found.append([status, printed.getvalue(), sorted({name.partition(".")[0] for name in sys.modules})])
print(json.dumps(found))
"""


def loaded(folder: Path, *commands: list[str]) -> dict[str, frozenset[str]]:
    """Top names of the modules that are loaded after each of some commands, one after the other in one process."""
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
        env={"BATTLEBOARD_DATA": str(folder), "PATH": ""},
    )
    assert ended.stderr == ""
    found = {}
    for words, (status, printed, modules) in zip(commands, json.loads(ended.stdout), strict=True):
        assert status == 0 and printed, words
        found[" ".join(words)] = frozenset(modules)
    return found


def test_help_and_version_load_nothing_slow(tmp_path: Path) -> None:
    slow = {"textual", "numpy", "rich", "icepool", "sqlite3", "maps", "rulesets"}
    for command, modules in loaded(tmp_path, ["--version"], ["odds", "--help"], ["--help"]).items():
        assert not modules & slow, command


@pytest.mark.long
def test_reports_do_without_textual(tmp_path: Path) -> None:
    commands = (
        ["facts"],
        ["maps"],
        ["rules", "occult-ops"],
        ["sight", "frontier-trail", "todd", "bandit"],
        ["view", "frontier-trail", "todd"],
        ["odds", "frontier-trail", "todd", "bandit", "--ruleset", "occult-ops", "--json"],
    )
    for command, modules in loaded(tmp_path, *commands).items():
        assert not modules & {"textual", "rich"}, command


@pytest.mark.long
def test_the_board_alone_does_not_load_what_begins_battles() -> None:
    command = [
        sys.executable,
        "-c",
        "import sys, tui.view.app.board_app; print('tui.application.library.battle_files' in sys.modules)",
    ]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "False"


FIRST_PAINT = """
import asyncio, sys
from tui.view.app.board_app import BoardApp
from tui.application.library.battle_files import demo_session

async def show() -> None:
    async with BoardApp(demo_session("aog")).run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        while not pilot.app.screen.spare.is_done:  # the enemies in the panels
            await pilot.pause(0.01)

asyncio.run(show())
print(*sorted(sys.modules))
"""


def test_the_first_paint_does_not_load_what_answers_questions(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path), "PATH": "", "TERM": "xterm-256color"}
    command = [sys.executable, "-c", FIRST_PAINT]
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.split()
    later = (
        "tui.application.reports",
        "tui.application.commands.questions",
        "tui.application.library.encounters",
        "tui.application.describe.close_up",
        "maps.groups",
    )
    later += ("icepool", "numpy")
    assert [name for name in found if name.startswith(later)] == []
