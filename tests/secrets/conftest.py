"""Dice for the law of secrets, and what makes its many files of one battle quicker."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.battle.views.view import View
from engine.dice.sources import SeededSource
from engine.journal.history import History
from engine.journal.session import Session
from tui.application.exports import frames
from tui.application.exports.frames import ReplayFrame, frames_of
from tui.application.terminal.jobs import Job


@pytest.fixture(autouse=True)
def even_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that fall alike whatever was rolled before: else a secret roll would be seen in the next one."""
    monkeypatch.setattr(SeededSource, "draw", lambda self, sides: (2 * sides + 2) // 3)


@pytest.fixture(autouse=True)
def one_look_at_each_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame and each view of one is worked out once, for all the files that are made of it."""
    found: dict[str, tuple[History, list[ReplayFrame]]] = {}
    views: dict[Callable[[], View], View] = {}

    def once(session: Session, side: str = "") -> Job[list[ReplayFrame]]:
        if side not in found or found[side][0] is not session.history:
            found[side] = session.history, (yield from frames_of(session, side))
        return found[side][1]

    def view(frame: ReplayFrame) -> View:
        if frame.project not in views:
            views[frame.project] = frame.project()
        return views[frame.project]

    monkeypatch.setattr(frames, "frames_of", once)
    monkeypatch.setattr(ReplayFrame, "view", property(view))
