"""Errors for users: an unreadable file, a command that is not allowed, a name that matches nothing or several."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from msgspec import Struct

from engine.text import upper_first

MESSAGES_SHOWN = 20
NAMES_SHOWN = 12


class BattleboardError(Exception):
    """Anything a user can cause; its text is meant for that user. A bug is never one of these."""


def brief(error: BattleboardError | None) -> str:
    """A few words for an error, to show beside what it refuses; "" for none."""
    return error.brief if isinstance(error, Illegal) else "" if error is None else str(error)


def first_line(error: Exception) -> str:
    """The first line of an error's text: of a file with several problems, the first."""
    return str(error).partition("\n")[0]


class Problem(Struct, frozen=True, order=True):
    """One thing wrong at one place of a text: 1-based line and column, and the line itself for the caret."""

    line: int
    column: int
    message: str
    source_line: str = ""

    def text(self, file: str) -> str:
        """`file:line:column: message`, the line and a caret under the column."""
        head = f"{file}:{self.line}:{self.column}: {self.message}"
        if not self.source_line.strip():
            return head
        return f"{head}\n    {self.source_line}\n    {' ' * (self.column - 1)}^"


class Unreadable(BattleboardError):
    """A file that cannot be used. Holds every problem found, sorted by place; nothing of the file was taken."""

    def __init__(self, file: str, problems: Iterable[Problem]) -> None:
        self.file = file
        self.problems = tuple(sorted(set(problems)))
        shown = [problem.text(file) for problem in self.problems[:MESSAGES_SHOWN]]
        if len(self.problems) > MESSAGES_SHOWN:
            shown.append(f"… and {len(self.problems) - MESSAGES_SHOWN} more")
        super().__init__("\n".join(shown))


class Illegal(BattleboardError):
    """A well-formed command that is not allowed now.

    `reason` is a short key, the text one sentence for the GM, `brief` a few words to show beside the command itself.
    """

    def __init__(self, reason: str, sentence: str, brief: str = "") -> None:
        self.reason = reason
        self.brief = brief or sentence
        super().__init__(upper_first(sentence))


class Unknown(BattleboardError):
    """A name that matches nothing."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        near = near_miss(name, known)
        shown = f"{', '.join(known[:NAMES_SHOWN])}{' and more' if len(known) > NAMES_SHOWN else ''}"
        hint = f" Did you mean {near!r}?" if near else f" Known: {shown}." if known else ""
        super().__init__(f"No {what} is called {name!r}.{hint}")


def near_fact(name: str, known: Iterable[str]) -> str | None:
    """The known dotted name closest to `name`: of the same owner, else that word of another; None when nothing is.

    >>> near_fact("unit.posure", ["unit.posture", "unit.name"]), near_fact("unit.fog", ["unit.posture", "unit.name"])
    ('unit.posture', None)
    """
    known = list(known)
    owner, _, word = name.rpartition(".")
    same = {other.rpartition(".")[2]: other for other in known if other.rpartition(".")[0] == owner}
    if found := near_miss(word, same):
        return same[found]
    elsewhere = [other for other in known if other.rpartition(".")[2] == word]
    if elsewhere:
        return near_miss(name, elsewhere) or elsewhere[0]
    if owner and same:
        return None
    return near_miss(name, known)


def near_or_known(name: str, known: Iterable[str], most: int | None = None) -> str:
    """What a message says after a name that is not known: the nearest known name, else the first `most` of them all.

    >>> near_or_known("gunmann", ["gunman", "leader"]), near_or_known("x", ["gunman", "leader"])
    ("did you mean 'gunman'?", 'known: gunman, leader')
    """
    names = [one for one in known if one]
    near = near_miss(name, names)
    more = ", …" if most is not None and len(names) > most else ""
    return f"did you mean {near!r}?" if near else f"known: {', '.join(names[:most]) or 'none'}{more}"


def near_miss(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to `name`, or None when nothing comes near."""
    lowered = {other.lower(): other for other in known}
    found = get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    return lowered[found[0]] if found else None
