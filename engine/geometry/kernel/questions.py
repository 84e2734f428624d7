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
from engine.geometry.kernel.arrays import Array, body_array, map_struct
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
    """What an observer sees of a body like `like` on each square of a part of the map: rows by columns of the map.

    Args:
        battlefield: where.
        observer: who looks.
        like: all of the body looked at but where it is.
        within: a part of the map; the footprint is on the map on all of its squares.
        crowd: bodies of others.
    """
    found = _seen((battlefield.rows, battlefield.columns))
    smoke = _smoke(battlefield, found)
    one, other = body_array(battlefield, [observer]), body_array(battlefield, [like], on_ground=False)
    swept = orders(observer, like, within)
    table = None if swept is None else swept[0]
    bands = _bands(within, None if swept is None else observer.at.row)
    _ask("sight_overlook", battlefield, crowd, (one, other), [(np.array(one, np.int32), table, *found, smoke) for one in bands])
    return _through(battlefield, found, smoke)


def of_pairs(
    battlefield: Battlefield,
    observers: Sequence[Body],
    targets: Sequence[Body],
    pairs: tuple[Array, Array],
    crowd: Collection[Body],
) -> Seen:
    """What observers see of targets, for pairs of their numbers."""
    found = _seen(len(pairs[0]))
    smoke = _smoke(battlefield, found)
    everybody = body_array(battlefield, [*observers, *targets])
    numbers = pairs[0].astype(np.int32), (pairs[1] + len(observers)).astype(np.int32)
    _ask("sight_pairs", battlefield, crowd, [everybody], _shared(*numbers, *found, None, None, smoke))
    return _through(battlefield, found, smoke)


def both_ways(
    battlefield: Battlefield, everybody: Sequence[Body], pairs: tuple[Array, Array], crowd: Collection[Body]
) -> tuple[Seen, Seen]:
    """What the first of each pair of numbers sees of the second, and the second of the first."""
    there, back = _seen(len(pairs[0])), _seen(len(pairs[0]))
    smoke = _smoke(battlefield, there)
    bodies = body_array(battlefield, everybody)
    numbers = (one.astype(np.int32) for one in pairs)
    _ask("sight_pairs", battlefield, crowd, [bodies], _shared(*numbers, *there, *back, smoke))
    return _through(battlefield, there, smoke), _through(battlefield, back, smoke)


def lit_by(battlefield: Battlefield, lamp: Body, like: Body, within: Window) -> Array:
    """Whether a lamp's light comes to the eyes of a body like `like` on each square of a part of the map.

    Args:
        battlefield: where.
        lamp: somebody with eyes where it shines.
        like, within: as for `overlooked`.

    Returns:
        Rows by columns of the map: 1, 0 or UNANSWERED.
    """
    found = np.full((battlefield.rows, battlefield.columns), UNANSWERED, np.uint8)
    one, other = body_array(battlefield, [lamp]), body_array(battlefield, [like], on_ground=False)
    _ask("sight_light", battlefield, (), (one, other), [(np.array(within, np.int32), found)])
    return found


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


def _bands(within: Window, row: int | None) -> list[Window]:
    """A window in two parts, where it has many squares.

    Args:
        within: the window.
        row: of the observer: above and below it no quarter of the map is swept for both. None: in the middle.
    """
    (left, top), (right, bottom) = within
    middle = (top + bottom + 1) // 2 if row is None else row
    if not top < middle <= bottom or (right - left + 1) * (bottom - top + 1) < MANY:
        return [within]
    return [(Square(left, top), Square(right, middle - 1)), (Square(left, middle), Square(right, bottom))]


def _shared(*arrays: Array | None) -> list[list[Any]]:
    """The numbers and the answers of pairs, and how many there are, in two parts where there are many."""
    count = 0 if arrays[0] is None else len(arrays[0])
    bounds = [(0, count)] if count < MANY else [(0, count // 2), (count // 2, count)]
    return [
        [*(None if one is None else one[start:end] for one in arrays[:2]), ctypes.c_int64(end - start)]
        + [None if one is None else one[start:end] for one in arrays[2:]]
        for start, end in bounds
    ]


def _passed(argument: Any) -> Any:
    return ctypes.c_void_p(argument.ctypes.data) if isinstance(argument, np.ndarray) else argument


def _seen(shape: int | tuple[int, int]) -> Seen:
    return Seen(np.full(shape, np.nan), np.full(shape, np.nan))


def _smoke(battlefield: Battlefield, like: Seen) -> Array | None:
    """Room for the smoke on the lines, where it obscures."""
    is_asked = battlefield.smoke_opacity.obscures and any(battlefield.smoke)
    return np.zeros_like(like.visible) if is_asked else None


def _through(battlefield: Battlefield, found: Seen, smoke: Array | None) -> Seen:
    if smoke is None:
        return found
    return found._replace(visible=battlefield.smoke_opacity.visible(found.visible, lambda: smoke))
