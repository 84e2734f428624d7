"""A conversation at the table of most tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation


@pytest.fixture
def talk(tmp_path: Path) -> Conversation:
    return Conversation(session_for(tmp_path))
