"""The questions that the kernel answers, as arrays: one body on every square, pairs of bodies, pairs both ways.

None where it cannot be asked: there is no library, or the map's heights are too great. Where it cannot be sure of one
answer, because a share is as near to a threshold as rounding or a line has more parts than it has room for, the tracer
gives that one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.kernel.angles import orders
from engine.geometry.kernel.arrays import Array, body_array, map_struct
from engine.geometry.kernel.library import library
from engine.geometry.los.sight import trace
from engine.geometry.squares import Square
from engine.values import replace


class Seen(NamedTuple):
    """What observers see of their targets, and what of them no shot reaches: 0 to 1."""

    visible: Array
    covered: Array


def overlooked(
    battlefield: Battlefield, observer: Body, like: Body, within: tuple[Square, Square], obstacles: Collection[Body]
) -> Seen | None:
    """What an observer sees of a body like `like` on each square of a part of the map: rows by columns of the map.

    Args:
        battlefield: where.
        observer: who looks.
        like: all of the body looked at but where it is.
        within: the first and the last square; the footprint is on the map on all of them.
        obstacles: bodies of others.
    """
    shape = battlefield.rows, battlefield.columns
    visible, covered, smoke = np.zeros(shape), np.ones(shape), _smoke(battlefield, shape)
    (left, top), (right, bottom) = within
    swept = orders(observer, like, within)
    asked = _ask(
        "sight_overlook",
        battlefield,
        obstacles,
        body_array(battlefield, [observer]),
        body_array(battlefield, [like], on_ground=False),
        *map(ctypes.c_int32, (left, top, right, bottom)),
        None if swept is None else swept[0],
        visible,
        covered,
        smoke,
    )
    if not asked:
        return None
    places = [Square(int(column), int(row)) for row, column in np.argwhere(np.isnan(visible))]
    pairs = [(observer, replace(like, at=place)) for place in places]
    _trace(battlefield, pairs, obstacles, visible, covered, [(place.row, place.column) for place in places])
    return Seen(_through(battlefield, visible, smoke), covered)


def of_pairs(
    battlefield: Battlefield,
    observers: Sequence[Body],
    targets: Sequence[Body],
    pairs: tuple[Array, Array],
    obstacles: Collection[Body],
) -> Seen | None:
    """What observers see of targets, for pairs of their numbers."""
    count = len(pairs[0])
    visible, covered, smoke = np.zeros(count), np.ones(count), _smoke(battlefield, count)
    everybody = body_array(battlefield, [*observers, *targets])
    one, other = pairs[0].astype(np.int32), (pairs[1] + len(observers)).astype(np.int32)
    size = ctypes.c_int64(count)
    if not _ask("sight_pairs", battlefield, obstacles, everybody, one, other, size, visible, covered, smoke):
        return None
    unsure = np.flatnonzero(np.isnan(visible))
    traced = [(observers[pairs[0][number]], targets[pairs[1][number]]) for number in unsure]
    _trace(battlefield, traced, obstacles, visible, covered, unsure)
    return Seen(_through(battlefield, visible, smoke), covered)


def both_ways(
    battlefield: Battlefield, everybody: Sequence[Body], pairs: tuple[Array, Array], obstacles: Collection[Body]
) -> tuple[Seen, Seen] | None:
    """What the first of each pair of numbers sees of the second, and the second of the first."""
    count = len(pairs[0])
    there, back = Seen(np.zeros(count), np.ones(count)), Seen(np.zeros(count), np.ones(count))
    smoke, bodies = _smoke(battlefield, count), body_array(battlefield, everybody)
    one, other = (numbers.astype(np.int32) for numbers in pairs)
    size = ctypes.c_int64(count)
    if not _ask("sight_both_ways", battlefield, obstacles, bodies, one, other, size, *there, *back, smoke):
        return None
    unsure = np.flatnonzero(np.isnan(there.visible))
    for answer, (first, second) in ((there, pairs), (back, pairs[::-1])):
        traced = [(everybody[first[number]], everybody[second[number]]) for number in unsure]
        _trace(battlefield, traced, obstacles, answer.visible, answer.covered, unsure)
    return (
        Seen(_through(battlefield, there.visible, smoke), there.covered),
        Seen(_through(battlefield, back.visible, smoke), back.covered),
    )


def _ask(name: str, battlefield: Battlefield, obstacles: Collection[Body], *arguments: Any) -> bool:
    """Calls a function of the library with a map; whether it could be asked."""
    found = library()
    given = None if found is None else map_struct(battlefield, obstacles)
    if found is None or given is None:
        return False
    struct, kept = given
    function = getattr(found, name)
    function.restype = None
    function(ctypes.byref(struct), *map(_passed, arguments))
    del kept
    return True


def _passed(argument: Any) -> Any:
    return ctypes.c_void_p(argument.ctypes.data) if isinstance(argument, np.ndarray) else argument


def _smoke(battlefield: Battlefield, shape: Any) -> Array | None:
    """Room for the smoke on the lines, where it obscures."""
    return np.zeros(shape) if battlefield.smoke_opacity.obscures and any(battlefield.smoke) else None


def _through(battlefield: Battlefield, visible: Array, smoke: Array | None) -> Array:
    return visible if smoke is None else battlefield.smoke_opacity.visible(visible, lambda: smoke)


def _trace(
    battlefield: Battlefield,
    pairs: Sequence[tuple[Body, Body]],
    obstacles: Collection[Body],
    visible: Array,
    covered: Array,
    places: Iterable[Any],
) -> None:
    """Puts the tracer's answers for some pairs at their places."""
    for place, (observer, target) in zip(places, pairs, strict=True):
        traced = trace(battlefield, observer, target, obstacles)
        visible[place], covered[place] = float(traced.visible), float(traced.covered)
