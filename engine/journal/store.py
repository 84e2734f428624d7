"""The battle's file: an append-only journal of batches in one SQLite file, the engine's one door to the disk.

What `append` returned is on the disk. Each row carries a hash of everything before it, so that a file is read right or
not at all. What the events mean is not known here. While a battle is open nothing else in this process may open its
file: closing it again would drop SQLite's lock.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Self

from engine.battle.state.codec import canonical
from engine.errors import BattleboardError
from engine.journal import format_1, journal_lock
from engine.journal.batches import Batch, Row, Stamp
from engine.journal.batches import JournalRow as JournalRow
from engine.journal.journal_errors import FAILURES, failing_as, why_of
from engine.journal.journal_errors import CannotSave as CannotSave
from engine.journal.journal_errors import InUse as InUse
from engine.journal.journal_errors import NewerFormat as NewerFormat
from engine.journal.journal_errors import NotABattle as NotABattle
from engine.journal.journal_errors import OpenElsewhere as OpenElsewhere
from engine.journal.journal_file import beginning, check_file, check_size, free_beside, replacing
from engine.journal.journal_rows import (
    APPLICATION_ID,
    FORMAT_2,
    INSERT,
    FileFormat,
    Line,
    digest_after,
    lines_of,
    parse_body,
    read_header,
    write_header,
)
from engine.journal.journal_rows import FORMAT as FORMAT
from engine.journal.journal_rows import Header as Header
from engine.journal.row_kinds import VERSIONS
from engine.journal.upcasters import upcast
from engine.text import clause
from engine.values import replace

LARGEST_TEXT = 64_000_000
"""Bytes of a text that a battle began with, its map or its rules; more than is read of either today."""
LARGEST_BODY = 8_000_000
"""Bytes of an event: four times what all squares of the largest map take."""
BUSY_SECONDS = 2
"""So long opening and reading wait for another program that writes."""
ROWS_AT_ONCE = 500
FORMATS: Mapping[int, FileFormat] = {1: format_1.FORMAT_1, 2: FORMAT_2}
CAREFUL = ("foreign_keys=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "cache_size=-256")
DURABLE = ("page_size=4096", "max_page_count=65536", "journal_mode=PERSIST", "synchronous=EXTRA", "fullfsync=ON")
"""The rollback file is voided with a synced write, not cut off, which would take longer than all syncs together."""


class Journal:
    """An open battle file, for one thread; made by `create` or `open`, to be closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, read_only: bool, opened: ExitStack) -> None:
        self.path, self.read_only = path, read_only
        self.is_writer, self._why_read_only = not read_only, "it is open read-only"
        self.on_wait: Callable[[int], None] = lambda seconds: None
        """Told 0 soon, then once a second the seconds so far, while saving waits for another program at the file."""
        self._opened = opened
        self._is_closed = self._is_settled = self._is_disks_doing = False
        self._found: str | OpenElsewhere = ""
        """What `fault` has found last; settled when that was after closing."""
        self._read(connection)

    def _read(self, connection: sqlite3.Connection) -> None:
        """Goes through all that the file holds."""
        self._connection, self._identity = connection, self.path.lstat()
        self.format: int = connection.execute("PRAGMA user_version").fetchone()[0]
        self.header, self._start = read_header(connection, FORMATS[self.format].added)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_BODY)
        self._tail = (0, self._start)
        self._checked: deque[JournalRow] = deque()
        for row, digest in self._chain():
            self._tail = (row.seq, digest)
            self._checked.append(row)
        if self.is_old:
            self.header = replace(self.header, original=self._tail[1].hex())

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """A new battle, readable by its owner only, on the disk when this returns.

        Raises:
            CannotSave: something of that name is there already, or the place takes no file.
        """
        path = path.absolute()
        with failing_as(CannotSave, path), beginning(path) as begun:
            _write(begun, header, ())
        return cls.open(path)

    @classmethod
    def open(cls, path: Path, read_only: bool = False, recovers: bool = True) -> Self:
        """A battle on the disk, checked from its first byte to its last row.

        Args:
            path: a plain file; links are refused.
            read_only: take no lock and add nothing; another program may write meanwhile.
            recovers: whether a save that a crash cut short may be rolled back first, which alone writes to a file that
                is open read-only; else such a file is refused.

        Raises:
            NotABattle, NewerFormat, OpenElsewhere: see there.
            CannotSave: it may not be written; read-only it may still open.
        """
        path = path.absolute()
        with ExitStack() as opened:
            with failing_as(NotABattle, path):
                check_file(path)
            if not read_only:
                with failing_as(CannotSave, path):
                    opened.callback(journal_lock.take(path).release)
                    if not os.access(path, os.W_OK):  # SQLite would notice at the first append only
                        raise PermissionError("the file may only be read")
            with failing_as(NotABattle, path):
                connection = opened.enter_context(closing(_connect(path, "ro" if read_only and not recovers else "rw")))
                _check_content(path, connection)
                journal = cls(path, connection, read_only, opened)
            with failing_as(CannotSave, path):
                is_written = not read_only and not journal.is_old
                _make_durable(connection) if is_written else connection.execute("PRAGMA query_only=ON")
            journal._opened = opened.pop_all()
        return journal

    @property
    def is_old(self) -> bool:
        """Whether it is of an earlier format: nothing is ever added to such a file, see `extend`."""
        return self.format != FORMAT

    @property
    def old_format_path(self) -> Path:
        """Path where the file of an old format stays, once the battle continues."""
        return free_beside(self.path, f".format-{self.format}")

    def rows(self) -> Iterator[JournalRow]:
        """All rows, each checked against the chain, in today's form; what another program adds meanwhile is included.

        The first time, while nobody else may write, they are those that opening has read, and are then let go.

        Raises:
            NotABattle: the file was damaged after it was opened, or holds rows of a later battleboard.
        """
        checked, self._checked = self._checked, deque()
        if checked and not self.read_only:
            return self._today(checked.popleft() for _ in range(len(checked)))
        return self._today(row for row, _ in self._chain())

    def _today(self, rows: Iterator[JournalRow]) -> Iterator[JournalRow]:
        for row in FORMATS[self.format].rows(rows):
            version = VERSIONS.get(row.kind, 1)
            if row.version == version:
                yield row
                continue
            with failing_as(NotABattle, self.path):
                body = upcast(row.kind, row.version, row.body)
            yield replace(row, version=version, body=body)

    def append(self, rows: Sequence[Row], stamp: Stamp) -> tuple[JournalRow, ...]:
        """Save a batch, all or none: on the disk when this returns.

        Args:
            rows: kind and body of each; a body is a JSON object.
            stamp: when it is saved, and by whom.

        Raises:
            InUse: nothing was saved; it may be tried again.
            CannotSave: nothing was saved, and the journal is read-only. If that is the disk's doing, the next try opens
                the file anew and checks it first.
        """
        return self.extend([Batch(rows, stamp)])

    def extend(self, batches: Sequence[Batch]) -> tuple[JournalRow, ...]:
        """Save several batches in one go, all or none. Raises as `append`.

        A battle of an earlier format first becomes a copy of itself in today's, and its file stays as it was beside it.
        """
        if self.read_only:
            if not self.may_try_again:
                raise self._refusal(self._why_read_only)
            self._open_again()
        try:
            if self.is_old and batches:
                self._renew()
            (seq, digest), rows = self._tail, list[JournalRow]()
            for batch in batches:
                first = seq + 1
                for seq, (kind, body) in enumerate(batch.rows, first):
                    saved_body = json.loads(canonical(dict(body)))
                    rows.append(JournalRow(seq, first, batch.stamp, kind, saved_body, VERSIONS.get(kind, 1)))
            values = [*lines_of(rows, digest)]
            if values:
                self._commit(values)
                self._tail = (seq, values[-1][-1])
                self._checked.clear()  # they are not all any more
        except OpenElsewhere as error:  # an old file could not be read for its copy
            raise InUse(Path(self.path.name)) from error
        except BaseException as error:
            self.read_only, self._is_disks_doing = True, isinstance(error, sqlite3.Error | OSError)
            with suppress(sqlite3.Error):
                self._connection.rollback()
                if journal_lock.is_busy(error) and not self._connection.in_transaction:
                    self.read_only = False
                    raise InUse(Path(self.path.name)) from error
            if isinstance(error, FAILURES):
                self._why_read_only = f"it became read-only after an error: {why_of(error)}"
                raise self._refusal(why_of(error)) from error
            raise
        return tuple(rows)

    @property
    def may_try_again(self) -> bool:
        """Whether it became read-only after an error of the disk, which may be over."""
        return self.read_only and self._is_disks_doing and not self._is_closed

    def _open_again(self) -> None:
        """Opens the file anew after an error, which it may hold no trace of, and writes to it again.

        Raises:
            CannotSave: it cannot be opened, or holds something other than what was saved; it stays read-only.
        """
        try:
            self._check_place()
            if self._connection.in_transaction:  # it could not be rolled back; opening does that
                self._connection.close()
            fresh = self._opened.enter_context(closing(_connect(self.path)))
            _check_content(self.path, fresh)
            self._connection.close()
            self._connection = fresh
            *_, tail = ((0, self._start), *((row.seq, digest) for row, digest in self._chain()))
            if tail != self._tail:
                raise ValueError("its contents have changed")
            if not self.is_old:
                _make_durable(fresh)
        except FAILURES as error:
            raise self._refusal(why_of(error)) from error
        self.read_only = False

    def fault(self) -> str:
        """Problem with the file at this battle's path; "" when it was read and holds all that was saved.

        It is read anew each time, but after closing once at most: from then on the first answer holds.

        Raises:
            OpenElsewhere: another program is using the file; it could not be looked at.
        """
        if not self._is_settled:
            try:
                self._found = self._find_fault()
            except OpenElsewhere as busy:
                self._found = self._found or busy  # what was wrong still is
            self._is_settled = self._is_closed
        if isinstance(self._found, OpenElsewhere):
            raise self._found
        return self._found

    def _find_fault(self) -> str:
        """Present problem with the file, as `fault`."""
        try:
            if not self.is_in_place:
                return "another file has replaced it" if os.path.lexists(self.path) else "it no longer exists"
            with Journal.open(self.path, read_only=True) as found:
                links = ((row.seq, digest) for row, digest in found._chain())
                is_whole = self._tail == (0, found._start) or self._tail in links
            return "" if is_whole else "its contents have changed"
        except OSError as error:
            return why_of(error)
        except NotABattle as error:
            return error.found
        except OpenElsewhere:
            raise
        except BattleboardError as error:
            return clause(str(error))

    @property
    def is_in_place(self) -> bool:
        """Whether the file that was opened is still the one at its path. What it holds only `fault` knows."""
        try:
            return os.path.samestat(self.path.lstat(), self._identity)
        except OSError:
            return False

    def _refusal(self, why: str) -> CannotSave:
        """Refusal to save that describes the present state of the file."""
        if not self.is_writer:
            return CannotSave(self.path, why)
        name = Path(self.path.name)  # the player knows where it is
        try:
            if fault := self.fault():
                after = "The battle is in memory; it is saved to a new file when you quit."
                return CannotSave(name, fault, after)
        except OpenElsewhere:
            return CannotSave(name, why, "The command was not saved. Another program is using the file.")
        return CannotSave(
            name, why, "The command was not saved. The file holds everything before it; the next command tries again."
        )

    @property
    def digest(self) -> str:
        """The hash of everything in it, in today's form, as exports have it."""
        return digest_after(self.header, self._today(row for row, _ in self._chain()))

    def close(self) -> None:
        """Leave one file, closed and unlocked. Twice does no harm."""
        if not self.read_only:
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA journal_mode=DELETE")  # takes the voided rollback file away
        self.read_only = self._is_closed = True
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _renew(self) -> None:
        """Replaces an old file by a copy in today's format, keeps the old one beside it, and continues in the copy."""
        self._check_place()
        links = [*self._chain()]
        if links and self._tail != (len(links), links[-1][1]):
            raise ValueError("another program changed it; open it again")
        with replacing(self.path, self.old_format_path) as begun:
            _write(begun, self.header, list(self._today(row for row, _ in links)))
        renewed = self._opened.enter_context(closing(_connect(self.path)))
        _check_content(self.path, renewed)
        self._connection.close()
        self._read(renewed)
        _make_durable(renewed)

    def _check_place(self) -> None:
        if not os.path.samestat(self.path.lstat(), self._identity):
            raise OSError("another file has replaced it")

    def _commit(self, values: list[Line]) -> None:
        self._check_place()
        execute = journal_lock.Patience(self._connection, self.on_wait).execute
        execute("BEGIN IMMEDIATE")
        self._connection.executemany(INSERT, values)
        execute("COMMIT")

    def _let_go_if_moved(self) -> None:
        """A battle that was moved away is read on: SQLite would miss the file beside its voided rollback file."""
        if self.is_writer and not os.path.lexists(self.path):
            with suppress(OSError):
                self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)

    def _chain(self) -> Iterator[tuple[JournalRow, bytes]]:
        self._let_go_if_moved()
        form = FORMATS[self.format]
        linked = form.linked
        seq, batch, digest, more = 0, 0, self._start, True
        last_stamp: tuple[str, Stamp] | None = None
        while more:
            links = []
            with failing_as(NotABattle, self.path):
                first_seq = seq + 1 if seq else -(2**63)
                found: list[Line] = self._connection.execute(form.select, (first_seq, ROWS_AT_ONCE)).fetchall()
                for number, first, stamp, kind, version, text, saved_digest in found:
                    digest, seq = linked(digest, number, first, stamp, kind, version, text), seq + 1
                    if saved_digest != digest or number != seq or first not in (batch, seq):
                        raise ValueError(f"row {seq} is damaged or missing")
                    batch = first
                    if last_stamp is None or last_stamp[0] != stamp:
                        if first != seq:
                            raise ValueError(f"row {seq} has another stamp than its batch")
                        last_stamp = stamp, form.stamp(stamp)
                    links.append((JournalRow(seq, batch, last_stamp[1], kind, parse_body(text), version), digest))
            yield from links
            more = len(found) == ROWS_AT_ONCE


def _connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_TEXT)
    for setting in CAREFUL:
        connection.execute(f"PRAGMA {setting}")
    return connection


def _make_durable(connection: sqlite3.Connection) -> None:
    for setting in DURABLE:
        connection.execute(f"PRAGMA {setting}")
    connection.execute("BEGIN IMMEDIATE")  # refused here while another program writes
    connection.execute("ROLLBACK")
    connection.execute(f"PRAGMA busy_timeout={journal_lock.STEP_MS}")  # the rest is `Patience`'s


def _write(begun: Path, header: Header, rows: Sequence[JournalRow]) -> None:
    """A whole battle in a new file, on the disk when this returns."""
    with closing(_connect(begun)) as connection:
        _make_durable(connection)
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, lines_of(rows, write_header(connection, header)))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode=DELETE")


def _check_content(path: Path, connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ValueError("it belongs to another program")
    check_size(path)  # once more: a rollback may have changed its size
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > FORMAT:
        raise NewerFormat(path, version)
    tables = tuple(sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema ORDER BY name DESC"))
    if version not in FORMATS or tables != FORMATS[version].tables:
        raise ValueError("its tables are not those of a battle")
    health = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if health != "ok":
        raise ValueError(f"it is damaged ({health})")
