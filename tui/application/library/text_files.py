"""Text files of the user's own that the program writes: maps, characters, parties, encounters."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from engine.errors import BattleboardError
from engine.text import clean, visible
from tui.application.terminal.private_files import make_folders, write_new_file

ENDING = ".toml"
MOST_HEAD = 1 << 16
"""Bytes of a file that are looked through for what it is."""
MOST_HEAD_TEXT = 200
"""Cells of a name or path in a list."""
TOP_KEY = re.compile(rb"^[ \t]*([a-z]+)[ \t]*=", re.MULTILINE)


def top_keys(path: Path) -> frozenset[str]:
    """The keys before the first table of a TOML file, which need not be valid; none if it cannot be read."""
    try:
        with path.open("rb") as file:
            return frozenset(key.decode() for key in TOP_KEY.findall(file.read(MOST_HEAD).split(b"\n[")[0]))
    except OSError:
        return frozenset()


def head_text(top: Mapping[str, object], key: str) -> str:
    """The plain text under a key of a file that is not read whole, for lists; "" where there is none."""
    value = top.get(key)
    return clean(value, MOST_HEAD_TEXT) if isinstance(value, str) else ""


def replace_file(path: Path, text: str) -> Path:
    """Writes a text file whole or not at all, for its owner's eyes alone; gives its path.

    Raises:
        BattleboardError: the disk refuses.
    """
    try:
        make_folders(path.parent)
        beside = path.with_name(f".{path.name}.new")
        beside.unlink(missing_ok=True)
        write_new_file(beside, text)  # what players may not know stands in it
        beside.replace(path)
    except OSError as error:
        raise BattleboardError(f"{visible(str(path))} cannot be written: {error.strerror or error}.") from None
    return path


def free_file(folder: Path, stem: str) -> Path:
    """A path in a folder at which nothing is yet: "anna.toml", else "anna-2.toml"."""
    path, number = folder / f"{stem}{ENDING}", 2
    while os.path.lexists(path):
        path, number = folder / f"{stem}-{number}{ENDING}", number + 1
    return path


def exists(path: Path) -> bool:
    """Whether a path exists; False for an impossible one."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
