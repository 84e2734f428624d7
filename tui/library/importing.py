"""Taking in a file from elsewhere: an exported battle, or a map of another tool, into the data folder."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from engine.errors import BattleboardError, Unreadable
from engine.text import clean, visible
from maps import parse_map, write_map
from maps.importers import Imported, Scale, import_map
from maps.importers.unsupported import refusal, unread_path
from tui.exports.restore import is_record, keep, read_record, read_text, write_new
from tui.library.battle_files import MAP, free_path, slug
from tui.settings.folders import data_folder

MOST_TITLE = 60


class ImportedBattle(Struct, frozen=True):
    """What was taken in: where it lies, and what is to be said of it, the first line first."""

    path: Path
    words: str
    notes: tuple[str, ...] = ()


def take_in(path: Path, out: Path | None = None, scale: Scale | None = None, level: str = "") -> ImportedBattle:
    """Makes a battle of an exported one, or a map of another tool's.

    Args:
        path: the file.
        out: where to; None finds a free name in the data folder.
        scale: how large a square of a map is, where the Game Master says it.
        level: which level of a scene that has several, by name.

    Raises:
        BattleboardError: the file cannot be read, is neither, or cannot be written; nothing is left behind.
    """
    shown = visible(str(path))
    if what := unread_path(path):
        raise BattleboardError(refusal(shown, what))
    text = read_text(path)
    if is_record(text):
        record = read_record(text, shown)
        kept = keep(record, out or free_path(data_folder() / "battles", record.header.title))
        return ImportedBattle(
            kept, f"Imported as {kept}. “battleboard play {kept.stem if out is None else kept}” goes on with it."
        )
    name = clean(path.stem.replace("_", " ").replace("-", " "), MOST_TITLE).capitalize()
    found = import_map(text, shown, name, scale, level)
    kept = write_new(out or _free_map(found.map.battlefield.name), _written(found, path.name, shown))
    named = kept.stem if out is None else str(kept)
    return ImportedBattle(kept, f"Imported as {kept}. “battleboard play {named}” begins a battle on it.", found.notes)


def _written(found: Imported, source: str, shown: str) -> str:
    """The map, with where it is from and what was decided on the way.

    Raises:
        BattleboardError: it could not be read again, so it is not written.
    """
    notes = "".join(f"#   {note}\n" for note in found.notes)
    text = f"# Imported from {clean(source, MOST_TITLE)}.\n{notes}\n{write_map(found.map)}"
    try:
        parse_map(text, shown)
    except Unreadable as error:
        why = error.problems[0].message
        raise BattleboardError(f"{shown} cannot be imported: the map made of it could not be opened ({why}).") from None
    return text


def _free_map(name: str) -> Path:
    """A map's file in the data folder that is not there yet."""
    folder, number = data_folder() / "maps", 1
    path = folder / f"{slug(name)}{MAP}"
    while os.path.lexists(path):
        number += 1
        path = folder / f"{slug(name)}-{number}{MAP}"
    return path
