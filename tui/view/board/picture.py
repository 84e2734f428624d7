"""A board ready to be drawn: what a view and markings put on each cell, and rows of it as runs of equal style.

Nothing here knows the widget. Squares without anything on them are kept once drawn, as long as the battlefield is the
same object.
"""

from __future__ import annotations

from rich.style import Style

from engine.battle.views.view import UnitView, View
from engine.geometry.battlefield import Battlefield
from engine.geometry.los.lighting import lit
from engine.geometry.squares import Square
from engine.values import replace
from tui.application.overlays.markings import Markings, TintGrid
from tui.view.board.boxed import boxed_square
from tui.view.board.glyph_keys import contour_step
from tui.view.board.ground import PATCH, Block, Cell, DrawingStyle, plateaus
from tui.view.board.layers import (
    Layer,
    aftermath_layers,
    aim_layer,
    cursor_layer,
    dropped_layer,
    frame_layer,
    last_seen_layer,
    note_layer,
    number_layer,
    path_layer,
    shared_squares,
    stop_layer,
    unit_layer,
    units_by_square,
    without_labels,
)
from tui.view.board.palette import VOID
from tui.view.board.tight import tight_square

MOST_KEPT = 40_000
"""Most cached squares; beyond that the cache is cleared, so that panning a huge map does not fill the memory."""

Run = tuple[str, Style]


