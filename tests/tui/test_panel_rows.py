"""A panel draws only the rows that change, and shows what Textual would show if all were drawn."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Region
from textual.reactive import var
from textual.strip import Strip
from textual.visual import Visual

from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import lines, plain

ROWS = ("one", "", "two", "three")
Look = list[tuple[str, object, object]]


def look(strip: Strip) -> Look:
    """Texts and colours of a line, without the places that only a selection of text needs."""
    return [(text, style and style.color, style and style.bgcolor) for text, style, _ in strip]


class Shown(Panel):
    """Shows rows, each second one in the theme's own colour."""

    DEFAULT_CSS = "Shown { width: 12; height: 8; border: round $primary; }"
    shown: var[tuple[str, ...]] = var(ROWS, init=False)

    def __init__(self) -> None:
        super().__init__()
        self.refreshed: list[tuple[Region, ...]] = []

    def build(self, width: int, height: int) -> Content:
        return lines(plain(row, "$primary" if place % 2 else "") for place, row in enumerate(self.shown))

    def _set_dirty(self, *regions: Region) -> None:
        self.refreshed.append(regions)
        super()._set_dirty(*regions)

    @property
    def drawn(self) -> list[Look]:
        """Its lines inside the frame."""
        return [look(self.render_line(y)) for y in range(self.content_size.height)]

    @property
    def expected(self) -> list[Look]:
        """Those of the whole text, drawn by Textual."""
        size, style = self.content_size, self.visual_style
        found = Visual.to_strips(self, self.render(), *size, style)
        blank = Strip.blank(size.width, style.rich_style)
        return [look(strip) for strip in (*found, *[blank] * (size.height - len(found)))]


class Screened(App[None]):
    """A screen with one panel."""

    def compose(self) -> ComposeResult:
        yield Shown()


def test_only_rows_that_change_are_drawn_and_all_look_as_if_drawn_anew() -> None:
    async def script() -> None:
        async with Screened().run_test(size=(40, 20)) as pilot:
            panel = pilot.app.query_one(Shown)
            assert panel.drawn == panel.expected
            texts: tuple[tuple[tuple[str, ...], list[tuple[Region, ...]]], ...] = (
                (("one", "", "2", "three"), [(Region(0, 2, 10, 1),)]),
                (("one", "", "2", "three"), []),
                (("one", "x", "2", "3"), [(Region(0, 1, 10, 1), Region(0, 3, 10, 1))]),
                (("one", "x", "2"), [()]),
                (("one", "wider than it all", "2"), [()]),
                (("one", "wider than it was", "2"), [()]),
                (ROWS, [()]),
            )
            for shown, refreshed in texts:
                panel.refreshed.clear()
                panel.shown = shown
                assert panel.refreshed == refreshed, shown
                assert panel.drawn == panel.expected, shown
                await pilot.pause()
            before = panel.drawn
            pilot.app.theme = "textual-light"
            await pilot.pause()
            assert panel.drawn == panel.expected and panel.drawn != before

    asyncio.run(script())
