"""Spare time: long work done a little at a time between keys, so that no key ever waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Protocol

SLICE, PAUSE = 0.012, 0.004
"""Seconds of a slice of work, and of the pause for keys after it."""


class Ticking(Protocol):
    """A timer that ticks until it is stopped."""

    def stop(self) -> None: ...


class IdleJobs:
    """Jobs by name; a new one of a name takes the place of the old one. A job pauses wherever it yields.

    A job begins when the frame is painted that the key before it has changed, and all others wait for that frame, too.
    A timer ticks while there is work. One timer for each slice would not do: Textual leaves out a tick that comes too
    late, and on a busy machine the only one can.
    """

    def __init__(
        self,
        every: Callable[[float, Callable[[], None]], Ticking],
        after_paint: Callable[[Callable[[], None]], object],
    ) -> None:
        """`every` calls a function again and again after so many seconds, keys first: a screen's `set_interval`.

        `after_paint` calls one once, after the next frame: `call_after_refresh`.
        """
        self._every = every
        self._after_paint = after_paint
        self._jobs: dict[str, Iterator[object]] = {}
        self._timer: Ticking | None = None
        self._is_waiting = False
        """Whether a frame is still to be painted."""

    def do(self, name: str, job: Iterator[object]) -> None:
        """Begins a job."""
        self._jobs[name] = job
        if not self._is_waiting:
            self._is_waiting = True
            self._after_paint(self._begin)

    def drop(self, name: str) -> None:
        """Gives a job up."""
        self._jobs.pop(name, None)

    def finish(self, name: str) -> None:
        """Does what is left of a job at once."""
        for _ in self._jobs.pop(name, ()):
            pass

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return not self._jobs

    def _begin(self) -> None:
        self._is_waiting = False
        self._go_on()

    def _go_on(self) -> None:
        if self._is_waiting:
            return
        end = perf_counter() + SLICE
        for name, job in list(self._jobs.items()):
            for _ in job:
                if perf_counter() > end or self._jobs.get(name) is not job:
                    break
            else:
                if self._jobs.get(name) is job:
                    del self._jobs[name]
        if self._jobs and self._timer is None:
            self._timer = self._every(SLICE + PAUSE, self._go_on)
        elif not self._jobs and self._timer is not None:
            self._timer.stop()
            self._timer = None
