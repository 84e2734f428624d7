"""What lines from the middle of a square pass in single strips of a frame, exactly, many lines at once.

All horizons here are slopes: hundredths of height over eighths of a square along the frame, each one quotient of whole
numbers, so that equal slopes are equal floats. See fan_rays for frames, rows and strips; lines.py for what a corner is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.field.fan_rays import Frames
from engine.field.layers import EMPTY, Heights, Indexes

Flags = npt.NDArray[np.bool_]


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
    ahead: Indexes
    aside: Indexes
    """Steps in the layers' indexes: one strip ahead, one row outwards."""
    way: Indexes
    """Into layers.WAYS: ahead ..."""
    way_out: Indexes
    """... and outwards."""

    def chosen(self, which: Indexes) -> Lines:
        return Lines(
            self.deep[which],
            self.out[which],
            self.ahead[which],
            self.aside[which],
            self.way[which],
            self.way_out[which],
        )


def lines(frames: Frames, frame: Indexes, deep: Heights, across: Heights) -> Lines:
    """Lines in frames, given by their places in `frames`; `across` has a sign."""
    way = frames.way[frame]
    turn = np.where(across < 0, -1, 1)
    way_out = np.where(way < 2, 2, 0) + (turn < 0)
    return Lines(deep, np.abs(across), frames.ahead[frame], frames.aside[frame] * turn, way, way_out)


def passed(half: Half, origin: int, line: Lines, strip: Indexes) -> Heights:
    """The horizon that each line's strip makes, wholly passed: squares, edges and the corner by which it comes in."""
    deep, out = line.deep, line.out
    near, far = 8.0 * strip - 4, 8.0 * strip + 4
    entered = (out * near + 4 * deep) / (8 * deep)
    row = np.floor(entered)
    left = np.ceil((out * far + 4 * deep) / (8 * deep)) - 1
    at_corner = row == entered
    turns = left > row
    cross = (8 * row + 4) * deep
    count = row.astype(np.intp)
    index = origin + strip * line.ahead + count * line.aside
    next_index = np.where(turns, index + line.aside, index)
    over, under = np.where(turns, out, 1.0), np.where(turns, cross, far)
    horizon: Heights = np.full(len(deep), -np.inf)
    if half.tops is not None:
        first, second = half.square(index), half.square(next_index)
        horizon = np.maximum(first / near, second / far)
        np.maximum(horizon, np.maximum(first, second) * over / under, out=horizon)
    if half.edges is not None:
        entry = np.where(at_corner, EMPTY, half.edge(line.way, index) / near)
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
