"""What is hidden of the targets of many lines: the answers of `shadows`, line for line, with the things left out that
`Surroundings` leaves out.

Places are whole eighths and heights whole hundredths, so every height on a line is one division of whole numbers:
equal fractions give equal floats, and comparing them is exact. Only the sum that makes a share is rounded. Heights on a
line are counted from the observer's eye and told by what they hide at the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from engine.geometry.batch_sight.layers import EMPTY, Flags, Heights, Indexes, Layers, Question, Solids
from engine.geometry.batch_sight.line_batch import (
    CHUNK,
    NEAR,
    Bodies,
    Lines,
    Passages,
    StripCrossing,
    bodies,
    crossing,
    passages,
    starts_of,
)
from engine.geometry.battlefield import Battlefield

Span = tuple[Heights | None, Heights]
"""Bottoms and tops of solids, absolute; no bottoms: they stand on the ground."""


class HiddenInterval(NamedTuple):
    """Heights hidden on some lines, strictly between two ends: by what has a gap below it."""

    line: Indexes
    low: Heights
    high: Heights


class Pairs(Struct, frozen=True, eq=False):
    """Who looks at whom, and what is out of the way between the two."""

    one: Bodies
    other: Bodies
    both_rise: bool
    """Whether the own ground and the own low things of the targets are out of the way, too."""
    hides_soft: Flags
    """Whether soft things on own squares are in the way."""
    highest: Heights
    """What stands on the ground and is higher than this is a wall: it ends a line for every question, both ways."""

    def chosen(self, which: Indexes) -> Pairs:
        """Some of them, by their numbers."""
        one, other = self.one.chosen(which), self.other.chosen(which)
        return Pairs(one, other, self.both_rise, self.hides_soft[which], self.highest[which])

    def __len__(self) -> int:
        return len(self.one)


class NearPlace(NamedTuple):
    """Squares or edges on lines, one for each entry, and how they lie to the two footprints."""

    line: Indexes
    pair: Indexes
    where: Indexes
    """In the layers of squares, or of edges."""
    in_home: Flags
    in_away: Flags
    at_home: Flags
    """Whether it touches the observer's footprint,"""
    at_away: Flags
    """and the target's."""


