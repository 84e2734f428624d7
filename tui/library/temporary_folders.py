"""Folders that go away with the program, and those of programs that were killed before they could take theirs away."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

TRIES = 5


def temporary_folder(prefix: str, place: str | None) -> Path:
    """A new folder, deleted when the program ends; so are those of programs of the same user that were killed.

    A lock on the folder says that its program still runs: the system drops it however the program ends.

    Args:
        prefix: how the folder's name begins; whatever begins so in that place is of this kind.
        place: the folder that it is made in; None for the system's.

    Raises:
        OSError: there is no place for it.
    """
    place = place or tempfile.gettempdir()
    _sweep(Path(place), prefix)
    for _ in range(TRIES):
        folder = tempfile.mkdtemp(prefix=prefix, dir=place)
        with suppress(OSError):
            lock = _lock(Path(folder))
            if fcntl is None or (lock is not None and Path(folder).is_dir()):
                atexit.register(_take_away, folder, lock)
                return Path(folder)
    raise OSError("other programs take temporary folders away as soon as they are made")


def _take_away(folder: str, lock: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)


def _sweep(place: Path, prefix: str) -> None:
    """Deletes what killed programs have left. A program that has made its folder this very moment makes another."""
    if fcntl is None:  # nothing says which of them still run
        return
    for folder in place.glob(f"{prefix}*"):
        with suppress(OSError):
            if folder.lstat().st_uid == os.getuid() and (lock := _lock(folder)) is not None:
                _take_away(str(folder), lock)


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the lock on a folder; None where another program holds it, or there are no locks."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
