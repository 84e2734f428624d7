"""What of a frame has to be asked of widgets: the lines of those that are seen where something changed.

Textual draws one rectangle around all that changed, and asks every widget in it for all its lines, covered ones
included. With a cursor's move that is the whole screen for a few cells; with a whole screen every panel's lines are
drawn as blanks of what lies below it, too. Like `frame_diff` this stands on parts of Textual
that are not public, and only on the one release that it is known to fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from time import perf_counter
from typing import Any

from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.geometry import Region
from textual.screen import UPDATE_PERIOD, Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.application.terminal.version import version
from tui.view.terminal.frame_diff import TEXTUAL
from tui.view.terminal.key_queue import OrderedKeys


def compose_sparingly(screen: Screen[Any]) -> None:
    """Gives a new screen a compositor that asks for no more lines than it needs; not where Textual is another one."""
    if version("textual") == TEXTUAL:
        screen._compositor = DirtyLinesCompositor()


def paint_now(screen: Screen[Any], *, is_second: bool = False) -> None:
    """Paints what has changed on a screen, where no more keys wait: Textual would pass four message queues first.

    What moves widgets or gives them other styles is left to Textual, and so is what comes sooner than its next frame,
    unless it is the second picture of a key.
    """
    compositor = screen._compositor
    if not isinstance(compositor, DirtyLinesCompositor) or screen.app.message_queue_size:
        return
    if isinstance(screen.app, OrderedKeys) and screen.app.typed:
        return
    now = perf_counter()
    if not is_second and now - compositor.painted < UPDATE_PERIOD:
        return
    widgets = [screen, *screen.walk_children(Widget)]
    if any(one._layout_required or one._scroll_required or one._refresh_styles_required for one in widgets):
        return
    if changed := [one for one in widgets if one._repaint_required and one.display]:
        for widget in changed:
            widget._repaint_required = False
        if not is_second:
            compositor.painted = now
        screen._dirty_widgets.update(changed)
        screen._on_timer_update()


class DirtyLinesCompositor(Compositor):
    """Textual's compositor; what it shows is the same."""

    def __init__(self) -> None:
        super().__init__()
        self.painted = 0.0
        """When `paint_now` painted the first picture of a key last, in seconds of `perf_counter`."""
        self._wanted: dict[int, int] = {}
        """For each line of the screen the columns to be drawn that no widget has drawn yet, as bits."""
        self._is_whole = False
        """Whether the whole screen is drawn."""
        self._kept_cuts: list[list[int]] | None = None
        """The cuts of the frame that is drawn."""

    @property
    def visible_widgets(self) -> dict[Widget, tuple[Region, Region]]:
        """The widgets that are seen; the cuts between them are those of the same arrangement.

        Textual arranges anew when somebody asks where a widget is that was not seen before, and keeps the old cuts.
        """
        if self._visible_widgets is None:
            self._cuts = None
        return super().visible_widgets

    @property
    def cuts(self) -> list[list[int]]:
        """Places on each line where a widget starts or ends."""
        if self._kept_cuts is not None:
            return self._kept_cuts
        _ = self.visible_widgets
        return super().cuts

    def _render_chops(self, crop: Region, is_rendered_line: Callable[[int], bool]) -> Sequence[Mapping[int, Strip]]:
        """The drawn parts of each line by their first column; of a whole screen none is missing.

        A widget that has been arranged anew and not been told its size yet draws less than its place.
        """
        chops = super()._render_chops(crop, is_rendered_line)
        if not self._is_whole:
            return chops
        return [
            {start: Strip.blank(end - start) if line[start] is None else line[start] for start, end in pairwise(cuts)}
            for line, cuts in zip(chops, self.cuts, strict=True)
        ]

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        shown = self.size.region
        self._wanted = dict.fromkeys(shown.line_range, _columns(shown))
        self._is_whole = True
        with self._arranged():
            return super().render_full_update(simplify)

    def render_partial_update(self) -> ChopsUpdate | None:
        shown = self.size.region
        for dirty in self._dirty_regions:
            part = dirty.intersection(shown)
            columns = _columns(part)
            for y in part.line_range:
                self._wanted[y] = self._wanted.get(y, 0) | columns
        with self._arranged():
            return super().render_partial_update()

    @contextmanager
    def _arranged(self) -> Iterator[None]:
        """Keeps the cuts for one frame, whatever is arranged anew while it is drawn."""
        self._kept_cuts = self.cuts
        try:
            yield
        finally:
            self._kept_cuts, self._wanted, self._is_whole = None, {}, False

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        renders = self._needed_renders() if self._wanted else super()._get_renders(crop)
        return ((region, clip, [_passing(strip) for strip in strips]) for region, clip, strips in renders)

    def _needed_renders(self) -> Iterator[tuple[Region, Region, list[Strip]]]:
        """Region, clip and strips, as Textual gives them, of each band of lines; widgets in front come first."""
        wanted = self._wanted
        lines = sorted(wanted)
        for widget, (region, clip) in self.visible_widgets.items():
            part = region.intersection(clip)
            columns = _columns(part)
            needed = [y for y in lines if part.y <= y < part.bottom and wanted[y] & columns]
            for first, last in _bands(needed):
                band = Region(part.x, first, part.width, last + 1 - first)
                yield region, band, widget.render_lines(band.translate((-region.x, -region.y)))
            for y in needed:
                wanted[y] &= ~columns


def _passing(strip: Strip) -> Strip:
    """The same strip for one frame: a strip keeps the pieces that it was ever cut into, twenty and more, and a widget
    keeps its strips."""
    return Strip(strip._segments, strip._cell_length)


def _columns(region: Region) -> int:
    return ((1 << region.width) - 1) << region.x


def _bands(lines: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of each run of lines without a gap."""
    start = 0
    for place in range(1, len(lines) + 1):
        if place == len(lines) or lines[place] != lines[place - 1] + 1:
            yield lines[start], lines[place - 1]
            start = place