class LineWalk:
    """Lines of some pairs, and what they meet of one question."""

    def __init__(
        self, battlefield: Battlefield, layers: Layers, question: Question, pairs: Pairs, lines: Lines
    ) -> None:
        self.layers, self.question, self.pairs, self.lines = layers, question, pairs, lines
        self.eye = pairs.one.eyes[lines.pair]
        self.horizon = np.full(len(lines), -np.inf)
        """Everything below it is hidden."""
        self.intervals: list[HiddenInterval] = []
        self.met_difference = np.zeros(len(lines), bool)
        """Whether it has come to a square where the questions differ."""
        self.feet, self.roof = (height[lines.pair] - self.eye for height in (pairs.other.feet, pairs.other.crown))
        self.highest = pairs.highest[lines.pair]
        self.standing = bodies(battlefield, list(layers.standing)) if layers.standing else None
        size_one, size_other = pairs.one.size[lines.pair], pairs.other.size[lines.pair]
        self.home = (*lines.home, size_one)
        self.away = (*lines.away, size_other)
        self.near_home, self.near_away = lines.home[0] + size_one, lines.away[0] - 1

    def add(self, line: Indexes, strip: Indexes) -> None:
        """Puts down what some strips hide, with the edge or corner by which each is entered; lines in order."""
        with np.errstate(divide="ignore", invalid="ignore"):
            for start in range(0, len(line), CHUNK):
                self._add(line[start : start + CHUNK], strip[start : start + CHUNK])

    def is_over(self, line: Indexes) -> Flags:
        """Whether lines cannot show anything any more."""
        found: Flags = self.horizon[line] >= self.roof[line]
        return found

    def copy(self, other: LineWalk, which: Flags) -> None:
        """Takes over what was found on some lines for a question with the same answers there."""
        self.horizon[which] = other.horizon[which]
        for each in other.intervals:
            stays = which[each.line]
            self.intervals.append(HiddenInterval(each.line[stays], each.low[stays], each.high[stays]))

    def _add(self, line: Indexes, strip: Indexes) -> None:
        passed = passages(self.lines, line, strip)
        passed = passed.chosen(self._that_matter(passed))
        line = passed.line
        if not len(line):
            return
        crossed = crossing(self.lines, passed)
        values = np.full(len(line), -np.inf)
        self._squares(crossed, values)
        if self.question.edges:
            self._edges(crossed, values)
        if len(crossed.at_corner):
            self._corners(crossed, values)
        if len(crossed.on_grid):
            self._grid_lines(crossed, values)
        starts = starts_of(line)
        lines = line[starts]
        if self.layers.differs is not None:
            self.met_difference[lines] |= np.logical_or.reduceat(self._differs(crossed, self.layers.differs), starts)
        self.horizon[lines] = np.maximum(self.horizon[lines], np.maximum.reduceat(values, starts))

    def _that_matter(self, passed: Passages) -> Indexes:
        """Passages along which something may hide more, for any question, than is hidden already; whatever runs along
        a grid line."""
        lines, line, highest = self.lines, passed.line, self.layers.highest
        top = highest.take(passed.square)
        for entry, way in ((passed.leave > 1 + NEAR, 1), (passed.entry < 2 * NEAR, -1)):
            which = np.flatnonzero(entry)
            beside = passed.square[which] + way * lines.frame.aside[lines.turn[line[which]]]
            top[which] = np.maximum(top[which], highest[beside])
        top -= self.eye.take(line)
        at = np.where(top > 0, passed.start, passed.end)
        top *= passed.length
        top /= at
        is_settled = top <= np.maximum(self.feet, self.horizon).take(line)
        is_settled &= lines.lean.take(line) > 0
        return np.flatnonzero(~is_settled)

    def _differs(self, crossed: StripCrossing, differs: Flags) -> Flags:
        """Whether the questions differ on what strips are passed by."""
        frame, passed = self.lines.frame, crossed.passed
        found = differs[passed.square]
        for entry, steps in (
            (crossed.turning, ((0, 1),)),
            (crossed.at_corner, ((0, -1), (-1, 0))),
            (crossed.on_grid, ((0, -1), (-1, 0), (-1, -1))),
        ):
            turn = self.lines.turn[passed.line[entry]]
            for along, aside in steps:
                found[entry] |= differs[passed.square[entry] + along * frame.along[turn] + aside * frame.aside[turn]]
        return found

    def _squares(self, crossed: StripCrossing, values: Heights) -> None:
        """What the one or two squares of each strip hide; nothing along grid lines."""
        passed, turning = crossed.passed, crossed.turning
        line, far, reach = passed.line, passed.end, passed.length
        if len(turning):
            far, reach = far.copy(), reach.copy()
            far[turning], reach[turning] = crossed.turn, crossed.lean
        spans = self._on_square(line, passed.strip, passed.row, passed.square)
        off_grid = np.ones(len(line), bool)
        off_grid[crossed.on_grid] = False
        self._stretch(slice(None), line, spans, (passed.length, passed.start, reach, far), values, off_grid)
        if len(turning):
            line = line[turning]
            aside = self.lines.frame.aside[self.lines.turn[line]]
            square = passed.square[turning] + aside
            spans = self._on_square(line, passed.strip[turning], passed.row[turning] + 1, square)
            ends = (crossed.lean, crossed.turn, passed.length[turning], passed.end[turning])
            self._stretch(turning, line, spans, ends, values, None)

    def _stretch(
        self,
        entry: Indexes | slice,
        line: Indexes,
        spans: Sequence[Span],
        ends: tuple[Heights, Heights, Heights, Heights],
        values: Heights,
        counts: Flags | None,
    ) -> None:
        """What solids hide from where lines enter them, after `near` of `length`, to where they leave, after `far` of
        `reach`: these four are `ends`."""
        eye = self.eye[line]
        for bottoms, tops in spans:
            high = _highest(tops - eye, *ends)
            if bottoms is None:
                if counts is not None:
                    high[~counts] = -np.inf
                values[entry] = np.maximum(values[entry], high)
            else:
                there = np.flatnonzero((bottoms < np.inf) if counts is None else (bottoms < np.inf) & counts)
                low = _lowest((bottoms - eye)[there], *(one[there] for one in ends))
                self._interval(line[there], low, high[there])

    def _interval(self, line: Indexes, low: Heights, high: Heights) -> None:
        counts = low < high
        if counts.any():
            self.intervals.append(HiddenInterval(line[counts], low[counts], high[counts]))

    def _put(
        self, entry: Indexes, line: Indexes, spans: Sequence[Span], extent: Heights, at: Heights, values: Heights
    ) -> None:
        """What solids hide that lines meet in one point, after `at` of `extent`."""
        eye = self.eye[line]
        for bottoms, tops in spans:
            high = (tops - eye) * extent / at
            if bottoms is None:
                values[entry] = np.maximum(values[entry], high)
            else:
                self._interval(line, (bottoms - eye) * extent / at, high)

    def _edges(self, crossed: StripCrossing, values: Heights) -> None:
        """What is on the edges that lines cross: into a strip, and between its two squares."""
        frame, has_edge, passed = self.lines.frame, self.question.has_edge, crossed.passed
        entry = crossed.entered
        turn = self.lines.turn[passed.line[entry]]
        entry = entry[has_edge[passed.square[entry] + frame.gate[turn]]]
        if len(entry):
            line = passed.line[entry]
            spans = self._on_gate(line, passed.strip[entry], passed.row[entry], passed.square[entry])
            self._put(entry, line, spans, passed.length[entry], passed.start[entry], values)
        turn = self.lines.turn[passed.line[crossed.turning]]
        square = passed.square[crossed.turning] + frame.aside[turn]
        there = np.flatnonzero(has_edge[square + frame.rail[turn]])
        if len(there):
            entry = crossed.turning[there]
            line = passed.line[entry]
            spans = self._on_rail(line, passed.strip[entry], passed.row[entry] + 1, square[there])
            self._put(entry, line, spans, crossed.lean[there], crossed.turn[there], values)

    def _corners(self, crossed: StripCrossing, values: Heights) -> None:
        """What lies on both ways round the corners by which strips are entered."""
        entry, passed = crossed.at_corner, crossed.passed
        line, strip, row, beyond = passed.line[entry], passed.strip[entry], passed.row[entry], passed.square[entry]
        turn, frame = self.lines.turn[line], self.lines.frame
        along, aside = frame.along[turn], frame.aside[turn]
        one = [
            *self._on_gate(line, strip, row - 1, beyond - aside),
            *self._on_square(line, strip, row - 1, beyond - aside),
            *self._on_rail(line, strip, row, beyond),
        ]
        other = [
            *self._on_rail(line, strip - 1, row, beyond - along),
            *self._on_square(line, strip - 1, row, beyond - along),
            *self._on_gate(line, strip, row, beyond),
        ]
        self._put(entry, line, _both(one, other), passed.length[entry], passed.start[entry], values)

    def _grid_lines(self, crossed: StripCrossing, values: Heights) -> None:
        """What lies on both sides of lines that run along a grid line."""
        entry, passed = crossed.on_grid, crossed.passed
        line, strip, square, eye = (
            passed.line[entry],
            passed.strip[entry],
            passed.square[entry],
            self.eye[passed.line[entry]],
        )
        ends = (passed.length[entry], passed.start[entry], passed.length[entry], passed.end[entry])
        turn, frame = self.lines.turn[line], self.lines.frame
        inner = np.flatnonzero(passed.start[entry] > 0)
        deep, sides, ways = line[inner], [], []
        for down in (0, 1):
            row, here = passed.row[entry] - down, square - down * frame.aside[turn]
            spans = self._on_square(line, strip, row, here)
            sides.append(
                [
                    (
                        None if bottoms is None else _lowest(bottoms - eye, *ends),
                        _highest(tops - eye, *ends),
                    )
                    for bottoms, tops in spans
                ]
            )
            ways.append(
                [
                    *self._on_square(deep, strip[inner] - 1, row[inner], here[inner] - frame.along[turn[inner]]),
                    *self._on_gate(deep, strip[inner], row[inner], here[inner]),
                    *((bottoms if bottoms is None else bottoms[inner], tops[inner]) for bottoms, tops in spans),
                ]
            )
        for low, high in _both(*sides):
            if low is None:
                values[entry] = np.maximum(values[entry], high)
            else:
                self._interval(line, low, high)
        where = entry[inner]
        self._put(where, deep, _both(*ways), passed.length[where], passed.start[where], values)

    def _on_square(self, line: Indexes, strip: Indexes, row: Indexes, square: Indexes) -> list[Span]:
        """What is on squares, but for what is out of the way."""
        parts = self.question.squares
        tops = parts[0].tops.take(square)
        tops[tops > self.highest.take(line)] = np.inf
        spans: list[Span] = [(None, tops)]
        counts = strip <= self.near_home.take(line)
        is_away = np.flatnonzero(strip >= self.near_away.take(line))
        counts[is_away] |= self.pairs.both_rise | (tops[is_away] > self.layers.ground[square[is_away]])
        near = np.flatnonzero(counts)
        if len(near):
            place = self._place(line[near], square[near], (strip[near], row[near]), (1, 1, 1, 1), (0, 0, 0, 0))
            ground, high = self.layers.ground[place.where], parts[0].tops[place.where]
            is_own = place.in_home | place.in_away
            no_ground = place.in_home | place.in_away if self.pairs.both_rise else place.in_home
            stays = (high > ground) & ~self._is_low(place, high)
            stays &= ~is_own | (self.layers.soft[place.where] & self.pairs.hides_soft[place.pair])
            floats = stays & no_ground
            tops[near] = np.where(no_ground, EMPTY, np.where(stays, tops[near], ground))
            if floats.any():
                bottom = np.full(len(tops), np.inf)
                top = np.full(len(tops), -np.inf)
                which = near[floats]
                bottom[which], top[which] = ground[floats], high[floats]
                spans.append((bottom, top))
        spans.extend(self._with_bodies(line, strip, row, square, solids) for solids in parts[1:])
        return spans

    def _with_bodies(self, line: Indexes, strip: Indexes, row: Indexes, square: Indexes, solids: Solids) -> Span:
        assert solids.bottoms is not None and solids.bodies is not None and self.standing is not None
        bottom, top = solids.bottoms[square], solids.tops[square]
        there = np.flatnonzero(bottom < np.inf)
        if len(there):
            place = self._place(line[there], square[there], (strip[there], row[there]), (0, 0, 0, 0), (0, 0, 0, 0))
            body = self.standing.chosen(solids.bodies[place.where])
            one, other = (each.chosen(place.pair) for each in (self.pairs.one, self.pairs.other))
            beside = place._replace(at_home=is_beside(one, body), at_away=is_beside(other, body))
            out = place.in_home | place.in_away | self._is_low(beside, top[there])
            bottom[there[out]] = np.inf
        return bottom, top

    def _on_gate(self, line: Indexes, strip: Indexes, row: Indexes, square: Indexes) -> list[Span]:
        """What is on the edges by which strips are entered."""
        edge = square + self.lines.frame.gate[self.lines.turn[line]]
        return self._on_edge(line, edge, (strip, row), (0, 0, 1, 1), (1, 0, 0, 0))

    def _on_rail(self, line: Indexes, strip: Indexes, row: Indexes, square: Indexes) -> list[Span]:
        """What is on the edges between squares and those before them in the same strip."""
        edge = square + self.lines.frame.rail[self.lines.turn[line]]
        return self._on_edge(line, edge, (strip, row), (1, 1, 0, 0), (0, 0, 1, 0))

    def _on_edge(
        self, line: Indexes, edge: Indexes, at: tuple[Indexes, Indexes], ring: Sequence[int], inside: Sequence[int]
    ) -> list[Span]:
        """What is on edges, but for what is out of the way."""
        spans: list[Span] = []
        there = np.flatnonzero(self.question.has_edge[edge])
        its, strip = line[there], at[0][there]
        near = there[(strip <= self.near_home[its]) | (strip >= self.near_away[its])]
        place = self._place(line[near], edge[near], (at[0][near], at[1][near]), ring, inside) if len(near) else None
        for solids in self.question.edges:
            top = solids.tops[edge]
            if solids.bottoms is None:
                top[top > self.highest[line]] = np.inf
            bottom = None if solids.bottoms is None else solids.bottoms[edge]
            if place is not None:
                out = near[place.in_home | place.in_away | self._is_low(place, top[near])]
                if bottom is None:
                    top[out] = EMPTY
                else:
                    bottom[out] = np.inf
            spans.append((bottom, top))
        return spans

    def _place(
        self, line: Indexes, index: Indexes, at: tuple[Indexes, Indexes], ring: Sequence[int], inside: Sequence[int]
    ) -> NearPlace:
        """How squares or edges lie to the footprints.

        Args:
            ring: how far beyond a footprint's first and last strip, first and last row it still touches. Of edges at
                the border of a strip or row, the border after the last one counts as one more.
            inside: likewise how far within those it has to be to lie inside.
        """
        flags = []
        for first, first_row, size in (self.home, self.away):
            strip, row, last = at[0] - first[line], at[1] - first_row[line], size[line]
            extra_strip, extra_row = int(inside[0]), int(inside[2])
            flags.append(
                (strip >= inside[0]) & (strip < last) & (row >= inside[2]) & (row < last),
            )
            flags.append(
                (strip >= -ring[0])
                & (strip < last + ring[1] + extra_strip)
                & (row >= -ring[2])
                & (row < last + ring[3] + extra_row)
            )
        in_home, at_home, in_away, at_away = flags
        return NearPlace(line, self.lines.pair[line], index, in_home, in_away, at_home, at_away)

    def _is_low(self, place: NearPlace, top: Heights) -> Flags:
        """Whether solids end so low, and so near, that they are out of the way."""
        one, other, pair = self.pairs.one, self.pairs.other, place.pair
        low: Flags = place.at_home & (top < one.reach[pair])
        if self.pairs.both_rise:
            return low | (place.at_away & (top < other.reach[pair]))
        return low & (~place.at_away | (top < one.eyes[pair]))

    def are_walled(self) -> Flags:
        """Whether a wall ends each line, so that nothing passes back, either."""
        walled: Flags = self.horizon == np.inf
        return walled

    def shares(self) -> Heights:
        """Share of the column of each line's target, feet to crown, that is hidden: 0 to 1."""
        feet, crown = self.feet, self.roof
        reached = np.clip(self.horizon, feet, crown)
        total = reached - feet
        for line, low, high in _in_turn(self.intervals):
            top = np.minimum(high, crown[line])
            total[line] += np.maximum(top - np.maximum(low, reached[line]), 0)
            reached[line] = np.maximum(reached[line], top)
        share: Heights = total / (crown - feet)
        return share

    def are_hidden(self) -> Flags:
        """Whether each line's target's eye is hidden, strictly: a height that only touches hides nothing."""
        goal = self.pairs.other.eyes[self.lines.pair] - self.eye
        found: Flags = self.horizon > goal
        for line, low, high in self.intervals:
            found[line[(low < goal[line]) & (goal[line] < high)]] = True
        return found


