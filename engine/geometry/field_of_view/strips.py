"""What lines from the middle of a square pass in single strips of a frame, exactly, many lines at once.

All horizons here are slopes: hundredths of height over eighths of a square along the frame, each one quotient of whole
numbers, so that equal slopes are equal floats. See rays for frames, rows and strips; lines.py for what a corner is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry.field_of_view.fan_rays import FanTables, Frames
from engine.geometry.los.arrays import EMPTY, Heights, Indexes

Flags = npt.NDArray[np.bool_]


MISS = 1e-9
"""What is nearer to a border between two rows than this, in squares, lies on it: all else is 1/32000 away and more."""

NOWHERE = 1e30
"""Steeper than all there is: taken off where a slope does not count, which is quicker than choosing."""


class HalfSpace(NamedTuple):
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
        """Height over the eye of what fills squares, in hundredths; EMPTY where only edges count. Shaped as `index`."""
        if self.tops is None:
            return np.full(index.shape, EMPTY)
        height: Heights = self.tops.take(index, mode="clip")
        height -= self.eye
        return height

    def edge(self, way: Indexes, entered: Indexes) -> Heights:
        """Height over the eye of what stands on edges, in hundredths; EMPTY where nothing does.

        Args:
            way: of crossing, indexes into `arrays.WAYS`.
            entered: indexes of the squares that are entered; the two are broadcast together.
        """
        if self.edges is None:
            return np.full(np.broadcast(way, entered).shape, EMPTY)
        return self.edges[way, _edge_of(self, way, entered)] - self.eye

    def is_strict(self, way: Indexes, entered: Indexes) -> Flags:
        """Whether the other half has something on these edges, given as for `edge`; only where `strict` is not None."""
        assert self.strict is not None
        return self.strict[way, _edge_of(self, way, entered)] > EMPTY


def _edge_of(half: HalfSpace, way: Indexes, entered: Indexes) -> Indexes:
    """The square whose west or north edge was crossed; for what would lie beyond the ring, some square of the ring."""
    found: Indexes = np.minimum(entered + np.array((0, 1, 0, half.width), np.intp)[way], half.size - 1)
    return found


class FanLines(NamedTuple):
    """Lines from the middle of one square to body points: arrays with one entry for each line.

    Rows count outwards, so `out` is 0 or more; a line straight ahead runs in row 0.
    """

    deep: Heights
    """How far ahead the body point is, in eighths; whole ..."""
    out: Heights
    """... and how far aside."""
    turn: Indexes
    """See Frames.turned."""
    frames: Frames

    @property
    def ahead(self) -> Indexes:
        """What one strip ahead adds to an index of the layers, for each line."""
        return self.frames.turned[0].take(self.turn, mode="clip")

    @property
    def aside(self) -> Indexes:
        """What one row outwards adds to an index of the layers, for each line."""
        return self.frames.turned[1].take(self.turn, mode="clip")

    @property
    def way(self) -> Indexes:
        """The way of crossing edges ahead, as an index into `arrays.WAYS`, for each line."""
        return self.frames.turned[2].take(self.turn, mode="clip")

    @property
    def way_out(self) -> Indexes:
        """The way of crossing edges outwards, as an index into `arrays.WAYS`, for each line."""
        return self.frames.turned[3].take(self.turn, mode="clip")

    def chosen(self, which: Indexes) -> FanLines:
        """Some of the lines, by their numbers."""
        deep, out = self.deep.take(which, mode="clip"), self.out.take(which, mode="clip")
        return FanLines(deep, out, self.turn.take(which, mode="clip"), self.frames)


def lines(frames: Frames, frame: Indexes, deep: Heights, across: Heights) -> FanLines:
    """Lines in frames to places given by their distance.

    Args:
        frames: round the observer.
        frame: of each line, its place in `frames`.
        deep: how far ahead each ends, in eighths of a square.
        across: how far aside, in eighths; below 0 towards lower columns or rows.
    """
    return FanLines(deep, np.abs(across), 2 * frame + (across < 0), frames)


def to_points(rays: FanTables, frames: Frames, frame: Indexes, point: Indexes) -> FanLines:
    """Lines to body points.

    Args:
        rays: the tables.
        frames: round the observer.
        frame: of each line, its place in `frames`.
        point: of each line, its place in the tables of body points.
    """
    turn = 2 * frame
    turn += rays.is_low.take(point, mode="clip")
    return FanLines(rays.deep.take(point, mode="clip"), rays.out.take(point, mode="clip"), turn, frames)


def passed(half: HalfSpace, origin: int, line: FanLines, strip: Indexes) -> Heights:
    """The horizon that a strip makes which a line passes wholly: squares, edges and the corner by which it comes in.

    Args:
        half: what hides.
        origin: index of the observer's square in the layers.
        line: the lines.
        strip: one for each line, 1 or more.

    Returns:
        Slopes in hundredths of height for an eighth of a square, one for each line; -inf where nothing counts.
    """
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
    slope -= row
    turns = slope > 1
    cross = row * 8
    cross += 4
    cross *= deep
    step = line.aside
    index = row.astype(np.intp)
    index *= step
    index += strip * line.ahead
    index += origin
    next_index = index + step * turns
    far = near + 8
    if half.tops is None:
        horizon: Heights = np.full(len(deep), -np.inf)
    else:
        horizon, second = half.square(index), half.square(next_index)
        middle = np.maximum(horizon, second)
        middle *= out
        middle /= cross
        middle -= np.multiply(~turns, NOWHERE)
        horizon /= near
        second /= far
        np.maximum(horizon, second, out=horizon)
        np.maximum(horizon, middle, out=horizon)
    if half.edges is not None:
        entry = half.edge(line.way, index) / near
        np.copyto(entry, -np.inf, where=at_corner)
        np.maximum(horizon, entry, out=horizon)
        turned = np.flatnonzero(turns)
        sides = half.edge(line.way_out[turned], next_index[turned]) * out[turned] / cross[turned]
        horizon[turned] = np.maximum(horizon[turned], sides)
    corners = np.flatnonzero(at_corner)
    if len(corners):
        squeezed = corner(half, line.chosen(corners), index[corners], near[corners])
        horizon[corners] = np.maximum(horizon[corners], squeezed)
    return horizon


def corner(half: HalfSpace, line: FanLines, index: Indexes, near: Heights) -> Heights:
    """The horizon at corners: what hides on both ways round.

    Args:
        half: what hides.
        line: the lines, each through a corner.
        index: the square that each comes into, in the layers.
        near: how far ahead the corner lies, in eighths of a square.

    Returns:
        Slopes as in `passed`, one for each line.
    """
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


def last(half: HalfSpace, line: FanLines, index: Indexes, near: Heights, border: Heights, corners: Indexes) -> Heights:
    """The horizon of each body point's own strip before its own square, where the line comes in aside or by a corner.

    Args:
        half: what hides.
        line: to the body points.
        index: their squares in the layers.
        near: how far ahead the strip begins, in eighths.
        border: how far aside the point's own row begins, times how deep the point lies, in eighths.
        corners: which of the lines come in by the corner; the others do in the row before the point's own.
    """
    inner = index - line.aside
    square = half.square(inner)
    horizon = square * line.out
    horizon /= border
    square /= near
    np.maximum(horizon, square, out=horizon)
    if half.edges is not None:
        np.maximum(horizon, half.edge(line.way, inner) / near, out=horizon)
        np.maximum(horizon, half.edge(line.way_out, index) * line.out / border, out=horizon)
    horizon[corners] = corner(
        half, line.chosen(corners), index.take(corners, mode="clip"), near.take(corners, mode="clip")
    )
    return horizon
