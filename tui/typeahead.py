"""Keys in the order in which they were typed, however quickly they come.

The app hands a key to whoever has the focus and goes on to the next; the one who got it works when its turn comes. Over
a slow line keys come in bursts, and an Enter that answers a question would be overtaken by the command typed after it.
So while a question is asked or a list is shown, one key at a time is under way and the others wait.
"""

from __future__ import annotations

from collections import deque

from textual import events
from textual.app import App
from textual.screen import ModalScreen

PATIENCE_S = 0.25
"""After so long the next key goes, whatever became of the one before it."""


class OrderedKeys(App[None]):
    """An app that keeps keys in order."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._held: deque[events.Key] = deque()
        self._under_way = 0
        """Number of the key that is waited for; 0 for none."""
        self._keys_waited_for = 0

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.Key):
            await super().on_event(event)
        elif self._under_way:
            self._held.append(event)
        else:
            await self._press(event)

    @property
    def _is_answering(self) -> bool:
        """Whether keys are answers now: to a question, or in a list on top of the board."""
        return isinstance(self.screen, ModalScreen) or bool(getattr(self.screen, "is_asking", False))

    async def _press(self, event: events.Key) -> None:
        target = (self.focused or self.screen) if self._is_answering else None
        await super().on_event(event)
        if target is not None:
            self._keys_waited_for += 1
            self._under_way = number = self._keys_waited_for
            # Behind the key in the queue of whoever got it, then behind what that has left on the screen below.
            target.call_later(lambda: self.screen.call_later(self.call_later, self._go_on, number))
            self.set_timer(PATIENCE_S, lambda: self.call_later(self._go_on, number))

    async def _go_on(self, number: int) -> None:
        """The key of that number has been dealt with: the next ones go."""
        if number == self._under_way:
            self._under_way = 0
            while self._held and not self._under_way:
                await self._press(self._held.popleft())
