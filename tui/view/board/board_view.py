"""The board widget: shows a view under markings, moves the cursor, says which square was chosen. Decides nothing.

Attributes down: `view`, `markings`, `zoom`, `glyphs`. Up: `SquareChosen`; where the cursor is, who watches `markings`
learns at once, where a message would take its time through all that lies in between. Only squares in the
window are drawn, and after a small change only the lines it touches.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

from rich.segment import Segment
from textual import constants, events
from textual.binding import BindingType
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer

from engine.battle.views.view import View
from engine.geometry.squares import Direction, Square
from engine.values import replace
from tui.application.describe.glyphs import ASCII, UNICODE, GlyphSet
from tui.application.keys.board_keys import BOARD_KEYS
from tui.application.overlays.markings import NO_MARKINGS, Beat, Markings, beat_of
from tui.view.board.dirty_squares import changed_squares, moved_squares
from tui.view.board.ground import DrawingStyle
from tui.view.board.palette import MONO, Palette
from tui.view.board.picture import Picture, draw_row
from tui.view.board.rulers import TOP, column_ruler, left_width, row_ruler, scale_line
from tui.view.board.zoom_levels import SMALL, ZOOMS, Zoom
from tui.view.keys.bound_keys import bind
from tui.view.terminal.compositor import paint_now
from tui.view.terminal.raw_widgets import filtered

SLOW_S = 0.06
"""Seconds that a picture of a beat may be late; after that nothing moves by itself any more."""
SSH = ("SSH_CONNECTION", "SSH_TTY")
"""What the environment has over SSH."""
LEAST_WITH_SCALE = 16
"""Lines of a board that keeps its last one for the scale where the map is higher than it."""
MARGIN = 3
"""Squares between the cursor and the window's edge, where the map goes on."""
LEFT, MIDDLE, RIGHT = 1, 2, 3
"""Buttons of the mouse."""
MOST_REDRAWN = 200
"""Squares redrawn one by one; after a larger change the whole window is."""


