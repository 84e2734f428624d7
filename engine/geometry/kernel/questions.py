"""The questions that the kernel answers, as arrays: one body on every square, pairs of bodies, pairs both ways, lamps.

Where it has no answer the array says so: because there is no library, because the map's heights are too great, because
a share is as near to a threshold as rounding, or because a line has more parts than it has room for. Then the tracer
is to be asked.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.kernel.angles import orders
from engine.geometry.kernel.arrays import Array, bodies_on, body_array, map_struct
from engine.geometry.kernel.library import library
from engine.geometry.squares import Square

Window = tuple[Square, Square]
"""The first and the last square of a part of the map."""

MANY = 300
"""Squares or pairs that two threads share."""
UNANSWERED = 2
"""Of light, where 1 is yes and 0 no."""


class Seen(NamedTuple):
    """What observers see of their targets, and what of them no shot reaches: 0 to 1, NaN where there is no answer."""

    visible: Array
    covered: Array


def overlooked(battlefield: Battlefield, observer: Body, like: Body, within: Window, crowd: Collection[Body]) -> Seen:
    """What an observer sees of a body like `like` on each square of a part of the map: rows by columns of that part.

    Args:
        battlefield: where.
        observer: who looks.
        like: all of the body looked at but where it is.
        within: a part of the map; the footprint is on the map on all of its squares.
        crowd: bodies of others.
    """
    (left, top), (right, bottom) = within
    one, targets = body_array(battlefield, [observer]), bodies_on(battlefield, like, within)
    bodies = None if one is None or targets is None else np.concatenate([one, targets])
    swept, width, height = orders(observer, like, within), right - left + 1, bottom - top + 1
    # Above and below the row of the observer no part of the map is swept for both.
    middle = height // 2 if swept is None else observer.at.row - top
    numbers, table = np.arange(1, width * height + 1, dtype=np.int32), None if swept is None else swept[0]
    (found,) = _of_pairs(battlefield, bodies, (np.zeros_like(numbers), numbers), crowd, table, middle * width)
    return Seen(*(shares.reshape(height, width) for shares in found))


def of_pairs(
    battlefield: Battlefield,
    observers: Sequence[Body],
    targets: Sequence[Body],
    pairs: tuple[Array, Array],
    crowd: Collection[Body],
) -> Seen:
    """What observers see of targets, for pairs of their numbers."""
    bodies = body_array(battlefield, [*observers, *targets])
    return _of_pairs(battlefield, bodies, (pairs[0], pairs[1] + len(observers)), crowd)[0]


def both_ways(
    battlefield: Battlefield, everybody: Sequence[Body], pairs: tuple[Array, Array], crowd: Collection[Body]
) -> tuple[Seen, Seen]:
    """What the first of each pair of numbers sees of the second, and the second of the first."""
    there, back = _of_pairs(battlefield, body_array(battlefield, everybody), pairs, crowd, both=True)
    return there, back


def lit_by(battlefield: Battlefield, lamp: Body, like: Body, within: Window) -> Array:
    """Whether a lamp's light comes to the eyes of a body like `like` on each square of a part of the map.

    Args:
        battlefield: where.
        lamp: somebody with eyes where it shines.
        like, within: as for `overlooked`.

    Returns:
        Rows by columns of that part: 1, 0 or UNANSWERED.
    """
    (left, top), (right, bottom) = within
    found = np.full((bottom - top + 1, right - left + 1), UNANSWERED, np.uint8)
    bodies = body_array(battlefield, [lamp]), bodies_on(battlefield, like, within)
    _ask("sight_light", battlefield, (), bodies, [(ctypes.c_int64(found.size), found)])
    return found


def _of_pairs(
    battlefield: Battlefield,
    bodies: Array | None,
    pairs: tuple[Array, Array],
    crowd: Collection[Body],
    table: Array | None = None,
    middle: int | None = None,
    *,
    both: bool = False,
) -> list[Seen]:
    """What the first of each pair of numbers sees of the second; and back, if both are asked for.

    Args:
        battlefield, bodies, pairs, crowd: where, and who.
        table: the orders of a sweep.
        middle: where the part of the second thread begins; None: it has half of the pairs.
        both: whether the way back is asked for.
    """
    count, opacity = len(pairs[0]), battlefield.smoke_opacity
    found = [Seen(np.full(count, np.nan), np.full(count, np.nan)) for _ in range(1 + both)]
    smoke = np.zeros(count) if opacity.obscures and any(battlefield.smoke) else None
    middle = count // 2 if middle is None else middle
    bounds = [(0, middle), (middle, count)] if count >= MANY and 0 < middle < count else [(0, count)]
    numbers = [one.astype(np.int32, copy=False) for one in pairs]
    answers = *found[0], *(found[1] if both else (None, None)), smoke
    parts = [
        [*(one[start:end] for one in numbers), ctypes.c_int64(end - start), table]
        + [None if one is None else one[start:end] for one in answers]
        for start, end in bounds
    ]
    _ask("sight_pairs", battlefield, crowd, [bodies], parts)
    if smoke is None:
        return found
    return [seen._replace(visible=opacity.visible(seen.visible, lambda: smoke)) for seen in found]


def _ask(
    name: str,
    battlefield: Battlefield,
    crowd: Collection[Body],
    bodies: Sequence[Array | None],
    parts: Sequence[Sequence[Any]],
) -> None:
    """Calls a function of the library with a map and bodies; where it cannot be asked, arrays are left as they are.

    Each part is the rest of the arguments for a part of the answers; the second one is worked out by a thread.
    """
    found = library()
    given = None if found is None else map_struct(battlefield, crowd)
    if found is None or given is None or any(body is None for body in bodies):
        return
    struct, kept = given
    function = getattr(found, name)
    function.restype = None
    calls = [[ctypes.byref(struct), *map(_passed, (*bodies, *part))] for part in parts]
    threads = [Thread(target=function, args=call) for call in calls[1:]]
    for thread in threads:
        thread.start()
    function(*calls[0])
    for thread in threads:
        thread.join()
    del kept


def _passed(argument: Any) -> Any:
    return ctypes.c_void_p(argument.ctypes.data) if isinstance(argument, np.ndarray) else argument
