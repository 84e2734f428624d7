"""The check of the map that the terrain editor shows: worked out in a thread while no stroke comes."""

from __future__ import annotations

from collections.abc import Sequence

from textual.screen import Screen
from textual.timer import Timer

from engine.context import Context
from engine.journal.session import Session
from engine.text import count
from tui.application.keys.battle_keys import with_keys
from tui.application.library.map_check import MapFinding, map_findings
from tui.view.terminal.worker_threads import left_as_found

CHECK = "check"
"""The group of its workers."""
CHECKED_AFTER_S = 0.4
"""Seconds without a stroke after which the map is checked."""
CHECKING, SOUND = "checking the map", "the map is sound"


class MapChecks:
    """What the check has found of the map as it is now. The screen passes results of the group CHECK on to `take`."""

    def __init__(self, screen: Screen[None], session: Session) -> None:
        self._screen, self._session = screen, session
        self.findings: Sequence[MapFinding] | None = None
        """None while they are not known."""
        self._gone_to = -1
        """The finding that the cursor was put on last."""
        self._timer: Timer | None = None
        self._answers = Context()

    def begin_later(self) -> None:
        """Checks the map once no stroke has come for a while."""
        self.findings, self._gone_to = None, -1
        self._screen.workers.cancel_group(self._screen, CHECK)
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._screen.set_timer(CHECKED_AFTER_S, self._begin)

    def _begin(self) -> None:
        self._screen.run_worker(self._work_out, thread=True, exclusive=True, group=CHECK)

    def _work_out(self) -> Sequence[MapFinding]:
        with left_as_found(self._answers):
            return map_findings(self._session)

    def take(self, found: object) -> None:
        """Takes the result of a worker."""
        assert isinstance(found, tuple)
        self.findings = found

    @property
    def words(self) -> str:
        """What was found, and the key that goes there."""
        if self.findings is None:
            return CHECKING
        if not self.findings:
            return SOUND
        found = self.findings[max(0, self._gone_to)]
        what = "cannot be saved" if found.is_error else count(len(self.findings), "warning")
        goes = with_keys(" · {terrain.go} goes there") if any(one.at for one in self.findings) else ""
        return f"{what}{goes}: {found.words}"

    def next_finding(self) -> MapFinding | None:
        """The next finding that has a place, after the last one the first; None where there is none."""
        found = self.findings or ()
        places = [place for place, one in enumerate(found) if one.at is not None]
        if not places:
            return None
        self._gone_to = next((place for place in places if place > self._gone_to), places[0])
        return found[self._gone_to]