class BoardView(ScrollView, can_focus=True, inherit_bindings=False):
    """A battlefield in squares with its rulers, which stay in view while it is panned."""

    ALLOW_SELECT = False
    BINDING_GROUP_TITLE = "Board"
    BINDINGS: ClassVar[list[BindingType]] = bind(BOARD_KEYS)
    DEFAULT_CSS = """
    BoardView { scrollbar-size: 0 0; background: $background; }
    """

    view: var[View | None] = var(None, init=False)
    markings: var[Markings] = var(NO_MARKINGS, init=False)
    zoom: var[Zoom] = var(SMALL, init=False)
    glyphs: var[GlyphSet] = var(UNICODE, init=False)
    squares_shown: var[Region] = var(Region(), init=False)
    """The squares in the window, whole or in part; some may be off the map."""

    @dataclass
    class SquareChosen(Message):
        """Enter on the cursor, or a click."""

        square: Square
        by_key: bool = False

    @dataclass
    class ZoomChosen(Message):
        """A zoom that was chosen for a size of the terminal."""

        size: Size
        zoom: Zoom

    def __init__(self, view: View | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._palette = MONO
        self._is_restyled = True
        self._manner: tuple[Zoom, GlyphSet, Palette] | None = None
        """What the present picture was drawn with."""
        self._picture: Picture | None = None
        self._zooms: dict[Size, Zoom] = {}
        """The zoom that was chosen, for each size of the terminal."""
        self._usual_zoom: Zoom | None = None
        """The zoom until one is chosen; None for the largest at which the whole map fits."""
        self._lines: dict[int, Strip] = {}
        """Cache of unchanged rendered lines."""
        self.has_motion = False
        """Whether what a command did is seen to happen. Without it nothing moves, and there is no timer."""
        self._is_auto = False
        self._timer: Timer | None = None
        self._due = 0.0
        """When the next picture of a beat is to be shown, in seconds of `monotonic`."""
        self._held_at: Offset | None = None
        """Where the mouse holds the map to pan it; None where it does not."""
        self._frames: Beat = []
        """What is left to show of a beat; the first is on the screen."""
        if view is not None:
            self.set_reactive(BoardView.view, view)
            self._resize_canvas()

    def on_resize(self) -> None:
        """The first time the cursor is in the middle; later the window stays where it is, if that still shows it."""
        is_first = not self.squares_shown
        if self.view is not None:
            field = self.view.field
            room = Size(self._window.width, self.outer_size.height - TOP)
            sizes = ((zoom, zoom.canvas(field.columns, field.rows)) for zoom in reversed(ZOOMS))
            fitting = (zoom for zoom, size in sizes if size[0] <= room[0] and size[1] <= room[1])
            self.zoom = self.chosen_zoom or self._usual_zoom or next(fitting, SMALL)
            self._resize_canvas()
        if self.cursor is not None:
            (self.centre_on if is_first else self.reveal)(self.cursor)

    # Drawing

    @property
    def picture(self) -> Picture | None:
        """The present picture; None before there is a view."""
        if self.view is None:
            return None
        if self._is_restyled:
            self._palette = self._palette.fitting(self.app)
            self._is_restyled = False
        drawn, manner = self._picture, (self.zoom, self.glyphs, self._palette)
        markings = self._frames[0][0] if self._frames else self.markings
        if drawn is None or drawn.view is not self.view or drawn.markings is not markings or self._manner != manner:
            self._picture, self._manner = Picture(self.view, markings, DrawingStyle(*manner), drawn), manner
        return self._picture

    def render_lines(self, crop: Region) -> list[Strip]:
        for y in crop.line_range:
            if y not in self._lines:
                self._lines[y] = self.render_line(y)
        return filtered(self, [self._lines[y] for y in crop.line_range], crop)

    def render_line(self, y: int) -> Strip:
        width, picture = self.outer_size.width, self.picture
        if picture is None:
            return Strip.blank(width)
        left = min(left_width(picture.view.field.rows), width)
        start, line = self.scroll_offset.x, self.scroll_offset.y + y - TOP
        end = start + width - left
        last = self.outer_size.height - 1
        keeps_scale = self._keeps_scale
        is_scale = y == last if keeps_scale else line == picture.size[1]
        if y < TOP:
            shown = self.squares_shown
            ruler = column_ruler(picture, start, end, (line + TOP) // self.zoom.height, shown.bottom)
            runs = [*row_ruler(picture, -1), *ruler]
        elif is_scale and not picture.view.is_curtain:
            runs = [*row_ruler(picture, -1), *scale_line(picture, width - left)]
        else:
            *_, up, down = picture.manner.glyphs.onward
            is_first, is_last = y == TOP and line > 0, y == last - keeps_scale and line + 1 < picture.size[1]
            onward = up if is_first else down if is_last else ""
            runs = [*row_ruler(picture, line, onward), *draw_row(picture, line, start, end)]
        return Strip([Segment(text, style) for text, style in runs], width).crop(0, width)

    def _set_dirty(self, *regions: Region) -> None:
        super()._set_dirty(*regions)
        if not regions:
            self._lines.clear()
        for y in {y for region in regions for y in region.line_range}:
            self._lines.pop(y, None)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The app's line filters, unless the palette has true colours."""
        return [one for one in super().get_line_filters() if not isinstance(one, ANSIToTruecolor)]

    def notify_style_update(self) -> None:
        self._is_restyled = True
        super().notify_style_update()

    # Attributes

    def watch_view(self, before: View | None, after: View | None) -> None:
        if before is not None and after is not None and _extent(before) == _extent(after):
            self._redraw(moved_squares(before, after))
        else:
            self._resize_canvas()
            self.refresh()

    def watch_markings(self, before: Markings, after: Markings) -> None:
        if self.view is None:
            return
        if after.aftermath is not before.aftermath:
            self._begin_beat(after)
        has_moved = before.cursor != after.cursor
        cursors = [place for place in (before.cursor, after.cursor) if place is not None and has_moved]
        self._redraw(changed_squares(before, after, self.view), cursors)
        if before.target != after.target:  # who may stand outside, and be named at the edge
            self.refresh(Region(0, 0, self.outer_size.width, TOP))
        if after.cursor is not None and has_moved:
            self.reveal(after.cursor)

    def watch_zoom(self) -> None:
        self._resize_canvas()
        if self.cursor is not None:
            self.centre_on(self.cursor)
        self.refresh()

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_x(old_value, new_value)
        self._find_squares_shown()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._find_squares_shown()

    def watch_glyphs(self) -> None:
        self.refresh()

    def use_ascii(self, ascii_only: bool) -> None:
        """Switches between ASCII and Unicode signs."""
        self.glyphs = ASCII if ascii_only else UNICODE

    def use_motion(self, motion: str) -> None:
        """Switches beats "on" or "off", or as the terminal is: not over SSH, nor with few colours, nor in tests."""
        self._is_auto = motion == "auto"
        is_quick = self.app.console.color_system == "truecolor" and not any(map(os.environ.get, SSH))
        is_shown = motion == "on" or (self._is_auto and is_quick and not self.app.is_headless)
        self.has_motion = is_shown and constants.TEXTUAL_ANIMATIONS != "none"

    def _begin_beat(self, after: Markings) -> None:
        """Shows what a new command did as it happens, if that is switched on; not that of a battle just opened."""
        self.end_beat()
        if self.has_motion and self._picture is not None and self.view is not None:
            self._frames = beat_of(after, {unit.id for unit in self.view.units if unit.is_defeated})
            self._wait()

    def _wait(self) -> None:
        if self._frames:
            seconds = self._frames[0][1]
            self._due = monotonic() + seconds
            self._timer = self.set_timer(seconds, self._go_on)

    def _go_on(self) -> None:
        if self._is_auto and monotonic() - self._due > SLOW_S:
            self.has_motion = False
            self.end_beat()
            return
        del self._frames[:1]
        self._wait()
        self.refresh()

    def end_beat(self) -> None:
        """Shows what a command did at once; any key does this."""
        if self._frames:
            if self._timer is not None:
                self._timer.stop()
            self._timer, self._frames = None, []
            self.refresh()

    @property
    def cursor(self) -> Square | None:
        return self.markings.cursor

    # The window

    def _resize_canvas(self) -> None:
        if self.view is None:
            return
        width, height = self.zoom.canvas(self.view.field.columns, self.view.field.rows)
        self.virtual_size = Size(width + left_width(self.view.field.rows), height + TOP + self._keeps_scale)
        self._find_squares_shown()

    @property
    def _keeps_scale(self) -> bool:
        """Whether the last line is the scale's wherever the map is panned to: where the map goes on below it."""
        height = self.outer_size.height
        is_whole = self.view is None or self.zoom.canvas(1, self.view.field.rows)[1] + TOP <= height
        return height >= LEAST_WITH_SCALE and not is_whole

    @property
    def _window(self) -> Region:
        """The visible part of the canvas, in cells."""
        left = left_width(self.view.field.rows) if self.view else 0
        width, height = self.outer_size  # with no border it is the inner one too, which takes a look at the layout
        return Region(*self.scroll_offset, width - left, height - TOP - self._keeps_scale)

    def _find_squares_shown(self) -> None:
        window, zoom = self._window, self.zoom
        left, top = window.x // zoom.width, window.y // zoom.height
        right, bottom = -(-window.right // zoom.width), -(-window.bottom // zoom.height)
        self.squares_shown = Region(left, top, max(0, right - left), max(0, bottom - top))

    def _place(self, square: Square) -> Region:
        """The cells of a square on the canvas."""
        zoom = self.zoom
        return Region(square.column * zoom.width, square.row * zoom.height, zoom.width, zoom.height)

    def place_in_window(self, square: Square) -> tuple[int, int]:
        """The first column and line of a square in the widget's cells."""
        place, window = self._place(square), self._window
        return place.x - window.x + self.outer_size.width - window.width, place.y - window.y + TOP

    def reveal(self, square: Square) -> None:
        """Pans by a quarter of the window or as far as it takes, when the square is too near to its edge."""
        place, window = self._place(square), self._window
        if window.width <= 0 or window.height <= 0:
            return
        x = _panned(place.x, place.width, window.x, window.width)
        y = _panned(place.y, place.height, window.y, window.height)
        if (x, y) != (window.x, window.y):
            self.scroll_to(x, y, animate=False)

    def centre_on(self, square: Square) -> None:
        """Pans so that the square is in the middle, as far as the map goes."""
        place, window = self._place(square), self._window
        zoom = self.zoom
        x = (place.x - window.width // 2) // zoom.width * zoom.width
        y = (place.y - window.height // 2) // zoom.height * zoom.height
        self.scroll_to(max(0, x), max(0, y), animate=False)

    def _marked(self, square: Square) -> Region:
        """The cells that the cursor on a square changes: the square's, or its unit's with those beside them."""
        unit = self.view.at(square) if self.view else None
        if unit is None:
            return self._place(square)
        place = self._place(unit.at)
        return Region(place.x - 1, place.y, place.width * unit.size + 2, place.height * unit.size)

    def _redraw(self, squares: set[Square] | None, cursors: Iterable[Square] = ()) -> None:
        """Squares and all that marks a cursor's are drawn again, as far as the window shows them; None for everything.

        A cursor's square has its frame, the column's letter and the row's number.
        """
        if squares is None or len(squares) > MOST_REDRAWN:
            self.refresh()
            return
        window, zoom = self._window, self.zoom
        left = self.outer_size.width - window.width
        rows: dict[int, Region] = {}
        for square in squares:
            place = self._place(square)
            place = Region(place.x - 1, place.y, place.width + 2, place.height)  # a frame, or a bar on its edge
            rows[square.row] = rows[square.row].union(place) if square.row in rows else place
        marks = [self._place(square) for square in cursors]
        lines = [self._marked(square) for square in cursors]
        shown = [place.intersection(window) for place in (*rows.values(), *lines)]
        drawn = [place.translate((left - window.x, TOP - window.y)) for place in shown if place]
        numbers = [place.y + (zoom.height - 1) // 2 for place in marks]
        drawn += [Region(0, TOP + y - window.y, left, 1) for y in numbers if window.y <= y < window.bottom]
        letters = (Region(left + place.x - window.x - zoom.width, 0, 3 * zoom.width, TOP) for place in marks)
        drawn += [letter for letter in letters if letter.intersection(self.outer_size.region)]
        if drawn:
            self.refresh(*drawn)

    # Keys and mouse

    def move_cursor(self, square: Square) -> None:
        """Moves the cursor to a square, or to the nearest one on the map."""
        if self.view is None:
            return
        field = self.view.field
        column, row = min(max(square.column, 0), field.columns - 1), min(max(square.row, 0), field.rows - 1)
        there = Square(column, row)
        if there != self.cursor:
            self.markings = replace(self.markings, cursor=there)

    def action_step(self, direction: str, squares: int = 1) -> None:
        """Moves the cursor in a direction named N, NE …; shows it if there was none."""
        way = Direction[direction]
        if self.cursor is None:
            self.move_cursor(self._middle())
            return
        self.move_cursor(Square(self.cursor.column + way.dx * squares, self.cursor.row + way.dy * squares))
        paint_now(self.screen)

    def _middle(self) -> Square:
        x, y = self._window.center
        return Square(int(x) // self.zoom.width, int(y) // self.zoom.height)

    def action_choose(self) -> None:
        if self.cursor is not None:
            self.post_message(self.SquareChosen(self.cursor, by_key=True))

    @property
    def chosen_zoom(self) -> Zoom | None:
        """The zoom that was chosen for the terminal as large as it is now; None for the one that fits."""
        return self._zooms.get(self.app.size)

    def remember_zooms(self, zooms: Mapping[Size, Zoom]) -> None:
        """Takes zooms that were chosen before, for the sizes of the terminal."""
        self._zooms = {**zooms}

    def use_zoom(self, zoom: Zoom) -> None:
        """Takes a zoom until one is chosen."""
        self._usual_zoom = zoom
        self.zoom = self.chosen_zoom or zoom

    def action_zoom(self, step: int = 1) -> None:
        zoom = self._zooms[self.app.size] = ZOOMS[(ZOOMS.index(self.zoom) + step) % len(ZOOMS)]
        self.zoom = zoom
        self.post_message(self.ZoomChosen(self.app.size, zoom))

    def action_centre(self) -> None:
        if self.cursor is not None:
            self.centre_on(self.cursor)

    def square_at(self, x: int, y: int) -> Square | None:
        """The square under a cell of the widget; None on the rulers and off the map."""
        window = self._window
        column = (x - (self.outer_size.width - window.width) + window.x) // self.zoom.width
        row = (y - TOP + window.y) // self.zoom.height
        square = Square(column, row)
        is_shown = x >= self.outer_size.width - window.width and TOP <= y < TOP + window.height
        return square if is_shown and self.view is not None and square in self.view.field else None

    def on_click(self, event: events.Click) -> None:
        square = self.square_under(event)
        if square is not None and event.button != MIDDLE:
            self.move_cursor(square)
            self.post_message(self.SquareChosen(square))

    def square_under(self, event: events.MouseEvent) -> Square | None:
        """The square under the mouse."""
        offset = event.get_content_offset(self)
        return self.square_at(offset.x, offset.y) if offset is not None else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The middle button takes hold of the map."""
        if event.button == MIDDLE:
            self.capture_mouse()
            self._held_at = Offset(event.x, event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Pans while the map is held."""
        if self._held_at is not None:
            by = self._held_at - Offset(event.x, event.y)
            self._held_at = Offset(event.x, event.y)
            self.scroll_to(self.scroll_offset.x + by.x, self.scroll_offset.y + by.y, animate=False)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Lets go of the map."""
        if self._held_at is not None:
            self._held_at = None
            self.release_mouse()


def _extent(view: View) -> tuple[int, int]:
    return view.field.columns, view.field.rows


def _panned(place: int, square: int, start: int, width: int) -> int:
    """Where the window should start on one axis so that a square at `place` has MARGIN others beside it.

    That is where it starts now, if it may; else a quarter of a window further, or as far as it takes.
    """
    margin = square * min(MARGIN, (width // square - 1) // 2)
    pull = max(square, width // 4 // square * square)
    first, last = max(0, place - margin), place + square + margin
    if first < start:
        return max(0, min(start - pull, first))
    if last > start + width:
        return max(start + pull, -(-(last - width) // square) * square)
    return start
