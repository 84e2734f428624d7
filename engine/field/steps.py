"""One step to a neighbouring square: whether a body may take it, what it costs, and why not. No search, no ruleset.

The search and the check of a given path both ask here, so that what the board offers and what it refuses agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from types import MappingProxyType

from engine.errors import Illegal
from engine.field.battlefield import Barrier, Battlefield, Height
from engine.field.metric import METRICS
from engine.field.silhouette import HUMAN_HEIGHT
from engine.field.squares import Direction, Edge, Square, edge_of


@dataclass(frozen=True, slots=True)
class MoveRules:
    """How a body moves, and who is in its way.

    Attributes:
        metric: what diagonals cost. `chebyshev` 1, `alternating` 1, 2, 1, 2 … along the path, `euclidean` 1.5.
        occupied: where others stand. True is a foe, who lets nobody through; False a friend, with whom nobody may end.
            Squares under the mover's own start are not asked.
        size: side of the footprint; a square stands for its north-west corner.
        climb_cost: squares to pay, over the step itself, for each square's side of height gained or lost in climbing.
        flies: ground costs, slopes and cliffs do not count; things lower than `altitude` are passed over.
        altitude: feet above the ground below, kept all the way.
    """

    metric: str = "chebyshev"
    occupied: Mapping[Square, bool] = field(default_factory=lambda: MappingProxyType({}))
    size: int = 1
    climb_cost: Fraction = Fraction(1)
    flies: bool = False
    altitude: Height = 0

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise ValueError(f"{self.metric!r} is not one of {', '.join(METRICS)}")


def footprint(square: Square, size: int) -> Iterator[Square]:
    """The squares under a body, row by row."""
    return (Square(square.column + x, square.row + y) for y in range(size) for x in range(size))


def step_cost(battlefield: Battlefield, square: Square, direction: Direction, rules: MoveRules, odd: bool) -> int:
    """What a step costs, in half squares. Whether it may be taken is another question; see `refusal`.

    The costliest square that is newly entered counts. A climb is rounded up to half squares.

    Args:
        battlefield: both squares lie on it.
        square: where the body stands.
        direction: one of eight.
        rules: how it moves.
        odd: whether the diagonal steps of the path so far are odd in number.
    """
    base = 2
    if direction.is_diagonal:
        base = {"chebyshev": 2, "alternating": 4 if odd else 2, "euclidean": 3}[rules.metric]
    if rules.flies:
        return base
    there = square.step(direction)
    if rules.size == 1:
        cost = base * battlefield.ground_at(there).move_cost
    else:
        left = set(footprint(square, rules.size))
        entered = (one for one in footprint(there, rules.size) if one not in left)
        cost = base * max(battlefield.ground_at(one).move_cost for one in entered)
    rise = abs(_level(battlefield, there, rules.size) - _level(battlefield, square, rules.size))
    if 2 * rise > HUMAN_HEIGHT[battlefield.unit]:
        cost += ceil(2 * rules.climb_cost * Fraction(rise, battlefield.square_size))
    return cost


def refusal(battlefield: Battlefield, square: Square, direction: Direction, rules: MoveRules) -> Illegal | None:
    """Why a step may not be taken; None when it may.

    Slopes up to half a human height are walked, up to a whole one climbed; more, up or down, is too much. A body may
    not cut a corner: no diagonal step past a square or barrier that bars the way round it.

    Args:
        battlefield: `square` lies on it with the whole footprint.
        square: where the body stands.
        direction: one of eight.
        rules: how it moves.
    """
    there = square.step(direction)
    for here in footprint(square, rules.size):
        refused = _one_square(battlefield, here, direction, rules)
        if refused:
            return refused
    if rules.size > 1:
        refused = _straddling(battlefield, there, rules)
        if refused:
            return refused
    return None if rules.flies else _steep(battlefield, square, there, rules.size)


def refusal_to_end(square: Square, rules: MoveRules, start: Square) -> Illegal | None:
    """Why a body may not end its move there, although it may pass; None when it may."""
    if not rules.occupied:
        return None
    own = set(footprint(start, rules.size))
    for one in footprint(square, rules.size):
        if one in rules.occupied and one not in own:
            return Illegal("taken", f"{one.name} is taken.")
    return None


def refusal_to_pass(square: Square, rules: MoveRules, start: Square) -> Illegal | None:
    """Why a body may not even pass: a foe stands there. None when it may."""
    if not rules.occupied:
        return None
    own = set(footprint(start, rules.size))
    for one in footprint(square, rules.size):
        if rules.occupied.get(one, False) and one not in own:
            return Illegal("foe", f"A foe holds {one.name}.")
    return None


def _one_square(battlefield: Battlefield, here: Square, direction: Direction, rules: MoveRules) -> Illegal | None:
    """Why one square of the footprint may not shift one step."""
    there = here.step(direction)
    if there not in battlefield:
        return Illegal("off the map", f"The map ends at {here.name}.")
    if _bars(battlefield, there, rules):
        return Illegal("blocked", f"{_standing(battlefield, there)} bars {there.name}.")
    if not direction.is_diagonal:
        barrier = _closed(battlefield, edge_of(here, direction), rules)
        return Illegal("barrier", f"{_said(barrier)} stands between {here.name} and {there.name}.") if barrier else None
    for corner in (Square(there.column, here.row), Square(here.column, there.row)):
        if _bars(battlefield, corner, rules):
            thing = _standing(battlefield, corner)
            return Illegal("corner", f"{thing} at {corner.name} bars the corner between {here.name} and {there.name}.")
    for edge in _round_corner(here, there):
        barrier = _closed(battlefield, edge, rules)
        if barrier:
            said = f"{_said(barrier)} on {edge.name}"
            return Illegal("corner", f"{said} bars the corner between {here.name} and {there.name}.")
    return None


def _round_corner(here: Square, there: Square) -> tuple[Edge, ...]:
    """The four edges that meet at the corner between two diagonal neighbours."""
    column, row = max(here.column, there.column), max(here.row, there.row)
    return Edge(column, row, "N"), Edge(column - 1, row, "N"), Edge(column, row, "W"), Edge(column, row - 1, "W")


def _straddling(battlefield: Battlefield, there: Square, rules: MoveRules) -> Illegal | None:
    """Why a large body has no room at a place: a barrier runs through it."""
    own = set(footprint(there, rules.size))
    for square in footprint(there, rules.size):
        for side in (Direction.N, Direction.W):
            barrier = _closed(battlefield, edge_of(square, side), rules) if square.step(side) in own else None
            if barrier:
                between = f"between {square.step(side).name} and {square.name}"
                return Illegal("barrier", f"{_said(barrier)} stands {between}; there is no room.")
    return None


def _steep(battlefield: Battlefield, here: Square, there: Square, size: int) -> Illegal | None:
    """Why the ground is too steep: from one place to the next, or under a large body at the new one."""
    most = HUMAN_HEIGHT[battlefield.unit]
    rise = _level(battlefield, there, size) - _level(battlefield, here, size)
    if abs(rise) > most:
        how = "above" if rise > 0 else "below"
        height = f"{abs(rise) / 100:.1f} {'ft' if battlefield.unit == 'feet' else 'm'}"
        return Illegal("steep", f"{there.name} lies {height} {how} {here.name}: too far to climb.")
    if size > 1:
        lowest = min(battlefield.elevation_at(one) for one in footprint(there, size))
        if _level(battlefield, there, size) - lowest > most:
            return Illegal("steep", f"The ground at {there.name} is too uneven to stand on.")
    return None


def _level(battlefield: Battlefield, square: Square, size: int) -> Height:
    """Where the feet stand: the highest ground of the footprint."""
    if size == 1:
        return battlefield.elevation_at(square)
    return max(battlefield.elevation_at(one) for one in footprint(square, size))


def _bars(battlefield: Battlefield, square: Square, rules: MoveRules) -> bool:
    """Whether what fills a square keeps the body out."""
    ground = battlefield.ground_at(square)
    return ground.blocks_movement and not (rules.flies and rules.altitude >= ground.height)


def _closed(battlefield: Battlefield, edge: Edge, rules: MoveRules) -> Barrier | None:
    """The barrier on an edge that keeps the body back, if any."""
    barrier = battlefield.barriers.get(edge)
    if barrier is None or barrier.is_open or not barrier.blocks_movement:
        return None
    return None if rules.flies and rules.altitude >= barrier.top else barrier


def _standing(battlefield: Battlefield, square: Square) -> str:
    name = battlefield.ground_at(square).name
    return f"The {name}"


def _said(barrier: Barrier) -> str:
    """The barrier with its article and state, at the head of a sentence."""
    words = f"{barrier.state} {barrier.kind}" if barrier.state in ("closed", "locked") else barrier.kind
    return f"{'An' if words[0] in 'aeiou' else 'A'} {words}"
