"""The zooms that were chosen, for each battle and size of the terminal, in `zooms.toml` in the data folder.

A file that is damaged counts as none: what is lost is how large the squares were.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from engine.errors import BattleboardError
from engine.text import visible
from tui.application.settings.folders import data_folder
from tui.application.terminal.private_files import make_folders, write_new_file

FILE = "zooms.toml"
MOST_BATTLES = 200
"""Battles that are remembered, those zoomed last."""


def zooms_file() -> Path:
    """Path of the file, which may not exist yet."""
    return data_folder() / FILE


def read_zooms(path: Path, battle: Path) -> Mapping[str, str]:
    """Names of zooms by the size of the terminal, as "120x40", of a battle's file."""
    return _read(path).get(str(battle.absolute()), {})


def write_zoom(path: Path, battle: Path, size: str, zoom: str) -> None:
    """Remembers the zoom of a battle's file in a terminal of that size.

    Raises:
        BattleboardError: the disk refuses.
    """
    known, name = _read(path), str(battle.absolute())
    mine = {**known.pop(name, {}), size: zoom}
    kept = {**dict([*known.items()][1 - MOST_BATTLES :]), name: mine}
    fresh = path.with_name(f"{path.name}.new")
    try:
        make_folders(path.parent)
        fresh.unlink(missing_ok=True)
        write_new_file(fresh, tomli_w.dumps(kept))
        fresh.replace(path)
    except OSError as error:
        reason = error.strerror
        raise BattleboardError(f"The zoom applies now, but cannot be saved ({reason}): {visible(str(path))}.") from None


def _read(path: Path) -> dict[str, dict[str, str]]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {
        name: {size: zoom for size, zoom in sizes.items() if isinstance(zoom, str)}
        for name, sizes in found.items()
        if isinstance(sizes, dict)
    }
