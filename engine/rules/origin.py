"""Where a rule comes from, and what it says in a sentence."""

from __future__ import annotations

from msgspec import Struct


class Origin(Struct, frozen=True):
    """Where a rule comes from: chapter and heading in our words, and why, where the reading is ours."""

    source: str
    ruling: str = ""
    say: str = ""
    """What the rule does at the table, in one sentence for the GM; "" where its file has none."""
