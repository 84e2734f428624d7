"""Blocks of strips: how the bounds of the horizon rise, for every pair of rays that is still looked at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry.field_of_view.fan_rays import FanTables, Frames
from engine.geometry.field_of_view.horizon_bounds import Swath, bounds
from engine.geometry.field_of_view.strips import HalfSpace
from engine.geometry.los.arrays import Heights, Indexes, Layers

CHUNK = 8
"""Strips whose upper bounds are looked at together when a point is undecided."""

LONG = 400
"""Columns from which on running maxima are made line by line, and the steepest strips are known."""

Flags = npt.NDArray[np.bool_]


class TargetHeights(NamedTuple):
    """Heights of the body looked at: its feet over the ground, and its own."""

    altitude: float
    height: float
    eyes: float


class FanQuery(NamedTuple):
    """Constants of one query: observer, field, frames and rays."""

    field: Layers
    frames: Frames
    rays: FanTables
    eye: float
    target: TargetHeights
    sure: tuple[HalfSpace, ...]
    """What hides from below and, where anything hangs, from above."""
    most: tuple[HalfSpace, ...]
    """The same with all that floats as if it reached the ground; the same objects where nothing floats or hangs."""


class Horizon(NamedTuple):
    """One half's brackets in one block. Columns are pairs, and a last one for pairs that are no longer looked at.

    What is running has a line before each strip and one after the last.
    """

    low: Heights
    """The lower bound ..."""
    high: Heights
    """... and the upper bound, running."""
    second: Heights
    """The upper bound without the strip that it is from, running; in the first block and where few pairs are looked at,
    `high` itself ..."""
    steepest: Heights | None
    """... and this strip, 0 for none or unknown; None: unknown altogether."""
    strip: Heights
    """Strips by columns: the most that each strip can hide by itself."""
    chunk: Heights
    """Chunks by columns: the maxima of every CHUNK strips."""


class Carried(NamedTuple):
    """What a block begins with, by pairs: as in Horizon."""

    low: Heights
    high: Heights
    second: Heights
    steepest: Heights


class Block(NamedTuple):
    first: int
    end: int
    level: int
    """Of its rays; see Rays.level. Pairs of all levels are numbered through all frames."""
    column: Indexes | None
    """Where each pair of the level has its column; None: in its own place."""
    horizons: tuple[Horizon, ...]


def block(ask: FanQuery, first: int, end: int, level: int, pairs: Indexes | None, carried: list[Carried]) -> Block:
    """The brackets of the horizon in the next strips.

    Args:
        ask: the query.
        first, end: the strips, `end` left out; the first strip of all is 1.
        level: of the rays, see `FanTables.level`.
        pairs: those that are looked at, numbered through all frames; None for all.
        carried: what the block before ended with, one for each half.
    """
    swath = Swath(ask.rays, ask.frames, first, end, level, pairs)
    column: Indexes | None = None
    if pairs is not None:
        column = np.full(len(ask.frames.way) * (ask.rays.pairs >> level), len(pairs))
        column[pairs] = np.arange(len(pairs))
    horizons = []
    for sure, most, before in zip(ask.sure, ask.most, carried, strict=True):
        low, strip = bounds(swath, sure, most)
        if most.strict is not None:  # at a corner, what lies in the strip before may count by itself
            if first == 1:  # beside the observer's square lies no strip that would tell
                diagonal = ask.rays.pair[0, [0, 2]] + np.arange(len(ask.frames.way))[:, None] * ask.rays.pairs
                strip[0, diagonal >> level] = np.inf
            strip = np.maximum(strip, np.concatenate((before.high[None], strip[:-1])))
        horizons.append(_running(low, strip, before, first))
    return Block(first, end, level, column, tuple(horizons))


def _running(low: Heights, strip: Heights, before: Carried, first: int) -> Horizon:
    """The running tables of a block."""
    strips, count = strip.shape
    bounds = np.empty((2, strips + 1, count + 1))
    bounds[..., -1] = np.inf
    bounds[0, 0, :-1], bounds[1, 0, :-1] = before.low, before.high
    bounds[0, 1:, :-1], bounds[1, 1:, :-1] = low, strip
    _run(bounds)
    chunk = np.maximum.reduceat(strip, np.arange(0, strips, CHUNK), axis=0)
    if first == 1 or count < LONG:
        return Horizon(bounds[0], bounds[1], bounds[1], None, strip, chunk)
    behind = np.empty((2, strips + 1, count + 1))
    behind[..., -1] = 0
    behind[0, 0, :-1], behind[1, 0, :-1] = before.second, before.steepest
    earlier = bounds[1, :-1, :-1]
    np.minimum(strip, earlier, out=behind[0, 1:, :-1])
    np.multiply(strip > earlier, np.arange(first, first + strips, dtype=np.float64)[:, None], out=behind[1, 1:, :-1])
    _run(behind)
    return Horizon(bounds[0], bounds[1], behind[0], behind[1], strip, chunk)


def _run(tables: Heights) -> None:
    """Makes the second axis of tables a running maximum; where lines are long, line by line is quicker."""
    if tables.shape[2] < LONG:
        np.maximum.accumulate(tables, axis=1, out=tables)
        return
    for line in range(1, tables.shape[1]):
        np.maximum(tables[:, line], tables[:, line - 1], out=tables[:, line])


def carried(block: Block, left: Indexes, times: int) -> list[Carried]:
    """What the next block begins with.

    Args:
        block: the one before.
        left: columns of it that are still looked at.
        times: how often each is repeated, where the next fan is finer.

    Returns:
        One for each half, with `len(left) * times` entries.
    """
    found = []
    for horizon in block.horizons:
        low, high = horizon.low[-1].take(left, mode="clip"), horizon.high[-1].take(left, mode="clip")
        if horizon.steepest is not None:
            second, steepest = horizon.second[-1].take(left, mode="clip"), horizon.steepest[-1].take(left, mode="clip")
        elif block.first == 1 and len(left) >= LONG // 2:
            earlier, strips = horizon.high[:-1, :-1], np.arange(1.0, block.end)[:, None]
            second = np.minimum(horizon.strip, earlier).max(axis=0).take(left, mode="clip")
            steepest = ((horizon.strip > earlier) * strips).max(axis=0).take(left, mode="clip")
        else:
            second, steepest = high, np.zeros(len(left))
        found.append(Carried(*(values.repeat(times) for values in (low, high, second, steepest))))
    return found


def alive(ask: FanQuery, block: Block, pairs: Indexes | None) -> Indexes:
    """Columns of the pairs behind which something may still be seen.

    Args:
        ask: the query.
        block: the last one.
        pairs: those of the block; None for all.

    Returns:
        Indexes into its columns, in order.
    """
    frames, target = ask.frames, ask.target
    crown = ask.field.highest + target.altitude + target.height - ask.eye
    low = block.horizons[0].low[-1, :-1]
    alive = low < max(crown / (8 * block.end - 3), crown / (8 * int(frames.depth.max()) + 3))
    if len(block.horizons) > 1:
        alive &= low <= -block.horizons[1].low[-1, :-1]
    rows = ask.rays.rows[block.end, :: 1 << block.level]
    inside = (rows[None, :-1] <= frames.last[:, None]) & (rows[None, 1:] >= frames.first[:, None])
    inside &= frames.depth[:, None] >= block.end
    alive &= inside.ravel() if pairs is None else inside.ravel()[pairs]
    return np.flatnonzero(alive)


def cells(ask: FanQuery, block: Block, pairs: Indexes | None) -> tuple[Indexes, Indexes]:
    """Squares of the block's strips that may be seen.

    Args:
        ask: the query.
        block: which strips.
        pairs: those of the block; None for all.

    Returns:
        Two arrays of one length, by frames: numbers of cells in the tables, and frames.
    """
    rays, frames = ask.rays, ask.frames
    start, stop = block.first**2 - 1, block.end**2 - 1
    if pairs is None and block.end <= frames.whole + 1:
        count = len(frames.way)
        return np.tile(np.arange(start, stop), count), np.arange(count).repeat(stop - start)
    depth, row = rays.cell_depth[start:stop], rays.cell_row[start:stop]
    if pairs is None:
        inside = (row >= frames.first[:, None]) & (row <= frames.last[:, None]) & (depth <= frames.depth[:, None])
    else:
        planes = rays.rows[block.first : block.end + 1, :: 1 << block.level]
        frame, number = np.divmod(pairs, planes.shape[1] - 1)
        inside = np.zeros((len(frames.way), stop - start), np.bool_)
        strips = np.arange(block.first, block.end)[:, None]
        edge = np.maximum(frames.first[frame], -strips), np.minimum(frames.last[frame], strips)
        numbers = strips * (strips + 1) - 1 - start + frame * (stop - start)
        deep = strips <= frames.depth[frame]
        for rows in (planes[:, number], planes[:, number + 1]):
            for plane in (rows[:-1], rows[1:]):
                is_inside = (plane >= edge[0]) & (plane <= edge[1]) & deep
                inside.ravel()[(numbers + plane)[is_inside]] = True
    found = np.flatnonzero(inside)
    frame = np.repeat(np.arange(len(inside)), np.count_nonzero(inside, axis=1))
    return found - frame * (stop - start) + start, frame
