"""Work in spare time is finished whatever the timer leaves out, and the timer stands still where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import sleep

from tui.view.terminal.idle_jobs import SLICE, IdleJobs


class Clock:
    """A timer that ticks when the test says so, and a screen that is painted when it does."""

    def __init__(self) -> None:
        self.ticks: Callable[[], None] | None = None
        self._painted: list[Callable[[], None]] = []

    def after_paint(self, call: Callable[[], None]) -> None:
        self._painted.append(call)

    def paint(self) -> None:
        painted, self._painted = self._painted, []
        for call in painted:
            call()

    def every(self, seconds: float, call: Callable[[], None]) -> Clock:
        assert self.ticks is None
        self.ticks = call
        return self

    def stop(self) -> None:
        self.ticks = None

    def run(self) -> None:
        """Paints, and ticks until nothing is left to do."""
        self.paint()
        while self.ticks is not None:
            self.ticks()
            self.paint()


def jobs_of(clock: Clock) -> IdleJobs:
    return IdleJobs(clock.every, clock.after_paint)


def slow(done: list[str], *names: str) -> Iterator[None]:
    """A job each of whose steps is longer than a slice."""
    for name in names:
        sleep(SLICE * 1.1)
        done.append(name)
        yield


def test_a_job_continues_until_it_is_done_and_then_nothing_ticks() -> None:
    clock, done = Clock(), list[str]()
    jobs = jobs_of(clock)
    jobs.do("count", slow(done, "a", "b", "c"))
    clock.paint()
    assert not jobs.is_done and done == ["a"] and clock.ticks is not None
    clock.run()
    assert jobs.is_done and done == ["a", "b", "c"]
    jobs.do("again", iter(()))
    clock.run()
    assert jobs.is_done


def test_a_job_begins_once_the_screen_is_painted_and_others_wait_for_that_too() -> None:
    clock, done = Clock(), list[str]()
    jobs = jobs_of(clock)
    jobs.do("old", slow(done, "a", "b"))
    assert clock.ticks is None and not done
    clock.paint()
    jobs.do("new", slow(done, "c"))
    assert clock.ticks is not None
    clock.ticks()
    assert done == ["a"]
    clock.paint()
    assert done == ["a", "b", "c"]


def test_a_new_job_of_a_name_takes_the_place_of_the_old_one_and_a_dropped_one_ends() -> None:
    clock, done = Clock(), list[str]()
    jobs = jobs_of(clock)
    jobs.do("odds", (done.append("old") for _ in range(3)))
    jobs.do("odds", (done.append("new") for _ in range(2)))
    jobs.do("rest", (done.append("rest") for _ in range(2)))
    jobs.drop("rest")
    clock.run()
    assert done == ["new", "new"]


def test_what_is_left_of_a_job_can_be_done_at_once() -> None:
    jobs, done = jobs_of(Clock()), list[int]()
    jobs.do("count", (done.append(number) for number in range(3)))
    jobs.finish("count")
    jobs.finish("count")
    assert jobs.is_done and done == [0, 1, 2]
