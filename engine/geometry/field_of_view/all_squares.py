"""The field of view of one body over every square: `sight.trace` for all targets at once, exactly, with NumPy.

A fan of rays brackets the horizon of every body point between two slopes; points whose visible share is the same for
both are decided, the others look again at the few strips that can matter. Nothing is estimated in the end: every share
is that of the trace, up to the last rounding, and every flag is the trace's. What the fan is not made for, a body whose
middle is a corner of the grid or things that float, is looked at line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from engine.geometry.batch_sight.obstructions import obstructions
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.field_of_view.blockers import blockers
from engine.geometry.field_of_view.fan_rays import frames, rays
from engine.geometry.field_of_view.scalar_fallback import Asked, Rest, one_by_one
from engine.geometry.field_of_view.smoke_lines import smoke_everywhere
from engine.geometry.field_of_view.strip_blocks import Flags, TargetHeights
from engine.geometry.field_of_view.visible_share import FanAnswer, seen
from engine.geometry.los.arrays import HIGH, Heights, Indexes, Layers, Stops
from engine.geometry.los.sight import POINTS
from engine.geometry.obstacles import feet_of
from engine.geometry.squares import Square
from engine.smoke_opacity import SmokeOpacity

REUSED = 4 << 20
"""Bytes. Once a piece of memory as large as this was given back, the C library keeps smaller ones at hand instead of
asking the system for each anew, which took a fifth of the time. Nothing is written to it."""

np.empty(REUSED, np.uint8)
Layer = TypeVar("Layer", Heights, Flags)


class FieldOfView:
    """Visible share of a body on every square for one observer: arrays of rows by columns, computed on demand.

    Where the looked-at body would not fit on the map, nothing is seen of it.
    """

    def __init__(
        self,
        light: npt.NDArray[np.intp],
        visible: Callable[[], Heights],
        covered: Callable[[], Heights],
        clear: Callable[[], Flags],
        smoke: Callable[[], Heights],
        opacity: SmokeOpacity,
    ) -> None:
        self.light = light
        """Index into LIGHTS; may be the map's own layer, which cannot be written to."""
        self._visible, self._covered, self._clear, self._smoke = visible, covered, clear, smoke
        self._opacity = opacity

    @cached_property
    def visible(self) -> Heights:
        """Share of the body that the observer sees, through smoke too: rows by columns, 0 to 1."""
        return self._opacity.visible(self._visible(), lambda: self.smoke)

    @cached_property
    def covered(self) -> Heights:
        """Share of the body that a shot cannot reach: rows by columns, 0 to 1."""
        return self._covered()

    @cached_property
    def clear(self) -> Flags:
        """Whether the line from eye to eye is free: flags, rows by columns."""
        return self._opacity.clear(self._clear(), lambda: self.smoke)

    @cached_property
    def smoke(self) -> Heights:
        """Length of the line between the centres through smoke times its density: rows by columns, in squares."""
        return self._smoke()


def overlook(
    battlefield: Battlefield,
    observer: Body,
    like: Body,
    *,
    points: int = 5,
    reach: int | None = None,
    obstacles: Collection[Body] = (),
) -> FieldOfView:
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
    target = TargetHeights(float(like.altitude), float(max(like.height, 1)), float(like.eyes))
    level: set[int] = set()
    if any(feet_of(battlefield, body) == eye for body in obstacles):  # a line may run between sole and ground
        at_eyes = field.inner(field.ground) + like.altitude + like.eyes == eye
        level = {field.index(Square(int(column), int(row))) for row, column in np.argwhere(at_eyes)}

    @cache
    def answer(stops: Stops) -> FanAnswer:
        halves = blockers(battlefield, field, stops, observer, obstacles)
        return seen(field, halves, around, table, eye, target)

    @cache
    def rest(unsure: frozenset[int]) -> tuple[Indexes, Indexes, Rest]:
        row, column = np.divmod(np.array(sorted(unsure)), field.width)
        return row - 1, column - 1, one_by_one(ask, column - 1, row - 1)

    def decided(found: Layer, stops: Stops, layer: Callable[[Rest], Layer]) -> Layer:
        """With the squares that the fan leaves open looked at line by line."""
        unsure = frozenset(answer(stops).unsure | level)
        if unsure:
            row, column, one = rest(unsure)
            found[row, column] = layer(one)
        return found

    def visible() -> Heights:
        return decided(field.inner(answer(field.sight).share).copy(), field.sight, lambda one: one.visible)

    def covered() -> Heights:
        return decided(1 - field.inner(answer(field.shots).share), field.shots, lambda one: one.covered)

    def clear() -> Flags:
        return decided(field.inner(answer(field.mutual).clear).copy(), field.mutual, lambda one: one.clear)

    def smoke() -> Heights:
        if field.smoke is None:
            return np.zeros((field.rows, field.columns))
        return field.inner(smoke_everywhere(field.smoke, around, table))

    return FieldOfView(field.light, visible, covered, clear, smoke, battlefield.smoke_opacity)


def _fits(field: Layers, observer: Body, like: Body, eye: float) -> bool:
    """Whether the fan is made for these bodies."""
    heights = 0 <= like.eyes < max(like.height, 1) and like.altitude >= 0 and min(observer.altitude, observer.eyes) >= 0
    top = field.highest + like.altitude + like.height
    return heights and like.size == 1 and observer.size % 2 == 1 and max(eye, top) < HIGH


def _without_fan(ask: Asked, reach: int | None) -> FieldOfView:
    """The whole answer, square by square."""
    field, like, at = ask.stops.layers, ask.like, ask.observer.at
    shape = field.rows, field.columns
    light = field.light.copy()
    for down, across in np.ndindex(like.size, like.size):
        lit = light[: field.rows - down, : field.columns - across]
        np.maximum(lit, field.light[down:, across:], out=lit)
    visible, covered, smoke = np.zeros(shape), np.ones(shape), np.zeros(shape)
    clear = np.zeros(shape, np.bool_)
    far = max(shape) if reach is None else reach
    half = ask.observer.size // 2
    row, column = np.indices((max(field.rows - like.size + 1, 0), max(field.columns - like.size + 1, 0))).reshape(2, -1)
    near = (np.abs(row - at.row - half) <= far) & (np.abs(column - at.column - half) <= far)
    if near.any():
        row, column = row[near], column[near]
        found = one_by_one(ask, column, row)
        visible[row, column], covered[row, column] = found.visible, found.covered
        clear[row, column], smoke[row, column] = found.clear, found.smoke
    opacity = ask.battlefield.smoke_opacity
    return FieldOfView(light, lambda: visible, lambda: covered, lambda: clear, lambda: smoke, opacity)
