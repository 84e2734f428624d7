"""Paths: cost of a chosen path, and the best path through chosen waypoints. No search of its own.

Nothing here knows actions, reactions or whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield, OffMap
from engine.geometry.movement.best_path import Leg, Provoked, best_path, provokes_nothing
from engine.geometry.movement.reach import Arrival, Reach, reach
from engine.geometry.movement.steps import (
    MoveRules,
    footprint,
    obstacle_words,
    opens,
    refusal,
    refusal_to_end,
    refusal_to_pass,
    step_cost,
)
from engine.geometry.squares import Direction, Edge, Square, edge_of

DIRECTIONS = {(direction.dx, direction.dy): direction for direction in Direction}


def path_cost(
    battlefield: Battlefield, path: Sequence[Square], rules: MoveRules | None = None, odd: bool = False
) -> Fraction:
    """Cost of a given path, in squares; every step is checked.

    Args:
        battlefield: where it lies.
        path: the start first; neighbouring squares follow each other. At least one square.
        rules, odd: as for `reach`.

    Raises:
        OffMap: the start is outside.
        Illegal: a step may not be taken, or the move may not end where the path ends. The text names the step.
    """
    rules = rules or MoveRules()
    start = path[0]
    for square in footprint(start, rules.size):
        if square not in battlefield:
            raise OffMap(square, battlefield)
    total = 0
    for here, there in pairwise(path):
        direction = DIRECTIONS.get((there.column - here.column, there.row - here.row))
        if direction is None:
            raise Illegal("not neighbours", f"{here.name} and {there.name} are not adjacent.")
        refused = refusal(battlefield, here, direction, rules) or refusal_to_pass(there, rules, start)
        if refused:
            raise refused
        total += step_cost(battlefield, here, direction, rules, odd)
        odd = odd != direction.is_diagonal
    refused = refusal_to_end(path[-1], rules, start)
    if refused:
        raise refused
    return Fraction(total, 2)


def doors_opened(battlefield: Battlefield, path: Sequence[Square], rules: MoveRules) -> tuple[Edge, ...]:
    """The closed doors that a body opens on a path, in order; of each the first edge that it crosses.

    Args:
        battlefield: the map.
        path: squares from the start to the goal, each a neighbour of the last; a path that the body may take.
        rules: how it moves; without a `door_cost` it opens none.
    """
    found: dict[Edge, None] = {}
    opened: set[Edge] = set()
    for here, there in pairwise(path):
        direction = DIRECTIONS[there.column - here.column, there.row - here.row]
        for square in footprint(here, rules.size) if not direction.is_diagonal else ():
            edge = edge_of(square, direction)
            if edge not in opened and opens(battlefield, edge, rules):
                found[edge] = None
                opened.update(battlefield.one_door(edge))
    return tuple(found)


def path_through(
    battlefield: Battlefield,
    stops: Sequence[Square],
    budget: Fraction | int,
    rules: MoveRules | None = None,
    odd: bool = False,
    provoked: Provoked = provokes_nothing,
) -> tuple[Square, ...]:
    """The cheapest path that comes through several squares in order, diagonals counted on from leg to leg.

    Of those that cost the same it is the one that provokes least as a whole, then one that turns least often.

    Args:
        battlefield: where it lies.
        stops: the start, the waypoints, the goal. At least one square.
        budget: squares that the whole of it may cost.
        rules, odd: as for `reach`. Where friends stand one may have a waypoint, not the goal.
        provoked: what each step provokes.

    Raises:
        OffMap: the start is outside.
        Illegal: a leg cannot be walked, or not with what the legs before it leave; the first such leg is named.
    """
    rules = rules or MoveRules()
    costs = [{odd: Fraction(0)}]
    """For each stop the least cost by parity."""
    reaches: list[dict[bool, tuple[Reach, Sequence[Arrival]]]] = []
    for number, (here, there) in enumerate(pairwise(stops), 1):
        further: dict[bool, Fraction] = {}
        reaches.append({})
        for before, spent in costs[-1].items():
            found = reach(battlefield, here, budget - spent, rules, before)
            reaches[-1][before] = found, found.arrivals(there)
            for arrival in reaches[-1][before][1]:
                further[arrival.odd] = min(further.get(arrival.odd, spent + arrival.cost), spent + arrival.cost)
        if not further:
            if taken := refusal_to_end(there, rules, stops[0]):
                raise taken
            leg_named = f"Leg {number}, {here.name} to {there.name}: " if len(stops) > 2 else ""
            why = obstacle_words(battlefield, footprint(there, rules.size), rules)
            raise Illegal("out of reach", f"{leg_named}{there.name} is out of reach{why and f': {why}'}.")
        costs.append(further)
    refused = refusal_to_end(stops[-1], rules, stops[0])
    if refused:
        raise refused
    if not reaches:
        return (stops[0],)
    return best_path(_legs(costs, reaches), provoked, reaches[0][odd][0].is_odd)


def _legs(
    costs: Sequence[Mapping[bool, Fraction]], reaches: Sequence[Mapping[bool, tuple[Reach, Sequence[Arrival]]]]
) -> list[dict[bool, Leg]]:
    """The legs of all paths that cost the least, from the last to the first."""
    least = min(costs[-1].values())
    wanted = {odd for odd, cost in costs[-1].items() if cost == least}
    legs: list[dict[bool, Leg]] = []
    for spent, after, found in zip(costs[-2::-1], costs[:0:-1], reversed(reaches), strict=True):
        part: dict[bool, Leg] = {}
        for before, (one, arrivals) in found.items():
            ends = [way for way in arrivals if way.odd in wanted and spent[before] + way.cost == after[way.odd]]
            if ends:
                part[one.is_odd] = one.leg(ends)
        legs.append(part)
        wanted = set(part)
    return legs[::-1]
