"""A battle made of a text: read within bounds, replayed to its end, and only then written into a file of its own."""

from __future__ import annotations

from pathlib import Path

from engine.battle.setup import set_up
from engine.errors import BattleboardError, Illegal
from engine.journal.batches import Batch
from engine.journal.history import History, further
from engine.journal.store import Header, Journal
from engine.text import clause, visible
from maps import parse_map
from rulesets import parse_ruleset
from tui.application.exports.battle_check import checker
from tui.application.exports.battle_record import KIND, MARK, MOST_TEXT, Found, Record, checked
from tui.application.exports.json_lines import read_jsonlines
from tui.application.exports.toml_tables import read_tables
from tui.application.terminal.private_files import make_folders, write_new_file

HEAD = 4096
"""Characters in which a text says what it is."""


def is_record(text: str) -> bool:
    """Whether a text says of itself that it is a battle, in JSON lines or in TOML."""
    head = text[:HEAD].replace(" ", "")
    return f'"{MARK}":"{KIND}"' in head or f'\n{MARK}="{KIND}"' in f"\n{head}"


def read_record(text: str, file: str) -> Record:
    """The record that a text holds, replayed to its end.

    Raises:
        Unreadable: it is no battle, or one that cannot have been; the message names file and line.
        BattleboardError: the map or the rules inside cannot be used.
    """
    found = read_jsonlines(text, file) if text.lstrip().startswith("{") else read_tables(text, file)
    record = checked(found)
    _replay(record, found, file)
    return record


def _replay(record: Record, found: Found, file: str) -> None:
    """Goes through all events; raises as `read_record`."""
    try:
        header = record.header.in_todays_language()
    except ValueError as error:
        found.refuse(None, str(error))
    field = parse_map(header.map_text, f"{file}, map_text").battlefield
    rules = parse_ruleset(header.ruleset_texts, f"{file}, ruleset_texts")
    history, place, check = History(set_up(field, rules)), 0, checker(rules)
    for batch in record.batches():
        try:
            history = further(history, batch.rows)
            check(history.battle)
        except Exception as error:  # a file that somebody else may have written
            why = clause(str(error)) if isinstance(error, ValueError | Illegal) else "it does not fit those before"
            found.refuse(place, f"this event is not possible: {why[:MOST_TEXT]}")
        place += len(batch.rows)


def keep(record: Record, path: Path) -> Path:
    """Writes a record into a new battle's file; gives its path.

    Raises:
        CannotSave: the disk refused, or something of that name is there; nothing is left behind.
        BattleboardError: the hash in the record is another: it was changed after it was exported.
    """
    return keep_rows(record.header, record.batches(), path, record.digest)


def keep_rows(header: Header, batches: list[Batch], path: Path, digest: str = "") -> Path:
    """Writes a new battle's file of what it began with and the commands; raises as `keep`."""
    journal = Journal.create(path, header)
    try:
        journal.extend(batches)
        if digest not in ("", journal.digest):
            changed = "its hash does not match, so it was changed after the export. Remove the hash to import it anyway"
            raise BattleboardError(f"The battle was not imported: {changed}.")
    except BaseException:
        journal.close()
        path.unlink(missing_ok=True)
        raise
    journal.close()
    return path


def write_new(path: Path, text: str) -> Path:
    """Writes a text into a file that is not there yet, for its owner's eyes alone; gives its path.

    Raises:
        BattleboardError: something of that name is there, or the place takes no file.
    """
    shown = visible(str(path))
    try:
        make_folders(path.parent)
        write_new_file(path, text)
    except FileExistsError:
        raise BattleboardError(f"{shown} already exists; name another file with -o.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BattleboardError(f"{shown} cannot be written: {reason}.") from None
    return path
