"""Everywhere a body can get to within a budget: a search by buckets whose buckets are bitboards.

All squares that cost the same are moved on at once, as one whole number, so the work grows with the budget and hardly
with the number of squares. Costs are counted in half squares and reported in squares. Nothing here knows actions,
reactions or whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import or_

from msgspec import Struct

from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield, OffMap
from engine.geometry.movement.bitboard import Board
from engine.geometry.movement.passage import DIRECTIONS, STRAIGHT, passage
from engine.geometry.movement.steps import MoveRules, footprint
from engine.geometry.movement.window import Lanes, Window, lanes
from engine.geometry.squares import Square

NUMBERS = {(direction.dx, direction.dy): number for number, direction in enumerate(DIRECTIONS)}

Found = tuple[list[Board], list[Board]]
"""The squares first reached at each cost, after an even and after an odd number of diagonal steps. Where the number
makes no difference the second is empty."""


class Arrival(Struct, frozen=True):
    """A cheapest path to a square among those with an even, or with an odd, number of diagonal steps."""

    cost: Fraction
    """In squares."""
    odd: bool
    """Whether the next diagonal step counts double, where the metric alternates."""
    path: tuple[Square, ...]


class Reach:
    """Everything within one budget of a start."""

    __slots__ = ("_costs", "_found", "_lanes", "_odd", "_passed", "_shut", "_steps", "start")

    def __init__(self, start: Square, within: Lanes, found: Found, shut: Board, odd: bool) -> None:
        """`shut`: where others stand, so that a move may not end there; `odd` as for `reach`."""
        self.start, self._odd = start, odd and within.is_alternating
        self._lanes, self._found, self._shut = within, found, shut
        self._costs: Mapping[Square, Fraction] | None = None
        self._passed = 0
        """All squares reached, once they were asked for."""
        self._steps: dict[tuple[int, int, bool], int | None] = {}
        """Costs of steps that were asked for, by direction, place and parity."""

    @property
    def costs(self) -> Mapping[Square, Fraction]:
        """Squares where the move may end, the start included, with their cost in squares; cheapest first."""
        if self._costs is None:
            self._costs = {
                square: cost
                for cost, squares in (
                    (Fraction(halves, 2), self.window.squares(board)) for halves, board in self.boards()
                )
                for square in squares
            }
        return self._costs

    @property
    def window(self) -> Window:
        """The part of the map that `boards` are boards of."""
        return self._lanes.window

    def boards(self) -> Iterator[tuple[int, Board]]:
        """Each cost in half squares with the board of the squares that are reached no cheaper; cheapest first."""
        taken, evens, odds = self._shut, *self._found
        for cost, even in enumerate(evens):
            ends = even & ~taken if taken else even
            if odds:
                ends |= odds[cost] & ~taken
                taken |= ends
            if ends:
                yield cost * self._lanes.unit, ends

    def __contains__(self, goal: object) -> bool:
        return isinstance(goal, Square) and self._end(goal) is not None

    def cost(self, goal: Square) -> Fraction:
        """Cost of the cheapest path, in squares.

        Raises:
            Illegal: the goal is not within reach.
        """
        return Fraction(self._reached(goal)[0] * self._lanes.unit, 2)

    def path(self, goal: Square) -> tuple[Square, ...]:
        """A cheapest path, the start first and the goal last, with long straight stretches.

        Raises:
            Illegal: the goal is not within reach.
        """
        return self._path(goal, *self._reached(goal))

    def arrivals(self, goal: Square) -> Iterator[Arrival]:
        """The cheapest paths to a square that one may pass, whether or not a move may end there.

        Yields:
            None, one, or two that differ in the parity of their diagonal steps.
        """
        bit = self.window.bit(goal)
        for odd, boards in enumerate(self._found):
            cost = next((cost for cost, board in enumerate(boards) if bit is not None and board >> bit & 1), None)
            if bit is not None and cost is not None:
                squares = Fraction(cost * self._lanes.unit, 2)
                yield Arrival(squares, bool(odd), self._path(goal, cost, bit, bool(odd)))

    def cost_along(self, path: Sequence[Square]) -> Fraction | None:
        """Cost of a given path, in squares.

        Args:
            path: the start of the search first; neighbouring squares follow each other.

        Returns:
            None where a step of it may not be taken, it costs more than the budget, or a move may not end there.
        """
        total, odd, end = 0, self._odd, self.window.bit(path[0])
        self._passed = self._passed or reduce(or_, (*self._found[0], *self._found[1]))
        for here, there in pairwise(path):
            number, end = NUMBERS[there.column - here.column, there.row - here.row], self.window.bit(there)
            if end is None:
                return None
            key = (number, end, odd)
            if key not in self._steps:
                self._steps[key] = self._lanes.cost(number, end, odd) if self._passed >> end & 1 else None
            step = self._steps[key]
            if step is None:
                return None
            total += step
            odd ^= self._lanes.is_alternating and number >= STRAIGHT
        if end is None or total > self._lanes.most or self._shut >> end & 1:
            return None
        return Fraction(total * self._lanes.unit, 2)

    def _path(self, goal: Square, cost: int, bit: int, odd: bool) -> tuple[Square, ...]:
        """Walks down the costs, from the goal to the start."""
        home = self.window.bit(self.start)
        path, last = [goal], -1
        while cost or bit != home:
            steps = list(self._steps_to(bit, cost, odd))
            last = last if last in steps else self._straightest(steps, goal)
            before = odd ^ (self._lanes.is_alternating and last >= STRAIGHT)
            cost -= self._lanes.cost(last, bit, before) or 0
            bit, odd = bit - self._lanes.bits(last), before
            path.append(self.window.square(bit))
        return tuple(reversed(path))

    def _steps_to(self, bit: int, cost: int, odd: bool) -> Iterator[int]:
        """Numbers of the directions of a cheapest path to a square."""
        for number in range(len(DIRECTIONS)):
            before = odd ^ (self._lanes.is_alternating and number >= STRAIGHT)
            step, source = self._lanes.cost(number, bit, before), bit - self._lanes.bits(number)
            if step is not None and step <= cost and source >= 0 and self._found[before][cost - step] >> source & 1:
                yield number

    def _straightest(self, numbers: list[int], goal: Square) -> int:
        columns, rows = goal.column - self.start.column, goal.row - self.start.row

        def along(number: int) -> int:
            direction = DIRECTIONS[number]
            return (7 if direction.is_diagonal else 10) * (direction.dx * columns + direction.dy * rows)

        return max(numbers, key=along)

    def _end(self, goal: Square) -> tuple[int, int, bool] | None:
        """The least cost in the search's unit, the place, and whether an odd number of diagonals led there."""
        bit = self.window.bit(goal)
        if bit is None or self._shut >> bit & 1:
            return None
        evens, odds = self._found
        for cost, even in enumerate(evens):
            if even >> bit & 1 or (odds and odds[cost] >> bit & 1):
                return cost, bit, not even >> bit & 1
        return None

    def _reached(self, goal: Square) -> tuple[int, int, bool]:
        found = self._end(goal)
        if found is None:
            raise Illegal("out of reach", f"{goal.name} is out of reach.")
        return found


