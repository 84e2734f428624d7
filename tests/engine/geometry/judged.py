"""What the engine answers of sight, held against the judge: overlays, all pairs and single traces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from random import Random
from typing import Any

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.los.field_of_view import between, overlook
from engine.geometry.los.sight import trace
from engine.geometry.squares import Square
from engine.values import replace
from tests.engine.geometry.drawing import random_body, random_field, with_mirrors
from tests.engine.geometry.sight_judge import Answer, MapPlan, SightKeys, Viewer, judge

MODEL = SightKeys()
"""The model that the engine answers by."""

EXACT = 1e-9
CROWD = 5


def viewer_of(one: Body, unit: str) -> Viewer:
    """A body of human build as the judge takes it; by the height of its eyes it stands, kneels or is prone."""
    standing = body(one.at, unit, size=one.size).eyes
    return Viewer(one, one.eyes if 2 * one.eyes < standing else standing)


def is_unlike(answer: Answer, visible: Any, covered: Any) -> bool:
    """Whether shares differ from the judge's by more than rounding."""
    return bool(abs(visible - answer.visible) > EXACT or abs(covered - answer.covered) > EXACT)


def places(field: Battlefield, like: Body) -> Iterator[Square]:
    """Where a body fits on a map."""
    for square in field.squares():
        if square.column + like.size <= field.columns and square.row + like.size <= field.rows:
            yield square


def unlike_overlay(
    field: Battlefield,
    observer: Body,
    like: Body,
    squares: Iterable[Square],
    keys: SightKeys = MODEL,
    crowd: Collection[Body] = (),
) -> list[Square]:
    """Squares on which an overlay says otherwise than the judge."""
    plan, viewer = MapPlan(field), viewer_of(observer, field.unit)
    found, unlike = overlook(field, observer, like, obstacles=crowd), []
    for square in squares:
        answer, _ = judge(plan, viewer, viewer_of(replace(like, at=square), field.unit), keys, crowd)
        if is_unlike(answer, found.visible[square.row, square.column], found.covered[square.row, square.column]):
            unlike.append(square)
    return unlike


def unlike_pairs(
    field: Battlefield, bodies: list[Body], keys: SightKeys = MODEL, crowd: Collection[Body] = ()
) -> list[tuple[str, Body, Body]]:
    """Pairs of which the trace or the answer for all pairs says otherwise than the judge; each with who says so."""
    plan, found = MapPlan(field), between(field, bodies, bodies, obstacles=crowd)
    unlike = []
    for number, one in enumerate(bodies):
        for index, other in enumerate(bodies[:number]):
            answers = judge(plan, viewer_of(one, field.unit), viewer_of(other, field.unit), keys, crowd)
            ways = ((one, other, (number, index)), (other, one, (index, number)))
            for answer, (looker, target, at) in zip(answers, ways, strict=True):
                line = trace(field, looker, target, crowd)
                if is_unlike(answer, line.visible, line.covered):
                    unlike.append(("trace", looker, target))
                if is_unlike(answer, found.visible[at], found.covered[at]):
                    unlike.append(("all pairs", looker, target))
    return unlike


def random_case(seed: int) -> tuple[Battlefield, list[Body], bool]:
    """A small map, bodies on it, and whether there is one-way glass."""
    random = Random(seed)
    field = random_field(random)
    has_mirrors = random.random() < 0.3
    field = with_mirrors(random, field) if has_mirrors else field
    return field, [random_body(random, field) for _ in range(CROWD)], has_mirrors


def differing(seeds: Iterable[int]) -> int:
    """How many answers of overlays, pairs and traces on random maps are unlike the judge's."""
    count = 0
    for seed in seeds:
        field, bodies, _ = random_case(seed)
        count += len(unlike_pairs(field, bodies))
        count += len(unlike_overlay(field, bodies[0], bodies[1], places(field, bodies[1])))
    return count


def one_way(seeds: Iterable[int]) -> int:
    """How many pairs of bodies on random maps without one-way glass may see or shoot one way only."""
    count = 0
    for seed in seeds:
        field, bodies, has_mirrors = random_case(seed)
        if not has_mirrors:
            found = between(field, bodies, bodies)
            count += sum(int((may & ~may.T).sum()) for may in (found.visible > 0, found.covered < 1))
    return count
