"""What every test gets: no colours of the machine that runs it, and a data folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import FEW, MANY

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""How fast the machine is makes no difference, and a fixture's folder may serve every example."""
settings.register_profile("few", UNTIMED, max_examples=FEW)
settings.register_profile(MANY, UNTIMED)
settings.load_profile("few")


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of the user's own reaches a test, and nothing of a test reaches the user's own."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
