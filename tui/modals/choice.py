"""A line of a menu, the key that takes it, and what was picked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

KEYS = "123456789abcdefghilmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Without j and k, which move the bar."""
CHOOSES = "a key chooses, or arrows and Enter"
HINT = f"{CHOOSES}; Esc cancels"
DEFENCE_HINT = f"{CHOOSES}; Esc: no defence"


class Choice(Struct, frozen=True):
    """One line of a menu; `reason` says why it cannot be chosen, "" when it can. Without a `key`, the next free."""

    id: str
    label: str
    note: str = ""
    reason: str = ""
    key: str = ""


class MenuQuestion(Struct, frozen=True):
    """A menu with a question above it."""

    title: str
    choices: Sequence[Choice]
    question: str = ""
    more_keys: Mapping[str, str] = {}
    """Keys that choose the line under the bar in a way of their own, and what they say."""
    typed: str | None = None
    """Dice typed too early, for what is rolled after the choice; None where digits choose."""
    hint: str = HINT
    """What keys there are, and what Esc does."""


class Picked(Struct, frozen=True):
    """What was picked in a menu."""

    id: str
    """Of the choice; "" for none."""
    key: str = ""
    """The key of its own that picked it; "" for Enter or the line's key."""
    typed: str = ""
    """Dice typed while the menu was open."""


def keys_for(choices: Sequence[Choice], taken: Collection[str] = ()) -> list[str]:
    """The key of each choice: its own, else the next of KEYS that is neither taken nor another's; "" when none is."""
    own = {choice.key for choice in choices}
    free = iter([key for key in KEYS if key not in own and key not in taken])
    return [choice.key or next(free, "") for choice in choices]
