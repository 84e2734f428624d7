"""Points that the bounds leave undecided: the few strips that can matter are looked at exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.field.fan.blocks import CHUNK, Block, Flags, Question
from engine.field.fan.strips import Lines, passed
from engine.field.layers import Heights, Indexes


class Open(NamedTuple):
    """One half's horizon at undecided points: the bounds, their own strips included."""

    low: Heights
    low_most: Heights
    """The lower bound with all that floats in the own strip."""
    high: Heights
    second: Heights
    """The upper bound without the own strip and the steepest ..."""
    steepest: Indexes
    """... which is this one; 0 for none."""


class Undecided(NamedTuple):
    """Body points that are undecided; one entry for each."""

    line: Lines
    depth: Indexes
    """The point's own strip."""
    pair: Indexes
    """Of the finest level, numbered through all frames."""
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
    """Points of several batches as one."""

    def every(rows: Iterable[Iterable[Any]]) -> list[Any]:
        return [np.concatenate(some) for some in zip(*rows, strict=True)]

    deep, out, turn = every(part.line[:3] for part in parts)
    depth, pair, square, foot, crown, eye = every(part[1:-1] for part in parts)
    halves = tuple(Open(*every(half)) for half in zip(*(part.halves for part in parts), strict=True))
    return Undecided(Lines(deep, out, turn, parts[0].line.frames), depth, pair, square, foot, crown, eye, halves)


def decided(ask: Question, blocks: Sequence[Block], points: Undecided) -> Decided:
    """Decides undecided points."""
    horizons = [_exact(ask, blocks, points, number) for number in range(len(points.halves))]
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


def _exact(ask: Question, blocks: Sequence[Block], points: Undecided, number: int) -> tuple[Heights, Heights]:
    """The horizons in one half: of what hides for certain, and of what may hide."""
    sure, most, half = ask.sure[number], ask.most[number], points.halves[number]
    exact = half.low.copy()
    exact_most = exact if most is sure else half.low_most.copy()

    def look(which: Indexes, line: Lines, strip: Indexes) -> None:
        found = passed(sure, ask.frames.origin, line, strip)
        np.maximum.at(exact, which, found)
        if most is not sure:
            np.maximum.at(exact_most, which, passed(most, ask.frames.origin, line, strip))

    left = np.flatnonzero((half.steepest > 0) & (half.high > exact))
    look(left, points.line.chosen(left), half.steepest[left])
    left = left[half.second[left] > exact[left]]
    if len(left):
        found = [_candidates(block, number, points, left, exact[left]) for block in blocks]
        which, strip = (np.concatenate(parts) for parts in zip(*found, strict=True))
        look(which, points.line.chosen(which), strip)
    return exact, exact_most


def _candidates(block: Block, number: int, points: Undecided, left: Indexes, exact: Heights) -> tuple[Indexes, Indexes]:
    """Strips of a block, but the steepest, that can raise a point's horizon: numbers of points, and strips."""
    horizon = block.horizons[number]
    behind = points.depth[left] - block.first
    column = points.pair[left] >> block.level
    if block.column is not None:
        column = block.column[column]
        behind[column == horizon.strip.shape[1]] = 0
        column = np.minimum(column, horizon.strip.shape[1] - 1)
    chunks = horizon.chunk.shape[1]
    higher = np.take(horizon.chunk, column, axis=0, mode="clip") > exact[:, None]
    higher &= np.arange(chunks) * CHUNK < behind[:, None]
    point, chunk = np.divmod(np.flatnonzero(higher), chunks)
    strip = np.add.outer(np.arange(CHUNK), chunk * CHUNK)
    inside = np.minimum(strip, block.end - block.first - 1)
    higher = horizon.strip[inside, column[point]] > exact[point]
    higher &= strip < behind[point]
    higher &= strip != (points.halves[number].steepest[left[point]] - block.first)
    flat = np.flatnonzero(higher)
    return left[point[flat % max(len(point), 1)]], strip.ravel()[flat] + block.first
