"""Spare time: long work done a little at a time between keys, so that no key ever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

SLICE, PAUSE = 0.012, 0.004
"""Seconds of a slice of work, and of the pause for keys after it."""


class IdleJobs:
    """Jobs by name; a new one of a name takes the place of the old one. A job pauses wherever it yields."""

    def __init__(self, call_later: Callable[[float, Callable[[], None]], object]) -> None:
        """`call_later` calls a function after so many seconds, keys first: a screen's `set_timer`."""
        self._call_later = call_later
        self._jobs: dict[str, Iterator[object]] = {}
        self._is_waiting = False

    def do(self, name: str, job: Iterator[object]) -> None:
        """Begins a job."""
        self._jobs[name] = job
        self._wait()

    def drop(self, name: str) -> None:
        """Gives a job up."""
        self._jobs.pop(name, None)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return not self._jobs

    def _wait(self) -> None:
        if self._jobs and not self._is_waiting:
            self._is_waiting = True
            self._call_later(PAUSE, self._go_on)

    def _go_on(self) -> None:
        self._is_waiting = False
        end = perf_counter() + SLICE
        for name, job in list(self._jobs.items()):
            for _ in job:
                if perf_counter() > end or self._jobs.get(name) is not job:
                    break
            else:
                if self._jobs.get(name) is job:
                    del self._jobs[name]
        self._wait()
