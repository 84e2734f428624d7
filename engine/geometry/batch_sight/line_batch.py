"""Many straight lines at once: the strips that each passes, and the squares, edges and corners in a strip.

A line is cut into strips along its longer axis, one for each column (or row) of squares; it passes one or two squares
in a strip. Places are whole eighths, so every place on a line is one division of whole numbers.

Each line has its own frame, in which it runs towards higher strips and towards higher rows: columns and rows of the map
are exchanged or mirrored as it takes, the map's north-west corner stays where it is. So a strip has the same number for
all lines of a frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from engine.geometry.batch_sight.layers import Flags, Heights, Indexes, Layers, Numbers
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import BODY_POINTS, Body
from engine.geometry.obstacles import feet_of

NEAR = 1e-9
"""Lines cross grid lines at whole numbers or at least 1/40000 of a square away from them."""

CHUNK = 16_384
"""Strips decided in one go: what fits the processor's cache."""

POINTS = np.array(BODY_POINTS, np.intp)


class Bodies(Struct, frozen=True, eq=False):
    """Bodies as arrays: squares, and heights above the map's zero."""

    column: Indexes
    row: Indexes
    size: Indexes
    feet: Heights
    eyes: Heights
    crown: Heights
    reach: Heights
    lean: Flags

    def __len__(self) -> int:
        return len(self.column)

    def chosen(self, which: Indexes) -> Bodies:
        """Some of them, by their numbers."""
        return Bodies(*(array[which] for array in astuple(self)))

    def joined(self, other: Bodies) -> Bodies:
        """These, then others."""
        return Bodies(*(np.concatenate(arrays) for arrays in zip(astuple(self), astuple(other), strict=True)))

    def points(self) -> tuple[Indexes, Indexes]:
        """Their points in eighths of a square, across and down: five rows, one for each of BODY_POINTS."""
        return (
            8 * self.column + 4 * self.size + np.multiply.outer(POINTS[:, 0], self.size),
            8 * self.row + 4 * self.size + np.multiply.outer(POINTS[:, 1], self.size),
        )


def bodies(battlefield: Battlefield, each: list[Body]) -> Bodies:
    """Bodies as arrays.

    Raises:
        OffMap: one is outside.
    """
    rows = [
        (*one.at, one.size, feet_of(battlefield, one), one.eyes, max(one.height, 1), one.looks_over, one.lean)
        for one in each
    ]
    return _absolute(*np.array(rows, np.float64).reshape(-1, 8).T)


def everywhere(layers: Layers, like: Body, column: Indexes, row: Indexes) -> Bodies:
    """A body at each of some places, by its north-west squares; the footprints lie on the map."""
    base = (row + 1) * layers.width + column + 1
    steps = [down * layers.width + across for down in range(like.size) for across in range(like.size)]
    feet = np.maximum.reduce([layers.ground[base + step] for step in steps]) + like.altitude
    rest = (like.eyes, max(like.height, 1), like.looks_over, like.lean)
    return _absolute(column, row, np.full(len(column), like.size), feet, *(np.full(len(column), one) for one in rest))


def _absolute(*arrays: Numbers) -> Bodies:
    column, row, size, feet, eyes, height, reach, lean = arrays
    column, row, size = (array.astype(np.intp) for array in (column, row, size))
    return Bodies(column, row, size, feet, feet + eyes, feet + height, feet + reach, lean.astype(bool))


class LineFrame(NamedTuple):
    """What the two axes of a frame are on the map."""

    origin: Indexes
    """Index of the square in strip 0 and row 0."""
    along: Indexes
    """Step of an index from a strip to the next,"""
    aside: Indexes
    """and from a row to the next."""
    gate: Indexes
    """From a square to the edge by which its strip is entered, in the layers of edges."""
    rail: Indexes
    """From a square to the edge that parts it from the square before it in the same strip."""


