"""A battlefield and bodies as the arrays that the kernel reads, made once per battlefield. Nothing is decided here."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.context import Cache
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.obstacles import DEPTH, Thing, feet_of, object_on, obstacles
from engine.geometry.squares import Direction, Edge, Square

Array = npt.NDArray[Any]
SIGHT, MUTUAL, SHOTS = 1, 2, 4
"""The bits of the three questions, as in sight.h."""
WAYS = {None: 0, Direction.E: 1, Direction.W: -1, Direction.S: 2, Direction.N: -2}
THING = -1
BODY = np.dtype([(name, "i4") for name in ("column", "row", "size", "feet", "eyes", "crown", "reach", "leans")])
ARRAYS = ("ground", "highest", "square_first", "edge_first", "square_solids", "edge_solids", "smoke", "crowd")
SOLID = np.dtype([(name, "i4") for name in ("bottom", "top", "questions", "seen_through", "body")])
KEPT = 4
"""Battlefields whose arrays are kept: the one on the board, those of an edit and its undoing."""
HIGHEST = 2 * SKY
"""Hundredths above and below the map's zero: the most that the kernel is told of."""
EXACT = 2**53
"""Whole numbers below it are exact in float64, and quotients of them are rounded once."""


class MapStruct(ctypes.Structure):
    """`Map` of sight.h."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("columns", "rows", "questions", "hides_soft", "is_mutual")),
        *((name, ctypes.c_double) for name in ("head", "least")),
        *((name, ctypes.c_void_p) for name in ARRAYS),
    )


class SquareArrays(NamedTuple):
    """What stands on squares."""

    ground: Array
    highest: Array
    first: Array
    solids: Array
    questions: int
    """Bits of those that have answers of their own."""
    is_exact: bool
    """Whether heights are such that the kernel compares them exactly."""


class EdgeArrays(NamedTuple):
    """What stands on edges."""

    first: Array
    solids: Array
    questions: int


_SQUARES: Cache[SquareArrays] = Cache(KEPT)
_EDGES: Cache[EdgeArrays] = Cache(KEPT)
_SMOKE: Cache[Array | None] = Cache(KEPT)


def map_struct(battlefield: Battlefield, crowd: Collection[Body] = ()) -> tuple[MapStruct, tuple[Any, ...]] | None:
    """The battlefield for the kernel, and what must be kept as long as it is used.

    None where heights are too great to be compared exactly: then the tracer is asked.

    Args:
        battlefield: any.
        crowd: bodies of others in the way.

    Raises:
        OffMap: a body is outside.
    """
    field, shape = battlefield, (battlefield.columns, battlefield.rows)
    squares = _square_arrays(field)
    if not squares.is_exact:
        return None
    edges = _EDGES.get((field.barriers, field.elevation), shape, lambda: _edges(field))
    smoke = _SMOKE.get((field.smoke,), shape, lambda: np.array(field.smoke, np.uint8) if any(field.smoke) else None)
    standing = [body for body in crowd if 0 < field.sight.bodies <= body.size]
    bodies = body_array(field, standing)
    if bodies is None:
        return None
    if standing:
        squares = _with_bodies(field, squares, standing, bodies)
    of_squares = squares.ground, squares.highest, squares.first
    arrays = *of_squares, edges.first, squares.solids, edges.solids, smoke, bodies
    model = field.sight
    given = MapStruct(
        *(*shape, squares.questions | edges.questions, model.soft, model.mutual, model.head / 100, model.least / 100),
        *(None if array is None else array.ctypes.data for array in arrays),
    )
    return given, arrays


def body_array(battlefield: Battlefield, bodies: Sequence[Body], *, on_ground: bool = True) -> Array | None:
    """Bodies as the kernel reads them: with heights above the map's zero, or above the ground they would stand on.

    None where one is higher than is compared exactly.

    Raises:
        OffMap: a body is outside, and its ground is asked for.
    """
    rows = []
    for body in bodies:
        feet = feet_of(battlefield, body) if on_ground else body.altitude
        crown = feet + max(body.height, 1)
        reach = max(DEPTH, feet + body.looks_over)
        eyes = feet + body.eyes
        if max(map(abs, (feet, eyes, crown, reach))) > HIGHEST:
            return None
        rows.append((*body.at, body.size, feet, eyes, crown, reach, body.lean))
    return np.array(rows, BODY)


def bodies_on(battlefield: Battlefield, like: Body, within: tuple[Square, Square]) -> Array | None:
    """Bodies like one as the kernel reads them, on each square of a part of the map, row by row.

    Each stands on the highest ground of its footprint, which is on the map. None where it is too high.
    """
    (left, top), (right, bottom) = within
    ground = _square_arrays(battlefield).ground.reshape(battlefield.rows, battlefield.columns)
    parts = [
        ground[top + down : bottom + down + 1, left + across : right + across + 1]
        for down in range(like.size)
        for across in range(like.size)
    ]
    feet, plain = np.maximum.reduce(parts), body_array(battlefield, [like], on_ground=False)
    if plain is None:
        return None
    found = np.repeat(plain, feet.size)
    rows, columns = np.indices(feet.shape)
    found["column"], found["row"] = columns.ravel() + left, rows.ravel() + top
    for name in ("feet", "eyes", "crown", "reach"):
        found[name] += feet.ravel()
    return found


def _square_arrays(battlefield: Battlefield) -> SquareArrays:
    field, shape = battlefield, (battlefield.columns, battlefield.rows)
    return _SQUARES.get((field.legend, field.ground, field.elevation), shape, lambda: _squares(field))


def _squares(battlefield: Battlefield) -> SquareArrays:
    ground, kinds = np.array(battlefield.elevation, np.int64), np.array(battlefield.ground)
    things = [object_on(kind, Square(0, 0), 0) for kind in battlefield.legend]
    heights = np.array([0 if thing is None else thing.top for thing in things], np.int64)[kinds]
    questions = np.array([0 if thing is None else _questions(thing) for thing in things])[kinds]
    tops = np.minimum(SKY, ground + heights)
    questions[tops <= ground] = 0
    where = np.flatnonzero(questions)
    solids = np.zeros(len(where), SOLID)
    solids["bottom"], solids["top"], solids["questions"] = ground[where], tops[where], questions[where]
    solids["body"] = THING
    return SquareArrays(
        ground.astype(np.int32),
        np.where(questions > 0, tops, ground).astype(np.int32),
        _firsts(questions > 0),
        solids,
        _asked(solids),
        int(np.abs(ground).max()) <= SKY and 2 * HIGHEST * 64 * ground.size < EXACT,
    )


def _edges(battlefield: Battlefield) -> EdgeArrays:
    found = sorted(
        (_number(battlefield, edge), (bottom, top, _questions(thing), WAYS[thing.seen_through], THING))
        for edge in battlefield.barriers
        if 0 <= edge.column <= battlefield.columns and 0 <= edge.row <= battlefield.rows
        for thing in obstacles(battlefield, edge)
        if thing.hides
        for bottom, top in thing.solids
    )
    solids = np.array([solid for _, solid in found], SOLID)
    corners = (battlefield.rows + 1) * (battlefield.columns + 1)
    counts = np.bincount(np.array([number for number, _ in found], np.int64), minlength=2 * corners)
    return EdgeArrays(_firsts(counts), solids, _asked(solids))


def _questions(thing: Thing) -> int:
    return (SIGHT | MUTUAL if thing.blocks_sight else 0) | (SHOTS if thing.stops_shots else 0)


def _number(battlefield: Battlefield, edge: Edge) -> int:
    return 2 * (edge.row * (battlefield.columns + 1) + edge.column) + (edge.side == "N")


def _firsts(counts: Array) -> Array:
    """Where the solids of each place begin, and the end of the last."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _asked(solids: Array) -> int:
    """Bits of the questions that have answers of their own on a map with these solids."""
    bits, asked = solids["questions"] & (SIGHT | SHOTS), SIGHT
    if ((bits != 0) & (bits != SIGHT | SHOTS)).any():
        asked |= SHOTS
    if (solids["seen_through"] != 0).any():
        asked |= MUTUAL | SHOTS
    return asked


def _with_bodies(battlefield: Battlefield, plain: SquareArrays, bodies: Sequence[Body], crowd: Array) -> SquareArrays:
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
    first = plain.first + np.searchsorted(squares, np.arange(len(plain.first))).astype(np.int32)
    solids = np.insert(plain.solids, plain.first[squares + 1], added[order])
    return plain._replace(highest=highest, first=first, solids=solids)
