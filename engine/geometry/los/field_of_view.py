"""What one body sees of a body on every square, what all bodies see of each other, and one that moved.

The kernel answers, and the tracer where the kernel does not: without a compiled kernel that is everything.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.kernel import questions as kernel
from engine.geometry.los.sight import trace
from engine.geometry.squares import Square
from engine.values import replace

Shares = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.intp]


class FieldOfView(Struct, frozen=True, eq=False):
    """What one observer would see of a body on every square: arrays of rows by columns."""

    visible: Shares
    """Share of the body that the observer sees, through smoke too; 0 where the body would not fit on the map, NaN where
    nobody has looked yet."""
    covered: Shares
    """Share of the body that a shot cannot reach; 1 and NaN there."""


class Sightings(Struct, frozen=True, eq=False):
    """What some bodies see of others: observers by targets. Of oneself one sees everything."""

    visible: Shares
    covered: Shares


TRACED: Cache[dict[Square, tuple[float, float]]] = Cache(8)
"""Shares that the tracer gave for the last fields of view, by square."""


def overlook(
    battlefield: Battlefield,
    observer: Body,
    like: Body,
    *,
    within: tuple[Square, Square] | None = None,
    obstacles: Collection[Body] = (),
    most: int | None = None,
) -> FieldOfView:
    """What the observer would see of a body like `like` on each square.

    Args:
        battlefield: its arrays are made at the first question and kept.
        observer: who looks.
        like: all of the body looked at but where it is.
        within: the first and the last square of a part of the map that may hang over its border; squares outside of it
            are not seen. None: the whole map.
        obstacles: bodies of others that hide and protect.
        most: how many squares the tracer is asked about at most, row by row; the next call goes on. None: all.

    Raises:
        OffMap: a square of the observer's footprint, or of an obstacle's, is outside.
    """
    field, shape = battlefield, (battlefield.rows, battlefield.columns)
    answer = FieldOfView(np.zeros(shape), np.ones(shape))
    (left, top), (right, bottom) = within or (Square(0, 0), Square(*shape[::-1]))
    first = Square(max(left, 0), max(top, 0))
    last = Square(min(right, field.columns - like.size), min(bottom, field.rows - like.size))
    if last.column < first.column or last.row < first.row:
        return answer
    found = kernel.overlooked(field, observer, like, (first, last), obstacles)
    part = np.s_[first.row : last.row + 1, first.column : last.column + 1]
    answer.visible[part], answer.covered[part] = found
    unanswered = [Square(int(column), int(row)) for row, column in np.argwhere(np.isnan(answer.visible))]
    if unanswered:
        layers = field.legend, field.ground, field.elevation, field.smoke, field.barriers
        asked = shape, field.sight, field.smoke_opacity, observer, like, tuple(obstacles)
        known = TRACED.get(layers, asked, dict)
        new = [square for square in unanswered if square not in known][:most]
        known |= {square: _traced(field, observer, replace(like, at=square), obstacles) for square in new}
        for square in unanswered:
            at = square.row, square.column
            answer.visible[at], answer.covered[at] = known.get(square, (np.nan, np.nan))
    return answer


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
        pairs = row, column = np.indices(shape).reshape(2, -1)
        answer.visible[row, column], answer.covered[row, column] = kernel.of_pairs(
            battlefield, observers, targets, (row, column), obstacles
        )
        _trace_rest(answer, battlefield, observers, targets, zip(*pairs, strict=True), obstacles)
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
    pairs: tuple[Indexes, Indexes],
    obstacles: Collection[Body],
) -> None:
    """Puts some pairs of bodies into an answer, both ways."""
    row, column = pairs
    if len(row):
        there, back = kernel.both_ways(battlefield, everybody, pairs, obstacles)
        answer.visible[row, column], answer.covered[row, column] = there
        answer.visible[column, row], answer.covered[column, row] = back
        both = [*zip(row, column, strict=True), *zip(column, row, strict=True)]
        _trace_rest(answer, battlefield, everybody, everybody, both, obstacles)


def _trace_rest(
    answer: Sightings,
    battlefield: Battlefield,
    observers: Sequence[Body],
    targets: Sequence[Body],
    pairs: Iterable[tuple[Any, Any]],
    obstacles: Collection[Body],
) -> None:
    """Asks the tracer about those of some pairs of numbers that have no answer."""
    if np.isnan(answer.visible).any():
        for row, column in pairs:
            if np.isnan(answer.visible[row, column]):
                traced = _traced(battlefield, observers[row], targets[column], obstacles)
                answer.visible[row, column], answer.covered[row, column] = traced


def _traced(battlefield: Battlefield, observer: Body, target: Body, obstacles: Collection[Body]) -> tuple[float, float]:
    found = trace(battlefield, observer, target, obstacles)
    return float(found.visible), float(found.covered)
