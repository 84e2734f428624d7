"""What was worked out for the layers of a battlefield, kept for the next time.

Battlefields are immutable and share the layers that did not change, so a layer is known by being the same object:
comparing two of them would take longer than what is saved. Keeping changes no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Found = TypeVar("Found")


class Kept(Generic[Found]):
    """The latest few answers, by the layers they were found for and whatever else they rest on."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: dict[Hashable, tuple[tuple[object, ...], Found]] = {}

    def known(self, layers: tuple[object, ...], rest: Hashable) -> Found | None:
        """The answer for these layers and an equal rest, where there is one."""
        kept = self._answers.get((tuple(map(id, layers)), rest))
        return None if kept is None else kept[1]

    def get(self, layers: tuple[object, ...], rest: Hashable, find: Callable[[], Found]) -> Found:
        """The answer for these layers, the same objects, and an equal rest; `find` works it out when there is none."""
        key = (tuple(map(id, layers)), rest)  # what is kept holds its layers, so no other object has their ids
        kept = self._answers.get(key)
        if kept is None:
            kept = (layers, find())
            answers = dict(self._answers)  # never changed in place: another thread may be reading
            if len(answers) >= self._most:
                del answers[next(iter(answers))]
            answers[key] = kept
            self._answers = answers
        return kept[1]
