"""The field of view of one body over every square: F1 to F4."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import numpy as np
import numpy.typing as npt
import tcod.constants
import tcod.los
import tcod.map
from engine.geometry.field_of_view.all_squares import overlook
from engine.geometry.los.arrays import layers

from benchmarks.fields import CLOSED, KINDS, generated
from benchmarks.measure import Row, medians, ratio
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.squares import Square
from tests.engine.geometry.test_fan import asymmetric_pairs, differing_squares

SIDES = (100, 200, 500)
OPEN_LIMIT = {100: 110, 200: 110, 500: 130}
CLOSED_LIMIT = {100: 65, 200: 55, 500: 20}
RAYS_LIMIT = {100: 12, 200: 18, 500: 35}
SAMPLE = 400
"""Squares that a slow peer is measured on; its time is scaled up."""


def rows() -> Iterable[Row]:
    """F1 and F2 on every kind and size of map, F3 on the open kinds, F4 on small maps at random."""
    for side in SIDES:
        for kind in KINDS:
            field = generated(kind, side)
            yield _against_flat(field, kind, side)
            yield _against_rays(field, kind, side)
    for kind in KINDS:
        yield _by_range(kind)
    yield Row("F4", "squares unlike the judge's, 60 maps", "", "", differing_squares(range(60)), 0, "squares")
    yield Row("F4", "pairs clear one way only, 60 maps", "", "", asymmetric_pairs(range(60)), 0, "pairs")


def _middle(field: Battlefield) -> Body:
    return body(Square(field.columns // 2, field.rows // 2), field.unit)


def overlay(field: Battlefield, observer: Body, reach: int | None = None) -> tuple[object, ...]:
    """All that is known of somebody like the observer on every square: what is worked out when asked for, too."""
    found = overlook(field, observer, observer, reach=reach)
    return found.visible, found.covered, found.clear, found.smoke


def _against_flat(field: Battlefield, kind: str, side: int) -> Row:
    """F1: tcod's symmetric shadow casting, flat and binary: what reaches up to the eye is opaque."""
    observer = _middle(field)
    limit = (CLOSED_LIMIT if kind in CLOSED else OPEN_LIMIT)[side]
    what = f"five-point overlay against tcod SYMMETRIC, {kind} {side}²"
    return ratio("F1", what, lambda: overlay(field, observer), _flat(field, observer), limit)


def _flat(field: Battlefield, observer: Body) -> Callable[[], object]:
    column, row = observer.at
    found = layers(field)
    eye = field.elevation_at(observer.at) + observer.eyes
    see_through = np.ascontiguousarray(found.inner(found.sight.tops) < eye)
    see_through[row, column] = True
    how = tcod.constants.FOV_SYMMETRIC_SHADOWCAST
    return lambda: tcod.map.compute_fov(see_through, (row, column), 0, True, how)


def _against_rays(field: Battlefield, kind: str, side: int) -> Row:
    """F2: one ray of tcod's for each square, its horizon with NumPy; ours has five points."""
    observer = _middle(field)
    found = layers(field)
    eye = float(field.elevation_at(observer.at) + observer.eyes)
    tops, ground = found.inner(found.sight.tops), found.inner(found.ground)
    random = Random(side)
    squares = [(random.randrange(side), random.randrange(side)) for _ in range(SAMPLE)]

    def peer() -> None:
        for column, row in squares:
            _one_ray(tops, ground, observer, eye, column, row)

    mine, theirs = medians(lambda: overlay(field, observer), peer, rounds=5)
    theirs *= side * side / SAMPLE
    what = f"five-point overlay against one tcod ray a square, {kind} {side}²"
    return Row("F2", what, f"{mine * 1000:.3f} ms", f"{theirs * 1000:.1f} ms", mine / theirs, 1 / RAYS_LIMIT[side])


def _one_ray(
    tops: npt.NDArray[np.floating], ground: npt.NDArray[np.floating], observer: Body, eye: float, column: int, row: int
) -> float:
    """Share of a body seen, about: by the squares of a drawn line."""
    line = tcod.los.bresenham(observer.at, (column, row))
    if len(line) < 3:
        return 1.0
    between = line[1:-1]
    away = np.arange(1, len(between) + 1)
    horizon = ((tops[between[:, 1], between[:, 0]] - eye) / away).max()
    foot = ground[row, column]
    lowest = eye + horizon * (len(between) + 1)
    return float(min(max((foot + observer.height - max(lowest, foot)) / observer.height, 0.0), 1.0))


def _by_range(kind: str) -> Row:
    """F3: what is seen within 60 squares must not cost more on a larger map."""
    large, small = generated(kind, 500), generated(kind, 200)
    mine, theirs = _middle(large), _middle(small)
    what = f"within 60 squares, {kind} 500² against 200²"

    def near() -> object:
        return overlay(large, mine, reach=60)

    return ratio("F3", what, near, lambda: overlay(small, theirs, reach=60), 1.3)
