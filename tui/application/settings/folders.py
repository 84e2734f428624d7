"""Paths of the user's files: battles, maps, rulesets, keys. Touches no file."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

DATA_VARIABLE = "BATTLEBOARD_DATA"
KEYMAP = "keys.toml"


def data_folder() -> Path:
    """The user's data folder, which may not exist yet: BATTLEBOARD_DATA, or the system's default."""
    named = os.environ.get(DATA_VARIABLE)
    if named:
        return Path(named).absolute()
    return user_data_path("battleboard", appauthor=False)


def map_folders() -> tuple[Path, ...]:
    """Folders of the user's maps."""
    return (data_folder() / "maps",)


def characters_folder() -> Path:
    """The folder of the user's characters and stat blocks."""
    return data_folder() / "characters"


def party_file() -> Path:
    """Path of the user's parties."""
    return data_folder() / "party.toml"


def encounters_folder() -> Path:
    """The folder of the user's encounters."""
    return data_folder() / "encounters"


def group_file() -> Path:
    """Path of the user's groups of units."""
    return data_folder() / "groups.toml"


def keys_file() -> Path:
    """Path of the user's key bindings."""
    return data_folder() / KEYMAP


def ruleset_folders() -> tuple[Path, ...]:
    """Folders of the user's rulesets."""
    return (data_folder() / "rulesets",)
