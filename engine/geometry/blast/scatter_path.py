"""Where a thing goes that flies or rolls astray: straight on, square by square, until something stops it.

The rule. What is at least as high as a standing human, and contains blast or blocks movement, stops it: a wall, a
pillar, a closed door or window, bars, a bank of earth. It comes to rest on the near side. Lower things it clears.
Through a corner it is stopped only when both ways round are. The map's border stops it too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import HUMAN_HEIGHT
from engine.geometry.metric import level_distance
from engine.geometry.squares import Direction, Square, edge_of

MAP_EDGE = "the edge of the map"
OFF_MAP = "nothing: it leaves the map"
"""What stops that which flies on past the edge and is gone."""


class Flight(NamedTuple):
    """The squares of a flight in order, its start first, and the obstacle that stopped it; "" for none.

    Where the edge of the map stopped it, `left_after` is how far it would be from its start on the next square.
    """

    squares: tuple[Square, ...]
    stopped_by: str
    left_after: Fraction | int | None = None


def flight_path(
    battlefield: Battlefield, start: Square, across: int, down: int, most: Fraction | int, metric: str
) -> Flight:
    """Path of an object that flies from a square in a direction up to a distance.

    Args:
        battlefield: where it flies; `start` lies on it.
        start: where it sets out.
        across: columns of the direction, with `down`; both 0 and it stays.
        down: rows of the direction.
        most: how far it flies, in squares: to the last square that lies no farther from the start.
        metric: how distances are counted.
    """
    longest = max(abs(across), abs(down))
    passed = [start]
    while longest:
        step = len(passed)
        dx, dy = _rounded(across * step, longest), _rounded(down * step, longest)
        far = level_distance(metric, dx, dy)
        if far > most:
            break
        here, there = passed[-1], Square(start.column + dx, start.row + dy)
        stop = stopped_between(battlefield, here, there)
        if stop:
            return Flight(tuple(passed), stop, far if stop == MAP_EDGE else None)
        passed.append(there)
    return Flight(tuple(passed), "")


def stopped_between(battlefield: Battlefield, here: Square, there: Square) -> str:
    """Obstacle between a square and one of its eight neighbours: "the wall at C4"; "" for none.

    Args:
        battlefield: `here` lies on it; where `there` does not, the answer is MAP_EDGE.
        here: where what scatters is.
        there: a neighbour, diagonal ones included.
    """
    if there not in battlefield:
        return MAP_EDGE
    into = _high_square(battlefield, here, there)
    if into:
        return into
    if here.column == there.column or here.row == there.row:
        return _high_edge(battlefield, here, there)
    stops = [
        _high_edge(battlefield, here, corner)
        or _high_square(battlefield, here, corner)
        or _high_edge(battlefield, corner, there)
        for corner in (Square(there.column, here.row), Square(here.column, there.row))
    ]
    return stops[0] if all(stops) else ""


def _high_square(battlefield: Battlefield, here: Square, there: Square) -> str:
    """What fills a square too high to clear, or its ground that rises too high from the square before."""
    high = HUMAN_HEIGHT[battlefield.unit]
    ground = battlefield.ground_at(there)
    if ground.height >= high and (ground.contains_blast or ground.blocks_movement):
        return f"the {ground.name} at {there.name}"
    if battlefield.elevation_at(there) - battlefield.elevation_at(here) >= high:
        return f"the higher ground at {there.name}"
    return ""


def _high_edge(battlefield: Battlefield, here: Square, there: Square) -> str:
    """The closed barrier between two neighbours that is too high to clear, openings or not."""
    edge = edge_of(here, Direction.of(there.column - here.column, there.row - here.row))
    barrier = battlefield.barriers.get(edge)
    if barrier is None or barrier.is_open or not (barrier.contains_blast or barrier.blocks_movement):
        return ""
    return f"the {barrier.kind} on {edge.name}" if barrier.top >= HUMAN_HEIGHT[battlefield.unit] else ""


def _rounded(number: int, divisor: int) -> int:
    """A quotient to the nearest whole number, halves away from 0, so that opposite directions mirror each other."""
    whole = (2 * abs(number) + divisor) // (2 * divisor)
    return whole if number >= 0 else -whole
