"""B1: a blast with walls around it, against tcod's SYMMETRIC field of view over the whole map."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import tcod.constants
import tcod.map

from benchmarks.fields import generated
from benchmarks.measure import Row, ratio
from engine.geometry.battlefield import Battlefield
from engine.geometry.blast.blast import blast
from engine.geometry.squares import Square

SIDE = 200
RADII = (4, 8, 12)
LIMIT = 0.5


def rows() -> Iterator[Row]:
    """Radius 4 to 12 in the middle of a map without walls, and of one with a pillar on every hundredth square."""
    for kind in ("open", "scattered"):
        field = generated(kind, SIDE)
        for radius in RADII:
            yield _row(field, radius)


def _row(field: Battlefield, radius: int) -> Row:
    centre = Square(SIDE // 2, SIDE // 2)
    clear = np.array([not field.legend[ground].contains_blast for ground in field.ground]).reshape(SIDE, SIDE)

    def ours() -> object:
        return blast(field, centre, radius)

    def peer() -> object:
        symmetric = tcod.constants.FOV_SYMMETRIC_SHADOWCAST
        return tcod.map.compute_fov(clear, (centre.row, centre.column), algorithm=symmetric)

    return ratio("B1", f"blast of radius {radius}, {field.name}²", ours, peer, LIMIT)
