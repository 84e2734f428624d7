"""Blasts over uneven ground: the lines from a burst to every square of a window, all judged at once in whole numbers.

The same rule as `blast.reaches`, which judges one line: heights are scaled by a line's length, so nothing is divided
and nothing is rounded. The lines of a window are walked once for each reach and kept as arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.context import Cache
from engine.geometry.battlefield import SKY, Battlefield, Height
from engine.geometry.blast.blast_table import centre_of
from engine.geometry.lines import Place, Way, line
from engine.geometry.obstacles import barrier_solids
from engine.geometry.squares import Edge, Square

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
NONE = (SKY, -SKY)
"""Bottom and top of a solid that is not there: nothing lies inside it."""


class Stretches(NamedTuple):
    """Where lines pass squares or edges, an entry for each: which line, which place of the window, whence and whither.

    Squares are numbered row by row; of edges first the west, then the north ones. `start` and `end` are in the line's
    own measure. `own` squares are the two ends of their line.
    """

    line: Numbers
    place: Numbers
    start: Numbers
    end: Numbers
    own: Flags


class Corners(NamedTuple):
    """Where lines pass corners: which line, where on it, and for both ways round two edges and the square between."""

    line: Numbers
    at: Numbers
    edges: Numbers
    """Numbers of edges: an entry for each corner, way and edge."""
    squares: Numbers
    """Numbers of squares: an entry for each corner and way."""


class WindowRays(NamedTuple):
    """All lines of a window. `length` is that of each line, by the number of the square it leads to."""

    length: Numbers
    squares: Stretches
    edges: Stretches
    corners: Corners


class Relief(NamedTuple):
    """The heights of a whole map, over its zero."""

    ground: Numbers
    """Rows and columns of squares."""
    tops: Numbers
    """The same with the objects that contain blast."""
    filled: Flags
    solids: Numbers
    """West and north edges, rows and columns, up to two solids, bottom and top of each."""


_RELIEFS: Cache[Relief] = Cache(4)


def reached(
    battlefield: Battlefield, corner: Square, reach: int, height: Height, target_height: Height, metric: str
) -> tuple[int, list[tuple[int, Height]]]:
    """The squares of a window that its middle reaches, without the middle, those off the map, and filled ones.

    Args:
        battlefield: on which the window's middle lies.
        corner: the window's north-west square.
        reach: squares from its middle to its sides.
        height: of the burst above the ground of the middle.
        target_height: of the points that are to be reached above the ground of their squares.
        metric: how distances are counted.

    Returns:
        As bits those whose distance the rise does not change, and the others by number, with their rise.
    """
    side = 2 * reach + 1
    ground = _window(relief_of(battlefield).ground, corner, side, 0).reshape(-1)
    rise = ground - ground[reach * side + reach] + (target_height - height)
    free = _free(battlefield, corner, reach, height, target_height)
    free[reach * side + reach] = False
    is_level = np.abs(rise) <= _counted(metric, reach) * battlefield.square_size
    bits = np.packbits(free & is_level, bitorder="little").tobytes()
    steep = np.flatnonzero(free & ~is_level)
    return int.from_bytes(bits, "little"), list(zip(steep.tolist(), rise[steep].tolist(), strict=True))


def _counted(metric: str, reach: int) -> Numbers:
    """For each square of a window the rise, in sides of a square, up to which it does not change the distance."""
    extents: Numbers = np.abs(np.arange(-reach, reach + 1, dtype=np.int64))
    across, down = np.meshgrid(extents, extents)
    counted: Numbers = np.zeros_like(across)
    if metric == "chebyshev":
        counted = np.maximum(across, down)
    elif metric == "alternating":
        counted = np.minimum(across, down)
    return counted.reshape(-1)


def _free(battlefield: Battlefield, corner: Square, reach: int, height: Height, target_height: Height) -> Flags:
    """For each square of a window whether its line is free and it is neither off the map nor filled."""
    rays, relief = rays_of(reach), relief_of(battlefield)
    side = 2 * reach + 1
    ground = _window(relief.ground, corner, side, 0).reshape(-1)
    tops = _window(relief.tops, corner, side, 0).reshape(-1)
    start = ground[reach * side + reach] + height
    ends = ground + target_height
    free = ~_window(relief.filled, corner, side, True).reshape(-1)

    where = rays.squares
    low = _heights(rays, where, start, ends)
    top = np.where(where.own, ground[where.place], tops[where.place]) * rays.length[where.line]
    free[where.line[low < top]] = False

    if battlefield.barriers:
        solids: Numbers = np.concatenate(
            [_window(each, corner, side, NONE * 2).reshape(-1, 4) for each in relief.solids]
        )
        where = rays.edges
        at = _heights(rays, where, start, ends)
        free[where.line[_inside(solids[where.place], at, rays.length[where.line])]] = False
    corners = rays.corners
    length = rays.length[corners.line]
    passing = start * (length - corners.at) + ends[corners.line] * corners.at
    barred: Flags = passing[:, None] < tops[corners.squares] * length[:, None]
    if battlefield.barriers:
        barred |= _inside(solids[corners.edges], passing[:, None, None], length[:, None, None]).any(axis=2)
    free[corners.line[barred.all(axis=1)]] = False
    return free


def _heights(rays: WindowRays, where: Stretches, start: np.int64, ends: Numbers) -> Numbers:
    """The lowest height of each line on each stretch, times the line's length."""
    length, end = rays.length[where.line], ends[where.line]
    one = start * (length - where.start) + end * where.start
    other = start * (length - where.end) + end * where.end
    return np.minimum(one, other)


