"""Where a rule comes from."""

from __future__ import annotations

from msgspec import Struct


class Origin(Struct, frozen=True):
    """Where a rule comes from: chapter and heading in our words, and why, where the reading is ours."""

    source: str
    ruling: str = ""
