"""Battlefields and bodies as the plain walker of lines reads them: few flat arrays of whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.obstacles import barrier_solids
from engine.geometry.squares import Direction
from engine.smoke_opacity import ROUNDING
from tests.engine.geometry.sight_judge import DEFAULT, SightKeys, feet_of

Walked = TypeVar("Walked", bound=Callable[..., Any])


def njit(function: Walked) -> Walked:
    """The function compiled when first called; divisions are not checked, as nothing is divided by zero."""
    made: Any = numba.njit(error_model="numpy")(function)
    return cast(Walked, made)


Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]

BOTTOMLESS = -SKY
ENDLESS = 1e18
POINTS_X = np.array([0, -3, 3, -3, 3])
POINTS_Y = np.array([0, -3, -3, 3, 3])
COLUMN, ROW, SIZE, FEET, EYE, CROWN, OVER, EYES = range(8)
"""A body's numbers: heights are above the map's zero; OVER is what it looks over, EYES how many eyes it has."""

SIGHT, SHOTS = 1, 2
"""What a solid is in the way of; a question asks for one or both."""

WAYS = {Direction.E: 1, Direction.W: 2, Direction.S: 3, Direction.N: 4}


class WalkedMap(NamedTuple):
    """A battlefield as few arrays, since every call hands them on; squares and edges row by row."""

    columns: int
    rows: int
    has_edges: bool
    is_alike: bool
    """Whether everything that hides stops shots and the other way round."""
    has_one_way: bool
    has_smoke: bool
    squares: Numbers
    """TOP of the object or the ground, GROUND, STOPS of the object (0 without one), SMOKE; of a map for blasts whether
    nothing reaches into the square, in place of smoke."""
    edges: Numbers
    """WEST and NORTH: which barrier, or -1; CORNER: whether any ends at the north-west corner. One column and one row
    more than the squares have."""
    barriers: Numbers
    """BOTTOM and TOP of two solids (a missing one ends below everything), what they stop, and the WAY in which they
    hide nothing, 0 for none."""


TOP, GROUND, STOPS, SMOKE = range(4)
WEST, NORTH, CORNER = range(3)
BARRIER_STOPS, WAY = 4, 5


class WalkKeys(NamedTuple):
    """The keys of sight that are not put into bodies."""

    own_ground: bool
    soft: bool
    head: float
    least: float
    mutual: bool
    smoke: float
    """Squares of smoke that are still seen through."""


class Scratch(NamedTuple):
    """What is written to while lines are walked; made once for many."""

    state: Shares
    """LOW: up to where the upright is hidden from its feet on, for sight and for shots; HIGH: from where on it is
    hidden up to its crown; SHARE: own shares."""
    intervals: Shares
    """Hidden intervals between these: a table for sight and one for shots; then one for either side of a line, at a
    corner or along the grid. Lowest and highest height, and what it stops."""
    counts: Numbers
    """How many intervals each table has; last, how many lines were walked."""


LOW, HIGH, SHARE = 0, 2, 4
SIDES, LINES = 2, 4


def scratch() -> Scratch:
    return Scratch(np.zeros(6), np.zeros((4, 512, 3)), np.zeros(5, np.int64))


def walked_map(field: Battlefield, question: str = "sight") -> WalkedMap:
    """The arrays of a battlefield, for sight and shots, or for what contains a blast."""

    def stops_of(thing: Any) -> int:
        if question == "blast":
            return SIGHT | SHOTS if thing.contains_blast else 0
        return SIGHT * bool(thing.blocks_sight) | SHOTS * bool(thing.stops_shots)

    ground = np.array(field.elevation, np.int64)
    kinds = np.array(field.ground)
    heights = np.array([one.height if stops_of(one) else 0 for one in field.legend], np.int64)
    stops = np.array([stops_of(one) if one.height > 0 else 0 for one in field.legend], np.int64)[kinds]
    stride = field.columns + 1
    edges = np.zeros(((field.rows + 1) * stride, 3), np.int64)
    edges[:, [WEST, NORTH]] = -1
    barriers: list[list[int]] = []
    for edge, barrier in field.barriers.items():
        if barrier.is_open or not stops_of(barrier):
            continue
        solids = [*barrier_solids(barrier, field.barrier_base(edge)), (0, 2 * BOTTOMLESS)][:2]
        solids += [(0, 2 * BOTTOMLESS)] * (2 - len(solids))
        place, is_west = edge.row * stride + edge.column, edge.side == "W"
        edges[place, WEST if is_west else NORTH] = len(barriers)
        edges[[place, place + (stride if is_west else 1)], CORNER] = 1
        way = barrier.seen_through
        crosses = way is not None and question == "sight" and (way.dx != 0) == is_west
        barriers.append([*solids[0], *solids[1], stops_of(barrier), WAYS[way] if way and crosses else 0])
    table = np.array(barriers, np.int64).reshape(-1, 6)
    every = np.concatenate([stops, table[:, BARRIER_STOPS]])
    last = np.array(field.smoke, np.int64)
    if question == "blast":
        last = np.array([one.contains_blast and one.blocks_movement for one in field.legend], np.int64)[kinds]
    squares = [np.minimum(SKY, ground + heights[kinds]), ground, stops, last]
    return WalkedMap(
        field.columns,
        field.rows,
        bool(barriers),
        bool(np.isin(every, (0, SIGHT | SHOTS)).all()),
        bool(table[:, WAY].any()),
        any(field.smoke),
        np.ascontiguousarray(np.stack(squares, axis=1)),
        edges,
        table,
    )


def walk_keys(field: Battlefield, keys: SightKeys = DEFAULT) -> WalkKeys:
    ends = field.smoke_opacity.ends_sight
    smoke = np.inf if ends is None else float(ends) + ROUNDING
    return WalkKeys(keys.own_ground, keys.soft, keys.head / 100, keys.least / 100 - 1e-12, keys.mutual, smoke)


def walked_body(field: Battlefield, body: Body, reach: int, keys: SightKeys = DEFAULT) -> Numbers:
    """The numbers of a body that looks over near things from `reach` above its feet."""
    return _numbers(body, feet_of(field, body), reach, keys)


def walked_like(body: Body, reach: int, keys: SightKeys = DEFAULT) -> Numbers:
    """The same with heights above the ground that it would stand on."""
    return _numbers(body, body.altitude, reach, keys)


def _numbers(body: Body, feet: int, reach: int, keys: SightKeys) -> Numbers:
    over = {"rise": feet + reach, "look": feet + body.eyes, "off": 2 * BOTTOMLESS}[keys.own_cover]
    heights = feet, feet + body.eyes, feet + max(body.height, 1), over
    return np.array([*body.at, body.size, *heights, 5 if keys.lean else 1], np.int64)
