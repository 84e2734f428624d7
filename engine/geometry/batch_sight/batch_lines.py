"""Many straight lines at once, with NumPy: the squares, edges and corners that each passes, as in `lines`.

A line is cut into strips along its longer axis, one for each column (or row) of squares; it passes one or two squares
in a strip. Places are whole eighths and heights whole hundredths, so every height on a line is one division of whole
numbers: equal fractions give equal floats, and comparing them is exact. Only the sum that makes a share is rounded.

Everything runs in a line's own frame: it starts in square 0 of strip 0, `along` is the step to the next strip and
`aside` the one to the side it leans to. Heights on a line are counted from the observer's eye.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import astuple

from engine.geometry.los.arrays import Heights, Indexes, Layers

Flags = npt.NDArray[np.bool_]

NEAR = 1e-9
"""Lines cross grid lines at whole numbers or at least 1/40000 of a square away from them."""

CHUNK = 16_384
"""Strips decided in one go: what fits the processor's cache."""


class RayBatch(Struct, frozen=True, eq=False):
    """Lines, one entry for each in every array."""

    length: Heights
    """Extent along the longer axis, in eighths; 0 for a line that is a single point."""
    lean: Heights
    """Extent along the other axis."""
    offset: Heights
    """From the border of the first strip to the start, in eighths."""
    aloft: Heights
    """The same along the other axis."""
    first: Indexes
    along: Indexes
    aside: Indexes
    strips: Indexes
    gate: Indexes
    """From a square to the edge by which its strip is entered, in `Question.standing` of `obstructions`."""
    rail: Indexes
    """From a square to the edge that parts it from the square before it in the same strip."""
    rails: Indexes
    """The sum of `rail` both ways."""
    eye: Heights
    feet: Heights
    crown: Heights
    goal: Heights
    """The target's eye."""
    home: Indexes
    """Side of the observer's footprint; the line starts in its middle."""
    away: Indexes
    """Side of the target's footprint."""
    away_strip: Indexes
    away_row: Indexes
    """Its first strip and row."""

    def __len__(self) -> int:
        return len(self.length)


def rays(
    layers: Layers,
    start: tuple[Indexes, Indexes],
    end: tuple[Indexes, Indexes],
    heights: tuple[Heights, Heights, Heights, Heights],
    home: Indexes,
    target: tuple[Indexes, Indexes, Indexes],
) -> RayBatch:
    """Lines from the middles of footprints to points of other footprints.

    Args:
        layers: of the battlefield.
        start, end: columns and rows, in eighths of a square.
        heights: the observer's eye; the target's feet, crown and eye, above the map's zero.
        home: side of the observer's footprint.
        target: column, row and side of the target's footprint.
    """
    (x, y), (column, row, side) = start, target
    across, down = end[0] - x, end[1] - y
    west, north = across < 0, down < 0
    first_column, first_row = (x - west) >> 3, (y - north) >> 3
    offset_x = np.where(west, 8 * first_column + 8 - x, x - 8 * first_column)
    offset_y = np.where(north, 8 * first_row + 8 - y, y - 8 * first_row)
    across, down = np.abs(across), np.abs(down)
    step_x, step_y = np.where(west, -1, 1), np.where(north, -layers.width, layers.width)
    size = len(layers.ground)
    edge_x, edge_y = np.where(west, size + 1, 0), np.where(north, 3 * size + layers.width, 2 * size)
    column = np.where(west, first_column - column - side + 1, column - first_column)
    row = np.where(north, first_row - row - side + 1, row - first_row)
    steep = down > across
    length, offset = np.where(steep, down, across), np.where(steep, offset_y, offset_x)
    eye, feet, crown, goal = heights
    return RayBatch(
        length=length.astype(np.float64),
        lean=np.where(steep, across, down).astype(np.float64),
        offset=offset.astype(np.float64),
        aloft=np.where(steep, offset_x, offset_y).astype(np.float64),
        first=(first_row + 1) * layers.width + first_column + 1,
        along=np.where(steep, step_y, step_x),
        aside=np.where(steep, step_x, step_y),
        strips=np.where(length > 0, (offset + length + 7) >> 3, 0),
        gate=np.where(steep, edge_y, edge_x),
        rail=np.where(steep, edge_x, edge_y),
        rails=np.where(steep, size + 1, 5 * size + layers.width),
        eye=eye,
        feet=feet - eye,
        crown=crown - eye,
        goal=goal - eye,
        home=home,
        away=side,
        away_strip=np.where(steep, row, column),
        away_row=np.where(steep, column, row),
    )


