"""R1 and R2: squares within reach, against tcod's Pathfinder and scipy's Dijkstra on the same steps at the same costs.

Ours is timed from the battlefield to one array of costs, its boards of passable ground kept as they are in play; the
peers from graphs that were built before, tcod's cropped to what the budget reaches. All three must agree on every
square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from random import Random
from typing import Any

import numpy as np
import tcod.path
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from benchmarks.fields import generated, inside
from benchmarks.measure import Row, ratio
from engine.geometry.battlefield import Battlefield, Ground
from engine.geometry.movement.reach import reach
from engine.geometry.movement.steps import MoveRules
from engine.geometry.squares import Direction, Square
from engine.values import replace

SIDE = 200
BUDGETS = (10, 30, 60)
METRICS = ("chebyshev", "alternating", "euclidean")
KINDS = ("open", "pillars", "rooms")
ROUGH = Ground("rubble", move_cost=2)
FAR = 128
"""Half squares that stand for out of reach: a power of two, and more than any budget here."""

Costs = NDArray[Any]
Search = Callable[[], Costs]


def rows() -> Iterator[Row]:
    """Both targets for every kind of map, diagonal rule and budget."""
    for kind in KINDS:
        field = with_rough_ground(generated(kind, SIDE))
        start = inside(field)
        for metric in METRICS:
            rules, steps = MoveRules(metric), _steps(field, metric)
            for budget in BUDGETS:
                ours = partial(our_costs, field, start, budget, rules)
                case = f"{kind}, {metric}, budget {budget}"
                cropped, edges = tcod_search(steps, start, budget), scipy_search(steps, start, budget)
                _check(case, start, budget, ours(), cropped(), edges())
                yield ratio("R1", f"{case}, against tcod", ours, cropped, 0.70 if budget == 10 else 0.45)
                yield ratio("R2", f"{case}, against scipy", ours, edges, 2.0 if metric == "euclidean" else 1.0)


def with_rough_ground(field: Battlefield) -> Battlefield:
    """The same map with difficult ground on a fifth of its free squares."""
    rng = Random(7)
    free = [index for index, entry in enumerate(field.ground) if not field.legend[entry].blocks_movement]
    rough = set(rng.sample(free, len(free) // 5))
    ground = tuple(len(field.legend) if index in rough else entry for index, entry in enumerate(field.ground))
    return replace(field, legend=(*field.legend, ROUGH), ground=ground)


def our_costs(field: Battlefield, start: Square, budget: int, rules: MoveRules) -> Costs:
    """Half squares for each square of the window, as the peers give them: one number a square, FAR where it leads not.

    A square's cost is put together from boards of its binary digits; the last digit says that it is out of reach.
    """
    found = reach(field, start, budget, rules)
    window = found.window
    size = window.rows * window.stride
    groups = [0] * (1 << (2 * budget).bit_length())
    for cost, board in found.boards():
        groups[cost] = board
    digits = []
    while len(groups) > 1:
        digits.append(reduce(or_, groups[1::2]))
        groups = list(map(or_, groups[::2], groups[1::2]))
    costs = _bits((1 << size) - 1 ^ groups[0], size) << np.uint8(FAR.bit_length() - 1)
    for place, board in enumerate(digits):
        if board:
            costs |= _bits(board, size) << np.uint8(place)
    return costs.reshape(window.rows, window.stride)[:, : window.columns]


def _bits(board: int, size: int) -> Costs:
    return np.unpackbits(np.frombuffer(board.to_bytes(size // 8, "little"), np.uint8), bitorder="little")


@dataclass(frozen=True, slots=True)
class Steps:
    """Every step of a map: for each direction, the squares it may be taken from; and what squares cost to enter."""

    metric: str
    may: dict[Direction, NDArray[np.bool_]]
    cost: NDArray[np.int32]

    def base(self, direction: Direction, odd: int) -> int:
        """Half squares over plain ground."""
        if not direction.is_diagonal:
            return 2
        return {"chebyshev": 2, "alternating": 4 if odd else 2, "euclidean": 3}[self.metric]

    @property
    def parities(self) -> int:
        return 2 if self.metric == "alternating" else 1


def _steps(field: Battlefield, metric: str) -> Steps:
    """The map's own rules of steps, asked square by square; walls are whole squares here, and corners are not cut."""
    free = np.array([not field.legend[entry].blocks_movement for entry in field.ground]).reshape(SIDE, SIDE)
    cost = np.array([field.legend[entry].move_cost for entry in field.ground], np.int32).reshape(SIDE, SIDE)
    around = np.pad(free, 1)

    def beside(dx: int, dy: int) -> NDArray[np.bool_]:
        return around[1 + dy : 1 + dy + SIDE, 1 + dx : 1 + dx + SIDE]

    may = {
        direction: beside(direction.dx, direction.dy) & beside(direction.dx, 0) & beside(0, direction.dy) & free
        for direction in Direction
    }
    return Steps(metric, may, np.where(free, cost, 0).astype(np.int32))


