"""The journal in good days: what goes in comes out, nobody else gets in, and a refusal says why."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from fcntl import flock
from pathlib import Path
from typing import Any

import pytest

from engine.journal import journal_lock
from engine.journal import store as journal_module
from engine.journal.batches import Batch
from engine.journal.journal_file import LARGEST_FILE
from engine.journal.journal_rows import digest_of, linked
from engine.journal.store import (
    CannotSave,
    Header,
    InUse,
    Journal,
    JournalRow,
    NotABattle,
    OpenElsewhere,
)
from engine.values import replace
from tests.stamps import NOW, stamp

HEADER = Header(
    battle_id="4f4c2c1e-8f0a-4b62-9a53-0c6a4a3c8a11",
    version="0.1.0",
    created="2026-01-02T03:04:05+00:00",
    title="Dock shed, näght \x1b[2J",
    map_file="dock.toml",
    map_text='name = "Dock"\nsquares = """\n#..#\n"""\n',
    ruleset_id="volt",
    ruleset_texts={"rules.toml": "a = 1\n", "weapons.toml": "# none\n"},
    seed="1866",
)
HOLDER = """
import sys
from pathlib import Path
from engine.journal.store import Journal
journal = Journal.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "saves" / "fight.battle"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.create(path, HEADER) as journal:
        yield journal


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        try:
            yield holder
        finally:
            holder.kill()


def test_what_was_appended_is_read_back_after_reopening(path: Path, journal: Journal) -> None:
    bodies: list[dict[str, Any]] = [{"b": [1, 2.5, None, True], "a": {"ü\0": "\u2028"}}, {}, {"damage": -(10**30)}]
    first = journal.append([("moved", bodies[0]), ("turned", bodies[1])], stamp("10:00"))
    second = journal.append([("hurt", bodies[2])], stamp("09:59"))
    assert first + second == (
        JournalRow(1, 1, stamp("10:00"), "moved", bodies[0]),
        JournalRow(2, 1, stamp("10:00"), "turned", bodies[1]),
        JournalRow(3, 3, stamp("09:59"), "hurt", bodies[2]),
    )
    assert tuple(journal.rows()) == first + second
    journal.close()
    with Journal.open(path) as reopened:
        assert tuple(reopened.rows()) == first + second
        assert reopened.header == HEADER
        assert reopened.append([("hurt", {})], stamp("10:01"))[0].seq == 4


def test_several_batches_are_kept_as_if_appended_one_by_one(tmp_path: Path, journal: Journal) -> None:
    """All of them, or none."""
    batches = [
        Batch([("moved", {"a": 1}), ("turned", {})], stamp("10:00")),
        Batch([("hurt", {"b": 2})], stamp("10:05")),
    ]
    with Journal.create(tmp_path / "at-once.battle", HEADER) as other:
        rows = other.extend(batches)
        for batch in batches:
            journal.append(batch.rows, batch.stamp)
        assert tuple(journal.rows()) == rows == tuple(other.rows())
        assert journal.digest == other.digest
        with pytest.raises(CannotSave):
            other.extend([Batch([("moved", {})], NOW), Batch([("moved", {"a": object()})], NOW)])
    with Journal.open(tmp_path / "at-once.battle") as again:
        assert tuple(again.rows()) == rows
        assert again.digest == journal.digest


def test_rows_returned_are_the_rows_kept(journal: Journal) -> None:
    (row,) = journal.append([("moved", {"path": (1, (2, 3))})], NOW)
    assert row.body == {"path": [1, [2, 3]]}
    assert list(journal.rows()) == [row]


def test_numbers_as_keys_become_text_as_json_has_it(path: Path, journal: Journal) -> None:
    (row,) = journal.append([("moved", {"cost": {10: 1, 9: 2}})], NOW)
    assert row.body == {"cost": {"10": 1, "9": 2}}
    journal.close()
    with Journal.open(path) as reopened:
        assert list(reopened.rows()) == [row]


def test_many_rows_come_in_order_without_gaps(path: Path, journal: Journal) -> None:
    journal.append([("moved", {"n": number}) for number in range(1, 1001)], NOW)
    journal.close()
    with Journal.open(path, read_only=True) as reopened:
        assert [(row.seq, row.batch, row.body["n"]) for row in reopened.rows()] == [(n, 1, n) for n in range(1, 1001)]


def test_appending_nothing_saves_nothing(journal: Journal) -> None:
    assert journal.append([], NOW) == ()
    assert list(journal.rows()) == []


def test_only_the_owner_may_look(path: Path, journal: Journal) -> None:
    journal.append([("moved", {})], NOW)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_a_closed_battle_is_one_file(path: Path, journal: Journal) -> None:
    journal.append([("moved", {})], NOW)
    journal.close()
    journal.close()
    assert list(path.parent.iterdir()) == [path]


def test_the_file_names_its_program_and_format(path: Path, journal: Journal) -> None:
    journal.close()
    raw = path.read_bytes()
    assert raw[68:72] == b"bbrd"
    assert int.from_bytes(raw[60:64]) == 2


def test_the_writer_is_as_careful_as_measured(journal: Journal) -> None:
    asked = ("journal_mode", "synchronous", "mmap_size", "trusted_schema", "cell_size_check", "foreign_keys")
    settings = [journal._connection.execute(f"PRAGMA {name}").fetchone() for name in asked]
    assert settings in ([("persist",), (3,), (0,), (0,), (1,), (1,)], [("persist",), (3,), None, (0,), (1,), (1,)])


def test_a_battle_never_grows_too_large_to_be_opened(path: Path, journal: Journal) -> None:
    pages, size = (
        journal._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("max_page_count", "page_size")
    )
    assert pages * size == LARGEST_FILE
    journal._connection.execute("PRAGMA max_page_count = 20")
    kept = journal.append([("moved", {"text": "x" * 30_000})], NOW)
    with pytest.raises(CannotSave, match="full"):
        journal.append([("moved", {"text": "x" * 90_000})], NOW)
    assert tuple(journal.rows()) == kept


@pytest.mark.parametrize("name", ["what?.battle", "no#1.battle", "50%20.battle", "a b'\".battle", "bä\udcff.battle"])
def test_odd_names_are_names(tmp_path: Path, name: str) -> None:
    with Journal.create(tmp_path / name, HEADER) as journal:
        journal.append([("moved", {})], NOW)
        assert (tmp_path / name).exists()
    with Journal.open(tmp_path / name) as journal:
        assert len(list(journal.rows())) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_create_refuses_what_is_there(path: Path, journal: Journal) -> None:
    journal.close()
    before = path.read_bytes()
    with pytest.raises(CannotSave, match="already exists"):
        Journal.create(path, HEADER)
    assert path.read_bytes() == before


def test_create_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "link.battle").symlink_to(tmp_path / "target")
    with pytest.raises(CannotSave, match="already exists"):
        Journal.create(tmp_path / "link.battle", HEADER)
    assert not (tmp_path / "target").exists()


def test_create_leaves_nothing_of_a_header_that_cannot_be_written(tmp_path: Path) -> None:
    header = Header("id", "1", "now", "\udcff", "m", "t", "r", {}, "s")
    with pytest.raises(CannotSave):
        Journal.create(tmp_path / "bad.battle", header)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "body",
    [{"n": float("nan")}, {"n": float("inf")}, {"t": "\ud800"}, {"o": object()}, {1: 1, "1": 1}],
)
def test_a_body_that_json_cannot_hold_is_refused_whole(path: Path, journal: Journal, body: dict[str, object]) -> None:
    kept = journal.append([("moved", {"n": 1})], NOW)
    with pytest.raises(CannotSave):
        journal.append([("moved", {"n": 2}), ("moved", body)], NOW)
    assert journal.read_only
    with pytest.raises(CannotSave, match="read-only"):
        journal.append([("moved", {})], NOW)
    assert tuple(journal.rows()) == kept
    journal.close()
    with Journal.open(path) as reopened:
        assert tuple(reopened.rows()) == kept


def test_a_reader_follows_the_writer(path: Path, journal: Journal) -> None:
    journal.append([("moved", {})], NOW)
    with Journal.open(path, read_only=True) as reader:
        assert reader.read_only
        assert len(list(reader.rows())) == 1
        journal.append([("moved", {})], NOW)
        assert list(reader.rows()) == list(journal.rows())
        with pytest.raises(CannotSave, match="read-only"):
            reader.append([("moved", {})], NOW)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader._connection.execute("DELETE FROM journal")
    journal.append([("moved", {})], NOW)


def test_a_reader_that_pauses_does_not_stop_the_writer(path: Path, journal: Journal) -> None:
    journal.append([("moved", {"n": number}) for number in range(1500)], NOW)
    with Journal.open(path, read_only=True) as reader:
        rows = reader.rows()
        next(rows)
        journal.append([("moved", {"n": 1500})], NOW)
        assert [row.body["n"] for row in rows] == list(range(1, 1501))


def test_a_second_writer_is_reported_who_the_first_is(path: Path, journal: Journal) -> None:
    journal.close()
    with held_by_another_process(path) as holder:
        with pytest.raises(OpenElsewhere, match="read-only") as refusal:
            Journal.open(path)
        assert f"process {holder.pid} on {os.uname().nodename}" in str(refusal.value)
        with Journal.open(path, read_only=True) as reader:
            assert list(reader.rows()) == []
    with Journal.open(path) as after_its_death:
        after_its_death.append([("moved", {})], NOW)


def test_a_second_writer_in_this_process_is_refused_too(path: Path, journal: Journal) -> None:
    with pytest.raises(OpenElsewhere, match=f"process {os.getpid()} on"):
        Journal.open(path)
    journal.append([("moved", {})], NOW)


def test_a_lock_file_that_says_odd_things_is_shown_plain(path: Path, journal: Journal) -> None:
    path.with_name("fight.battle.lock").write_bytes(b"\xff\x1b]52;c;AAAA\x07" * 100)
    with pytest.raises(OpenElsewhere) as refusal:
        Journal.open(path)
    assert "\x1b" not in str(refusal.value)
    assert len(refusal.value.holder) <= 80


def test_a_lock_that_is_a_link_is_not_followed(path: Path, journal: Journal) -> None:
    journal.close()
    letters = path.with_name("letters.txt")
    letters.write_text("dear")
    path.with_name("fight.battle.lock").symlink_to(letters)
    with pytest.raises(CannotSave):
        Journal.open(path)
    assert letters.read_text() == "dear"


def test_the_lock_left_by_a_killed_program_names_the_new_holder(path: Path, journal: Journal) -> None:
    journal.close()
    lock = path.with_name("fight.battle.lock")
    lock.write_text("process 1 on a machine with a very, very long name\n")
    with Journal.open(path):
        assert lock.read_text() == f"process {os.getpid()} on {os.uname().nodename}\n"


def test_a_lock_removed_while_it_was_taken_is_taken_again(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()
    lock, calls = path.with_name("fight.battle.lock"), []

    def flock_after_removal(descriptor: int, operation: int) -> None:
        calls.append(operation)
        if len(calls) == 1:
            lock.unlink()
        flock(descriptor, operation)

    monkeypatch.setattr("engine.journal.journal_lock.fcntl.flock", flock_after_removal)
    with Journal.open(path):
        assert lock.exists()
        with pytest.raises(OpenElsewhere):
            Journal.open(path)


def test_without_any_locks_on_the_system_a_battle_opens(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()
    monkeypatch.setattr("engine.journal.journal_lock.fcntl", None)
    with Journal.open(path) as unlocked:
        unlocked.append([("moved", {})], NOW)
        assert not path.with_name("fight.battle.lock").exists()


def test_a_lock_that_is_no_plain_file_is_refused(path: Path, journal: Journal) -> None:
    journal.close()
    os.mkfifo(path.with_name("fight.battle.lock"))
    with pytest.raises(CannotSave):
        Journal.open(path)


def test_without_the_lock_the_second_to_write_is_refused(path: Path, journal: Journal) -> None:
    journal.append([("moved", {"by": "first"})], NOW)
    path.with_name("fight.battle.lock").unlink()
    second = Journal.open(path)
    kept = journal.append([("moved", {"by": "first"}), ("moved", {"by": "first"})], NOW)
    with pytest.raises(CannotSave, match="another program changed it"):
        second.append([("moved", {"by": "second"})], NOW)
    assert second.read_only
    journal.append([("moved", {"by": "first"})], NOW)
    assert list(second.rows()) == list(journal.rows())
    second.close()
    journal.close()
    with Journal.open(path) as reopened:
        rows = tuple(reopened.rows())
        assert rows[1:3] == kept
        assert {row.body["by"] for row in rows} == {"first"}


def test_closing_leaves_the_lock_file_of_another_alone(path: Path, journal: Journal) -> None:
    lock = path.with_name("fight.battle.lock")
    lock.unlink()
    with Journal.open(path):
        journal.close()
        assert lock.exists()
        with pytest.raises(OpenElsewhere):
            Journal.open(path)
    assert not lock.exists()


def test_a_program_that_locks_the_database_is_another_opener(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()
    monkeypatch.setattr("engine.journal.store.BUSY_SECONDS", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(OpenElsewhere, match="read-only"):
            Journal.open(path)
    finally:
        other.close()


@pytest.mark.long
def test_a_reader_that_stays_refuses_a_command_and_no_more(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shared lock of SQLite's, held by another program, as by a backup or a browser of databases."""
    monkeypatch.setattr(journal_lock, "PATIENCE_SECONDS", 1)
    kept = journal.append([("moved", {"n": 1})], NOW)
    waits: list[int] = []
    journal.on_wait = waits.append
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM journal").fetchall()
        with pytest.raises(InUse, match="Nothing has changed"):
            journal.append([("moved", {"n": 2})], NOW)
        assert waits == [0]
        assert not journal.read_only
        assert tuple(journal.rows()) == kept
        assert len(reader.execute("SELECT * FROM journal").fetchall()) == 1
    (later,) = journal.append([("moved", {"n": 3})], NOW)
    assert later.seq == 2
    assert not journal.fault()
    journal.close()
    with Journal.open(path) as again:
        assert tuple(again.rows()) == (*kept, later)


