"""`completion`: a script for each shell, and the names that it asks for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import shtab

from rulesets import shipped_rulesets
from tui.__main__ import main
from tui.cli.arguments import command_parser
from tui.cli.shell_completion import FILES, NAMES, SHELLS

TAB = """
source /dev/stdin <<< "$SCRIPT"
COMP_WORDS=(battleboard "$@"); COMP_CWORD=$#
function=$(complete -p battleboard | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$function" battleboard "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    for name in ("maps/cellar.toml", "battles/cellar-1.battle", "rulesets/house-rules/ruleset.toml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], what: str) -> str:
    assert main(["completion", what]) == 0
    return capsys.readouterr().out


def test_the_shells_are_those_of_shtab() -> None:
    assert sorted(SHELLS) == sorted(shtab.SUPPORTED_SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_has_every_command_and_hides_what_the_help_hides(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = printed(capsys, shell)
    assert all(command in script for command in ("scatter", "rulesets", "completion", "battleboard completion battles"))
    assert "--reader" not in script


def test_names_are_those_that_ship_and_the_user_s_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "battles").splitlines() == ["cellar-1"]
    assert {"cellar", "cellar-1", "warehouse"} <= set(printed(capsys, "maps-and-battles").splitlines())
    assert set(printed(capsys, "rulesets").splitlines()) == {*shipped_rulesets(), "house-rules"}


def test_what_is_completed_by_names_or_files_is_still_called_so() -> None:
    helped = command_parser(is_board=False)
    commands = next(action.choices for action in helped._actions if isinstance(action.choices, dict))
    used = {action.metavar for command in commands.values() for action in command._actions}
    assert {*NAMES, *FILES} <= used


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sca"], ["scatter"]),
        (["play", "cel"], ["cellar", "cellar-1"]),
        (["odds", "warehouse", "--ruleset", "ho"], ["house-rules"]),
        (["sight", "--points", ""], ["1", "5", "9"]),
    ],
)
def test_bash_completes(words: list[str], found: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SCRIPT": printed(capsys, "bash")}
    command = ["bash", "-c", TAB, "bash", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == found
