"""Work in spare time is finished whatever the timer leaves out, and the timer stands still where there is none."""

from __future__ import annotations

from collections.abc import Callable

from tui.terminal.idle_jobs import IdleJobs


class Clock:
    """A timer that ticks when the test says so."""

    def __init__(self) -> None:
        self.ticks: Callable[[], None] | None = None

    def every(self, seconds: float, call: Callable[[], None]) -> Clock:
        assert self.ticks is None
        self.ticks = call
        return self

    def stop(self) -> None:
        self.ticks = None


def test_a_job_continues_until_it_is_done_and_then_nothing_ticks() -> None:
    clock = Clock()
    jobs, done = IdleJobs(clock.every), list[int]()
    jobs.do("count", (done.append(number) for number in range(3)))
    assert not jobs.is_done and not done
    while clock.ticks is not None:
        clock.ticks()
    assert jobs.is_done and done == [0, 1, 2]
    jobs.do("again", iter(()))
    assert clock.ticks is not None


def test_a_new_job_of_a_name_takes_the_place_of_the_old_one_and_a_dropped_one_ends() -> None:
    clock = Clock()
    jobs, done = IdleJobs(clock.every), list[str]()
    jobs.do("odds", (done.append("old") for _ in range(3)))
    jobs.do("odds", (done.append("new") for _ in range(2)))
    jobs.do("rest", (done.append("rest") for _ in range(2)))
    jobs.drop("rest")
    while clock.ticks is not None:
        clock.ticks()
    assert done == ["new", "new"]


def test_what_is_left_of_a_job_can_be_done_at_once() -> None:
    jobs, done = IdleJobs(Clock().every), list[int]()
    jobs.do("count", (done.append(number) for number in range(3)))
    jobs.finish("count")
    jobs.finish("count")
    assert jobs.is_done and done == [0, 1, 2]
