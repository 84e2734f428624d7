"""P1, P2: sight and cover among all units at once, against a plain walker in C that walks each pair each way."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from random import Random

from benchmarks.answers import between, moved, shares, unlike
from benchmarks.fields import KINDS, generated
from benchmarks.measure import Row, medians
from benchmarks.peers.walker import Walker
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.values import replace

SIDE = 200
UNITS = 200
LIMIT_MS, ROUGH_MS = 100, 335
MOVED_PERCENT = 5
MOVER = 7


def rows() -> Iterator[Row]:
    """For 200 units on every kind of map."""
    slowest = ("", 0.0)
    for kind in KINDS:
        for row in _pairs(kind):
            if row.unit == "x":
                slowest = max(slowest, (kind, row.value), key=lambda one: one[1])
            yield row
    yield Row("P1", f"slowest of these against the walker: {slowest[0]}", "", "", slowest[1], 1)


def _pairs(kind: str) -> Iterator[Row]:
    field = generated(kind, SIDE)
    *units, free = placed(field, UNITS + 1)
    others = [*units]
    others[MOVER] = replace(units[MOVER], at=free.at)
    walker, whole = Walker(field), between(field, units, units)
    wrong = unlike(shares(whole), walker.pairs(units))
    wrong_moved = unlike(shares(moved(whole, field, others, MOVER)), walker.pairs(others))
    every, one, peer = medians(
        lambda: between(field, units, units),
        lambda: moved(whole, field, others, MOVER),
        lambda: walker.pairs(units),
        rounds=5,
    )
    peers, ms = f"{peer * 1000:.1f} ms", every * 1000
    longest = ROUGH_MS if kind == "rough" else LIMIT_MS
    what = f"{UNITS} units, {kind}"
    yield Row("P1", what, f"{ms:.1f} ms", peers, every / peer, inf, "x", ms, longest, wrong)
    share = 100 * one / peer
    what = f"one of {UNITS} units moved, {kind}, of the walker's time for all pairs"
    yield Row("P2", what, f"{one * 1000:.2f} ms", peers, share, MOVED_PERCENT, "%", unlike=wrong_moved)


def placed(field: Battlefield, count: int) -> list[Body]:
    """Standing bodies on different squares that are not filled to the sky."""
    random = Random(f"units {field.name}")
    free = [square for square in field.squares() if not field.ground_at(square).blocks_movement]
    return [body(square, field.unit) for square in random.sample(free, count)]
