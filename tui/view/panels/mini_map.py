"""Mini-map: the whole battlefield in a few cells, with the visible window and the units."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content, Span
from textual.geometry import Region

from engine.battle.views.view import View
from engine.context import Cache
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from tui.application.describe.styled_rows import side_style
from tui.view.board.glyph_keys import is_solid, is_void
from tui.view.panels.layout import squares_in_cell

WALL, WALLED, GROUND, WINDOW, NOTHING = "█", "▒", "·", ":", " "
"""Mostly wall; a part of it wall; ground outside of the window and in it; mostly nothing."""
PART = 6
"""A cell shows wall if one square in so many is wall."""
INSIDE = "on $prompt-back"

Cells = tuple[range, range]
"""Columns and rows of a part of the mini-map."""
GROUNDS: Cache[tuple[tuple[str, ...], ...]] = Cache(2)
ROWS: Cache[list[Content]] = Cache(1)
"""Most moves of the cursor stay within a cell."""


class Overview(Struct, frozen=True):
    """Data of the mini-map."""

    view: View
    window: Region
    """The squares that the board shows."""
    cursor: Square | None


def map_rows(shown: Overview, width: int, height: int) -> list[Content]:
    """The map in at most `height` rows of `width` cells: walls, window, a letter for each unit, cursor."""
    field = shown.view.field
    if width < 1 or height < 1:
        return []
    across = squares_in_cell((field.columns, field.rows), width, height)
    here = shown.cursor and (shown.cursor.column // across, shown.cursor.row // (2 * across))
    inside = _cells(shown.window.x, shown.window.right, across), _cells(shown.window.y, shown.window.bottom, 2 * across)
    return ROWS.get((shown.view,), (across, inside, here), lambda: _drawn(shown.view, across, inside, here))


def _drawn(view: View, across: int, inside: Cells, here: tuple[int, int] | None) -> list[Content]:
    """Renders the map with cells of so many squares across, the window and the cursor."""
    field = view.field
    ground = GROUNDS.get((field.ground, field.legend), across, lambda: _ground(field, across))
    units = {}
    for unit in sorted(view.units, key=lambda unit: (not unit.is_defeated, unit.is_active)):
        units[unit.at.column // across, unit.at.row // (2 * across)] = unit
    rows = []
    for y, signs in enumerate(ground):
        text, spans, start, running = "", list[Span](), 0, ""
        for x, sign in enumerate(signs):
            is_inside = x in inside[0] and y in inside[1]
            there = units.get((x, y))
            glyph = there.letter if there else WINDOW if sign == GROUND and is_inside else sign
            style = side_style(there) if there else "$muted"
            if (x, y) == here:
                style = f"{style} reverse"
                glyph = glyph if there else "+"
            style = f"{style} {INSIDE}" if is_inside else style
            if style != running:  # one piece of text as long as it looks the same
                spans.append(Span(start, len(text), running))
                start, running = len(text), style
            text += glyph
        spans.append(Span(start, len(text), running))
        rows.append(Content(text, [span for span in spans if span.end > span.start]))
    return rows


def _cells(start: int, end: int, squares: int) -> range:
    """The cells of so many squares each that hold any of the squares from `start` up to `end`."""
    return range(start // squares, -(-end // squares))


def _ground(field: Battlefield, across: int) -> tuple[tuple[str, ...], ...]:
    """What each cell of the small map mostly is."""
    kinds = [2 if is_solid(ground) else 0 if is_void(ground) else 1 for ground in field.legend]
    found = []
    for top in range(0, field.rows, 2 * across):
        rows = range(top, min(top + 2 * across, field.rows))
        line = []
        for left in range(0, field.columns, across):
            right = min(left + across, field.columns)
            counts = [0, 0, 0]
            for row in rows:
                for index in field.ground[row * field.columns + left : row * field.columns + right]:
                    counts[kinds[index]] += 1
            line.append(_sign(*counts))
        found.append(tuple(line))
    return tuple(found)


def _sign(void: int, ground: int, wall: int) -> str:
    if wall > ground and wall > void:
        return WALL
    return NOTHING if void > ground else WALLED if wall * PART >= ground else GROUND
