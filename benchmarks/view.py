"""The light of a lamp, from middle to middle, against libtcod's symmetric shadowcasting, on the same squares.

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
from engine.geometry.kernel.questions import lit_by
from engine.geometry.squares import Square

SIDES = (100, 200, 500)
CLOSED_LIMIT, OPEN_LIMIT = 15, 35


def rows() -> Iterable[Row]:
    """F5 for every kind of map; of uneven ground the peer has a cut at the height of the lamp."""
    for side in SIDES:
        for kind in KINDS:
            yield _field_of_view(kind, side)


def _field_of_view(kind: str, side: int) -> Row:
    field = generated(kind, side)
    observer = inside(field)
    human = body(observer, field.unit)
    level = field.elevation_at(observer) + human.eyes
    whole = Square(0, 0), Square(side - 1, side - 1)
    clear = [
        elevation + ground.height * ground.blocks_sight <= level
        for elevation, ground in zip(field.elevation, (field.legend[number] for number in field.ground), strict=True)
    ]
    transparent = np.array(clear).reshape(side, side)
    return ratio(
        "F5",
        f"field of view, {kind} {side}²",
        lambda: lit_by(field, human, human, whole),
        lambda: compute_fov(transparent, (observer.row, observer.column), 0, True, FOV_SYMMETRIC_SHADOWCAST),
        CLOSED_LIMIT if kind in CLOSED else OPEN_LIMIT,
    )
