"""Corners of the grid and points of targets by their angle at an eye: the order in which the kernel sweeps a map.

It rests on the eye's place within its square, the size of the targets and how far one looks, not on the map; so it is
sorted once for many looks. Angles are compared as whole numbers: equal ones are equal.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import product
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
MOST_BYTES = 20 * 2**20
POINTS = ((4, 4), (1, 1), (7, 1), (1, 7), (7, 7))
"""Points of a target, in eighths of its side from its nearest corner."""
DIAGONAL = 1 << 26
"""Its angle, where that of the grid is 0."""
MET, PASSED = 0, len(POINTS) + 1
_ORDERS: OrderedDict[tuple[int, int, int, int], tuple[Array, int]] = OrderedDict()


def orders(observer: Body, like: Body, within: tuple[Square, Square]) -> tuple[Array, list[Array]] | None:
    """The orders for the eyes of an observer as `Order` of sight.h, by eighths to the first grid lines; and what holds
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
    table, kept = np.zeros((8, 8, 3), np.int64), []
    for across, down in {*product(places, places), *product(middle, middle)}:
        events, below = _order(across, down, like.size, side)
        table[across - 1, down - 1] = events.ctypes.data, len(events), below
        kept.append(events)
    return table, kept


def _to_grid(place: int, way: int) -> int:
    return 8 - place % 8 if way > 0 else (place - 1) % 8 + 1


def _order(across: int, down: int, size: int, side: int) -> tuple[Array, int]:
    key = across, down, size, side
    found = _ORDERS.get(key)
    if found is None:
        found = _ORDERS[key] = _sorted(across, down, size, side)
        while sum(events.nbytes for events, _ in list(_ORDERS.values())) > MOST_BYTES and len(_ORDERS) > 1:
            _ORDERS.popitem(last=False)
    return found


def _sorted(across: int, down: int, size: int, side: int) -> tuple[Array, int]:
    """Events as 1024² * kind + 1024 * column + row, columns and rows counted from the eye's, by angle up to the
    diagonal; and how many are below it. What is above it are the events of (down, across), mirrored.

    At one angle corners that are met come first, then points, then the same corners that are passed. A corner at whose
    angle no point lies is only passed.
    """
    column, row = (places.astype(np.int64) for places in np.ogrid[1 : side + 2, 1 : side + 2])
    kinds = [(MET, 0, 0), *((kind, *point) for kind, point in enumerate(POINTS, 1)), (PASSED, 0, 0)]
    keys = np.frombuffer(mmap(-1, 8 * len(kinds) * (side + 1) ** 2), np.int64)  # let go, it is the system's again
    count = 0
    for kind, inside_x, inside_y in kinds:
        u = across + 8 * (column - 1) + size * inside_x
        v = down + 8 * (row - 1) + size * inside_y
        # Grows with v / u, alike for equal quotients alone: those of numbers below 4096 differ by more than 2⁻²⁴.
        found = (v * DIAGONAL // u << 24 | kind << 20 | 1024 * column + row)[v <= u]
        keys[count : count + len(found)] = found
        count += len(found)
    keys = keys[:count]
    keys.sort()
    below = int(np.searchsorted(keys, DIAGONAL << 24))
    events = keys.astype(np.uint32) & np.uint32(2**24 - 1)
    places, met = np.flatnonzero(events >> 20), np.flatnonzero(events >> 20 == MET)
    is_used = np.ones(count, bool)
    is_used[met[events[places[np.searchsorted(places, met)]] >> 20 == PASSED]] = False
    return events[is_used], int(is_used[:below].sum())
