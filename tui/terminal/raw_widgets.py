"""Widgets that draw their own lines, and nothing around them: no border, padding, tint or opacity.

For each line that it composes Textual asks all those styles, which takes as long as the line itself. Where there are
none, the lines are given as they are drawn, past the same last filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

BOLD = Style(bold=True)
FULL_STOP = re.compile(r"(?<!avg)[.!?](?= |$)")


def filtered(widget: Widget, lines: Iterable[Strip], crop: Region) -> list[Strip]:
    """What `render_lines` gives for a part of a widget: its lines there, each as wide as the widget, as drawn."""
    background = widget.visual_style.background or widget.background_colors[1]
    found = list(lines)
    for gate in widget.get_line_filters():
        found = [strip.apply_filter(gate, background) for strip in found]
    is_whole = crop.column_span == (0, widget.outer_size.width)
    return found if is_whole else [strip.crop(*crop.column_span) for strip in found]


class Sentence(Widget):
    """Rows of text, bold up to the first full stop: the line that changes with every move of the cursor.

    What room they leave has a quiet row that says what can be done now.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"sentence--hint"}
    rows: var[tuple[str, ...]] = var((), init=False)
    hint: var[str] = var("", init=False)

    def show(self, rows: Iterable[str], hint: str) -> None:
        self.rows, self.hint = tuple(rows), hint

    def watch_rows(self) -> None:
        self.refresh()

    def watch_hint(self) -> None:
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        style, width = self.visual_style.rich_style, self.outer_size.width
        strips = [Strip(self._segments(y, style)).adjust_cell_length(width, style) for y in crop.line_range]
        return filtered(self, strips, crop)

    def _segments(self, y: int, style: Style) -> list[Segment]:
        if y >= len(self.rows):
            quiet = style + self.get_component_rich_style("sentence--hint", partial=True)
            return [Segment(f" {self.hint if y == len(self.rows) and self.rows else ''}", quiet)]
        is_over = any(FULL_STOP.search(row) for row in self.rows[:y])
        row, end = f" {self.rows[y]}", FULL_STOP.search(self.rows[y])
        bold = 0 if is_over else end.end() + 1 if end else len(row)
        return [Segment(part, look) for part, look in ((row[:bold], style + BOLD), (row[bold:], style)) if part]
