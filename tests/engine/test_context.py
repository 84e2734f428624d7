"""What was worked out before belongs to a session, and the least recently used of it goes first."""

from __future__ import annotations

from contextvars import copy_context
from threading import Thread

from engine.context import Cache, Context, Recent

ONE, TWO, THREE = object(), object(), object()


def test_the_least_recently_used_goes_first() -> None:
    recent: Recent[str] = Recent(2)
    recent.get((ONE,), None, lambda: "one")
    recent.get((TWO,), None, lambda: "two")
    assert recent.get((ONE,), None, lambda: "again") == "one"
    recent.get((THREE,), None, lambda: "three")
    assert recent.known((TWO,), None) is None
    assert recent.known((ONE,), None) == "one"


def test_each_context_has_its_own_answers() -> None:
    cache: Cache[str] = Cache(4)

    def of_another_session() -> str:
        Context().use()
        return cache.get((ONE,), 1, lambda: "theirs")

    assert cache.get((ONE,), 1, lambda: "ours") == "ours"
    assert copy_context().run(of_another_session) == "theirs"
    assert cache.known((ONE,), 1) == "ours"
    assert cache.known((ONE,), 2) is None
    assert cache.known((TWO,), 1) is None


def test_a_thread_without_a_context_has_a_shared_one() -> None:
    cache: Cache[str] = Cache(4)
    found: list[str] = []
    thread = Thread(target=lambda: found.append(cache.get((ONE,), 1, lambda: "there")))
    thread.start()
    thread.join()
    assert found == ["there"]
