"""P1, P2: sight and cover among all units at once, against a plain walker of every line of the same model."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from benchmarks.fields import KINDS, OPEN, generated
from benchmarks.measure import Row, medians
from benchmarks.peers import sight_walker
from benchmarks.peers.walked_map import scratch, walk_keys, walked_body, walked_map
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.los.field_of_view import between, moved
from tests.engine.geometry.judged import EXACT, MODEL

SIDE = 200
UNITS = 200


def rows() -> Iterator[Row]:
    """For 200 units on every kind of map."""
    for kind in KINDS:
        yield from _pairs(kind)


def _pairs(kind: str) -> Iterator[Row]:
    field, is_open = generated(kind, SIDE), kind in OPEN
    units = placed(field, UNITS)
    question = (
        walked_map(field),
        walk_keys(field, MODEL),
        scratch(),
        np.stack([walked_body(field, unit, unit.eyes, MODEL) for unit in units]),
    )
    whole, walked = between(field, units, units), sight_walker.all_pairs(*question)
    for mine, theirs in zip((whole.visible, whole.covered), walked, strict=True):
        if (abs(mine - theirs) > EXACT).any():
            raise AssertionError(f"{kind}: pairs unlike the walker's")
    every, one, peer = medians(
        lambda: between(field, units, units),
        lambda: moved(whole, field, units, 7),
        lambda: sight_walker.all_pairs(*question),
        rounds=5,
    )
    peers, share = f"{peer * 1000:.1f} ms", 100 * one / peer
    limits = (2.5, 3) if is_open else (10, 5)
    yield Row("P1", f"{UNITS} units, {kind}", f"{every * 1000:.1f} ms", peers, every / peer, limits[0])
    yield Row("P2", f"one of {UNITS} units moved, {kind}", f"{one * 1000:.2f} ms", peers, share, limits[1], "%")


def placed(field: Battlefield, count: int) -> list[Body]:
    """Standing bodies on different squares that are not filled to the sky."""
    random = Random(f"units {field.name}")
    free = [square for square in field.squares() if not field.ground_at(square).blocks_movement]
    return [body(square, field.unit) for square in random.sample(free, count)]
