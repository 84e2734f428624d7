"""The journal and files that are not, or no longer, a battle: refused with one sentence, and left as they are."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.journal.batches import write_stamp
from engine.journal.store import Header, Journal, NewerFormat, NotABattle
from tests.stamps import NOW

HEADER = Header("id", "0.1.0", "now", "A fight", "m.toml", "squares", "volt", {"rules.toml": "x"}, "1866")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "fight.battle"
    with Journal.create(path, HEADER) as journal:
        for number in range(60):
            journal.append([("moved", {"n": number, "to": f"marker-{number:03}" * 20})], NOW)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, whole: bytes) -> Path:
    path = tmp_path / "fight.battle"
    path.write_bytes(whole)
    return path


def rewrite(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def refusal(path: Path) -> str:
    """The sentence with which both kinds of opening refuse; the file is as it was, and nothing lies beside it."""
    before, beside = path.read_bytes(), set(path.parent.iterdir())
    for read_only in (True, False):
        with pytest.raises(NotABattle) as caught:
            Journal.open(path, read_only)
    assert (path.read_bytes(), set(path.parent.iterdir())) == (before, beside)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def forge(path: Path, *events: tuple[Any, Any, str]) -> None:
    """Replace all events, by seq, batch and body text, with hashes that fit: the work of a careful forger."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        digest = bytes.fromhex(connection.execute("SELECT value FROM meta WHERE key = 'hash'").fetchone()[0])
        connection.execute("DELETE FROM journal")
        for seq, batch, body in events:
            line = (seq, batch, write_stamp(NOW), "moved", 1, body)
            text = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
            digest = hashlib.sha256(digest + text.encode()).digest()
            connection.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)", (*line, digest))


def test_the_forger_knows_the_format(path: Path) -> None:
    forge(path, (1, 1, '{"n":1}'), (2, 1, "{}"), (3, 3, "{}"))
    with Journal.open(path) as journal:
        assert [(row.batch, row.body) for row in journal.rows()] == [(1, {"n": 1}), (1, {}), (3, {})]


@pytest.mark.parametrize(
    "events",
    [
        [(1, 1, "{}"), (3, 3, "{}")],
        [(1, 1, "{}"), (3, 1, "{}")],
        [(2, 2, "{}")],
        [(0, 0, "{}"), (1, 1, "{}")],
        [(-5, -5, "{}"), (1, 1, "{}")],
        [(1, 1, "{}"), (2, 2, "{}"), (3, 1, "{}")],
        [(1, 2, "{}")],
        [(1, 1, "[]")],
        [(1, 1, "")],
        [(1, 1, "{ }")],
        [(1, 1, '{"n":1e999}')],
        [(1, 1, '{"n":"\\ud800"}')],
        [(1, 1, '{"n":NaN}')],
        [(1, 1, '{"n":-Infinity}')],
        [(1, 1, '{"n":1,"n":2}')],
        [(1, 1, '{"n":{"m":1,"m":1}}')],
        [(1, 1, '{"n":' + "[" * 100_000)],
        [(1, 1, '{"n":' + "9" * 5000 + "}")],
    ],
)
def test_rows_that_no_battle_holds_are_refused(path: Path, events: list[tuple[Any, Any, str]]) -> None:
    forge(path, *events)
    refusal(path)


@pytest.mark.parametrize(
    "values",
    [
        {"ruleset_texts": '{"a":1}'},
        {"ruleset_texts": "[]"},
        {"ruleset_texts": None},
        {"seed": None},
        {"more": "x"},
        {"self": "x"},
    ],
)
def test_a_header_that_no_battle_has_is_refused(path: Path, values: dict[str, str | None]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        kept = dict(connection.execute("SELECT key, value FROM meta WHERE key <> 'hash'")) | values
        kept = {key: value for key, value in kept.items() if value is not None}
        text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        kept["hash"] = hashlib.sha256(text.encode()).hexdigest()
        connection.execute("DELETE FROM meta")
        connection.executemany("INSERT INTO meta VALUES (?, ?)", kept.items())
    forge(path, (1, 1, "{}"))
    refusal(path)


def test_a_flipped_bit_in_a_body_is_found_though_sqlite_finds_nothing(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"marker-030") + 8] ^= 1
    path.write_bytes(raw)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert "row 31 is damaged" in refusal(path)


def test_damage_outside_the_rows_is_found_too(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[39] = 5  # the count of free pages
    path.write_bytes(raw)
    assert "damaged" in refusal(path)


def test_a_flipped_bit_in_the_header_is_found(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"A fight") + 2] ^= 1
    path.write_bytes(raw)
    assert "header is damaged" in refusal(path)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM journal WHERE seq = 30",
        "DELETE FROM journal WHERE seq = 1",
        "INSERT INTO journal SELECT -5, batch, stamp, kind, version, body, hash FROM journal WHERE seq = 1",
        "UPDATE journal SET stamp = 'later' WHERE seq = 60",
        "UPDATE journal SET kind = 'fell' WHERE seq = 5",
        "UPDATE journal SET batch = 1 WHERE seq = 2",
        "UPDATE journal SET version = 2 WHERE seq = 7",
        "UPDATE journal SET hash = zeroblob(32) WHERE seq = 60",
        "UPDATE journal SET seq = 61 WHERE seq = 60",
        "UPDATE journal SET body = CAST(x'ff' AS TEXT) WHERE seq = 9",
        "UPDATE meta SET value = '2' WHERE key = 'seed'",
        "UPDATE meta SET value = CAST(x'ff' AS TEXT) WHERE key = 'seed'",
        "DELETE FROM meta WHERE key = 'hash'",
        "DELETE FROM meta",
        "INSERT INTO meta VALUES ('more', '')",
        "CREATE TABLE more (x)",
        "CREATE TRIGGER late AFTER INSERT ON journal BEGIN DELETE FROM journal; END",
        "DROP TABLE journal",
        "PRAGMA application_id = 0",
        "PRAGMA user_version = 0",
        "PRAGMA journal_mode = WAL",
    ],
)
def test_a_change_by_other_hands_is_found(path: Path, statement: str) -> None:
    rewrite(path, statement)
    if "WAL" in statement:  # nothing is wrong with the rows, and nothing may be done before they were checked
        with Journal.open(path) as journal:
            assert len(list(journal.rows())) == 60
            journal.append([("moved", {})], NOW)
        assert list(path.parent.iterdir()) == [path]
        return
    refusal(path)


