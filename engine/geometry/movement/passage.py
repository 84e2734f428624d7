"""Where a kind of body can pass on a battlefield: the rules of `steps` for all squares at once, as bitboards."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import ceil
from operator import or_
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import Battlefield
from engine.geometry.movement.bitboard import Board, Shapes, moved, sorted_out
from engine.geometry.movement.steps import MoveRules, cuts_off, entry_cost, keeps_back, opens
from engine.geometry.squares import Direction

if TYPE_CHECKING:
    from engine.geometry.movement.slopes import Slopes

DIRECTIONS = (
    *(Direction.E, Direction.W, Direction.S, Direction.N),
    *(Direction.SE, Direction.SW, Direction.NE, Direction.NW),
)
"""The straight ones first."""
STRAIGHT = 4

Price = tuple[Fraction, int]
"""What a step over plain ground is multiplied by, and the half squares added for climbing and doors."""
Prices = dict[Price, Board]
"""For each price, where a step ends that costs it."""


class StepPassages(Struct, frozen=True):
    """Where a body may go from one square to the next. Boards tell where a step ends; here they are bytes."""

    shapes: Shapes
    prices: tuple[tuple[Price, bytes], ...]
    """Squares that are entered at the same price from wherever they are entered."""
    ways: tuple[bytes, ...]
    """For each of DIRECTIONS, where such a step may end."""
    straight_is_open: bool
    """Whether `prices` say as much as the straight `ways`, because nothing bars one direction only."""
    slanting_is_open: bool
    others: tuple[tuple[Direction, Price, bytes], ...]
    """Squares whose price depends on the direction."""


class _Walls(Struct, frozen=True):
    """Barriers on edges. `bars` and `doors`: where a step ends that they keep back, or that opens a door."""

    bars: Mapping[Direction, Board]
    doors: Mapping[Direction, Board]
    corners: Board
    """Squares at whose north-west corner a barrier ends or turns."""
    astride: Board
    """Places where a barrier runs through the body."""


_passages: Cache[StepPassages] = Cache(8)
_slopes: Cache[Slopes] = Cache(8)


def passage(battlefield: Battlefield, rules: MoveRules) -> StepPassages:
    """The passage for a kind of body, cached; units in the way are not part of it.

    Args:
        battlefield: where it moves.
        rules: how it moves; `occupied` and the metric do not count.
    """
    climbing = (
        *(battlefield.columns, battlefield.unit, battlefield.square_size, rules.size),
        rules.climb_cost,
    )
    flight = rules.feet if rules.flies else None
    kind = (*climbing, flight, rules.pace, rules.door_cost)
    layers = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.barriers)

    def find() -> StepPassages:
        shapes = Shapes(battlefield.columns, battlefield.rows, rules.size)
        slopes: Slopes | None = None
        level = battlefield.elevation
        if not rules.flies and level.count(level[0]) < len(level):
            from engine.geometry.movement.slopes import find_slopes  # NumPy is not imported before it is needed

            slopes = _slopes.get((level,), climbing, lambda: find_slopes(battlefield, rules, shapes))
        return _find(battlefield, rules, shapes, slopes)

    return _passages.get(layers, kind, find)


def _find(battlefield: Battlefield, rules: MoveRules, shapes: Shapes, slopes: Slopes | None) -> StepPassages:
    ground = _by_cost(battlefield, rules, shapes)
    walls = _find_walls(battlefield, rules, shapes)
    whole, open_ground = shapes.whole(), reduce(or_, ground.values(), 0)
    by_direction: dict[Direction, Prices] = {}
    for direction in DIRECTIONS:
        free = open_ground & moved(whole, shapes.bits(direction)) & ~walls.bars.get(direction, 0)
        if direction.is_diagonal:
            free &= moved(open_ground, direction.dx) & moved(open_ground, shapes.stride * direction.dy)
            free &= ~moved(walls.corners, -((direction.dx < 0) + shapes.stride * (direction.dy < 0)))
        prices = _priced(ground, shapes.under(free) & ~walls.astride, direction, shapes)
        doors = shapes.touching(walls.doors.get(direction, 0), shapes.entered(direction))
        if doors and rules.door_cost:
            prices = _dearer(prices, {0: ~doors, ceil(2 * rules.door_cost): doors})
        if slopes is not None:
            prices = _dearer(prices, slopes[direction])
        by_direction[direction] = prices
    return _parted(by_direction, shapes)


def _by_cost(battlefield: Battlefield, rules: MoveRules, shapes: Shapes) -> dict[Fraction, Board]:
    """The squares that may be entered, by what that costs. Heights are only asked for a flyer."""
    legend, nowhere = battlefield.legend, (-1, 0)
    if not rules.flies:
        costs = {index: entry_cost(legend[index], 0, rules) for index in set(battlefield.ground)}
        return sorted_out(shapes.padded(battlefield.ground, -1), {**costs, -1: None})
    layer = list(zip(battlefield.ground, battlefield.elevation, strict=True))
    flown = {(index, level): entry_cost(legend[index], level, rules) for index, level in set(layer)}
    return sorted_out(shapes.padded(layer, nowhere), {**flown, nowhere: None})


def _find_walls(battlefield: Battlefield, rules: MoveRules, shapes: Shapes) -> _Walls:
    bars: dict[Direction, list[tuple[int, int]]] = {}
    doors: dict[Direction, list[tuple[int, int]]] = {}
    corners: list[tuple[int, int]] = []
    astride: dict[str, list[tuple[int, int]]] = {"N": [], "W": []}
    for edge in battlefield.barriers:
        if cuts_off(battlefield, edge, rules) is None:
            continue
        here = (edge.column, edge.row)
        is_level = edge.side == "N"
        corners += (here, (edge.column + 1, edge.row) if is_level else (edge.column, edge.row + 1))
        if keeps_back(battlefield, edge, rules):
            astride[edge.side].append(here)
        beyond = edge.squares[0]
        across = (Direction.S, Direction.N) if is_level else (Direction.E, Direction.W)
        for direction, end in zip(across, (here, beyond), strict=True):
            if keeps_back(battlefield, edge, rules, direction):
                bars.setdefault(direction, []).append(end)
            elif opens(battlefield, edge, rules):
                doors.setdefault(direction, []).append(end)
    side = range(shapes.size)
    through = shapes.touching(shapes.of(astride["W"]), [(x, y) for y in side for x in side if x])
    through |= shapes.touching(shapes.of(astride["N"]), [(x, y) for y in side for x in side if y])
    return _Walls(
        {direction: shapes.of(ends) for direction, ends in bars.items()},
        {direction: shapes.of(ends) for direction, ends in doors.items()},
        shapes.of(corners),
        through,
    )


def _priced(ground: Mapping[Fraction, Board], free: Board, direction: Direction, shapes: Shapes) -> Prices:
    """Where a step may end, by what it costs on level ground: the dearest square newly entered counts."""
    found: Prices = {}
    entered = shapes.entered(direction)
    for cost in sorted(ground, reverse=True):
        ends = shapes.touching(ground[cost], entered) & free
        free &= ~ends
        if ends:
            found[cost, 0] = ends
    return found


def _dearer(prices: Prices, extras: Mapping[int, Board]) -> Prices:
    """The same ends with what comes on top of the ground; ends for which no extra is known are barred."""
    found: Prices = {}
    for (cost, before), board in prices.items():
        for extra, where in extras.items():
            if board & where:
                price = (cost, before + extra)
                found[price] = found.get(price, 0) | (board & where)
    return found


def _parted(by_direction: Mapping[Direction, Prices], shapes: Shapes) -> StepPassages:
    """Parts the squares whose price is the same from everywhere, which are searched at once, from the others."""
    anywhere: Prices = {}
    for prices in by_direction.values():
        for price, board in prices.items():
            anywhere[price] = anywhere.get(price, 0) | board
    unlike = reduce(or_, (one & other for one, other in combinations(anywhere.values(), 2)), 0)
    common = {price: board & ~unlike for price, board in anywhere.items()}
    entered = reduce(or_, common.values(), 0)
    ways = [reduce(or_, by_direction[direction].values(), 0) & ~unlike for direction in DIRECTIONS]
    everywhere = shapes.under(shapes.whole())
    is_open = [
        not entered & moved(everywhere, shapes.bits(direction)) & ~way
        for direction, way in zip(DIRECTIONS, ways, strict=True)
    ]

    def as_bytes(board: Board) -> bytes:
        return board.to_bytes(shapes.width * shapes.rows, "little")

    return StepPassages(
        shapes,
        tuple((price, as_bytes(board)) for price, board in common.items() if board),
        tuple(as_bytes(way) for way in ways),
        all(is_open[:STRAIGHT]),
        all(is_open[STRAIGHT:]),
        tuple(
            (direction, price, as_bytes(board & unlike))
            for direction, prices in by_direction.items()
            for price, board in prices.items()
            if board & unlike
        ),
    )
