"""Base class of the side panels: a titled frame with text built for its size."""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

from tui.application.keys.battle_keys import with_keys
from tui.view.panels.styled_text import join, lines, plain

MOST_DRAWN = 500
FRAME = 6
"""Columns of the frame's upper line beside its words."""


class Panel(Widget):
    """Shows one value, `shown`.

    `build`, or `build_rows` of a panel that has rows, is a pure function of the value, the width and the height in
    cells.
    """

    can_focus = False
    ALLOW_SELECT = False
    KEY, TITLE = "", ""
    """Id of the key that shows the panel, and what is in it."""

    def on_mount(self) -> None:
        self.head(self.TITLE)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: list[Content] | None = None
        self._rows_size = Size()
        """The rows of the text for that size; None where they are to be built."""
        self._head: tuple[object, ...] = ()
        """What the head was made of."""
        self._foot = ""
        self._strips: list[Strip] = []
        self._drawn: dict[object, list[Strip]] = {}
        """The lines of each row of the text that was drawn lately, by all that they come from."""

    def head(self, title: str, right: str = "") -> None:
        """Titles the frame: the panel's key, what is in it, and at the frame's other end more, if there is room."""
        key = with_keys(f"{{{self.KEY}}} ") if self.KEY else ""
        if self._head == (key, title, right, self.outer_size.width):
            return
        self._head = key, title, right, self.outer_size.width
        found = [plain(key, "not bold $faint"), plain(title)]
        rest = self.outer_size.width - FRAME - len(key) - len(title) - len(right) - 2
        if right and rest > 0:
            found += [plain(f" {'─' * rest} ", "not bold $panel-line"), plain(right, "not bold $faint")]
        self.border_title = join(found)

    def foot(self, text: str) -> None:
        """Writes into the lower line of the frame."""
        if text != self._foot:
            self._foot = text
            self.border_subtitle = plain(text, "not bold $faint")

    def watch_shown(self) -> None:
        """Refreshes the rows that change: most stay the same when the cursor moves."""
        old = self._rows if self._rows_size == self.content_size else None
        self._rows = None
        new, width = self.text_rows(), self.content_size.width
        if old is None or len(old) != len(new):
            self.refresh()
        elif new is not old and (changed := [y for y, row in enumerate(new) if not row.is_same(old[y])]):
            if any(row.cell_length > width for row in (*old, *new)):  # a row too wide is wrapped
                self.refresh()
            else:
                self.refresh(*(Region(0, y, width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        """A line of the text; rows that were there before are not drawn again, which would take most of the time."""
        width, style = self.content_size.width, self.visual_style
        if self._dirty_regions:
            self._strips = []
            if len(self._drawn) > MOST_DRAWN:
                self._drawn.clear()
            for row in self.text_rows():
                look = row.plain, tuple(row.spans), width
                if (drawn := self._drawn.get(look)) is None:
                    drawn = self._drawn[look] = self._lines_of(row, width, style)
                self._strips += drawn
            self._dirty_regions.clear()
        return self._strips[y] if y < len(self._strips) else Strip.blank(width, style.rich_style)

    def _lines_of(self, row: Content, width: int, style: Style) -> list[Strip]:
        """The lines of a row: one, unless it is too wide."""
        if row.cell_length > width:
            return Visual.to_strips(self, row, width, None, style)
        pieces = row.render(style, "", self._get_style)
        return [Strip([Segment(text, (style + own).rich_style) for text, own in pieces], row.cell_length)]

    def notify_style_update(self) -> None:
        self._drawn = {}
        super().notify_style_update()

    def render(self) -> Content:
        return lines(self.text_rows())

    def text_rows(self) -> list[Content]:
        """The rows of the text for the present size."""
        size = self.content_size
        if self._rows is None or self._rows_size != size:
            self._rows, self._rows_size = self.build_rows(size.width, size.height), size
        return self._rows

    def build_rows(self, width: int, height: int) -> list[Content]:
        return self.build(width, height).split(allow_blank=True)

    def build(self, width: int, height: int) -> Content:
        raise NotImplementedError
