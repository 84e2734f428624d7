"""Body points of one block: what of them is visible for certain, and which are left undecided."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.field.fan.again import Open, Undecided
from engine.field.fan.blocks import Block, Flags, Question
from engine.field.fan.rays import CORNER, NOT_LEVEL, NOT_UPRIGHT, STRAIGHT
from engine.field.fan.strips import Lines, last, lines
from engine.field.layers import Heights, Indexes

WINDOW = 4
"""Neighbouring pairs that are looked at together when squares are passed over."""


class Targets(NamedTuple):
    """Squares that are looked at, with tables of their body points: as many lines as there are points."""

    cell: Indexes
    """Numbers in the tables of rays."""
    frame: Indexes
    square: Indexes
    """Indexes in the layers."""
    ground: Heights
    """Over the eye."""
    pair: Indexes
    """Of points: the pair of the finest level, numbered through all frames."""
    bracket: Indexes
    """Of points: place in the running tables of the block."""


class Points(NamedTuple):
    """Body points that are not hidden for certain, with what is known of them; one entry for each."""

    flat: Indexes
    """Place in the tables of body points."""
    place: Indexes
    """Number of the square among those looked at."""
    middles: int
    """How many of the points, the first ones, are centres."""
    deep: Heights
    foot: Heights
    crown: Heights
    low: Heights
    """The lower bound of the horizon without the point's own strip."""


class Bracket(NamedTuple):
    """Bounds of one half's horizon at body points, their own strips included."""

    low: Heights
    low_most: Heights
    """The lower bound with all that floats in the own strip."""
    high: Heights


def look(
    ask: Question, block: Block, cell: Indexes, frame: Indexes, square: Indexes
) -> tuple[Heights, Flags, Undecided | None]:
    """What is seen on some squares of a block.

    Args:
        ask: the question.
        block: in whose strips the squares lie.
        cell: numbers in the tables of rays.
        frame: frames.
        square: indexes in the layers.

    Returns:
        The sum of the shares of all decided body points, the flags, and the points that are left.
    """
    share, free = np.zeros(len(cell)), np.zeros(len(cell), np.bool_)
    targets = _targets(ask, block, cell, frame, square)
    points = _open(ask, block, targets)
    if not len(points.flat):
        return share, free, None
    return share, free, _shares(ask, block, targets, points, _own_strips(ask, block, targets, points), share, free)


def possible(ask: Question, block: Block, cell: Indexes, frame: Indexes) -> Indexes:
    """Numbers of the squares that the lower bounds of all pairs near them do not hide altogether.

    For blocks in which every pair is looked at; arguments as for `look`.
    """
    rays, looked = ask.rays, ask.looked
    low = block.horizons[0].low
    lowest = np.minimum(low[:, :-1], low[:, 1:])
    lowest = np.minimum(lowest[:, :-2], lowest[:, 2:])
    pair = rays.first_pair[cell]
    is_narrow = (rays.last_pair[cell] >> block.level) - (pair >> block.level) < WINDOW
    depth = rays.cell_depth[cell]
    square = ask.frames.origin + depth * ask.frames.ahead[frame] + rays.cell_row[cell] * ask.frames.aside[frame]
    column = np.minimum((pair + frame * rays.pairs) >> block.level, lowest.shape[1] - 1)
    crown = ask.field.ground[square] + (looked.altitude + looked.height - ask.eye)
    near = 8.0 * depth
    near += np.where(crown > 0, -3.0, 3.0)
    return np.flatnonzero(~is_narrow | (lowest[depth - block.first, column] < crown / near))


def _targets(ask: Question, block: Block, cell: Indexes, frame: Indexes, square: Indexes) -> Targets:
    pair = np.take(ask.rays.pair, cell, axis=1, mode="clip")
    pair += frame * ask.rays.pairs
    column = pair >> block.level
    bracket = column if block.column is None else block.column[column]
    bracket += (ask.rays.cell_depth[cell] - block.first) * block.horizons[0].low.shape[1]
    return Targets(cell, frame, square, ask.field.ground[square] - ask.eye, pair, bracket)


def _open(ask: Question, block: Block, targets: Targets) -> Points:
    """The body points on these squares that the lower bound does not hide altogether."""
    count, looked = len(targets.cell), ask.looked
    ahead = np.array([ahead for ahead, _ in ask.rays.offsets], np.float64)[:, None]
    deep = 8.0 * ask.rays.cell_depth[targets.cell] + ahead
    crown = (targets.ground + (looked.altitude + looked.height)) / deep
    low = block.horizons[0].low.ravel()[targets.bracket]
    flat = np.flatnonzero(low < crown)
    ends = np.searchsorted(flat, np.arange(len(ahead) + 1) * count)
    place = flat.copy()
    for number in range(1, len(ahead)):
        place[ends[number] : ends[number + 1]] -= number * count
    deep = deep.ravel()[flat]
    foot = targets.ground[place]
    foot += looked.altitude
    foot /= deep
    return Points(flat, place, int(ends[1]), deep, foot, crown.ravel()[flat], low.ravel()[flat])


