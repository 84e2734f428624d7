"""Where a rule comes from."""

from __future__ import annotations

from engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a rule comes from: chapter and heading in our words, and why, where the reading is ours."""

    source: str
    ruling: str = ""
