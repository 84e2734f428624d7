"""A battlefield and bodies as the arrays that the kernel reads, made once per battlefield. Nothing is decided here."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.obstacles import DEPTH, barrier_solids, feet_of
from engine.geometry.squares import Direction

Array = npt.NDArray[Any]
SIGHT, MUTUAL, SHOTS = 1, 2, 4
"""The bits of the three questions, as in sight.h."""
WAYS = {Direction.E: 1, Direction.W: 2, Direction.S: 3, Direction.N: 4}
THING = -1
BODY = np.dtype([(name, "i4") for name in ("column", "row", "size", "feet", "eyes", "crown", "reach", "leans")])
SOLID = np.dtype([(name, "i4") for name in ("bottom", "top", "questions", "seen_through", "body")])
KEPT = 4
"""Battlefields whose arrays are kept: the one on the board, those of an edit and its undoing."""
EXACT = 2**53
"""Whole numbers below it are exact in float64, and quotients of them are rounded once."""


class MapStruct(ctypes.Structure):
    """`Map` of sight.h."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("columns", "rows", "questions", "hides_soft", "is_mutual")),
        *((name, ctypes.c_double) for name in ("head", "least")),
        *(
            (name, ctypes.c_void_p)
            for name in (
                "ground",
                "highest",
                "square_first",
                "edge_first",
                "square_solids",
                "edge_solids",
                "touches_edge",
                "smoke",
                "crowd",
            )
        ),
    )


class MapArrays(Struct, frozen=True, eq=False):
    """What is known of one battlefield before anybody looks."""

    ground: Array
    highest: Array
    square_first: Array
    edge_first: Array
    square_solids: Array
    edge_solids: Array
    touches_edge: Array
    smoke: Array | None
    questions: int
    """Bits of those that have answers of their own."""
    is_exact: bool
    """Whether heights are such that the kernel compares them exactly."""


_MAPS: Cache[MapArrays] = Cache(KEPT)


def map_struct(battlefield: Battlefield, obstacles: Collection[Body] = ()) -> tuple[MapStruct, tuple[Any, ...]] | None:
    """The battlefield for the kernel, with bodies of others in the way; and what must be kept as long as it is used.

    None where heights are too great to be compared exactly: then the tracer is asked.

    Raises:
        OffMap: a body is outside.
    """
    made_of = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.smoke, battlefield.barriers)
    plain = _MAPS.get(made_of, (battlefield.columns, battlefield.rows), lambda: _arrays(battlefield))
    standing = [body for body in obstacles if 0 < battlefield.sight.bodies <= body.size]
    crowd = body_array(battlefield, standing)
    found = _with_bodies(battlefield, plain, standing, crowd) if standing else plain
    if not found.is_exact:
        return None
    model = battlefield.sight
    given = MapStruct(
        battlefield.columns,
        battlefield.rows,
        found.questions,
        model.soft,
        model.mutual,
        model.head / 100,
        model.least / 100,
        *(
            None if array is None else array.ctypes.data
            for array in (
                found.ground,
                found.highest,
                found.square_first,
                found.edge_first,
                found.square_solids,
                found.edge_solids,
                found.touches_edge,
                found.smoke,
                crowd,
            )
        ),
    )
    return given, (found, crowd)


def body_array(battlefield: Battlefield, bodies: Sequence[Body], *, on_ground: bool = True) -> Array:
    """Bodies as the kernel reads them: with heights above the map's zero, or above the ground they would stand on.

    Raises:
        OffMap: a body is outside, and its ground is asked for.
    """
    rows = []
    for body in bodies:
        feet = feet_of(battlefield, body) if on_ground else body.altitude
        crown = feet + max(body.height, 1)
        reach = max(DEPTH, feet + body.looks_over)
        rows.append((*body.at, body.size, feet, feet + body.eyes, crown, reach, body.lean))
    return np.array(rows, BODY)


