"""The fan itself: between which two slopes the horizon lies, for every pair of neighbouring rays, strip by strip.

A line between two rays enters each strip in the row of the one or of the other. So the lower of what both meet hides
from it for certain, and the highest of what either may meet is the most that can: a lower and an upper bound, whose
running maxima bracket the horizon.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.geometry.field_of_view.fan_rays import FanTables, Frames
from engine.geometry.field_of_view.strips import HalfSpace
from engine.geometry.los.arrays import Heights, Indexes

Value = TypeVar("Value", bound=np.generic)


class Swath(Struct, frozen=True, eq=False):
    """The strips from `first` to before `end`, and the rays of some pairs in them.

    Rays are strips by frames by rays, where every pair is looked at; else strips by two (the left and the right ray) by
    pairs.
    """

    rays: FanTables
    frames: Frames
    first: int
    end: int
    level: int
    """Of the rays; see Rays.level."""
    pairs: Indexes | None
    """Pairs of this level that are looked at, numbered through all frames; None: all."""

    @property
    def planes(self) -> Indexes:
        """Rows of the rays on the planes from `first` to `end`, as if the map had no border.

        Returns:
            Planes by 1 by rays where all pairs are looked at, else planes by 2 by pairs.
        """
        planes = self.rays.rows[self.first : self.end + 1, :: 1 << self.level]
        if self.pairs is None:
            return planes[:, None, :]
        number = self.pairs % (planes.shape[1] - 1)
        return np.stack((planes[:, number], planes[:, number + 1]), axis=1)

    def of_frames(self, values: Indexes) -> Indexes:
        """One value for each frame, in the shape that goes with rays: frames by 1, or one for each pair."""
        return values[:, None] if self.pairs is None else values[self.pairs // (self.rays.pairs >> self.level)]

    def squares(self, planes: Indexes) -> Indexes:
        """What squares behind planes add to an index of the layers, clipped to the map's ring; shaped as `planes`."""
        frames = self.frames
        if planes[-1].min() < frames.first.max() - 1 or planes[-1].max() > frames.last.min() + 1:
            planes = np.clip(planes, self.of_frames(frames.first - 1), self.of_frames(frames.last + 1))
        return planes * self.of_frames(frames.aside)

    def forward(self) -> Indexes:
        """What strips add to an index of the layers, the observer's square included: strips by frames or pairs."""
        strips = np.arange(self.first, self.end)[:, None, None]
        return (
            np.minimum(strips, self.of_frames(self.frames.depth) + 1) * self.of_frames(self.frames.ahead)
            + self.frames.origin
        )

    def left(self, values: npt.NDArray[Value]) -> npt.NDArray[Value]:
        """The values of the left ray of each pair."""
        return values[..., :-1] if self.pairs is None else values[:, 0]

    def right(self, values: npt.NDArray[Value]) -> npt.NDArray[Value]:
        """The values of the right ray of each pair."""
        return values[..., 1:] if self.pairs is None else values[:, 1]


def bounds(swath: Swath, sure: HalfSpace, most: HalfSpace) -> tuple[Heights, Heights]:
    """For each strip and pair of rays, how much the strip hides at least and at most.

    Args:
        swath: the strips and pairs.
        sure: what hides for certain.
        most: what may hide at most; `sure` itself where nothing floats.

    Returns:
        Two arrays of strips by pairs: slopes from the observer's eye, in hundredths for an eighth of a square.
    """
    near = 8.0 * np.arange(swath.first, swath.end)[:, None] - 4
    far = near + 8
    planes = swath.planes
    low: Heights | None = None
    high: Heights | None = None
    if sure.tops is not None:
        forward = swath.forward()
        sideways = swath.squares(planes)
        low, high = _of_squares(swath, sure, sideways, forward, near, far)
        if most.tops is not sure.tops:
            _, high = _of_squares(swath, most, sideways, forward, near, far)
    if sure.edges is not None or most.edges is not None:
        least, greatest = _of_edges(swath, sure, most, planes, near, far)
        low = least if low is None else np.maximum(low, least, out=low)
        high = greatest if high is None else np.maximum(high, greatest, out=high)
    assert low is not None and high is not None
    return low, high


