"""Sight and cover among many bodies at once: exactly the results of `sight.trace` for each pair.

`corridors` tells which strips between two bodies could matter at all, `horizons` decides these. The lines both ways
between two bodies are looked at together.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from engine.geometry.batch_sight.batch_lines import Flags, RayBatch, chosen, rays, spread_out, starts_of
from engine.geometry.batch_sight.corridors import Suspects, has_corridor, suspects
from engine.geometry.batch_sight.horizons import HiddenIntervals, hidden, is_hidden, share, smoke_on
from engine.geometry.batch_sight.obstructions import ObstructionLayers, Obstructions, obstructions
from engine.geometry.batch_sight.refine import inspected
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.los.arrays import Heights, Indexes, Layers
from engine.geometry.los.sight import BODY_POINTS
from engine.geometry.obstacles import feet_of
from engine.smoke_opacity import SmokeOpacity

BATCH = 40_000
"""Strips that are decided together, about."""


class Sightings(Struct, frozen=True, eq=False):
    """What each observer (row) sees of each target (column)."""

    visible: Heights
    """Share of the target that is seen, through smoke too, 0 to 1."""
    covered: Heights
    """Share of the target that shots do not reach."""
    clear: Flags
    """Whether the line from eye to eye is free: the same both ways."""
    smoke: Heights
    """Squares of smoke times density on the line between the middles."""


def between(
    battlefield: Battlefield, observers: Sequence[Body], targets: Sequence[Body], *, obstacles: Collection[Body] = ()
) -> Sightings:
    """Sight and cover from every observer to every target.

    Args:
        battlefield: where they are.
        observers: the rows of the answer; may be empty.
        targets: its columns; may be the same bodies.
        obstacles: bodies that hide and protect others, from feet to crown; never on squares of the observer's or the
            target's own.

    Raises:
        OffMap: a body is outside.
    """
    stops = obstructions(battlefield, obstacles)
    shape = len(observers), len(targets)
    answer = Sightings(np.ones(shape), np.zeros(shape), np.ones(shape, bool), np.zeros(shape))
    if list(observers) == list(targets):
        bodies = _bodies(battlefield, stops.layers, observers)
        _fill(answer, battlefield, stops, bodies, np.triu_indices(len(observers), 1))
    else:
        bodies = _bodies(battlefield, stops.layers, [*observers, *targets])
        rows, columns = np.indices(shape).reshape(2, -1)
        _fill(answer, battlefield, stops, bodies, (rows, columns + len(observers)), len(observers))
    return answer


def moved(sightings: Sightings, battlefield: Battlefield, bodies: Sequence[Body], index: int) -> Sightings:
    """The answer for all bodies among themselves after one of them changed: its row and column alone are made anew.

    Args:
        sightings: of `between` for the bodies as they were, without obstacles; stays as it is.
        battlefield: unchanged since.
        bodies: as they are now.
        index: which of them changed.

    Raises:
        OffMap: a body is outside.
    """
    answer = Sightings(*(array.copy() for array in astuple(sightings)))
    others = np.delete(np.arange(len(bodies)), index)
    pairs = np.minimum(others, index), np.maximum(others, index)
    for array, plain in ((answer.visible, 1), (answer.covered, 0), (answer.clear, True), (answer.smoke, 0)):
        array[index] = plain
        array[:, index] = plain
    stops = obstructions(battlefield)
    _fill(answer, battlefield, stops, _bodies(battlefield, stops.layers, bodies), pairs)
    return answer


class _Bodies(Struct, frozen=True, eq=False):
    """Bodies as arrays."""

    column: Indexes
    row: Indexes
    size: Indexes
    feet: Heights
    eyes: Heights
    crown: Heights


def _bodies(battlefield: Battlefield, found: Layers, bodies: Sequence[Body]) -> _Bodies:
    table = np.array(
        [(body.at[0], body.at[1], body.size, body.altitude, body.eyes, max(body.height, 1)) for body in bodies], np.intp
    )
    column, row, size, altitude, eyes, height = table.reshape(-1, 6).T
    inside = (column >= 0) & (row >= 0) & (column < battlefield.columns) & (row < battlefield.rows)
    feet = found.ground[np.where(inside, (row + 1) * found.width + column + 1, 0)] + altitude
    for number in np.flatnonzero(~inside | (size != 1)).tolist():
        feet[number] = feet_of(battlefield, bodies[number])
    return _Bodies(column, row, size, feet, feet + eyes, feet + height)


Pairs = tuple[Indexes, Indexes]
"""Numbers of observers and of their targets among some bodies."""


def _lines(stops: Obstructions, bodies: _Bodies, pairs: Pairs, points: Sequence[tuple[int, int]]) -> RayBatch:
    """Lines from the observers to points of their targets: all pairs for the first point, then all for the second."""
    one, other = (np.tile(numbers, len(points)) for numbers in pairs)
    side = bodies.size[other]
    x, y = np.repeat(np.array(points, np.intp), len(pairs[0]), axis=0).T
    return rays(
        stops.layers,
        (8 * bodies.column[one] + 4 * bodies.size[one], 8 * bodies.row[one] + 4 * bodies.size[one]),
        (8 * bodies.column[other] + (4 + x) * side, 8 * bodies.row[other] + (4 + y) * side),
        (bodies.eyes[one], bodies.feet[other], bodies.crown[other], bodies.eyes[other]),
        bodies.size[one],
        (bodies.column[other], bodies.row[other], side),
    )


def _fill(
    answer: Sightings,
    battlefield: Battlefield,
    stops: Obstructions,
    bodies: _Bodies,
    pairs: Pairs,
    rows: int = 0,
) -> None:
    """Puts some pairs into an answer that says of them that all is seen.

    Args:
        rows: the number of observers, when the targets come after them among the bodies; 0 when both are the same
            bodies and the pairs are to be looked at both ways.
    """
    if not len(pairs[0]):
        return
    one, other = pairs
    directed = pairs if rows else (np.concatenate((one, other)), np.concatenate((other, one)))
    middles = _lines(stops, bodies, directed, BODY_POINTS[:1])
    there = chosen(middles, slice(len(one)))
    if stops.layers.smoke is not None:
        answer.smoke[one, other - rows] = smoke_on(stops.layers, there)
        if not rows:
            answer.smoke[other, one] = answer.smoke[one, other]
    plain = (bodies.eyes >= bodies.feet) & (bodies.eyes <= bodies.crown)
    narrow = has_corridor(there) & plain[one] & plain[other]
    if not rows:
        narrow = np.concatenate((narrow, narrow))
    if narrow.any():
        which = np.flatnonzero(narrow)
        _decide(answer, stops, _chosen(directed, which), rows, chosen(middles, which))
    if not narrow.all():
        _decide_whole(answer, stops, bodies, _chosen(directed, np.flatnonzero(~narrow)), rows)
    if stops.layers.smoke is not None and battlefield.smoke_opacity.obscures:
        _obscure(answer, battlefield.smoke_opacity, (directed[0], directed[1] - rows))


def _obscure(answer: Sightings, opacity: SmokeOpacity, places: Pairs) -> None:
    """Lets smoke obscure what was decided for clear air, at some places of the answer."""

    def smoke() -> Heights:
        return answer.smoke[places]

    answer.visible[places] = opacity.visible(answer.visible[places], smoke)
    answer.clear[places] = opacity.clear(answer.clear[places], smoke)


def _chosen(pairs: Pairs, which: Indexes) -> Pairs:
    return pairs[0][which], pairs[1][which]


def _put(answer: Sightings, pairs: Pairs, rows: int, visible: Heights, covered: Heights, clear: Flags) -> None:
    place = pairs[0], pairs[1] - rows
    answer.visible[place], answer.covered[place], answer.clear[place] = visible, covered, clear


def _decide_whole(answer: Sightings, stops: Obstructions, bodies: _Bodies, pairs: Pairs, rows: int) -> None:
    """Decides pairs strip by strip from end to end."""
    lines = _lines(stops, bodies, pairs, BODY_POINTS)
    _judge(answer, stops, pairs, rows, lines, hidden(stops.layers, stops.questions, lines))


def _judge(
    answer: Sightings,
    stops: Obstructions,
    pairs: Pairs,
    rows: int,
    lines: RayBatch,
    found: dict[ObstructionLayers, HiddenIntervals],
) -> None:
    """Puts pairs into the answer from what is hidden on their lines."""
    count = len(BODY_POINTS)
    seen, shot = (
        share(lines, found[question]).reshape(count, -1).sum(axis=0) / count for question in (stops.sight, stops.shots)
    )
    _put(answer, pairs, rows, 1 - seen, shot, ~is_hidden(lines, found[stops.mutual])[: len(seen)])


def _decide(answer: Sightings, stops: Obstructions, pairs: Pairs, rows: int, middles: RayBatch) -> None:
    """Decides pairs that have a corridor.

    Args:
        pairs: all pairs, then all of them the other way if that is asked.
        middles: the lines between their middles.
    """
    count = len(middles) // (1 if rows else 2)
    returns = None if rows else chosen(middles, slice(count, None))
    batch: list[Suspects] = []
    amount = 0
    for found in suspects(stops, chosen(middles, slice(count)), returns):
        batch.append(found)
        amount += len(found.pair)
        if amount >= BATCH:
            _settle(answer, stops, pairs, rows, middles, batch)
            batch, amount = [], 0
    if batch:
        _settle(answer, stops, pairs, rows, middles, batch)


def _settle(
    answer: Sightings, stops: Obstructions, pairs: Pairs, rows: int, middles: RayBatch, batch: Sequence[Suspects]
) -> None:
    """Decides the suspects of a batch.

    Args:
        pairs: all pairs, then all of them the other way if that is asked.
        middles: the lines between their middles.
        batch: of pairs by their numbers, counted without those the other way.
    """
    pair, strip, top, there, back, hidden_there, hidden_back = (
        np.concatenate(arrays) for arrays in zip(*map(astuple, batch), strict=True)
    )
    behind = len(middles) // (1 if rows else 2)
    shut = np.concatenate((hidden_there, hidden_back + behind))
    _put(answer, _chosen(pairs, shut), rows, np.zeros(1), np.ones(1), np.zeros(1, bool))
    is_open = np.ones(len(middles), bool)
    is_open[shut] = False
    there, back = np.flatnonzero(there), np.flatnonzero(back)
    which = np.concatenate((pair[there], pair[back] + behind))
    strip = np.concatenate((strip[there], middles.strips[pair[back]] - 1 - strip[back]))
    top = np.concatenate((top[there], top[back]))
    left = np.flatnonzero(is_open[which] & (strip >= 0))
    if not len(left):
        return
    which, strip, top = which[left], strip[left], top[left]
    starts = starts_of(which)
    group = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(which))))
    lines = spread_out(chosen(middles, which[starts]), BODY_POINTS)
    _judge(
        answer,
        stops,
        _chosen(pairs, which[starts]),
        rows,
        lines,
        inspected(stops, lines, len(BODY_POINTS), group, strip, top),
    )
