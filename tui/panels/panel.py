"""What all side panels share: a frame with a title, and text built for the room there is."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from tui.text import plain


class Panel(Widget):
    """Shows one value, `shown`. `build` is a pure function of the value, the width and the height in cells."""

    can_focus = False
    ALLOW_SELECT = False
    TITLE = ""

    def on_mount(self) -> None:
        self.border_title = plain(self.TITLE)

    def watch_shown(self) -> None:
        self.refresh()

    def render(self) -> Content:
        return self.build(self.content_size.width, self.content_size.height)

    def build(self, width: int, height: int) -> Content:
        raise NotImplementedError
