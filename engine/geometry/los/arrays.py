"""A battlefield as NumPy layers, made once per battlefield: what every vectorised question of sight reads.

All layers are padded by one square on each side and flat, so that a neighbour is a constant step away: the square at
(column, row) has the index `(row + 1) * width + column + 1` with `width = columns + 2`. Heights are whole hundredths
held in float64, so that every quotient of them is rounded once. Nothing here decides what is seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import SKY, Barrier, Battlefield
from engine.geometry.obstacles import DEPTH, barrier_solids
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.visibility.lighting import lit

Heights = npt.NDArray[np.floating[Any]]
Indexes = npt.NDArray[np.intp]

EMPTY = float(DEPTH)
"""The height that stands for nothing there."""

HIGH = SKY // 2
"""What reaches as high as this has no end upwards. Bodies must stay below it to be asked about in layers."""

WAYS = (Direction.E, Direction.W, Direction.S, Direction.N)
"""The order of the four ways of crossing an edge: E and W cross a square's west edge, S and N its north edge."""

KEPT = 4
"""Battlefields whose layers are kept: the one on the board, those of an edit and its undoing."""

Crossed = Heights
"""Four by size: one layer for each of WAYS, at the index of the square whose west or north edge it is."""


class Floating(NamedTuple):
    """Parts of barriers with a gap below and a gap above, in no order: all arrays have one entry for each part."""

    way: Indexes
    """Index into WAYS; a part that counts both ways is there twice."""
    place: Indexes
    bottom: Heights
    top: Heights


class Stops(Struct, frozen=True, eq=False):
    """Everything that blocks sight, or everything that stops shots."""

    tops: Heights
    """Top of each square's ground, or of the object on it where that counts."""
    standing: Crossed | None
    """Tops of what fills edges from the ground up; EMPTY where nothing does. None: nowhere."""
    hanging: Crossed | None
    """Bottoms of what fills edges up to the sky, turned over (-bottom); EMPTY where nothing does. None: nowhere."""
    reaching: Crossed | None
    """As `standing`, but what floats counts as if it reached the ground; the same object where nothing floats."""
    floating: Floating | None