def _arrays(battlefield: Battlefield) -> MapArrays:
    ground = np.array(battlefield.elevation, np.int64)
    kinds = np.array(battlefield.ground)
    legend = battlefield.legend
    heights = np.array([kind.height for kind in legend], np.int64)[kinds]
    bits = np.array([_questions(kind.blocks_sight, kind.stops_shots) if kind.height > 0 else 0 for kind in legend])
    questions = bits[kinds]
    tops = np.minimum(SKY, ground + heights)
    questions[tops <= ground] = 0
    where = np.flatnonzero(questions)
    solids = np.zeros(len(where), SOLID)
    solids["bottom"], solids["top"], solids["questions"] = ground[where], tops[where], questions[where]
    solids["body"] = THING
    edges = [*_edge_solids(battlefield)]
    edge_solids = np.array([solid for _, solid in sorted(edges, key=lambda one: one[0])], SOLID)
    corners = (battlefield.rows + 1) * (battlefield.columns + 1)
    counts = np.bincount(np.array([edge for edge, _ in edges], np.int64), minlength=2 * corners)
    return MapArrays(
        ground=ground.astype(np.int32),
        highest=np.where(questions > 0, tops, ground).astype(np.int32),
        square_first=_firsts(questions > 0),
        edge_first=_firsts(counts),
        square_solids=solids,
        edge_solids=edge_solids,
        touches_edge=_touched(battlefield, counts),
        smoke=np.array(battlefield.smoke, np.uint8) if any(battlefield.smoke) else None,
        questions=_asked(solids, edge_solids),
        is_exact=2 * max(SKY, int(np.abs(ground).max())) * 64 * ground.size < EXACT,
    )


def _questions(blocks_sight: bool, stops_shots: bool) -> int:
    return (SIGHT | MUTUAL if blocks_sight else 0) | (SHOTS if stops_shots else 0)


def _edge_solids(battlefield: Battlefield) -> Iterator[tuple[int, tuple[int, int, int, int, int]]]:
    """What stands on edges, with the number of its edge."""
    for edge, barrier in battlefield.barriers.items():
        questions = _questions(barrier.blocks_sight, barrier.stops_shots)
        is_there = 0 <= edge.column <= battlefield.columns and 0 <= edge.row <= battlefield.rows
        if barrier.is_open or not questions or not is_there:
            continue
        way = 0
        if barrier.seen_through is not None and (barrier.seen_through.dx != 0) == (edge.side == "W"):
            way = WAYS[barrier.seen_through]
        number = 2 * (edge.row * (battlefield.columns + 1) + edge.column) + (edge.side == "N")
        for bottom, top in barrier_solids(barrier, battlefield.barrier_base(edge)):
            yield number, (bottom, top, questions, way, THING)


def _firsts(counts: Array) -> Array:
    """Where the solids of each place begin, and the end of the last."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _touched(battlefield: Battlefield, counts: Array) -> Array:
    """Of each corner whether any of its four edges has a solid: its own, the west one above, the north one before."""
    west, north = (counts[side::2].reshape(battlefield.rows + 1, battlefield.columns + 1) > 0 for side in (0, 1))
    found = west | north
    found[1:] |= west[:-1]
    found[:, 1:] |= north[:, :-1]
    return found.astype(np.uint8).ravel()


def _asked(*solids: Array) -> int:
    """Bits of the questions that have answers of their own on a map with these solids."""
    bits = np.concatenate([some["questions"] for some in solids])
    asked = SIGHT
    if ((bits & (SIGHT | SHOTS) != 0) & (bits & (SIGHT | SHOTS) != SIGHT | SHOTS)).any():
        asked |= SHOTS
    if any((some["seen_through"] != 0).any() for some in solids):
        asked |= MUTUAL | SHOTS
    return asked


def _with_bodies(battlefield: Battlefield, plain: MapArrays, bodies: Sequence[Body], crowd: Array) -> MapArrays:
    """The arrays with bodies on their squares."""
    places = [square.row * battlefield.columns + square.column for body in bodies for square in body.squares]
    numbers = [number for number, body in enumerate(bodies) for _ in body.squares]
    added = np.zeros(len(places), SOLID)
    added["bottom"], added["top"] = crowd["feet"][numbers], np.minimum(SKY, crowd["crown"][numbers])
    added["questions"], added["body"] = SIGHT | MUTUAL | SHOTS, numbers
    order = np.argsort(places, kind="stable")
    squares = np.array(places)[order]
    highest = plain.highest.copy()
    np.maximum.at(highest, squares, added["top"][order])
    firsts = plain.square_first + np.searchsorted(squares, np.arange(len(plain.square_first))).astype(np.int32)
    solids = np.insert(plain.square_solids, plain.square_first[squares + 1], added[order])
    return MapArrays(
        ground=plain.ground,
        highest=highest,
        square_first=firsts,
        edge_first=plain.edge_first,
        square_solids=solids,
        edge_solids=plain.edge_solids,
        touches_edge=plain.touches_edge,
        smoke=plain.smoke,
        questions=plain.questions,
        is_exact=plain.is_exact,
    )
