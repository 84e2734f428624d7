"""Names, copies and the trash of the user's files: battles, encounters, maps and characters. Nothing is ever lost.

What is deleted lies in the trash, in a folder named by the time, under the folder that it came from:
`trash/20261123T201500.123456/battles/warehouse-1.battle`.
"""

from __future__ import annotations

import os
import re
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import tomli_w

from engine.errors import BattleboardError, Illegal
from engine.journal.batches import batches as batches_of
from engine.journal.store import CannotSave, Journal, NewerFormat, NotABattle
from engine.text import clean, visible
from engine.values import replace
from maps import read_text
from tui.exports.restore import keep_rows
from tui.library.battle_files import BATTLE, free_path, now
from tui.library.text_files import free_file, replace_file, slug
from tui.settings.folders import data_folder
from tui.terminal.version import version

MOST_NAME = 60
NUMBERED = re.compile(r"-\d+")
NAME_LINE = re.compile(r"^name\s*=.*$", re.MULTILINE)
FORBIDDEN = set('/\\:*?"<>|')
"""Characters that some systems refuse in the name of a file."""


def battle_name(path: Path, title: str) -> str:
    """What a battle is called: its title, or the name of its file once the user has given it one.

    >>> battle_name(Path("warehouse-2.battle"), "Warehouse"), battle_name(Path("Ambush.battle"), "Warehouse")
    ('Warehouse', 'Ambush')
    """
    first = slug(title) or "battle"
    is_given = not (path.stem.startswith(first) and NUMBERED.fullmatch(path.stem.removeprefix(first)))
    return path.stem if is_given else title


def rename_battle(path: Path, name: str) -> Path:
    """Gives a battle's file a name; gives its new path.

    Raises:
        Illegal: the name cannot be a file's, or another battle has it.
        OpenElsewhere: another program plays the battle.
        BattleboardError: the disk refuses.
    """
    name = clean(name, MOST_NAME).strip()
    if not name or name.startswith(".") or FORBIDDEN & set(name):
        raise Illegal("name", f"A battle's name has no {' '.join(sorted(FORBIDDEN))} and does not begin with a dot.")
    there = path.with_name(f"{name}{BATTLE}")
    if there == path:
        return path
    if os.path.lexists(there):
        raise Illegal("name", f"Another battle is called {name}.")
    return _move(path, there)


def rename_encounter(path: Path, name: str) -> Path:
    """Writes another name into an encounter's file, which stays where it is; gives its path.

    Raises:
        Illegal: the name is empty.
        BattleboardError: the file cannot be read or written.
    """
    name = clean(name, MOST_NAME).strip()
    if not name:
        raise Illegal("name", "An encounter needs a name.")
    text = read_text(path, "an encounter")
    line = tomli_w.dumps({"name": name}).strip()
    return replace_file(path, NAME_LINE.sub(lambda found: line, text, count=1))


def copy_battle(path: Path, name: str) -> Path:
    """Writes a copy of a battle, with all its commands, into a new file; gives its path.

    Raises:
        NotABattle, NewerFormat: it cannot be read.
        CannotSave: the disk refuses; nothing is left behind.
    """
    title = clean(f"{name}, copy", MOST_NAME)
    with Journal.open(path, read_only=True) as journal:
        header = replace(journal.header, battle_id=str(uuid.uuid4()), version=version(), created=now(), title=title)
        return keep_rows(header, list(batches_of(journal.rows())), free_path(path.parent, title))


def copy_text(path: Path, folder: Path) -> Path:
    """Writes a copy of a map, an encounter or a character to a free file in a folder; gives its path.

    Raises:
        BattleboardError: it cannot be read, or the disk refuses.
    """
    return replace_file(free_file(folder, path.stem), read_text(path, "a file"))


def throw_away(path: Path) -> Path:
    """Moves a file of the user's to the trash; gives where it lies.

    Raises:
        OpenElsewhere: another program plays the battle.
        BattleboardError: the disk refuses.
    """
    folder = data_folder() / "trash" / datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f") / path.parent.name
    return _move(path, folder / path.name)


def restore_last() -> Path | None:
    """Moves the file that was thrown away last back to its folder, under a free name; None if the trash is empty.

    Raises:
        BattleboardError: the disk refuses.
    """
    files = sorted((data_folder() / "trash").glob("*/*/*"))
    if not files:
        return None
    found = files[-1]
    folder, number = data_folder() / found.parent.name, 2
    there = folder / found.name
    while os.path.lexists(there):
        there, number = folder / f"{found.stem}-{number}{found.suffix}", number + 1
    back = _move(found, there)
    with suppress(OSError):  # they stay where something else lies in them
        found.parent.rmdir()
        found.parent.parent.rmdir()
    return back


def _move(path: Path, there: Path) -> Path:
    if path.suffix == BATTLE:
        with suppress(NotABattle, NewerFormat, CannotSave):  # a damaged battle may be moved too
            Journal.open(path).close()  # refused where it is open elsewhere; ends a save that was cut short
    try:
        there.parent.mkdir(parents=True, exist_ok=True)
        path.rename(there)
    except OSError as error:
        raise BattleboardError(f"{visible(path.name)} cannot be moved: {error.strerror or error}.") from None
    return there
