"""The battle's file: an append-only journal of events in one SQLite file, the engine's one door to the disk.

What `append` returned is on the disk. Each row carries a hash of everything before it, so that a file is read right or
not at all. What the events mean is not known here. While a battle is open nothing else in this process may open its
file: closing it again would drop SQLite's lock.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import asdict

from engine.battle.codec import canonical
from engine.battle.record import journal_lock
from engine.battle.record.journal_file import beginning, check_file, check_size, is_cut_short
from engine.errors import BattleboardError
from engine.text import clean, visible

APPLICATION_ID = 0x62627264  # "bbrd"
FORMAT = 1
LARGEST_TEXT = 64_000_000
"""Bytes of a text that a battle began with, its map or its rules; more than is read of either today."""
LARGEST_BODY = 8_000_000
"""Bytes of an event: four times what all squares of the largest map take."""
BUSY_SECONDS = 2
"""So long opening and reading wait for another program that writes."""
ROWS_AT_ONCE = 500
TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE event (seq INTEGER PRIMARY KEY, batch INTEGER NOT NULL, time TEXT NOT NULL,
    kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT""",
)
CAREFUL = ("foreign_keys=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0")
DURABLE = ("page_size=4096", "max_page_count=65536", "journal_mode=PERSIST", "synchronous=EXTRA", "fullfsync=ON")
"""The rollback file is voided with a synced write, not cut off, which would take longer than all syncs together."""


class NotABattle(BattleboardError):
    """A file that is missing, foreign or damaged; `found` says what was seen."""

    def __init__(self, path: Path, found: str) -> None:
        self.found = found
        super().__init__(f"{visible(str(path))} cannot be opened as a battle: {found}. Nothing was changed.")


class OpenElsewhere(BattleboardError):
    """A battle that another program writes; `holder` says which."""

    def __init__(self, path: Path, holder: str) -> None:
        self.holder = holder
        super().__init__(f"{visible(str(path))} is open elsewhere ({holder}): close it there, or open it read-only.")


class NewerFormat(BattleboardError):
    """A battle written by a later version of this program."""

    def __init__(self, path: Path, found: int) -> None:
        told = f"is in format {found} of a newer battleboard, and this one knows up to {FORMAT}: update this one"
        super().__init__(f"{visible(str(path))} {told}. Nothing was changed.")


class CannotSave(BattleboardError):
    """A file that does not take what it is given; `after` says what was found to be true of the file then."""

    def __init__(self, path: Path, why: str, after: str = "Nothing was changed.") -> None:
        self.why = why
        super().__init__(f"{visible(str(path))} cannot be saved: {why}. {after}")


class InUse(CannotSave):
    """A file that another program has been using for too long; nothing has changed, and saving may be tried again."""

    def __init__(self, path: Path) -> None:
        why = f"another program has used it for {journal_lock.PATIENCE_SECONDS} s"
        super().__init__(path, why, "Nothing has changed. Close that program, then try again.")


class Header(Struct, frozen=True):
    """What a battle began with, never changed; `created` is for display only."""

    battle_id: str
    version: str
    created: str
    title: str
    map_file: str
    map_text: str
    ruleset_id: str
    ruleset_texts: Mapping[str, str]
    seed: str


class JournalRow(Struct, frozen=True):
    """One event: `seq` counts from 1 without gaps, `batch` is the seq of the first row saved together with it."""

    seq: int
    batch: int
    time: str
    kind: str
    body: Mapping[str, Any]


