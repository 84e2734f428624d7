"""Rays of a fan and their sample points: tables that depend on the depth alone, cached.

Round an observer lie four frames, one for each way of layers.WAYS. In a frame the depth counts squares ahead, the row
squares aside; a body point belongs to the frame of its larger coordinate, those exactly on a diagonal to E and W.
Strip k is what lies between the planes at k - 1/2 and k + 1/2. The fan's rays have slopes that no body point and no
corner of the grid lies on, and neighbours are nowhere more than one square apart, so that whatever runs between two
of them is, on every plane, in the row of the one or of the other.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.geometry.lines import EIGHTHS
from engine.geometry.los.arrays import Heights, Indexes, Layers
from engine.geometry.squares import Square

STEP = 32
"""Depths are rounded up to a multiple of this, so that a few tables serve every place on a map."""

SHIFTS = tuple(0.3819660112501051 + 0.0123 * number for number in range(20))
"""How far the rays are shifted from even ones, in their distance from each other; the first that misses all corners."""

DENSITY = 2
"""Rays to a square on the last plane."""

NARROW = 0.6
"""What neighbouring rays keep from each other at most, in squares, where a finer fan is to be had."""

COARSEST = 5
"""Every second, fourth ... up to every 2 to the power of this makes a fan by itself, for strips near the observer."""

MISS = 1e-9
"""What a ray has to keep from corners and body points, in squares or in rays."""

STRAIGHT, ASIDE, CORNER = 0, 1, 2
"""How a line comes into the strip of its body point: in the point's row, in the row before it, or at their corner."""

NOT_LEVEL, NOT_UPRIGHT = 4, 8
"""Added where the point does not belong to the frame when that is E or W, or when it is S or N: on the diagonal."""

Offsets = tuple[tuple[int, int], ...]
"""Body points from a square's centre, in eighths; the centre first, the set the same turned and mirrored."""


class FanTables(Struct, frozen=True, eq=False):
    """Tables for fans up to `depth` strips.

    Cells are numbered strip by strip: `(k, row)` is `k * k - 1 + k + row`, for rows from -k to k. Tables of body points
    have one line for each of the points.
    """

    depth: int
    rows: Indexes
    """Planes by rays: the row of each ray on the plane that it enters strip k by; line 0 is not used."""
    cell_depth: Indexes
    cell_row: Indexes
    deep: Heights
    """How far ahead body points are, in eighths; whole ..."""
    out: Heights
    """... how far aside ..."""
    is_low: npt.NDArray[np.uint8]
    """... and 1 where that is towards lower rows."""
    pair: Indexes
    """Which ray lies next below each body point; the pair is that one and the next."""
    entry: npt.NDArray[np.uint8]
    """STRAIGHT, ASIDE or CORNER, with NOT_LEVEL and NOT_UPRIGHT."""
    offsets: Offsets

    @property
    def pairs(self) -> int:
        """Number of pairs of neighbouring rays in one frame."""
        return int(self.rows.shape[1]) - 1

    @property
    def cells(self) -> int:
        """Number of cells in the tables: the squares of a frame, strip by strip."""
        return len(self.cell_depth)

    @staticmethod
    def strip(deep: Heights) -> Indexes:
        """Strips in which body points lie, by how far ahead they are in eighths of a square; the observer's is 0."""
        return ((deep + EIGHTHS / 2) / EIGHTHS).astype(np.intp)

    def level(self, strip: int) -> int:
        """How coarse a fan is enough up to this strip: every 2 to the power of the level of its rays; 0 to COARSEST."""
        level = 0
        while level < COARSEST and (2 << level) * (strip + 0.5) <= NARROW * DENSITY * (self.depth + 0.5):
            level += 1
        return level


