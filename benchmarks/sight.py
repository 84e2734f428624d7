"""What one body sees over every square, against a plain walker of every line of the same model: F1, F3, F4 and F7.

The walker is held against the judge of sight, and ours against the walker on every square, before anything is timed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.fields import EXTRAS, KINDS, OPEN, cropped, enriched, generated, inside
from benchmarks.journal import resident
from benchmarks.measure import Row, ratio
from benchmarks.peers import sight_walker
from benchmarks.peers.walked_map import LINES, scratch, walk_keys, walked_body, walked_like, walked_map
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.los.field_of_view import overlook
from engine.geometry.squares import Square
from engine.values import replace
from tests.engine.geometry.judged import EXACT, MODEL, differing, is_unlike, one_way, viewer_of
from tests.engine.geometry.sight_judge import MapPlan, judge

SIDES = (100, 200, 500)
RICH_SIDE = 200
PLAIN_LIMIT = {100: 1.0, 200: 0.5, 500: 0.5}
RICH_LIMIT = 1.5
LINE_LIMIT = 400
"""Nanoseconds that the walker may take for a line, so that it is a peer."""
Shares = NDArray[np.floating[Any]]


class Markings(NamedTuple):
    """One question: what the observer sees and hits of a body like the other on every square."""

    what: str
    field: Battlefield
    observer: Body
    like: Body

    def ours(self) -> tuple[Shares, Shares]:
        found = overlook(self.field, self.observer, self.like)
        return found.visible, found.covered


def rows() -> Iterator[Row]:
    """F1 on every kind of map, plain in three sizes and rich in one; F3; F4 on small maps at random; F7."""
    yield _nanoseconds_of_a_line()
    for case in cases():
        limit = PLAIN_LIMIT[case.field.columns] if "plain" in case.what else RICH_LIMIT
        yield _against_walker(case, limit)
    for kind in KINDS:
        yield _by_range(kind)
    yield Row("F4", "answers unlike the judge's, 60 maps", "", "", differing(range(60)), 0, "answers")
    yield Row("F4", "pairs that may attack one way only, 60 maps", "", "", one_way(range(60)), 0, "pairs")
    grown = max(_first_look(kind) for kind in OPEN)
    yield Row("F7", "memory of a first look from a corner of 500²", f"{grown:.1f} MiB", "", grown, 64, "MiB")


def cases() -> Iterator[Markings]:
    for kind in KINDS:
        for side in SIDES:
            yield _overlay(f"plain {kind} {side}²", generated(kind, side))
        plain = generated(kind, RICH_SIDE)
        for extras in EXTRAS:
            yield _overlay(f"{kind} {RICH_SIDE}² with {extras.replace(' ', ' and ')}", enriched(plain, extras))
        yield _overlay(f"{kind} {RICH_SIDE}², observer 2×2", plain, observer=2)
        yield _overlay(f"{kind} {RICH_SIDE}², targets 2×2", plain, like=2)


def _overlay(what: str, field: Battlefield, observer: int = 1, like: int = 1) -> Markings:
    at = inside(field, max(observer, like))
    return Markings(what, field, body(at, field.unit, size=observer), body(at, field.unit, size=like))


class Walker:
    """The peer, ready for one question."""

    def __init__(self, case: Markings) -> None:
        self.work = scratch()
        self.question = (
            walked_map(case.field),
            walk_keys(case.field, MODEL),
            self.work,
            walked_body(case.field, case.observer, case.observer.eyes, MODEL),
            walked_like(case.like, case.like.eyes, MODEL),
            max(case.field.columns, case.field.rows),
        )

    def __call__(self) -> tuple[Shares, Shares]:
        return sight_walker.overlay(*self.question)


def _against_walker(case: Markings, limit: float) -> Row:
    walker = Walker(case)
    walked = walker()
    _check_by_judge(case, walked)
    for mine, theirs in zip(case.ours(), walked, strict=True):
        if (differs := int((abs(mine - theirs) > EXACT).sum())) > 0:
            raise AssertionError(f"{case.what}: {differs} squares unlike the walker's")
    return ratio("F1", f"overlay, {case.what}", case.ours, walker, limit, rounds=3)


def _check_by_judge(case: Markings, walked: tuple[Shares, Shares], samples: int = 6) -> None:
    """Hold the walker against the judge on some squares."""
    plan, random, observer = MapPlan(case.field), Random(case.what), viewer_of(case.observer, case.field.unit)
    for _ in range(samples):
        at = Square(*(random.randrange(case.field.columns - case.like.size + 1) for _ in "xy"))
        answer, _ = judge(plan, observer, viewer_of(replace(case.like, at=at), case.field.unit), MODEL)
        visible, covered = (layer[at.row, at.column] for layer in walked)
        if is_unlike(answer, visible, covered):
            raise AssertionError(f"{case.what}, {at.name}: the walker says {visible}, {covered}, the judge {answer}")


def _nanoseconds_of_a_line() -> Row:
    """The quickest of five, by the processor's own time: others on the machine do not make it a worse peer."""
    walker = Walker(_overlay("elevation 200²", generated("elevation", 200)))
    walker()
    taken = []
    for _ in range(5):
        walker.work.counts[LINES] = 0
        start = process_time()
        walker()
        taken.append((process_time() - start) / int(walker.work.counts[LINES]) * 1e9)
    each = min(taken)
    return Row("F1", "the walker, a line, elevation 200²", "", f"{each:.0f} ns", each, LINE_LIMIT, "ns")


def _by_range(kind: str) -> Row:
    """F3: what is seen within 60 squares must not cost more on a larger map; the smaller one is cut out of it."""
    large = generated(kind, 500)
    mine = inside(large)
    small, theirs = cropped(large, mine, 200), Square(100, 100)

    def near(field: Battlefield, at: Square) -> object:
        one = body(at, field.unit)
        around = Square(at.column - 60, at.row - 60), Square(at.column + 60, at.row + 60)
        found = overlook(field, one, one, within=around)
        return found.visible, found.covered

    what = f"within 60 squares, {kind} 500² against 200²"
    return ratio("F3", what, lambda: near(large, mine), lambda: near(small, theirs), 1.5)


def _first_look(kind: str) -> float:
    """MiB that a process takes more after its first look from a corner of a map of 500²."""
    script = f"from benchmarks.sight import first_look; print(first_look({kind!r}))"
    return float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)


def first_look(kind: str) -> float:
    field = generated(kind, 500)
    before = resident()
    one = body(Square(0, 0), field.unit)
    Markings("", field, one, one).ours()
    return resident() - before
