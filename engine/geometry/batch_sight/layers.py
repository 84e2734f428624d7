"""A battlefield as NumPy layers, made once per battlefield: what the batch kernel looks up. Nothing is decided here.

All layers are padded by one square on each side and flat, so that a neighbour is a constant step away: the square at
(column, row) has the index `(row + 1) * width + column + 1` with `width = columns + 2`. Heights are whole hundredths
held in float64, so that every quotient of them is rounded once. A square and an edge hold a list of solids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import SKY, Barrier, Battlefield
from engine.geometry.body import Body
from engine.geometry.obstacles import DEPTH, barrier_solids, feet_of
from engine.geometry.squares import Direction, Edge, Square
from engine.values import replace

Heights = npt.NDArray[np.floating[Any]]
Indexes = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]
"""Whole or not."""

EMPTY = float(DEPTH)
"""The height that stands for nothing there."""

CROSSINGS = (Direction.E, Direction.W, Direction.S, Direction.N)
"""The order of the four ways of crossing an edge: E and W cross a square's west edge, S and N its north edge. Layers of
edges have four sections in this order, each as long as a layer of squares."""

KEPT = 4
"""Battlefields whose layers are kept: the one on the board, those of an edit and its undoing."""


class Solids(NamedTuple):
    """At most one solid for each place: its bottom and its top."""

    bottoms: Heights | None
    """None: they stand on the ground. Infinite where there is nothing."""
    tops: Heights
    """EMPTY or less where there is nothing."""
    bodies: Indexes | None = None
    """Number of the body that it is a square of; None for things."""


class Question(Struct, frozen=True, eq=False):
    """Everything that blocks sight, or everything that stops shots."""

    squares: tuple[Solids, ...]
    """The ground, or the object on it where that counts; then bodies."""
    edges: tuple[Solids, ...]
    highest: tuple[Heights, Heights]
    """For each square the highest of anything on it and on its edges; and the lowest of what surely stands there. So
    the bounds of `corridors` take it."""
    gates: tuple[Heights, Heights]
    """The tops of what stands on the west and the north edge of each square, whichever way it is crossed."""
    has_edge: Flags
    """Where there is anything on an edge."""


class Layers(Struct, frozen=True, eq=False, dict=True):
    """The layers of one battlefield. Questions that are one and the same object have the same answers."""

    columns: int
    rows: int
    width: int
    ground: Heights
    soft: Flags
    """Where an object blocks sight and stops no shots."""
    smoke: Heights | None
    """Density; None: clear air everywhere."""
    sight: Question
    """As seen in the way of crossing, through one-way barriers too;"""
    mutual: Question
    """with these hiding both ways."""
    shots: Question
    differs: Flags | None
    """Squares on which, or on whose edges, the questions differ; None where they are all one."""
    standing: tuple[Body, ...] = ()
    """Bodies in the way."""
    spreads: dict[Any, Any] = {}
    """Kept by `corridors`."""

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Those that differ."""
        return tuple(dict.fromkeys((self.sight, self.mutual, self.shots)))

    @cached_property
    def highest(self) -> Heights:
        """For each square the highest of anything on it and on its edges, for any question."""
        found: Heights = np.maximum.reduce([question.highest[0] for question in self.questions])
        return found

    def index(self, square: Square) -> int:
        """Index of a square, or of one in the ring round the map."""
        return (square[1] + 1) * self.width + square[0] + 1


_LAYERS: Cache[Layers] = Cache(KEPT)


def layers(battlefield: Battlefield, obstacles: Collection[Body] = ()) -> Layers:
    """The layers of a battlefield, with bodies of others in the way as its rules of sight have it.

    Those of the last KEPT battlefields are remembered, known by the identity of what they are made of.

    Raises:
        OffMap: a body is outside.
    """
    made_of = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.smoke, battlefield.barriers)
    sizes = (battlefield.columns, battlefield.rows)
    plain = _LAYERS.get(made_of, sizes, lambda: _made(battlefield))
    least = battlefield.sight.bodies
    standing = tuple(body for body in obstacles if 0 < least <= body.size)
    return _with_bodies(battlefield, plain, standing) if standing else plain


def _made(battlefield: Battlefield) -> Layers:
    width = battlefield.columns + 2
    ground = np.array(battlefield.elevation, np.float64)
    kinds = np.array(battlefield.ground, np.intp)
    heights = np.array([kind.height for kind in battlefield.legend], np.float64)
    high = np.maximum(ground, np.minimum(SKY, ground + heights[kinds]))
    hides = np.array([kind.blocks_sight for kind in battlefield.legend])[kinds]
    shields = np.array([kind.stops_shots for kind in battlefield.legend])[kinds]
    smoke = np.array(battlefield.smoke, np.float64)

    def padded(values: npt.NDArray[Any], outside: Any) -> npt.NDArray[Any]:
        layer = np.full((battlefield.rows + 2, width), outside)
        layer[1:-1, 1:-1] = values.reshape(battlefield.rows, battlefield.columns)
        return layer.ravel()

    shut = {
        edge: one for edge, one in battlefield.barriers.items() if not one.is_open and _is_inside(battlefield, edge)
    }
    sighted = {edge: one for edge, one in shut.items() if one.blocks_sight}
    shielding = {edge: one for edge, one in shut.items() if one.stops_shots}

    def question(counts: Flags, barriers: dict[Edge, Barrier], *, one_way: bool = False) -> Question:
        tops = padded(np.where(counts, high, ground), EMPTY)
        return _bounded(width, (Solids(None, tops),), tuple(_edges(battlefield, barriers, one_way)))

    mutual = question(hides, sighted)
    one_way = {edge for edge, one in sighted.items() if one.seen_through is not None}
    differs = padded((hides != shields) & (high > ground), False)
    is_same = sighted.keys() == shielding.keys() and not differs.any()
    for edge in one_way | (sighted.keys() ^ shielding.keys()):
        index = (edge.row + 1) * width + edge.column + 1
        differs[[index, index - (1 if edge.side == "W" else width)]] = True
    return Layers(
        columns=battlefield.columns,
        rows=battlefield.rows,
        width=width,
        ground=padded(ground, EMPTY),
        soft=padded(hides & ~shields & (high > ground), False),
        smoke=padded(smoke, 0.0) if smoke.any() else None,
        sight=question(hides, sighted, one_way=True) if one_way else mutual,
        mutual=mutual,
        shots=mutual if is_same else question(shields, shielding),
        differs=differs if differs.any() else None,
    )


