"""What a battle is called on screen and in exports: its title, or the name that the user has given its file."""

from __future__ import annotations

import re
from pathlib import Path

from engine.journal.session import Session
from engine.text import slug

NUMBERED = re.compile(r"-\d+")


def battle_name(path: Path, title: str) -> str:
    """What a battle is called: its title, or the name of its file once the user has given it one.

    >>> battle_name(Path("warehouse-2.battle"), "Warehouse"), battle_name(Path("Ambush.battle"), "Warehouse")
    ('Warehouse', 'Ambush')
    """
    first = slug(title) or "battle"
    is_given = not (path.stem.startswith(first) and NUMBERED.fullmatch(path.stem.removeprefix(first)))
    return path.stem if is_given else title


def battle_title(session: Session) -> str:
    """The title of a battle's exports, as the library has it."""
    return battle_name(session.journal.path, session.journal.header.title)
