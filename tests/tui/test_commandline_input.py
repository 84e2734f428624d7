"""A “-” on the command line: arguments come from standard input, so that no list of processes shows them."""

from __future__ import annotations

import io
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tui.__main__ import main
from tui.application.library.battle_files import new_battle, open_battle


@pytest.fixture
def battle() -> Path:
    with closing(new_battle("frontier-trail", "occult-ops", "7")) as session:
        return session.journal.path


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode("latin-1")), encoding="utf-8"))


def test_lines_to_do_come_from_standard_input(
    battle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "# the secret\n\nnote todd is a spy\nend\n")
    assert main(["do", str(battle), "-", "order"]) == 0
    assert "Bandit's turn" in capsys.readouterr().out
    with closing(open_battle(battle, read_only=True)) as session:
        assert [note.text for note in session.battle.gm.notes] == ["is a spy"]


@pytest.mark.slow
def test_the_list_of_processes_shows_no_line_of_standard_input(battle: Path) -> None:
    command = [sys.executable, "-m", "tui", "do", str(battle), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        shown = Path(f"/proc/{program.pid}/cmdline")
        if shown.exists():
            assert "spy" not in shown.read_text()
        assert program.communicate("note todd is a spy\n", timeout=20)[0]
    assert program.returncode == 0


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (["sight", "frontier-trail"], ["todd", "bandit"]),
        (["odds", "frontier-trail", "--ruleset", "occult-ops"], ["todd", "bandit", "--action", "attack"]),
        (["view", "frontier-trail"], ["todd"]),
        (["reach", "frontier-trail", "--ruleset", "occult-ops"], ["todd", "--to", "M10"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_others_take_arguments_from_it_too(
    words: list[str], others: list[str], end: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *others]) == 0
    told = capsys.readouterr().out
    typed(monkeypatch, end.join(others))
    assert main([*words, "-"]) == 0
    assert capsys.readouterr().out == told


def test_nothing_on_standard_input_is_wrong_usage_and_no_text_is_bad_input(
    battle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "\n")
    assert main(["do", str(battle), "-"]) == 2
    typed(monkeypatch, "note todd \xe4\n")
    assert main(["do", str(battle), "-"]) == 1
    assert "not UTF-8 text" in capsys.readouterr().err


def test_what_is_written_for_the_game_master_nobody_else_reads(battle: Path, tmp_path: Path) -> None:
    for manner in ("markdown", "toml", "jsonl"):
        out = tmp_path / f"report.{manner}"
        assert main(["export", str(battle), f"--{manner}", "-o", str(out)]) == 0
        assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_a_line_is_never_an_option(
    battle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in ("--help", "--version", "-h"):
        typed(monkeypatch, f"{line}\n")
        assert main(["do", str(battle), "-"]) == 1
        printed = capsys.readouterr()
        assert printed.out == ""
        assert f"'{line}'" in printed.err


def test_a_hyphen_in_place_of_an_output_file_is_standard_output(
    battle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["export", str(battle), "-o", "-"]) == 0
    assert capsys.readouterr().out.startswith("#") and not (tmp_path / "-").exists()


@pytest.mark.parametrize("text", ["end\n" * 100_001, "note todd " + "x" * 8_000_000])
def test_input_beyond_bearing_is_one_sentence(
    battle: Path, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, text)
    assert main(["do", str(battle), "-"]) == 1
    assert "is longer than 100,000 lines or 8,000,000 characters; nothing was done." in capsys.readouterr().err
