"""No size of the terminal ends the program: every size through the layout, every screen through sizes of all kinds."""

from __future__ import annotations

import asyncio
from itertools import cycle, product
from pathlib import Path
from random import Random

import pytest

from tests.examples import sample
from tests.tui.every_screen import SCREENS, opened, put_files, show
from tui.application.describe.text_layout import fit, shortened
from tui.application.settings.settings import PANELS, Settings
from tui.application.terminal.capabilities import LEAST_COLUMNS
from tui.view.board.zoom_levels import LARGE
from tui.view.modals.text_modal import room
from tui.view.panels.layout import BARS, LEAST_BOARD, LEAST_ROOM, TURNS, layout

MOST_COLUMNS, MOST_ROWS = 500, 60
CORNERS = [(1, 1), (MOST_COLUMNS, 1), (1, MOST_ROWS), (MOST_COLUMNS, MOST_ROWS), (160, 1), (250, 3)]
EDGES = [(59, 18), (60, 17), (60, 18), (61, 19), (99, 24), (100, 24), (160, 60), (20, 5), (40, 10), (2, 2)]
"""Beside the least size, the widths at which screens change, and what a pane of tmux comes to."""
TEXT = "Todd cannot move to D4: 7 squares needed, 5 left this turn; " * 4


def sizes(count: int, seed: str) -> list[tuple[int, int]]:
    chance = Random(seed)
    return [(chance.randint(1, MOST_COLUMNS), chance.randint(1, MOST_ROWS)) for _ in range(count)]


@pytest.mark.long
def test_the_layout_has_every_region_on_the_screen_at_every_size() -> None:
    maps, panels = ((1, 1), (26, 15), (200, 200)), ("", TURNS, "shot", "log")
    kinds = product(maps, ((), PANELS, ("shot", "order")), panels, (1, 40), (-60, 0, 60))
    for (columns, rows), (extent, hidden, panel, units, side) in zip(
        product(range(1, MOST_COLUMNS + 1), range(1, MOST_ROWS + 1)), cycle(list(kinds)), strict=False
    ):
        settings = Settings(side=side, below=side // 2, hidden=hidden)
        zoom = LARGE if columns % 2 else None
        found = layout(columns, rows, extent, settings, panel, units, zoom, has_notes=True)
        whole = max(columns, LEAST_COLUMNS), max(rows - BARS, LEAST_ROOM)
        assert found.places["board"].width >= LEAST_BOARD[0] and found.places["board"].height >= LEAST_BOARD[1]
        for name, place in found.places.items():
            inside = place.x >= 0 and place.y >= 0 and place.right <= whole[0] and place.bottom <= whole[1]
            assert inside and place.width >= 0 and place.height >= 0, (name, place, columns, rows)


def test_texts_fit_every_width() -> None:
    for width in range(-20, MOST_COLUMNS + 1):
        assert room(width) > 0
        fit(TEXT, width)
        for rows in (1, 2, 3):
            assert len(shortened(TEXT, width, rows)) <= rows


def resized(folder: Path, name: str, several: list[tuple[int, int]]) -> None:
    """Opens a screen and gives the terminal one size after another."""
    put_files(folder / "data")
    with opened(SCREENS[name]) as app:

        async def run() -> None:
            async with app.run_test(size=(120, 40)) as pilot:
                await show(pilot, SCREENS[name])
                for size in several:
                    await pilot.resize_terminal(*size)
                    await pilot.pause()
                    assert app._exception is None, (name, size)

        asyncio.run(run())


@pytest.mark.long
@pytest.mark.parametrize("name", sample(SCREENS, 4))
def test_no_size_ends_a_screen(tmp_path: Path, name: str) -> None:
    resized(tmp_path, name, [*CORNERS, *EDGES[:4]])


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_no_size_of_all_kinds_ends_a_screen(tmp_path: Path, name: str) -> None:
    resized(tmp_path, name, [*CORNERS, *EDGES, *sizes(40, name)])
