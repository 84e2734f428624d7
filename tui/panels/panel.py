"""Base class of the side panels: a titled frame with text built for its size."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.describe.styled_text import plain
from tui.keys.battle_keys import with_keys


class Panel(Widget):
    """Shows one value, `shown`. `build` is a pure function of the value, the width and the height in cells."""

    can_focus = False
    ALLOW_SELECT = False
    TITLE = ""

    def on_mount(self) -> None:
        self.border_title = plain(with_keys(self.TITLE))

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._built: tuple[Size, Content] | None = None

    def watch_shown(self) -> None:
        """Refreshes only if the text changes: most panels stay the same when the cursor moves."""
        before, self._built = self._built, None
        now = self.render()
        if before is None or self._built is None or before[0] != self._built[0] or not before[1].is_same(now):
            self.refresh()

    def render(self) -> Content:
        size = self.content_size
        if self._built is None or self._built[0] != size:
            self._built = size, self.build(size.width, size.height)
        return self._built[1]

    def build(self, width: int, height: int) -> Content:
        raise NotImplementedError
