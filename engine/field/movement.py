"""Where a body can get to and what the way costs: a search over squares, and the check of a path somebody chose.

Costs are counted in half squares and reported in squares. Nothing here knows actions, reactions or whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from engine.errors import Illegal
from engine.field.battlefield import Battlefield, OffMap
from engine.field.squares import Direction, Square
from engine.field.steps import MoveRules, footprint, refusal, refusal_to_end, refusal_to_pass, step_cost

__all__ = ["MoveRules", "Reach", "path_cost", "reach"]

DIRECTIONS = {(direction.dx, direction.dy): direction for direction in Direction}

Stage = tuple[Square, bool]
"""A square, and whether an odd number of diagonal steps led there; only the alternating metric tells them apart."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Everything within one budget of a start."""

    start: Square
    costs: Mapping[Square, Fraction]
    """Squares where the move may end, the start included, with their cost in squares; cheapest first."""
    _best: Mapping[Square, Stage]
    _previous: Mapping[Stage, Stage]

    def __contains__(self, goal: object) -> bool:
        return goal in self.costs

    def cost(self, goal: Square) -> Fraction:
        """Cost of the cheapest way, in squares.

        Raises:
            Illegal: the goal is not within reach.
        """
        if goal not in self.costs:
            raise Illegal("out of reach", f"{goal.name} is out of reach.")
        return self.costs[goal]

    def path(self, goal: Square) -> tuple[Square, ...]:
        """A cheapest way, the start first and the goal last.

        Raises:
            Illegal: the goal is not within reach.
        """
        self.cost(goal)
        stage: Stage | None = self._best[goal]
        way: list[Square] = []
        while stage is not None:
            way.append(stage[0])
            stage = self._previous.get(stage)
        return tuple(reversed(way))


def reach(battlefield: Battlefield, start: Square, budget: Fraction | int, rules: MoveRules | None = None) -> Reach:
    """All squares that a body can move to.

    Args:
        battlefield: where it moves.
        start: the north-west square of its footprint.
        budget: squares it may spend; what is left over of a half square is lost.
        rules: how it moves and who is in the way; by default a lone walker of one square.

    Returns:
        The start at cost 0 and every other square where it may end. Of ways that cost the same, any one.

    Raises:
        OffMap: the start is outside.
    """
    rules = rules or MoveRules()
    _check_on_map(battlefield, start, rules)
    most = int(2 * Fraction(budget))
    alternating = rules.metric == "alternating"
    first: Stage = (start, False)
    found: dict[Stage, int] = {first: 0}
    previous: dict[Stage, Stage] = {}
    costs: dict[Square, Fraction] = {}
    best: dict[Square, Stage] = {}
    waiting: list[tuple[int, Stage]] = [(0, first)]
    while waiting:
        cost, stage = heappop(waiting)
        if cost > found[stage]:
            continue
        square, odd = stage
        if square not in best:
            best[square] = stage
            if refusal_to_end(square, rules, start) is None:
                costs[square] = Fraction(cost, 2)
        for direction in Direction:
            there = square.step(direction)
            after: Stage = (there, odd != (alternating and direction.is_diagonal))
            if found.get(after, most + 1) <= cost:
                continue
            if refusal(battlefield, square, direction, rules) or refusal_to_pass(there, rules, start):
                continue
            total = cost + step_cost(battlefield, square, direction, rules, odd)
            if total <= most and total < found.get(after, most + 1):
                found[after] = total
                previous[after] = stage
                heappush(waiting, (total, after))
    return Reach(start, costs, best, previous)


def path_cost(battlefield: Battlefield, path: Sequence[Square], rules: MoveRules | None = None) -> Fraction:
    """What a given path costs, in squares, after every step of it was found to be allowed.

    Args:
        battlefield: where it lies.
        path: the start first; neighbouring squares follow each other. At least one square.
        rules: as for `reach`.

    Raises:
        OffMap: the start is outside.
        Illegal: a step may not be taken, or the move may not end where the path ends. The text names the step.
    """
    rules = rules or MoveRules()
    start = path[0]
    _check_on_map(battlefield, start, rules)
    total, odd = 0, False
    for here, there in pairwise(path):
        direction = DIRECTIONS.get((there.column - here.column, there.row - here.row))
        if direction is None:
            raise Illegal("not neighbours", f"{here.name} and {there.name} are not neighbours.")
        refused = refusal(battlefield, here, direction, rules) or refusal_to_pass(there, rules, start)
        if refused:
            raise refused
        total += step_cost(battlefield, here, direction, rules, odd)
        odd = odd != direction.is_diagonal
    refused = refusal_to_end(path[-1], rules, start)
    if refused:
        raise refused
    return Fraction(total, 2)


def _check_on_map(battlefield: Battlefield, start: Square, rules: MoveRules) -> None:
    for square in footprint(start, rules.size):
        if square not in battlefield:
            raise OffMap(square, battlefield)
