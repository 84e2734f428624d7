"""Files that exports and pictures are written to: a new one each time, in the folder that one started in."""

from __future__ import annotations

import os
from pathlib import Path

from engine.errors import BattleboardError
from engine.journal.branch import Branch
from engine.journal.session import Session
from engine.text import visible
from tui.application.exports.format_list import FORMATS, written_words
from tui.application.exports.restore import write_new
from tui.application.terminal.jobs import Job


def write_export(session: Session, format: str, name: str = "", side: str = "") -> Job[str]:
    """Writes a battle in a format, part by part; the job's value is a sentence that says where.

    What can be seen to be wrong before it begins is said at once. A job that is not finished leaves no file.

    Args:
        session: the battle.
        format: one of FORMATS.
        name: the file; "" for the battle's name, with the first free number if it is taken.
        side: show only what this side saw; PLAYERS for all that the GM has not hidden, "" for everything.

    Raises:
        BattleboardError: there is a file of that name, or it cannot be written; or as `exported`.
    """
    from tui.application.exports.formats import export_job  # with all that draws and writes

    if isinstance(session, Branch):
        raise BattleboardError("This is a what-if branch: keep or drop it, then export the battle.")
    path = new_file(name, session.journal.path.stem, FORMATS[format].suffix)
    return _written(path, export_job(session, format, side), written_words(path, format, side))


def _written(path: Path, job: Job[str], words: str) -> Job[str]:
    write_new(path, (yield from job))
    return words


def new_file(name: str, stem: str, suffix: str) -> Path:
    """The path of a new file; raises BattleboardError where there is one of a name that was typed.

    Args:
        name: what was typed; "" for `stem` with the first free number.
        stem: the name where none was typed.
        suffix: how the name ends.
    """
    if name:
        try:
            path = Path(name).expanduser()
        except RuntimeError as error:  # "~nobody" has no home
            raise BattleboardError(str(error)) from None
        path = path if path.suffix == suffix else path.with_name(f"{path.name}{suffix}")
        if os.path.lexists(path):
            raise BattleboardError(f"{visible(str(path))} already exists: type another name.")
        return Path.cwd() / path
    number, path = 1, Path.cwd() / f"{stem}{suffix}"
    while os.path.lexists(path):
        number += 1
        path = path.with_name(f"{stem}-{number}{suffix}")
    return path
