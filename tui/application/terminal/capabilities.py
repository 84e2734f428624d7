"""Checks of the terminal before a screen starts, and arguments from standard input."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from engine.errors import BattleboardError

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""The smallest terminal on which the board is legible."""

SIGNALS = 128
"""The exit status after a signal is this plus the signal's number, as in shells."""

INCAPABLE = ("", "dumb", "unknown")
"""Values of TERM of terminals that cannot place a cursor."""


FRAME = "─"
"""A sign that every screen has, and that no encoding has that lacks the others."""

FEW_SIGNS = ("linux",)
"""Values of TERM of terminals whose font lacks most of the board's signs."""


def has_few_signs() -> bool:
    """Whether only ASCII signs are sure to arrive and to be in the terminal's font."""
    return os.environ.get("TERM", "") in FEW_SIGNS or not _can_show(FRAME)


def _can_show(text: str) -> bool:
    """Whether what Textual draws on can say a text in its encoding."""
    stream = sys.__stderr__
    try:
        text.encode((stream and stream.encoding) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def check_terminal() -> None:
    """Checks that the board can be shown.

    Raises:
        BattleboardError: there is no terminal, or it is too simple or too small.
    """
    instead = "`battleboard sight` and `battleboard odds` work without one"
    # Textual draws on standard error.
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output"), (sys.stderr, "error")):
        if stream is None or not stream.isatty():
            raise BattleboardError(f"The board needs a terminal, and standard {name} is not one; {instead}.")
    terminal = os.environ.get("TERM", "")
    if os.name == "posix" and terminal in INCAPABLE:
        named = f"TERM is {terminal!r}" if terminal else "TERM is not set"
        raise BattleboardError(f"The board needs a terminal that can place a cursor, and {named}; {instead}.")
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if (columns and columns < LEAST_COLUMNS) or (rows and rows < LEAST_ROWS):
        raise BattleboardError(
            f"This terminal has {columns} columns and {rows} rows; the board needs at least {LEAST_COLUMNS} columns "
            f"and {LEAST_ROWS} rows. Enlarge the window or use a smaller font."
        )


FROM_INPUT = "-"
"""The argument for the lines of standard input, which other accounts cannot see."""

MOST_INPUT, MOST_LINES = 8_000_000, 100_000
"""Most characters and lines of standard input."""


def with_lines(words: Sequence[str], *, keeps_empty: bool = False) -> list[str]:
    """The arguments, with the first “-” replaced by the lines of standard input.

    Empty lines and lines that start with # are skipped; with `keeps_empty` they stand there as "", so that lines keep
    their numbers.

    Raises:
        BattleboardError: the input is not text, or too long.
    """
    if FROM_INPUT not in words:
        return list(words)
    try:
        text = sys.stdin.read(MOST_INPUT + 1) if sys.stdin else ""
    except UnicodeDecodeError:
        raise BattleboardError("Standard input is not UTF-8 text; nothing was done.") from None
    if len(text) > MOST_INPUT or text.count("\n") > MOST_LINES:
        most = f"{MOST_LINES:,} lines or {MOST_INPUT:,} characters"
        raise BattleboardError(f"Standard input is longer than {most}; nothing was done.")
    lines = ["" if line.startswith("#") else line for line in map(str.strip, text.split("\n"))]
    lines = lines if keeps_empty else list(filter(None, lines))
    at = words.index(FROM_INPUT)
    return [*words[:at], *lines, *words[at + 1 :]]


def prepare(reduced_motion: bool) -> None:
    """Sets the environment for Textual."""
    for name in ("COLUMNS", "LINES"):  # they would override the terminal's real size
        os.environ.pop(name, None)
    if reduced_motion:
        os.environ["TEXTUAL_ANIMATIONS"] = "none"


@contextmanager
def uncollected(is_screen: bool = True) -> Iterator[None]:
    """Turns the garbage collector off until the first paint of a screen, when no object can be freed yet."""
    was_on = gc.isenabled()
    if is_screen:
        gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def collect_again() -> None:
    """Turns the garbage collector on again, without the objects that exist already: the program itself."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def leave_out_present() -> None:
    """Leaves out of collections all that exists by now, after much has come to stay or has gone.

    A collection takes as long as there are objects in it, and comes when there are a quarter more.
    """
    if gc.isenabled():
        gc.unfreeze()
        gc.collect()
        gc.freeze()
