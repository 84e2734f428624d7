"""Everywhere a body can get to within a budget: a search by buckets whose buckets are bitboards.

All squares that cost the same are moved on at once, as one whole number, so the work grows with the budget and hardly
with the number of squares. Costs are counted in half squares and reported in squares. Nothing here knows actions,
reactions or whose turn it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import or_

from msgspec import Struct

from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield, OffMap
from engine.geometry.movement.best_path import NUMBERS, Leg, Provoked, best_path, leg, provokes_nothing
from engine.geometry.movement.bitboard import Board
from engine.geometry.movement.passage import STRAIGHT, passage
from engine.geometry.movement.steps import MoveRules, footprint
from engine.geometry.movement.window import Lanes, Window, lanes
from engine.geometry.squares import Square

Found = tuple[list[Board], list[Board]]
"""The squares first reached at each cost, after an even and after an odd number of diagonal steps. Where the number
makes no difference the second is empty."""


class Arrival(Struct, frozen=True):
    """The least cost to a square by an even, or by an odd, number of diagonal steps."""

    cost: Fraction
    """In squares."""
    odd: bool
    """Whether the next diagonal step counts double, where the metric alternates."""
    end: tuple[int, int, bool]
    """The same for the search: cost in its unit, bit, parity."""


class Reach:
    """Everything within one budget of a start."""

    __slots__ = ("_arrivals", "_costs", "_found", "_lanes", "_odd", "_passed", "_shut", "_steps", "start")

    def __init__(self, start: Square, within: Lanes, found: Found, shut: Board, odd: bool) -> None:
        """`shut`: where others stand, so that a move may not end there; `odd` as for `reach`."""
        self.start, self._odd = start, odd and within.is_alternating
        self._lanes, self._found, self._shut = within, found, shut
        self._costs: Mapping[Square, Fraction] | None = None
        self._arrivals: dict[Square, list[Arrival]] | None = None
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
    def is_odd(self) -> bool:
        """Whether the first diagonal step counts double."""
        return self._odd

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

    def path(self, goal: Square, provoked: Provoked = provokes_nothing) -> tuple[Square, ...]:
        """The cheapest path, the start first and the goal last, that provokes least and turns least often.

        Args:
            goal: where the move shall end.
            provoked: what each step provokes.

        Raises:
            Illegal: the goal is not within reach.
        """
        cost, bit, _ = self._reached(goal)
        ends = [(cost, bit, bool(odd)) for odd, boards in enumerate(self._found) if boards and boards[cost] >> bit & 1]
        return best_path([{self._odd: self._leg(ends)}], provoked, self._odd)

    def arrivals(self, goal: Square) -> Sequence[Arrival]:
        """The least cost to a square that one may pass, whether or not a move may end there.

        Returns:
            None, one, or two that differ in the parity of their diagonal steps.
        """
        if self._arrivals is None:
            self._arrivals = {}
            for odd, boards in enumerate(self._found):
                for cost, board in enumerate(boards):
                    for square in self.window.squares(board):
                        end = (cost, self.window.bit(square) or 0, bool(odd))
                        one = Arrival(Fraction(cost * self._lanes.unit, 2), bool(odd), end)
                        self._arrivals.setdefault(square, []).append(one)
        return self._arrivals.get(goal, ())

    def leg(self, arrivals: Iterable[Arrival], avoided: Iterable[Square] = ()) -> Leg:
        """The cheapest paths to one square, by some of its arrivals, that come through none of the avoided squares."""
        without = sum(1 << bit for bit in map(self.window.bit, avoided) if bit is not None)
        return self._leg([arrival.end for arrival in arrivals], without)

    def _leg(self, ends: Sequence[tuple[int, int, bool]], without: Board = 0) -> Leg:
        return leg(self._lanes, self._found, self.window.bit(self.start) or 0, ends, without)

    def cost_along(self, path: Sequence[Square], arrival: Arrival | None = None) -> Fraction | None:
        """Cost of a given path, in squares.

        Args:
            path: the start of the search first; neighbouring squares follow each other.
            arrival: at the first square of the path, where that is not the start; its cost counts.

        Returns:
            None where a step of it may not be taken, it costs more than the budget, or a move may not end there.
        """
        total, end, odd = (0, self.window.bit(path[0]), self._odd) if arrival is None else arrival.end
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