def strips_of(rays: RayBatch) -> Iterator[tuple[Indexes, Indexes]]:
    """Every strip of every line, in chunks of about CHUNK.

    Yields:
        Two arrays of one length: numbers of lines, in order, and the strip of each, counted from 0 at the observer.
        A line is never cut in two; one of length 0 has no strip.
    """
    ends = np.cumsum(rays.strips)
    start = 0
    while start < len(rays):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
        counts = rays.strips[start:stop]
        line = np.repeat(np.arange(start, stop), counts)
        yield line, np.arange(len(line)) - np.repeat(ends[start:stop] - counts - before, counts)
        start = stop


def starts_of(numbers: Indexes) -> Indexes:
    """Where each run of equal numbers starts.

    Args:
        numbers: one dimension, equal ones side by side.

    Returns:
        Indexes of the first entry of each run, in order.
    """
    differ = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=differ[1:])
    return differ.nonzero()[0]


def chosen(lines: RayBatch, which: Indexes | slice) -> RayBatch:
    """Some lines, by their numbers: every array of the batch indexed by `which`, so a slice gives views."""
    return RayBatch(*(array[which] for array in astuple(lines)))


def spread_out(middles: RayBatch, points: Sequence[tuple[int, int]]) -> RayBatch:
    """Lines to several points of each target: all targets for the first point, then all for the second.

    Args:
        middles: the lines to the middles of the targets. All lines must keep to their longer axis.
        points: offsets from the middle in eighths of the side, given in the line's own frame: so there must be one for
            each way to turn or mirror any of them.
    """
    count = len(points)
    all_lines = RayBatch(*(np.concatenate([array] * count) for array in astuple(middles)))
    away = all_lines.away
    x, y = np.repeat(np.array(points, np.float64), len(middles), axis=0).T
    length, lean = all_lines.length, all_lines.lean
    length += x * away
    lean += y * away
    turned = np.flatnonzero(lean < 0)
    if len(turned):
        lean[turned] *= -1
        on_grid = all_lines.aloft[turned] == 0
        all_lines.first[turned] -= on_grid * all_lines.aside[turned]
        all_lines.away_row[turned] = 1 - all_lines.away_row[turned] - away[turned] - on_grid
        all_lines.aside[turned] *= -1
        all_lines.rail[turned] = all_lines.rails[turned] - all_lines.rail[turned]
    all_lines.strips[:] = ((all_lines.offset + length).astype(np.intp) + 7) >> 3
    return all_lines


class StripCrossing(Struct, frozen=True, eq=False):
    """How lines pass strips, one entry for each strip."""

    line: Indexes
    strip: Indexes
    length: Heights
    eye: Heights
    row: Indexes
    """Row of the square that is entered."""
    square: Indexes
    start: Heights
    """Where the strip is entered, in eighths along the line."""
    end: Heights
    at_corner: Indexes
    """Entries whose strip is entered through a corner."""
    on_grid: Indexes
    """Entries whose line runs along a grid line."""
    turning: Indexes
    """Entries that pass a second square, further aside."""
    lean: Heights
    """Of those: the extent aside,"""
    turn: Heights
    """and how far aside the second square begins: both measure the place where it does."""

    def plain(self) -> Indexes:
        """Entries whose strip is entered over one edge: not strip 0, not by a corner, not along a grid line."""
        is_plain = self.strip > 0
        is_plain[self.at_corner] = is_plain[self.on_grid] = False
        return np.flatnonzero(is_plain)


def crossing(rays: RayBatch, line: Indexes, strip: Indexes) -> StripCrossing:
    """How lines pass strips.

    Args:
        rays: the lines.
        line, strip: numbers of lines and of strips of each, arrays of one length.

    Returns:
        One entry for each strip; extents along a line in eighths of a square.
    """
    length, aloft = rays.length[line], rays.aloft[line]
    start = 8.0 * strip
    start -= rays.offset[line]
    end = start + 8
    np.minimum(end, length, out=end)
    np.maximum(start, 0, out=start)
    slope = (rays.lean / np.maximum(rays.length, 1))[line]
    entry = slope * start
    entry += aloft
    entry /= 8
    slope *= end
    slope += aloft
    slope /= 8
    row = np.floor(entry + NEAR)
    entry -= row
    slope -= row
    turning = np.flatnonzero(slope > 1 + NEAR)
    at_grid = np.flatnonzero(entry < 2 * NEAR)
    is_level = rays.lean[line[at_grid]] == 0
    rows = row.astype(np.intp)
    square = rows * rays.aside[line]
    square += strip * rays.along[line]
    square += rays.first[line]
    return StripCrossing(
        line=line,
        strip=strip,
        length=length,
        eye=rays.eye[line],
        row=rows,
        square=square,
        start=start,
        end=end,
        at_corner=at_grid[(strip[at_grid] > 0) & ~is_level],
        on_grid=at_grid[is_level],
        turning=turning,
        lean=rays.lean[line[turning]],
        turn=8 * (row[turning] + 1) - aloft[turning],
    )
