"""The terminal as it is before a screen takes it over: whether there is one, and whether it will do."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from engine.errors import BattleboardError

LEAST_COLUMNS, LEAST_ROWS = 60, 18
"""The smallest terminal that the board is legible on."""

SIGNALS = 128
"""The exit status of a program that a signal has ended is this and the signal's number, as shells report it."""

INCAPABLE = ("", "dumb", "unknown")
"""Values of TERM of terminals that cannot place a cursor."""


def check_terminal() -> None:
    """Nothing when the board can be shown.

    Raises:
        BattleboardError: there is no terminal, or it is too simple or too small.
    """
    instead = "`battleboard sight` and `battleboard odds` answer without one"
    # Textual draws on standard error.
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output"), (sys.stderr, "error")):
        if stream is None or not stream.isatty():
            raise BattleboardError(f"The board needs a terminal, and standard {name} is none; {instead}.")
    terminal = os.environ.get("TERM", "")
    if os.name == "posix" and terminal in INCAPABLE:
        named = f"TERM is {terminal!r}" if terminal else "TERM is not set"
        raise BattleboardError(f"The board needs a terminal that can place a cursor, and {named}; {instead}.")
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if (columns and columns < LEAST_COLUMNS) or (rows and rows < LEAST_ROWS):
        raise BattleboardError(
            f"This terminal has {columns} columns and {rows} rows; the board needs at least {LEAST_COLUMNS} columns "
            f"and {LEAST_ROWS} rows. Make the window larger, or its letters smaller."
        )


FROM_INPUT = "-"
"""The argument that stands for the lines of standard input: what they say no other account sees."""

TAKING_ARGUMENTS = ("sight", "reach", "view", "odds", "scatter", "compare")
"""Commands whose arguments and options may come from standard input, one a line."""

MOST_INPUT, MOST_LINES = 8_000_000, 100_000
"""Characters and lines that are taken from there."""


def with_input(words: Sequence[str]) -> list[str]:
    """The words of a command line; a “-” in those of a command that takes them is replaced by standard input's lines.

    Raises:
        BattleboardError: see `with_lines`.
    """
    command = next((word for word in words if not word.startswith("-")), "")
    return with_lines(words) if command in TAKING_ARGUMENTS else list(words)


def with_lines(words: Sequence[str]) -> list[str]:
    """The words, the first “-” replaced by the lines of standard input.

    As in a conversation, empty lines and those that begin with # say nothing.

    Raises:
        BattleboardError: the input is no text, or too long.
    """
    if FROM_INPUT not in words:
        return list(words)
    try:
        text = sys.stdin.read(MOST_INPUT + 1) if sys.stdin else ""
    except UnicodeDecodeError:
        raise BattleboardError("Standard input is no text in UTF-8; nothing was done.") from None
    if len(text) > MOST_INPUT or text.count("\n") > MOST_LINES:
        most = f"{MOST_LINES:,} lines or {MOST_INPUT:,} characters"
        raise BattleboardError(f"Standard input holds more than {most}; nothing was done.")
    lines = [line for said in text.split("\n") if (line := said.strip()) and not line.startswith("#")]
    at = words.index(FROM_INPUT)
    return [*words[:at], *lines, *words[at + 1 :]]


def prepare(reduced_motion: bool) -> None:
    """Sets the environment for a screen of Textual's."""
    for name in ("COLUMNS", "LINES"):  # they would stand in for the terminal's real size
        os.environ.pop(name, None)
    if reduced_motion:
        os.environ["TEXTUAL_ANIMATIONS"] = "none"


@contextmanager
def uncollected(is_screen: bool = True) -> Iterator[None]:
    """Looks for no cycles until the first paint of a screen, as nothing that it needs can be let go; see below."""
    was_on = gc.isenabled()
    if is_screen:
        gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def collect_again() -> None:
    """Looks for cycles from now on, but not among what is there already: the program itself, which stays."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
