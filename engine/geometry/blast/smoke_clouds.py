"""Clouds of smoke: where they spread, how the wind drifts them, how they thin and end. Knows no grenade and no ruleset.

The rule. A cloud fills the squares within its radius that can be reached from its centre, step by step, in no more
steps than the radius, each to one of the eight neighbours. What contains blast and leaves no gap from the ground to the
height of a standing human stops a step: a wall, a closed door; not a window's opening, bars or a curtain. So does
ground that rises that high. Through a corner smoke is stopped only when both ways round are.

At the end of each round a cloud's centre drifts with the wind, a square at a time, until something stops it; then it
has a round less. In its last round thick smoke is thin.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from engine.bounds import Count, Id
from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.body import HUMAN_HEIGHT
from engine.geometry.metric import distance
from engine.geometry.obstacles import barrier_solids
from engine.geometry.squares import Direction, Square, edge_of
from engine.values import Stored, replace

THIN, THICK = 1, 2
MOST_RADIUS = 50
"""Squares."""
MOST_WIND = 50
"""Squares a round."""

Layer = tuple[int, ...]
"""Density of smoke for each square, row by row, as `Battlefield.smoke`."""


class Cloud(Stored, frozen=True):
    """One cloud. `rounds` is how many it has left; 0 for as long as nobody clears it."""

    id: Id
    centre: Square
    radius: Annotated[int, Meta(ge=0, le=MOST_RADIUS)]
    """In squares."""
    density: Annotated[int, Meta(ge=THIN, le=THICK)] = THICK
    rounds: Count = 0
    metric: Id = "chebyshev"
    """How its radius is counted."""


class Wind(Stored, frozen=True):
    """Where to the wind blows, and how many squares it drifts a cloud in a round."""

    towards: Direction
    squares: Annotated[int, Meta(ge=0, le=MOST_WIND)]


def extent(battlefield: Battlefield, cloud: Cloud) -> frozenset[Square]:
    """The squares that a cloud fills, its centre among them."""
    reached = {cloud.centre}
    edge = [cloud.centre]
    for _ in range(cloud.radius):
        further = []
        for here in edge:
            for there in map(here.step, Direction):
                if there not in reached and _is_within(cloud, there) and passes(battlefield, here, there):
                    reached.add(there)
                    further.append(there)
        edge = further
    return frozenset(reached)


def smoke_with(battlefield: Battlefield, clouds: Iterable[Cloud]) -> Layer:
    """The map's own smoke with clouds laid over it; where several meet, the thickest counts.

    Args:
        battlefield: its smoke is the map's own, without clouds.
        clouds: whose centres lie on the map.
    """
    layer = list(battlefield.smoke)
    for cloud in clouds:
        for square in extent(battlefield, cloud):
            number = square.row * battlefield.columns + square.column
            layer[number] = max(layer[number], cloud.density)
    return tuple(layer)


def drifted(battlefield: Battlefield, clouds: Iterable[Cloud], wind: Wind | None) -> tuple[Cloud, ...]:
    """The clouds after one round: moved by the wind and a round older; thin in their last, then gone.

    Args:
        battlefield: what stops smoke stops a cloud.
        clouds: as they are now, in any order.
        wind: None for still air.
    """
    return tuple(after for cloud in clouds if (after := _drifted(battlefield, cloud, wind)) is not None)


def forecast(battlefield: Battlefield, clouds: Iterable[Cloud], wind: Wind | None, rounds: int) -> tuple[Layer, ...]:
    """The smoke now and after each of so many rounds, if nobody touches it.

    Args:
        battlefield: its smoke is the map's own, without clouds.
        clouds: now.
        wind: which blows all the time; None for none.
        rounds: how many to look ahead; the answer has one layer more.
    """
    clouds = tuple(clouds)
    layers = [smoke_with(battlefield, clouds)]
    for _ in range(rounds):
        clouds = drifted(battlefield, clouds, wind)
        layers.append(smoke_with(battlefield, clouds))
    return tuple(layers)


def passes(battlefield: Battlefield, here: Square, there: Square) -> bool:
    """Whether smoke gets from a square to one of its eight neighbours."""
    if there not in battlefield or not _enters(battlefield, here, there):
        return False
    if here.column == there.column or here.row == there.row:
        return _crosses(battlefield, here, there)
    return any(
        _crosses(battlefield, here, corner)
        and _enters(battlefield, here, corner)
        and _crosses(battlefield, corner, there)
        for corner in (Square(there.column, here.row), Square(here.column, there.row))
    )


def _drifted(battlefield: Battlefield, cloud: Cloud, wind: Wind | None) -> Cloud | None:
    """One cloud after one round; None when it is gone."""
    centre = cloud.centre if wind is None else _blown(battlefield, cloud.centre, wind)
    if not cloud.rounds:
        return replace(cloud, centre=centre)
    left = cloud.rounds - 1
    return replace(cloud, centre=centre, rounds=left, density=THIN if left == 1 else cloud.density) if left else None


def _blown(battlefield: Battlefield, centre: Square, wind: Wind) -> Square:
    """Where the wind takes a cloud's centre in one round."""
    for _ in range(wind.squares):
        ahead = centre.step(wind.towards)
        if not passes(battlefield, centre, ahead):
            break
        centre = ahead
    return centre


def _is_within(cloud: Cloud, square: Square) -> bool:
    columns, rows = square.column - cloud.centre.column, square.row - cloud.centre.row
    return distance(cloud.metric, columns, rows) <= Fraction(cloud.radius)


def _enters(battlefield: Battlefield, here: Square, there: Square) -> bool:
    """Whether smoke may enter a square: neither its object nor its ground is too high."""
    high = HUMAN_HEIGHT[battlefield.unit]
    ground = battlefield.ground_at(there)
    if ground.contains_blast and ground.height >= high:
        return False
    return battlefield.elevation_at(there) - battlefield.elevation_at(here) < high


def _crosses(battlefield: Battlefield, here: Square, there: Square) -> bool:
    """Whether no barrier between two neighbours keeps smoke back."""
    barrier = battlefield.barriers.get(edge_of(here, Direction.of(there.column - here.column, there.row - here.row)))
    if barrier is None or barrier.is_open or not barrier.contains_blast:
        return True
    high: Height = HUMAN_HEIGHT[battlefield.unit]
    return not any(bottom <= 0 and top >= high for bottom, top in barrier_solids(barrier, 0))
