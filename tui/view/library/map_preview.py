"""Map preview: square by square if there is room, else scaled down.

A cell of several squares shows the most important content: units, walls and doors, objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.segment import Segment
from textual.reactive import var
from textual.strip import Strip
from textual.widget import Widget

from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Direction, Square, edge_of
from tui.application.describe.glyphs import ASCII, UNICODE, GlyphSet
from tui.application.library.battle_list import Scenery
from tui.view.board.glyph_keys import contour_step
from tui.view.board.ground import DOORS, Cell, DrawingStyle, Sign, edge_ink, edge_look, mark_of, paper_of, solid_at
from tui.view.board.palette import MONO, VOID, Palette
from tui.view.board.tight import tight_square
from tui.view.board.zoom_levels import SMALL

LOOKED_AT = 3
"""Sampled squares in each direction of a scaled cell."""
SIDES = 4
ZONE = "reach-1"
"""The tint of the outline of a start zone."""


class Preview(Widget):
    """Shows a scenery as large as it fits."""

    can_focus = True
    ALLOW_SELECT = False
    shown: var[Scenery | None] = var(None, init=False)

    def __init__(self, *, ascii_only: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs: GlyphSet = ASCII if ascii_only else UNICODE
        self._palette = MONO
        self._drawn: list[list[Cell]] = []

    def use_ascii(self, ascii_only: bool) -> None:
        """Switches between ASCII and Unicode signs."""
        self._glyphs = ASCII if ascii_only else UNICODE
        self._draw()

    def watch_shown(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._draw()

    def _draw(self) -> None:
        self._palette = self._palette.fitting(self.app)
        width, height = self.size.width, self.size.height
        self._drawn = draw(self.shown, width, height, self._glyphs, self._palette) if self.shown else []
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if not 0 <= y < len(self._drawn):
            return Strip.blank(width, self.rich_style)
        return Strip([Segment(cell.glyph, cell.style) for cell in self._drawn[y]]).adjust_cell_length(
            width, self.rich_style
        )


def draw(shown: Scenery, width: int, height: int, glyphs: GlyphSet, palette: Palette) -> list[list[Cell]]:
    """Draws rows of cells, at most so wide and high."""
    field = shown.field
    manner = DrawingStyle(SMALL, glyphs, palette, contour_step(field.elevation))
    marks = {square: Sign(zone, "label") for zone, square in shown.zone_names}
    marks |= {square: Sign(letter, f"side-{side % SIDES}") for square, letter, side in shown.marks}
    if width <= 0 or height <= 0:
        return []
    columns, rows = SMALL.canvas(field.columns, field.rows)
    if columns <= width and rows <= height:
        return [list(_row(shown, row, marks, manner)) for row in range(field.rows)]
    scale = max(2 * field.columns / width, field.rows / height)
    across, down = scale / 2, scale
    found = []
    for y in range(min(height, _ceiling(field.rows / down))):
        line = []
        for x in range(min(width, _ceiling(field.columns / across))):
            squares = [
                Square(column, row) for row in _some(y, down, field.rows) for column in _some(x, across, field.columns)
            ]
            line.append(_cell(field, squares, manner, ZONE if shown.outlines.intersection(squares) else ""))
        found.append(line)
    for square, sign in marks.items():
        x, y = int((square.column + 0.5) / across), int((square.row + 0.5) / down)
        found[y][x] = manner.cell(*sign, found[y][x].paper)
    return found


def _row(shown: Scenery, row: int, marks: Mapping[Square, Sign], manner: DrawingStyle) -> Iterator[Cell]:
    field, outlines = shown.field, shown.outlines
    for column in range(field.columns + 1):
        square = Square(column, row)
        left, right = tight_square(field, square, ZONE if square in outlines else "", manner)[0]
        if square in marks:
            left = manner.cell(*marks[square], left.paper)
        yield from (left, right)[: 2 if column < field.columns else 1]


def _cell(field: Battlefield, squares: list[Square], manner: DrawingStyle, tint: str) -> Cell:
    """The most important content of the squares, on the ground of the middle one."""
    paper = paper_of(field, squares[len(squares) // 2], tint, manner)
    found = max((_sign(field, square, manner) for square in squares), key=lambda ranked: ranked[0])[1]
    return manner.cell(found.glyph, found.ink, paper)


def _sign(field: Battlefield, square: Square, manner: DrawingStyle) -> tuple[int, Sign]:
    """The importance of a square, and its sign."""
    glyphs = manner.glyphs
    if solid_at(field, square):
        return 2, Sign(glyphs.solid, "solid")
    if paper_of(field, square, "", manner) == VOID:
        return 0, Sign(" ", "mark")
    for side in (Direction.W, Direction.N):
        look = edge_look(field, edge_of(square, side))
        if look in DOORS:
            return 4, Sign(glyphs.edges[look].upright[0], edge_ink(look))
        if look and look in glyphs.edges:
            parts = glyphs.edges[look]
            return 3, Sign(parts.upright[0] if side is Direction.W else parts.level[2], edge_ink(look))
    mark = mark_of(field, square, "", glyphs)
    return (1, mark) if mark.ink != "mark" else (0, Sign(" ", "mark"))


def _some(place: int, scale: float, most: int) -> list[int]:
    """A sample of the squares with their middle in a cell; if there is none, the one under it."""
    first, last = _ceiling(place * scale - 0.5), min(most, _ceiling((place + 1) * scale - 0.5))
    if first >= last:
        return [min(most - 1, int((place + 0.5) * scale))]
    return list(range(first, last, max(1, (last - first) // LOOKED_AT)))


def _ceiling(value: float) -> int:
    return -int(-value // 1)
