"""P1, P2: sight and cover among all units at once, against one whole-map overlay and against a plain loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from engine.geometry.batch_sight.pairs import between, moved

from benchmarks.fields import KINDS, OPEN, generated
from benchmarks.measure import Row, medians, ratio
from benchmarks.sight import overlay
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.squares import Square

SIDE = 200


def rows() -> Iterable[Row]:
    """P1 for 200 and for 50 units where an overlay costs something: on closed maps it is over after a few squares, and
    pairs are not. P2 on all maps."""
    for kind in KINDS:
        field = generated(kind, SIDE)
        units = placed(field, 200)
        if kind in OPEN:
            yield _against_overlay(kind, field, units)
            yield _against_plain_loop(kind, field, units[:50])
        yield _moved(kind, field, units)


def _against_overlay(kind: str, field: Battlefield, units: Sequence[Body]) -> Row:
    middle = body(Square(SIDE // 2, SIDE // 2), field.unit)
    return ratio(
        "P1",
        f"200 units, {kind}, against one overlay",
        lambda: between(field, units, units),
        lambda: overlay(field, middle),
        8,
        rounds=9,
    )


def _against_plain_loop(kind: str, field: Battlefield, units: Sequence[Body]) -> Row:
    tops, eyes = plain(field, units)
    return ratio(
        "P1",
        f"50 units, {kind}, against a plain loop",
        lambda: between(field, units, units),
        lambda: plain_loop(tops, units, eyes),
        0.5,
    )


def _moved(kind: str, field: Battlefield, units: Sequence[Body]) -> Row:
    whole = between(field, units, units)
    one, every = medians(lambda: moved(whole, field, units, 7), lambda: between(field, units, units), rounds=9)
    said = f"{one * 1000:.2f} ms", f"{every * 1000:.1f} ms"
    return Row("P2", f"one of 200 units moved, {kind}", *said, 100 * one / every, 3, "%")


def placed(field: Battlefield, count: int) -> list[Body]:
    """Standing bodies on different squares that are not filled to the sky."""
    random = Random(f"units {field.name}")
    free = [square for square in field.squares() if not field.ground_at(square).blocks_movement]
    return [body(square, field.unit) for square in random.sample(free, count)]


def plain(field: Battlefield, units: Sequence[Body]) -> tuple[list[list[float]], list[float]]:
    """Tops of the squares row by row, and the heights of the units' eyes: what the plain loop reads."""
    tops = [[float(field.top_at(Square(x, y))) for x in range(field.columns)] for y in range(field.rows)]
    return tops, [float(field.elevation_at(unit.at) + unit.eyes) for unit in units]


def plain_loop(tops: list[list[float]], units: Sequence[Body], eyes: list[float]) -> list[list[bool]]:
    """Whether each unit's eye sees each other's, by one approximate ray: a step a square, rounded to its middle."""
    seen = []
    for one, eye in zip(units, eyes, strict=True):
        (x, y), found = one.at, []
        for other, goal in zip(units, eyes, strict=True):
            across, down = other.at.column - x, other.at.row - y
            steps = max(abs(across), abs(down))
            is_seen = True
            if steps:
                step_x, step_y, rise = across / steps, down / steps, (goal - eye) / steps
                here_x, here_y, height = x + 0.5, y + 0.5, eye
                for _ in range(steps - 1):
                    here_x += step_x
                    here_y += step_y
                    height += rise
                    if tops[int(here_y)][int(here_x)] > height:
                        is_seen = False
                        break
            found.append(is_seen)
        seen.append(found)
    return seen
