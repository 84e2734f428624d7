"""What one body sees of bodies on some squares, line by line: for what the fan is not made for, or leaves open."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.geometry.batch_sight.batch_lines import Flags, rays
from engine.geometry.batch_sight.horizons import hidden, is_hidden, share, smoke_on
from engine.geometry.batch_sight.obstructions import Obstructions
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.field_of_view.fan_rays import Offsets
from engine.geometry.los.arrays import Heights, Indexes
from engine.geometry.obstacles import feet_of

BATCH = 10_000
"""Squares that are asked about together."""


class Rest(NamedTuple):
    """One entry for each square asked about."""

    visible: Heights
    covered: Heights
    clear: Flags
    smoke: Heights


class Asked(NamedTuple):
    """Who looks at whom, and past what."""

    battlefield: Battlefield
    stops: Obstructions
    observer: Body
    like: Body
    """Where it is does not matter."""
    offsets: Offsets


def one_by_one(ask: Asked, column: Indexes, row: Indexes) -> Rest:
    """What is seen of a body on each of some squares.

    Args:
        ask: what is asked.
        column, row: the footprints' north-west squares; the footprints lie on the map.
    """
    starts = range(0, len(column), BATCH)
    found = [_batch(ask, column[start : start + BATCH], row[start : start + BATCH]) for start in starts]
    return Rest(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _batch(ask: Asked, column: Indexes, row: Indexes) -> Rest:
    battlefield, stops, observer, like, offsets = ask
    field, size, count = stops.layers, like.size, len(offsets)
    under = [field.ground[(row + y + 1) * field.width + column + x + 1] for y in range(size) for x in range(size)]
    feet = np.maximum.reduce(under) + like.altitude
    eye = float(feet_of(battlefield, observer) + observer.eyes)

    def every(values: Heights) -> Heights:
        return np.tile(values, count)

    x, y = np.repeat(np.array(offsets, np.intp), len(column), axis=0).T
    wide, tall = np.tile(column, count), np.tile(row, count)
    ones = np.ones(len(wide), np.intp)
    found = rays(
        field,
        (ones * (8 * observer.at.column + 4 * observer.size), ones * (8 * observer.at.row + 4 * observer.size)),
        (8 * wide + (4 + x) * size, 8 * tall + (4 + y) * size),
        (ones * eye, every(feet), every(feet + max(like.height, 1)), every(feet + like.eyes)),
        ones * observer.size,
        (wide, tall, ones * size),
    )
    answers = hidden(field, stops.questions, found)
    seen, shot = (
        share(found, answers[question]).reshape(count, -1).sum(axis=0) / count
        for question in (stops.sight, stops.shots)
    )
    clear = ~is_hidden(found, answers[stops.mutual])[: len(column)]
    smoke = smoke_on(field, found)[: len(column)]
    return Rest(1 - seen, shot, clear, smoke)
