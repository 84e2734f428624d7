"""Squares with room for their edges, and for objects that fill them.

What stands on the west edge has the first column, what stands on the south edge the last line; where the two cross, the
west edge wins. Ground, objects and smoke give way there.
"""

from __future__ import annotations

from engine.geometry.battlefield import Battlefield
from engine.geometry.los.lighting import light_at
from engine.geometry.squares import ORTHOGONAL, Direction, Square
from tui.view.board.glyph_keys import object_look, terrain_look
from tui.view.board.ground import (
    BLANK,
    FRAMELESS,
    LEDGE,
    NO_EDGE,
    Block,
    DrawingStyle,
    Sign,
    edge_glyphs,
    edge_ink,
    frame_kind,
    ground_mark,
    is_joined,
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

MOST_JOINED = 12
"""Squares in a row that are looked at for one object's length."""
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
    above = Square(square.column, square.row - 1)
    papers = [paper] * height
    if paper != VOID and south_look(field, above) == LEDGE:
        papers[0] = paper._replace(is_foot=True)
    return tuple(tuple(manner.cell(glyph, ink, papers[y]) for glyph, ink in line) for y, line in enumerate(grid))


def _fill(grid: Grid, field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> None:
    glyphs, (column, line) = manner.glyphs, manner.zoom.centre
    if smoke := smoke_of(field, square, glyphs):
        grid[:] = [[smoke] * manner.zoom.width for _ in grid]
    if manner.palette.has_no_papers and light_at(field, square) == "dark":
        for y in range(len(grid)):
            grid[y][1 + 2 * (y % 2 == 0)] = Sign(glyphs.dark, "dark")
    mark, bare = ground_mark(field, square, tint, manner), mark_of(field, square, "", glyphs)
    if not smoke or mark.ink != "mark":
        grid[line][column] = mark
    if object_look(field.ground_at(square)):
        _draw_object(grid, field, square, manner)
    elif (terrain := terrain_look(field.ground_at(square))) in glyphs.pictures:
        grid[line][column] = mark if mark.ink == "tint" else smoke or BLANK
        _draw_picture(grid, glyphs.pictures[terrain][manner.zoom.height - 2], "terrain")
    elif is_wide(field, square, bare):
        grid[line][column - 1] = grid[line][column + 1] = bare
    elif mark.ink == "tint" and bare.ink == "terrain":
        grid[line][column - 1] = bare
    for place, glyph in enumerate(level_sign(field, square, manner)):
        grid[0][column - 1 + place] = Sign(glyph, "label")


def _draw_picture(grid: Grid, lines: tuple[str, ...], ink: str) -> None:
    """Writes the lines over a grid of their size; blanks keep what is there."""
    for y, text in enumerate(lines):
        for x, glyph in enumerate(text):
            if glyph != " ":
                grid[y][x] = Sign(glyph, ink)


def _draw_object(grid: Grid, field: Battlefield, square: Square, manner: DrawingStyle) -> None:
    """An object: its own picture, or a frame that tells its height, round all squares of one thing."""
    glyphs, (column, line) = manner.glyphs, manner.zoom.centre
    width, height = manner.zoom.width, manner.zoom.height
    ground = field.ground_at(square)
    thing = object_look(ground)
    ink = object_ink(ground)
    if thing in glyphs.pictures:
        grid[line][column] = BLANK
        _draw_picture(grid, glyphs.pictures[thing][height - 2], f"{ink} light")
        return
    if thing in FRAMELESS:
        return
    frame = glyphs.frames[frame_kind(field, ground)]
    north, east, south, west = (is_joined(field, square, square.step(side)) for side in ORTHOGONAL)
    for y in range(height):
        for x in range(width):
            top, bottom = y == 0 and not north, y == height - 1 and not south
            left, right = x == 0 and not west, x == width - 1 and not east
            places = {(top, bottom, left, right): place for place, (top, bottom, left, right) in enumerate(_PARTS)}
            place = places.get((top, bottom, left, right))
            grid[y][x] = BLANK if place is None else Sign(frame[place], ink)
    if thing == "shelf" and height > 2:
        for x in range(2, width - 2):
            grid[1][x] = Sign(glyphs.shelves, ink)
    elif thing in ("pillar", "statue", "thing") and height > 2:
        grid[line][column] = Sign(glyphs.objects[thing][0], ink)
    else:
        _draw_name(grid, field, square, manner, ground.object)


_PARTS = (
    (True, False, True, False),
    (True, False, False, False),
    (True, False, False, True),
    (False, False, False, True),
    (False, True, False, True),
    (False, True, False, False),
    (False, True, True, False),
    (False, False, True, False),
)
"""Which of the lines above, below, left and right meet in each part of a frame."""


def _draw_name(grid: Grid, field: Battlefield, square: Square, manner: DrawingStyle, name: str) -> None:
    """The part of the object's name that falls on this square, where it fits between the lines of all its squares."""
    before, above = _run(field, square, Direction.W), _run(field, square, Direction.N)
    across = 1 + before + _run(field, square, Direction.E)
    down = 1 + above + _run(field, square, Direction.S)
    width, height = manner.zoom.width, manner.zoom.height
    line = (down * height - 1) // 2 - above * height
    room = across * width - 2
    if across * down == 1 or len(name) > room or not 0 <= line < height or down * height < 3:
        return
    start = 1 + (room - len(name)) // 2 - before * width
    for place, glyph in enumerate(name, start):
        if 0 <= place < width:
            grid[line][place] = Sign(glyph, f"{object_ink(field.ground_at(square))} name")


def _run(field: Battlefield, square: Square, side: Direction) -> int:
    """How many squares of the same object follow on one side."""
    count = 0
    while count < MOST_JOINED and is_joined(field, square, near := square.step(side)):
        square, count = near, count + 1
    return count


def _draw_edges(grid: Grid, field: Battlefield, square: Square, manner: DrawingStyle) -> None:
    south, west = south_look(field, square), west_look(field, square)
    if south == LEDGE:
        for x, sign in enumerate(grid[-1]):
            if sign == BLANK or sign.ink in ("mark", "smoke", "smoke-thick", "dark"):
                grid[-1][x] = Sign(manner.glyphs.ledge[1], LEDGE)
    elif south and square.column < field.columns:
        level = edge_glyphs(south, manner.glyphs).level
        if manner.zoom.width < len(level):
            level = level[0] + level[2:4] + level[5]
        grid[-1][:] = [Sign(glyph, edge_ink(south)) for glyph in level]
    if west not in NO_EDGE and square.row < field.rows:
        first, middle, last = tuple(edge_glyphs(west, manner.glyphs).upright)
        upright = (first, *middle * (len(grid) - 2), last)
        for line, glyph in zip(grid, upright, strict=True):
            line[0] = Sign(glyph, edge_ink(west))
