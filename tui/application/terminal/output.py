"""Printing: words and JSON on standard output, messages on standard error, nothing that could steer a terminal."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from shutil import get_terminal_size
from typing import Any, TextIO

from engine.errors import BattleboardError
from engine.geometry.squares import column_name
from engine.text import cells, is_clean, visible

WIDTH = 100
"""Columns of a report that is not written to a terminal."""
NARROWEST, WIDEST = 40, 160
LEAST_COLUMN = 24
"""Least columns for wrapping a text."""
_COLUMNS: ContextVar[int] = ContextVar("columns")
"""Of what the words are for, where that is not the terminal itself."""


def say(text: str) -> None:
    """Prints a text on standard output.

    Raises:
        BrokenPipeError: the reader has gone.
        BattleboardError: the output takes nothing more.
    """
    _write(sys.stdout, harmless(text))


def give(value: Any) -> None:
    """Prints a JSON value on standard output, readable and pure ASCII."""
    _write(sys.stdout, json.dumps(value, indent=2, allow_nan=False))


def complain(text: str) -> None:
    """Prints a message on standard error, if anybody listens."""
    try:
        _write(sys.stderr, harmless(text))
    except (BattleboardError, OSError):
        drop_output()


def replace_line(text: str) -> None:
    """Writes a text over the present line of standard error, a terminal."""
    _write(sys.stderr, f"\r{text}\x1b[K", end="")


def drop_output() -> None:
    """Sends what is still to be written nowhere, so that the interpreter's own last flush does not complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except OSError:
                os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def harmless(text: str) -> str:
    """The text, line by line, with a stand-in for every character that is not plain."""
    return "\n".join(line if is_clean(line) else visible(line) for line in text.split("\n"))


def width() -> int:
    """Columns to fill: those of `filling`, else the terminal's, or 100 where there is none."""
    if columns := _COLUMNS.get(0):
        return columns
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    return max(NARROWEST, min(WIDEST, get_terminal_size((WIDTH, 24)).columns))


@contextmanager
def filling(columns: int) -> Iterator[None]:
    """Words that are made in this context fill so many columns, 40 or more."""
    before = _COLUMNS.set(columns)
    try:
        yield
    finally:
        _COLUMNS.reset(before)


def can_print(text: str) -> bool:
    """Whether standard output has all of these characters."""
    try:
        text.encode((sys.stdout and sys.stdout.encoding) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def wrapped(text: str, indent: int, hanging: int | None = None) -> list[str]:
    """A paragraph in lines no wider than the report.

    Args:
        text: one paragraph.
        indent: blanks before the first line.
        hanging: blanks before the others; the same when None.
    """
    later = indent if hanging is None else hanging
    return textwrap.wrap(
        text,
        max(width(), later + 20),
        initial_indent=" " * indent,
        subsequent_indent=" " * later,
        break_on_hyphens=False,
    )  # fmt: skip


def table(rows: Sequence[Sequence[str]], indent: int = 0, right: Iterable[int] = ()) -> list[str]:
    """Rows with their columns aligned.

    Args:
        rows: all of one length.
        indent: blanks before each row.
        right: columns that are aligned to the right.
    """
    if not rows:
        return []
    widths = [max(cells(cell) for cell in column) for column in zip(*rows, strict=True)]
    rights = frozenset(right)
    lines = []
    for row in rows:
        padded = [
            " " * (wide - cells(cell)) + cell if position in rights else cell + " " * (wide - cells(cell))
            for position, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append((" " * indent + "  ".join(padded)).rstrip())
    return lines


def hanging_table(rows: Sequence[Sequence[str]], indent: int = 0, right: Iterable[int] = ()) -> list[list[str]]:
    """Rows as `table`, the last column broken where it is too long, each row of it as far in as it begins.

    Where little room is left beside the others it stands below them.

    Returns:
        The lines of each row.
    """
    heads = table([(*row[:-1], "|") for row in rows], indent, right)
    found: list[list[str]] = []
    for head, row in zip(heads, rows, strict=True):
        start = cells(head) - 1
        if start + cells(row[-1]) <= width() or start + LEAST_COLUMN <= width():
            last = wrapped(row[-1], start) or [""]
            found.append([f"{head[:-1]}{last[0][start:]}".rstrip(), *last[1:]])
        else:
            found.append([head[:-1].rstrip(), *wrapped(row[-1], indent + 4)])
    return found


def exact(share: Fraction) -> list[int]:
    """A fraction for JSON without any loss: numerator and denominator."""
    return [share.numerator, share.denominator]


def number(value: int | Fraction) -> int | float:
    """A number for JSON: whole where it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def _write(stream: TextIO | None, text: str, end: str = "\n") -> None:
    if stream is None:  # the program was started with it closed
        return
    encoding = stream.encoding or "ascii"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding) + end)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        drop_output()
        raise BattleboardError(f"The output cannot be written: {error.strerror or error}.") from None


def column_heads(columns: Iterable[int]) -> list[str]:
    """The letters of a map's columns, one under another where there are two: a line or two to be put over a drawing."""
    names = [column_name(column) for column in columns]
    longest = max(map(len, names), default=0)
    return ["".join(name.rjust(longest)[place] for name in names).rstrip() for place in range(longest)]