def rays(depth: int, offsets: Offsets) -> FanTables:
    """The tables for a fan of at least `depth` strips, made once for each depth in steps of STEP.

    Args:
        depth: strips, 1 or more.
        offsets: body points from a square's centre, in eighths; the centre first.

    Raises:
        AssertionError: every shift meets a corner; no depth up to the largest map does.
    """
    return _made(max(STEP, -(-depth // STEP) * STEP), offsets)


@lru_cache(maxsize=6)
def _made(depth: int, offsets: Offsets) -> FanTables:
    spacing = 1 / (DENSITY * (depth + 0.5))
    most, step = DENSITY * (depth + 1) + 1, 1 << COARSEST
    numbers = np.arange(-(-2 * most // step) * step + 1) - most
    planes = np.arange(depth + 2) - 0.5
    strips = np.arange(1, depth + 1)
    cell_depth = np.repeat(strips, 2 * strips + 1)
    cell_row = np.arange(len(cell_depth)) + 1 - cell_depth * cell_depth - cell_depth
    deep = np.stack([EIGHTHS * cell_depth + ahead for ahead, _ in offsets])
    aside = np.stack([EIGHTHS * cell_row + across for _, across in offsets])
    for shift in SHIFTS:
        places = np.multiply.outer(planes, (numbers + shift) * spacing) + 0.5
        pair = aside / deep / spacing - shift - numbers[0]
        if min(_miss(places[1:]), _miss(pair)) > MISS:
            break
    else:
        raise AssertionError(f"no fan of depth {depth} misses all corners")
    way = np.abs(aside)
    entered = (way * (EIGHTHS * cell_depth - 4) + 4 * deep) / (EIGHTHS * deep)
    row = np.floor(entered)
    entry = np.where(row < np.abs(cell_row), ASIDE, np.where(row == entered, CORNER, STRAIGHT))
    entry += NOT_LEVEL * (way > deep) + NOT_UPRIGHT * (way >= deep)
    pair = np.clip(np.floor(pair), 0, len(numbers) - 2).astype(np.intp)
    return FanTables(
        depth=depth,
        rows=np.floor(places).astype(np.intp),
        cell_depth=cell_depth,
        cell_row=cell_row,
        deep=deep.astype(np.float64),
        out=way.astype(np.float64),
        is_low=(aside < 0).astype(np.uint8),
        pair=pair,
        entry=entry.astype(np.uint8),
        offsets=offsets,
    )


def _miss(places: Heights) -> float:
    """How near any of the places comes to a whole number."""
    return float(np.abs(places - np.rint(places)).min())


class Frames(Struct, frozen=True, eq=False):
    """The frames round one observer that hold any square; arrays have one entry for each."""

    origin: int
    """Index of the observer's own (middle) square in the layers."""
    way: Indexes
    """Index into layers.WAYS."""
    ahead: Indexes
    """What one strip is in the layers' indexes ..."""
    aside: Indexes
    """... and what one row is."""
    depth: Indexes
    """Strips inside the map and the reach."""
    first: Indexes
    last: Indexes
    """Rows inside the map and the reach."""
    whole: int
    """Strips up to this one lie wholly inside the map and the reach, in every frame."""
    turned: tuple[Indexes, Indexes, Indexes, Indexes]
    """By turns, which are twice the frame's place, and 1 more where outwards is towards lower columns or rows: ahead,
    one row outwards, and into layers.WAYS ahead and outwards."""


def frames(layers: Layers, middle: Square, reach: int | None) -> Frames:
    """The frames round a square, cut off at the map's border.

    Args:
        layers: of the battlefield.
        middle: the observer's square, on the map.
        reach: squares to each side that count; None for the whole map.

    Returns:
        One entry for each of the up to four ways in which any square lies.
    """
    column, row = middle
    west, north = column, row
    east, south = layers.columns - 1 - column, layers.rows - 1 - row
    if reach is not None:
        west, north, east, south = (min(reach, extent) for extent in (west, north, east, south))
    width = layers.width
    every = np.array(
        [
            (0, 1, width, east, -north, south),
            (1, -1, width, west, -north, south),
            (2, width, 1, south, -west, east),
            (3, -width, 1, north, -west, east),
        ],
        np.intp,
    )
    way, ahead, aside, depth, first, last = every[every[:, 3] > 0].T
    out = np.where(way < 2, 2, 0)
    turns = np.array([[ahead, ahead], [aside, -aside], [way, way], [out, out + 1]]).swapaxes(1, 2).reshape(4, -1)
    turned = turns[0], turns[1], turns[2], turns[3]
    whole = int(np.min([depth, -first, last])) if len(way) else 0
    return Frames(layers.index(middle), way, ahead, aside, depth, first, last, whole, turned)