def reach(
    battlefield: Battlefield,
    start: Square,
    budget: Fraction | int,
    rules: MoveRules | None = None,
    odd: bool = False,
) -> Reach:
    """All squares that a body can move to.

    Args:
        battlefield: where it moves.
        start: the north-west square of its footprint.
        budget: squares it may spend; what is left over of a half square is lost.
        rules: how it moves and who is in the way; by default a lone walker of one square.
        odd: whether it took an odd number of diagonal steps already; only the alternating metric asks.

    Returns:
        The start at cost 0 and every other square where it may end. Of paths that cost the same, any one.

    Raises:
        OffMap: the start is outside.
    """
    rules = rules or MoveRules()
    own = set(footprint(start, rules.size))
    for square in own:
        if square not in battlefield:
            raise OffMap(square, battlefield)
    within = lanes(passage(battlefield, rules), start, max(0, int(2 * Fraction(budget))), rules)
    foes, friends = _places(within.window, rules, own)
    return Reach(start, within, _spread(within, start, odd, within.within & ~foes), friends, odd)


def _places(window: Window, rules: MoveRules, own: set[Square]) -> tuple[Board, Board]:
    """Where the body would stand on a square that a foe holds, and on one that a friend holds."""
    foes = friends = 0
    for square, is_foe in rules.occupied.items():
        if square in own:
            continue
        for x in range(rules.size):
            for y in range(rules.size):
                bit = window.bit(Square(square.column - x, square.row - y))
                if bit is not None and is_foe:
                    foes |= 1 << bit
                elif bit is not None:
                    friends |= 1 << bit
    return foes, friends


def _spread(within: Lanes, start: Square, odd: bool, free: Board) -> Found:
    """The search itself. Squares leave `free` as they are reached: whatever comes later is no cheaper."""
    most, fan, prices = within.most, within.fan, within.prices
    dearest = max((max(straight, *slanting) for _, straight, slanting in prices), default=0)
    dearest = max(dearest, *(max(costs) for _, _, costs in within.others), 0)
    waiting = [[0] * (dearest + 2) for _ in range(2)]
    home = 1 << (within.window.bit(start) or 0)
    waiting[odd and within.is_alternating][0] = home
    others = [(number >= STRAIGHT, within.bits(number), board, costs) for number, board, costs in within.others]
    free_by_parity = [free | home, free | home]
    found: Found = ([], [])
    parities = (0, 1) if within.is_alternating else (0,)
    idle = 0
    for cost in range(most + 1):
        idle += 1
        for parity in parities:
            front = waiting[parity][cost] & free_by_parity[parity]
            found[parity].append(front)
            waiting[parity].append(0)
            if not front:
                continue
            idle = 0
            free_by_parity[parity] ^= front
            same, turned = waiting[parity], waiting[parity ^ within.is_alternating]
            straight_ends, slanting_ends = fan(front)
            for board, straight, slanting in prices:
                same[cost + straight] |= straight_ends & board
                if slanting_ends:
                    turned[cost + slanting[parity]] |= slanting_ends & board
            for is_slanting, bits, board, costs in others:
                ends = (front << bits if bits > 0 else front >> -bits) & board
                (turned if is_slanting else same)[cost + costs[parity]] |= ends
        if idle > dearest:
            break
    return found
