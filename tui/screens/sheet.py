"""A sheet of text over the screen, to read and scroll: the help, the whole receipt of a shot."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.screens.keysets import SHEET_KEYS
from tui.text import plain

WIDEST, NARROWEST = 84, 40
FRAME = 8
"""Columns that the frame, the scrollbar and some air take."""


def room(columns: int, widest: int = WIDEST) -> int:
    """Columns of text on a sheet in a terminal of so many columns."""
    return max(NARROWEST, min(widest, columns * 9 // 10) - FRAME)


class Sheet(ModalScreen[None]):
    """Shows what `build` makes for a width in cells."""

    BINDINGS = SHEET_KEYS  # type: ignore[assignment]

    DEFAULT_CSS = """
    Sheet { align: center middle; }
    Sheet VerticalScroll {
        width: 90%; max-width: 84; height: auto; max-height: 94%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
        scrollbar-size-vertical: 1; scrollbar-color: $panel-line; scrollbar-background: $panel-back;
    }
    """

    def __init__(self, title: str, build: Callable[[int], Content], widest: int = WIDEST) -> None:
        super().__init__()
        self._widest = widest
        self._title = title
        self._build = build

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.styles.max_width = self._widest
            box.border_title = plain(self._title)
            box.border_subtitle = plain("Esc closes")
            yield Static(markup=False)

    def on_mount(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        self.query_one(Static).update(self._build(room(self.app.size.width, self._widest)))

    def action_close(self) -> None:
        self.dismiss()

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)
