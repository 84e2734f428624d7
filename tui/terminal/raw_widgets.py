"""Widgets that draw their own lines, and nothing around them: no border, padding, tint or opacity.

For each line that it composes Textual asks all those styles, which takes as long as the line itself. Where there are
none, the lines are given as they are drawn, past the same last filters.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

BOLD = Style(bold=True)


def filtered(widget: Widget, lines: Iterable[Strip], crop: Region) -> list[Strip]:
    """What `render_lines` gives for a part of a widget: its lines there, each as wide as the widget, as drawn."""
    background = widget.visual_style.background or widget.background_colors[1]
    found = list(lines)
    for gate in widget.get_line_filters():
        found = [strip.apply_filter(gate, background) for strip in found]
    is_whole = crop.column_span == (0, widget.outer_size.width)
    return found if is_whole else [strip.crop(*crop.column_span) for strip in found]


class Sentence(Widget):
    """Rows of bold text: the line that changes with every move of the cursor."""

    ALLOW_SELECT = False
    rows: var[tuple[str, ...]] = var((), init=False)

    def watch_rows(self) -> None:
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        style, width = self.visual_style.rich_style, self.outer_size.width
        shown = [self.rows[y] if y < len(self.rows) else "" for y in crop.line_range]
        strips = [Strip([Segment(f" {row}", style + BOLD)]).adjust_cell_length(width, style) for row in shown]
        return filtered(self, strips, crop)
