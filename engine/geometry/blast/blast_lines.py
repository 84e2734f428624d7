"""Which lines from a burst nothing stops: the rule at the head of `blast`, judged here and nowhere else.

Lines are judged many at a time, with NumPy. Heights are taken times the length of their line, so that nothing is
divided and nothing rounded. What stops one line between standing bodies over flat ground stops all of them, so that is
worked out once for the whole map.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.context import Cache
from engine.geometry.battlefield import MAX_COLUMNS, SKY, Battlefield, Height
from engine.geometry.body import middle_height
from engine.geometry.lines import EIGHTHS, LineStretch, Place, Point, line
from engine.geometry.metric import most_rise
from engine.geometry.obstacles import DEPTH, object_on, obstacles
from engine.geometry.squares import Edge, Square

MOST_REACH = 24
"""Squares from the middle of the largest window whose lines are kept: 2,401 lines, made in a twentieth of a second."""
MOST_WINDOWS = 6
"""Windows that are kept: one of 12 squares takes 0.75 MB, the largest 5."""
ROOM = 2 * MOST_REACH * (MAX_COLUMNS + 1)
"""Places before the first of a map, for a window that hangs over its border."""
START = Square(0, 0)
"""Where lines start; other squares are counted from it."""

Heights = NDArray[np.float64]
"""Whole hundredths above the map's zero, and these times a length."""
Indexes = NDArray[np.intp]
Flags = NDArray[np.bool_]


class Stretches(NamedTuple):
    """Where lines pass squares, or edges: an entry for each, and two or four for both ways round each corner.

    Places are numbered two to a square, from the first that any line may pass: of squares the square with its object,
    then its ground alone, which counts at both ends of a line; of edges its west one, then its north one.
    """

    alone: int
    """How many entries are not at corners. After them come one way round every corner, then the other."""
    line: Indexes
    place: Indexes
    start: Heights
    """Where the line enters, in its own measure,"""
    end: Heights
    """where it leaves,"""
    length: Heights
    """and where it ends."""


class BlastLines(NamedTuple):
    """Lines from one square to others."""

    reach: int
    """The most columns or rows that any of them goes."""
    first: int
    """From the place of the square where they start to the first place of all."""
    ends: Indexes
    """Places of the squares where they end, by their ground."""
    passed: tuple[Stretches, Stretches]
    """Squares, edges."""
    corners: Indexes
    """The line of each corner."""


class BlastSolids(NamedTuple):
    """What contains blasts on a map, place by place, with room before it for a window that hangs over its border."""

    ground: Heights
    """Rows and columns."""
    is_flat: bool
    passed: tuple[tuple[tuple[Heights, Heights], ...], ...]
    """Bottoms and tops of squares; then, where there are barriers, one or two of each for edges."""
    filled: Flags
    """Whether the square is filled by what contains blast and blocks movement."""
    level: tuple[Flags, ...]
    """Whether squares, and edges, stop lines between the middles of standing bodies over flat ground."""


_SOLIDS: Cache[BlastSolids] = Cache(1)


def free_lines(
    battlefield: Battlefield,
    centre: Square,
    drawn: BlastLines,
    height: Height,
    target_height: Height,
    *,
    is_standing: bool,
) -> tuple[Flags, Heights | None]:
    """Which lines nothing stops, and how much higher than its start each one ends; None where all run level.

    Args:
        battlefield: what is answered for lines that lead off it means nothing.
        centre: where they start.
        drawn: to squares counted from `centre`.
        height: of the start above the ground of `centre`.
        target_height: of each end above the ground of its square.
        is_standing: whether they lead to somebody who stands, which nobody does in a square that is filled.
    """
    solids, rise = solids_of(battlefield), None
    here = ROOM + _place(centre)
    first = here + drawn.first
    if height == target_height == middle_height(battlefield) and _is_level(solids, centre, drawn.reach):
        stopped = [
            flags[first:].take(where.place, mode="clip")
            for where, flags in zip(drawn.passed, solids.level, strict=False)  # without barriers squares alone
        ]
    else:
        _, tops = solids.passed[0][0]
        start = tops[here + 1] + height
        rise = tops[first:].take(drawn.ends, mode="clip") + (target_height - start)
        stopped = [
            _stops(where, first, start, rise, kind) for where, kind in zip(drawn.passed, solids.passed, strict=False)
        ]
    free = ~solids.filled[first:].take(drawn.ends, mode="clip") if is_standing else np.ones(len(drawn.ends), bool)
    for where, found in zip(drawn.passed, stopped, strict=False):
        free[where.line[: where.alone][found[: where.alone]]] = False
    squares, edges = drawn.passed
    ways = stopped[0][squares.alone :].reshape(2, -1)
    if len(stopped) > 1:
        ways |= stopped[1][edges.alone :].reshape(2, 2, -1).any(axis=1)
    free[drawn.corners[ways[0] & ways[1]]] = False
    return free, rise


