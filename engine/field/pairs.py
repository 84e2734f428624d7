"""Sight and cover among many bodies at once, exactly what `sight.trace` says of each pair. See `horizons`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from engine.field.battlefield import Battlefield
from engine.field.horizons import hidden, is_hidden, share, smoke_on
from engine.field.layers import Heights, Indexes
from engine.field.obstructions import Obstructions, feet_of, obstructions
from engine.field.rays import Flags, Rays, rays
from engine.field.sight import BODY_POINTS
from engine.field.silhouette import Body


@dataclass(frozen=True, slots=True, eq=False)
class Sightings:
    """What each observer (row) sees of each target (column)."""

    visible: Heights
    """Share of the target that is seen, 0 to 1."""
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
    one, other = _Bodies.of(battlefield, observers), _Bodies.of(battlefield, targets)
    shape = len(observers), len(targets)
    answer = Sightings(np.ones(shape), np.zeros(shape), np.ones(shape, bool), np.zeros(shape))
    rows, columns = (pair.ravel() for pair in np.indices(shape))
    _trace(stops, one, other, rows, columns, answer)
    return answer


@dataclass(frozen=True, slots=True, eq=False)
class _Bodies:
    """Bodies as arrays."""

    column: Indexes
    row: Indexes
    size: Indexes
    feet: Heights
    eyes: Heights
    crown: Heights

    @classmethod
    def of(cls, battlefield: Battlefield, bodies: Sequence[Body]) -> _Bodies:
        feet = np.array([feet_of(battlefield, body) for body in bodies], np.float64)
        where = np.array([(*body.at, body.size) for body in bodies], np.intp).reshape(-1, 3)
        heights = np.array([(body.eyes, max(body.height, 1)) for body in bodies], np.float64).reshape(-1, 2)
        column, row, size = where.T
        return cls(column, row, size, feet, feet + heights[:, 0], feet + heights[:, 1])

    def middle(self, which: Indexes) -> tuple[Indexes, Indexes]:
        half = 4 * self.size[which]
        return 8 * self.column[which] + half, 8 * self.row[which] + half


def _rays(
    stops: Obstructions,
    one: _Bodies,
    other: _Bodies,
    rows: Indexes,
    columns: Indexes,
    body_points: Sequence[tuple[int, int]],
) -> Rays:
    """Lines to the points of each pair's target, one pair after the other."""
    count = len(body_points)
    x, y = other.middle(columns)
    side = other.size[columns]
    points = np.array(body_points)
    end_x = (x[:, None] + side[:, None] * points[:, 0]).ravel()
    end_y = (y[:, None] + side[:, None] * points[:, 1]).ravel()
    rows, columns = np.repeat(rows, count), np.repeat(columns, count)
    return rays(
        stops.layers,
        one.middle(rows),
        (end_x, end_y),
        (one.eyes[rows], other.feet[columns], other.crown[columns], other.eyes[columns]),
        one.size[rows],
        (other.column[columns], other.row[columns], other.size[columns]),
    )


def _trace(
    stops: Obstructions, one: _Bodies, other: _Bodies, rows: Indexes, columns: Indexes, answer: Sightings
) -> None:
    """Fills in the answer for some pairs, line by line and strip by strip."""
    lines = _rays(stops, one, other, rows, columns, BODY_POINTS)
    questions = stops.questions
    found = dict(zip(questions, hidden(stops.layers, questions, lines), strict=True))
    count = len(BODY_POINTS)
    answer.visible[rows, columns] = 1 - share(lines, found[stops.sight]).reshape(-1, count).mean(axis=1)
    answer.covered[rows, columns] = share(lines, found[stops.shots]).reshape(-1, count).mean(axis=1)
    answer.clear[rows, columns] = ~is_hidden(lines, found[stops.mutual])[::count]
    if stops.layers.smoke is not None:
        answer.smoke[rows, columns] = smoke_on(stops.layers, _rays(stops, one, other, rows, columns, BODY_POINTS[:1]))


def moved(sightings: Sightings, battlefield: Battlefield, bodies: Sequence[Body], index: int) -> Sightings:
    """The answer for all bodies among themselves after one of them changed: its row and column alone are made anew.

    Args:
        sightings: of `between` for the bodies as they were, without obstacles.
        battlefield: unchanged since.
        bodies: as they are now.
        index: which of them changed.

    Raises:
        OffMap: that body is outside.
    """
    changed = bodies[index : index + 1]
    row, column = between(battlefield, changed, bodies), between(battlefield, bodies, changed)
    answer = Sightings(
        sightings.visible.copy(), sightings.covered.copy(), sightings.clear.copy(), sightings.smoke.copy()
    )
    for name in ("visible", "covered", "clear", "smoke"):
        getattr(answer, name)[:, index] = getattr(column, name)[:, 0]
        getattr(answer, name)[index] = getattr(row, name)[0]
    return answer
