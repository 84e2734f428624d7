"""A battle of an earlier format goes on in a copy: stopped anywhere, there is the old file whole, or both."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from engine.journal.store import CannotSave, InUse, Journal
from tests.examples import sample
from tests.golden.battles import FIRST
from tests.stamps import NOW
from tui.application.commands.runner import do
from tui.application.library.battle_files import open_battle


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A battle of format 1."""
    return Path(shutil.copy(FIRST / "volt.battle", tmp_path))


def fail(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.long
@pytest.mark.parametrize("step", ["shutil.copy2", "os.fsync", "_sync", "Path.replace", "Path.rename"])
def test_a_place_that_takes_no_copy_leaves_the_old_file(old: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = old.read_bytes()
    with closing(open_battle(old)) as session:
        state = session.battle
        with monkeypatch.context() as broken:
            broken.setattr(f"engine.journal.journal_file.{step}", fail)
            with pytest.raises(CannotSave, match="No space left on device"):
                do(session, "note hello")
        assert session.battle == state
        assert old.read_bytes() == before
    kept = old.with_name(f"{old.name}.format-1")
    assert {*old.parent.iterdir()} <= {old, kept}
    assert not kept.exists() or kept.read_bytes() == before
    with closing(open_battle(old)) as session:
        do(session, "note hello")
        assert session.journal.format == 2
    assert {*old.parent.iterdir()} == {old, kept}, "one copy is enough"
    assert kept.read_bytes() == before


def test_a_kept_file_is_never_written_over(old: Path) -> None:
    taken = old.with_name(f"{old.name}.format-1")
    taken.write_text("something else")
    before = old.read_bytes()
    with closing(open_battle(old)) as session:
        do(session, "note hello")
    assert taken.read_text() == "something else"
    assert old.with_name(f"{old.name}.format-1-2").read_bytes() == before


def test_an_old_battle_that_was_changed_elsewhere_is_not_taken_over(old: Path) -> None:
    with closing(open_battle(old)) as session:
        other = old.with_name("other")
        shutil.copy(FIRST / "cwn.battle", other)
        other.replace(old)
        with pytest.raises(CannotSave, match="another file has replaced it"):
            do(session, "note hello")
    assert old.read_bytes() == (FIRST / "cwn.battle").read_bytes()


def test_an_old_battle_that_another_program_locks_may_be_played_on_later(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.journal.store.BUSY_SECONDS", 0.05)
    before = old.read_bytes()
    with closing(open_battle(old)) as session:
        with closing(sqlite3.connect(old, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(InUse, match="Nothing has changed"):
                do(session, "note hello")
        assert old.read_bytes() == before
        do(session, "note hello")
        assert session.journal.format == 2


def test_who_only_reads_needs_no_place(old: Path) -> None:
    old.chmod(0o400)
    with Journal.open(old, read_only=True) as journal:
        assert journal.is_old and len([*journal.rows()]) > 100
        with pytest.raises(CannotSave, match="read-only"):
            journal.append([("event/note-set", {})], NOW)


@pytest.mark.long
@pytest.mark.parametrize("delay", sample(range(0, 200, 10)))
def test_killed_on_the_way_it_is_the_old_battle_or_the_new_one(old: Path, delay: int) -> None:
    before = old.read_bytes()
    state = open_state(old)
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.playing_on", str(old)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"open\n"
        time.sleep(delay / 1000)
        program.kill()
        done = [int(line) for line in program.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")]
    kept = old.with_name(f"{old.name}.format-1")
    with closing(open_battle(old)) as session:
        notes = len(session.battle.gm.notes) - len(state)
        assert len(done) <= notes <= len(done) + 1
        assert session.journal.format == 2 or old.read_bytes() == before
        do(session, "note still here")
    assert kept.read_bytes() == before
    assert not [path for path in old.parent.iterdir() if path not in (old, kept) and not path.name.startswith(".")]


def open_state(path: Path) -> tuple[object, ...]:
    """The notes of a battle."""
    with closing(open_battle(path, read_only=True)) as session:
        return session.battle.gm.notes
