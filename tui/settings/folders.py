"""Where the user's own things lie: battles, maps, rulesets. Touches no file."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path

DATA_VARIABLE = "BATTLEBOARD_DATA"
KEYMAP = "keys.toml"


def data_folder() -> Path:
    """The user's own folder, which may not exist yet: BATTLEBOARD_DATA, or where the system keeps such things."""
    named = os.environ.get(DATA_VARIABLE)
    if named:
        return Path(named).absolute()
    return user_data_path("battleboard", appauthor=False)


def map_folders() -> tuple[Path, ...]:
    """Where the user keeps maps."""
    return (data_folder() / "maps",)


def group_file() -> Path:
    """Where the user keeps groups of units."""
    return data_folder() / "groups.toml"


def keys_file() -> Path:
    """Where the user's own keys are kept."""
    return data_folder() / KEYMAP


def ruleset_folders() -> tuple[Path, ...]:
    """Where the user keeps rulesets."""
    return (data_folder() / "rulesets",)
