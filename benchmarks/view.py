"""The binary field of view against libtcod's symmetric shadowcasting, on the same squares from the same observer.

The peer takes whole squares and nothing thin on edges, and its pillars are a little slimmer; both see the whole map.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from tcod.constants import FOV_SYMMETRIC_SHADOWCAST
from tcod.map import compute_fov

from benchmarks.fields import CLOSED, KINDS, generated, inside
from benchmarks.measure import Row, ratio
from engine.geometry.body import body
from engine.geometry.visibility.height_cut import plan
from engine.geometry.visibility.shadowcast import seen_from

SIDES = (100, 200, 500)
CLOSED_LIMIT, OPEN_LIMIT = 15, 35


def rows() -> Iterable[Row]:
    """F5 for every kind of map; uneven ground is cut at the height of the observer's eye."""
    for side in SIDES:
        for kind in KINDS:
            yield _field_of_view(kind, side)


def _field_of_view(kind: str, side: int) -> Row:
    field = generated(kind, side)
    observer = inside(field)
    level = field.elevation_at(observer) + body(observer, field.unit).eyes
    ours = plan(field, "blocks_sight", level)
    clear = [
        elevation + ground.height * ground.blocks_sight <= level
        for elevation, ground in zip(field.elevation, (field.legend[number] for number in field.ground), strict=True)
    ]
    transparent = np.array(clear).reshape(side, side)
    return ratio(
        "F5",
        f"field of view, {kind} {side}²",
        lambda: seen_from(ours, observer),
        lambda: compute_fov(transparent, (observer.row, observer.column), 0, True, FOV_SYMMETRIC_SHADOWCAST),
        CLOSED_LIMIT if kind in CLOSED else OPEN_LIMIT,
    )