def _own_strips(ask: Question, block: Block, targets: Targets, points: Points) -> list[Bracket]:
    """The brackets at body points, their own strips included."""
    rays, frames = ask.rays, ask.frames
    entry = np.take(rays.entry, targets.cell, axis=1, mode="clip").ravel()[points.flat]
    bracket = targets.bracket.ravel()[points.flat]
    brackets = []
    for horizon in block.horizons:
        low = points.low if horizon is block.horizons[0] else horizon.low.ravel()[bracket]
        high = horizon.high.ravel()[bracket]
        brackets.append(Bracket(low, low if ask.most is ask.sure else low.copy(), high))
    has_edges = any(half.edges is not None for half in ask.most)
    if has_edges or targets.ground.max() > 0:
        straight = entry & 3 == STRAIGHT
        if not has_edges:
            straight &= points.foot > 0
        _straight(ask, targets, points, brackets, np.flatnonzero(straight))
    chosen = np.flatnonzero(entry & 3)
    if len(chosen):
        place = points.place[chosen]
        line = _lines(ask, targets, points, chosen)
        cell = targets.cell[place]
        strip, out = rays.cell_depth[cell], np.abs(rays.cell_row[cell])
        own = targets.ground[place]
        at_corner = entry[chosen] & 3 == CORNER
        own = np.where(at_corner, own / (8.0 * strip - 4), own * line.out / ((8.0 * out - 4) * line.deep))
        for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
            found = last(sure, frames.origin, line, strip, out, at_corner)
            found_most = found if most is sure else last(most, frames.origin, line, strip, out, at_corner)
            if number == 0:
                found, found_most = np.maximum(found, own), np.maximum(found_most, own)
            _raise(brackets[number], chosen, found, found_most)
    chosen = np.flatnonzero(entry >= NOT_LEVEL)
    foreign = np.where(frames.way[targets.frame[points.place[chosen]]] < 2, NOT_LEVEL, NOT_UPRIGHT)
    _raise(brackets[0], chosen[entry[chosen] & foreign > 0], np.inf, np.inf)
    return brackets


def _raise(bracket: Bracket, chosen: Indexes, sure: Heights | float, most: Heights | float) -> None:
    """Raises some points' bounds to what their own strips make."""
    bracket.low[chosen] = np.maximum(bracket.low[chosen], sure)
    bracket.high[chosen] = np.maximum(bracket.high[chosen], most)
    if bracket.low_most is not bracket.low:
        bracket.low_most[chosen] = np.maximum(bracket.low_most[chosen], most)


def _straight(ask: Question, targets: Targets, points: Points, brackets: list[Bracket], chosen: Indexes) -> None:
    """Own strips that lines enter in the point's own row: an edge there, and own ground that is above the eye."""
    place = points.place[chosen]
    near = 8.0 * ask.rays.cell_depth[targets.cell[place]] - 4
    way = ask.frames.way[targets.frame[place]]
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        own = np.full(len(chosen), -np.inf)
        if number == 0:
            own = targets.ground[place] / near
        elif most.edges is None:
            continue
        found = [
            own if half.edges is None else np.maximum(own, half.edge(way, targets.square[place]) / near)
            for half in (sure, most)
        ]
        _raise(brackets[number], chosen, *found)


def _lines(ask: Question, targets: Targets, points: Points, chosen: Indexes) -> Lines:
    """The lines to some body points."""
    aside = np.array([aside for _, aside in ask.rays.offsets], np.float64)
    place = points.place[chosen]
    across = 8.0 * ask.rays.cell_row[targets.cell[place]]
    across += aside[points.flat[chosen] // len(targets.cell)]
    return lines(ask.frames, targets.frame[place], points.deep[chosen], across)


def _shares(
    ask: Question,
    block: Block,
    targets: Targets,
    points: Points,
    brackets: list[Bracket],
    share: Heights,
    free: Flags,
) -> Undecided | None:
    """Puts decided shares and flags of the squares in place; what is left."""
    foot, crown, middles = points.foot, points.crown, points.middles
    eye = targets.ground[points.place[:middles]] + (ask.looked.altitude + ask.looked.eyes)
    eye /= points.deep[:middles]
    lower, least = np.maximum(brackets[0].low, foot), np.maximum(brackets[0].high, foot)
    upper, highest = crown, crown
    is_free = brackets[0].low[:middles] <= eye
    may_be_shut = brackets[0].high[:middles] > eye
    if len(brackets) > 1:
        upper, highest = np.minimum(crown, -brackets[1].low), np.minimum(crown, -brackets[1].high)
        is_free &= brackets[1].low[:middles] <= -eye
        may_be_shut |= brackets[1].high[:middles] > -eye
    part = np.maximum(upper - lower, 0)
    undecided = part > np.maximum(highest - least, 0)
    undecided[:middles] |= is_free & may_be_shut
    part /= crown - foot
    chosen = np.flatnonzero(undecided)
    count = int(np.searchsorted(chosen, middles))
    part[chosen] = 0
    is_free[chosen[:count]] = False
    share += np.bincount(points.place, part, len(share))
    free[points.place[:middles]] = is_free
    if not len(chosen):
        return None
    flat, place = points.flat[chosen], points.place[chosen]
    eyes = np.full(len(chosen), np.nan)
    eyes[:count] = eye[chosen[:count]]
    bracket = targets.bracket.ravel()[flat]
    halves = [
        Open(
            low=one.low[chosen],
            low_most=one.low_most[chosen],
            high=one.high[chosen],
            second=horizon.second.ravel()[bracket],
            steepest=horizon.steepest.ravel()[bracket].astype(np.intp),
        )
        for one, horizon in zip(brackets, block.horizons, strict=True)
    ]
    return Undecided(
        line=_lines(ask, targets, points, chosen),
        depth=ask.rays.cell_depth[targets.cell[place]],
        pair=targets.pair.ravel()[flat],
        square=targets.square[place],
        foot=foot[chosen],
        crown=crown[chosen],
        eye=eyes,
        halves=tuple(halves),
    )