class Lines(Struct, frozen=True, eq=False):
    """Lines between bodies, one entry for each in every array but `frame`, which is looked up by `turn`."""

    one: Bodies
    """Observers, one for each pair."""
    other: Bodies
    pair: Indexes
    turn: Indexes
    frame: LineFrame
    start: Heights
    """Where it starts along its longer axis, in eighths from the map's corner,"""
    aloft: Heights
    """and along the other."""
    length: Heights
    """Extent along the longer axis, in eighths; 0 for a line that is a single point."""
    lean: Heights
    """Extent along the other axis,"""
    slope: Heights
    """and the share that it is of the longer one."""
    home: tuple[Indexes, Indexes]
    """First strip and row of the observer's footprint,"""
    away: tuple[Indexes, Indexes]
    """and of the target's."""

    def __len__(self) -> int:
        return len(self.pair)


def lines(
    layers: Layers,
    one: Bodies,
    other: Bodies,
    pair: Indexes,
    start: tuple[Indexes, Indexes],
    end: tuple[Indexes, Indexes],
) -> Lines:
    """Lines from points to points.

    Args:
        layers: of the battlefield.
        one, other: observers and targets, one of each for a pair.
        pair: of each line.
        start, end: across and down, in eighths of a square.
    """
    (x, y), across, down = start, end[0] - start[0], end[1] - start[1]
    west, north, steep = across < 0, down < 0, np.abs(down) > np.abs(across)

    def framed(across: Indexes, down: Indexes) -> tuple[Indexes, Indexes]:
        """Along the longer axis and along the other."""
        return np.where(steep, down, across), np.where(steep, across, down)

    def squares(of: Bodies) -> tuple[Indexes, Indexes]:
        column, row, size = of.column[pair], of.row[pair], of.size[pair]
        return framed(np.where(west, -column - size, column), np.where(north, -row - size, row))

    begin, aloft = framed(np.where(west, -x, x), np.where(north, -y, y))
    length, lean = framed(np.abs(across), np.abs(down))
    return Lines(
        one,
        other,
        pair,
        4 * steep + 2 * west + north,
        _frames(layers),
        begin.astype(np.float64),
        aloft.astype(np.float64),
        length.astype(np.float64),
        lean.astype(np.float64),
        lean / np.maximum(length, 1),
        squares(one),
        squares(other),
    )


def _frames(layers: Layers) -> LineFrame:
    """The eight frames: steep, west, north as bits of 4, 2, 1."""
    rows, size, width = [], len(layers.ground), layers.width
    for turn in range(8):
        steep, west, north = turn & 4, turn & 2, turn & 1
        across = (-1 if west else 1, size + 1 if west else 0)
        down = (-width if north else width, 3 * size + width if north else 2 * size)
        (along, gate), (aside, rail) = (down, across) if steep else (across, down)
        rows.append((width + 1 - bool(west) - width * bool(north), along, aside, gate, rail))
    return LineFrame(*np.array(rows, np.intp).T)


def strips_of(lines: Lines) -> Iterator[tuple[Indexes, Indexes]]:
    """Every strip of every line, in chunks of about CHUNK: numbers of lines, in order, and the strip of each.

    A line is never cut in two; one of length 0 has no strip.
    """
    first = np.floor(lines.start / 8).astype(np.intp)
    counts = np.where(lines.length > 0, np.ceil((lines.start + lines.length) / 8).astype(np.intp) - first, 0)
    ends = np.cumsum(counts)
    start = 0
    while start < len(lines):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + CHUNK)))
        own = counts[start:stop]
        line = np.repeat(np.arange(start, stop), own)
        yield line, np.arange(len(line)) - np.repeat(ends[start:stop] - own - before, own) + first[line]
        start = stop


def starts_of(numbers: Indexes) -> Indexes:
    """Where each run of equal numbers starts, equal ones side by side."""
    differ = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=differ[1:])
    return differ.nonzero()[0]


