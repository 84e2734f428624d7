"""Of the paths that cost the least, the one that provokes the fewest reactions, and of these one with the fewest turns.

What a step provokes is told by the caller, by name: each name counts once however often a path provokes it. The search
keeps, for each square and direction, every set of names that no other set makes needless, so that it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from heapq import heappop, heappush
from itertools import count, pairwise
from operator import or_
from typing import NamedTuple

from msgspec import Struct

from engine.geometry.movement.bitboard import Board, moved
from engine.geometry.movement.passage import DIRECTIONS, STRAIGHT
from engine.geometry.movement.window import Lanes
from engine.geometry.squares import Square

Provoked = Callable[[Square, Square, frozenset[str]], frozenset[str]]
"""The names of what a step from one square to the next provokes, apart from those provoked before."""
STEPS = tuple((direction.dx, direction.dy) for direction in DIRECTIONS)
NUMBERS = {step: number for number, step in enumerate(STEPS)}
NONE_PROVOKED: frozenset[str] = frozenset()


def provokes_nothing(_here: Square, _there: Square, _before: frozenset[str]) -> frozenset[str]:
    """Where nobody reacts to a move."""
    return NONE_PROVOKED


def names_provoked(path: Sequence[Square], provoked: Provoked) -> frozenset[str]:
    """The names of all that a path provokes."""
    names = NONE_PROVOKED
    for here, there in pairwise(path):
        names |= provoked(here, there, names)
    return names


def turns(path: Sequence[Square]) -> int:
    """How often a path changes its direction."""
    ways = [(there.column - here.column, there.row - here.row) for here, there in pairwise(path)]
    return sum(one != other for one, other in pairwise(ways))


class Leg(Struct, frozen=True):
    """The cheapest paths between two stops, for one parity of the diagonal steps before it."""

    within: Lanes
    start: int
    """The bit of the stop where it begins."""
    ends: frozenset[tuple[int, int, bool]]
    """Where it may end: cost, bit, and whether the diagonal steps are then odd in number."""
    open: Mapping[bool, Sequence[Board]]
    """The squares of the cheapest paths, by parity and cost."""
    anywhere: Board
    """The same squares in one board."""
    shifts: tuple[int, ...]
    """For each direction how many bits away its neighbour is."""

    @property
    def is_open(self) -> bool:
        """Whether there is any such path."""
        return bool(self.anywhere >> self.start & 1)

    def steps(self, cost: int, bit: int, odd: bool) -> Iterator[tuple[int, int, int, bool]]:
        """Steps that lead on: number of the direction, then cost, bit and parity after it."""
        within = self.within
        for number, shift in enumerate(self.shifts):
            there = bit + shift
            if there < 0 or not self.anywhere >> there & 1:
                continue
            turned = odd ^ (within.is_alternating and number >= STRAIGHT)
            step, onward = within.cost(number, there, odd), self.open[turned]
            if step is not None and cost + step < len(onward) and onward[cost + step] >> there & 1:
                yield number, cost + step, there, turned


def leg(
    within: Lanes,
    found: tuple[Sequence[Board], Sequence[Board]],
    start: int,
    ends: Sequence[tuple[int, int, bool]],
    without: Board = 0,
) -> Leg:
    """The cheapest paths of a search to some of its ends.

    Args:
        within: the steps that were searched.
        found: the squares that were first reached at each cost, by parity.
        start: the bit where the search began.
        ends: cost, bit and parity of each end, as the search found it.
        without: squares that none of the paths may come through.
    """
    most = max(cost for cost, _, _ in ends)
    open_: dict[bool, list[Board]] = {odd: [0] * (most + 1) for odd in (False, True)}
    for cost, bit, odd in ends:
        open_[odd][cost] |= 1 << bit
    parities = (False, True) if within.is_alternating else (False,)
    shifts = tuple(map(within.bits, range(len(DIRECTIONS))))
    for cost in range(most, 0, -1):
        for odd in parities:
            front = open_[odd][cost]
            if not front:
                continue
            for number, way in enumerate(within.ways):
                before = odd ^ (within.is_alternating and number >= STRAIGHT)
                priced = [
                    (front & way & board, straight if number < STRAIGHT else slanting[before])
                    for board, straight, slanting in within.prices
                ]
                priced += [(front & board, costs[before]) for other, board, costs in within.others if other == number]
                for there, step in priced:
                    if there and step <= cost:
                        open_[before][cost - step] |= (
                            moved(there, -shifts[number]) & found[before][cost - step] & ~without
                        )
    anywhere = reduce(or_, (*open_[False], *open_[True]), 0)
    return Leg(within, start, frozenset(ends), open_, anywhere, shifts)


class _Place(NamedTuple):
    """A place on the way: which leg, by which parity it began, cost within the leg, bit, parity now."""

    leg: int
    began_odd: bool
    cost: int
    bit: int
    odd: bool


def best_path(
    legs: Sequence[Mapping[bool, Leg]], provoked: Provoked, odd: bool = False, tail: Sequence[Square] = ()
) -> tuple[Square, ...]:
    """The best path over all legs in order.

    Args:
        legs: for each leg the cheapest paths, by the parity it begins with. Where one ends, the next begins.
        provoked: what each step provokes.
        odd: the parity at the start.
        tail: squares that follow the last leg, one step each, whatever they provoke.

    Returns:
        The start first. All paths of the legs cost the same; of those this one provokes the fewest names, then turns
        the fewest times, the tail included.
    """
    first = legs[0][odd]
    home = first.within.window.square(first.start)
    goal = tail[-1] if tail else _goal(legs[-1])
    order = sorted(range(len(DIRECTIONS)), key=lambda number: _along(number, home, goal))
    serial = count()
    known: dict[tuple[_Place, int], list[tuple[frozenset[str], int]]] = {}
    came: list[tuple[Square, int]] = []
    """Squares that were stepped on, each with the number of the one before it."""
    heap: list[tuple[int, int, int, int, int, frozenset[str], int, _Place, int, int]] = []

    def push(names: frozenset[str], turns: int, place: _Place, facing: int, square: Square, before: int) -> None:
        """Notes a state unless another is as good; at the end of a leg, as the start of the next, too."""
        better = known.setdefault((place, facing), [])
        if any(turns >= fewer and names >= less for less, fewer in better):
            return
        better.append((names, turns))
        came.append((square, before))
        enter(names, turns, place, facing, len(came) - 1)

    def enter(names: frozenset[str], turns: int, place: _Place, facing: int, at: int) -> None:
        least = turns
        if place.leg == len(legs) - 1 and not tail:
            square = came[at][0]
            least += _turns_left(goal.column - square.column, goal.row - square.row, facing)
        heappush(heap, (len(names), least, -place.leg, -place.cost, next(serial), names, turns, place, facing, at))
        if place.leg < len(legs) and (place.cost, place.bit, place.odd) in legs[place.leg][place.began_odd].ends:
            ahead = place.leg + 1
            start = legs[ahead][place.odd].start if ahead < len(legs) else place.bit
            enter(names, turns, _Place(ahead, place.odd, 0, start, place.odd), facing, at)

    push(NONE_PROVOKED, 0, _Place(0, odd, 0, first.start, odd), -1, home, -1)
    while heap:
        *_, names, turns, place, facing, at = heappop(heap)
        here = came[at][0]
        if place.leg >= len(legs):
            done = place.leg - len(legs)
            if done == len(tail):
                return _walked(came, at)
            there = tail[done]
            number = NUMBERS[there.column - here.column, there.row - here.row]
            more = names | provoked(here, there, names)
            push(more, turns + (facing not in (number, -1)), place._replace(leg=place.leg + 1), number, there, at)
            continue
        part = legs[place.leg][place.began_odd]
        found = {step[0]: step[1:] for step in part.steps(place.cost, place.bit, place.odd)}
        for number in order:
            if number in found:
                cost, bit, turned = found[number]
                there = part.within.window.square(bit)
                more = names | provoked(here, there, names)
                onward = _Place(place.leg, place.began_odd, cost, bit, turned)
                push(more, turns + (facing not in (number, -1)), onward, number, there, at)
    raise AssertionError("the legs lead from the start to the goal")


def _goal(last: Mapping[bool, Leg]) -> Square:
    part = next(iter(last.values()))
    return part.within.window.square(next(iter(part.ends))[1])


@lru_cache(maxsize=4096)
def _turns_left(columns: int, rows: int, facing: int) -> int:
    """How many turns a body that faces so needs at least to a square so far away: 0, 1, or 2 for more than one."""
    if facing < 0 or (columns, rows) == (0, 0):
        return 0
    x, y = STEPS[facing]
    if columns * y == rows * x:
        return 0 if columns * x + rows * y > 0 else 1
    for dx, dy in STEPS:
        across = x * dy - y * dx
        ahead, aside = columns * dy - rows * dx, x * rows - y * columns
        if across and ahead * across >= 0 and aside * across > 0:
            return 1
    return 2


def _along(number: int, home: Square, goal: Square) -> int:
    """How far a step goes towards the goal: of paths that are equally good, the one that turns towards it later."""
    direction = DIRECTIONS[number]
    columns, rows = goal.column - home.column, goal.row - home.row
    return (7 if direction.is_diagonal else 10) * (direction.dx * columns + direction.dy * rows)


def _walked(came: Sequence[tuple[Square, int]], at: int) -> tuple[Square, ...]:
    path = []
    while at >= 0:
        square, at = came[at]
        path.append(square)
    return tuple(reversed(path))
