"""Which strips between two bodies could hide anything: a quick look at the widest corridor that the lines may take.

The five lines either way between two bodies stay close to the line between their middles. So one glance for each strip,
at heights spread or shrunk over the squares to its sides, says that nothing there reaches up to any of the lines, or
that something hides the whole target. What is left is for `horizons` to decide exactly. Nothing here is an answer of
its own: every bound errs on the side of looking closer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.geometry.batch_sight.batch_lines import Flags, RayBatch
from engine.geometry.batch_sight.obstructions import Obstructions
from engine.geometry.battlefield import SKY
from engine.geometry.los.arrays import Heights, Indexes

Rough = npt.NDArray[np.float32]

REACH = 3
"""Eighths of a footprint's side from its middle to the outermost points that are looked at, along either axis."""

SLACK = 0.01
"""Squares: far above what single precision moves a line."""

MARGIN = 1e-3
"""Hundredths of a hundredth: far above what rounding moves a bound."""

ROUGH = 1e-6
"""Single precision errs by less than this share."""

FEW = 1000
"""Pairs below this number are looked at with one width: fewer goes cost less than narrower corridors save."""

BLOCK = 16_384
"""Strips looked at in one go: what fits the processor's cache."""


class Suspects(Struct, frozen=True, eq=False):
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


def radius(lines: RayBatch) -> Indexes:
    """How far from the line between the middles the other lines between two bodies may pass.

    It does not hold for slanted lines whose longer axis differs from theirs (see `has_corridor`).

    Args:
        lines: from middle to middle, one for each pair.

    Returns:
        Squares to either side, 1 to 4, for each line.
    """
    lean = lines.lean / np.maximum(lines.length, 1)
    side = np.maximum(lines.home, lines.away)
    wide: Indexes = (lean / 2 + REACH / 8 * side * (1 + lean) + SLACK).astype(np.intp) + 1
    return wide


def has_corridor(lines: RayBatch) -> Flags:
    """Whether all lines between two bodies have the same longer axis as the one between their middles.

    Args:
        lines: from middle to middle, one for each pair.

    Returns:
        One flag for each line.
    """
    found: Flags = lines.length - lines.lean > 2 * REACH * np.maximum(lines.home, lines.away)
    return found


def suspects(stops: Obstructions, lines: RayBatch, returns: RayBatch | None) -> Iterator[Suspects]:
    """Looks at every pair of bodies and yields what is left to decide; pairs that never come up see all.

    Args:
        stops: what may hide anything.
        lines: from the middle of the first body of each pair to the middle of its second; all with a corridor.
        returns: the same lines the other way, or None when nobody asks for that.
    """
    wide = radius(lines)
    if len(lines) < FEW:
        wide[:] = wide.max(initial=0)
    is_steep = np.abs(lines.along) != 1
    reach = REACH * lines.away
    first = np.zeros(len(lines), np.intp)
    if returns is not None:
        first = (lines.offset - REACH * lines.home).astype(np.intp) >> 3
    count = ((lines.offset + lines.length + reach - 1).astype(np.intp) >> 3) - first + 1
    group = 64 * is_steep + wide
    order = np.lexsort((count, group))
    ends = np.append(np.flatnonzero(np.diff(group[order])) + 1, len(order))
    start = 0
    bounds = _Bounds(lines, returns, first, count)
    for end in ends.tolist():
        steep, broad = divmod(int(group[order[start]]), 64)
        heights = spread(stops, broad, bool(steep))
        while start < end:
            stop = start + 1 + int(np.searchsorted(_area(count[order[start:end]]), BLOCK, "right"))
            stop = min(stop, end)
            yield bounds.look(order[start:stop], heights)
            start = stop


def _area(count: Indexes) -> Indexes:
    """Size of a block that ends with each of some pairs, the next but one included; never sinks."""
    area: Indexes = count * np.arange(1, len(count) + 1)
    return area[1:]


class _Way(NamedTuple):
    """Bounds of the lines one way, as straight lines over the numbers of strips from the first that is looked at: one
    row for each pair, in single precision, with room for what that errs."""

    floor: Rough
    """No line is anywhere lower."""
    low: Rough
    low_rise: Rough
    """No line in a strip is lower than this start and rise say."""
    high: Rough
    high_rise: Rough
    """What is solid in a strip up to this height hides the whole target."""


