"""Names, copies and the trash of battles, encounters, maps, characters and parties. Nothing is ever lost.

A file follows the name that is given to what it holds, and the files that name it follow too; none is overwritten.

What is deleted lies in the trash, in a folder named by the time, under the folder that it came from:
`trash/20261123T201500.123456/battles/warehouse-1.battle`.
"""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.errors import BattleboardError, Illegal
from engine.journal.batches import batches as batches_of
from engine.journal.store import CannotSave, Journal, NewerFormat, NotABattle
from engine.text import clean, slug, visible
from engine.values import replace
from maps import maps_in, read_text
from rulesets.characters import MOST_NAME as MOST_CALLED
from tui.application.exports.restore import keep_rows
from tui.application.library.battle_files import BATTLE, now
from tui.application.library.encounter_files import encounter_files, encounter_stem
from tui.application.library.party_files import party_path, put_back_party, rename_member, take_out_party
from tui.application.library.text_files import free_file, replace_file
from tui.application.settings.folders import data_folder, encounters_folder, map_folders
from tui.application.terminal.private_files import make_folders
from tui.application.terminal.version import version

MOST_NAME = 60
PARTIES = "parties"
"""The folder of the trash for parties."""
FORBIDDEN = set('/\\:*?"<>|')
"""Characters that some systems refuse in the name of a file."""


def rename_battle(path: Path, name: str) -> Path:
    """Gives a battle's file a name; gives its new path.

    Raises:
        Illegal: the name cannot be a file's, or another battle has it.
        OpenElsewhere: another program plays the battle.
        BattleboardError: the disk refuses.
    """
    if path.stem == clean(name, MOST_NAME).strip():
        return path
    return _move(path, _battle_file(path, name))


def _battle_file(path: Path, name: str) -> Path:
    """The free file of a battle's name beside another; Illegal where the name cannot be a file's, or is taken."""
    name = clean(name, MOST_NAME).strip()
    if not name or name.startswith(".") or FORBIDDEN & set(name):
        raise Illegal("name", f"A battle's name has no {' '.join(sorted(FORBIDDEN))} and does not begin with a dot.")
    there = path.with_name(f"{name}{BATTLE}")
    if os.path.lexists(there):
        raise Illegal("name", f"Another battle is called {name}.")
    return there


def rename_encounter(path: Path, name: str) -> Path:
    """Gives an encounter another name, and its file too; gives the file's path.

    Raises:
        Illegal: the name has no letter and no digit, or is that of a map.
        BattleboardError: the file cannot be read or written.
    """
    encounter_stem(name)
    return _rename(path, name, "an encounter")


def rename_map(path: Path, name: str) -> Path:
    """Gives a map of the user's own another name, and its file too; encounters on it follow. Raises as
    `rename_encounter`."""
    there = _rename(path, name, "a map")
    if there != path:
        for file in encounter_files().values():
            _follow(file, lambda text: _renamed_values(text, "map", path.stem, there.stem))
    return there


def rename_character(path: Path, name: str, *, moves: bool = True) -> Path:
    """Gives a character another name, and its file too; parties, encounters and maps that name the file follow.

    Args:
        path: its file in the characters folder.
        name: the new name.
        moves: whether the file follows; False where a battle that goes on knows it by its file.

    Raises:
        Illegal: the name has no letter and no digit, or is too long.
        BattleboardError: the file cannot be read or written.
    """
    if clean(name, MOST_CALLED) != name:
        raise Illegal("name", f"A character's name has at most {MOST_CALLED} characters, and plain ones alone.")
    there = _rename(path, name, "a character", moves=moves)
    if there != path:
        rename_member(path.stem, there.stem)
        own_maps = [file for folder in map_folders() for file in maps_in(folder).values()]
        for file in (*encounter_files().values(), *own_maps):
            _follow(file, lambda text: _renamed_values(text, "character", path.stem, there.stem))
    return there


