"""The board as a picture: rows of styled text, drawn as the screen draws them, and those rows as SVG."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.segment import Segment
from rich.style import Style

from engine.battle.views.aftermath import Aftermath
from engine.battle.views.view import View
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.text import clean, side_name
from tui.application.describe.glyphs import UNICODE
from tui.application.describe.text_layout import fit
from tui.application.exports.format_list import PLAYERS
from tui.application.exports.frames import ReplayFrame, merged
from tui.application.overlays.markings import Markings
from tui.application.overlays.overlay_list import blast_tints
from tui.view.board.ground import DrawingStyle
from tui.view.board.palette import Palette
from tui.view.board.picture import Picture, Run, draw_row
from tui.view.board.rulers import TOP, column_ruler, left_width, row_ruler
from tui.view.board.themes import GAME_COLOURS, LAMPLIGHT
from tui.view.board.zoom_levels import MEDIUM, SMALL, Zoom

MOST_COLUMNS, MOST_ROWS = 60, 40
"""Squares of a larger map that are shown: those around the units."""
AROUND = 3
"""Squares shown around them."""
WIDE = 168
"""Most cells across of a board whose squares are drawn in medium size."""
BACK, INK = GAME_COLOURS["void"], LAMPLIGHT.foreground or "default"
TEXT, STRONG, MUTED = (Style.parse(f"{look} on {BACK}") for look in (INK, f"bold {INK}", LAMPLIGHT.variables["muted"]))
MOST_TEXT = 1000
VIEWS = {"": "Game Master's view", PLAYERS: "players' view"}
NOTHING_YET = "There is nothing to show yet: the battle is still being set up."
FONT = re.compile(r"@font-face \{\{.*?\}\}", re.DOTALL)
SVG = re.sub(r"\n\s*\n+", "\n", FONT.sub("", CONSOLE_SVG_FORMAT).replace("{chrome}", "")).replace(
    'viewBox="0 0 {width} {height}"', 'viewBox="{terminal_x} {terminal_y} {terminal_width} {terminal_height}"'
)
"""Rich's SVG without its window frame, and without fonts that a viewer would load from elsewhere."""


class Crop(Struct, frozen=True):
    """The squares of a map that are shown, and their size."""

    left: int
    top: int
    right: int
    bottom: int
    zoom: Zoom = SMALL

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of squares."""
        return self.right - self.left, self.bottom - self.top


def crop_of(frames: Iterable[ReplayFrame], most_cells: tuple[int, int] | None = None) -> Crop:
    """The whole map, or as much of a large one as has all units of these frames in it, if that is possible.

    Args:
        frames: what is to be shown in it; at least one.
        most_cells: columns and rows of cells up to which squares are drawn in medium size.
    """
    frames = list(frames)
    field = frames[-1].battle.field
    places = [frame.battle.units[unit].at for frame in frames for unit in frame.sight.after] or [Square(0, 0)]
    left, right = _span([one.column for one in places], field.columns, MOST_COLUMNS)
    top, bottom = _span([one.row for one in places], field.rows, MOST_ROWS)
    wide, high = most_cells or (WIDE, MOST_ROWS * MEDIUM.height)
    is_medium = (right - left) * MEDIUM.width <= wide and (bottom - top) * MEDIUM.height <= high
    return Crop(left, top, right, bottom, MEDIUM if is_medium else SMALL)


def _span(places: Sequence[int], size: int, most: int) -> tuple[int, int]:
    """First and last of the squares shown on one axis; the last one not included."""
    if size <= most:
        return 0, size
    middle = (min(places) + max(places)) // 2
    wanted = min(most, max(places) - min(places) + 1 + 2 * AROUND)
    start = min(max(0, middle - wanted // 2), size - wanted)
    return start, start + wanted


class BoardArtist:
    """Draws boards of one battle, each on what the one before worked out."""

    def __init__(self, crop: Crop) -> None:
        self._crop = crop
        self._style = DrawingStyle(crop.zoom, UNICODE, Palette(LAMPLIGHT.variables))
        self._last: Picture | None = None

    def rows(self, view: View, done: Aftermath, actor: str = "") -> list[list[Run]]:
        """The column letters, and each line of the board with its number.

        Args:
            view: what is seen.
            done: what was done.
            actor: id of the unit that did it; "" for none.
        """
        return self.drawn(view, marked(done, actor))

    def drawn(self, view: View, markings: Markings) -> list[list[Run]]:
        """The same with any markings."""
        picture = Picture(view, markings, self._style, self._last)
        self._last, crop, zoom = picture, self._crop, self._crop.zoom
        across, down = picture.size
        start, end = crop.left * zoom.width, min(crop.right * zoom.width + 1, across)
        first, last = crop.top * zoom.height, min(crop.bottom * zoom.height + zoom.is_boxed, down)
        rows = [[*row_ruler(picture, -1), *column_ruler(picture, start, end, crop.top)]]
        return rows + [[*row_ruler(picture, y), *draw_row(picture, y, start, end)] for y in range(first, last)]

    def size(self, view: View) -> tuple[int, int]:
        """Columns and rows of cells that a board takes."""
        columns, rows = self._crop.size
        zoom = self._crop.zoom
        return left_width(view.field.rows) + columns * zoom.width + 1, TOP + rows * zoom.height + zoom.is_boxed


def marked(done: Aftermath, actor: str = "") -> Markings:
    """The markings of a board that shows what somebody did."""
    return Markings(selected=actor, tints=blast_tints(done), aftermath=done)


def text_row(text: str, width: int, style: Style = TEXT) -> list[Run]:
    """A text in one style, in exactly `width` cells."""
    return [(fit(f" {clean(text, MOST_TEXT)}", width), style)]


def svg_of(rows: Sequence[Sequence[Run]], unique_id: str) -> str:
    """Rows of equal width as an SVG of their size.

    Args:
        rows: runs of text and style.
        unique_id: begins all names inside, so that several fit into one page.
    """
    width = sum(Segment(text).cell_length for text, _ in rows[0])
    console = Console(record=True, file=io.StringIO(), width=width, color_system="truecolor", force_terminal=True,
                      legacy_windows=False, _environ={})  # fmt: skip
    for row in rows:
        console.print(_Row(row), end="")
    console.print(_Row([(" " * width, TEXT)]), end="")  # the last row has no clip path in Rich's SVG
    return console.export_svg(code_format=SVG, unique_id=unique_id)


class _Row:
    """Runs of a row, as they are: nothing in them is markup."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs

    def __rich_console__(self, console: object, options: object) -> Iterable[Segment]:
        yield from (Segment(text, style) for text, style in self._runs)
        yield Segment.line()


def caption(view: View, side: str) -> str:
    """The battle, its rules, the round and whose sight it is."""
    parts = (view.field.name, view.ruleset, f"round {view.round}" if view.round else "")
    return " · ".join(filter(None, (*parts, VIEWS.get(side) or f"as {side_name(side)} saw it")))


def last_picture(frames: Sequence[ReplayFrame], side: str) -> str:
    """The board in the last of these frames, with what its command did, as SVG.

    Raises:
        BattleboardError: the battle is still being set up.
    """
    if not frames:
        raise BattleboardError(NOTHING_YET)
    frame, view = frames[-1], frames[-1].view
    artist = BoardArtist(crop_of([frame]))
    width, _ = artist.size(view)
    board = artist.rows(view, merged([frame]), view.active)
    return svg_of([text_row(caption(view, side), width, STRONG), *board], "board")
