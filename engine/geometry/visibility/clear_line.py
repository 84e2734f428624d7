"""Whether the straight line between two heights over the middles of two squares is clear: yes or no, in whole numbers.

The answer is that of the `clear` flag of `sight.trace` for two bodies of one square, without the shares, the names and
the sentence, and many times as fast. For questions that are asked of thousands of squares where the ground is uneven.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.obstacles import Solid, barrier_solids
from engine.geometry.squares import Direction, Edge, Square


class Hides(NamedTuple):
    """What hides on a battlefield, as lines ask for it. Layers are row-major."""

    columns: int
    ground: tuple[Height, ...]
    tops: list[Height]
    """Of the ground, or of the object on it where that blocks sight."""
    edges: Mapping[Edge, tuple[tuple[Solid, ...], Direction | None]]
    """Heights filled, and the way in which one sees through them."""


def hides(battlefield: Battlefield, *, one_way: bool = False) -> Hides:
    """What blocks sight on a battlefield.

    Args:
        battlefield: any.
        one_way: whether a pane that is seen through one way is open that way; else it hides both ways.
    """
    heights = [ground.height * ground.blocks_sight for ground in battlefield.legend]
    tops = [ground + heights[kind] for ground, kind in zip(battlefield.elevation, battlefield.ground, strict=True)]
    edges = {
        edge: (barrier_solids(barrier, battlefield.barrier_base(edge)), barrier.seen_through if one_way else None)
        for edge, barrier in battlefield.barriers.items()
        if barrier.blocks_sight and not barrier.is_open
    }
    return Hides(battlefield.columns, battlefield.elevation, tops, edges)


def is_clear(hides: Hides, start: Square, eye: Height, end: Square, height: Height) -> bool:
    """Whether a line is clear.

    Args:
        hides: see `hides`.
        start, end: squares of the map; what stands on them is not in the way, their ground and edges are.
        eye: height of the line over the middle of `start`, above the map's zero.
        height: the same over the middle of `end`.
    """
    columns, ground, tops, edges = hides
    (column, row), (last_column, last_row) = start, end
    step_x, step_y = (1 if last_column > column else -1), (1 if last_row > row else -1)
    width, depth = abs(last_column - column), abs(last_row - row)
    # Places on the line are whole numbers from 0 to `length`, heights are multiplied by it.
    length = 2 * max(width, 1) * max(depth, 1)
    stride_x, stride_y = (length // width if width else 0), (length // depth if depth else 0)
    next_x, next_y = (stride_x // 2 if width else length + 1), (stride_y // 2 if depth else length + 1)
    directions = (Direction.E if step_x > 0 else Direction.W, Direction.S if step_y > 0 else Direction.N)
    first, rise, at = eye * length, height - eye, 0
    top = ground[row * columns + column]

    def stops(edge: Edge, line: int) -> bool:
        solids, through = edges.get(edge, ((), None))
        return through not in directions and any(low * length < line < high * length for low, high in solids)

    while at < length:
        there = min(next_x, next_y, length)
        line = first + rise * there
        if top * length > (line if rise < 0 else first + rise * at):
            return False
        at = there
        if at == length:
            return True
        beyond_x, beyond_y = column + step_x, row + step_y
        upright, level = max(column, beyond_x), max(row, beyond_y)
        if next_x < next_y:
            if edges and stops(Edge(upright, row, "W"), line):
                return False
            column, next_x = beyond_x, next_x + stride_x
        elif next_y < next_x:
            if edges and stops(Edge(column, level, "N"), line):
                return False
            row, next_y = beyond_y, next_y + stride_y
        else:
            if (
                tops[row * columns + beyond_x] * length > line
                or stops(Edge(upright, row, "W"), line)
                or stops(Edge(beyond_x, level, "N"), line)
            ) and (
                tops[beyond_y * columns + column] * length > line
                or stops(Edge(column, level, "N"), line)
                or stops(Edge(upright, beyond_y, "W"), line)
            ):
                return False
            column, row, next_x, next_y = beyond_x, beyond_y, next_x + stride_x, next_y + stride_y
        index = row * columns + column
        top = ground[index] if column == last_column and row == last_row else tops[index]
    return True