def _rename(path: Path, name: str, what: str, *, moves: bool = True) -> Path:
    """Writes another name into a file, and moves it to a free file of that name; gives its path."""
    name = clean(name, MOST_NAME).strip()
    text = _with_name(read_text(path, what), name, path)
    there = path
    if moves and not re.fullmatch(rf"{re.escape(slug(name))}(-\d+)?", path.stem):
        there = _move(path, free_file(path.parent, slug(name)))
    return replace_file(there, text)


def _with_name(text: str, name: str, path: Path) -> str:
    import tomlkit

    if not slug(name):
        raise Illegal("name", "A name needs a letter or a digit.")
    try:
        document = tomlkit.parse(text)
        document["name"] = name
    except ValueError:
        raise BattleboardError(f"{visible(path.name)} cannot be renamed: it is not TOML.") from None
    return tomlkit.dumps(document)


def _follow(path: Path, change: Callable[[str], str]) -> None:
    """Changes what a file says of another; a file that cannot be read stays as it is."""
    with suppress(BattleboardError, ValueError):
        text = read_text(path, "a file")
        changed = change(text)
        if changed != text:
            replace_file(path, changed)


def _renamed_values(text: str, key: str, before: str, after: str) -> str:
    """A TOML text in which a key of the top, of units, opponents and the party's places has another value or name."""
    import tomlkit

    if before not in text:
        return text
    document: Any = tomlkit.parse(text)
    tables = [document, *document.get("opponent", ()), *document.get("unit", ())]
    for table in tables:
        if table.get(key) == before:
            table[key] = after
    places = document.get("places", {})
    if key == "character" and before in places:
        places[after] = places.pop(before)
    return tomlkit.dumps(document)


def copy_battle(path: Path, name: str) -> Path:
    """Writes a copy of a battle, with all its commands, into a new file of that name; gives its path.

    Raises:
        Illegal: the name cannot be a file's, or another battle has it.
        NotABattle, NewerFormat: it cannot be read.
        CannotSave: the disk refuses; nothing is left behind.
    """
    there = _battle_file(path, name)
    with Journal.open(path, read_only=True) as journal:
        header = replace(journal.header, battle_id=str(uuid.uuid4()), version=version(), created=now())
        return keep_rows(header, list(batches_of(journal.rows())), there)


def copy_encounter(path: Path, name: str) -> Path:
    """Writes a copy of an encounter under another name to a free file; gives its path. Raises as `rename_encounter`."""
    encounter_stem(name)
    return _copy(path, encounters_folder(), name)


def copy_map(path: Path, name: str) -> Path:
    """Writes a copy of a map, also of a shipped one, into the user's folder. Raises as `rename_encounter`."""
    return _copy(path, map_folders()[0], name)


def _copy(path: Path, folder: Path, name: str) -> Path:
    name = clean(name, MOST_NAME).strip()
    text = _with_name(read_text(path, "a file"), name, path)
    return replace_file(free_file(folder, slug(name)), text)


def throw_away_party(id: str) -> None:
    """Moves a party of party.toml to the trash. Raises as `take_out_party`."""
    folder = _trash_of(PARTIES)
    text = take_out_party(id)
    replace_file(folder / f"{id}.toml", text)


def throw_away(path: Path) -> Path:
    """Moves a file of the user's to the trash; gives where it lies.

    Raises:
        OpenElsewhere: another program plays the battle.
        BattleboardError: the disk refuses.
    """
    return _move(path, _trash_of(path.parent.name) / path.name)


def _trash_of(folder: str) -> Path:
    """The folder of the trash for what is thrown away now out of a folder."""
    return data_folder() / "trash" / datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f") / folder


def restore_last() -> Path | None:
    """Moves what was thrown away last back to its folder, under a free name; None if the trash is empty.

    Gives the file's path; of a party `party_path`.

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
    if found.parent.name == PARTIES:
        back = party_path(put_back_party(read_text(found, "a party")).id)
        found.unlink()
    else:
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
        make_folders(there.parent)
        path.rename(there)
    except OSError as error:
        raise BattleboardError(f"{visible(path.name)} cannot be moved: {error.strerror or error}.") from None
    return there