@pytest.mark.parametrize("how", ["whole", "deleted", "another battle", "overwritten", "older"])
def test_what_is_said_of_a_file_was_found_in_it(path: Path, journal: Journal, how: str) -> None:
    journal.append([("moved", {"n": 1})], NOW)
    older = path.read_bytes()
    journal.append([("moved", {"n": 2})], NOW)
    match how:
        case "deleted":
            path.unlink()
        case "another battle":
            Journal.create(path.with_name("other.battle"), replace(HEADER, battle_id="other")).close()
            path.with_name("other.battle").rename(path)
        case "overwritten":
            path.write_bytes(b"\x5a" * 20_000)
        case "older":
            path.write_bytes(older)
    assert bool(journal.fault()) == (how != "whole")
    assert journal.is_in_place == (how in ("whole", "overwritten", "older"))


@pytest.mark.parametrize("how", ["moved", "replaced", "folder moved"])
def test_a_file_that_went_away_takes_no_more(path: Path, journal: Journal, how: str) -> None:
    kept = journal.append([("moved", {})], NOW)
    match how:
        case "moved":
            path.rename(path.with_name("elsewhere"))
        case "replaced":
            path.rename(path.with_name("elsewhere"))
            path.write_bytes(path.with_name("elsewhere").read_bytes())
        case _:
            path.parent.rename(path.parent.with_name("elsewhere"))
    with pytest.raises(CannotSave, match=r"has replaced it|no longer exists"):
        journal.append([("moved", {})], NOW)
    assert tuple(journal.rows()) == kept


