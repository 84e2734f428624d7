"""Threads of Textual's workers, which wait for the next work when theirs is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from textual.worker import active_worker

from engine.context import Context


@contextmanager
def left_as_found(answers: Context) -> Iterator[None]:
    """For all that a worker does in its thread.

    Textual leaves the worker in the context of the thread: as long as it waits, that would keep the screen, and with it
    the battle and all its cached answers.

    Args:
        answers: keeps the answers that are found on the way, as long as the screen that asks.
    """
    try:
        with answers.used():
            yield
    finally:
        active_worker.set(None)  # type: ignore[arg-type]
