"""The first completion of a line, as it is shown behind what is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.play import session_for
from tui.application.commands.completion import suggested
from tui.application.commands.results import Setting


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("sho", "shoot"),
        ("shoot ba", "shoot bandit"),
        ("shoot bandit wi", "shoot bandit with"),
        ("shoot ", ""),
        ("shoot zz", ""),
        ("nothing a", ""),
        ("", ""),
    ],
)
def test_a_word_that_is_begun_is_completed(tmp_path: Path, typed: str, line: str) -> None:
    session = session_for(tmp_path)
    unit = session.battle.units["todd"]
    assert suggested(typed, Setting(session.battle, session.rules, unit.id, unit.at)) == line
