"""Body points of one block: what of them is visible for certain, and which are left undecided.

All that is looked up here lies inside its table; `mode="clip"` only spares NumPy the check, which takes half the time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.geometry.field_of_view.exact_fallback import Open, Undecided
from engine.geometry.field_of_view.fan_rays import CORNER, NOT_LEVEL, NOT_UPRIGHT, STRAIGHT
from engine.geometry.field_of_view.strip_blocks import Block, FanQuery, Flags
from engine.geometry.field_of_view.strips import last, to_points
from engine.geometry.los.arrays import Heights, Indexes

Ways = npt.NDArray[np.integer[Any]]
"""How lines come into the strips of their body points; see rays."""


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
    """How far ahead the square's strip begins ..."""
    border: Heights
    """... and how far aside its row, in eighths."""
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
    ask: FanQuery, block: Block, cell: Indexes, frame: Indexes, square: Indexes
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


def _targets(ask: FanQuery, block: Block, cell: Indexes, frame: Indexes, square: Indexes) -> Targets:
    depth = ask.rays.cell_depth.take(cell, mode="clip")
    bracket = ask.rays.pair.take(cell, axis=1, mode="clip")
    line = (depth - block.first) * block.horizons[0].low.shape[1]
    if block.column is None:
        bracket >>= block.level
        bracket += line + frame * (ask.rays.pairs >> block.level)
    else:
        bracket += frame * ask.rays.pairs
        bracket >>= block.level
        bracket = block.column.take(bracket, mode="clip")
        bracket += line
    border = 8.0 * np.abs(ask.rays.cell_row.take(cell, mode="clip")) - 4
    return Targets(
        cell, frame, square, ask.field.ground.take(square, mode="clip") - ask.eye, 8.0 * depth - 4, border, bracket
    )


def _open(ask: FanQuery, block: Block, targets: Targets) -> Points:
    """The body points on these squares that the lower bound does not hide altogether."""
    count, body = len(targets.cell), ask.target
    deep = ask.rays.deep.take(targets.cell, axis=1, mode="clip")
    crown = (targets.ground + (body.altitude + body.height)) / deep
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
    foot += body.altitude
    foot /= deep
    bracket = targets.bracket.take(flat, mode="clip")
    crown, low = crown.take(flat, mode="clip"), low.take(flat, mode="clip")
    return Points(point, place, ends[1], bracket, deep, foot, crown, low)


def _own_strips(ask: FanQuery, block: Block, targets: Targets, points: Points) -> list[Bracket]:
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
    _foreign(ask, targets, points, brackets, way_in)
    chosen = np.flatnonzero(entry >= NOT_LEVEL)
    foreign = np.where(frames.way[targets.frame[points.place[chosen]]] < 2, NOT_LEVEL, NOT_UPRIGHT)
    _raise(brackets[0], chosen[entry[chosen] & foreign > 0], np.inf, np.inf)
    return brackets


def _raise(bracket: Bracket, chosen: Indexes, sure: Heights | float, most: Heights | float) -> None:
    """Raises some points' bounds to what their own strips make."""
    bracket.low[chosen] = np.maximum(bracket.low.take(chosen, mode="clip"), sure)
    bracket.high[chosen] = np.maximum(bracket.high.take(chosen, mode="clip"), most)
    if bracket.low_most is not bracket.low:
        bracket.low_most[chosen] = np.maximum(bracket.low_most.take(chosen, mode="clip"), most)


def _straight(ask: FanQuery, targets: Targets, points: Points, brackets: list[Bracket], chosen: Indexes) -> None:
    """Own strips that lines enter in the point's own row: an edge there, and own ground that is above the eye."""
    place = points.place.take(chosen, mode="clip")
    near = targets.near.take(place, mode="clip")
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        own = targets.ground.take(place, mode="clip") / near if number == 0 else np.full(len(chosen), -np.inf)
        if most.edges is None:
            if number == 0:
                _raise(brackets[number], chosen, own, own)
            continue
        way, square = ask.frames.way[targets.frame[place]], targets.square[place]
        found = np.maximum(own, sure.edge(way, square) / near)
        _raise(brackets[number], chosen, found, np.maximum(own, most.edge(way, square) / near))


def _foreign(ask: FanQuery, targets: Targets, points: Points, brackets: list[Bracket], way_in: Ways) -> None:
    """Own strips that lines enter in the row before the point's own, or by a corner."""
    chosen = np.flatnonzero(way_in != STRAIGHT)
    if not len(chosen):
        return
    corners = np.flatnonzero(way_in.take(chosen, mode="clip") == CORNER)
    place = points.place.take(chosen, mode="clip")
    line = to_points(
        ask.rays, ask.frames, targets.frame.take(place, mode="clip"), points.point.take(chosen, mode="clip")
    )
    near, square = targets.near.take(place, mode="clip"), targets.square.take(place, mode="clip")
    border = targets.border.take(place, mode="clip")
    border *= line.deep
    own = targets.ground.take(place, mode="clip")
    own *= line.out
    own /= border
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        found = last(sure, line, square, near, border, corners)
        found_most = found if most is sure else last(most, line, square, near, border, corners)
        if number == 0:
            found, found_most = np.maximum(found, own), np.maximum(found_most, own)
        _raise(brackets[number], chosen, found, found_most)


def _shares(
    ask: FanQuery,
    block: Block,
    targets: Targets,
    points: Points,
    brackets: list[Bracket],
    share: Heights,
    free: Flags,
) -> Undecided | None:
    """Puts decided shares and flags of the squares in place; what is left."""
    foot, crown, middles = points.foot, points.crown, points.middles
    eye = targets.ground[points.place[:middles]] + (ask.target.altitude + ask.target.eyes)
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
    place, bracket = points.place.take(chosen, mode="clip"), points.bracket.take(chosen, mode="clip")
    eyes = np.full(len(chosen), np.nan)
    eyes[:count] = eye[chosen[:count]]
    halves = [
        Open(
            low=one.low.take(chosen, mode="clip"),
            low_most=one.low_most.take(chosen, mode="clip"),
            high=one.high.take(chosen, mode="clip"),
            second=horizon.second.take(bracket, mode="clip"),
            steepest=np.zeros(len(chosen)) if horizon.steepest is None else horizon.steepest.take(bracket, mode="clip"),
        )
        for one, horizon in zip(brackets, block.horizons, strict=True)
    ]
    return Undecided(
        point=points.point.take(chosen, mode="clip"),
        frame=targets.frame.take(place, mode="clip"),
        square=targets.square.take(place, mode="clip"),
        foot=foot.take(chosen, mode="clip"),
        crown=crown.take(chosen, mode="clip"),
        eye=eyes,
        halves=tuple(halves),
    )
