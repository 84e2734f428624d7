"""Import of an exported battle, or of a map of another tool, into the data folder."""

from __future__ import annotations

import stat
from pathlib import Path

from msgspec import Struct

from engine.errors import BattleboardError, Problem, Unreadable
from engine.text import clean, slug, visible
from maps import parse_map, write_map
from maps.importers import Imported, Scale, import_map
from maps.importers.detection import refusal
from maps.importers.unsupported import unread_path
from tui.application.exports.battle_record import MOST_BYTES
from tui.application.exports.restore import is_record, keep, read_record, write_new
from tui.application.library.battle_files import free_path
from tui.application.library.text_files import free_file
from tui.application.settings.folders import data_folder

MOST_TITLE = 60
MOST_WIDE = MOST_BYTES // 2
"""Bytes of a text beyond ASCII, which takes up to four times as much memory."""


class ImportedBattle(Struct, frozen=True):
    """An imported file: its path, the message, and notes."""

    path: Path
    words: str
    notes: tuple[str, ...] = ()


def take_in(path: Path, out: Path | None = None, scale: Scale | None = None, level: str = "") -> ImportedBattle:
    """Imports an exported battle, or a map of another tool.

    Args:
        path: the file.
        out: the new file; None finds a free name in the data folder.
        scale: the size of a square of the map, if the user gives it.
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
        imported = keep(record, out or free_path(data_folder() / "battles", record.header.title))
        return ImportedBattle(
            imported,
            f"Imported as {imported}. “battleboard play {imported.stem if out is None else imported}” continues it.",
        )
    name = clean(path.stem.replace("_", " ").replace("-", " "), MOST_TITLE).capitalize()
    found = import_map(text, shown, name, scale, level)
    imported = write_new(
        out or free_file(data_folder() / "maps", slug(found.map.battlefield.name) or "map"),
        _written(found, path.name, shown),
    )
    named = imported.stem if out is None else str(imported)
    return ImportedBattle(
        imported, f"Imported as {imported}. “battleboard play {named}” starts a battle on it.", found.notes
    )


def read_text(path: Path) -> str:
    """The text of a plain file of bearable size.

    Raises:
        BattleboardError: there is none, or it cannot be read.
        Unreadable: it is too large, or not UTF-8.
    """
    shown = visible(str(path))
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BattleboardError(f"{shown} is not a file; expected a battle or a map.")
        if status.st_size > MOST_BYTES:
            raise Unreadable(shown, [Problem(1, 1, f"the file is too large; at most {MOST_BYTES:,} bytes are read")])
        content = path.read_bytes()
        if status.st_size > MOST_WIDE and not content.isascii():
            what = f"the file is too large; at most {MOST_WIDE:,} bytes are read of a text with characters beyond ASCII"
            raise Unreadable(shown, [Problem(1, 1, what)])
        return content.decode("utf-8-sig")
    except FileNotFoundError:
        raise BattleboardError(f"There is no file {shown}.") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{content[error.start]:02X} is not UTF-8; expected a text"
        raise Unreadable(shown, [Problem(line, 1, what)]) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BattleboardError(f"{shown} cannot be read: {reason}.") from None


def _written(found: Imported, source: str, shown: str) -> str:
    """Formats the map, with its source and the notes of the import.

    Raises:
        BattleboardError: the text does not parse, so it is not written.
    """
    notes = "".join(f"#   {note}\n" for note in found.notes)
    text = f"# Imported from {clean(source, MOST_TITLE)}.\n{notes}\n{write_map(found.map)}"
    try:
        parse_map(text, shown)
    except Unreadable as error:
        why = error.problems[0].message
        raise BattleboardError(f"{shown} cannot be imported: the converted map is not valid ({why}).") from None
    return text
