"""The doors: what one body sees of a body on every square, what all bodies see of each other, and one that moved."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.geometry.batch_sight.layers import Heights, layers
from engine.geometry.batch_sight.line_batch import bodies, everywhere
from engine.geometry.batch_sight.shares import seen, seen_both_ways
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.kernel import questions as kernel
from engine.geometry.squares import Square
from engine.geometry.visibility.lighting import lit

MOST = 8_192
"""Targets looked at in one go, more or less: so much memory is enough for the largest map."""


class FieldOfView(Struct, frozen=True, eq=False):
    """What one observer would see of a body on every square: arrays of rows by columns."""

    visible: Heights
    """Share of the body that the observer sees, through smoke too; 0 where the body would not fit on the map."""
    covered: Heights
    """Share of the body that a shot cannot reach; 1 there."""
    light: npt.NDArray[np.intp]
    """Index into LIGHTS: of the brightest square of the body."""


class Sightings(Struct, frozen=True, eq=False):
    """What some bodies see of others: observers by targets. Of oneself one sees everything."""

    visible: Heights
    covered: Heights


def overlook(
    battlefield: Battlefield,
    observer: Body,
    like: Body,
    *,
    within: tuple[Square, Square] | None = None,
    obstacles: Collection[Body] = (),
) -> FieldOfView:
    """What the observer would see of a body like `like` on each square.

    Args:
        battlefield: its layers are made at the first question and kept.
        observer: who looks.
        like: all of the body looked at but where it is.
        within: the first and the last square of a part of the map that may hang over its border; squares outside of it
            are not seen. None: the whole map.
        obstacles: bodies of others that hide and protect.

    Raises:
        OffMap: a square of the observer's footprint, or of an obstacle's, is outside.
    """
    shape = battlefield.rows, battlefield.columns
    light = np.array(lit(battlefield), np.intp).reshape(shape)
    bright = light.copy()
    for down, across in np.ndindex(like.size, like.size):
        part = bright[: shape[0] - down, : shape[1] - across]
        np.maximum(part, light[down:, across:], out=part)
    visible, covered = np.zeros(shape), np.ones(shape)
    (left, top), (right, bottom) = within or (Square(0, 0), Square(*shape[::-1]))
    columns = np.arange(max(left, 0), min(right + 1, battlefield.columns - like.size + 1))
    rows = np.arange(max(top, 0), min(bottom + 1, battlefield.rows - like.size + 1))
    if not (len(columns) and len(rows)):
        return FieldOfView(visible, covered, bright)
    whole = Square(int(columns[0]), int(rows[0])), Square(int(columns[-1]), int(rows[-1]))
    if (answered := kernel.overlooked(battlefield, observer, like, whole, obstacles)) is not None:
        return FieldOfView(answered.visible, answered.covered, bright)
    found = layers(battlefield, obstacles)
    one, some = bodies(battlefield, [observer]), 1 + MOST // len(columns)
    for start in range(0, len(rows), some):
        row, column = (place.ravel() for place in np.meshgrid(rows[start : start + some], columns, indexing="ij"))
        own = one.chosen(np.zeros(len(row), np.intp))
        answer = seen(battlefield, found, own, everywhere(found, like, column, row))
        visible[row, column], covered[row, column] = answer
    return FieldOfView(visible, covered, bright)


def between(
    battlefield: Battlefield, observers: Sequence[Body], targets: Sequence[Body], obstacles: Collection[Body] = ()
) -> Sightings:
    """Sight and cover from every observer to every target.

    Args:
        battlefield: where they are.
        observers: the rows of the answer; may be empty.
        targets: its columns; may be the same bodies.
        obstacles: bodies that hide and protect others.

    Raises:
        OffMap: a body is outside.
    """
    shape = len(observers), len(targets)
    answer = Sightings(np.ones(shape), np.zeros(shape))
    if list(observers) == list(targets):
        _both_ways(answer, battlefield, observers, np.triu_indices(len(observers), 1), obstacles)
    elif len(observers) and len(targets):
        row, column = np.indices(shape).reshape(2, -1)
        shares = kernel.of_pairs(battlefield, observers, targets, (row, column), obstacles)
        if shares is None:
            one, other = bodies(battlefield, list(observers)), bodies(battlefield, list(targets))
            found = layers(battlefield, obstacles)
            shares = seen(battlefield, found, one.chosen(row), other.chosen(column))
        answer.visible[row, column], answer.covered[row, column] = shares
    return answer


def moved(
    sightings: Sightings,
    battlefield: Battlefield,
    everybody: Sequence[Body],
    index: int,
    obstacles: Collection[Body] = (),
) -> Sightings:
    """The answer for all bodies among themselves after one of them changed: its row and column alone are made anew.

    Args:
        sightings: of `between` for the bodies as they were; stays as it is.
        battlefield: unchanged since.
        everybody: the bodies as they are now.
        index: which of them changed.
        obstacles: as before; the one that moved may not be in anybody's way.

    Raises:
        OffMap: a body is outside.
    """
    answer = Sightings(sightings.visible.copy(), sightings.covered.copy())
    others = np.delete(np.arange(len(everybody)), index)
    _both_ways(answer, battlefield, everybody, (others, np.full(len(others), index)), obstacles)
    return answer


def _both_ways(
    answer: Sightings,
    battlefield: Battlefield,
    everybody: Sequence[Body],
    pairs: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]],
    obstacles: Collection[Body],
) -> None:
    """Puts some pairs of bodies into an answer, both ways."""
    if not len(pairs[0]):
        return
    row, column = pairs
    answered = kernel.both_ways(battlefield, everybody, pairs, obstacles)
    if answered is None:
        found = bodies(battlefield, list(everybody))
        one, other = found.chosen(row), found.chosen(column)
        answered = seen_both_ways(battlefield, layers(battlefield, obstacles), one, other)
    there, back = answered
    answer.visible[row, column], answer.covered[row, column] = there
    answer.visible[column, row], answer.covered[column, row] = back
