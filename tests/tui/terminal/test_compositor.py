"""Frames for which only the lines that are needed were asked for show what whole frames show."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from textual._compositor import ChopsUpdate, Compositor
from textual.strip import Strip

from engine.geometry.squares import Square
from engine.values import replace
from tests.tui.play import app_for, settled
from tests.tui.terminal.test_frame_diff import KEYS
from tui.view.screens.battle_screen import BattleScreen
from tui.view.terminal import compositor
from tui.view.terminal.compositor import DirtyLinesCompositor, compose_sparingly


def drawn(strip: Strip) -> list[tuple[str, object]]:
    """Each character with its style, however it is cut into segments."""
    return [(sign, segment.style) for segment in strip for sign in segment.text]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_every_frame_is_as_a_whole_one(size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = [0, 0]
    sparing = DirtyLinesCompositor.render_partial_update

    def compared(own: DirtyLinesCompositor) -> ChopsUpdate | None:
        update = sparing(own)
        if update is not None:
            whole = Compositor._render_chops(own, own.size.region, lambda _: True)
            for y, start, stop in update.spans:
                for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                    counts[0] += strip is None
                    if x < stop and end > start:
                        assert strip is not None, (x, y)
                        assert drawn(strip) == drawn(whole[y][x]), (x, y)
                        counts[1] += 1
        return update

    monkeypatch.setattr(DirtyLinesCompositor, "render_partial_update", compared)

    async def run() -> None:
        chance = random.Random(f"{size}")
        app = app_for(tmp_path)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for _ in range(150):
                await pilot.press(chance.choice(KEYS))

    asyncio.run(run())
    spared, shown = counts
    assert shown > 100
    assert spared > 100


def test_a_whole_frame_has_every_strip_where_widgets_are_arranged_before_they_are_laid_out(tmp_path: Path) -> None:
    """Keys that change the panels, and somebody who asks where an unseen widget is before the next layout."""

    async def run() -> None:
        app = app_for(tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, BattleScreen)
            own = screen._compositor
            own.render_full_update()
            for side, below in ((8, 0), (-4, 3), (0, 5), (20, -2)):
                screen.settings = replace(screen.settings, side=side, below=below)
                screen.place_panels()
                own._full_map_invalidated = True
                assert screen.board in own.full_map
                whole = own.render_full_update()
                assert all(strip is not None for line in whole.strips for strip in line), (side, below)
                assert {sum(strip.cell_length for strip in line) for line in whole.strips} == {120}
                own._dirty_regions.add(screen.board.region)
                update = own.render_partial_update()
                assert update is not None
                assert [len(line) for line in update.chops] == [len(ends) for ends in update.chop_ends]

    asyncio.run(run())


@pytest.mark.long
@pytest.mark.parametrize(("steps", "frames"), [(1, 1), (2, 1)])
def test_a_step_of_the_cursor_is_painted_at_once_and_one_soon_after_it_with_the_next_frame(
    steps: int, frames: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compositor, "UPDATE_PERIOD", 60.0)

    async def run() -> None:
        app = app_for(tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await settled(pilot)
            screen, shown = app.screen, list[object]()
            assert isinstance(screen, BattleScreen)
            monkeypatch.setattr(app, "_display", lambda _, update: shown.append(update))
            for _ in range(steps):
                screen.board.action_step("E")
            assert len(shown) == frames
            while len(shown) < steps:
                await pilot.pause(0.02)

    asyncio.run(run())


@pytest.mark.long
def test_the_second_picture_of_a_key_does_not_wait_for_the_next_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        app = app_for(tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await settled(pilot)
            screen, shown = app.screen, list[object]()
            assert isinstance(screen, BattleScreen)
            monkeypatch.setattr(compositor, "UPDATE_PERIOD", 60.0)
            monkeypatch.setattr(app, "_display", lambda _, update: shown.append(update))
            screen.board.action_step("E")
            screen.board.move_cursor(Square(11, 9))
            compositor.paint_now(screen)
            assert len(shown) == 1
            compositor.paint_now(screen, is_second=True)
            assert len(shown) == 2

    asyncio.run(run())


def test_another_textual_composes_as_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_for(tmp_path)
    assert app.session is not None
    screen = BattleScreen(app.session)
    assert isinstance(screen._compositor, DirtyLinesCompositor)
    monkeypatch.setattr(compositor, "TEXTUAL", "0.0.1")
    screen._compositor = Compositor()
    compose_sparingly(screen)
    assert type(screen._compositor) is Compositor
    app.session.close()


def with_filtered(strips: list[Strip]) -> list[Strip]:
    """Strips, and what filters made of them, which they keep, too."""
    made = [one for strip in strips for one in strip._filter_cache._cache.values()]
    return [*strips, *with_filtered(made)] if made else strips


@pytest.mark.long
def test_what_a_widget_keeps_of_its_lines_does_not_grow_with_the_frames(tmp_path: Path) -> None:
    """A strip of Textual's keeps every piece that it was cut into, and pieces of those."""

    async def script() -> None:
        app = app_for(tmp_path)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            screen = app.screen
            for key in ("right", "down", "a", "escape", "colon", "escape", "question_mark", "escape"):
                await pilot.press(key)
            screen._compositor.render_full_update()
            kept = [strip for widget in screen.walk_children() for strip in widget._styles_cache._cache.values()]
            assert len(kept) > 50
            assert not any(strip._divide_cache._cache for strip in with_filtered(kept))

    asyncio.run(script())
