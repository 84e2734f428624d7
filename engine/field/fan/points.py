"""Body points of one block: what of them is visible for certain, and which are left undecided."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.field.fan.again import Open, Undecided
from engine.field.fan.blocks import Block, Flags, Question
from engine.field.fan.rays import ASIDE, CORNER, NOT_LEVEL, NOT_UPRIGHT, STRAIGHT
from engine.field.fan.strips import aside, corner, to_points
from engine.field.layers import Heights, Indexes

WINDOW = 4
"""Neighbouring pairs that are looked at together when squares are passed over."""


class Targets(NamedTuple):
    """Squares that are looked at; one entry for each but in `bracket`."""

    cell: Indexes
    """Numbers in the tables of rays."""
    frame: Indexes
    square: Indexes
    """Indexes in the layers."""
    ground: Heights
    """Over the eye."""
    near: Heights
    """How far ahead the square's strip begins, in eighths."""
    bracket: Indexes
    """Body points by squares: places in the running tables of the block."""


class Points(NamedTuple):
    """Body points that are not hidden for certain, with what is known of them; one entry for each."""

    point: Indexes
    """Place in the tables of body points."""
    place: Indexes
    """Number of the square among those looked at."""
    middles: int
    """How many of the points, the first ones, are centres."""
    bracket: Indexes
    """Place in the running tables."""
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
    if not len(points.point):
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
    depth = ask.rays.cell_depth.take(cell)
    bracket = ask.rays.pair.take(cell, axis=1, mode="clip")
    line = (depth - block.first) * block.horizons[0].low.shape[1]
    if block.column is None:
        bracket >>= block.level
        bracket += line + frame * (ask.rays.pairs >> block.level)
    else:
        bracket += frame * ask.rays.pairs
        bracket >>= block.level
        bracket = block.column.take(bracket)
        bracket += line
    return Targets(cell, frame, square, ask.field.ground.take(square) - ask.eye, 8.0 * depth - 4, bracket)


def _open(ask: Question, block: Block, targets: Targets) -> Points:
    """The body points on these squares that the lower bound does not hide altogether."""
    count, looked = len(targets.cell), ask.looked
    deep = ask.rays.deep.take(targets.cell, axis=1, mode="clip")
    crown = (targets.ground + (looked.altitude + looked.height)) / deep
    low = block.horizons[0].low.take(targets.bracket, mode="clip")
    flat = np.flatnonzero(low < crown)
    ends = flat.searchsorted(np.arange(len(deep) + 1) * count).tolist()
    place = flat.copy()
    for number in range(1, len(deep)):
        place[ends[number] : ends[number + 1]] -= number * count
    point = targets.cell.take(place, mode="clip")
    for number in range(1, len(deep)):
        point[ends[number] : ends[number + 1]] += number * ask.rays.cells
    deep = deep.take(flat, mode="clip")
    foot = targets.ground.take(place, mode="clip")
    foot += looked.altitude
    foot /= deep
    bracket, crown, low = (table.take(flat, mode="clip") for table in (targets.bracket, crown, low))
    return Points(point, place, ends[1], bracket, deep, foot, crown, low)


def _own_strips(ask: Question, block: Block, targets: Targets, points: Points) -> list[Bracket]:
    """The brackets at body points, their own strips included."""
    frames = ask.frames
    entry = ask.rays.entry.take(points.point, mode="clip")
    brackets = []
    for horizon in block.horizons:
        low = points.low if horizon is block.horizons[0] else horizon.low.take(points.bracket, mode="clip")
        high = horizon.high.take(points.bracket, mode="clip")
        brackets.append(Bracket(low, low if ask.most is ask.sure else low.copy(), high))
    way_in = entry & 3
    has_edges = any(half.edges is not None for half in ask.most)
    if has_edges or targets.ground.max() > 0:
        straight = way_in == STRAIGHT
        if not has_edges:
            straight &= points.foot > 0
        _straight(ask, targets, points, brackets, np.flatnonzero(straight))
    _aside(ask, targets, points, brackets, np.flatnonzero(way_in == ASIDE))
    _corner(ask, targets, points, brackets, np.flatnonzero(way_in == CORNER))
    chosen = np.flatnonzero(entry >= NOT_LEVEL)
    foreign = np.where(frames.way[targets.frame[points.place[chosen]]] < 2, NOT_LEVEL, NOT_UPRIGHT)
    _raise(brackets[0], chosen[entry[chosen] & foreign > 0], np.inf, np.inf)
    return brackets


