"""The batch kernel: pairs of bodies in, what each sees and hits of the other out. The answers of `sight.trace`.

First the hull test, which decides most pairs; then the middle eye; then the others, while there is anything to gain.
Sight and shots are asked together, and apart only for pairs where the map has something that tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.geometry.batch_sight.corridors import Suspects, suspects
from engine.geometry.batch_sight.hidden import LineWalk, Pairs, is_beside
from engine.geometry.batch_sight.layers import Flags, Heights, Indexes, Layers, Question
from engine.geometry.batch_sight.line_batch import CHUNK, Bodies, Lines, lines, smoke_on, starts_of
from engine.geometry.battlefield import Battlefield
from engine.geometry.kernel.questions import Seen

ROUNDING = 1e-9
"""Share of a body: far above what rounding moves a share."""

AT_FIRST = 3
"""Strips of each pair that are walked together, more of few pairs; then three times as many."""

BATCH = 1_000
"""Pairs looked at closely in one go."""


class Shares(NamedTuple):
    """Own shares of the observers of pairs, 0 to 1; nothing where there is less than the least."""

    sight: Heights
    mutual: Heights
    """Of sight, where what is seen through one way counts as hiding."""
    shots: Heights
    is_walled: Flags
    """Whether walls end all lines, so that nothing passes back, either."""

    def chosen(self, which: Indexes) -> Shares:
        """Those of some pairs, by their numbers."""
        return Shares(self.sight[which], self.mutual[which], self.shots[which], self.is_walled[which])


def seen(battlefield: Battlefield, layers: Layers, one: Bodies, other: Bodies) -> Seen:
    """What each of some bodies sees of its target."""
    own = own_shares(battlefield, layers, one, other)
    unsure = _undecided(battlefield, own)
    back = own_shares(battlefield, layers, other.chosen(unsure), one.chosen(unsure))
    return _judged(battlefield, layers, (one, other), own, unsure, back)


def seen_both_ways(battlefield: Battlefield, layers: Layers, one: Bodies, other: Bodies) -> tuple[Seen, Seen]:
    """What each of some bodies sees of its target, and what the target sees of it."""
    count = len(one)
    every, there = one.joined(other), other.joined(one)
    own = own_shares(battlefield, layers, every, there)
    unsure = _undecided(battlefield, own)
    visible, covered = _judged(
        battlefield, layers, (every, there), own, unsure, own.chosen((unsure + count) % (2 * count))
    )
    return Seen(visible[:count], covered[:count]), Seen(visible[count:], covered[count:])


def _undecided(battlefield: Battlefield, own: Shares) -> Indexes:
    """Pairs for which it matters what the other sees."""
    is_unsure = ((own.sight == 0) | (own.shots == 0)) & ~own.is_walled
    return np.flatnonzero(is_unsure & battlefield.sight.mutual)


def _judged(
    battlefield: Battlefield, layers: Layers, pairs: tuple[Bodies, Bodies], own: Shares, unsure: Indexes, back: Shares
) -> Seen:
    """Own shares, and the head of who may be attacked."""
    one, other = pairs
    may_see, may_hit = own.sight > 0, own.shots > 0
    may_see[unsure] |= back.mutual > 0
    may_hit[unsure] |= back.shots > 0
    left = unsure[~(may_see & may_hit)[unsure]]
    sees, hits = eyes_meet(battlefield, layers, one.chosen(left), other.chosen(left))
    may_see[left] |= sees
    may_hit[left] |= hits
    head = battlefield.sight.head / 100
    visible, reached = (
        np.where(may, np.maximum(share, head), 0.0) for may, share in ((may_see, own.sight), (may_hit, own.shots))
    )
    opacity = battlefield.smoke_opacity
    if opacity.obscures and layers.smoke is not None:
        visible = opacity.visible(visible, lambda: smoke_on(layers, one, other))
    return Seen(visible, 1 - reached)


def own_shares(battlefield: Battlefield, layers: Layers, one: Bodies, other: Bodies) -> Shares:
    """What the eye that sees most of it sees of each target."""
    shares = {question: np.ones(len(one)) for question in layers.questions}
    pairs = _pairs(battlefield, one, other, both_rise=False)
    is_walled = np.zeros(len(one), bool)
    for which, strips in _closer(layers, pairs, other.feet, other.crown, list(shares.values()), is_walled):
        walled = np.ones(len(which), bool)
        best = {question: np.zeros(len(which)) for question in shares}
        part = pairs.chosen(which)
        for eyes in (slice(0, 1), slice(1, None)):
            left = np.flatnonzero(np.minimum.reduce(list(best.values())) < 1 - ROUNDING)
            if eyes.start:
                left = left[part.one.lean[left]]
            if not len(left):
                break
            some, here = part.chosen(left), _of_pairs(strips, left, len(which))
            found = _lines(layers, some, eyes, slice(None))
            count = len(found) // len(left)
            for question, hides in _walked(battlefield, layers, some, found, here):
                walled[left] &= hides.are_walled().reshape(-1, len(left)).all(axis=0)
                mean = 1 - hides.shares().reshape(count // 5, 5, len(left)).mean(axis=1)
                best[question][left] = np.maximum(best[question][left], mean.max(axis=0))
        is_walled[which] = walled & part.one.lean
        for question, share in shares.items():
            share[which] = best[question]
    least = battlefield.sight.least / 100 - ROUNDING
    for share in shares.values():
        share[(share < least) | (share <= ROUNDING)] = 0
    return Shares(shares[layers.sight], shares[layers.mutual], shares[layers.shots], is_walled)


def eyes_meet(battlefield: Battlefield, layers: Layers, one: Bodies, other: Bodies) -> tuple[Flags, Flags]:
    """Whether some line from an eye of each body to an eye of its target is free with both risen: for sight, for shots.

    What is seen through one way alone is not free.
    """
    free = {question: np.ones(len(one)) for question in layers.questions}
    pairs = _pairs(battlefield, one, other, both_rise=True)
    for which, strips in _closer(layers, pairs, other.eyes, other.eyes, list(free.values()), np.zeros(len(one), bool)):
        part = pairs.chosen(which)
        open_ways = {question: np.zeros(len(which), bool) for question in free}
        for eyes in (slice(0, 1), slice(1, None)):
            left = np.flatnonzero(~np.logical_and.reduce(list(open_ways.values())))
            if eyes.start:
                left = left[part.one.lean[left]]
            if not len(left):
                break
            some, here = part.chosen(left), _of_pairs(strips, left, len(which))
            found = _lines(layers, some, eyes, slice(None))
            for question, hides in _walked(battlefield, layers, some, found, here):
                is_free = ~hides.are_hidden().reshape(-1, 5, len(left))
                is_free[:, 1:, ~some.other.lean] = False
                open_ways[question][left] |= is_free.any(axis=(0, 1))
        for question, flags in free.items():
            flags[which] = open_ways[question]
    return free[layers.mutual] > 0, free[layers.shots] > 0


def _pairs(battlefield: Battlefield, one: Bodies, other: Bodies, *, both_rise: bool) -> Pairs:
    highest = np.maximum.reduce([height for of in (one, other) for height in (of.crown, of.eyes, of.reach)])
    return Pairs(one, other, both_rise, battlefield.sight.soft & ~is_beside(one, other), highest)


def _closer(
    layers: Layers, pairs: Pairs, low: Heights, high: Heights, answers: Sequence[Heights], is_walled: Flags
) -> Iterator[tuple[Indexes, Suspects]]:
    """Puts down nothing for the pairs that are shut, and hands out the others that the hull test leaves: with the
    strips that could matter, by their own numbers."""
    found = suspects(layers, pairs, low, high)
    is_walled |= found.is_walled
    for answer in answers:
        answer[found.is_shut] = 0
    unsure = np.unique(found.pair)
    for start in range(0, len(unsure), BATCH):
        some = unsure[start : start + BATCH]
        here = slice(*np.searchsorted(found.pair, (some[0], some[-1] + 1)))
        numbers = np.searchsorted(some, found.pair[here])
        yield some, found._replace(pair=numbers, place=found.place[here], steep=found.steep[here])


def _of_pairs(strips: Suspects, left: Indexes, count: int) -> Suspects:
    """The suspects of some of the pairs, by their new numbers."""
    numbers = np.full(count, -1)
    numbers[left] = np.arange(len(left))
    pair = numbers[strips.pair]
    stays = np.flatnonzero(pair >= 0)
    return strips._replace(pair=pair[stays], place=strips.place[stays], steep=strips.steep[stays])


def _lines(layers: Layers, pairs: Pairs, eyes: slice, points: slice) -> Lines:
    """From some eyes of the observers to the points of their targets: all pairs for the first eye and point, then all
    for the second point."""
    (x, y), (to_x, to_y) = pairs.one.points(), pairs.other.points()
    starts, ends = (x[eyes], y[eyes]), (to_x[points], to_y[points])
    count, many = len(starts[0]), len(ends[0])
    return lines(
        layers,
        pairs.one,
        pairs.other,
        np.tile(np.arange(len(pairs)), count * many),
        (np.repeat(starts[0], many, axis=0).ravel(), np.repeat(starts[1], many, axis=0).ravel()),
        (np.tile(ends[0], (count, 1)).ravel(), np.tile(ends[1], (count, 1)).ravel()),
    )


def _walked(
    battlefield: Battlefield, layers: Layers, pairs: Pairs, found: Lines, strips: Suspects
) -> list[tuple[Question, LineWalk]]:
    """What lines meet, for each question."""
    walks: list[tuple[Question, LineWalk]] = []
    batches = _of_lines(found, strips, len(pairs))
    for question in layers.questions:
        walk = LineWalk(battlefield, layers, question, pairs, found)
        is_apart = np.ones(len(found), bool)
        if walks:
            is_apart = walks[0][1].met_difference
            walk.copy(walks[0][1], ~is_apart)
        for line, strip in batches:
            counts = is_apart[line] & ~walk.is_over(line)
            walk.add(line[counts], strip[counts])
        walks.append((question, walk))
    return walks


def _of_lines(found: Lines, strips: Suspects, count: int) -> list[tuple[Indexes, Indexes]]:
    """The suspects as strips of all lines of their pairs: the first few of each pair, then as many times as many, since
    most lines that end do so soon."""
    each = len(found) // count
    starts = starts_of(strips.pair)
    rank = np.arange(len(strips.pair)) - np.repeat(starts, np.diff(np.append(starts, len(strips.pair))))
    is_steep = (found.turn & 4) > 0
    is_mirrored = np.where(is_steep, found.turn & 1, found.turn & 2) > 0
    first, last = np.floor(found.start / 8), np.ceil((found.start + found.length) / 8) - 1
    last[found.length == 0] = -np.inf
    batches: list[tuple[Indexes, Indexes]] = []
    begin, end = 0, max(AT_FIRST, 4 * CHUNK // len(found))
    while True:
        some = np.flatnonzero((rank >= begin) & (rank < end))
        if not len(some):
            return batches
        begin, end = end, 4 * end
        line = (count * np.arange(each)[:, None] + strips.pair[some]).ravel()
        place = np.tile(strips.place[some], each)
        strip = np.where(is_mirrored[line], -1 - place, place)
        passed = (strip >= first[line]) & (strip <= last[line]) & (is_steep[line] == np.tile(strips.steep[some], each))
        batches.append((line[passed], strip[passed]))
