"""What is hidden of the targets of many lines, with NumPy: the answers of `shadows`, line for line.

Places are whole eighths and heights whole hundredths, so every height on a line is one division of whole numbers:
equal fractions give equal floats, and comparing them is exact. Only the sum that makes a share is rounded. Heights are
counted from the observer's eye and told by what they hide at the target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from engine.geometry.batch_sight.batch_lines import Flags, RayBatch, StripCrossing, crossing, starts_of, strips_of
from engine.geometry.batch_sight.obstructions import ObstructionLayers
from engine.geometry.los.arrays import Heights, Indexes, Layers

Span = tuple[Heights | None, Heights]
"""Bottoms and tops of things, absolute; no bottoms: they stand on the ground."""


class Interval(NamedTuple):
    """Heights hidden on some lines, strictly between two ends: by what floats free."""

    line: Indexes
    low: Heights
    high: Heights


class HiddenIntervals(Struct, frozen=True, eq=False):
    """What is hidden of the target of each line, for one question."""

    horizon: Heights
    """Everything below it is hidden."""
    intervals: list[Interval] = []


def nothing(questions: Sequence[ObstructionLayers], rays: RayBatch) -> dict[ObstructionLayers, HiddenIntervals]:
    """Nothing hidden yet: for each question a horizon of minus infinity on every line, and no intervals."""
    return {question: HiddenIntervals(np.full(len(rays), -np.inf)) for question in questions}


def hidden(
    layers: Layers, questions: Sequence[ObstructionLayers], rays: RayBatch
) -> dict[ObstructionLayers, HiddenIntervals]:
    """Hidden part of every line's target, for each question, by everything that the line crosses.

    Args:
        layers: of the battlefield.
        questions: what may hide; each is answered by itself.
        rays: lines from the observers to points of the targets.

    Returns:
        By question, heights at the target in hundredths above the observer's eye, one entry for each line.
    """
    found = nothing(questions, rays)
    for line, strip in strips_of(rays):
        add(layers, questions, rays, line, strip, found)
    return found


def add(
    layers: Layers,
    questions: Sequence[ObstructionLayers],
    rays: RayBatch,
    line: Indexes,
    strip: Indexes,
    found: Mapping[ObstructionLayers, HiddenIntervals],
) -> None:
    """Puts down what some strips hide.

    Args:
        line, strip: which strips of which lines, sorted by line; with a strip goes the edge or corner by which it is
            entered, none for strip 0.
        found: one for each question; changed.
    """
    if not len(line):
        return
    passed = crossing(rays, line, strip)
    starts = starts_of(line)
    lines = line[starts]
    with np.errstate(divide="ignore", invalid="ignore"):
        for question in questions:
            result = found[question]
            strips = _Strips(layers, question, rays, passed, np.empty(0), result.intervals)
            strips.values = strips.squares()
            if question.has_edges:
                strips.edges()
            if len(passed.at_corner):
                strips.corners()
            if len(passed.on_grid):
                strips.grid_lines()
            result.horizon[lines] = np.maximum(result.horizon[lines], np.maximum.reduceat(strips.values, starts))


class _Strips(Struct, eq=False):
    """Some strips and the highest height that each hides from the ground up."""

    layers: Layers
    question: ObstructionLayers
    rays: RayBatch
    passed: StripCrossing
    values: Heights
    intervals: list[Interval]

    def squares(self) -> Heights:
        """What the one or two squares of each strip hide; nothing along grid lines."""
        passed, turning = self.passed, self.passed.turning
        line, strip, row = passed.line, passed.strip, passed.row
        far, reach = passed.end, passed.length
        if len(turning):
            far, reach = far.copy(), reach.copy()
            far[turning], reach[turning] = passed.turn, passed.lean
        tops = self.tops(line, strip, row, passed.square)
        values = _highest(tops - passed.eye, passed.length, passed.start, reach, far)
        values[passed.on_grid] = -np.inf
        if self.question.bodies:
            free = ~_is_own(self.rays, line, strip, row)
            free[passed.on_grid] = False
            self.bodies(np.flatnonzero(free), passed.square, passed.length, passed.start, reach, far)
        if len(turning):
            line, strip, row = line[turning], strip[turning], row[turning] + 1
            square = passed.square[turning] + self.rays.aside[line]
            length, end = passed.length[turning], passed.end[turning]
            tops = self.tops(line, strip, row, square)
            second = _highest(tops - passed.eye[turning], passed.lean, passed.turn, length, end)
            values[turning] = np.maximum(values[turning], second)
            if self.question.bodies:
                free = ~_is_own(self.rays, line, strip, row)
                self.bodies(np.flatnonzero(free), square, passed.lean, passed.turn, length, end, turning)
        return values

    def tops(self, line: Indexes, strip: Indexes, row: Indexes, square: Indexes) -> Heights:
        """Tops of squares: of their ground alone in either footprint."""
        tops = self.question.tops[square]
        if not self.question.is_bare:
            ground = self.layers.ground[square]
            taller = np.flatnonzero(tops > ground)
            own = taller[_is_own(self.rays, line[taller], strip[taller], row[taller])]
            tops[own] = ground[own]
        return tops

    def bodies(
        self,
        free: Indexes,
        square: Indexes,
        length: Heights,
        start: Heights,
        reach: Heights,
        far: Heights,
        entries: Indexes | None = None,
    ) -> None:
        """What bodies on squares hide: where the line enters after `start` of `length` and leaves after `far` of
        `reach`."""
        for bottoms, tops in self.question.bodies:
            there = free[bottoms[square[free]] < np.inf]
            entry = there if entries is None else entries[there]
            eye, here = self.passed.eye[entry], square[there]
            near, end = (length[there], start[there]), (reach[there], far[there])
            low = _lowest(bottoms[here] - eye, *near, *end)
            high = _highest(tops[here] - eye, *near, *end)
            self.interval(entry, low, high)

    def interval(self, entry: Indexes, low: Heights, high: Heights) -> None:
        """Puts down hidden intervals, but those beside the target."""
        line = self.passed.line[entry]
        counts = np.flatnonzero((low < high) & (high > self.rays.feet[line]) & (low < self.rays.crown[line]))
        if len(counts):
            self.intervals.append(Interval(line[counts], low[counts], high[counts]))

    def put(self, entry: Indexes, spans: Sequence[Span], extent: Heights, at: Heights) -> None:
        """What things hide that a line meets in one point, after `at` of `extent`."""
        eye = self.passed.eye[entry]
        for bottoms, tops in spans:
            high = (tops - eye) * extent / at
            if bottoms is None:
                self.values[entry] = np.maximum(self.values[entry], high)
            else:
                self.interval(entry, (bottoms - eye) * extent / at, high)

    def edges(self) -> None:
        """What stands on the edges that lines cross: into a strip, and between its two squares."""
        passed, rays = self.passed, self.rays
        plain = passed.plain()
        line, strip, row = passed.line[plain], passed.strip[plain], passed.row[plain]
        spans = self.on_edge(line, passed.square[plain] + rays.gate[line], (strip - 1, row), (strip, row))
        self.put(plain, spans, passed.length[plain], passed.start[plain])
        turning = passed.turning
        line, strip, row = passed.line[turning], passed.strip[turning], passed.row[turning]
        edge = passed.square[turning] + rays.aside[line] + rays.rail[line]
        self.put(turning, self.on_edge(line, edge, (strip, row), (strip, row + 1)), passed.lean, passed.turn)

    def on_edge(
        self, line: Indexes, edge: Indexes, one: tuple[Indexes, Indexes], other: tuple[Indexes, Indexes]
    ) -> list[Span]:
        """What stands on the edge between two squares, each a strip and a row: nothing inside a footprint."""
        if not self.question.has_edges:
            return []
        rays = self.rays
        within = np.flatnonzero(
            (_is_home(rays, line, *one) & _is_home(rays, line, *other))
            | (_is_away(rays, line, *one) & _is_away(rays, line, *other))
        )
        spans: list[Span] = []
        if self.question.standing is not None:
            standing = self.question.standing[edge]
            standing[within] = -np.inf
            spans.append((None, standing))
        for bottoms, tops in self.question.gaps:
            bottom = bottoms[edge]
            bottom[within] = np.inf
            spans.append((bottom, tops[edge]))
        return spans

    def on_square(self, line: Indexes, strip: Indexes, row: Indexes, square: Indexes) -> list[Span]:
        """What stands on squares."""
        spans: list[Span] = [(None, self.tops(line, strip, row, square))]
        for bottoms, crowns in self.question.bodies:
            bottom = bottoms[square]
            bottom[_is_own(self.rays, line, strip, row)] = np.inf
            spans.append((bottom, crowns[square]))
        return spans

    def corners(self) -> None:
        """What lies on both ways round the corners by which strips are entered."""
        passed, rays, entry = self.passed, self.rays, self.passed.at_corner
        line, strip, row, beyond = (
            passed.line[entry],
            passed.strip[entry],
            passed.row[entry],
            passed.square[entry],
        )
        along, aside, gate, rail = rays.along[line], rays.aside[line], rays.gate[line], rays.rail[line]
        start, right, left, end = (strip - 1, row - 1), (strip, row - 1), (strip - 1, row), (strip, row)
        one = [
            *self.on_edge(line, beyond - aside + gate, start, right),
            *self.on_square(line, *right, beyond - aside),
            *self.on_edge(line, beyond + rail, right, end),
        ]
        other = [
            *self.on_edge(line, beyond - along + rail, start, left),
            *self.on_square(line, *left, beyond - along),
            *self.on_edge(line, beyond + gate, left, end),
        ]
        self.put(entry, _both(one, other), passed.length[entry], passed.start[entry])

    def grid_lines(self) -> None:
        """What lies on both sides of lines that run along a grid line."""
        passed, rays, entry = self.passed, self.rays, self.passed.on_grid
        line, strip, square = passed.line[entry], passed.strip[entry], passed.square[entry]
        length, start, end, eye = (
            passed.length[entry],
            passed.start[entry],
            passed.end[entry],
            passed.eye[entry],
        )
        sides, ways = [], []
        inner = np.flatnonzero(strip > 0)
        for row in (0, -1):
            rows = np.full(len(line), row)
            here = square + row * rays.aside[line]
            things = self.on_square(line, strip, rows, here)
            sides.append(
                [
                    (
                        None if bottoms is None else _lowest(bottoms - eye, length, start, length, end),
                        _highest(tops - eye, length, start, length, end),
                    )
                    for bottoms, tops in things
                ]
            )
            deep, place, back = line[inner], here[inner], strip[inner] - 1
            ways.append(
                [
                    *self.on_square(deep, back, rows[inner], place - rays.along[deep]),
                    *self.on_edge(deep, place + rays.gate[deep], (back, rows[inner]), (strip[inner], rows[inner])),
                    *((bottoms if bottoms is None else bottoms[inner], tops[inner]) for bottoms, tops in things),
                ]
            )
        for low, high in _both(*sides):
            if low is None:
                self.values[entry] = np.maximum(self.values[entry], high)
            else:
                self.interval(entry, low, high)
        self.put(entry[inner], _both(*ways), length[inner], start[inner])


def _highest(rise: Heights, length: Heights, near: Heights, reach: Heights, far: Heights) -> Heights:
    """Highest heights at the target that something hides up to a height over the eye, between two places of the line:
    after `near` of `length` and after `far` of `reach`. Above the eye the near end hides more, below it the far end."""
    length = rise * length
    length /= near
    reach = rise * reach
    reach /= far
    highest: Heights = np.fmax(length, reach, out=reach)  # the eye's own height at no distance is not a number
    return highest


def _lowest(rise: Heights, length: Heights, near: Heights, reach: Heights, far: Heights) -> Heights:
    """The same of the lowest heights hidden by what begins at a height."""
    lowest: Heights = np.fmin(rise * length / near, rise * reach / far)
    return lowest


def _both(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """What is solid on both of two ways."""
    spans: list[Span] = []
    for bottoms, tops in one:
        for other_bottoms, other_tops in other:
            if bottoms is None or other_bottoms is None:
                bottom = other_bottoms if bottoms is None else bottoms
            else:
                bottom = np.maximum(bottoms, other_bottoms)
            spans.append((bottom, np.minimum(tops, other_tops)))
    return spans


def _is_own(rays: RayBatch, line: Indexes, strip: Indexes, row: Indexes) -> Flags:
    """Whether squares belong to one of the two footprints."""
    return _is_home(rays, line, strip, row) | _is_away(rays, line, strip, row)


def _is_home(rays: RayBatch, line: Indexes, strip: Indexes, row: Indexes) -> Flags:
    home = rays.home[line]
    first, last = -(home // 2), (home - 1) // 2
    inside: Flags = (strip >= first) & (strip <= last) & (row >= first) & (row <= last)
    return inside


def _is_away(rays: RayBatch, line: Indexes, strip: Indexes, row: Indexes) -> Flags:
    away, strip, row = rays.away[line], strip - rays.away_strip[line], row - rays.away_row[line]
    inside: Flags = (strip >= 0) & (strip < away) & (row >= 0) & (row < away)
    return inside


def share(rays: RayBatch, result: HiddenIntervals) -> Heights:
    """Share of the column of each line's target, feet to crown, that is hidden: 0 to 1, one entry for each line."""
    reached = np.clip(result.horizon, rays.feet, rays.crown)
    total = reached - rays.feet
    for line, low, high in _in_turn(result.intervals):
        top = np.minimum(high, rays.crown[line])
        total[line] += np.maximum(top - np.maximum(low, reached[line]), 0)
        reached[line] = np.maximum(reached[line], top)
    return total / (rays.crown - rays.feet)


