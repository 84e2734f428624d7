"""Corners of the grid and points of targets by their angle at an eye: the order in which the kernel sweeps a map.

It rests on the eye's place within its square, the size of the targets and how far one looks, not on the map; so it is
sorted once for many looks. Angles are compared as whole numbers: equal ones are equal.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import product
from math import prod
from mmap import mmap

import numpy as np

from engine.geometry.body import Body
from engine.geometry.kernel.arrays import Array
from engine.geometry.squares import Square

PAYS = 40
"""Squares from the observer to the farthest; nearer, walking every line takes no longer."""
FEW = 4
"""A window with fewer squares than this part of the square that is swept for it is walked, too."""
FARTHEST = 508
"""Grid lines that the kernel has room for."""
STEP = 32
"""Distances are rounded up to a multiple of it, so that an observer who moves finds an order that is made already."""
MOST_BYTES = 40 * 2**20
POINTS = ((4, 4), (1, 1), (7, 1), (1, 7), (7, 7))
"""Points of a target, in eighths of its side from its nearest corner."""
MET, PASSED = 0, len(POINTS) + 1
UNUSED = np.uint32(2**32 - 1)
_ORDERS: OrderedDict[tuple[int, int, int, int], Array] = OrderedDict()


def orders(observer: Body, like: Body, within: tuple[Square, Square]) -> tuple[Array, list[Array]] | None:
    """The orders for the eyes of an observer as `Order` of sweep.h, by eighths to the first grid lines; and what holds
    them. None where a sweep does not pay, or is too large."""
    (left, top), (right, bottom) = within
    (column, row), size = observer.at, observer.size
    far = max(column + size - left, right + like.size - column, row + size - top, bottom + like.size - row)
    few = (right - left + 1) * (bottom - top + 1) * FEW < far * far
    if far < PAYS or far > FARTHEST or few:
        return None
    side = min(FARTHEST, -(-far // STEP) * STEP)
    places = {_to_grid(size * part, way) for part in ((1, 7) if observer.lean else ()) for way in (1, -1)}
    middle = {_to_grid(size * 4, way) for way in (1, -1)}
    table, kept = np.zeros((8, 8, 2), np.int64), []
    for across, down in {*product(places, places), *product(middle, middle)}:
        found = _order(across, down, like.size, side)
        table[across - 1, down - 1] = found.ctypes.data, len(found)
        kept.append(found)
    return table, kept


def _to_grid(place: int, way: int) -> int:
    return 8 - place % 8 if way > 0 else (place - 1) % 8 + 1


def _order(across: int, down: int, size: int, side: int) -> Array:
    key = across, down, size, side
    found = _ORDERS.get(key)
    if found is None:
        found = _ORDERS[key] = _sorted(across, down, size, side)
        while sum(one.nbytes for one in list(_ORDERS.values())) > MOST_BYTES and len(_ORDERS) > 1:
            _ORDERS.popitem(last=False)
    return found


def _sorted(across: int, down: int, size: int, side: int) -> Array:
    """Events as 1024² * kind + 1024 * column + row, columns and rows counted from the eye's.

    At one angle corners that are met come first, then points, then the same corners that are passed.
    """
    column, row = (places.astype(np.int64) for places in np.ogrid[1 : side + 2, 1 : side + 1])
    number = 1024 * column + row
    kinds = [(MET, 0, 0), *((kind, *point) for kind, point in enumerate(POINTS, 1)), (PASSED, 0, 0)]
    shape = len(kinds), *number.shape
    keys = np.frombuffer(mmap(-1, 8 * prod(shape)), np.uint64).reshape(
        shape
    )  # goes back to the system when it is let go
    for which, inside_x, inside_y in kinds:
        u = across + 8 * (column - 1) + size * inside_x
        v = down + 8 * (row - 1) + size * inside_y
        keys[which] = _angle(u, v) << 24 | which << 20 | number
    sorted_keys = keys.reshape(-1)
    sorted_keys.sort()
    events = sorted_keys.astype(np.uint32)
    del keys, sorted_keys
    events &= np.uint32(2**24 - 1)
    kind = (events >> np.uint32(20)).astype(np.uint8)
    places = np.arange(len(kind), dtype=np.int32)
    met, others = places[kind == MET], places[kind != MET]
    following = kind[others[np.searchsorted(others, met)]]
    events[met[following == PASSED]] = UNUSED  # no point lies at its angle
    found: Array = events[events != UNUSED]
    return found


def _angle(u: Array, v: Array) -> Array:
    """A whole number that grows with v / u, alike for equal quotients alone: those of numbers below 4096 differ by more
    than 2⁻²⁴."""
    one = 1 << 26
    found: Array = np.where(v <= u, v * one // u, 2 * one - u * one // v)
    return found
