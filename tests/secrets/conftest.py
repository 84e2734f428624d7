"""Dice for the law of secrets."""

from __future__ import annotations

import pytest

from engine.dice.sources import SeededSource


@pytest.fixture(autouse=True)
def even_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that fall alike whatever was rolled before: else a secret roll would be seen in the next one."""
    monkeypatch.setattr(SeededSource, "draw", lambda self, sides: (2 * sides + 2) // 3)