def _raise(bracket: Bracket, chosen: Indexes, sure: Heights | float, most: Heights | float) -> None:
    """Raises some points' bounds to what their own strips make."""
    bracket.low[chosen] = np.maximum(bracket.low.take(chosen), sure)
    bracket.high[chosen] = np.maximum(bracket.high.take(chosen), most)
    if bracket.low_most is not bracket.low:
        bracket.low_most[chosen] = np.maximum(bracket.low_most.take(chosen), most)


def _straight(ask: Question, targets: Targets, points: Points, brackets: list[Bracket], chosen: Indexes) -> None:
    """Own strips that lines enter in the point's own row: an edge there, and own ground that is above the eye."""
    place = points.place.take(chosen)
    near = targets.near.take(place)
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        own = targets.ground.take(place) / near if number == 0 else np.full(len(chosen), -np.inf)
        if most.edges is None:
            if number == 0:
                _raise(brackets[number], chosen, own, own)
            continue
        way, square = ask.frames.way[targets.frame[place]], targets.square[place]
        found = np.maximum(own, sure.edge(way, square) / near)
        _raise(brackets[number], chosen, found, np.maximum(own, most.edge(way, square) / near))


def _aside(ask: Question, targets: Targets, points: Points, brackets: list[Bracket], chosen: Indexes) -> None:
    """Own strips that lines enter in the row before the point's own."""
    if not len(chosen):
        return
    place = points.place.take(chosen)
    line = to_points(ask.rays, ask.frames, targets.frame.take(place), points.point.take(chosen))
    near, square = targets.near.take(place), targets.square.take(place)
    border = 8.0 * np.abs(ask.rays.cell_row.take(targets.cell)).take(place) - 4
    own = targets.ground.take(place)
    own *= line.out
    own /= border * line.deep
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        found = aside(sure, line, square, near, border)
        found_most = found if most is sure else aside(most, line, square, near, border)
        if number == 0:
            found, found_most = np.maximum(found, own), np.maximum(found_most, own)
        _raise(brackets[number], chosen, found, found_most)


def _corner(ask: Question, targets: Targets, points: Points, brackets: list[Bracket], chosen: Indexes) -> None:
    """Own strips that lines enter by a corner."""
    if not len(chosen):
        return
    place = points.place.take(chosen)
    line = to_points(ask.rays, ask.frames, targets.frame.take(place), points.point.take(chosen))
    near, square = targets.near.take(place), targets.square.take(place)
    own = targets.ground.take(place) / near
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        found = corner(sure, line, square, near)
        found_most = found if most is sure else corner(most, line, square, near)
        if number == 0:
            found, found_most = np.maximum(found, own), np.maximum(found_most, own)
        _raise(brackets[number], chosen, found, found_most)


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
    highest = highest - least
    np.maximum(highest, 0, out=highest)
    undecided = part > highest
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
    place, bracket = points.place.take(chosen), points.bracket.take(chosen)
    eyes = np.full(len(chosen), np.nan)
    eyes[:count] = eye[chosen[:count]]
    halves = [
        Open(
            low=one.low.take(chosen),
            low_most=one.low_most.take(chosen),
            high=one.high.take(chosen),
            second=horizon.second.take(bracket),
            steepest=horizon.steepest.take(bracket).astype(np.intp),
        )
        for one, horizon in zip(brackets, block.horizons, strict=True)
    ]
    return Undecided(
        point=points.point.take(chosen),
        frame=targets.frame.take(place),
        square=targets.square.take(place),
        foot=foot.take(chosen),
        crown=crown.take(chosen),
        eye=eyes,
        halves=tuple(halves),
    )