def _inside(solids: Numbers, at: Numbers, length: Numbers) -> Flags:
    """Whether heights, times their line's length, lie inside one of two solids each."""
    first = (solids[..., 0] * length < at) & (at < solids[..., 1] * length)
    found: Flags = first | ((solids[..., 2] * length < at) & (at < solids[..., 3] * length))
    return found


def _window(layer: NDArray[Any], corner: Square, side: int, fill: object) -> NDArray[Any]:
    """A square part of a map's layer, with `fill` where it hangs over the map's border."""
    rows, columns = layer.shape[:2]
    top, left = max(0, corner.row), max(0, corner.column)
    bottom, right = min(rows, corner.row + side), min(columns, corner.column + side)
    found = np.empty((side, side, *layer.shape[2:]), dtype=layer.dtype)
    found[...] = fill
    down, across = top - corner.row, left - corner.column
    found[down : down + bottom - top, across : across + right - left] = layer[top:bottom, left:right]
    return found


@lru_cache(maxsize=8)
def rays_of(reach: int) -> WindowRays:
    """The lines from the middle of a window to each of its squares, made once for a reach in squares."""
    side = 2 * reach + 1
    middle = Square(reach, reach)
    lengths: list[int] = []
    squares: list[tuple[int, int, int, int, bool]] = []
    edges: list[tuple[int, int, int, int, bool]] = []
    corners: list[tuple[int, int]] = []
    corner_edges: list[list[list[int]]] = []
    corner_squares: list[list[int]] = []

    def number(place: Place) -> int:
        here = place.row * side + place.column
        return here + side * side if isinstance(place, Edge) and place.side == "N" else here

    def of_kind(way: Way, kind: type) -> list[int]:
        return [number(place) for place in way if isinstance(place, kind)]

    for index in range(side * side):
        end = Square(index % side, index // side)
        drawn = line(centre_of(middle), centre_of(end))
        lengths.append(max(drawn.length, 1))
        for passage in drawn.passages:
            if len(passage.ways) == 2:
                corners.append((index, passage.start))
                corner_edges.append([of_kind(way, Edge) for way in passage.ways])
                corner_squares.append([number for way in passage.ways for number in of_kind(way, Square)])
                continue
            place = passage.ways[0][0]
            entry = (index, number(place), passage.start, passage.end, place in (middle, end))
            (squares if isinstance(place, Square) else edges).append(entry)
    found = np.array(corners, dtype=np.int64).reshape(-1, 2)
    return WindowRays(
        np.array(lengths, dtype=np.int64),
        _stretches(squares),
        _stretches(edges),
        Corners(
            found[:, 0],
            found[:, 1],
            np.array(corner_edges, dtype=np.int64).reshape(-1, 2, 2),
            np.array(corner_squares, dtype=np.int64).reshape(-1, 2),
        ),
    )


def _stretches(entries: Iterable[tuple[int, int, int, int, bool]]) -> Stretches:
    columns = np.array(list(entries), dtype=np.int64).reshape(-1, 5)
    return Stretches(columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3], columns[:, 4].astype(bool))


def relief_of(battlefield: Battlefield) -> Relief:
    """The heights of a map in hundredths above its zero, made once for each battlefield."""
    layers = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.barriers)
    return _RELIEFS.get(layers, None, lambda: _relief(battlefield))


def _relief(field: Battlefield) -> Relief:
    shape = field.rows, field.columns
    ground = np.array(field.elevation, dtype=np.int64).reshape(shape)
    kinds = np.array(field.ground, dtype=np.int64).reshape(shape)
    heights = np.array([one.height if one.contains_blast else 0 for one in field.legend], dtype=np.int64)
    filled = np.array([one.contains_blast and one.blocks_movement for one in field.legend], dtype=bool)
    tops = np.minimum(SKY, ground + heights[kinds])
    solids = np.empty((2, *shape, 4), dtype=np.int64)
    solids[...] = NONE * 2
    for edge, barrier in field.barriers.items():
        if barrier.is_open or not barrier.contains_blast:
            continue
        if 0 <= edge.row < field.rows and 0 <= edge.column < field.columns:
            parts = barrier_solids(barrier, field.barrier_base(edge))
            for number, part in enumerate(parts):
                solids[int(edge.side == "N"), edge.row, edge.column, 2 * number : 2 * number + 2] = part
    return Relief(ground, tops, filled[kinds], solids)
