"""Caches of computed answers, and the context of a session that owns them.

Battlefields, battles and rulesets are immutable and share what did not change, so each is known by being the same
object: comparing two of them would take longer than what is saved. Keeping changes no answer.

The present context holds for everything that is called, as `decimal`'s does; a session makes its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Generic, TypeVar

Found = TypeVar("Found")


class Recent(Generic[Found]):
    """A few answers, by the objects they were found for and whatever else they rest on; least recently used goes first.

    Another thread may ask at the same time: every step is one operation of the dictionary.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, tuple[tuple[object, ...], Found]] = OrderedDict()

    def known(self, objects: tuple[object, ...], rest: Hashable) -> Found | None:
        """The answer for these objects and an equal rest, where there is one."""
        answer = self._answers.get((tuple(map(id, objects)), rest))
        return None if answer is None else answer[1]

    def get(self, objects: tuple[object, ...], rest: Hashable, find: Callable[[], Found]) -> Found:
        """The answer for these objects and an equal rest; `find` works it out when there is none."""
        key = (tuple(map(id, objects)), rest)  # what is kept holds its objects, so no other object has their ids
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = (objects, find())
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)
        else:
            with suppress(KeyError):  # another thread has just let it go
                self._answers.move_to_end(key)
        return answer[1]


class Context:
    """Cache of one session's computed answers, by kind."""

    def __init__(self) -> None:
        self._kinds: dict[Cache[Any], Recent[Any]] = {}

    def recent(self, cache: Cache[Found]) -> Recent[Found]:
        """The answers of one kind."""
        found = self._kinds.get(cache)
        return found if found is not None else self._kinds.setdefault(cache, Recent(cache.most))

    def forget(self) -> None:
        """Drops all answers: tasks that were begun meanwhile hold the context long after its session is closed."""
        self._kinds.clear()

    def use(self) -> None:
        """Makes it the present one."""
        _present.set(self)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Makes it the present one for a while."""
        before = _present.set(self)
        try:
            yield
        finally:
            _present.reset(before)


_present: ContextVar[Context] = ContextVar("context")
_SHARED = Context()
"""For what has no session: checks, a map alone."""


class Cache(Generic[Found]):
    """One kind of answer and how many of it are kept; the answers themselves are in the present context."""

    def __init__(self, most: int) -> None:
        self.most = most

    def known(self, objects: tuple[object, ...], rest: Hashable) -> Found | None:
        """As `Recent.known`."""
        return _present.get(_SHARED).recent(self).known(objects, rest)

    def get(self, objects: tuple[object, ...], rest: Hashable, find: Callable[[], Found]) -> Found:
        """As `Recent.get`."""
        return _present.get(_SHARED).recent(self).get(objects, rest, find)