class Passages(NamedTuple):
    """Where lines pass strips, one entry for each strip, in every array."""

    line: Indexes
    strip: Indexes
    row: Indexes
    """Row of the square that is entered."""
    square: Indexes
    length: Heights
    start: Heights
    """Where the strip is entered, in eighths along the line."""
    end: Heights
    entry: Heights
    """How far beyond the border of the row it is entered, and left, in squares."""
    leave: Heights

    def chosen(self, which: Indexes) -> Passages:
        """Some of them, by their numbers."""
        return Passages._make(array.take(which) for array in self)


def passages(lines: Lines, line: Indexes, strip: Indexes) -> Passages:
    """How lines pass strips: numbers of lines, and a strip of each that it does pass."""
    length, aloft, frame, turn = lines.length.take(line), lines.aloft.take(line), lines.frame, lines.turn.take(line)
    start = 8.0 * strip
    start -= lines.start.take(line)
    end = np.minimum(start + 8, length)
    np.maximum(start, 0, out=start)
    slope = lines.slope.take(line)
    entry, leave = slope * start, slope * end
    for place in (entry, leave):
        place += aloft
        place /= 8
    row = np.floor(entry + NEAR)
    entry -= row
    leave -= row
    rows = row.astype(np.intp)
    square = strip * frame.along.take(turn)
    square += frame.origin.take(turn)
    square += rows * frame.aside.take(turn)
    return Passages(line, strip, rows, square, length, start, end, entry, leave)


class StripCrossing(Struct, frozen=True, eq=False):
    """Passages, and which of them pass more than a square from one edge to the other."""

    passed: Passages
    entered: Indexes
    """Entries whose strip is entered over one edge,"""
    at_corner: Indexes
    """and those where it is through a corner."""
    on_grid: Indexes
    """Entries whose line runs along a grid line."""
    turning: Indexes
    """Entries that pass a second square, further aside."""
    lean: Heights
    """Of those: the extent aside,"""
    turn: Heights
    """and how far aside the second square begins: both measure the place where it does."""


def crossing(lines: Lines, passed: Passages) -> StripCrossing:
    """What passages go through."""
    turning = np.flatnonzero(passed.leave > 1 + NEAR)
    at_grid = np.flatnonzero(passed.entry < 2 * NEAR)
    is_level = lines.lean[passed.line[at_grid]] == 0
    on_grid, corners = at_grid[is_level], at_grid[~is_level]
    entered = passed.start > 0
    corners = corners[entered[corners]]
    entered[at_grid] = False
    line = passed.line[turning]
    return StripCrossing(
        passed=passed,
        entered=np.flatnonzero(entered),
        at_corner=corners,
        on_grid=on_grid,
        turning=turning,
        lean=lines.lean[line],
        turn=8 * (passed.row[turning] + 1) - lines.aloft[line],
    )


def smoke_on(layers: Layers, one: Bodies, other: Bodies) -> Heights:
    """Length of the lines from middle to middle through smoke times its density, in squares over the ground.

    Along a grid line the thinner of both sides counts.
    """
    thick = np.zeros(len(one))
    if layers.smoke is None:
        return thick
    (x, y), (to_x, to_y) = one.points(), other.points()
    found = lines(layers, one, other, np.arange(len(one)), (x[0], y[0]), (to_x[0], to_y[0]))
    for line, strip in strips_of(found):
        passed = passages(found, line, strip)
        crossed = crossing(found, passed)
        aside = found.frame.aside[found.turn[line]]
        density = layers.smoke[passed.square]
        turning, grid = crossed.turning, crossed.on_grid
        density[grid] = np.minimum(density[grid], layers.smoke[passed.square[grid] - aside[grid]])
        amount = density * (passed.end - passed.start)
        beyond = layers.smoke[passed.square[turning] + aside[turning]]
        amount[turning] += (beyond - density[turning]) * (
            passed.end[turning] - crossed.turn * passed.length[turning] / crossed.lean
        )
        thick += np.bincount(line, amount, len(found))
    apart = np.hypot(found.length, found.lean) / 8
    return np.divide(thick * apart, found.length, out=thick, where=found.length > 0)
