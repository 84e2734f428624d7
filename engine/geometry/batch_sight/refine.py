"""A closer look at the strips that `corridors` suspects: those first that could hide most, the others only while they
could still hide more."""

from __future__ import annotations

from functools import reduce

import numpy as np

from engine.geometry.batch_sight.batch_lines import CHUNK, NEAR, RayBatch, chosen, starts_of
from engine.geometry.batch_sight.corridors import MARGIN, REACH, spread
from engine.geometry.batch_sight.horizons import HiddenIntervals, add, nothing
from engine.geometry.batch_sight.obstructions import ObstructionLayers, Obstructions
from engine.geometry.los.arrays import Heights, Indexes

AT_FIRST = 4
"""Suspects of each pair that are looked at together; then as many times as many."""


def inspected(
    stops: Obstructions, lines: RayBatch, points: int, pair: Indexes, strip: Indexes, top: Heights
) -> dict[ObstructionLayers, HiddenIntervals]:
    """What the suspects hide; what is left out could not change any answer.

    Args:
        stops: what may hide anything.
        lines: to the points of every pair, as from `batch_lines.spread_out`; to the middles first.
        points: how many there are for each pair.
        pair: for each suspect, never sinking; every pair has one.
        strip: of its lines, counted from the observer.
        top: nothing in it is higher.
    """
    questions = stops.questions
    found = nothing(questions, lines)
    count = len(lines) // points
    middles = chosen(lines, slice(count))
    starts = starts_of(pair)
    most = _most(middles, pair, strip, top)
    examined = np.arange(len(pair))
    if len(pair) * points > CHUNK:
        highest = np.repeat(np.maximum.reduceat(most, starts), np.diff(np.append(starts, len(pair))))
        examined = np.flatnonzero(most == highest)
        examined = examined[starts_of(pair[examined])]
    is_left = np.ones(len(pair), bool)
    is_left[examined] = False
    left = np.flatnonzero(is_left)
    lowest = middles.feet
    limit = AT_FIRST
    while len(examined):
        where, what = pair[examined], strip[examined]
        could = _most(middles, where, what, np.minimum(top[examined], _tighter(stops, middles, where, what)))
        better = np.flatnonzero(could > lowest[where])
        where, what, could = where[better], what[better], could[better]
        line = (count * np.arange(points)[:, None] + where).ravel()
        strips = np.concatenate([what] * points)
        horizon = reduce(np.minimum, (found[question].horizon for question in questions))
        matters = np.flatnonzero((strips < lines.strips[line]) & (np.concatenate([could] * points) > horizon[line]))
        for start in range(0, len(matters), CHUNK):
            part = matters[start : start + CHUNK]
            add(stops.layers, questions, lines, line[part], strips[part], found)
        horizon = reduce(np.minimum, (found[question].horizon for question in questions))
        lowest = np.maximum(middles.feet, horizon.reshape(points, count).min(axis=0))
        lowest[lowest >= middles.crown] = np.inf
        left = left[most[left] > lowest[pair[left]]]
        if len(left) * points <= CHUNK:
            examined, left = left, left[:0]
            continue
        starts = starts_of(pair[left])
        rank = np.arange(len(left)) - np.repeat(starts, np.diff(np.append(starts, len(left))))
        examined, left = left[rank < limit], left[rank >= limit]
        limit *= AT_FIRST
    return found


def _most(middles: RayBatch, pair: Indexes, strip: Indexes, top: Heights) -> Heights:
    """The highest heights at the targets that anything up to a height could hide, from the eye, on any line."""
    reach = REACH * middles.away
    near = 8.0 * strip - middles.offset[pair]
    rise = top - middles.eye[pair]
    with np.errstate(divide="ignore", invalid="ignore"):
        above = rise * (middles.length + reach)[pair] / np.maximum(near, 0)
        below = rise * np.maximum((middles.length - reach)[pair] / (near + 8), 1)
    most: Heights = np.fmax(above, below) + MARGIN
    return most


def _tighter(stops: Obstructions, middles: RayBatch, pair: Indexes, strip: Indexes) -> Heights:
    """The highest of anything in the squares of a strip that the lines pass; infinite where these are more than three
    side by side. Near the observer the lines lie closer together than a corridor is wide."""
    reach = REACH * middles.away
    short, long = middles.length - reach, middles.length + reach
    least = (middles.lean - reach) / np.where(middles.lean < reach, short, long)
    start = 8.0 * strip - middles.offset[pair]
    end = start + 8
    np.maximum(start, 0, out=start)
    aloft, slope = middles.aloft[pair], least[pair]
    first = np.floor((aloft + np.minimum(slope * start, slope * end)) / 8 - NEAR)
    last = np.floor((aloft + ((middles.lean + reach) / short)[pair] * end) / 8 + NEAR)
    base, aside = middles.first[pair] + strip * middles.along[pair], middles.aside[pair]
    high = spread(stops, 0, False).high
    rows = (first, np.floor((first + last) / 2), last)
    tops = (high.take(base + row.astype(np.intp) * aside, mode="clip") for row in rows)
    highest: Heights = reduce(np.maximum, tops)
    highest[last - first > 2] = np.inf
    return highest
