"""A battle as TOML: what it began with, then one [[row]] for each row of its journal. Nothing is lost.

TOML has no word for nothing, which rows hold here and there: it is written as { null = true }.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import tomli_w

from engine.errors import BattleboardError
from engine.text import is_clean
from engine.toml_reader import parse
from tui.application.exports.battle_record import MOST_BYTES, Found, Record, head_of, row_values

NULL = "null"
ESCAPE = "~"
STAND_IN = re.compile(f"{NULL}{ESCAPE}*")
"""Keys of a table with a single key that are written with one sign more, and read with one less."""


def write_tables(record: Record) -> Iterator[str]:
    """The text, piece by piece, each without its last line end."""
    yield "# A complete battle of battleboard. Read it with “battleboard import”.\n"
    yield harmless(tomli_w.dumps(head_of(record), multiline_strings=True))
    for row in record.rows:
        values = row_values(row)
        tables = {"row": {"stamp": values.pop("stamp"), "body": _written(values.pop("body"))}}
        yield harmless(f"[[row]]\n{tomli_w.dumps(values)}{tomli_w.dumps(tables)}")


def harmless(text: str, is_ascii: bool = False) -> str:
    """The same TOML with an escape for each character in lines that are not plain; for all beyond ASCII if asked.

    Only strings have such characters, and all of ours may hold escapes.
    """
    if text.isascii() and "\t" not in text:
        return text
    return "\n".join(
        line if is_clean(line) and not (is_ascii and not line.isascii()) else "".join(map(_escaped, line))
        for line in text.split("\n")
    )


def _escaped(sign: str) -> str:
    return sign if " " <= sign <= "~" else f"\\U{ord(sign):08X}"


def read_tables(text: str, file: str) -> Found:
    """What `write_tables` wrote, still to be checked.

    Raises:
        Unreadable: it is no TOML; the message names the line.
    """
    document = parse(text, file, MOST_BYTES)
    head = {key: document.root.raw(key) for key in document.root}
    name = "row" if "row" in head else "event"  # in format 1
    rows = head.pop(name, [])

    def refuse(row: int | None, message: str) -> NoReturn:
        document.note(() if row is None else (name, row), message)
        document.check()
        raise BattleboardError(f"{file}: {message}.")

    if not isinstance(rows, list):
        refuse(None, f"{name} is not a list; expected tables, each headed [[{name}]]")
    return Found(head, [_row(row) for row in rows], refuse)


def _row(row: object) -> object:
    """A row as it was before it was written; whatever is none is left as it stands."""
    if not isinstance(row, dict) or not isinstance(row.get("body"), dict):
        return row
    return {**row, "body": _read(row["body"])}


def _written(value: Any) -> Any:
    """A JSON value without null."""
    match value:
        case None:
            return {NULL: True}
        case Mapping():
            return {_longer(key) if len(value) == 1 else key: _written(item) for key, item in value.items()}
        case list():
            return [_written(item) for item in value]
    return value


def _read(value: Any) -> Any:
    """The JSON value that `_written` made this of."""
    match value:
        case {"null": True} if len(value) == 1:
            return None
        case Mapping():
            return {_shorter(key) if len(value) == 1 else key: _read(item) for key, item in value.items()}
        case list():
            return [_read(item) for item in value]
    return value


def _longer(key: str) -> str:
    return key + ESCAPE if STAND_IN.fullmatch(key) else key


def _shorter(key: str) -> str:
    return key.removesuffix(ESCAPE) if STAND_IN.fullmatch(key) else key
