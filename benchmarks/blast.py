"""B1: a blast with walls around it, against tcod's SYMMETRIC field of view over the same window; on uneven ground
against a plain walker in C of the same blast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import tcod.constants
import tcod.map

from benchmarks.fields import generated
from benchmarks.measure import Row, ratio
from benchmarks.peers.walker import Walker
from engine.geometry.battlefield import Battlefield
from engine.geometry.blast.blast import blast
from engine.geometry.squares import Square

SIDE = 200
RADII = (4, 8, 12)
CENTRE = Square(SIDE // 2, SIDE // 2)


def rows() -> Iterator[Row]:
    """Radius 4 to 12 in the middle of a map without walls, of one with a few pillars, and of two that are uneven."""
    for kind in ("open", "scattered"):
        for radius in RADII:
            yield _flat(generated(kind, SIDE), radius)
    for kind in ("elevation", "rough"):
        for radius in RADII:
            yield _uneven(generated(kind, SIDE), radius)


def _flat(field: Battlefield, radius: int) -> Row:
    clear = np.array([not field.legend[ground].contains_blast for ground in field.ground]).reshape(SIDE, SIDE)
    window = slice(CENTRE.row - radius, CENTRE.row + radius + 1)
    near = np.ascontiguousarray(clear[window, window])

    def peer() -> object:
        symmetric = tcod.constants.FOV_SYMMETRIC_SHADOWCAST
        return tcod.map.compute_fov(near, (radius, radius), algorithm=symmetric)

    what = f"blast of radius {radius}, {field.name}², against tcod"
    return ratio("B1", what, lambda: blast(field, CENTRE, radius), peer, 4)


def _uneven(field: Battlefield, radius: int) -> Row:
    walker = Walker(field, blasts=True)
    reached = np.argwhere(walker.blast(CENTRE, radius)).tolist()
    squares = {Square(CENTRE.column - radius + x, CENTRE.row - radius + y) for y, x in reached}
    return ratio(
        "B1",
        f"blast of radius {radius}, {field.name}², against the walker",
        lambda: blast(field, CENTRE, radius),
        lambda: walker.blast(CENTRE, radius),
        2,
        unlike=len(squares.symmetric_difference(blast(field, CENTRE, radius))),
    )