class _Bounds:
    """Where the lines of each pair run, one row for each."""

    def __init__(self, lines: RayBatch, returns: RayBatch | None, first: Indexes, count: Indexes) -> None:
        self.first, self.count = first, count
        offset, length = lines.offset, lines.length
        slope = lines.lean / length / 8
        self.slope = _column(8 * slope)
        self.lift = _column(lines.aloft / 8 + slope * (8 * first + 4 - offset) + 8)
        self.aside, self.along = _column(lines.aside), _column(lines.along)
        self.base = _column(lines.first - 8 * lines.aside + first * lines.along)
        self.ways = [_bounds(lines, REACH * lines.away, 8 * first - offset, 8.0, count)]
        if returns is not None:
            near = length + offset - 8 - 8 * first
            self.ways.append(_bounds(returns, REACH * lines.home, near, -8.0, count))
        self.inner = _column((lines.home + 1) // 2 - first)
        self.outer = _column(lines.away_strip - first)
        self.counts = _column(count)

    def look(self, pairs: Indexes, heights: HeightSpread) -> Suspects:
        """The suspects among some pairs of one corridor's width."""
        wide = int(self.count[pairs].max())
        strips = np.arange(wide, dtype=np.float32)
        places = self.slope[pairs] * strips
        places += self.lift[pairs]
        np.floor(places, out=places)
        places *= self.aside[pairs]
        places += self.base[pairs]
        places += self.along[pairs] * strips
        squares = places.astype(np.intp)
        tops = heights.rough.take(squares, mode="clip")
        inside = strips < self.counts[pairs]
        matter, floors = [], []
        for way in self.ways:
            lowest = way.low_rise[pairs] * strips
            lowest += way.low[pairs]
            floors.append(way.floor[pairs])
            np.maximum(lowest, floors[-1], out=lowest)
            matter.append(inside & (tops > lowest))
        shut = [pairs[:0] for _ in self.ways]
        if heights.peak > min(floor.min() for floor in floors):
            bottoms = heights.rough_low.take(squares, mode="clip")
            between = (strips >= self.inner[pairs]) & (strips < self.outer[pairs])
            for number, way in enumerate(self.ways):
                highest = way.high_rise[pairs] * strips
                highest += way.high[pairs]
                is_shut = (between & (bottoms > highest)).any(axis=1)
                matter[number][is_shut] = False
                shut[number] = pairs[is_shut]
        entry = np.flatnonzero(reduce(np.logical_or, matter))
        which = entry // wide
        strip = entry - which * wide
        which = pairs[which]
        there, *back = (mask.ravel()[entry] for mask in matter)
        return Suspects(
            pair=which,
            strip=strip + self.first[which],
            top=heights.high[squares.ravel()[entry]],
            there=there,
            back=back[0] if back else np.zeros(len(which), bool),
            hidden_there=shut[0],
            hidden_back=shut[1] if back else pairs[:0],
        )


def _column(values: npt.NDArray[Any]) -> Rough:
    """One row for each pair, in single precision."""
    return values.astype(np.float32)[:, None]


class HeightSpread(NamedTuple):
    """Heights of every square with those to its sides."""

    high: Heights
    """Nothing there is higher."""
    rough: Rough
    """`high` in single precision, never lower."""
    rough_low: Rough
    """A line that passes any of these squares is stopped up to here, and perhaps higher."""
    peak: float
    """The highest of these."""


def _bounds(lines: RayBatch, reach: Indexes, near: Heights, step: float, count: Indexes) -> _Way:
    """Bounds of the lines one way.

    Args:
        lines: from the observers to the middles of the targets.
        reach: how far from the middle other points may lie.
        near: from the observer to the nearer end of the first strip; `step` further to that of the next one.
        count: strips of each pair.
    """
    short, long = lines.length - reach, lines.length + reach
    sinks = lines.feet < 0
    slope = lines.feet / np.where(sinks, short, long)
    low = lines.eye + slope * (near + 8 * sinks)
    low -= MARGIN + ROUGH * (np.abs(low) + 8 * count * np.abs(slope))
    sinks = lines.crown < 0
    steepest = lines.crown / np.where(sinks, long, short)
    high = lines.eye + steepest * (near + 8 * ~sinks)
    high += MARGIN + ROUGH * (np.abs(high) + 8 * count * np.abs(steepest))
    floor = lines.eye + np.minimum(lines.feet, 0)
    floor -= ROUGH * np.abs(floor)
    return _Way(_column(floor), _column(low), _column(slope * step), _column(high), _column(steepest * step))


def spread(stops: Obstructions, broad: int, steep: bool) -> HeightSpread:
    """Heights of squares with those of squares to the sides, made once for each width and axis.

    Args:
        stops: what may hide anything; its `spreads` keep the answer.
        broad: squares to each side.
        steep: whether lines run north or south, so that the sides are west and east; else they are north and south.

    Returns:
        Flat padded layers as in `arrays.Layers`, in hundredths above the map's zero, SKY at most.
    """
    if (broad, steep) not in stops.spreads:
        step = 1 if steep else stops.layers.width
        high = np.minimum(_spread(_highest(stops), step, broad, np.maximum), SKY)
        low = np.minimum(_spread(_lowest(stops, steep), step, broad, np.minimum), SKY)
        rough, rough_low = high.astype(np.float32), low.astype(np.float32)
        np.nextafter(rough, np.float32(np.inf), out=rough, where=rough < high)
        np.nextafter(rough_low, np.float32(-np.inf), out=rough_low, where=rough_low > low)
        peak = float(stops.layers.inner(low).max())
        stops.spreads[broad, steep] = HeightSpread(high, rough, rough_low, peak)
    found: HeightSpread = stops.spreads[broad, steep]
    return found


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
