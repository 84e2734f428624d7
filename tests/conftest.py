"""What every test gets: no colours of the machine that runs it, and a data folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how fast the machine is that runs them is no matter of tests
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the user's own reaches a test, and nothing of a test reaches the user's own."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
