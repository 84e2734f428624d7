"""Base class of the side panels: a titled frame with text built for its size."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.describe.styled_text import join, plain
from tui.keys.battle_keys import with_keys

FRAME = 6
"""Columns of the frame's upper line beside its words."""


class Panel(Widget):
    """Shows one value, `shown`. `build` is a pure function of the value, the width and the height in cells."""

    can_focus = False
    ALLOW_SELECT = False
    KEY, TITLE = "", ""
    """Id of the key that shows the panel, and what is in it."""

    def on_mount(self) -> None:
        self.head(self.TITLE)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._built: tuple[Size, Content] | None = None
        self._head: Content | None = None

    def head(self, title: str, right: str = "") -> None:
        """Titles the frame: the panel's key, what is in it, and at the frame's other end more, if there is room."""
        key = with_keys(f"{{{self.KEY}}} ") if self.KEY else ""
        found = [plain(key, "not bold $faint"), plain(title)]
        rest = self.outer_size.width - FRAME - len(key) - len(title) - len(right) - 2
        if right and rest > 0:
            found += [plain(f" {'─' * rest} ", "not bold $panel-line"), plain(right, "not bold $faint")]
        head = join(found)
        if self._head is None or not head.is_same(self._head):
            self._head = self.border_title = head

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
