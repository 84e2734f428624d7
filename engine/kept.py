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
        self._answers: tuple[tuple[tuple[object, ...], Hashable, Found], ...] = ()

    def get(self, layers: tuple[object, ...], rest: Hashable, find: Callable[[], Found]) -> Found:
        """The answer for these layers, the same objects, and an equal rest; `find` works it out when there is none."""
        for known, other, answer in self._answers:
            if all(one is another for one, another in zip(known, layers, strict=True)) and other == rest:
                return answer
        answer = find()
        self._answers = ((layers, rest, answer), *self._answers[: self._most - 1])
        return answer
