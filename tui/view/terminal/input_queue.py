"""What a terminal has sent and the app has not got to yet: in order, and never more than a person types ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from threading import Lock

from textual import events

MOST_WAITING = 512
"""Events that wait at most: a long line that is pasted by a terminal without bracketed paste."""
MOST_REPEATS = 64
"""Events that wait at most of one key held down, of one turn of the wheel, and of the mouse in all."""
KEPT = 6
"""The latest events, which stay when more come than may wait: then it is no person who types."""

LATEST = (events.Resize, events.AppFocus, events.AppBlur)
"""Of these only the latest of each kind counts."""


class InputQueue:
    """Events from the input thread to the app, bounded. What is beyond the bound is dropped, the oldest first.

    Motion of the mouse takes the place of motion before it, and of more than MOST_REPEATS events of the mouse only the
    latest stays. After more than MOST_WAITING events no more than KEPT of them wait until the app has caught up, so
    that it answers soon after the flood has ended.
    """

    def __init__(self) -> None:
        self._waiting: deque[events.Event] = deque()
        self._lock = Lock()
        self._repeats = 0
        """How often the latest event has come one after another, beyond the first."""
        self._is_flooded = False
        self.dropped = 0
        """Events that were dropped so far."""

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, event: events.Event) -> None:
        """Adds an event; from any thread."""
        with self._lock:
            waiting = self._waiting
            last = waiting[-1] if waiting else None
            if isinstance(event, LATEST):
                self._drop(one for one in tuple(waiting) if type(one) is type(event))
            elif isinstance(event, events.MouseMove) and isinstance(last, events.MouseMove):
                waiting.pop()
                self.dropped += 1
            self._repeats = self._repeats + 1 if last is not None and is_repeat(last, event) else 0
            if self._repeats >= MOST_REPEATS:
                self.dropped += 1
                return
            waiting.append(event)
            self._is_flooded = self._is_flooded or len(waiting) > MOST_WAITING
            if isinstance(event, events.MouseEvent):
                mouse_events = [one for one in waiting if isinstance(one, events.MouseEvent)]
                if len(mouse_events) > MOST_REPEATS:
                    self._drop(mouse_events[:-1])
            if self._is_flooded and len(waiting) > KEPT:
                input_events = [one for one in waiting if not isinstance(one, LATEST)]
                self._drop(input_events[:-KEPT])

    def put_back(self, event: events.Event) -> None:
        """Puts an event before all that wait, to be taken next."""
        with self._lock:
            self._waiting.appendleft(event)

    def take(self) -> events.Event | None:
        """Removes and gives the oldest event; None where there is none."""
        with self._lock:
            event = self._waiting.popleft() if self._waiting else None
            if not self._waiting:
                self._is_flooded = False
            return event

    def _drop(self, these: Iterable[events.Event]) -> None:
        for event in these:
            self._waiting.remove(event)
            self.dropped += 1


def is_repeat(before: events.Event, event: events.Event) -> bool:
    """Whether an event is the one before it once more: a key held down, or the wheel."""
    if isinstance(event, events.Key):
        return isinstance(before, events.Key) and before.key == event.key
    return type(before) is type(event) and isinstance(event, (events.MouseScrollDown, events.MouseScrollUp))
