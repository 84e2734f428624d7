"""`completion`: a script for each shell, and the names that it asks for."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import shtab

from rulesets import shipped_rulesets
from tui.__main__ import main
from tui.cli.argument_types import file_name, ruleset_name
from tui.cli.arguments import command_parser
from tui.cli.shell_completion import NAMES, SHELLS, script

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
    for name in (
        "encounters/ambush.toml",
        "maps/cellar.toml",
        "battles/cellar-1.battle",
        "rulesets/house-rules/ruleset.toml",
    ):
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
    found = printed(capsys, shell)
    assert all(command in found for command in ("scatter", "rulesets", "completion", "battleboard completion battles"))
    assert "--reader" not in found


def test_names_are_those_that_ship_and_the_user_s_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "battles").splitlines() == ["cellar-1"]
    assert {"ambush", "cellar", "cellar-1", "warehouse"} <= set(printed(capsys, "maps-and-battles").splitlines())
    assert set(printed(capsys, "rulesets").splitlines()) == {*shipped_rulesets(), "house-rules"}


def test_every_argument_that_is_a_name_or_a_file_says_so_by_its_type() -> None:
    helped = command_parser(is_board=False)
    commands = next(action.choices for action in helped._actions if isinstance(action.choices, dict))
    found = [action for command in commands.values() for action in command._actions]
    assert {*NAMES, file_name} <= {action.type for action in found}
    named = [action for action in found if action.dest in ("map", "battle", "ruleset", "file", "files", "out")]
    assert [action.dest for action in named if action.type not in {*NAMES, file_name}] == []


def test_an_argument_is_completed_however_the_help_calls_it() -> None:
    parser = argparse.ArgumentParser(prog="battleboard")
    commands = parser.add_subparsers()
    commands.add_parser("price", help="Show prices").add_argument("rules", metavar="RULESET", type=ruleset_name)
    assert "battleboard completion rulesets" in script(parser, "bash")


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
