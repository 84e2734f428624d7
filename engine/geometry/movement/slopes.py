"""What slopes cost, for all squares of a battlefield at once. Imported only where the ground is not level.

It asks `steps.slope_cost` once for every different rise; NumPy sorts the squares out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import HUMAN_HEIGHT
from engine.geometry.movement.bitboard import Board, Shapes
from engine.geometry.movement.steps import MoveRules, slope_cost
from engine.geometry.squares import Direction

Slopes = Mapping[Direction, Mapping[int, Board]]
"""For each direction and the half squares that its slope costs, where a step ends; slopes too steep are in none."""

PAIRS = (
    (Direction.E, Direction.W),
    (Direction.S, Direction.N),
    (Direction.SE, Direction.NW),
    (Direction.SW, Direction.NE),
)


def find_slopes(battlefield: Battlefield, rules: MoveRules, shapes: Shapes) -> Slopes:
    """The slopes between neighbouring places for a body.

    Args:
        battlefield: the map.
        rules: how the body moves.
        shapes: the measures of the boards, for a body as wide.
    """
    level = np.zeros((shapes.rows, shapes.stride), np.int64)
    level[:, : shapes.columns] = np.array(battlefield.elevation).reshape(shapes.rows, shapes.columns)
    highest = _over_footprint(level.ravel(), shapes, np.maximum)
    even = -1
    if shapes.size > 1:
        lowest = _over_footprint(level.ravel(), shapes, np.minimum)
        even = _board(highest - lowest <= HUMAN_HEIGHT[battlefield.unit])
    found: dict[Direction, Mapping[int, Board]] = {}
    for forward, back in PAIRS:
        bits = shapes.bits(forward)
        rises, codes = _kinds(highest[bits:] - highest[:-bits], HUMAN_HEIGHT[battlefield.unit] + 1)
        boards = _by_cost([slope_cost(rise, battlefield, rules) for rise in rises], codes)  # up and down alike
        found[forward] = {cost: board << bits & even for cost, board in boards.items()}
        found[back] = {cost: board & even for cost, board in boards.items()}
    return found


def _over_footprint(level: NDArray[np.int64], shapes: Shapes, ufunc: np.ufunc) -> NDArray[np.int64]:
    """The highest or lowest ground under the body at each place; wrong where it would leave the map."""
    for step in (1, shapes.stride):
        single = level
        level = level.copy()
        for part in range(step, shapes.size * step, step):
            ufunc(level[:-part], single[part:], out=level[:-part])
    return level


def _kinds(rises: NDArray[np.int64], steepest: int) -> tuple[list[int], NDArray[Any]]:
    """The different rises, cut at the steepest, and for each bit which of them it has. Small numbers sort faster."""
    kind = np.int16 if steepest < 2**15 else np.int64
    values, codes = np.unique(np.clip(rises, -steepest, steepest).astype(kind), return_inverse=True)
    return [int(value) for value in values], codes


def _by_cost(costs: Sequence[int | None], codes: NDArray[Any]) -> dict[int, Board]:
    """For each cost, the bits whose kind of rise has it."""
    return {cost: _board(np.array([one == cost for one in costs])[codes]) for cost in set(costs) if cost is not None}


def _board(flags: NDArray[np.bool_]) -> Board:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
