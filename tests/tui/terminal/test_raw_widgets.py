"""The sentence refreshes the lines that change, and those alone."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult
from textual.geometry import Region

from tui.view.terminal.raw_widgets import Sentence


class Spoken(Sentence):
    """A sentence that remembers what it refreshed."""

    DEFAULT_CSS = "Spoken { height: 2; width: 40; }"

    def __init__(self) -> None:
        super().__init__()
        self.refreshed: list[Region] = []

    def _set_dirty(self, *regions: Region) -> None:
        self.refreshed += regions
        super()._set_dirty(*regions)

    def lines(self) -> list[str]:
        return [strip.text.rstrip() for strip in self.render_lines(self.outer_size.region)]


class Speaking(App[None]):
    """A screen with one sentence."""

    def compose(self) -> ComposeResult:
        yield Spoken()


def test_only_lines_that_change_are_refreshed() -> None:
    async def script() -> None:
        async with Speaking().run_test(size=(60, 10)) as pilot:
            sentence = pilot.app.query_one(Spoken)
            for rows, hint, changed in (
                (("A1: floor. 5 ft.",), "e ends the turn.", {0, 1}),
                (("A2: floor. 10 ft.",), "e ends the turn.", {0}),
                (("A2: floor. 10 ft.",), "e ends the turn.", set()),
                (("A2: floor. 10 ft.",), "f attacks.", {1}),
                (("A2: floor.", "10 ft."), "f attacks.", {0, 1}),
                (("A2: floor.", "10 ft."), "e ends the turn.", set()),  # there is no room for it
            ):
                sentence.refreshed.clear()
                sentence.show(rows, hint)
                assert {line.y for line in sentence.refreshed} == changed, (rows, hint)
                assert sentence.lines() == [f" {line}" for line in (*rows, hint)][:2]

    asyncio.run(script())
