"""Temporary folders, deleted when the program ends, or by the next program if it was killed."""

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
    """Creates a folder that is deleted when the program ends; deletes those of the user's killed programs.

    A lock on the folder says that its program still runs: the system drops it however the program ends.

    Args:
        prefix: the start of the folder's name; all names with it in that place are of this kind.
        place: the parent folder; None for the system's.

    Raises:
        OSError: it cannot be created.
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
    raise OSError("other programs delete temporary folders as soon as they are created")


def _take_away(folder: str, lock: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)


def _sweep(place: Path, prefix: str) -> None:
    """Deletes the folders of killed programs. A program whose new folder is caught by this creates another."""
    if fcntl is None:  # no lock tells which programs still run
        return
    for folder in place.glob(f"{prefix}*"):
        with suppress(OSError):
            if folder.lstat().st_uid == os.getuid() and (lock := _lock(folder)) is not None:
                _take_away(str(folder), lock)


def _lock(folder: Path) -> int | None:
    """Locks a folder and returns the descriptor; None if another program has the lock, or there are no locks."""
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