def tcod_search(steps: Steps, start: Square, budget: int) -> Search:
    """The Pathfinder on the squares within the budget of the start; the alternating rule takes two storeys."""
    low, high = max(0, start.row - budget), min(SIDE, start.row + budget + 1)
    window = np.s_[low:high, low:high]
    cost = np.ascontiguousarray(np.broadcast_to(steps.cost[window], (steps.parities, high - low, high - low)))
    graph = tcod.path.CustomGraph(cost.shape)
    for direction, may in steps.may.items():
        for odd in range(steps.parities):
            turn = (1 - 2 * odd) * (direction.is_diagonal and steps.parities == 2)
            condition = np.zeros(cost.shape, np.int8)
            condition[odd] = may[window]
            graph.add_edge(
                (turn, direction.dy, direction.dx), steps.base(direction, odd), cost=cost, condition=condition
            )
    root = (0, start.row - low, start.column - low)

    def search() -> Costs:
        finder = tcod.path.Pathfinder(graph)
        finder.add_root(root)
        finder.resolve()
        cheapest: Costs = finder.distance.min(axis=0)
        return cheapest

    return search


def scipy_search(steps: Steps, start: Square, budget: int) -> Search:
    """Dijkstra with a limit on a graph of the whole map, built before."""
    cells = SIDE * SIDE
    squares = np.arange(cells).reshape(SIDE, SIDE)
    tails, heads, prices = [], [], []
    for direction, may in steps.may.items():
        for odd in range(steps.parities):
            after = odd ^ (direction.is_diagonal and steps.parities == 2)
            tail = squares[may]
            head = tail + direction.dx + SIDE * direction.dy
            tails.append(tail + odd * cells)
            heads.append(head + after * cells)
            prices.append(steps.cost.reshape(-1)[head] * steps.base(direction, odd))
    flat = (np.concatenate(prices).astype(float), (np.concatenate(tails), np.concatenate(heads)))
    graph = csr_matrix(flat, shape=(cells * steps.parities,) * 2)
    root = start.row * SIDE + start.column

    def search() -> Costs:
        found: NDArray[np.float64] = dijkstra(graph, indices=root, limit=2 * budget)
        cheapest: Costs = found.reshape(steps.parities, SIDE, SIDE).min(axis=0)
        return cheapest

    return search


def _check(case: str, start: Square, budget: int, ours: Costs, cropped: Costs, whole: Costs) -> None:
    """All three must agree on every square within the budget."""
    low, wide = max(0, start.row - budget), cropped.shape[0]
    left = ours.shape[1] - wide
    views = (ours[:, left:], cropped, whole[low : low + wide, low : low + wide])
    first, *others = (np.where(view <= 2 * budget, view, FAR) for view in views)
    if not all((first == other).all() for other in others):
        raise AssertionError(f"{case}: the searches disagree")
