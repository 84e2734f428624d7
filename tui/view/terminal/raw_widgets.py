"""Widgets that draw their own lines, and nothing around them: no border, padding, tint or opacity.

For each line that it composes Textual asks all those styles, which takes as long as the line itself. Where there are
none, the lines are given as they are drawn, past the same last filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
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

    def watch_rows(self, before: tuple[str, ...], _: tuple[str, ...]) -> None:
        self._refresh_changed(before, self.hint)

    def watch_hint(self, before: str, _: str) -> None:
        self._refresh_changed(self.rows, before)

    def _refresh_changed(self, rows: tuple[str, ...], hint: str) -> None:
        """Refreshes the lines that differ from those of other rows or another hint."""
        pairs = enumerate(zip_longest(_pieces(rows, hint), _pieces(self.rows, self.hint)))
        changed = (Region(0, y, self.outer_size.width, 1) for y, (before, now) in pairs if before != now)
        if shown := [line for line in changed if line.y < self.outer_size.height]:
            self.refresh(*shown)

    def render_lines(self, crop: Region) -> list[Strip]:
        style, width = self.visual_style.rich_style, self.outer_size.width
        pieces = _pieces(self.rows, self.hint)
        strips = []
        for y in crop.line_range:
            segments = self._segments(*pieces[y], style) if y < len(pieces) else []
            strips.append(Strip(segments).adjust_cell_length(width, style))
        return filtered(self, strips, crop)

    def _segments(self, bold: str, text: str, hint: str, style: Style) -> Iterator[Segment]:
        if bold:
            yield Segment(bold, style + BOLD)
        if text:
            yield Segment(text, style)
        if hint:
            yield Segment(hint, style + self.get_component_rich_style("sentence--hint", partial=True))


def _pieces(rows: tuple[str, ...], hint: str) -> list[tuple[str, str, str]]:
    """The bold words, the others and the quiet ones of each line."""
    pieces, is_over = [], False
    for row in rows:
        end = FULL_STOP.search(row)
        bold = 0 if is_over else end.end() + 1 if end else len(row) + 1
        pieces.append((f" {row}"[:bold], f" {row}"[bold:], ""))
        is_over = is_over or end is not None
    return [*pieces, ("", "", f" {hint}")] if rows else []
