"""Keys in the order in which they were typed, however quickly they come.

The app hands a key to the focused widget and continues with the next key; the widget works when its turn comes. Over
a slow line keys come in bursts, and an Enter that answers a question would be overtaken by the command typed after it.
So while a question is asked, on a list and on a sheet one key at a time is under way and the others wait, as they do
wherever more keys or moves of the mouse have come than the app has handled. They wait, too, for a screen that a key has
called up to be there whole: one that is left before that would fail.
"""

from __future__ import annotations

from textual import events
from textual.app import App
from textual.timer import Timer
from textual.widget import Widget

from tui.view.terminal.input_queue import InputQueue

PATIENCE_S = 0.25
"""Seconds after which the next key is sent, whether or not the previous one is handled."""


TYPED = (events.InputEvent, events.Paste)
"""What waits for what has come before it."""


class OrderedKeys(App[None]):
    """An app that keeps keys in order."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.typed = InputQueue()
        """What has come and waits."""
        self._is_called = False
        """Whether the app has been told that something waits."""
        self._under_way = 0
        """Number of the pending key; 0 for none."""
        self._keys_waited_for = 0
        self._patience: Timer | None = None

    def receive(self, event: events.Event) -> None:
        """Takes what the terminal has sent; from the thread that reads it."""
        self.typed.put(event)
        if not self._is_called:
            self._is_called = True
            self.call_later(self._take_waiting)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, TYPED) and not event.is_forwarded:
            self.typed.put(event)
            await self._take_waiting()
        else:
            await super().on_event(event)

    async def press(self, event: events.Event) -> None:
        """Handles a key, or another event from the terminal."""
        await super().on_event(event)

    async def _take_waiting(self) -> None:
        """Handles what waits, as far as it goes now."""
        self._is_called = False
        while not self._under_way and not self._exit:  # nothing is handled after the key that leaves
            if self._is_coming and self.typed:
                self._wait_for(self.screen)
            elif (event := self.typed.take()) is None:
                return
            elif isinstance(event, TYPED):
                await self._press(event)
            else:
                self.post_message(event)

    def press_again(self, event: events.Key) -> None:
        """Presses a key once more, before those that wait: the screen that it has closed was not meant by it."""
        self.typed.put_back(events.Key(event.key, event.character))

    @property
    def _is_answering(self) -> bool:
        """Whether keys wait for one another now: everywhere but on a board that asks nothing."""
        return bool(getattr(self.screen, "is_asking", True))

    @property
    def _is_coming(self) -> bool:
        """Whether the screen on top is not there whole yet."""
        return bool(self.screen_stack) and not self.screen.is_mounted

    async def _press(self, event: events.Event) -> None:
        is_in_turn = bool(self.typed) or (not isinstance(event, events.MouseEvent) and self._is_answering)
        target = (self.focused or self.screen) if is_in_turn else None
        await self.press(event)
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
        self._patience = self.set_timer(PATIENCE_S, lambda: self.call_later(self._go_on, number))

    async def _go_on(self, number: int) -> None:
        """The key of that number has been dealt with: the next ones go."""
        if number != self._under_way:
            return
        if self._patience is not None:
            self._patience.stop()
        if self._is_coming:
            self._wait_for(self.screen)
            return
        self._under_way = 0
        await self._take_waiting()
