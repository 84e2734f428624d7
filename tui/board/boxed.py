"""Squares with room for their edges: thin walls and doors as lines between them, as on a drawn map.

The square's first column and line are its west and north edge; the rest shows ground, object, height, smoke and light.
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

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
THROUGH = (EAST | WEST, NORTH | SOUTH)
Grid = list[list[Sign]]


def boxed_square(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Block:
    """The cells of a square; one past the map's last column or row has its edges only."""
    width, height = manner.zoom.width, manner.zoom.height
    paper = paper_of(field, square, tint, manner)
    if solid_at(field, square):
        grid = [[Sign(manner.glyphs.solid, "solid")] * width for _ in range(height)]
    else:
        grid = [[BLANK] * width for _ in range(height)]
        if paper != VOID:
            _fill(grid, field, square, tint, manner)
    _draw_edges(grid, field, square, manner)
    return tuple(tuple(manner.cell(glyph, ink, paper) for glyph, ink in line) for line in grid)


def _fill(grid: Grid, field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> None:
    glyphs, (column, line) = manner.glyphs, manner.zoom.centre
    smoke = field.smoke_at(square)
    if smoke:
        grid[:] = [[Sign(glyphs.smoke[min(smoke, 2) - 1], "smoke")] * manner.zoom.width for _ in grid]
    if light_at(field, square) == "dark":
        for y in range(len(grid)):
            grid[y][1 + 2 * (y % 2 == 0)] = Sign(glyphs.dark, "dark")
    mark = mark_of(field, square, tint, glyphs)
    if mark.ink != "mark":
        grid[line][column] = mark
    if not smoke:
        grid[0][0] = Sign(glyphs.cross, "mark")
    bare = mark_of(field, square, "", glyphs)
    if is_wide(field, square, bare):
        grid[line][column - 1] = grid[line][column + 1] = bare
    elif tint and bare.ink == "terrain":
        grid[line][column - 1] = bare
    level = level_sign(field, square, manner)
    if level:
        grid[-1][-1] = level


def _draw_edges(grid: Grid, field: Battlefield, square: Square, manner: DrawingStyle) -> None:
    column, row = square
    north, west = edge_look(field, Edge(column, row, "N")), edge_look(field, Edge(column, row, "W"))
    if north and column < field.columns:
        first, middle, last = tuple(edge_glyphs(north, manner.glyphs).level)
        grid[0][1:] = [Sign(glyph, edge_ink(north)) for glyph in (first, *middle * (len(grid[0]) - 3), last)]
    if west and row < field.rows:
        for line in grid[1:]:
            line[0] = Sign(edge_glyphs(west, manner.glyphs).upright, edge_ink(west))
    corner = _corner(field, square, north, west, manner)
    if corner:
        grid[0][0] = corner


def _corner(field: Battlefield, square: Square, north: str, west: str, manner: DrawingStyle) -> Sign | None:
    """Where up to four edges meet. Walls run on into solid squares; ledges meet nothing."""
    column, row = square
    looks = {
        NORTH: edge_look(field, Edge(column, row - 1, "W")),
        EAST: north,
        SOUTH: west,
        WEST: edge_look(field, Edge(column - 1, row, "N")),
    }
    arms = {arm: look for arm, look in looks.items() if look and look != LEDGE}
    if not arms:
        return _ledge_corner(looks, manner)
    if solid_at(field, square):
        return None
    met = sum(arms)
    for arm, squares in _beside(square):
        if arm not in arms and any(solid_at(field, near) for near in squares) and met & _opposite(arm):
            met |= arm
    distinct = set(arms.values())
    if len(distinct) == 1 and met in THROUGH:
        look = distinct.pop()
        if edge_ink(look) != "door":
            glyphs = edge_glyphs(look, manner.glyphs)
            return Sign(glyphs.level[0] if met == THROUGH[0] else glyphs.upright, edge_ink(look))
    inks = {edge_ink(look) for look in arms.values()}
    return Sign(manner.glyphs.corners[met], "low" if inks == {"low"} else "wall")


def _ledge_corner(looks: dict[int, str], manner: DrawingStyle) -> Sign | None:
    met = sum(arm for arm, look in looks.items() if look == LEDGE)
    if met == THROUGH[0]:
        return Sign(manner.glyphs.ledge.level[0], "ledge")
    return Sign(manner.glyphs.ledge.upright, "ledge") if met == THROUGH[1] else None


def _beside(corner: Square) -> tuple[tuple[int, tuple[Square, Square]], ...]:
    """For each way out of a corner, the two squares on either side of that way."""
    column, row = corner
    north_west, north_east = Square(column - 1, row - 1), Square(column, row - 1)
    south_west, south_east = Square(column - 1, row), corner
    return (
        (NORTH, (north_west, north_east)),
        (EAST, (north_east, south_east)),
        (SOUTH, (south_west, south_east)),
        (WEST, (north_west, south_west)),
    )


def _opposite(arm: int) -> int:
    return arm << 2 if arm < SOUTH else arm >> 2
