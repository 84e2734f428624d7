"""Rulesets by name: those that ship and those in the user's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tomli

from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.text import clean
from rulesets import find_ruleset, load_ruleset
from tui.application.settings.folders import ruleset_folders

if TYPE_CHECKING:
    from rulesets.coverage import CoverageRow

MOST_HEAD = 4000
"""Characters of a file in which its name is looked for."""
MOST_TITLE = 40


def read_ruleset(name: str) -> Ruleset:
    """Reads a ruleset by its id or a folder's path.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable: it is not a ruleset.
    """
    try:
        return load_ruleset(find_ruleset(name, ruleset_folders()))
    except (OSError, RuntimeError) as error:  # "~nobody" has no home
        raise BattleboardError(f"{name} cannot be read: {error}.") from None


def ruleset_title(name: str) -> str:
    """What a ruleset calls itself, from the first lines of its file; "" where they do not say."""
    try:
        with (find_ruleset(name, ruleset_folders()) / "ruleset.toml").open(encoding="utf-8") as file:
            head = file.read(MOST_HEAD).partition("\n[")[0]
        return clean(str(tomli.loads(head).get("name", "")), MOST_TITLE)
    except (BattleboardError, OSError, RuntimeError, ValueError):
        return ""


def ruleset_label(name: str) -> str:
    """What a ruleset calls itself, else its id."""
    return ruleset_title(name) or name


def read_coverage_of(name: str) -> tuple[CoverageRow, ...]:
    """Reads the coverage of a ruleset by its id or a folder's path; raises as `read_ruleset` and `read_coverage`."""
    from rulesets.coverage import read_coverage

    rules = read_ruleset(name)
    return read_coverage(find_ruleset(name, ruleset_folders()), rules)
