"""Many straight lines at once, with NumPy: which squares, edges and corners each passes. What `lines` says of one line.

A line is cut into strips along its longer axis, one for each column (or row) of squares; it passes one or two squares
in a strip. Places are whole eighths and heights whole hundredths, so every height on a line is one division of whole
numbers: equal fractions give equal floats, and comparing them is exact. Only the sum that makes a share is rounded.

Everything runs in a line's own frame: it starts in square 0 of strip 0, `along` is the step to the next strip and
`aside` the one to the side it leans to. Heights on a line are counted from the observer's eye.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.field.layers import Heights, Indexes, Layers

Flags = npt.NDArray[np.bool_]

NEAR = 1e-9
"""Lines cross grid lines at whole numbers or at least 1/40000 of a square away from them."""

CHUNK = 16_384
"""Strips decided in one go: what fits the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
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
) -> Rays:
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
    return Rays(
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
        eye=eye,
        feet=feet - eye,
        crown=crown - eye,
        goal=goal - eye,
        home=home,
        away=side,
        away_strip=np.where(steep, row, column),
        away_row=np.where(steep, column, row),
    )


def strips_of(rays: Rays) -> Iterator[tuple[Indexes, Indexes]]:
    """Every strip of every line: numbers of lines, in order, and of strips, in chunks of about CHUNK."""
    ends = np.cumsum(rays.strips)
    start = 0
    while start < len(rays):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
        counts = rays.strips[start:stop]
        line = np.repeat(np.arange(start, stop), counts)
        yield line, np.arange(len(line)) - np.repeat(ends[start:stop] - counts - before, counts)
        start = stop


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
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
    plain: Indexes
    """Entries whose strip is entered over one edge."""


def crossing(rays: Rays, line: Indexes, strip: Indexes) -> Crossing:
    """How lines, given by their numbers, pass strips."""
    length, lean, aloft = rays.length[line], rays.lean[line], rays.aloft[line]
    here = 8.0 * strip - rays.offset[line]
    end = np.minimum(here + 8, length)
    start = np.maximum(here, 0)
    slope = lean / (8 * length)
    entry = aloft / 8 + slope * start
    row = np.floor(entry + NEAR)
    leaving = np.ceil(aloft / 8 + slope * end - NEAR) - 1
    square = rays.first[line] + strip * rays.along[line] + row.astype(np.intp) * rays.aside[line]
    turning = np.flatnonzero(leaving > row)
    at_grid = np.abs(entry - row) < 2 * NEAR
    is_level = lean == 0
    at_corner = at_grid & (strip > 0) & ~is_level
    on_grid = at_grid & is_level
    return Crossing(
        line=line,
        strip=strip,
        length=length,
        eye=rays.eye[line],
        row=row.astype(np.intp),
        square=square,
        start=start,
        end=end,
        at_corner=np.flatnonzero(at_corner),
        on_grid=np.flatnonzero(on_grid),
        turning=turning,
        lean=lean[turning],
        turn=8 * (row[turning] + 1) - aloft[turning],
        plain=np.flatnonzero((strip > 0) & ~at_grid),
    )
