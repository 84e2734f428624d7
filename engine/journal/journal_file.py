"""A battle's file before SQLite opens it: made for its owner alone, and what may lie beside it."""

from __future__ import annotations

import filecmp
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG

from engine.journal import journal_lock

LARGEST_FILE = 4096 * 65536
ROLLBACK_MAGIC = bytes.fromhex("d9d505f920a163d7")  # SQLite file format, section 3


def is_own_rollback(rollback: Path) -> bool:
    """Whether it is plain and does not end in the name of a file, which SQLite would delete on its word."""
    if not S_ISREG(rollback.lstat().st_mode):
        return False
    with rollback.open("rb") as file:
        file.seek(-min(8, file.seek(0, os.SEEK_END)), os.SEEK_END)
        return file.read() != ROLLBACK_MAGIC


def check_file(path: Path) -> None:
    """Raises OSError or ValueError when it is no plain file that can be read, or something foreign lies beside it."""
    if not S_ISREG(path.lstat().st_mode):
        raise ValueError("it is not a regular file")
    if not os.access(path, os.R_OK):  # SQLite would say that it cannot be opened
        raise PermissionError("you have no permission to read it")
    check_size(path)
    rollback, log = (path.with_name(path.name + ending) for ending in ("-journal", "-wal"))
    if os.path.lexists(log) or (os.path.lexists(rollback) and not is_own_rollback(rollback)):
        raise ValueError("an unknown file lies beside it")


def check_size(path: Path) -> None:
    """Raises ValueError when it is empty, or larger than a battle gets."""
    if not 0 < (size := path.lstat().st_size) <= LARGEST_FILE:
        raise ValueError("it is too large" if size else "it is empty")


def is_cut_short(error: BaseException, path: Path | None) -> bool:
    """Whether a file cannot be read before what a crash has left beside it is rolled back."""
    code = getattr(error, "sqlite_errorcode", 0)
    is_unopened = code == sqlite3.SQLITE_CANTOPEN and path is not None
    return code == sqlite3.SQLITE_READONLY_ROLLBACK or (is_unopened and os.path.lexists(f"{path}-journal"))


@contextmanager
def beginning(path: Path) -> Iterator[Path]:
    """A new battle's file under another name, hidden; it gets its own when all is written into it.

    Killed on the way a program leaves nothing that looks like a battle, and nothing that the next one stumbles over.

    Raises:
        FileExistsError: something of that name is there already; whatever else goes wrong, nothing is left behind.
    """
    _make_folders(path)
    lock = journal_lock.take(path)
    begun = path.with_name(f".{path.name}.new")
    try:
        _remove(begun)
        if os.path.lexists(path):
            raise FileExistsError(path)
        _make(begun)
        yield begun
        begun.rename(path)  # over nothing: who else would make it takes the lock
        _sync(path.parent)
    finally:
        _remove(begun)
        lock.release()


def free_beside(path: Path, ending: str) -> Path:
    """The name with an ending, or with the first number that is free; one where the same stands already is free."""
    filecmp.clear_cache()  # it goes by size and time, which a copy shares
    number, free = 1, path.with_name(f"{path.name}{ending}")
    while os.path.lexists(free) and not (S_ISREG(free.lstat().st_mode) and filecmp.cmp(path, free, shallow=False)):
        number += 1
        free = path.with_name(f"{path.name}{ending}-{number}")
    return free


@contextmanager
def replacing(path: Path, kept: Path) -> Iterator[Path]:
    """A file that takes the place of a battle's when all is written into it; the one that was there stays as `kept`.

    To be used by who holds the lock, and has no transaction open: the old file is read. Killed on the way a program
    leaves the old file in its place, or the new one with the old one under its other name.

    Raises:
        OSError: the place takes no files; the old file is in its place.
    """
    begun, copied = path.with_name(f".{path.name}.new"), path.with_name(f".{path.name}.old")
    try:
        _remove(begun)
        _make(begun)
        yield begun
        if not os.path.lexists(kept):
            copied.unlink(missing_ok=True)
            shutil.copy2(path, copied)
            with copied.open("rb") as file:
                os.fsync(file.fileno())
            copied.rename(kept)
        _sync(path.parent)
        begun.replace(path)
        _sync(path.parent)
    finally:
        _remove(begun)
        copied.unlink(missing_ok=True)


def _make(begun: Path) -> None:
    """An empty file that was not there, for its owner alone."""
    os.close(os.open(begun, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600))


def _remove(begun: Path) -> None:
    for ending in ("", "-journal"):
        begun.with_name(begun.name + ending).unlink(missing_ok=True)


def _make_folders(path: Path) -> None:
    for folder in reversed([folder for folder in path.parents if not folder.exists()]):
        folder.mkdir(0o700)
        _sync(folder.parent)  # else a power cut could take the folder with all that is in it


def _sync(folder: Path) -> None:
    """The names in a folder, on the disk when this returns."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
