"""What lines from the middle of a square pass in single strips of a frame, exactly, many lines at once.

All horizons here are slopes: hundredths of height over eighths of a square along the frame, each one quotient of whole
numbers, so that equal slopes are equal floats. See fan_rays for frames, rows and strips; lines.py for what a corner is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.field.fan.rays import Frames
from engine.field.layers import EMPTY, Heights, Indexes

Flags = npt.NDArray[np.bool_]


MISS = 1e-9
"""What is nearer to a border between two rows than this, in squares, lies on it: all else is 1/32000 away and more."""


class Half(NamedTuple):
    """The half of the world that hides from below upwards; or, with everything turned over, from the sky downwards."""

    eye: float
    tops: Heights | None
    """Tops of squares; None where nothing but edges counts."""
    edges: Heights | None
    """See layers.Crossed."""
    width: int
    size: int
    """Of the layers."""
    strict: Heights | None = None
    """Edges of the other half: where a corner has one of these, the harder way round counts (an upper bound)."""

    def square(self, index: Indexes) -> Heights:
        """Height over the eye of what fills squares."""
        if self.tops is None:
            return np.full(index.shape, EMPTY)
        return self.tops[index] - self.eye

    def edge(self, way: Indexes, entered: Indexes) -> Heights:
        """Height over the eye of what stands on the edges crossed in these ways into these squares."""
        if self.edges is None:
            return np.full(np.broadcast(way, entered).shape, EMPTY)
        return self.edges[way, _edge_of(self, way, entered)] - self.eye

    def is_strict(self, way: Indexes, entered: Indexes) -> Flags:
        assert self.strict is not None
        return self.strict[way, _edge_of(self, way, entered)] > EMPTY


def _edge_of(half: Half, way: Indexes, entered: Indexes) -> Indexes:
    """The square whose west or north edge was crossed; for what would lie beyond the ring, some square of the ring."""
    found: Indexes = np.minimum(entered + np.array((0, 1, 0, half.width), np.intp)[way], half.size - 1)
    return found


class Lines(NamedTuple):
    """Lines from the middle of one square to body points: arrays with one entry for each line.

    Rows count outwards, so `out` is 0 or more; a line straight ahead runs in row 0.
    """

    deep: Heights
    """How far ahead the body point is, in eighths; whole ..."""
    out: Heights
    """... and how far aside."""
    turn: Indexes
    """Twice the frame's place, and 1 more where outwards is towards lower columns or rows."""
    frames: Frames

    @property
    def ahead(self) -> Indexes:
        """Steps in the layers' indexes: one strip ahead ..."""
        return self.frames.ahead.repeat(2)[self.turn]

    @property
    def aside(self) -> Indexes:
        """... and one row outwards."""
        return np.outer(self.frames.aside, (1, -1)).ravel()[self.turn]

    @property
    def way(self) -> Indexes:
        """Into layers.WAYS: ahead ..."""
        return self.frames.way.repeat(2)[self.turn]

    @property
    def way_out(self) -> Indexes:
        """... and outwards."""
        return np.add.outer(np.where(self.frames.way < 2, 2, 0), (0, 1)).ravel()[self.turn]

    def chosen(self, which: Indexes) -> Lines:
        return Lines(self.deep[which], self.out[which], self.turn[which], self.frames)


def lines(frames: Frames, frame: Indexes, deep: Heights, across: Heights) -> Lines:
    """Lines in frames, given by their places in `frames`; `across` has a sign."""
    return Lines(deep, np.abs(across), 2 * frame + (across < 0), frames)


def passed(half: Half, origin: int, line: Lines, strip: Indexes) -> Heights:
    """The horizon that each line's strip makes, wholly passed: squares, edges and the corner by which it comes in."""
    deep, out = line.deep, line.out
    near = 8.0 * strip
    near -= 4
    slope = out / deep
    entered = slope * (near / 8)
    entered += 0.5 + MISS
    row = np.floor(entered)
    at_corner = entered - row < 2 * MISS
    slope -= 2 * MISS
    slope += entered
    turns = np.ceil(slope, out=slope) - 1 > row
    cross = row * 8
    cross += 4
    cross *= deep
    aside = line.aside
    index = row.astype(np.intp)
    index *= aside
    index += strip * line.ahead
    index += origin
    next_index = index + aside * turns
    far = near + 8
    if half.tops is None:
        horizon: Heights = np.full(len(deep), -np.inf)
    else:
        horizon, second = half.square(index), half.square(next_index)
        middle = np.maximum(horizon, second)
        middle *= out
        middle /= cross
        horizon /= near
        second /= far
        np.maximum(horizon, second, out=horizon)
        np.copyto(middle, -np.inf, where=~turns)
        np.maximum(horizon, middle, out=horizon)
    if half.edges is not None:
        entry = half.edge(line.way, index) / near
        np.copyto(entry, -np.inf, where=at_corner)
        np.maximum(horizon, entry, out=horizon)
        aside = np.flatnonzero(turns)
        sides = half.edge(line.way_out[aside], next_index[aside]) * out[aside] / cross[aside]
        horizon[aside] = np.maximum(horizon[aside], sides)
    corners = np.flatnonzero(at_corner)
    if len(corners):
        squeezed = corner(half, line.chosen(corners), index[corners], near[corners])
        horizon[corners] = np.maximum(horizon[corners], squeezed)
    return horizon


def corner(half: Half, line: Lines, index: Indexes, near: Heights) -> Heights:
    """The horizon at corners: what hides on both ways round into the squares `index`, which lie `near` ahead."""
    before, inner = index - line.ahead, index - line.aside
    one, other = half.square(before), half.square(inner)
    if half.edges is not None:
        one = np.maximum(one, half.edge(line.way_out, before))
        one = np.maximum(one, half.edge(line.way, index))
        other = np.maximum(other, half.edge(line.way, inner))
        other = np.maximum(other, half.edge(line.way_out, index))
    both = np.minimum(one, other)
    if half.strict is not None:
        edges = ((line.way_out, before), (line.way, index), (line.way, inner), (line.way_out, index))
        is_strict = np.logical_or.reduce([half.is_strict(way, entered) for way, entered in edges])
        both = np.where(is_strict, np.maximum(one, other), both)
    return both / near


def last(half: Half, origin: int, line: Lines, strip: Indexes, row: Indexes, at_corner: Flags) -> Heights:
    """The horizon of each body point's own strip before its own square, where the line comes in aside or by a corner.

    Args:
        row: the body point's, outwards.
        at_corner: True by the corner, False in the row before the point's own.
    """
    near = 8.0 * strip - 4
    index = origin + strip * line.ahead + row * line.aside
    horizon = np.empty(len(near))
    corners = np.flatnonzero(at_corner)
    horizon[corners] = corner(half, line.chosen(corners), index[corners], near[corners])
    asides = np.flatnonzero(~at_corner)
    line, near, index = line.chosen(asides), near[asides], index[asides]
    inner = index - line.aside
    cross = (8.0 * row[asides] - 4) * line.deep
    square = half.square(inner)
    found = np.maximum(square / near, square * line.out / cross)
    if half.edges is not None:
        np.maximum(found, half.edge(line.way, inner) / near, out=found)
        np.maximum(found, half.edge(line.way_out, index) * line.out / cross, out=found)
    horizon[asides] = found
    return horizon
