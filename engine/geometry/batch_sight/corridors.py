"""The hull test: what could hide anything between two bodies, by a look at the widest corridor of all their lines.

All lines from the points of one body to the points of another stay close to the line between their middles. So one
glance for each strip, at heights spread or shrunk over the squares to its sides, says that nothing there reaches up to
any of the lines, or that something hides the whole target from every eye. Nothing here is an answer of its own: every
bound errs on the side of looking closer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry.batch_sight.hidden import Pairs
from engine.geometry.batch_sight.layers import Flags, Heights, Indexes, Layers, Numbers
from engine.geometry.batch_sight.line_batch import Bodies

REACH = 3
"""Eighths of a footprint's side from its middle to its outermost points, along either axis."""

SLACK = 0.01
"""Eighths of a square: far above what rounding moves a line, and enough to see both sides of one on a grid line."""

MARGIN = 1e-3
"""Hundredths of a hundredth: far above what rounding moves a bound."""

STRIPS = 16
"""Strips of a pair looked at in one go: on a closed map few pairs need a second."""

BLOCK = 2_048
"""Pairs looked at in one go: what fits the processor's cache."""


class Suspects(NamedTuple):
    """The strips of pairs that could matter: one entry for each in the first three arrays, pairs in order."""

    pair: Indexes
    place: Indexes
    """Column of the map, or row for the lines that run from row to row."""
    steep: Flags
    """Whether it is a row."""
    is_shut: Flags
    """For each pair: whether the target is hidden from every eye, to sight and to shots,"""
    is_walled: Flags
    """and whether a wall does that, so that nothing passes back, either."""


class _Spread(NamedTuple):
    """Bounds over some squares side by side, at the index of the first."""

    high: Heights
    low: Heights
    gate: Heights
    """Of edges; where there are none the same as `low`."""


def suspects(layers: Layers, pairs: Pairs, low: Heights, high: Heights) -> Suspects:
    """Looks along the corridors of pairs. Pairs without an entry that are not shut are seen whole.

    Where some lines may run from column to column and others from row to row, it looks both ways. Of bodies so near to
    each other that there is no corridor every strip could matter.

    Args:
        layers: of the battlefield.
        pairs: observers and targets.
        low, high: of each target: what hides no more than up to `low` does not matter, what hides more than `high` in
            the way of every line hides all.
    """
    found: list[tuple[Indexes, Indexes, Flags]] = []
    sure: Heights = np.full(len(pairs), -np.inf)
    across, down = (np.abs(extent) for extent in _between(pairs.one, pairs.other))
    spread = 2 * REACH * (pairs.one.size + pairs.other.size)
    near = np.maximum(across, down) <= 2 * spread
    for is_steep, is_longer in ((False, across - down >= -spread), (True, down - across >= -spread)):
        which = np.flatnonzero(is_longer & ~near)
        for start in range(0, len(which), BLOCK):
            _look(layers, is_steep, pairs, which[start : start + BLOCK], low, high, found, sure)
        found.append(_every_strip(pairs, np.flatnonzero(near), steep=is_steep))
    pair, place, steep = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    is_shut = sure > high
    order = np.argsort(pair, kind="stable")
    order = order[~is_shut[pair[order]]]
    return Suspects(pair[order], place[order], steep[order], is_shut, sure == np.inf)


def _every_strip(pairs: Pairs, which: Indexes, *, steep: bool) -> tuple[Indexes, Indexes, Flags]:
    """All strips between the far ends of the footprints of some pairs."""
    one, other = pairs.one.chosen(which), pairs.other.chosen(which)
    start, end = (one.row, other.row) if steep else (one.column, other.column)
    first = np.minimum(start, end)
    count = np.maximum(start + one.size, end + other.size) - first
    pair = np.repeat(which, count)
    place = np.arange(len(pair)) + np.repeat(first - np.cumsum(count) + count, count)
    return pair, place, np.full(len(pair), steep)


def _between(one: Bodies, other: Bodies) -> tuple[Indexes, Indexes]:
    return (
        8 * (other.column - one.column) + 4 * (other.size - one.size),
        8 * (other.row - one.row) + 4 * (other.size - one.size),
    )