def test_a_view_in_the_place_of_the_events_never_runs(path: Path) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    rewrite(path, "DROP TABLE journal", f"CREATE VIEW journal AS {endless}")
    assert "tables" in refusal(path)


def test_a_newer_format_is_named(path: Path) -> None:
    rewrite(path, "PRAGMA user_version = 3", "CREATE TABLE more (x)")
    before = path.read_bytes()
    for read_only in (True, False):
        with pytest.raises(NewerFormat, match="newer"):
            Journal.open(path, read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("size", [1, 15, 16, 99, 100, 511, 512, 4095, 4096, 4097, 8192, 20_000, -4096, -512, -1])
def test_a_cut_file_is_refused(path: Path, size: int) -> None:
    os.truncate(path, size if size > 0 else path.stat().st_size + size)
    refusal(path)


def test_a_zeroed_page_is_refused_wherever_it_is(path: Path) -> None:
    raw = path.read_bytes()
    for start in range(0, len(raw), 4096):
        path.write_bytes(raw[:start] + bytes(4096) + raw[start + 4096 :])
        refusal(path)


@pytest.mark.parametrize("content", [b"", b"\0" * 8192, b"name = 'x'\n", b"SQLite format 3\0", b"\xff" * 5000])
def test_what_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.battle").write_bytes(content)
    refusal(tmp_path / "odd.battle")


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_the_database_of_another_program_is_left_alone(tmp_path: Path, mode: str) -> None:
    other = tmp_path / "history.sqlite"
    rewrite(other, f"PRAGMA journal_mode = {mode}", "CREATE TABLE event (seq, batch, time, kind, body, hash)")
    assert "another program" in refusal(other)


def test_a_database_in_use_with_a_log_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "history.sqlite"
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE event (x)")
        with pytest.raises(NotABattle, match="beside it"):
            Journal.open(other)


def refuse_kind(place: Path) -> None:
    for read_only in (True, False):
        with pytest.raises(NotABattle):
            Journal.open(place, read_only)


@pytest.mark.parametrize(
    "make",
    [
        os.mkfifo,
        Path.mkdir,
        lambda place: place.symlink_to(place.with_name("fight.battle")),
        lambda place: place.symlink_to("/dev/zero"),
        lambda place: place.symlink_to(place),
        lambda place: place.touch(),
        lambda place: None,
    ],
    ids=["fifo", "folder", "link", "link to a device", "link to itself", "empty", "missing"],
)
def test_what_is_no_plain_file_is_refused_unread(path: Path, make: Callable[[Path], None]) -> None:
    place = path.with_name("odd.battle")
    make(place)
    refuse_kind(place)


@pytest.mark.parametrize("place", ["/dev/null", "/dev/zero", "/dev/tty", "/", "/nowhere/x", "nul\0.battle", "x" * 5000])
def test_places_that_hold_no_battle_are_refused(place: str) -> None:
    refuse_kind(Path(place))


def test_a_file_of_absurd_size_is_refused_unread(path: Path) -> None:
    os.truncate(path, 10 * 2**30)
    refuse_kind(path)


def test_a_rollback_file_that_is_a_fifo_is_refused_unread(path: Path) -> None:
    os.mkfifo(path.with_name("fight.battle-journal"))
    refuse_kind(path)


@pytest.fixture
def cut_off(path: Path) -> Path:
    """A copy of the battle as it was in the middle of saving, its rollback file beside it."""
    copy = path.with_name("copy.battle")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN")
        connection.execute("UPDATE journal SET body = '{}'")
        connection.execute(
            "INSERT INTO journal SELECT seq + 100, 1, stamp, kind, 1, randomblob(9000) || '', hash FROM journal"
        )
        for ending in ("", "-journal"):
            shutil.copy(f"{path}{ending}", f"{copy}{ending}")
        connection.execute("ROLLBACK")
    assert copy.read_bytes() != path.read_bytes()
    return copy


@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_cut_off_in_the_middle_of_saving_is_rolled_back(path: Path, cut_off: Path, read_only: bool) -> None:
    with Journal.open(path, read_only=True) as whole, Journal.open(cut_off, read_only) as recovered:
        assert list(recovered.rows()) == list(whole.rows())


def test_a_rollback_file_that_names_another_file_is_refused(tmp_path: Path, cut_off: Path) -> None:
    victim = tmp_path / "letters.txt"
    victim.write_text("SQLite would delete this file, as if it had made it")
    name = bytes(victim)
    with cut_off.with_name("copy.battle-journal").open("ab") as rollback:
        rollback.write(struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)))
        rollback.write(bytes.fromhex("d9d505f920a163d7"))
    refuse_kind(cut_off)
    assert victim.exists()


def test_a_rollback_file_that_would_blow_the_file_up_is_refused(cut_off: Path) -> None:
    with cut_off.with_name("copy.battle-journal").open("r+b") as rollback:
        rollback.seek(16)
        rollback.write(struct.pack(">I", 2**28))
    refuse_kind(cut_off)
