"""What one body sees over every square, against a plain walker in C of every line of the same model: F1, F4 and F8.

Ours is held against the walker on every square, and the walker against the judge of sight, which counts in fractions.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from math import inf
from random import Random
from typing import NamedTuple

from benchmarks.answers import Shares, overlook, shares, unlike
from benchmarks.fields import EXTRAS, KINDS, enriched, generated, inside, nearest_free
from benchmarks.journal import resident
from benchmarks.measure import Row, ratio
from benchmarks.peers.walker import Walker
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.squares import Square
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from maps import load_map, shipped_maps
from tests.engine.geometry.drawing import random_crowd
from tests.engine.geometry.judged import MODEL, differing, is_unlike, one_way, places, random_case, viewer_of
from tests.engine.geometry.sight_judge import MapPlan, judge

SHIPPED_MS = 2.5
SIDE, PLAIN_MS, PLAIN_RATIO, RICH_MS = 200, 30, 0.4, 100
LARGE_SIDE, LARGE_MS, ROUGH_MS = 500, 300, 450
MEMORY_MIB = 64
SEEDS = range(60)
SAMPLES = 6
"""Squares of each overlay on which the walker is held against the judge."""


class Markings(NamedTuple):
    """One question: what the observer sees and hits of a body like the other on every square; and its targets."""

    what: str
    field: Battlefield
    observer: Body
    like: Body
    limit_ms: float
    limit: float = inf
    rounds: int = 3

    def ours(self) -> tuple[Shares, Shares]:
        return shares(overlook(self.field, self.observer, self.like))


def rows() -> Iterator[Row]:
    """F1 on the shipped maps and on every kind of map, plain in two sizes and rich in one; F4, mostly on small maps at
    random; F8."""
    misjudged, slowest = 0, ("", 0.0)
    for case in cases():
        walker = Walker(case.field)
        walked = walker.overlay(case.observer, case.like)
        misjudged += _misjudged(case, walked)
        row = ratio(
            "F1",
            f"overlay, {case.what}",
            case.ours,
            lambda case=case, walker=walker: walker.overlay(case.observer, case.like),  # type: ignore[misc]
            case.limit,
            limit_ms=case.limit_ms,
            unlike=unlike(case.ours(), walked),
            rounds=case.rounds,
        )
        slowest = max(slowest, (case.what, row.value), key=lambda one: one[1])
        yield row
    yield Row("F1", f"slowest of these against the walker: {slowest[0]}", "", "", slowest[1], 1)
    yield Row("F4", "answers unlike the judge's, 60 maps", "", "", differing(SEEDS), 0, "answers")
    yield Row("F4", "pairs that may attack one way only, 60 maps", "", "", one_way(SEEDS), 0, "pairs")
    walkers = sum(map(walker_differing, SEEDS))
    yield Row("F4", "the walker's answers unlike the judge's, 60 maps with crowds", "", "", walkers, 0, "answers")
    yield Row("F4", f"the same in F1, {SAMPLES} squares of each", "", "", misjudged, 0, "answers")
    grown, kind = max((_first_look(kind), kind) for kind in KINDS)
    what = f"memory of a first look from a corner of {LARGE_SIDE}², most on {kind}"
    yield Row("F8", what, f"{grown:.1f} MiB", "", grown, MEMORY_MIB, "MiB")


def cases() -> Iterator[Markings]:
    """All overlays of F1. Those of 500² come last, as they take longest."""
    for name, path in shipped_maps().items():
        field = load_map(path).battlefield
        one = body(nearest_free(field), field.unit)
        yield Markings(name, field, one, one, SHIPPED_MS, rounds=15)
    for kind in KINDS:
        plain = generated(kind, SIDE)
        yield _overlay(f"{kind} {SIDE}²", plain, PLAIN_MS, PLAIN_RATIO)
        for extras in EXTRAS:
            yield _overlay(f"{kind} {SIDE}² with {extras.replace(' ', ' and ')}", enriched(plain, extras), RICH_MS)
        yield _overlay(f"{kind} {SIDE}², observer 2×2", plain, RICH_MS, observer=2)
        yield _overlay(f"{kind} {SIDE}², targets 2×2", plain, RICH_MS, like=2)
    for kind in KINDS:
        longest = ROUGH_MS if kind == "rough" else LARGE_MS
        yield _overlay(f"{kind} {LARGE_SIDE}²", generated(kind, LARGE_SIDE), longest)


def _overlay(
    what: str, field: Battlefield, limit_ms: float, limit: float = inf, observer: int = 1, like: int = 1
) -> Markings:
    at = inside(field, max(observer, like))
    one, other = (body(at, field.unit, size=size) for size in (observer, like))
    return Markings(what, field, one, other, limit_ms, limit)


def _misjudged(case: Markings, walked: tuple[Shares, Shares]) -> int:
    """Squares drawn at random of which the walker says otherwise than the judge."""
    random, size = Random(case.what), case.like.size
    columns, rows = case.field.columns - size + 1, case.field.rows - size + 1
    drawn = [Square(random.randrange(columns), random.randrange(rows)) for _ in range(SAMPLES)]
    return _unlike_judge(case.field, case.observer, case.like, drawn, walked)


def _unlike_judge(
    field: Battlefield,
    observer: Body,
    like: Body,
    squares: Iterable[Square],
    walked: tuple[Shares, Shares],
    crowd: Iterable[Body] = (),
) -> int:
    """Squares of an overlay of which the walker says otherwise than the judge."""
    plan, viewer, crowd, count = MapPlan(field), viewer_of(observer, field.unit), list(crowd), 0
    for at in squares:
        answer, _ = judge(plan, viewer, viewer_of(replace(like, at=at), field.unit), MODEL, crowd)
        count += is_unlike(answer, *(layer[at.row, at.column] for layer in walked))
    return count


def walker_differing(seed: int) -> int:
    """How many answers of the walker on a random map with a crowd are unlike the judge's: an overlay, all pairs."""
    field, bodies, _ = random_case(seed)
    random = Random(seed)
    field = replace(field, smoke_opacity=SmokeOpacity(random.choice((None, 0, 1, 2))))
    crowd = random_crowd(random, field)
    walker, plan, like = Walker(field, crowd), MapPlan(field), bodies[1]
    overlay, (visible, covered) = walker.overlay(bodies[0], like), walker.pairs(bodies)
    count = _unlike_judge(field, bodies[0], like, places(field, like), overlay, crowd)
    viewers = [viewer_of(one, field.unit) for one in bodies]
    for one, viewer in enumerate(viewers):
        for other, target in enumerate(viewers[:one]):
            there, back = judge(plan, viewer, target, MODEL, crowd)
            count += is_unlike(there, visible[one, other], covered[one, other])
            count += is_unlike(back, visible[other, one], covered[other, one])
    return count


def _first_look(kind: str) -> float:
    """MiB that a process takes more after its first look from a corner of a map of 500²."""
    script = f"from benchmarks.sight import first_look; print(first_look({kind!r}))"
    return float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)


def first_look(kind: str) -> float:
    field = generated(kind, LARGE_SIDE)
    before = resident()
    one = body(Square(0, 0), field.unit)
    overlook(field, one, one)
    return resident() - before
