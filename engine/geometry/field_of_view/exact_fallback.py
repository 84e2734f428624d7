"""Points that the bounds leave undecided: the few strips that can matter are looked at exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.geometry.field_of_view.strip_blocks import CHUNK, Block, FanQuery, Flags, Horizon
from engine.geometry.field_of_view.strips import FanLines, passed, to_points
from engine.geometry.los.arrays import Heights, Indexes


class Open(NamedTuple):
    """One half's horizon at undecided points: the bounds, their own strips included."""

    low: Heights
    low_most: Heights
    """The lower bound with all that floats in the own strip."""
    high: Heights
    second: Heights
    """The upper bound without the own strip and the steepest ..."""
    steepest: Heights
    """... which is this one; 0 for none or unknown."""


class Undecided(NamedTuple):
    """Body points that are undecided; one entry for each."""

    point: Indexes
    """Place in the tables of body points."""
    frame: Indexes
    square: Indexes
    """Index in the layers."""
    foot: Heights
    crown: Heights
    eye: Heights
    """Slopes of the body's; not a number but for its centre."""
    halves: tuple[Open, ...]


class Decided(NamedTuple):
    """Shares of body points, and whether the line to the eye is free; False for others than centres."""

    square: Indexes
    share: Heights
    is_free: Flags
    is_unsure: Flags
    """Whether something that floats, or a corner below something that hangs, may change the answer."""


def joined(parts: Sequence[Undecided]) -> Undecided:
    """Points of one or more batches as one, in their order; every batch has as many halves."""

    def every(rows: Iterable[Iterable[Any]]) -> list[Any]:
        return [np.concatenate(some) for some in zip(*rows, strict=True)]

    if len(parts) == 1:
        return parts[0]
    halves = tuple(Open(*every(half)) for half in zip(*(part.halves for part in parts), strict=True))
    point, frame, square, foot, crown, eye = every(part[:-1] for part in parts)
    return Undecided(point, frame, square, foot, crown, eye, halves)


def decided(ask: FanQuery, blocks: Sequence[Block], points: Undecided) -> Decided:
    """Decides undecided points exactly, by the few strips that can matter.

    Args:
        ask: the query.
        blocks: every block of strips of the fan, in order.
        points: what its bounds left open.

    Returns:
        One entry for each point, in their order; shares 0 to 1.
    """
    line = to_points(ask.rays, ask.frames, points.frame, points.point)
    horizons = [_exact(ask, blocks, points, line, number) for number in range(len(points.halves))]
    answers = []
    for kind in (0, 1) if ask.most is not ask.sure else (0,):
        bottom, top = np.maximum(horizons[0][kind], points.foot), points.crown
        is_free = horizons[0][kind] <= points.eye
        if len(horizons) > 1:
            top = np.minimum(top, -horizons[1][kind])
            is_free &= horizons[1][kind] <= -points.eye
        answers.append((np.maximum(top - bottom, 0) / (points.crown - points.foot), is_free))
    share, is_free = answers[0]
    return Decided(points.square, share, is_free, (share != answers[-1][0]) | (is_free != answers[-1][1]))


def _exact(
    ask: FanQuery, blocks: Sequence[Block], points: Undecided, line: FanLines, number: int
) -> tuple[Heights, Heights]:
    """The horizons in one half: of what hides for certain, and of what may hide."""
    sure, most, half = ask.sure[number], ask.most[number], points.halves[number]
    exact = half.low.copy()
    exact_most = exact if most is sure else half.low_most.copy()

    def look(which: Indexes, strip: Indexes) -> None:
        lines = line.chosen(which)
        np.maximum.at(exact, which, passed(sure, ask.frames.origin, lines, strip))
        if most is not sure:
            np.maximum.at(exact_most, which, passed(most, ask.frames.origin, lines, strip))

    left = np.flatnonzero((half.steepest > 0) & (half.high > exact))
    if len(left):
        look(left, half.steepest.take(left, mode="clip").astype(np.intp))
    left = np.flatnonzero(half.second > exact)
    if len(left):
        point = points.point.take(left, mode="clip")
        pair = ask.rays.pair.take(point, mode="clip") + points.frame.take(left, mode="clip") * ask.rays.pairs
        behind = Behind(
            pair,
            ask.rays.strip(line.deep.take(left, mode="clip")),
            half.steepest.take(left, mode="clip"),
            exact.take(left, mode="clip"),
        )
        found = [_candidates(block, block.horizons[number], behind) for block in blocks]
        which, strip = (np.concatenate(parts) for parts in zip(*found, strict=True))
        look(left.take(which, mode="clip"), strip)
    return exact, exact_most


class Behind(NamedTuple):
    """Points whose horizon more strips than the steepest may raise."""

    pair: Indexes
    """Of the finest level, numbered through all frames."""
    depth: Indexes
    """The point's own strip."""
    steepest: Heights
    horizon: Heights
    """So far."""


def _candidates(block: Block, horizon: Horizon, points: Behind) -> tuple[Indexes, Indexes]:
    """Strips of a block, but the steepest, that can raise a point's horizon: numbers of points, and strips."""
    chunks, columns = horizon.chunk.shape
    strips = np.minimum(points.depth, block.end) - block.first
    column = points.pair >> block.level
    if block.column is not None:
        column = block.column.take(column, mode="clip")
        strips[column == columns] = 0
    higher = horizon.chunk.take(column, axis=1, mode="clip") > points.horizon
    higher &= np.arange(0, chunks * CHUNK, CHUNK)[:, None] < strips
    point, start = _places(higher)
    start *= CHUNK
    inside = np.arange(CHUNK)[:, None]
    place = start * columns + column.take(point, mode="clip")
    higher = horizon.strip.take(inside * columns + place, mode="clip") > points.horizon.take(point, mode="clip")
    higher &= inside < strips.take(point, mode="clip") - start
    higher &= inside != points.steepest.take(point, mode="clip") - block.first - start
    which, strip = _places(higher)
    strip += start.take(which, mode="clip") + block.first
    return point.take(which, mode="clip"), strip


def _places(table: Flags) -> tuple[Indexes, Indexes]:
    """Columns and lines of what is true, line by line."""
    place = np.flatnonzero(table)
    line = np.arange(len(table)).repeat(np.count_nonzero(table, axis=1))
    place -= line * table.shape[1]
    return place, line
