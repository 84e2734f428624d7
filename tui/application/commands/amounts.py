"""Parsers of numbers, signed changes and ruleset names in a typed command."""

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
    """Applies a typed value, or a signed change."""
    number = int(amount.replace("−", "-"))
    return now + number if amount[0] in "+-−" else number


def named(word: str, things: Iterable[Pool | Budget | Condition | Action | Stat]) -> str | None:
    """Id of the thing that a word names by id, by label, or by the start of its id."""
    known = list(things)
    exact = [thing.id for thing in known if word in (thing.id.lower(), thing.label.lower())]
    near = [thing.id for thing in known if word and thing.id.lower().startswith(word)]
    return next(iter((*exact, *near)), None)


def parse_rounds(text: str) -> int:
    """Parses a number of rounds.

    Raises:
        Illegal: it is not a number.
    """
    if not NUMBER.fullmatch(text.strip()):
        raise Illegal("ammunition", "Type a number such as 6.")
    return int(text)
