"""Which strips between two bodies could hide anything: a quick look at the widest corridor that the lines may take.

The five lines either way between two bodies stay close to the line between their middles. So one glance for each strip,
at heights spread or shrunk over the squares to its sides, says that nothing there reaches up to any of the lines, or
that something hides the whole target. What is left is for `horizons` to decide exactly. Nothing here is an answer of
its own: every bound errs on the side of looking closer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

import numpy as np

from engine.field.layers import Heights, Indexes
from engine.field.obstructions import Obstructions
from engine.field.rays import Flags, Rays

REACH = 3
"""Eighths of a footprint's side from its middle to the outermost points that are looked at, along either axis."""

MARGIN = 1e-3
"""Hundredths of a hundredth: far above what rounding moves a bound."""

BLOCK = 16_384
"""Strips looked at in one go: what fits the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Suspects:
    """The strips of some pairs that could matter, and the pairs that need no closer look: all by their numbers."""

    pair: Indexes
    """In groups of the same pair, in order along the line."""
    strip: Indexes
    """Of the line between the middles; negative before the first."""
    top: Heights
    """Nothing in the strip is higher."""
    there: Flags
    """Whether it could matter to the lines from the first body to the second,"""
    back: Flags
    """or the other way."""
    hidden_there: Indexes
    """Pairs of whose second body nothing is seen, and nothing is hit."""
    hidden_back: Indexes


def radius(lines: Rays) -> Indexes:
    """How many squares to either side of the line between the middles the others may pass, 1 to 4; but for slanted
    lines whose longer axis differs from theirs, which the answer does not hold for (see `is_one_way`)."""
    lean = lines.lean / np.maximum(lines.length, 1)
    side = np.maximum(lines.home, lines.away)
    wide: Indexes = (lean / 2 + REACH / 8 * side * (1 + lean)).astype(np.intp) + 1
    return wide


def has_corridor(lines: Rays) -> Flags:
    """Whether all lines between two bodies have the same longer axis as the one between their middles."""
    found: Flags = lines.length - lines.lean > 2 * REACH * np.maximum(lines.home, lines.away)
    return found


def suspects(stops: Obstructions, lines: Rays, returns: Rays | None) -> Iterator[Suspects]:
    """Looks at every pair of bodies and yields what is left to decide; pairs that never come up see all.

    Args:
        stops: what may hide anything.
        lines: from the middle of the first body of each pair to the middle of its second; all with a corridor.
        returns: the same lines the other way, or None when nobody asks for that.
    """
    wide = radius(lines)
    is_steep = np.abs(lines.along) != 1
    reach = REACH * lines.away
    first = np.zeros(len(lines), np.intp)
    if returns is not None:
        first = (lines.offset - REACH * lines.home).astype(np.intp) >> 3
    count = ((lines.offset + lines.length + reach - 1).astype(np.intp) >> 3) - first + 1
    group = 8 * is_steep + wide
    order = np.lexsort((count, group))
    ends = np.append(np.flatnonzero(np.diff(group[order])) + 1, len(order))
    start = 0
    bounds = _Bounds(lines, returns, first)
    for end in ends.tolist():
        steep, broad = divmod(int(group[order[start]]), 8) if end else (0, 1)
        high, low = spread(stops, broad, bool(steep))
        while start < end:
            stop = start + 1 + int(np.searchsorted(_area(count[order[start:end]]), BLOCK, "right"))
            stop = min(stop, end)
            yield bounds.look(order[start:stop], count, high, low)
            start = stop


def _area(count: Indexes) -> Indexes:
    """Size of a block that ends with each of some pairs, the next but one included; never sinks."""
    area: Indexes = count * np.arange(1, len(count) + 1)
    return area[1:]


class _Bounds:
    """What the lines of each pair stay above and below, as straight lines over the numbers of strips."""

    def __init__(self, lines: Rays, returns: Rays | None, first: Indexes) -> None:
        self.lines, self.first = lines, first
        offset, length = lines.offset, lines.length
        slope = lines.lean / length / 8
        self.slope = 8 * slope
        self.lift = lines.aloft / 8 + slope * (8 * first + 4 - offset) + 8
        self.base = lines.first - 8 * lines.aside + first * lines.along
        self.there = self._lines(lines, REACH * lines.away, 8 * first - offset, 8.0)
        self.back = None
        if returns is not None:
            self.back = self._lines(returns, REACH * lines.home, length + offset - 8 - 8 * first, -8.0)
        self.inner = (lines.home + 1) // 2
        self.outer = lines.away_strip

    def _lines(self, lines: Rays, reach: Indexes, near: Heights, step: float) -> tuple[Heights, ...]:
        """Start and slope of the lowest height at which a line to the feet passes a strip, and of the highest at which
        it must be stopped for all to be.

        Args:
            lines: seen from the observer.
            reach: how far from the middle its targets may lie.
            near: from the observer to the nearer end of the first strip.
            step: to the next one.
        """
        found = []
        for height, margin, short, long in (
            (lines.feet, -MARGIN, lines.length - reach, lines.length + reach),
            (lines.crown, MARGIN, lines.length + reach, lines.length - reach),
        ):
            sinks = height < 0
            slope = height / np.where(sinks, short, long)
            further = np.where(sinks == (margin < 0), 8, 0)
            found += [lines.eye + slope * (near + further) + margin, slope * step]
        return tuple(found)

    def look(self, pairs: Indexes, count: Indexes, high: Heights, low: Heights) -> Suspects:
        """The suspects among some pairs of one corridor's width."""
        lines = self.lines
        wide = int(count[pairs[-1]])
        strips = np.arange(wide)
        row = self.slope[pairs, None] * strips
        row += self.lift[pairs, None]
        square = row.astype(np.intp)
        square *= lines.aside[pairs, None]
        square += lines.along[pairs, None] * strips
        square += self.base[pairs, None]
        tops = high.take(square, mode="clip")
        feet = self.there[1][pairs, None] * strips
        feet += self.there[0][pairs, None]
        if self.back is not None:
            other = self.back[1][pairs, None] * strips
            other += self.back[0][pairs, None]
            np.minimum(feet, other, out=feet)
        entry = np.flatnonzero(tops > feet)
        which = entry // wide
        strip = entry - which * wide
        kept = np.flatnonzero(strip < count[pairs[which]])
        entry, which, strip = entry[kept], pairs[which[kept]], strip[kept]
        top, bottom = tops.ravel()[entry], low[square.ravel()[entry]]
        number = strip + self.first[which]
        between = (number >= self.inner[which]) & (number < self.outer[which])
        ways = []
        for way in (self.there, self.back):
            if way is None:
                ways.append((np.zeros(len(which), bool), which[:0]))
                continue
            open_from, rise, shut_from, shut_rise = way
            matters = top > open_from[which] + rise[which] * strip
            shut = between & (bottom > shut_from[which] + shut_rise[which] * strip)
            ways.append((matters, which[shut]))
        (there, hidden_there), (back, hidden_back) = ways
        return Suspects(which, number, top, there, back, hidden_there, hidden_back)


