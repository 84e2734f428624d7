"""The difference that is written shows what Textual's whole frames would show, judged by a terminal emulator."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pyte
import pytest
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Region
from textual.strip import Strip

from tests.examples import sample
from tests.tui.play import app_for, session_for, settled
from tui.view.app import board_app
from tui.view.app.board_app import BoardApp
from tui.view.terminal import frame_diff
from tui.view.terminal.frame_diff import Shown, applies

CONSOLE = Console(color_system="256", force_terminal=True, _environ={})
EIGHT_BIT = ColorSystem.EIGHT_BIT

KEYS = tuple(
    f"{'h j k l y u b n H J K L left right ' * 3} t T z + - c v j k enter enter escape p 1 2 3 4 m f enter escape e U R"
    " x question_mark escape r escape E w enter a escape g escape ctrl+p o s i escape S G escape tab space".split()
)
"""Most of them move the cursor; the others open and close what lies over the board."""


class Emulator:
    """A terminal that keeps what its screen shows."""

    def __init__(self, width: int, height: int) -> None:
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)
        self.feed("\x1b[?7l")

    def feed(self, written: str) -> None:
        self._stream.feed(written)


def _seen(cell: pyte.screens.Char) -> tuple[object, ...]:
    """What is to be seen of a cell: the ink of a blank is not."""
    drawn = (cell.underscore, cell.strikethrough, cell.reverse, cell.blink)
    ink = (_in_256_colours(cell.fg), cell.bold, cell.italics) if cell.data != " " or any(drawn) else ()
    return (cell.data, _in_256_colours(cell.bg), *drawn, *ink)


@cache
def _in_256_colours(name: str) -> str:
    """The colour as 256 colours have it: Rich writes a style as it was first written in this process, in whichever."""
    if not re.fullmatch("[0-9a-f]{6}", name) or name in pyte.graphics.FG_BG_256:
        return name
    return str(pyte.graphics.FG_BG_256[Color.parse(f"#{name}").downgrade(EIGHT_BIT).number or 0])


class Both:
    """One frame after another on two emulators: written by Textual, and as the difference."""

    def __init__(self, width: int, height: int, *, erases: bool = True) -> None:
        self.whole, self.differing = Emulator(width, height), Emulator(width, height)
        self.shown = Shown(erases=erases)
        self.bytes = [0, 0]

    def show(self, update: CompositorUpdate) -> None:
        """Asserts that both screens look alike after it."""
        stock, ours = update.render_segments(CONSOLE), self.shown.written(update, EIGHT_BIT)
        self.whole.feed(stock)
        self.differing.feed(ours)
        self.bytes = [self.bytes[0] + len(stock.encode()), self.bytes[1] + len(ours.encode())]
        found, wanted = self.differing.screen, self.whole.screen
        for y in range(found.lines):
            if found.buffer[y] != wanted.buffer[y]:  # it may be the ink of blanks alone
                for x in range(found.columns):
                    assert _seen(found.buffer[y][x]) == _seen(wanted.buffer[y][x]), (x, y, ours)


# Frames of our own making

STYLES = [Style(), Style.parse("red on blue"), Style.parse("bold #aabbcc on #102030"), Style.parse("dim underline")]
STYLES += [Style.parse("reverse"), Style.parse("on #102030"), Style.parse("bold dim"), Style.parse("italic strike")]


def strip(text: str, *styles: Style) -> Strip:
    """A letter in each style in turn."""
    chosen = styles or STYLES[:1]
    return Strip([Segment(sign, chosen[place % len(chosen)]) for place, sign in enumerate(text)])


def whole(rows: Iterable[Strip], width: int) -> LayoutUpdate:
    lines: list[Iterable[Strip]] = [[row] for row in rows]
    return LayoutUpdate(lines, Region(0, 0, width, len(lines)))


def part(pieces: list[tuple[int, Strip]], width: int, height: int) -> ChopsUpdate:
    """Some lines drawn anew from their first column."""
    chops: list[dict[int, Strip | None]] = [{0: None} for _ in range(height)]
    for y, row in pieces:
        chops[y] = {0: row}
    return ChopsUpdate(chops, [(y, 0, width) for y, _ in pieces], [[width]] * height)


def scribble(chance: random.Random, width: int) -> Strip:
    """Text of runs and blanks in any style, wide signs among them."""
    segments, room = [], width
    while room:
        text = chance.choice(("   ", "x", "abc", "·∵", "忍", "é", " ", "────", "          "))
        found = Strip([Segment(text, chance.choice(STYLES))])
        if found.cell_length > room:
            found = Strip([Segment(" " * room, STYLES[1])])
        segments += list(found)
        room -= found.cell_length
    return Strip(segments)


@pytest.mark.parametrize("seed", range(12))
def test_random_frames_look_as_textual_writes_them(seed: int) -> None:
    chance = random.Random(seed)
    width, height = chance.randint(3, 40), chance.randint(1, 12)
    both = Both(width, height, erases=seed % 2 == 0)
    for _ in range(12):
        if chance.random() < 0.4:
            both.show(whole((scribble(chance, width) for _ in range(height)), width))
        else:
            lines = sorted(chance.sample(range(height), chance.randint(1, height)))
            both.show(part([(y, scribble(chance, width)) for y in lines], width, height))


@pytest.mark.long
@pytest.mark.parametrize("seed", sample(range(12), 2))
def test_what_only_moves_looks_as_textual_writes_it(seed: int) -> None:
    """A map behind a window that is panned, with a frame left of it and a panel right of it that stay."""
    chance = random.Random(seed)
    width, height = 60, 20
    ground = [strip("".join(chance.choice(".,:;xo ") for _ in range(200)), *STYLES[:3]) for _ in range(200)]
    panel = [scribble(chance, 14) if seed % 2 else strip(f"line {row:9}", STYLES[1]) for row in range(height)]
    both = Both(width, height, erases=seed % 3 == 0)
    x, y = 50, 50
    for _ in range(10):
        across = chance.random() < 0.5
        x, y = x + across * chance.choice((1, 2, -2, 4, -4, 20)), y + (not across) * chance.choice((1, -1, 2, -3, 9))
        chops: list[dict[int, Strip | None]] = []
        for row in range(height):
            drawn = Strip([*strip(f"{y + row:3} ", STYLES[2]), *ground[y + row].crop(x, x + width - 18)])
            chops.append({0: drawn, width - 14: panel[row]})
        whole_lines = [(row, 0, width) for row in range(height)]
        both.show(ChopsUpdate(chops, whole_lines, [[width - 14, width]] * height))
    if seed % 2 == 0:  # where wide signs are about, nothing is moved
        assert both.bytes[1] < both.bytes[0] / 3


def test_what_is_not_known_is_not_moved() -> None:
    """Part of each line scrolls after all was forgotten: what stands beside it stays where it is."""
    both = Both(40, 12)
    ground = [strip(f"row {row:2} {'abcdefgh'[row % 8] * 12}") for row in range(40)]
    beside = [strip(f"beside {row:2}  ") for row in range(12)]

    def frame(first: int, columns: int) -> ChopsUpdate:
        chops: list[dict[int, Strip | None]] = [{0: ground[first + y], 20: beside[y]} for y in range(12)]
        return ChopsUpdate(chops, [(y, 0, columns) for y in range(12)], [[20, 31]] * 12)

    both.show(frame(0, 31))
    both.shown.forget()
    for first in (1, 4, 3):
        both.show(frame(first, 20))


def test_nothing_is_written_for_what_is_there() -> None:
    shown = Shown()
    frame = whole([strip("abc", *STYLES), strip("d f", *STYLES)], 3)
    assert shown.written(frame, EIGHT_BIT)
    assert shown.written(frame, EIGHT_BIT) == ""
    shown.forget()
    assert "abc" in shown.written(whole([strip("abc"), strip("def")], 3), EIGHT_BIT)


def test_one_letter_costs_one_letter() -> None:
    shown = Shown()
    shown.written(whole([strip("abcdefgh")], 8), EIGHT_BIT)
    assert shown.written(whole([strip("abcdeXgh")], 8), EIGHT_BIT) == "\x1b[1;6HX"


def test_colours_that_alternate_are_set_once_each() -> None:
    both = Both(20, 6)
    both.show(whole((strip("·" * 20) for _ in range(6)), 20))
    chequers = [strip("o" * 20, STYLES[1], STYLES[5])] * 6
    written = both.shown.written(whole(chequers, 20), EIGHT_BIT)
    assert len(re.findall(r"\x1b\[[0-9;]+m", written)) == 2


@pytest.mark.parametrize(
    "hostile", ["\x1b[2J", "\x1b]52;c;YQ==\x07", "\x9b2J", "a\x00b", "\u202etxt", "\u200d", "\r\n"]
)
def test_nothing_that_steers_the_terminal_passes(hostile: str) -> None:
    """The gate before this one lets none of it through; this one does not rely on that."""
    shown = Shown()
    written = shown.written(whole([Strip([Segment(f"<{hostile}>", STYLES[1])])], 30), EIGHT_BIT)
    forbidden = {"\x07", "\x9b", "\x00", "\u202e", "\u200d", "\r", "\n"}
    assert not forbidden & set(written)
    assert written.count("\x1b") == written.count("\x1b[") and "\x1b[2J" not in written


def test_links_and_control_segments_are_not_written() -> None:
    row = Strip([Segment("go", Style(link="https://example.org")), Segment("\x1b[2J", None, [(1,)])])  # type: ignore[list-item]
    assert Shown().written(whole([row], 2), EIGHT_BIT) == "\x1b[1Hgo"


# The board


class Watched(BoardApp):
    """Shows each frame on both emulators."""

    CSS_PATH = Path(board_app.__file__).with_name("board.tcss")

    def __init__(self, folder: Path, both: Both, **how: Any) -> None:
        super().__init__(session_for(folder), **how)
        self.both = both

    def _display(self, screen: Any, renderable: Any) -> None:
        super()._display(screen, renderable)
        if isinstance(renderable, CompositorUpdate):
            self.both.show(renderable)


def sitting(folder: Path, keys: int, seed: int, size: tuple[int, int], **how: Any) -> Both:
    """A sitting of random keys."""

    async def sit() -> Both:
        chance, both = random.Random(seed), Both(*size)
        watched = Watched(folder, both, **how)
        async with watched.run_test(size=size) as pilot:
            await pilot.pause()
            for _ in range(keys):
                await pilot.press(chance.choice(KEYS))
                if chance.random() < 0.03:
                    both.shown.forget()
                if chance.random() < 0.03:
                    await pilot.hover(offset=(chance.randrange(size[0]), chance.randrange(size[1])))
            await pilot.pause()
        return both

    return asyncio.run(sit())


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "size"), [(1, (120, 40)), (2, (80, 24))])
def test_a_random_sitting_looks_as_textual_writes_it(tmp_path: Path, seed: int, size: tuple[int, int]) -> None:
    both = sitting(tmp_path, 50, seed, size, ascii_only=seed % 2 == 0)
    assert both.bytes[1] < both.bytes[0] / 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_many_random_sittings_look_as_textual_writes_them(tmp_path: Path, seed: int) -> None:
    sizes = [(60, 18), (80, 24), (100, 30), (120, 40), (200, 60)]
    sitting(tmp_path, 400, seed, sizes[seed % 5])


# Where it applies


class Fake(HeadlessDriver):
    """A driver with a terminal, as far as it says."""

    is_headless = False  # type: ignore[assignment]

    def __init__(self) -> None:
        pass

    @property
    def is_inline(self) -> bool:
        return False


def test_it_applies_to_a_terminal_and_the_known_release_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(frame_diff.SWITCH, raising=False)
    assert applies(Fake())
    assert not applies(None)
    monkeypatch.setattr(frame_diff, "version", lambda name: "8.3.0")
    assert not applies(Fake())


def test_the_environment_switches_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(frame_diff.SWITCH, "whole")
    assert not applies(Fake())


def test_a_headless_app_is_left_alone(tmp_path: Path) -> None:
    async def look() -> bool:
        headless = app_for(tmp_path)
        async with headless.run_test():
            return headless._writes_differences

    assert not asyncio.run(look())


@pytest.mark.long
def test_the_screen_is_drawn_whole_again_when_asked(tmp_path: Path) -> None:
    async def ask() -> int:
        both = Both(120, 40)
        watched = Watched(tmp_path, both)
        async with watched.run_test(size=(120, 40)) as pilot:
            await settled(pilot)  # else a frame of its own comes after the rubbish
            watched._shown = both.shown
            both.differing.feed("\x1b[2J\x1b[H" + "rubbish " * 90)
            before = both.bytes[1]
            await pilot.press("ctrl+l")
            await pilot.pause()
        return both.bytes[1] - before

    assert asyncio.run(ask()) > 3000


def test_what_could_not_be_written_is_written_with_the_next_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames: list[type] = []

    def noted(self: Shown, update: Any, console: Console, is_typed_in: bool = False) -> None:
        frames.append(type(update))

    monkeypatch.setattr(Shown, "difference", noted)

    async def press() -> None:
        board = app_for(tmp_path)
        async with board.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            board.__dict__["_writes_differences"] = True
            with board.batch_update():
                board._display(board.screen, board.screen._compositor.render_full_update())
            assert frames == []
            for _ in range(2):  # a frame each, on a busy machine too
                await pilot.press("l")
                await pilot.pause()

    asyncio.run(press())
    assert frames[0] is LayoutUpdate
    assert set(frames[1:]) == {ChopsUpdate}
