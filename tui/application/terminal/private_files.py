"""Files and folders of the user's own: nobody else on the machine may look into them."""

from __future__ import annotations

import os
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
"""Modes: to read and write, and to enter, for the owner alone."""


def make_folders(folder: Path) -> None:
    """Makes a folder and those above it that are not there; one that is there stays as it is.

    Raises:
        OSError: the disk refuses.
    """
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(FOLDER, exist_ok=True)


def write_new_file(path: Path, text: str) -> None:
    """Writes a text into a file that is not there yet, whole or not at all.

    Raises:
        OSError: something of that name is there, or the disk refuses.
        ValueError: the text has half of a surrogate pair.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except BaseException:  # also Ctrl+C and a full disk
        path.unlink(missing_ok=True)
        raise