def test_a_row_is_spelt_as_every_other_json_is() -> None:
    for word in ("", "plain", 'quoted "so"', "back\\slash", "tab\tand\nbreak", "Zoë 忍者 \x7f \u2028", "\x00\x1f"):
        row = [7, 3, "2026-11-21T20:00:00", word, 2, word * 2]
        assert linked(b"before", *row) == digest_of(b"before", row)  # type: ignore[arg-type]


@contextmanager
def locked_by_another(path: Path) -> Iterator[None]:
    """An SQLite tool in the middle of a write."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_a_file_in_use_was_not_looked_at_and_nothing_is_wrong_with_it(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "BUSY_SECONDS", 0)
    journal.append([("moved", {})], NOW)
    with locked_by_another(path), pytest.raises(OpenElsewhere):
        journal.fault()
    assert not journal.fault()
    path.rename(path.with_name("elsewhere"))
    assert journal.fault()
    path.with_name("elsewhere").rename(path)
    with locked_by_another(path):
        assert journal.fault(), "what was said of it is not taken back unread"


def test_after_closing_a_file_is_read_once(path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    path.rename(path.with_name("elsewhere"))
    assert journal.fault()
    path.with_name("elsewhere").rename(path)
    journal.close()
    assert not journal.fault(), "what was found before closing is not what is there now"
    monkeypatch.setattr(Journal, "open", lambda *_, **__: pytest.fail("it is read again"))
    assert not journal.fault()


def test_a_file_that_may_not_be_read_is_not_called_crashed(
    path: Path, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()
    monkeypatch.setattr(os, "access", lambda *_: False)  # tests may run as root, who may read all
    with pytest.raises(NotABattle, match="you have no permission to read it"):
        Journal.open(path, read_only=True)


@pytest.mark.parametrize(
    ("lies_beside", "said"), [(True, "a crash interrupted the last save"), (False, "unable to open")]
)
def test_only_what_lies_beside_a_file_says_that_a_save_was_cut_short(
    path: Path, journal: Journal, lies_beside: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.close()
    if lies_beside:
        path.with_name(f"{path.name}-journal").write_bytes(b"")

    def refuse(*_: object) -> None:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(journal_module, "_connect", refuse)
    with pytest.raises(NotABattle, match=said):
        Journal.open(path, read_only=True, recovers=False)