def spread(stops: Obstructions, broad: int, steep: bool) -> tuple[Heights, Heights]:
    """For every square: nothing within some squares to its sides is higher than the first; a line that passes any of
    these is stopped up to the second. The sides are north and south, or west and east where lines are steep."""
    if (broad, steep) not in stops.spreads:
        step = 1 if steep else stops.layers.width
        stops.spreads[broad, steep] = (
            _spread(_highest(stops), step, broad, np.maximum),
            _spread(_lowest(stops, steep), step, broad, np.minimum),
        )
    return stops.spreads[broad, steep]


def _spread(values: Heights, step: int, broad: int, choose: np.ufunc) -> Heights:
    found = values.copy()
    for shift in range(step, step * broad + 1, step):
        choose(found[shift:], values[:-shift], out=found[shift:])
        choose(found[:-shift], values[shift:], out=found[:-shift])
    return found


def _highest(stops: Obstructions) -> Heights:
    """The highest of anything on each square or its four edges, for any question."""
    width = stops.layers.width
    found = reduce(np.maximum, (question.tops for question in stops.questions))
    for question in stops.questions:
        for _, tops in question.bodies:
            found = np.maximum(found, tops)
        edges = [tops for _, tops in question.gaps]
        if question.standing is not None:
            edges.append(question.standing)
        if edges:
            east, west, south, north = reduce(np.maximum, edges).reshape(4, -1)
            upright, level = np.maximum(east, west), np.maximum(south, north)
            found = np.maximum(found, np.maximum(upright, level))
            found[:-1] = np.maximum(found[:-1], upright[1:])
            found[:-width] = np.maximum(found[:-width], level[width:])
    return found


def _lowest(stops: Obstructions, steep: bool) -> Heights:
    """What each square, or the edge on its west side (north where lines are steep), stops whatever the question."""
    layers = stops.layers
    found = np.full(len(layers.ground), np.inf)
    for question in stops.questions:
        tops = question.tops
        if question.standing is not None:
            ways = question.standing.reshape(4, -1)[2 * steep : 2 * steep + 2]
            tops = np.maximum(tops, ways.min(axis=0))
        found = np.minimum(found, tops)
    inside = np.full((layers.rows + 2, layers.width), np.inf)
    inside[1:-1, 1:-1] = layers.inner(found)
    return inside.ravel()
