"""The export that a screen works on between keys: its progress, its end, and how it is cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from time import monotonic

from engine.errors import BattleboardError
from tui.application.describe.progress_bar import progress
from tui.application.terminal.jobs import Job
from tui.view.terminal.idle_jobs import IdleJobs

EVERY_S = 0.25
"""Seconds before progress is shown for the first time, and between two times."""
NAME = "export"
"""Of the job."""


class ExportWork:
    """One export at a time."""

    def __init__(self, jobs: IdleJobs, show: Callable[[], None], say: Callable[[str], None]) -> None:
        """`show` is called to show `words` or to clear them, `say` with the sentence at the end."""
        self._jobs = jobs
        self._show = show
        self._say = say
        self._share: Fraction | None = None

    @property
    def words(self) -> str:
        """Progress: "exporting ■■■■······ 43 %"; "" where there is none to show."""
        return f"exporting {progress(self._share)}" if self._share else ""

    def begin(self, job: Job[str]) -> None:
        """Begins an export, unless one is under way."""
        if self._share is not None:
            self._say(f"An export is under way ({progress(self._share)}): cancel it first, or wait.")
            return
        self._share = Fraction(0)
        self._jobs.do(NAME, self._work(job))

    def cancel(self) -> bool:
        """Drops the export that is under way; whether there was one."""
        if self._share is None:
            return False
        self._share = None
        self._jobs.drop(NAME)
        self._show()
        return True

    def _work(self, job: Job[str]) -> Iterator[None]:
        due = monotonic() + EVERY_S
        while True:
            try:
                share = next(job)
            except StopIteration as ended:
                said = ended.value
                break
            except BattleboardError as reason:
                said = str(reason)
                break
            if monotonic() >= due:
                self._share, due = share, monotonic() + EVERY_S
                self._show()
            yield
        was_shown, self._share = bool(self._share), None
        if was_shown:
            self._show()
        self._say(said)
