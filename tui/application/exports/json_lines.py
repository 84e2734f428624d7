"""A battle as JSON lines: the first line is what it began with, then one for each row of its journal. Nothing is lost.

They are pure ASCII, so that no terminal and no pipe changes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from engine.errors import Problem, Unreadable
from tui.application.exports.battle_record import MARK, Found, Record, head_of, row_values


def write_jsonlines(record: Record) -> Iterator[str]:
    """The lines, without their ends."""
    yield json.dumps(head_of(record), allow_nan=False)
    for row in record.rows:
        yield json.dumps(row_values(row), allow_nan=False)


def read_jsonlines(text: str, file: str) -> Found:
    """What `write_jsonlines` wrote, still to be checked.

    Raises:
        Unreadable: a line is no JSON; the message names it.
    """
    lines = [line for line in enumerate(text.split("\n"), 1) if line[1].strip()]

    def refuse(row: int | None, message: str) -> NoReturn:
        line = lines[0 if row is None else row + 1][0] if lines else 1
        raise Unreadable(file, [Problem(line, 1, message)])

    values = [_value(file, *line) for line in lines]
    head = values[0] if values else None
    if not isinstance(head, dict):
        refuse(None, f'the file does not begin as a battle; expected {{"{MARK}": …}}')
    return Found(head, values[1:], refuse)


def _value(file: str, number: int, line: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_refuse_duplicates, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Unreadable(file, [Problem(number, error.colno, f"this is not JSON: {error.msg}")]) from None
    except (ValueError, RecursionError) as error:
        what = str(error)[:120] if isinstance(error, ValueError) else "values are nested too deeply"
        raise Unreadable(file, [Problem(number, 1, f"not allowed in a battle: {what}")]) from None


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same key twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")
