"""Keys in the order in which they were typed, however quickly they come.

The app hands a key to the focused widget and continues with the next key; the widget works when its turn comes. Over
a slow line keys come in bursts, and an Enter that answers a question would be overtaken by the command typed after it.
So while a question is asked, on a list and on a sheet one key at a time is under way and the others wait. They wait,
too, for a screen that a key has called up to be there whole: one that is left before that would fail.
"""

from __future__ import annotations

from collections import deque

from textual import events
from textual.app import App
from textual.widget import Widget

PATIENCE_S = 0.25
"""Seconds after which the next key is sent, whether or not the previous one is handled."""


class OrderedKeys(App[None]):
    """An app that keeps keys in order."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._held: deque[events.Key] = deque()
        self._under_way = 0
        """Number of the pending key; 0 for none."""
        self._keys_waited_for = 0

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.Key):
            await super().on_event(event)
        elif self._exit:
            pass  # typed after the one that leaves
        elif self._under_way or self._is_coming:
            self._held.append(event)
            if not self._under_way:
                self._wait_for(self.screen)
        else:
            await self._press(event)

    @property
    def _is_answering(self) -> bool:
        """Whether keys wait for one another now: everywhere but on a board that asks nothing."""
        return bool(getattr(self.screen, "is_asking", True))

    @property
    def _is_coming(self) -> bool:
        """Whether the screen on top is not there whole yet."""
        return bool(self.screen_stack) and not self.screen.is_mounted

    async def _press(self, event: events.Key) -> None:
        target = (self.focused or self.screen) if self._is_answering else None
        await super().on_event(event)
        if target is None and (self._is_coming or self.screen.message_queue_size):
            target = self.screen  # what the key has left there comes before the next one
        if target is not None:
            self._wait_for(target)

    def _wait_for(self, target: Widget) -> None:
        """Lets the next keys go when the target is done with what it has got."""
        self._keys_waited_for += 1
        self._under_way = number = self._keys_waited_for
        # Behind the key in its receiver's queue, then behind the messages that it has left on the screen below.
        target.call_later(lambda: self.screen.call_later(self.call_later, self._go_on, number))
        self.set_timer(PATIENCE_S, lambda: self.call_later(self._go_on, number))

    async def _go_on(self, number: int) -> None:
        """The key of that number has been dealt with: the next ones go."""
        if number != self._under_way:
            return
        if self._is_coming:
            self._wait_for(self.screen)
            return
        self._under_way = 0
        while self._held and not self._under_way and not self._exit:
            await self._press(self._held.popleft())
