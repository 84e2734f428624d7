"""The field of view of one body over every square: `sight.trace` for all targets at once, exactly, with NumPy.

A fan of rays brackets the horizon of every body point between two slopes; points whose visible share is the same for
both are decided, the others look again at the few strips that can matter. Nothing is estimated in the end: every share
is that of the trace, up to the last rounding, and every flag is the trace's. What the fan is not made for, a body whose
middle is a corner of the grid or things that float, is looked at line by line.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from engine.field.battlefield import Battlefield
from engine.field.crowd.obstructions import obstructions
from engine.field.fan.blockers import blockers
from engine.field.fan.blocks import Flags, Looked
from engine.field.fan.rays import frames, rays
from engine.field.fan.rest import Asked, one_by_one
from engine.field.fan.seen import seen
from engine.field.fan.smoke import smoke_everywhere
from engine.field.layers import HIGH, Heights, Indexes, Layers
from engine.field.sight import POINTS
from engine.field.silhouette import Body
from engine.field.solids import feet_of
from engine.field.squares import Square
from engine.frozen import dataclass

REUSED = 4 << 20
"""Bytes. Once a piece of memory as large as this was given back, the C library keeps smaller ones at hand instead of
asking the system for each anew, which took a fifth of the time. Nothing is written to it."""

np.empty(REUSED, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Overlook:
    """What one body sees of a body on every square: arrays of rows by columns.

    Where the looked-at body would not fit on the map, nothing is seen of it.
    """

    visible: Heights
    """Share that the observer sees, 0 to 1."""
    covered: Heights
    """Share that a shot cannot reach."""
    clear: Flags
    """Whether the line from eye to eye is free."""
    smoke: Heights
    """Length of the line between the centres through smoke times its density, in squares."""
    light: npt.NDArray[np.intp]
    """Index into LIGHTS; may be the map's own layer, which cannot be written to."""


def overlook(
    battlefield: Battlefield,
    observer: Body,
    like: Body,
    *,
    points: int = 5,
    reach: int | None = None,
    obstacles: Collection[Body] = (),
) -> Overlook:
    """What the observer would see of a body like `like` on each square.

    Args:
        battlefield: its layers are made at the first question and kept.
        observer: who looks, from the middle of its footprint.
        like: size, altitude, height and eyes of the body looked at; where it is does not matter.
        points: body points that are looked at: 1, 5 or 9.
        reach: squares that lie more columns or rows than this from the observer's are not seen; None: no end.
        obstacles: bodies of others that hide and protect.

    Raises:
        OffMap: a square of the observer's footprint, or of an obstacle's, is outside.
        ValueError: there is no such choice of points.
    """
    if points not in POINTS:
        raise ValueError(f"{points} is not one of {', '.join(map(str, POINTS))} body points")
    stops = obstructions(battlefield, obstacles)
    field = stops.layers
    eye = float(feet_of(battlefield, observer) + observer.eyes)
    ask = Asked(battlefield, stops, observer, like, POINTS[points])
    if not _fits(field, observer, like, eye):
        return _without_fan(ask, reach)
    half = observer.size // 2
    middle = Square(observer.at.column + half, observer.at.row + half)
    around = frames(field, middle, reach)
    table = rays(int(around.depth.max(initial=1)), POINTS[points])
    looked = Looked(float(like.altitude), float(max(like.height, 1)), float(like.eyes))
    halves = blockers(battlefield, field, observer, obstacles)
    answers = {kind: seen(field, halves[kind], around, table, eye, looked) for kind in halves}
    sight, mutual, shots = (answers[kind] for kind in (field.sight, field.mutual, field.shots))
    visible = field.inner(sight.share).copy()
    covered = 1 - field.inner(shots.share)
    smoke = np.zeros_like(visible) if field.smoke is None else field.inner(smoke_everywhere(field.smoke, around, table))
    answer = Overlook(visible, covered, field.inner(mutual.clear).copy(), smoke, field.light)
    unsure = sight.unsure | mutual.unsure | shots.unsure
    if any(feet_of(battlefield, body) == eye for body in obstacles):
        level = field.inner(field.ground) + like.altitude + like.eyes == eye  # a line may run between sole and ground
        unsure |= {field.index(Square(int(column), int(row))) for row, column in np.argwhere(level)}
    if unsure:
        row, column = np.divmod(np.array(sorted(unsure)), field.width)
        _decide(answer, ask, column - 1, row - 1)
    return answer


def _fits(field: Layers, observer: Body, like: Body, eye: float) -> bool:
    """Whether the fan is made for these bodies."""
    heights = 0 <= like.eyes < max(like.height, 1) and like.altitude >= 0 and min(observer.altitude, observer.eyes) >= 0
    top = field.highest + like.altitude + like.height
    return heights and like.size == 1 and observer.size % 2 == 1 and max(eye, top) < HIGH


def _without_fan(ask: Asked, reach: int | None) -> Overlook:
    """The whole answer, square by square."""
    field, like, at = ask.stops.layers, ask.like, ask.observer.at
    shape = field.rows, field.columns
    light = field.light.copy()
    for down, across in np.ndindex(like.size, like.size):
        lit = light[: field.rows - down, : field.columns - across]
        np.maximum(lit, field.light[down:, across:], out=lit)
    answer = Overlook(np.zeros(shape), np.ones(shape), np.zeros(shape, np.bool_), np.zeros(shape), light)
    far = max(shape) if reach is None else reach
    half = ask.observer.size // 2
    row, column = np.indices((max(field.rows - like.size + 1, 0), max(field.columns - like.size + 1, 0))).reshape(2, -1)
    near = (np.abs(row - at.row - half) <= far) & (np.abs(column - at.column - half) <= far)
    if near.any():
        _decide(answer, ask, column[near], row[near])
    return answer


def _decide(answer: Overlook, ask: Asked, column: Indexes, row: Indexes) -> None:
    """Puts what is asked square by square into the answer."""
    found = one_by_one(ask, column, row)
    answer.visible[row, column], answer.covered[row, column] = found.visible, found.covered
    answer.clear[row, column], answer.smoke[row, column] = found.clear, found.smoke
