"""Squares that each obstacle shelters from a blast on level ground: computed once for each radius, as bits.

Around a burst lies a window of squares. For every square and edge of the window the table holds the set of squares
whose line from the middle passes it, and for every corner that lines pass the two ways round it. A blast is then a few
rows of the map read as whole numbers, and one step for each thing that stands in the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engine.context import Cache
from engine.geometry.battlefield import Barrier, Battlefield, Height
from engine.geometry.lines import EIGHTHS, Place, Point, line
from engine.geometry.metric import distance
from engine.geometry.obstacles import barrier_solids
from engine.geometry.squares import Square

MOST_REACH = 24
"""Squares from the middle of the largest window that a table is made for: two thousand lines, a tenth of a second."""


class Corner(NamedTuple):
    """A corner of the grid that lines pass exactly: what bars its second way round, and which squares lie beyond it."""

    other: int
    beyond: int


class Shelter(NamedTuple):
    """The table for one window. Squares, then west edges, then north edges of the window are numbered row by row."""

    beyond: tuple[int, ...]
    """For each of these the set of squares whose line it stops alone."""
    corners: tuple[tuple[Corner, ...], ...]
    """For each of these the corners whose first way round it bars."""


class Board(NamedTuple):
    """What stops a level blast at one height over flat ground: one number for each row, bit `column` for a square."""

    squares: tuple[int, ...]
    uprights: tuple[int, ...]
    """West edges."""
    levels: tuple[int, ...]
    """North edges."""
    filled: tuple[int, ...]
    """Squares where nobody can be for what fills them; no blast gets in."""
    steps_across: tuple[int, ...]
    """Squares whose ground is not as high as that of the square west of them."""
    steps_down: tuple[int, ...]
    """The same for the square north of them."""
    is_flat: bool
    """Whether the whole map is."""


_BOARDS: Cache[Board] = Cache(8)


def sheltered(board: Board, corner: Square, reach: int) -> int:
    """The squares of a window, as bits, that something stands before, seen from its middle; filled ones with them.

    Args:
        board: the whole map's; the window must be flat, see `is_level`.
        corner: the window's north-west square, which may lie off the map.
        reach: squares from its middle to its sides, MOST_REACH at most.
    """
    beyond, corners = shelter(reach)
    side = 2 * reach + 1
    area, whole = side * side, (1 << side) - 1
    left, top = corner
    hidden = standing = 0
    turned: list[Corner] = []
    first, last = max(0, -top), min(side, len(board.squares) - top)
    layers = ((0, board.squares), (area, board.uprights), (2 * area, board.levels))
    for row in range(first, last):
        for start, rows in layers:
            word = rows[top + row]
            if word:
                word = (word >> left if left >= 0 else word << -left) & whole
                number = start + row * side
                standing |= word << number
                while word:
                    lowest = word & -word
                    place = number + lowest.bit_length() - 1
                    hidden |= beyond[place]
                    if corners[place]:
                        turned += corners[place]
                    word ^= lowest
        word = board.filled[top + row]
        if word:
            hidden |= ((word >> left if left >= 0 else word << -left) & whole) << (row * side)
    for other, behind in turned:
        if standing & other:
            hidden |= behind
    return hidden


def is_level(board: Board, corner: Square, reach: int) -> bool:
    """Whether all ground of a window is equally high; what lies off the map does not count.

    Args:
        board: the whole map's.
        corner: the window's north-west square, which may lie off the map.
        reach: squares from its middle to its sides.
    """
    if board.is_flat:
        return True
    left, top, side = corner.column, corner.row, 2 * reach + 1
    first, last = max(0, top), min(len(board.squares), top + side)
    start, end = max(0, left), max(0, left + side)
    across = (1 << end) - (1 << min(end, start + 1))
    down = (1 << end) - (1 << start)
    return not (
        any(board.steps_across[row] & across for row in range(first, last))
        or any(board.steps_down[row] & down for row in range(first + 1, last))
    )


@lru_cache(maxsize=MOST_REACH + 1)
def shelter(reach: int) -> Shelter:
    """The table for a window that reaches so many squares from its middle to its sides; made once."""
    side = 2 * reach + 1
    area = side * side
    middle = Square(reach, reach)
    beyond = [0] * (3 * area)
    ways: dict[tuple[tuple[int, ...], ...], int] = {}
    turns = [_turned(side, *turn) for turn in product((False, True), repeat=3)]
    for row in range(reach, side):
        for column in range(row, side):  # an eighth of the window; the others are as it is
            end = Square(column, row)
            place = row * side + column
            bits = {turn[place]: (turn, 1 << turn[place]) for turn in turns}.values()  # two are alike on an axis
            for passage in line(centre_of(middle), centre_of(end)).passages:
                if len(passage.ways) == 2:
                    one, other = (tuple([_number(place, side) for place in way]) for way in passage.ways)
                    for turn, bit in bits:
                        both = (tuple([turn[place] for place in one]), tuple([turn[place] for place in other]))
                        ways[both] = ways.get(both, 0) | bit
                elif passage.ways[0][0] not in (middle, end):
                    place = _number(passage.ways[0][0], side)
                    for turn, bit in bits:
                        beyond[turn[place]] |= bit
    corners: list[tuple[Corner, ...]] = [()] * (3 * area)
    for (one, other), bits_beyond in ways.items():
        corner = Corner(sum(1 << place for place in other), bits_beyond)
        for place in one:
            corners[place] += (corner,)
    return Shelter(tuple(beyond), tuple(corners))


def _number(place: Place, side: int) -> int:
    """The number of a square or an edge of a window."""
    kind = 0 if isinstance(place, Square) else 1 if place.side == "W" else 2
    return kind * side * side + place.row * side + place.column


def _turned(side: int, is_swapped: bool, is_mirrored: bool, is_flipped: bool) -> list[int]:
    """For every number of a window the one of its image: rows and columns swapped, then mirrored, then flipped."""
    found = []
    for kind, row, column in product(range(3), range(side), range(side)):
        if is_swapped:
            kind, row, column = (0, 2, 1)[kind], column, row
        if is_mirrored:
            column = side - column - (kind != 1)
        if is_flipped:
            row = side - row - (kind != 2)
        found.append((kind * side + row) * side + column)
    return found


@lru_cache(maxsize=128)
def disc(metric: str, radius: int | Fraction, reach: int) -> int:
    """The squares of a window within a radius of its middle.

    Args:
        metric: one of METRICS.
        radius: in squares; the border is inside.
        reach: squares from the window's middle to its sides.

    Returns:
        Bits numbered row by row from the window's north-west square.
    """
    side, bits, wide = 2 * reach + 1, 0, reach
    for down in range(reach + 1):
        while wide >= 0 and distance(metric, wide, down) > radius:
            wide -= 1
        if wide < 0:
            break
        span = ((1 << (2 * wide + 1)) - 1) << (reach - wide)
        bits |= span << ((reach - down) * side) | span << ((reach + down) * side)
    return bits


def within_map(battlefield: Battlefield, corner: Square, side: int) -> int:
    """The squares of a window that lie on the map.

    Args:
        battlefield: the map.
        corner: the window's north-west square, which may lie off the map.
        side: of the window, in squares.

    Returns:
        Bits numbered row by row from `corner`.
    """
    left, top = corner
    columns = ((1 << min(side, battlefield.columns - left)) - 1) >> max(0, -left) << max(0, -left)
    return sum(columns << (row * side) for row in range(max(0, -top), min(side, battlefield.rows - top)))


def board(battlefield: Battlefield, height: Height) -> Board:
    """What stops a blast that runs level above flat ground. Made once for each battlefield and height.

    Args:
        battlefield: the map.
        height: of the blast above the ground, in hundredths of the map's unit.
    """
    layers = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.barriers)
    return _BOARDS.get(layers, height, lambda: _board(battlefield, height))


def _board(field: Battlefield, height: Height) -> Board:
    columns, rows = field.columns, field.rows
    stops = [ground.contains_blast and ground.height > height for ground in field.legend]
    fills = [ground.contains_blast and ground.blocks_movement for ground in field.legend]
    uprights, levels = [0] * (rows + 1), [0] * (rows + 1)
    for edge, barrier in field.barriers.items():
        if contains(barrier, height) and 0 <= edge.row < rows and 0 <= edge.column < columns:
            (uprights if edge.side == "W" else levels)[edge.row] |= 1 << edge.column
    heights = field.elevation
    is_flat = len(set(heights)) <= 1
    blank = (0,) * rows
    return Board(
        _rows(columns, rows, stops, field.ground),
        tuple(uprights),
        tuple(levels),
        _rows(columns, rows, fills, field.ground),
        blank if is_flat else tuple(_steps(heights, columns, rows, 1)),
        blank if is_flat else tuple(_steps(heights, columns, rows, columns)),
        is_flat,
    )


def contains(barrier: Barrier, height: Height) -> bool:
    """Whether a barrier stops a blast that passes it.

    Args:
        barrier: on the edge; an open one stops nothing.
        height: of the blast above the barrier's base, in hundredths; to touch a top is not to be stopped.
    """
    if barrier.is_open or not barrier.contains_blast:
        return False
    return any(bottom < height < top for bottom, top in barrier_solids(barrier, 0))


def _rows(columns: int, rows: int, holds: list[bool], ground: tuple[int, ...]) -> tuple[int, ...]:
    """The squares whose entry in the legend holds, row by row."""
    if not any(holds):
        return (0,) * rows
    signs = ["1" if one else "0" for one in holds]
    found = []
    for row in range(rows):
        cells = ground[row * columns : (row + 1) * columns]
        found.append(int("".join([signs[cell] for cell in reversed(cells)]), 2))
    return tuple(found)


def _steps(heights: tuple[Height, ...], columns: int, rows: int, back: int) -> Iterator[int]:
    """The squares that are not as high as the one `back` entries before them, row by row."""
    for row in range(rows):
        start = row * columns
        word = 0
        for column in range(columns):
            number = start + column
            if number >= back and heights[number] != heights[number - back]:
                word |= 1 << column
        yield word


def centre_of(square: Square) -> Point:
    """The middle of a square, in the eighths of a square that lines are drawn in."""
    return Point(square.column * EIGHTHS + EIGHTHS // 2, square.row * EIGHTHS + EIGHTHS // 2)