def _stops(
    where: Stretches, first: int, start: Height, rise: Heights, solids: tuple[tuple[Heights, Heights], ...]
) -> Flags:
    """Whether some of each stretch lies inside one of the solids at its place."""

    def at(bounds: Heights) -> Heights:
        return (bounds[first:].take(where.place, mode="clip") - start) * where.length

    up = rise.take(where.line)
    one, other = up * where.start, up * where.end
    return _is_inside(np.minimum(one, other), np.maximum(one, other), [(at(low), at(high)) for low, high in solids])


def _is_inside(low: Heights, high: Heights, solids: Sequence[tuple[Heights, Heights]]) -> Flags:
    """Whether anything between two heights is inside a solid; to touch its bottom or its top is not to be inside."""
    found: Flags = np.logical_or.reduce([(low < top) & (bottom < high) for bottom, top in solids])
    return found


def _is_level(solids: BlastSolids, centre: Square, reach: int) -> bool:
    """Whether all ground is equally high so far around a square."""
    if solids.is_flat:
        return True
    column, row = centre
    near = solids.ground[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
    return bool(near.min() == near.max())


def free_window(
    battlefield: Battlefield, centre: Square, reach: int, height: Height, target_height: Height
) -> tuple[Flags, Heights | None]:
    """As `free_lines`, for whoever stands at most so many columns and rows away, row by row."""
    side = 2 * reach + 1

    def judged(drawn: BlastLines) -> tuple[Flags, Heights | None]:
        return free_lines(battlefield, centre, drawn, height, target_height, is_standing=True)

    if reach <= MOST_REACH:
        return judged(lines_of_window(reach))
    free, rise = np.zeros((side, side), bool), np.zeros((side, side))
    across = range(max(-reach, -centre.column), min(reach + 1, battlefield.columns - centre.column))
    for row in range(max(-reach, -centre.row), min(reach + 1, battlefield.rows - centre.row)):
        part = row + reach, slice(across.start + reach, across.stop + reach)
        free[part], rises = judged(lines_to([Square(column, row) for column in across]))
        rise[part] = 0 if rises is None else rises
    return free.reshape(-1), rise.reshape(-1)


@lru_cache(maxsize=64)
def most_rises(metric: str, radius: int | Fraction, reach: int, square_size: int) -> Heights:
    """`most_rise` of each square of a window."""
    extents = [abs(extent) for extent in range(-reach, reach + 1)]
    known = {
        (row, column): most_rise(metric, column, row, radius, square_size)
        for row in range(reach + 1)
        for column in range(row + 1)
    }
    return np.array([known[max(row, column), min(row, column)] for row in extents for column in extents], np.float64)


def bits_of(flags: Flags) -> int:
    """Flags as the bits of one number, the first one lowest."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def solids_of(battlefield: Battlefield) -> BlastSolids:
    """What contains blasts on a map; made once for each battlefield."""
    layers = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.barriers)
    return _SOLIDS.get(layers, None, lambda: _solids(battlefield))


def _solids(field: Battlefield) -> BlastSolids:
    size = ROOM + _place(Square(0, field.rows))
    ground = np.array(field.elevation, np.float64).reshape(field.rows, field.columns)
    kinds = np.array(field.ground, np.intp).reshape(ground.shape)
    things = [object_on(one, START, 0) for one in field.legend]
    heights = np.array([one.top if one is not None and one.contains_blast else 0 for one in things], np.float64)
    fills = np.array([one.contains_blast and one.blocks_movement for one in field.legend], bool)
    tops, filled = np.zeros(size), np.zeros(size, bool)
    tops[ROOM:].reshape(field.rows, -1, 2)[:, : field.columns] = np.stack(
        (np.minimum(SKY, ground + heights[kinds]), ground), axis=2
    )
    filled[ROOM:].reshape(field.rows, -1, 2)[:, : field.columns] = fills[kinds][..., None]
    edges: list[tuple[Heights, Heights]] = []
    for edge in field.barriers:
        standing = obstacles(field, edge) if Square(edge.column, edge.row) in field else ()
        for number, solid in enumerate(solid for thing in standing if thing.contains_blast for solid in thing.solids):
            if number == len(edges):
                edges.append((np.full(size, SKY, np.float64), np.full(size, DEPTH, np.float64)))
            for bound, height in zip(edges[number], solid, strict=True):
                bound[ROOM + _place(edge)] = height
    squares = np.full(size, DEPTH, np.float64), tops
    passed = ((squares,), tuple(edges)) if edges else ((squares,),)
    up = tops[1::2].repeat(2) + middle_height(field)
    level = tuple(_is_inside(up, up, kind) for kind in passed)
    return BlastSolids(ground, bool(ground.min() == ground.max()), passed, filled, level)


@lru_cache(maxsize=MOST_WINDOWS)
def lines_of_window(reach: int) -> BlastLines:
    """The lines to all squares at most so many columns and rows away, row by row: of one quarter, and its images."""
    quarter = lines_to([Square(column, row) for row in range(reach + 1) for column in range(reach + 1)])
    side, first, corners = 2 * reach + 1, _place(Square(-reach, -reach)), len(quarter.corners)
    across, down = np.array([(1, 1, -1, -1), (1, -1, 1, -1)])[:, :, None]

    def turned(lines: Indexes) -> Indexes:
        row, column = np.divmod(lines, reach + 1)
        found: Indexes = (reach + down * row) * side + reach + across * column
        return found

    def images(where: Stretches, is_edge: bool) -> Stretches:
        row, rest = np.divmod(where.place, 2 * MAX_COLUMNS)
        column, kind = np.divmod(rest, 2)
        beyond = [is_edge * (kind == own) * (sign < 0) for own, sign in enumerate((across, down))]  # the far edge
        place = 2 * ((down * row + beyond[1]) * MAX_COLUMNS + across * column + beyond[0]) + kind - first

        def joined(rows: NDArray[Any]) -> NDArray[Any]:
            turns = rows[:, where.alone :].reshape(4, 2 + 2 * is_edge, corners).swapaxes(0, 1)
            return np.concatenate((rows[:, : where.alone].reshape(-1), turns.reshape(-1)))

        stretch = (joined(np.tile(each, (4, 1))) for each in (where.start, where.end, where.length))
        return Stretches(4 * where.alone, joined(turned(where.line)), joined(place), *stretch)

    ends = np.array([_place(Square(column, row)) + 1 for row in range(side) for column in range(side)], np.intp)
    squares, edges = quarter.passed
    passed = images(squares, False), images(edges, True)
    return BlastLines(reach, first, ends, passed, turned(quarter.corners).reshape(-1))


def lines_to(ends: Sequence[Square]) -> BlastLines:
    """The lines to some squares, counted from where they start."""
    squares: list[tuple[int, ...]] = []
    edges: list[tuple[int, ...]] = []
    corners: list[tuple[int, int, LineStretch]] = []
    for number, end in enumerate(ends):
        drawn = line(_middle(START), _middle(end))
        length = drawn.length or 1
        for passage in drawn.passages:
            place, *_ = passage.ways[0]
            if len(passage.ways) == 2:
                corners.append((number, length, passage))
                continue
            entry = number, _place(place) + (place in (START, end)), passage.start, passage.end, length
            (edges if isinstance(place, Edge) else squares).append(entry)
    first = _place(Square(min(0, *(end.column for end in ends)), min(0, *(end.row for end in ends))))
    found = []
    for entries, parts in ((squares, (1,)), (edges, (0, 2))):
        alone = len(entries)
        entries += [
            (number, _place(passage.ways[way][part]), passage.start, passage.end, length)
            for way in (0, 1)
            for part in parts
            for number, length, passage in corners
        ]
        which, where, *stretch = np.array(entries, np.float64).reshape(-1, 5).T.copy()
        found.append(Stretches(alone, which.astype(np.intp), where.astype(np.intp) - first, *stretch))
    return BlastLines(
        max(max(abs(end.column), abs(end.row)) for end in ends),
        first,
        np.array([_place(end) + 1 - first for end in ends], np.intp),
        (found[0], found[1]),
        np.array([number for number, *_ in corners], np.intp),
    )


def _place(place: Place) -> int:
    """The first place of a square, or that of an edge."""
    return 2 * (place.row * MAX_COLUMNS + place.column) + (isinstance(place, Edge) and place.side == "N")


def _middle(square: Square) -> Point:
    return Point(square.column * EIGHTHS + EIGHTHS // 2, square.row * EIGHTHS + EIGHTHS // 2)
