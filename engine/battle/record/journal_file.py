"""A battle's file before SQLite opens it: made for its owner alone, and what may lie beside it."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG

ROLLBACK_MAGIC = bytes.fromhex("d9d505f920a163d7")  # SQLite file format, section 3


def is_own_rollback(rollback: Path) -> bool:
    """Whether it is plain and does not end in the name of a file, which SQLite would delete on its word."""
    if not S_ISREG(rollback.lstat().st_mode):
        return False
    with rollback.open("rb") as file:
        file.seek(-min(8, file.seek(0, os.SEEK_END)), os.SEEK_END)
        return file.read() != ROLLBACK_MAGIC


def make_file(path: Path) -> None:
    """An empty file that was not there, and the folders above it, on the disk when this returns."""
    for folder in reversed([folder for folder in path.parents if not folder.exists()]):
        folder.mkdir(0o700)
        if hasattr(os, "O_DIRECTORY"):  # else a power cut could take the folder with all that is in it
            above = os.open(folder.parent, os.O_RDONLY)
            os.fsync(above)
            os.close(above)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600))
