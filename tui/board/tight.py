"""Squares of two cells: most of a map at once. Edges share the cells, as a bar on the left and a line along the floor.

The left cell holds, the first that there is: west edge, height, dark, smoke, and terrain under a tint. The right cell
holds what the square is.
"""

from __future__ import annotations

from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Edge, Square
from engine.geometry.visibility.lighting import light_at
from tui.board.ground import (
    BLANK,
    LEDGE,
    Block,
    DrawingStyle,
    Sign,
    edge_glyphs,
    edge_ink,
    edge_look,
    is_wide,
    level_sign,
    mark_of,
    paper_of,
    solid_at,
)
from tui.board.palette import VOID

FLOORLESS = ("", LEDGE)


def tight_square(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Block:
    """The two cells of a square; one past the map's last column has its west edge only."""
    paper = paper_of(field, square, tint, manner)
    if solid_at(field, square):
        left = right = Sign(manner.glyphs.solid, "solid")
    elif paper == VOID:
        left, right = BLANK, BLANK
    else:
        left, right = _left(field, square, tint, manner), _right(field, square, tint, manner)
        left, right = _with_floor(field, square, left, right, manner)
    west = edge_look(field, Edge(*square, "W"))
    if west not in FLOORLESS and square.row < field.rows:
        floor = " underline" if "underline" in left.ink or floor_look(field, square) not in FLOORLESS else ""
        left = Sign(edge_glyphs(west, manner.glyphs).left, edge_ink(west) + floor)
    return (tuple(manner.cell(glyph, ink, paper) for glyph, ink in (left, right)),)


def floor_look(field: Battlefield, square: Square) -> str:
    """The look of the edge along the square's south side."""
    return edge_look(field, Edge(square.column, square.row + 1, "N"))


def _left(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Sign:
    level = level_sign(field, square, manner)
    if level:
        return level
    if light_at(field, square) == "dark":
        return Sign(manner.glyphs.dark, "dark")
    smoke = field.smoke_at(square)
    if smoke:
        return Sign(manner.glyphs.smoke[min(smoke, 2) - 1], "smoke")
    mark = mark_of(field, square, "", manner.glyphs)
    return mark if is_wide(field, square, mark) or (tint and mark.ink == "terrain") else BLANK


def _right(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Sign:
    mark = mark_of(field, square, tint, manner.glyphs)
    smoke = field.smoke_at(square)
    if smoke and mark.ink == "mark":
        return Sign(manner.glyphs.smoke[min(smoke, 2) - 1], "smoke")
    return mark


def _with_floor(field: Battlefield, square: Square, left: Sign, right: Sign, manner: DrawingStyle) -> tuple[Sign, Sign]:
    """A thin thing on the south side: drawn in empty cells, else as a line under what they hold."""
    look = floor_look(field, square)
    if look in FLOORLESS:
        return left, right
    floor = edge_glyphs(look, manner.glyphs).floor
    signs = []
    for sign, part in ((left, floor[0]), (right, floor[1])):
        is_free = sign == BLANK or sign.ink in ("mark", "tint", "smoke", "dark")
        signs.append(Sign(part, edge_ink(look)) if is_free else Sign(sign.glyph, f"{sign.ink} underline"))
    return signs[0], signs[1]
