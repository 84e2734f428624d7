"""The command line as a whole: statuses, where messages go, what is refused before a screen is opened."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tui.__main__ import main
from tui.application.library.battle_files import last_battle, new_battle
from tui.application.terminal import capabilities
from tui.cli import arguments


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(words)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def run_in_terminal(columns: int, rows: int, *words: str, term: str = "xterm-256color") -> tuple[int, str]:
    """Status and everything shown by a process whose input and output are a terminal of that size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {**os.environ, "TERM": term, "COLUMNS": "200", "LINES": "60"}
    command = [sys.executable, "-m", "tui", *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while some := os.read(ours, 4096):
                shown += some
        except OSError:  # how a terminal says that nobody is left on its other side
            pass
    os.close(ours)
    return process.returncode, shown.decode()


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["odds", "--help"]])
def test_help_and_version_end_well(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    status, out, err = run(capsys, *words)
    assert status == 0
    assert "battleboard" in out
    assert err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["frobnicate"], "battleboard: argument COMMAND: invalid choice: 'frobnicate'"),
        (["sight", "frontier-trail"], "battleboard sight: the following arguments are required: FROM, TO."),
        (["view", "frontier-trail"], "battleboard view: the following arguments are required: UNIT|SQUARE."),
        (
            ["odds", "frontier-trail", "todd", "bandit"],
            "battleboard odds: a map needs --ruleset ID.",
        ),
        (["facts", "--rule", "cwn"], "unrecognized arguments: --rule cwn"),
        (["check"], "battleboard check: the following arguments are required: FILE."),
        (["play", "frontier-trail", "--read-only"], "--read-only is only for battles"),
    ],
)
def test_wrong_usage_is_status_two_and_one_message(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 2
    assert "--help" in err


def test_battle_with_ruleset_or_seed_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    new_battle("frontier-trail", "occult-ops", "7").close()
    for option in ("--ruleset", "--seed"):
        status, out, err = run(capsys, "play", "frontier-trail-1", option, "cwn")
        assert (status, out) == (2, "")
        assert "only for new battles" in err


@pytest.mark.parametrize("words", [[], ["demo"], ["play", "frontier-trail"]])
def test_no_terminal_is_one_message_and_no_battle(
    capsys: pytest.CaptureFixture[str], data_folder: Path, words: list[str]
) -> None:
    status, out, err = run(capsys, *words)
    assert (status, out) == (1, "")
    assert err.startswith("The board needs a terminal, and standard input is not one;")
    assert err.count("\n") == 1
    assert not (data_folder / "battles").exists()


def test_no_terminal_leaves_the_last_battle_closed_and_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    new_battle("frontier-trail", "occult-ops", "7").close()
    path = last_battle()
    assert path is not None
    before = path.read_bytes()
    status, _, err = run(capsys)
    assert status == 1
    assert "needs a terminal" in err
    assert path.read_bytes() == before
    assert [other.name for other in path.parent.iterdir()] == [path.name]


@pytest.mark.slow
def test_small_terminal_is_reported_its_size_and_the_size_needed(data_folder: Path) -> None:
    status, shown = run_in_terminal(59, 24, "play", "frontier-trail")
    assert status == 1
    assert "This terminal has 59 columns and 24 rows; the board needs at least 60 columns and 18 rows." in shown
    assert run_in_terminal(80, 17, "demo")[0] == 1
    assert not (data_folder / "battles").exists()


def test_dumb_terminal_is_refused() -> None:
    status, shown = run_in_terminal(80, 24, "demo", term="dumb")
    assert status == 1
    assert "TERM is 'dumb'" in shown


def test_terminal_of_unknown_size_is_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capabilities.sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(capabilities.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(capabilities.sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(capabilities.sys.stdout, "fileno", lambda: 1, raising=False)
    monkeypatch.setattr(capabilities.os, "get_terminal_size", lambda _: os.terminal_size((0, 0)))
    monkeypatch.setenv("TERM", "xterm")
    capabilities.check_terminal()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("frontier-trial", "No map, encounter or battle is called 'frontier-trial'. Did you mean 'frontier-trail'?"),
        ("x" * 5000, "No map, encounter or battle is called"),
        ("no\nsuch", "No map, encounter or battle is called 'no\\nsuch'."),
        ("../nowhere/fight.battle", "No map, encounter or battle is called '../nowhere/fight.battle'."),
    ],
)
def test_nothing_to_play_is_one_message(capsys: pytest.CaptureFixture[str], name: str, said: str) -> None:
    status, out, err = run(capsys, "play", name)
    assert (status, out) == (1, "")
    assert err.startswith(said)


def test_folder_to_play_is_one_message(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = run(capsys, "play", str(tmp_path))
    assert status == 1
    assert err == f"{tmp_path} is not a plain file; expected a map, an encounter or a battle.\n"


def test_bad_map_to_play_names_the_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("format = 1\nname = 7\n")
    status, out, err = run(capsys, "play", str(bad))
    assert (status, out) == (1, "")
    assert f"{bad}:2:" in err


def test_unknown_ruleset_names_the_nearest(capsys: pytest.CaptureFixture[str], data_folder: Path) -> None:
    status, _, err = run(capsys, "play", "frontier-trail", "--ruleset", "ocult-ops")
    assert (status, err) == (1, "No ruleset is called 'ocult-ops'. Did you mean 'occult-ops'?\n")
    assert run(capsys, "play", "frontier-trail", "--ruleset", "~nobody-at-all")[0] == 1
    assert not data_folder.exists()


def test_messages_hold_nothing_that_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["frob\x1b[2J"], ["play", "\x1b]0;x\x07"], ["check", "a\x1b[31m\u202eb"], ["facts", "\udcff\x9b1m"]):
        _, out, err = run(capsys, *words)
        assert not any(sign in out + err for sign in "\x1b\x07\x9b\u202e\r")


@pytest.mark.slow
def test_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tui", "rules", "occult-ops"]
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [["facts"], ["--help"], ["odds", "--help"], ["--version"]])
def test_full_disk_is_one_message(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "tui", *words]
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("The output cannot be written: ")
    assert ended.stderr.count("\n") == 1


INTERRUPTED_IMPORT = """
import os, signal, sys
from tui.__main__ import main

class Finder:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.exit(main(["maps"]))
"""


@pytest.mark.parametrize("module", ["engine.errors", "msgspec", "argparse", "tui.cli.arguments"])
def test_interrupt_while_modules_are_loaded_is_quiet(module: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED_IMPORT, module]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_interrupt_is_quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(arguments, "_maps", interrupted)
    assert run(capsys, "maps") == (130, "", "")


@pytest.mark.slow
def test_output_that_knows_few_letters_gets_question_marks() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "tui", "odds", "frontier-trail", "todd", "bandit", "--ruleset", "occult-ops"]
    ended = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"target number" in ended.stdout
