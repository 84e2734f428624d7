"""Visible share of a body on every square of a fan, for one question: what blocks sight, or what stops shots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry.field_of_view.blockers import Blockers
from engine.geometry.field_of_view.body_points import look
from engine.geometry.field_of_view.exact_fallback import Undecided, decided, joined
from engine.geometry.field_of_view.fan_rays import FanTables, Frames
from engine.geometry.field_of_view.strip_blocks import (
    Block,
    Carried,
    FanQuery,
    Flags,
    TargetHeights,
    alive,
    block,
    carried,
    cells,
)
from engine.geometry.field_of_view.strips import HalfSpace
from engine.geometry.los.arrays import Heights, Indexes, Layers

FEWEST, MOST = 16, 32
"""Strips in one go: few at first, since most rays on a closed map end soon; then as many as there were before."""

SQUARES = 5_000
"""Squares that are looked at together, so that the tables stay in the processor's cache ..."""

POINTS = 10_000
"""... and undecided body points, about."""

SPARSE = 0.5
"""When fewer than this share of the pairs is alive, only these are looked at."""


class FanAnswer(NamedTuple):
    """The answer, padded and flat as layers are; `unsure` are the squares that a single trace has to decide."""

    share: Heights
    clear: Flags
    unsure: set[int]


def seen(
    field: Layers, stops: Blockers, frames: Frames, rays: FanTables, eye: float, target: TargetHeights
) -> FanAnswer:
    """What is seen of a body on each square, past everything that `stops`.

    Args:
        field: layers of the battlefield.
        stops: which things count.
        frames: round the observer.
        rays: at least as deep as the frames.
        eye: height of the observer's eye.
        target: heights of the target body.
    """
    answer = FanAnswer(np.zeros(len(field.ground)), np.zeros(len(field.ground), np.bool_), set())
    if not len(frames.way):
        answer.share[frames.origin], answer.clear[frames.origin] = 1, True
        return answer
    ask = _question(field, stops, frames, rays, eye, target)
    blocks: list[Block] = []
    first, deepest = 1, int(frames.depth.max())
    end = min(1 + FEWEST, deepest + 1)
    level = rays.level(end)
    size = len(frames.way) * (rays.pairs >> level)
    none = np.full(size, -np.inf), np.zeros(size)
    floors = ((field.ground[frames.origin] - eye) / 4, -np.inf)[: len(ask.sure)]
    before = [Carried(np.full(size, floor), np.full(size, floor), *none) for floor in floors]
    pairs: Indexes | None = None
    waiting: list[Undecided] = []
    while True:
        blocks.append(block(ask, first, end, level, pairs, before))
        _look(ask, blocks, pairs, answer, waiting)
        left = alive(ask, blocks[-1], pairs)
        if end > deepest or not len(left):
            break
        first, end = end, min(end + min(max(FEWEST, end - 1), MOST), deepest + 1)
        finer = level - rays.level(end)
        level -= finer
        if pairs is not None or len(left) < SPARSE * size:
            pairs = left if pairs is None else pairs[left]
            pairs = np.add.outer(pairs << finer, np.arange(1 << finer)).ravel()
        else:
            left = np.arange(size)
        size <<= finer
        before = carried(blocks[-1], left, 1 << finer)
    _decide(ask, blocks, waiting, answer)
    np.divide(answer.share, len(rays.offsets), out=answer.share)
    answer.share[frames.origin], answer.clear[frames.origin] = 1, True
    return answer


def _question(
    field: Layers, stops: Blockers, frames: Frames, rays: FanTables, eye: float, target: TargetHeights
) -> FanQuery:
    extent = field.width, len(field.ground)
    sure: tuple[HalfSpace, ...] = (HalfSpace(eye, stops.tops, stops.standing, *extent),)
    most = sure
    if stops.floats or stops.hanging is not None:
        most = (HalfSpace(eye, stops.reaching_tops, stops.reaching, *extent, stops.hanging),)
    if stops.hanging is not None:
        above = HalfSpace(-eye, None, stops.hanging, *extent)
        sure, most = (*sure, above), (*most, above)
    return FanQuery(field, frames, rays, eye, target, sure, most)


def _look(
    ask: FanQuery, blocks: list[Block], pairs: Indexes | None, answer: FanAnswer, waiting: list[Undecided]
) -> None:
    """What is seen on the squares of the last block's strips; what is undecided waits until there is enough of it."""
    frames, rays = ask.frames, ask.rays
    every_cell, every_frame = cells(ask, blocks[-1], pairs)
    for start in range(0, len(every_cell), SQUARES):
        cell, frame = every_cell[start : start + SQUARES], every_frame[start : start + SQUARES]
        square = rays.cell_depth.take(cell, mode="clip")
        square *= frames.ahead.take(frame, mode="clip")
        square += rays.cell_row.take(cell, mode="clip") * frames.aside.take(frame, mode="clip")
        square += frames.origin
        share, free, undecided = look(ask, blocks[-1], cell, frame, square)
        split = int(np.searchsorted(frame, int(np.searchsorted(frames.way, 2))))
        for part in (slice(None, split), slice(split, None)):  # squares on a diagonal belong to two frames
            answer.share[square[part]] += share[part]
            answer.clear[square[part]] |= free[part]
        if undecided is not None:
            waiting.append(undecided)
        if sum(len(one.square) for one in waiting) > POINTS:
            _decide(ask, blocks, waiting, answer)


def _decide(ask: FanQuery, blocks: list[Block], waiting: list[Undecided], answer: FanAnswer) -> None:
    """Decides what waits."""
    if not waiting:
        return
    found = decided(ask, blocks, joined(waiting))
    waiting.clear()
    np.add.at(answer.share, found.square, found.share)
    answer.clear[found.square[found.is_free]] = True
    if ask.most is not ask.sure:
        answer.unsure.update(found.square[found.is_unsure].tolist())