def _look(
    layers: Layers,
    steep: bool,
    pairs: Pairs,
    which: Indexes,
    low: Heights,
    high: Heights,
    found: list[tuple[Indexes, Indexes, Flags]],
    every_sure: Heights,
) -> None:
    """Looks along the corridors of some pairs, a few strips at a time; appends the suspects, and puts down how far up
    each target is hidden for sure."""
    one, other = pairs.one, pairs.other

    def middles(of: Bodies) -> tuple[Numbers, Numbers]:
        half = 4 * of.size[which]
        across, down = 8 * of.column[which] + half, 8 * of.row[which] + half
        return (down, across) if steep else (across, down)

    (start, aloft), (end, end_aloft) = middles(one), middles(other)
    size, other_size = one.size[which], other.size[which]
    own, its = REACH * size, REACH * other_size
    length = np.abs(end - start)
    sign = np.where(end > start, 1, -1)
    slope = (end_aloft - aloft) / (end - start)
    half = np.maximum(own, its)
    half = np.abs(slope) * (4 + half) + half + SLACK
    breadth = (int(half.max() / 4) + 3) // 2
    spread = _spread(layers, steep, breadth)
    first = np.where(sign > 0, (start - own) // 8, -((-start - own) // 8) - 1)
    last = np.where(sign > 0, -((-end - its) // 8) - 1, (end - its) // 8)
    count = np.abs(last - first) + 1
    eye, most = one.eyes[which], layers.columns if steep else layers.rows
    step, aside = (layers.width, 1) if steep else (1, layers.width)
    floor, roof, highest = low[which], high[which], pairs.highest[which]
    has_edges = any(question.edges for question in layers.questions)
    sure: Numbers = np.full(len(which), -np.inf)
    taken: list[tuple[Indexes, Indexes, Numbers]] = []
    limit = np.minimum(floor - eye, 0)  # what ends below the eye hides no more than up to its own height
    near = length - its + own, length + its - own
    enter = np.where(sign > 0, 8 * first - start, start - 8 * first - 8)
    base, onward = (first + 1) * step + aside, sign * step
    low_side, lean, wide = (aloft + slope * (8 * first + 4 - start) - half) / 8, slope * sign, half / 4
    alive = np.arange(len(which))
    for begin in range(0, int(count.max(initial=0)), STRIPS):
        alive = alive[(count[alive] > begin) & (sure[alive] <= roof[alive])]
        if not len(alive):
            break

        def of(values: Numbers, alive: Indexes = alive) -> Numbers:
            """One column, for all strips."""
            column: Numbers = values[alive][:, None]
            return column

        offset = begin + np.arange(STRIPS)
        enters = of(enter) + 8 * offset
        lowest = of(low_side) + of(lean) * offset
        second = np.maximum(np.floor(lowest + of(wide)) - (breadth - 1), np.floor(lowest, out=lowest))
        inside = offset < of(count)
        along = of(base) + of(onward) * offset
        index, index_too = (np.clip(row, -1, most).astype(np.intp) * aside + along for row in (lowest, second))
        index *= inside
        index_too *= inside
        rise = np.maximum(spread.high.take(index), spread.high.take(index_too))
        rise -= of(eye)
        before = enters - of(own)
        beyond = before + 8 + 2 * of(own)
        with np.errstate(divide="ignore", invalid="ignore"):
            above = np.where(before > 0, rise * (of(near[1]) / before), np.inf)
            below = rise * np.maximum(of(near[0]) / beyond, 1)
            hides = np.where(rise > 0, above, below) + of(eye) + MARGIN
            may_hide = inside & (hides > of(floor)) & (rise > of(limit)) & (hides >= of(sure))
            row, number = np.nonzero(may_hide)
            if not len(row):
                continue
            taken.append(
                (alive[row], (first + sign * begin)[alive[row]] + sign[alive[row]] * number, hides[row, number])
            )
            hit = np.flatnonzero(may_hide.any(axis=1))
            some, enters, inside = alive[hit], enters[hit], inside[hit]
            end = of(length, some) - 4 * of(other_size, some) - 8
            is_between = inside & (enters >= 4 * of(size, some) + 8) & (enters + 8 <= end)
            places = index[hit], index_too[hit]
            for bounds, far in ((spread.low, 8), (spread.gate, 0))[: 2 if has_edges else 1]:
                if not far:
                    places = (
                        places[0] + step * (of(sign, some) < 0) * inside,
                        places[1] + step * (of(sign, some) < 0) * inside,
                    )
                least = np.minimum(bounds[places[0]], bounds[places[1]])
                is_wall = least > of(highest, some)
                least -= of(eye, some)
                up = least * (of(near[0], some) / (enters + of(own, some)))
                level = least * (of(near[1], some) / np.maximum(enters + far - of(own, some), 1))
                surely = np.where(is_wall, np.inf, np.where(least > 0, up, level) + of(eye, some) - MARGIN)
                sure[some] = np.maximum(sure[some], np.where(is_between, surely, -np.inf).max(axis=1))
    every_sure[which] = np.maximum(every_sure[which], sure)
    for pair, place, hides in taken:
        left = np.flatnonzero((hides >= sure[pair]) & (sure[pair] <= roof[pair]))
        pair = pair[left]
        found.append((which[pair], place[left], np.full(len(left), steep)))


def _spread(layers: Layers, steep: bool, breadth: int) -> _Spread:
    """Bounds over so many squares side by side."""
    known: _Spread | None = layers.spreads.get((steep, breadth))
    if known is None:
        known = layers.spreads[steep, breadth] = _made(layers, steep, breadth)
    return known


def _made(layers: Layers, steep: bool, breadth: int) -> _Spread:
    aside, questions = (1 if steep else layers.width), layers.questions
    outside = np.ones((layers.rows + 2, layers.width), bool)
    outside[1:-1, 1:-1] = False
    low = np.minimum.reduce([question.highest[1] for question in questions])
    low = np.where(outside.ravel(), np.inf, low)
    bounds = [layers.highest, low]
    if any(question.edges for question in questions):
        gate = np.minimum.reduce([question.gates[1 if steep else 0] for question in questions])
        bounds.append(np.where(outside.ravel(), np.inf, gate))
    for number, bound in enumerate(bounds):
        widest = np.minimum if number else np.maximum
        found = bound.copy()
        for shift in range(aside, breadth * aside, aside):
            found[:-shift] = widest(found[:-shift], bound[shift:])
        bounds[number] = found
    return _Spread(bounds[0], bounds[1], bounds[-1])