class Layers(Struct, frozen=True, eq=False):
    """The layers of one battlefield. `sight` is as seen in the way of crossing, through one-way barriers too; `mutual`
    counts these as hiding both ways; objects that are one and the same say that the answers are."""

    columns: int
    rows: int
    width: int
    ground: Heights
    smoke: Heights | None
    """Density; None: clear air everywhere."""
    light: npt.NDArray[np.intp]
    """Rows by columns, not padded: index into LIGHTS, the light of lamps included."""
    sight: Stops
    mutual: Stops
    shots: Stops
    highest: float
    """Highest ground."""

    def index(self, square: Square) -> int:
        """Index of a square, or of one in the ring round the map, in the flat padded layers."""
        return (square.row + 1) * self.width + square.column + 1

    def inner(self, layer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A flat padded layer as rows by columns, without its ring; a view, so changes are shared."""
        return layer.reshape(self.rows + 2, self.width)[1:-1, 1:-1]


_LAYERS: Cache[Layers] = Cache(KEPT)


def layers(battlefield: Battlefield) -> Layers:
    """The layers of a battlefield.

    Those of the last KEPT battlefields are remembered, known by the identity of what they are made of. Nobody may
    change them.
    """
    made_of = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.smoke, battlefield.light)
    thin = (battlefield.barriers, battlefield.lamps)
    sizes = (battlefield.columns, battlefield.rows, battlefield.unit)
    return _LAYERS.get(made_of + thin, sizes, lambda: _made(battlefield))


def padded(battlefield: Battlefield, values: npt.NDArray[Any], outside: float) -> Heights:
    """One value for each square as a flat padded layer.

    Args:
        battlefield: the map.
        values: `columns * rows` of them, row by row.
        outside: what the ring round the map gets.
    """
    layer = np.full((battlefield.rows + 2, battlefield.columns + 2), outside)
    layer[1:-1, 1:-1] = values.reshape(battlefield.rows, battlefield.columns)
    return layer.ravel()


def _made(battlefield: Battlefield) -> Layers:
    ground = np.array(battlefield.elevation, np.float64)
    kinds = np.array(battlefield.ground, np.intp)
    heights = np.array([kind.height for kind in battlefield.legend], np.float64)
    high = np.maximum(ground, np.minimum(SKY, ground + heights[kinds]))
    smoke = np.array(battlefield.smoke, np.float64)
    hides = np.array([kind.blocks_sight for kind in battlefield.legend])[kinds]
    shields = np.array([kind.stops_shots for kind in battlefield.legend])[kinds]
    shut = {edge: one for edge, one in battlefield.barriers.items() if not one.is_open}
    sighted = {edge: one for edge, one in shut.items() if one.blocks_sight}
    shielding = {edge: one for edge, one in shut.items() if one.stops_shots}

    def stops(counts: npt.NDArray[np.bool_], barriers: dict[Edge, Barrier], one_way: bool = False) -> Stops:
        tops = padded(battlefield, np.where(counts, high, ground), EMPTY)
        return Stops(tops, *_edges(battlefield, barriers, one_way))

    light = np.array(lit(battlefield), np.intp).reshape(battlefield.rows, battlefield.columns)
    light.setflags(write=False)
    mutual = stops(hides, sighted)
    has_one_way = any(one.seen_through is not None for one in sighted.values())
    is_same = sighted == shielding and np.array_equal(high[hides != shields], ground[hides != shields])
    return Layers(
        columns=battlefield.columns,
        rows=battlefield.rows,
        width=battlefield.columns + 2,
        ground=padded(battlefield, ground, EMPTY),
        smoke=padded(battlefield, smoke, 0.0) if smoke.any() else None,
        light=light,
        sight=stops(hides, sighted, one_way=True) if has_one_way else mutual,
        mutual=mutual,
        shots=mutual if is_same else stops(shields, shielding),
        highest=float(ground.max()),
    )


def _edges(
    battlefield: Battlefield, barriers: dict[Edge, Barrier], one_way: bool
) -> tuple[Crossed | None, Crossed | None, Crossed | None, Floating | None]:
    """`standing`, `hanging`, `reaching` and `floating` of these barriers."""
    parts: list[tuple[int, int, int, int]] = []
    for edge, barrier in barriers.items():
        if not (0 <= edge.column <= battlefield.columns and 0 <= edge.row <= battlefield.rows):
            continue
        index = (edge.row + 1) * (battlefield.columns + 2) + edge.column + 1
        for bottom, top in barrier_solids(barrier, battlefield.barrier_base(edge)):
            ways = (0, 1) if edge.side == "W" else (2, 3)
            hiding = [way for way in ways if not (one_way and barrier.seen_through is WAYS[way])]
            parts.extend((way, index, bottom, top) for way in hiding)
    if not parts:
        return None, None, None, None
    way, index_, bottoms, tops = np.array(parts, np.int64).T
    size = (battlefield.columns + 2) * (battlefield.rows + 2)

    def crossed(chosen: npt.NDArray[np.bool_], heights: npt.NDArray[np.int64]) -> Crossed | None:
        """The highest of the chosen parts at each place, for each of WAYS; None where none is chosen."""
        if not chosen.any():
            return None
        found = np.full((4, size), EMPTY)
        np.maximum.at(found, (way[chosen], index_[chosen]), heights[chosen].astype(np.float64))
        return found

    stands = bottoms <= DEPTH
    hangs = ~stands & (tops >= HIGH)
    floats = ~stands & ~hangs
    standing, hanging = crossed(stands, tops), crossed(hangs, -bottoms)
    if not floats.any():
        return standing, hanging, standing, None
    own = Floating(way[floats], index_[floats], bottoms[floats].astype(np.float64), tops[floats].astype(np.float64))
    return standing, hanging, crossed(stands | floats, tops), own
