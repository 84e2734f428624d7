"""B1: a blast with walls around it, against tcod's SYMMETRIC field of view over the same window; on uneven ground
against a plain walker of the same blast."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import tcod.constants
import tcod.map

from benchmarks.fields import generated
from benchmarks.measure import Row, ratio
from benchmarks.peers import sight_walker
from benchmarks.peers.walked_map import scratch, walk_keys, walked_map
from engine.geometry.battlefield import Battlefield
from engine.geometry.blast.blast import blast
from engine.geometry.body import middle_height
from engine.geometry.squares import Square
from tests.engine.geometry.sight_judge import BEFORE

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
    """As for a blast everybody's own ground is in the way, the keys are those of the model before."""
    question = (
        walked_map(field, "blast"),
        walk_keys(field, BEFORE),
        scratch(),
        (CENTRE.column, CENTRE.row),
        radius,
        middle_height(field),
        field.square_size,
    )
    walked = sight_walker.blast(*question)
    squares = {Square(CENTRE.column - radius + x, CENTRE.row - radius + y) for y, x in np.argwhere(walked).tolist()}
    if squares != set(blast(field, CENTRE, radius)):
        raise AssertionError(f"blast of radius {radius}, {field.name}: unlike the walker's")
    what = f"blast of radius {radius}, {field.name}², against the walker"
    return ratio("B1", what, lambda: blast(field, CENTRE, radius), lambda: sight_walker.blast(*question), 2)