def is_beside(one: Bodies, other: Bodies) -> Flags:
    """Whether footprints touch, at a corner at least, or overlap."""
    across, down = other.column - one.column, other.row - one.row
    found: Flags = (across >= -other.size) & (across <= one.size) & (down >= -other.size) & (down <= one.size)
    return found


def _highest(rise: Heights, length: Heights, near: Heights, reach: Heights, far: Heights) -> Heights:
    """Highest heights at the target that something hides up to a height over the eye, between two places of the line.
    Above the eye the near end hides more, below it the far end."""
    highest: Heights = np.fmax(
        rise * length / near, rise * reach / far
    )  # the eye's own height at no distance: no number
    return highest


def _lowest(rise: Heights, length: Heights, near: Heights, reach: Heights, far: Heights) -> Heights:
    """The same of the lowest heights hidden by what begins at a height."""
    lowest: Heights = np.fmin(rise * length / near, rise * reach / far)
    return lowest


def _both(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """What is solid on both of two ways."""
    spans: list[Span] = []
    for bottoms, tops in _merged(one):
        for other_bottoms, other_tops in _merged(other):
            if bottoms is None or other_bottoms is None:
                bottom = other_bottoms if bottoms is None else bottoms
            else:
                bottom = np.maximum(bottoms, other_bottoms)
            spans.append((bottom, np.minimum(tops, other_tops)))
    return spans


def _merged(spans: Sequence[Span]) -> list[Span]:
    """The same solids: all that stand on the ground as one, and those of the others that there are."""
    tops = np.maximum.reduce([tops for bottoms, tops in spans if bottoms is None])
    return [(None, tops), *(span for span in spans if span[0] is not None and (span[0] < np.inf).any())]


def _in_turn(intervals: Sequence[HiddenInterval]) -> list[HiddenInterval]:
    """The same intervals, regrouped: the lowest of every line, then the second of those that have two, and so on."""
    if not intervals:
        return []
    line, low, high = (np.concatenate(arrays) for arrays in zip(*intervals, strict=True))
    order = np.lexsort((low, line))
    line, low, high = line[order], low[order], high[order]
    starts = starts_of(line)
    rank = np.arange(len(line)) - np.repeat(starts, np.diff(np.append(starts, len(line))))
    turns = np.argsort(rank, kind="stable")
    splits = np.flatnonzero(np.diff(rank[turns])) + 1
    return [HiddenInterval(line[turn], low[turn], high[turn]) for turn in np.split(turns, splits)]
