"""Numbers and names within a line: counts, changes with a sign, and the thing of a ruleset that a word means."""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.errors import Illegal
from engine.rules.model import Action, Budget, Condition, Pool, Stat

AMOUNT = re.compile(r"[+\-−]?\d{1,6}")
NUMBER = re.compile(r"\d{1,3}")
MOST_TYPED = 400


def is_amount(text: str) -> bool:
    return bool(AMOUNT.fullmatch(text))


def changed(now: int, amount: str) -> int:
    """A value, or what comes of a change with a sign."""
    number = int(amount.replace("−", "-"))
    return now + number if amount[0] in "+-−" else number


def named(word: str, things: Iterable[Pool | Budget | Condition | Action | Stat]) -> str | None:
    """Id of the thing that a word means: its id, its label, or the beginning of its id."""
    known = list(things)
    exact = [thing.id for thing in known if word in (thing.id.lower(), thing.label.lower())]
    near = [thing.id for thing in known if word and thing.id.lower().startswith(word)]
    return next(iter((*exact, *near)), None)


def parse_rounds(text: str) -> int:
    """A number of rounds.

    Raises:
        Illegal: it is none.
    """
    if not NUMBER.fullmatch(text.strip()):
        raise Illegal("ammunition", "Type how many rounds are in it, as 6.")
    return int(text)
