"""Menu items, their keys, and the answer to a menu."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

KEYS = "123456789abcdefghilmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Without j and k, which move the selection."""
CHOOSES = "press a key, or arrows and Enter"
HINT = f"{CHOOSES}; Esc cancels"
DEFENCE_HINT = f"{CHOOSES}; Esc: no defence"
KEEP_HINT = f"{CHOOSES}; Esc: keep the roll"


class Choice(Struct, frozen=True):
    """A menu item; `reason` says why it is disabled, "" if it is enabled. Without a `key` it gets the next free one."""

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
    """Further keys that choose the selected item, with their labels."""
    typed: str | None = None
    """Dice typed early, for the roll after the choice; None if digits choose items."""
    hint: str = HINT
    """The key hint below the list."""


class Picked(Struct, frozen=True):
    """The answer to a menu."""

    id: str
    """Id of the choice; "" if cancelled."""
    key: str = ""
    """The further key that chose it; "" for Enter or the item's key."""
    typed: str = ""
    """Dice typed while the menu was open."""


def keys_for(choices: Sequence[Choice], taken: Collection[str] = ()) -> list[str]:
    """The key of each choice: its own, else the next of KEYS that is neither taken nor another's; "" when none is."""
    own = {choice.key for choice in choices}
    free = iter([key for key in KEYS if key not in own and key not in taken])
    return [choice.key or next(free, "") for choice in choices]
