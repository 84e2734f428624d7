"""Why a battle's file cannot be opened or saved, in one sentence each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import BattleboardError
from engine.journal import journal_lock
from engine.journal.journal_file import is_cut_short
from engine.journal.journal_rows import FORMAT
from engine.text import clean, visible


class NotABattle(BattleboardError):
    """A file that is missing, foreign or damaged; `found` names the problem."""

    def __init__(self, path: Path, found: str) -> None:
        self.found = found
        super().__init__(f"{visible(str(path))} cannot be opened as a battle: {found}. Nothing was changed.")


class OpenElsewhere(BattleboardError):
    """A battle that another program writes; `holder` names it."""

    def __init__(self, path: Path, holder: str) -> None:
        self.holder = holder
        super().__init__(f"{visible(str(path))} is open elsewhere ({holder}): close it there, or open it read-only.")


class NewerFormat(BattleboardError):
    """A battle written by a later version of this program."""

    def __init__(self, path: Path, found: int) -> None:
        problem = f"is in format {found} of a newer battleboard; this version reads up to {FORMAT}: update battleboard"
        super().__init__(f"{visible(str(path))} {problem}. Nothing was changed.")


class CannotSave(BattleboardError):
    """A file that cannot be written; `after` describes its state afterwards."""

    def __init__(self, path: Path, why: str, after: str = "Nothing was changed.") -> None:
        self.why = why
        super().__init__(f"{visible(str(path))} cannot be saved: {why}. {after}")


class InUse(CannotSave):
    """A file that another program has been using for too long; nothing has changed, and saving may be tried again."""

    def __init__(self, path: Path) -> None:
        why = f"another program has been using it for {journal_lock.PATIENCE_SECONDS} s"
        super().__init__(path, why, "Nothing has changed. Close that program, then try again.")


FAILURES = (sqlite3.Error, OSError, ValueError, TypeError, RecursionError, MemoryError)


@contextmanager
def failing_as(failure: type[NotABattle | CannotSave], path: Path) -> Iterator[None]:
    try:
        yield
    except journal_lock.LockTaken as error:
        raise OpenElsewhere(path, str(error)) from None
    except FAILURES as error:
        if journal_lock.is_busy(error):
            raise OpenElsewhere(path, "unknown program") from error
        raise failure(path, why_of(error, path)) from error


def why_of(error: BaseException, path: Path | None = None) -> str:
    if isinstance(error, sqlite3.IntegrityError):
        return "another program changed it; open it again"
    if isinstance(error, MemoryError | RecursionError):
        return "not enough memory"
    if isinstance(error, sqlite3.DataError) or getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_TOOBIG:
        return "it contains a text that is too large"
    if is_cut_short(error, path):
        return "a crash interrupted the last save; “battleboard play” repairs it"
    if isinstance(error, FileExistsError):
        return "a file with that name already exists"
    return clean(getattr(error, "strerror", None) or str(error) or type(error).__name__, 120)