def _of_squares(
    swath: Swath, half: HalfSpace, sideways: Indexes, forward: Indexes, near: Heights, far: Heights
) -> tuple[Heights, Heights]:
    """Bounds by what fills squares: a ray has one square where it comes into a strip and one where it leaves it."""
    enters = half.square(sideways[:-1] + forward)
    leaves = half.square(sideways[1:] + forward)
    shape = (len(near), -1)
    low = np.minimum(swath.left(enters), swath.right(enters)).reshape(shape)
    low /= near
    after = np.minimum(swath.left(leaves), swath.right(leaves)).reshape(shape)
    after /= far
    np.maximum(low, after, out=low)
    high = np.maximum(swath.left(enters), swath.right(enters)).reshape(shape)
    np.maximum(high, np.maximum(swath.left(leaves), swath.right(leaves)).reshape(shape), out=high)
    return low, _highest(high, near, far)


def _of_edges(
    swath: Swath, sure: HalfSpace, most: HalfSpace, planes: Indexes, near: Heights, far: Heights
) -> tuple[Heights, Heights]:
    """Bounds by what stands on edges: those across the way on the near plane, those along it inside the strip."""
    forward = swath.forward()
    shape = (len(near), -1)
    way = swath.of_frames(swath.frames.way)
    entered = swath.squares(planes[:-1]) + forward
    least = sure.edge(way, entered)
    low = np.minimum(swath.left(least), swath.right(least)).reshape(shape) / near
    greatest = most.edge(way, entered)
    high = np.maximum(swath.left(greatest), swath.right(greatest)).reshape(shape) / near
    left, right = swath.left(planes), swath.right(planes)
    step = left[1:] - left[:-1]
    both = (step != 0) & (left[:-1] == right[:-1]) & (left[1:] == right[1:])
    lowest = np.minimum(left[:-1], left[1:])
    above = np.maximum(right[:-1], right[1:]) - lowest
    per_pair = _PerPair(swath)
    aside = np.where(per_pair.way < 2, 2, 0)
    into = per_pair.squares(left[1:])
    sideways = sure.edge(aside + (step < 0), into)
    least = np.minimum(sideways.reshape(shape) / near, sideways.reshape(shape) / far)
    np.copyto(least, -np.inf, where=~np.broadcast_to(both, sideways.shape).reshape(shape))
    np.maximum(low, least, out=low)
    for number in (1, 2):
        into = per_pair.squares(lowest + number)
        out_of = per_pair.squares(lowest + number - 1)
        sideways = np.maximum(most.edge(aside, into), most.edge(aside + 1, out_of)).reshape(shape)
        reached = np.broadcast_to(above >= number, into.shape).reshape(shape)
        sideways = _highest(sideways, near, far)
        np.copyto(sideways, -np.inf, where=~reached)
        np.maximum(high, sideways, out=high)
    return low, high


class _PerPair:
    """The frames' values for pairs, as `Swath.of_frames` has them for rays."""

    def __init__(self, swath: Swath) -> None:
        frames = swath.frames
        self.way = swath.of_frames(frames.way)
        self.first, self.last = swath.of_frames(frames.first - 1), swath.of_frames(frames.last + 1)
        self.aside = swath.of_frames(frames.aside)
        forward = swath.forward()
        self.forward = forward if swath.pairs is None else forward[:, 0]

    def squares(self, rows: Indexes) -> Indexes:
        return np.clip(rows, self.first, self.last) * self.aside + self.forward


def _highest(height: Heights, near: Heights, far: Heights) -> Heights:
    """The steeper of a height's slopes at both ends of a strip."""
    return np.maximum(height / near, height / far)
