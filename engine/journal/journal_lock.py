"""One writer for each battle: a lock on a side file, held as long as the battle is open for writing.

The system drops the lock however the program ends; the file's text only names the holder. Without `fcntl` there is no
lock, and the journal's row numbers alone keep two writers apart. Readers take no lock of ours, but SQLite's own; for
those the writer waits.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct

from engine.text import clean

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

PATIENCE_SECONDS = 20
"""So long saving waits for another program that reads; a backup, or a look with an SQLite tool, takes less."""
TRIES_A_SECOND = 5
QUIET_TRIES = 2
"""So often it tries without saying so."""
STEP_MS = 1000 // TRIES_A_SECOND
"""So long SQLite itself waits at each try: the connection has to be told."""


class LockTaken(Exception):
    """Another writer has the lock; the text names it."""


class Lock(Struct):
    """A lock that is held until `release`."""

    path: Path
    descriptor: int | None

    def release(self) -> None:
        """Release the lock and remove its file, unless another writer owns it by now. Twice does no harm."""
        if self.descriptor is not None:
            with suppress(OSError):
                if _is_at(self.path, self.descriptor):
                    self.path.unlink()
            os.close(self.descriptor)
            self.descriptor = None


def take(battle: Path) -> Lock:
    """The lock for writing a battle, on `<name>.lock` beside it.

    Raises:
        Taken: another program, or this one, writes the battle.
        OSError: the side file cannot be made or locked.
    """
    path = battle.with_name(battle.name + ".lock")
    if fcntl is None:
        return Lock(path, None)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        try:
            if not S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(f"{path.name} is not a regular file")
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(path, descriptor):
                with suppress(OSError):  # a full disk: the lock holds, only the holder's name is missing
                    os.ftruncate(descriptor, 0)
                    os.pwrite(descriptor, f"process {os.getpid()} on {os.uname().nodename}\n".encode(), 0)
                return Lock(path, descriptor)
        except BaseException as error:
            holder = os.pread(descriptor, 200, 0) if isinstance(error, BlockingIOError) else b""
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise LockTaken(clean(holder.decode(errors="replace"), 80) or "unknown program") from None
            raise
        os.close(descriptor)  # its last holder removed the file between our opening and our locking it


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def is_busy(error: BaseException) -> bool:
    """Whether SQLite found the file locked by another program, which passes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


class Patience:
    """Begins and ends a transaction while another program may be reading: it waits, in all PATIENCE_SECONDS."""

    def __init__(self, connection: sqlite3.Connection, on_wait: Callable[[int], None]) -> None:
        """On a connection that waits STEP_MS by itself; `on_wait` is told the whole seconds so far, 0 first."""
        self._connection, self._on_wait, self._tries = connection, on_wait, 0

    def execute(self, statement: str) -> None:
        """Executes BEGIN or COMMIT. A transaction that cannot be ended yet stays open, and lets no new reader in.

        Raises:
            sqlite3.Error: it failed, or the file was still locked at the end (`is_busy`).
        """
        while True:
            try:
                self._connection.execute(statement)
                return
            except sqlite3.OperationalError as error:
                self._tries += 1
                if not is_busy(error) or self._tries >= PATIENCE_SECONDS * TRIES_A_SECOND:
                    raise
                if self._tries == QUIET_TRIES or self._tries % TRIES_A_SECOND == 0:
                    self._on_wait(self._tries // TRIES_A_SECOND)