def _is_inside(battlefield: Battlefield, edge: Edge) -> bool:
    """Whether an edge lies on the map or on its border."""
    return 0 <= edge.column <= battlefield.columns and 0 <= edge.row <= battlefield.rows


def _edges(battlefield: Battlefield, barriers: dict[Edge, Barrier], one_way: bool) -> Iterable[Solids]:
    """What stands on edges, then what floats there: as many layers as it takes to hold everything."""
    width, size = battlefield.columns + 2, (battlefield.columns + 2) * (battlefield.rows + 2)
    parts: list[tuple[int, int, int]] = []
    for edge, barrier in barriers.items():
        index = (edge.row + 1) * width + edge.column + 1
        crossings = [
            crossing
            for crossing in ((0, 1) if edge.side == "W" else (2, 3))
            if not (one_way and barrier.seen_through is CROSSINGS[crossing])
        ]
        for bottom, top in barrier_solids(barrier, battlefield.barrier_base(edge)):
            parts.extend((crossing * size + index, bottom, top) for crossing in crossings)
    if parts:
        places, bottoms, tops = (np.array(values, np.float64) for values in zip(*parts, strict=True))
        stands = bottoms <= DEPTH
        if stands.any():
            layer = np.full(4 * size, EMPTY)
            layer[places[stands].astype(np.intp)] = tops[stands]
            yield Solids(None, layer)
        yield from _floating(4 * size, places[~stands].astype(np.intp), bottoms[~stands], tops[~stands])


def _floating(
    size: int, places: Indexes, bottoms: Heights, tops: Heights, bodies: Indexes | None = None
) -> Iterable[Solids]:
    """The second of two solids at a place goes on the second layer."""
    while len(places):
        unique, here = np.unique(places, return_index=True)
        bottom, top, body = np.full(size, np.inf), np.full(size, -np.inf), None
        bottom[unique], top[unique] = bottoms[here], tops[here]
        if bodies is not None:
            body = np.zeros(size, np.intp)
            body[unique] = bodies[here]
            bodies = np.delete(bodies, here)
        yield Solids(bottom, top, body)
        places, bottoms, tops = np.delete(places, here), np.delete(bottoms, here), np.delete(tops, here)


def _with_bodies(battlefield: Battlefield, plain: Layers, bodies: tuple[Body, ...]) -> Layers:
    """Bodies in the way, from feet to crown over their whole footprints."""
    rows = []
    for number, body in enumerate(bodies):
        feet = feet_of(battlefield, body)
        top = min(SKY, feet + max(body.height, 1))
        rows += [(plain.index(square), feet, top, number) for square in body.squares]
    places, bottoms, tops, numbers = np.array(rows, np.float64).T
    parts = tuple(_floating(len(plain.ground), places.astype(np.intp), bottoms, tops, numbers.astype(np.intp)))
    changed = {
        question: _bounded(plain.width, (*question.squares, *parts), question.edges) for question in plain.questions
    }
    sight, mutual, shots = (changed[question] for question in (plain.sight, plain.mutual, plain.shots))
    return replace(plain, standing=bodies, spreads={}, sight=sight, mutual=mutual, shots=shots)


def _bounded(width: int, squares: tuple[Solids, ...], edges: tuple[Solids, ...]) -> Question:
    """A question with the bounds of what is on its squares and edges."""
    highest, size = squares[0].tops.copy(), len(squares[0].tops)
    for solids in squares[1:]:
        np.maximum(highest, solids.tops, out=highest)
    gates = [np.full(size, EMPTY), np.full(size, EMPTY)]
    has_edge = np.zeros(4 * size, bool)
    for solids in edges:
        has_edge |= solids.tops > EMPTY
        sections = solids.tops.reshape(4, size)
        west, north = np.maximum(sections[0], sections[1]), np.maximum(sections[2], sections[3])
        for own, step in ((west, 1), (north, width)):
            np.maximum(highest, own, out=highest)
            np.maximum(highest[:-step], own[step:], out=highest[:-step])
        if solids.bottoms is None:
            gates = [np.minimum(sections[0], sections[1]), np.minimum(sections[2], sections[3])]
    return Question(squares, edges, (highest, squares[0].tops), (gates[0], gates[1]), has_edge)
