"""The slow and plain search that `movement.reach` must agree with: a queue of squares, one step at a time."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush

from engine.geometry.battlefield import Battlefield
from engine.geometry.movement.steps import MoveRules, refusal, refusal_to_end, refusal_to_pass, step_cost
from engine.geometry.squares import Direction, Square


def plain_reach(
    battlefield: Battlefield, start: Square, budget: Fraction | int, rules: MoveRules, odd: bool = False
) -> dict[Square, Fraction]:
    """Squares where the move may end, with their cost in squares, as `reach` gives them."""
    most = int(2 * Fraction(budget))
    first = (start, odd)
    found = {first: 0}
    costs: dict[Square, Fraction] = {}
    waiting = [(0, first)]
    while waiting:
        cost, stage = heappop(waiting)
        if cost > found[stage]:
            continue
        square, odd = stage
        if square not in costs and refusal_to_end(square, rules, start) is None:
            costs[square] = Fraction(cost, 2)
        for direction in Direction:
            there = square.step(direction)
            if refusal(battlefield, square, direction, rules) or refusal_to_pass(there, rules, start):
                continue
            total = cost + step_cost(battlefield, square, direction, rules, odd)
            after = (there, odd != (rules.metric == "alternating" and direction.is_diagonal))
            if total <= most and total < found.get(after, most + 1):
                found[after] = total
                heappush(waiting, (total, after))
    return costs