def is_hidden(rays: RayBatch, result: HiddenIntervals) -> Flags:
    """Whether each line's target's eye is hidden, strictly: a height that only touches hides nothing."""
    found: Flags = np.minimum(result.horizon, rays.crown + 1) > rays.goal
    for line, low, high in result.intervals:
        top = np.minimum(high, rays.crown[line] + 1)
        found[line[(low < rays.goal[line]) & (rays.goal[line] < top)]] = True
    return found


def _in_turn(intervals: Sequence[Interval]) -> list[Interval]:
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
    return [Interval(line[turn], low[turn], high[turn]) for turn in np.split(turns, splits)]


def smoke_on(layers: Layers, rays: RayBatch) -> Heights:
    """Length of each line through smoke times its density, measured over the ground.

    Along a grid line the thinner of both sides counts.

    Returns:
        In squares, one entry for each line; 0 in clear air.
    """
    thick = np.zeros(len(rays))
    if layers.smoke is None:
        return thick
    for line, strip in strips_of(rays):
        passed = crossing(rays, line, strip)
        density = layers.smoke[passed.square]
        turning, grid = passed.turning, passed.on_grid
        density[grid] = np.minimum(density[grid], layers.smoke[passed.square[grid] - rays.aside[line[grid]]])
        amount = density * (passed.end - passed.start)
        beyond = layers.smoke[passed.square[turning] + rays.aside[line[turning]]]
        amount[turning] += (beyond - density[turning]) * (
            passed.end[turning] - passed.turn * passed.length[turning] / passed.lean
        )
        thick += np.bincount(line, amount, len(rays))
    apart = np.hypot(rays.length, rays.lean) / 8
    return np.divide(thick * apart, rays.length, out=thick, where=rays.length > 0)