class Squares:
    """The squares of one battlefield in one manner, drawn when first asked for."""

    def __init__(self, field: Battlefield, manner: DrawingStyle) -> None:
        self.field = field
        self.manner: DrawingStyle = manner
        self._draw = boxed_square if manner.zoom.is_boxed else tight_square
        self._kept: dict[tuple[int, int, str], Block] = {}
        self._plain: dict[tuple[object, ...], Block] = {}
        """Squares that take nothing from those around them, by what their look comes from."""
        self.rulers: dict[tuple[int, int, int], list[Cell]] = {}
        """The column letters, without the cursor's, of the window that was drawn last; see `rulers`."""

    def block(self, column: int, row: int, tint: str) -> Block:
        found = self._kept.get((column, row, tint))
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
                self._plain.clear()
            makings = self._makings(column, row, tint)
            found = self._plain.get(makings) if makings else None
            if found is None:
                found = self._draw(self.field, Square(column, row), tint, self.manner)
                if makings:
                    self._plain[makings] = found
            self._kept[column, row, tint] = found
        return found

    def _makings(self, column: int, row: int, tint: str) -> tuple[object, ...]:
        """All that the look of a square comes from; empty where edges, slopes, an object or a digit bring others in.

        Most squares of most maps look like one that was drawn before, which takes a fifth of the time.
        """
        field = self.field
        columns, rows = field.columns, field.rows
        if not (0 <= column < columns and 0 <= row < rows):
            return ()
        place = row * columns + column
        height, ground = field.elevation[place], field.ground[place]
        first, last = max(0, column - 1), min(columns, column + 2)
        around = [field.elevation[y * columns + first : y * columns + last] for y in range(max(0, row - 1), row + 2)]
        edges = (
            (column, row, "N"),
            (column, row, "W"),
            (column, row + 1, "N"),
            (column, row - 1, "W"),
            (column - 1, row, "N"),
        )
        if (
            field.legend[ground].object
            or (height and Square(column, row) in plateaus(field))
            or any(heights.count(height) != len(heights) for heights in around)
            or any(edge in field.barriers for edge in edges)
        ):
            return ()
        is_odd = (column // PATCH + row // PATCH) % 2 == 1
        return ground, height, field.smoke[place], lit(field)[place], is_odd, tint


class Picture:
    """A view under markings in one manner."""

    def __init__(self, view: View, markings: Markings, manner: DrawingStyle, earlier: Picture | None = None) -> None:
        """What an earlier picture of the same battlefield in the same manner worked out is used again.

        The manner's contour step is set to fit the battlefield.
        """
        field = view.field
        self.view = view
        self.markings = markings
        if earlier and earlier.view.field.elevation is field.elevation:
            step = earlier.manner.step
        else:
            step = contour_step(field.elevation)
        manner = replace(manner, step=step, mark="mark-feet" if field.unit == "feet" else "mark")
        self.manner: DrawingStyle = manner
        is_same = earlier is not None and earlier.view.field is field and earlier.manner == manner
        self.squares: Squares = earlier.squares if earlier and is_same else Squares(view.field, manner)
        self.standing: dict[Square, UnitView]
        self._units: Layer
        self._shared: set[Square]
        if earlier and is_same and earlier.view is view:
            self.standing, self._shared, self._units = earlier.standing, earlier._shared, earlier._units
        else:
            self.standing, self._shared = units_by_square(view.units), shared_squares(view.units)
            self._units = unit_layer(view.field, self.standing, view.units, self._shared, manner, frozenset())
        lying, last_seen, path = (
            dropped_layer(view, manner, self.standing),
            last_seen_layer(view, manner, self.standing),
            path_layer(view, markings, manner, self.standing),
        )
        done, labels = aftermath_layers(view.field, markings.aftermath, manner, self.standing)
        numbers = number_layer(view.field, markings, manner, self.standing)
        notes = note_layer(view, manner, self.standing)
        aim = aim_layer(view, markings, manner, self.standing)
        self._layers = (lying, last_seen, notes, done, numbers, path, aim, self._units, *self._top(done), labels)

    def _top(self, done: Layer) -> tuple[Layer, ...]:
        markings, manner, field = self.markings, self.manner, self.view.field
        chosen = (markings.aftermath.changed | markings.marked | {markings.selected, markings.target}) - {""}
        framed = self._framed()
        named = chosen | {unit.id for _, unit in framed}
        shown = unit_layer(
            field,
            self.standing,
            (unit for unit in self.view.units if unit.id in named),
            self._shared,
            manner,
            chosen,
            markings.marked,
        )
        return (
            shown,
            stop_layer(markings, manner),
            without_labels(cursor_layer(field, markings.cursor, manner, self.standing), done, manner),
            frame_layer(field, self.standing, framed, manner, shown),
        )

    def _framed(self) -> list[tuple[str, UnitView]]:
        """The units with a frame and its two signs: who acts; who is aimed at or stands under the cursor."""
        markings, glyphs = self.markings, self.manner.glyphs
        acting = {unit.id: (glyphs.acting, unit) for unit in self.view.units if unit.is_active}
        if not acting:  # in the set-up
            acting = {unit.id: (glyphs.acting, unit) for unit in self.view.units if unit.id == markings.selected}
        here = self.standing.get(markings.cursor) if markings.cursor is not None else None
        aimed = [unit for unit in self.view.units if unit.id == markings.target or unit is here]
        return list(({unit.id: (glyphs.brackets, unit) for unit in aimed} | acting).values())

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the canvas in cells."""
        return self.manner.zoom.canvas(self.view.field.columns, self.view.field.rows)

    def cells(self, y: int, start: int, end: int) -> list[Cell]:
        """The cells of canvas line `y` from column `start` up to `end`; void where the canvas ends."""
        width, height = self.size
        last = min(end, width)
        if not 0 <= y < height or start >= last:
            return [self.manner.cell(" ", "mark", VOID)] * (end - start)
        across, (row, line) = self.manner.zoom.width, divmod(y, self.manner.zoom.height)
        first, block = start // across, self.squares.block
        cells: list[Cell] = []
        for column, tint in enumerate(self._tints(row, first, (last - 1) // across + 1), first):
            cells += block(column, row, tint)[line]
        cells = cells[start - first * across : last - first * across]
        for layer in self._layers:
            for x, sign in layer.get(y, {}).items():
                if start <= x < last:
                    under = cells[x - start]
                    cells[x - start] = self.manner.cell(sign.glyph or under.glyph, sign.ink, under.paper)
        return cells + [self.manner.cell(" ", "mark", VOID)] * (end - last)

    def _tints(self, row: int, first: int, last: int) -> list[str]:
        """The tints of a row's squares from column `first` up to `last`, "" for none."""
        tints = self.markings.tints
        if isinstance(tints, TintGrid):
            return tints.along(row, first, last)
        return [tints.get(Square(column, row), "") if tints else "" for column in range(first, last)]


def draw_row(picture: Picture, y: int, start: int, end: int) -> list[Run]:
    """One line of the canvas as runs of text and style, neighbours always of different style.

    Args:
        picture: what to draw.
        y: line of the canvas, in cells; 0 is the top of row 1.
        start: first column of the canvas, in cells.
        end: the column after the last.

    Returns:
        Runs whose texts together are exactly `end - start` cells wide.
    """
    return merge(picture.cells(y, start, end))


def merge(cells: list[Cell]) -> list[Run]:
    """Runs of equal style. A blank joins the run before it when only the unseen colour of its letter would differ."""
    runs: list[Run] = []
    text: list[str] = []
    style: Style | None = None
    for glyph, own, _ in cells:
        if own is not style:
            if style is not None and glyph == " " and _is_seamless(style, own):
                text.append(glyph)
                continue
            if style is not None:
                runs.append(("".join(text), style))
            text, style = [], own
        text.append(glyph)
    if style is not None:
        runs.append(("".join(text), style))
    return runs


def _is_seamless(before: Style, blank: Style) -> bool:
    return (
        before.bgcolor == blank.bgcolor
        and not (before.underline or before.reverse)
        and not (blank.underline or blank.reverse)
    )