class Journal:
    """An open battle file, for one thread; made by `create` or `open`, to be closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, read_only: bool, opened: ExitStack) -> None:
        self.path, self.read_only = path, read_only
        self.is_writer, self._why_read_only = not read_only, "it is open read-only"
        self.on_wait: Callable[[int], None] = lambda seconds: None
        """Told 0 soon, then once a second the seconds so far, while saving waits for another program at the file."""
        self._connection, self._opened, self._identity = connection, opened, path.lstat()
        self.header, self._start = _read_header(connection)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_BODY)
        self._tail = (0, self._start)
        self._is_closed = self._is_settled = False
        self._found: str | OpenElsewhere = ""
        """What `fault` has found last; settled when that was after closing."""
        self._checked: deque[JournalRow] = deque()
        for row, digest in self._chain():
            self._tail = (row.seq, digest)
            self._checked.append(row)

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """A new battle, readable by its owner only, on the disk when this returns.

        Raises:
            CannotSave: something of that name is there already, or the place takes no file.
        """
        path = path.absolute()
        with _failing_as(CannotSave, path), beginning(path) as begun, closing(_connect(begun)) as connection:
            _write_header(connection, header)
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
            with _failing_as(NotABattle, path):
                check_file(path)
            if not read_only:
                with _failing_as(CannotSave, path):
                    opened.callback(journal_lock.take(path).release)
                    if not os.access(path, os.W_OK):  # SQLite would notice at the first append only
                        raise PermissionError("the file may only be read")
            with _failing_as(NotABattle, path):
                connection = opened.enter_context(closing(_connect(path, "ro" if read_only and not recovers else "rw")))
                _check_content(path, connection)
                journal = cls(path, connection, read_only, opened)
            with _failing_as(CannotSave, path):
                connection.execute("PRAGMA query_only=ON") if read_only else _make_durable(connection)
            journal._opened = opened.pop_all()
        return journal

    def rows(self) -> Iterator[JournalRow]:
        """All rows, each checked against the chain; what another program adds meanwhile is included.

        The first time, while nobody else may write, they are those that opening has read, and are then let go.

        Raises:
            NotABattle: the file was damaged after it was opened.
        """
        checked, self._checked = self._checked, deque()
        if checked and not self.read_only:
            return (checked.popleft() for _ in range(len(checked)))
        return (row for row, _ in self._chain())

    def append(self, events: Sequence[tuple[str, Mapping[str, Any]]], time: str) -> tuple[JournalRow, ...]:
        """Save events, all or none: on the disk when this returns.

        Args:
            events: kind and body of each; a body is a JSON object.
            time: when the batch happened, for display only.

        Raises:
            InUse: nothing was saved; it may be tried again.
            CannotSave: nothing was saved, and the journal is read-only from now on.
        """
        return self.extend([(events, time)])

    def extend(self, batches: Sequence[tuple[Sequence[tuple[str, Mapping[str, Any]]], str]]) -> tuple[JournalRow, ...]:
        """Save several batches in one go, each with its time, all or none. Raises as `append`."""
        if self.read_only:
            raise self._refusal(self._why_read_only)
        try:
            (seq, digest), rows, values = self._tail, [], []
            for events, time in batches:
                batch = seq + 1
                for seq, (kind, body) in enumerate(events, batch):
                    kept = json.loads(canonical(dict(body)))
                    text = canonical(kept).decode()
                    rows.append(JournalRow(seq, batch, time, kind, kept))
                    digest = _linked(digest, seq, batch, time, kind, text)
                    values.append((seq, batch, time, kind, text, digest))
            if values:
                self._commit(values)
                self._tail = (seq, digest)
                self._checked.clear()  # they are not all any more
        except BaseException as error:
            self.read_only = True
            with suppress(sqlite3.Error):
                self._connection.rollback()
                if journal_lock.is_busy(error) and not self._connection.in_transaction:
                    self.read_only = False
                    raise InUse(Path(self.path.name)) from error
            if isinstance(error, FAILURES):
                self._why_read_only = f"it is read-only since this went wrong: {_why(error)}"
                raise self._refusal(_why(error)) from error
            raise
        return tuple(rows)

    def fault(self) -> str:
        """What is wrong with the file at this battle's path; "" when it was read and holds all that was saved.

        It is read anew each time, but after closing once at most: from then on the first answer holds.

        Raises:
            OpenElsewhere: another program is using the file; it could not be looked at.
        """
        if not self._is_settled:
            try:
                self._found = self._look()
            except OpenElsewhere as busy:
                self._found = self._found or busy  # what was wrong still is
            self._is_settled = self._is_closed
        if isinstance(self._found, OpenElsewhere):
            raise self._found
        return self._found

    def _look(self) -> str:
        """What is wrong with the file now, as `fault`."""
        try:
            if not self.is_in_place:
                return "another file is in its place" if os.path.lexists(self.path) else "it is not there any more"
            with Journal.open(self.path, read_only=True) as found:
                links = ((row.seq, digest) for row, digest in found._chain())
                is_whole = self._tail == (0, found._start) or self._tail in links
            return "" if is_whole else "it holds something else"
        except OSError as error:
            return _why(error)
        except NotABattle as error:
            return error.found
        except OpenElsewhere:
            raise
        except BattleboardError as error:
            return str(error).rstrip(".")

    @property
    def is_in_place(self) -> bool:
        """Whether the file that was opened is still the one at its path. What it holds only `fault` knows."""
        try:
            return os.path.samestat(self.path.lstat(), self._identity)
        except OSError:
            return False

    def _refusal(self, why: str) -> CannotSave:
        """A refusal that says of the file what was just found there."""
        if not self.is_writer:
            return CannotSave(self.path, why)
        name = Path(self.path.name)  # whoever plays it knows where it is
        try:
            if fault := self.fault():
                kept = "The battle is in memory; when you quit, it is saved in a new file."
                return CannotSave(name, fault, kept)
        except OpenElsewhere:
            return CannotSave(name, why, "The command is not done. Another program is using the file.")
        return CannotSave(name, why, "The command is not done. The file holds everything before it.")

    @property
    def digest(self) -> str:
        """The hash of everything in it, as of its opening or its own last append."""
        return self._tail[1].hex()

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

    def _commit(self, values: list[tuple[int, int, str, str, str, bytes]]) -> None:
        if not os.path.samestat(self.path.lstat(), self._identity):
            raise OSError("another file has taken its place")
        execute = journal_lock.Patience(self._connection, self.on_wait).execute
        execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)", values)
        execute("COMMIT")

    def _let_go_if_moved(self) -> None:
        """A battle that was moved away is read on: SQLite would miss the file beside its voided rollback file."""
        if self.is_writer and not os.path.lexists(self.path):
            with suppress(OSError):
                self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)

    def _chain(self) -> Iterator[tuple[JournalRow, bytes]]:
        self._let_go_if_moved()
        seq, batch, digest, more = 0, 0, self._start, True
        while more:
            links = []
            with _failing_as(NotABattle, self.path):
                query = "SELECT seq, batch, time, kind, body, hash FROM event WHERE seq >= ? ORDER BY seq LIMIT ?"
                found = self._connection.execute(query, (seq + 1 if seq else -(2**63), ROWS_AT_ONCE)).fetchall()
                for number, first, time, kind, text, kept in found:
                    digest, seq = _linked(digest, number, first, time, kind, text), seq + 1
                    if kept != digest or number != seq or first not in (batch, seq):
                        raise ValueError(f"row {seq} is damaged or missing")
                    batch = first
                    links.append((JournalRow(seq, batch, time, kind, _parse(text)), digest))
            yield from links
            more = len(found) == ROWS_AT_ONCE


FAILURES = (sqlite3.Error, OSError, ValueError, TypeError, RecursionError, MemoryError)


@contextmanager
def _failing_as(failure: type[NotABattle | CannotSave], path: Path) -> Iterator[None]:
    try:
        yield
    except journal_lock.LockTaken as error:
        raise OpenElsewhere(path, str(error)) from None
    except FAILURES as error:
        if journal_lock.is_busy(error):
            raise OpenElsewhere(path, "it does not say which") from error
        raise failure(path, _why(error, path)) from error


def _why(error: BaseException, path: Path | None = None) -> str:
    if isinstance(error, sqlite3.IntegrityError):
        return "it was changed elsewhere; open it again to see what is there"
    if isinstance(error, MemoryError | RecursionError):
        return "it asks for more memory than there is"
    if isinstance(error, sqlite3.DataError) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_TOOBIG:
        return "it holds a text that is too large"
    if is_cut_short(error, path):
        return "the last save was cut short by a crash; “battleboard play” puts that right"
    if isinstance(error, FileExistsError):
        return "something of that name is there already"
    return clean(getattr(error, "strerror", None) or str(error) or type(error).__name__, 120)


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


def _write_header(connection: sqlite3.Connection, header: Header) -> None:
    _make_durable(connection)
    values = asdict(header)
    values["ruleset_texts"] = canonical(dict(header.ruleset_texts)).decode()
    values["hash"] = _digest(b"", values).hex()
    connection.execute("BEGIN IMMEDIATE")
    for step in (f"PRAGMA application_id={APPLICATION_ID}", f"PRAGMA user_version={FORMAT}", *TABLES):
        connection.execute(step)
    connection.executemany("INSERT INTO meta VALUES (?, ?)", values.items())
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
    if version != FORMAT or tables != TABLES:
        raise ValueError("its tables are not those of a battle")
    health = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if health != "ok":
        raise ValueError(f"it is damaged ({health})")


def _read_header(connection: sqlite3.Connection) -> tuple[Header, bytes]:
    values = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    kept = values.pop("hash", "")
    digest = _digest(b"", values)
    if kept != digest.hex():
        raise ValueError("its beginning is damaged")
    texts = _parse(values.pop("ruleset_texts", ""))
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("its rules are not texts")
    return Header(**values, ruleset_texts=texts), digest


def _digest(previous: bytes, value: Any) -> bytes:
    return hashlib.sha256(previous + canonical(value)).digest()


def _linked(previous: bytes, seq: int, batch: int, time: str, kind: str, text: str) -> bytes:
    """The digest of a row: of its canonical list, spelt here, as a long battle has ten thousand of them."""
    spelt = f"[{seq},{batch},{encode_basestring(time)},{encode_basestring(kind)},{encode_basestring(text)}]"
    return hashlib.sha256(previous + spelt.encode()).digest()


def _parse(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict) or canonical(value).decode() != text:  # a key twice, NaN, another spelling
        raise ValueError("it holds JSON that no battle holds")
    return value
