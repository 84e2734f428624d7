"""Where rulesets are: those that ship with the program, those in the user's folders, and any folder by its path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from engine.errors import Unknown
from rulesets.loader import RULES, SHIPPED


def shipped_rulesets() -> Mapping[str, Path]:
    """Folders of the rulesets that ship, by id, in alphabetical order. The folder is called like the ruleset."""
    return _within(SHIPPED)


def find_ruleset(name_or_path: str, folders: Iterable[Path] = ()) -> Path:
    """The folder of a ruleset.

    Args:
        name_or_path: an id, or the path of a folder or of its `ruleset.toml`. An id wins over a path.
        folders: where the user keeps rulesets, most important first; one there wins over one that ships.

    Raises:
        Unknown: there is none, with the nearest name.
    """
    known: dict[str, Path] = {}
    for folder in (*folders, SHIPPED):
        for name, found in _within(folder).items():
            known.setdefault(name, found)
    if name_or_path in known:
        return known[name_or_path]
    path = Path(name_or_path).expanduser() if "\0" not in name_or_path else SHIPPED / "none"
    if path.name == RULES:
        path = path.parent
    if _holds_ruleset(path):
        return path
    raise Unknown("ruleset", name_or_path, known)


def _within(folder: Path) -> dict[str, Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return {}
    return {path.name: path for path in inside if _holds_ruleset(path)}


def _holds_ruleset(path: Path) -> bool:
    try:
        return (path / RULES).is_file()
    except OSError:
        return False
