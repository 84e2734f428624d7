"""Squares of two cells: most of a map at once. Edges share the cells, as a bar on the left and a line along the floor.

The left cell holds, the first that there is: west edge, height, dark, smoke, and terrain under a tint. The right cell
holds what the square is; an object has both.
"""

from __future__ import annotations

from engine.geometry.battlefield import Battlefield
from engine.geometry.los.lighting import light_at
from engine.geometry.squares import Square
from tui.view.board.glyph_keys import object_look
from tui.view.board.ground import (
    BLANK,
    LEDGE,
    NO_EDGE,
    Block,
    DrawingStyle,
    Sign,
    edge_glyphs,
    edge_ink,
    ground_mark,
    is_wide,
    level_sign,
    mark_of,
    object_ink,
    paper_of,
    smoke_of,
    solid_at,
    south_look,
    west_look,
)
from tui.view.board.palette import VOID


def tight_square(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Block:
    """The two cells of a square; one past the map's last column has its west edge only."""
    paper = paper_of(field, square, tint, manner)
    west = west_look(field, square)
    if solid_at(field, square):
        left = right = Sign(manner.glyphs.solid, "solid")
    elif paper == VOID:
        left, right = BLANK, BLANK
    else:
        left, right = _cells(field, square, tint, manner, has_west=west not in NO_EDGE)
        left, right = _with_floor(field, square, left, right, manner)
    if west not in NO_EDGE and square.row < field.rows:
        floor = " underline" if "underline" in left.ink or south_look(field, square) not in NO_EDGE else ""
        left = Sign(edge_glyphs(west, manner.glyphs).left, edge_ink(west) + floor)
    return (tuple(manner.cell(glyph, ink, paper) for glyph, ink in (left, right)),)


def _cells(field: Battlefield, square: Square, tint: str, manner: DrawingStyle, *, has_west: bool) -> tuple[Sign, Sign]:
    """Both cells without edges; the sign of an object moves to the right one where an edge `has_west`."""
    ground = field.ground_at(square)
    if thing := object_look(ground):
        ink = object_ink(ground)
        first, second = tuple(manner.glyphs.objects[thing])
        if manner.palette.has_no_papers and ground.cover == "heavy":
            ink += " heavy"
        return Sign(first, ink), Sign(first if second == " " and has_west else second, ink)
    left, right = _left(field, square, tint, manner), _right(field, square, tint, manner)
    level = level_sign(field, square, manner)
    if len(level) > 1:
        return Sign(level[0], "label"), Sign(level[1], "label")
    if level:
        return left, Sign(level, "label")
    return left, right


def _left(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Sign:
    if manner.palette.has_no_papers and light_at(field, square) == "dark":
        return Sign(manner.glyphs.dark, "dark")
    if smoke := smoke_of(field, square, manner.glyphs):
        return smoke
    mark = mark_of(field, square, "", manner.glyphs)
    if mark.ink == "terrain" and tint and manner.palette.has_tint_signs:
        return Sign(mark.glyph, "tint")  # one ink for both cells
    return mark if is_wide(field, square, mark) else BLANK


def _right(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Sign:
    mark = ground_mark(field, square, tint, manner)
    is_quiet = mark.ink == "mark" and not (tint and manner.palette.has_tint_signs)
    return (smoke_of(field, square, manner.glyphs) if is_quiet else None) or mark


def _with_floor(field: Battlefield, square: Square, left: Sign, right: Sign, manner: DrawingStyle) -> tuple[Sign, Sign]:
    """A thin thing on the south side: drawn in empty cells, else as a line under what they hold."""
    look = south_look(field, square)
    if not look:
        return left, right
    floor = manner.glyphs.ledge[0] * 2 if look == LEDGE else edge_glyphs(look, manner.glyphs).floor
    signs = []
    for sign, part in ((left, floor[0]), (right, floor[1])):
        is_free = sign == BLANK or sign.ink in ("mark", "tint", "smoke", "smoke-thick", "dark")
        if look == LEDGE and not is_free:
            signs.append(sign)
        else:
            signs.append(Sign(part, edge_ink(look)) if is_free else Sign(sign.glyph, f"{sign.ink} underline"))
    return signs[0], signs[1]
