"""A plain walker of every line of sight, compiled with numba: what somebody would write in C from the model's page.

For each pair of bodies it walks the lines square by square: from each eye of the one to each point of the other, back
where the own share is nothing, and from eye to eye where both are. It ends a line when the crown is hidden, an eye when
it cannot beat the best so far, and allocates nothing for a line. It knows no fan, no hull and no bounds. Heights are
whole hundredths; a share is rounded once a division.

Bodies of others in the way are not asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.obstacles import barrier_solids
from engine.geometry.squares import Direction
from tests.engine.geometry.sight_judge import DEFAULT, SightKeys, feet_of

Walked = TypeVar("Walked", bound=Callable[..., Any])


def njit(function: Walked) -> Walked:
    """The function compiled, and kept on disk; divisions are not checked, as nothing is divided by zero."""
    made: Any = numba.njit(error_model="numpy", cache=True)(function)
    return cast(Walked, made)


Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]

BOTTOMLESS = -SKY
ENDLESS = 1e18
POINTS_X = np.array([0, -3, 3, -3, 3])
POINTS_Y = np.array([0, -3, -3, 3, 3])
COLUMN, ROW, SIZE, FEET, EYE, CROWN, OVER, EYES = range(8)
"""A body's numbers: heights are above the map's zero; OVER is what it looks over, EYES how many eyes it has."""

SIGHT, SHOTS = 1, 2
"""What a solid is in the way of; a question asks for one or both."""

WAYS = {Direction.E: 1, Direction.W: 2, Direction.S: 3, Direction.N: 4}


class WalkedMap(NamedTuple):
    """A battlefield as few arrays, since every call hands them on; squares and edges row by row."""

    columns: int
    rows: int
    has_edges: bool
    is_alike: bool
    """Whether everything that hides stops shots and the other way round."""
    has_one_way: bool
    squares: Numbers
    """TOP of the object or the ground, GROUND, STOPS of the object (0 without one), SMOKE; of a map for blasts whether
    nothing reaches into the square, in place of smoke."""
    edges: Numbers
    """WEST and NORTH: which barrier, or -1; CORNER: whether any ends at the north-west corner. One column and one row
    more than the squares have."""
    barriers: Numbers
    """BOTTOM and TOP of two solids (a missing one ends below everything), what they stop, and the WAY in which they
    hide nothing, 0 for none."""


TOP, GROUND, STOPS, SMOKE = range(4)
WEST, NORTH, CORNER = range(3)
BARRIER_STOPS, WAY = 4, 5


class WalkKeys(NamedTuple):
    """The keys of sight that are not put into bodies."""

    own_ground: bool
    soft: bool
    head: float
    least: float
    mutual: bool


class Scratch(NamedTuple):
    """What is written to while lines are walked; made once for many."""

    state: Shares
    """LOW: up to where the upright is hidden from its feet on, for sight and for shots; HIGH: from where on it is
    hidden up to its crown; SHARE: own shares."""
    intervals: Shares
    """Hidden intervals between these: a table for sight and one for shots; then one for either side of a line, at a
    corner or along the grid. Lowest and highest height, and what it stops."""
    counts: Numbers
    """How many intervals each table has; last, how many lines were walked."""


LOW, HIGH, SHARE = 0, 2, 4
SIDES, LINES = 2, 4


def scratch() -> Scratch:
    return Scratch(np.zeros(6), np.zeros((4, 512, 3)), np.zeros(5, np.int64))


def walked_map(field: Battlefield, question: str = "sight") -> WalkedMap:
    """The arrays of a battlefield, for sight and shots, or for what contains a blast."""

    def stops_of(thing: Any) -> int:
        if question == "blast":
            return SIGHT | SHOTS if thing.contains_blast else 0
        return SIGHT * bool(thing.blocks_sight) | SHOTS * bool(thing.stops_shots)

    ground = np.array(field.elevation, np.int64)
    kinds = np.array(field.ground)
    heights = np.array([one.height if stops_of(one) else 0 for one in field.legend], np.int64)
    stops = np.array([stops_of(one) if one.height > 0 else 0 for one in field.legend], np.int64)[kinds]
    stride = field.columns + 1
    edges = np.zeros(((field.rows + 1) * stride, 3), np.int64)
    edges[:, [WEST, NORTH]] = -1
    barriers: list[list[int]] = []
    for edge, barrier in field.barriers.items():
        if barrier.is_open or not stops_of(barrier):
            continue
        solids = [*barrier_solids(barrier, field.barrier_base(edge)), (0, 2 * BOTTOMLESS)][:2]
        solids += [(0, 2 * BOTTOMLESS)] * (2 - len(solids))
        place, is_west = edge.row * stride + edge.column, edge.side == "W"
        edges[place, WEST if is_west else NORTH] = len(barriers)
        edges[[place, place + (stride if is_west else 1)], CORNER] = 1
        way = barrier.seen_through
        crosses = way is not None and question == "sight" and (way.dx != 0) == is_west
        barriers.append([*solids[0], *solids[1], stops_of(barrier), WAYS[way] if way and crosses else 0])
    table = np.array(barriers, np.int64).reshape(-1, 6)
    every = np.concatenate([stops, table[:, BARRIER_STOPS]])
    last = np.array(field.smoke, np.int64)
    if question == "blast":
        last = np.array([one.contains_blast and one.blocks_movement for one in field.legend], np.int64)[kinds]
    squares = [np.minimum(SKY, ground + heights[kinds]), ground, stops, last]
    return WalkedMap(
        field.columns,
        field.rows,
        bool(barriers),
        bool(np.isin(every, (0, SIGHT | SHOTS)).all()),
        bool(table[:, WAY].any()),
        np.ascontiguousarray(np.stack(squares, axis=1)),
        edges,
        table,
    )


def walk_keys(keys: SightKeys = DEFAULT) -> WalkKeys:
    return WalkKeys(keys.own_ground, keys.soft, keys.head / 100, keys.least / 100 - 1e-12, keys.mutual)


def walked_body(field: Battlefield, body: Body, reach: int, keys: SightKeys = DEFAULT) -> Numbers:
    """The numbers of a body that looks over near things from `reach` above its feet."""
    return _numbers(body, feet_of(field, body), reach, keys)


def walked_like(body: Body, reach: int, keys: SightKeys = DEFAULT) -> Numbers:
    """The same with heights above the ground that it would stand on."""
    return _numbers(body, body.altitude, reach, keys)


def _numbers(body: Body, feet: int, reach: int, keys: SightKeys) -> Numbers:
    over = {"rise": feet + reach, "look": feet + body.eyes, "off": 2 * BOTTOMLESS}[keys.own_cover]
    heights = feet, feet + body.eyes, feet + max(body.height, 1), over
    return np.array([*body.at, body.size, *heights, 5 if keys.lean else 1], np.int64)


@njit
def _owns(one: Numbers, column: int, row: int) -> bool:
    size = one[SIZE]
    return bool(0 <= column - one[COLUMN] < size and 0 <= row - one[ROW] < size)


@njit
def _touches(one: Numbers, column: int, row: int) -> bool:
    size = one[SIZE]
    return bool(-1 <= column - one[COLUMN] <= size and -1 <= row - one[ROW] <= size)


@njit
def _touches_edge(one: Numbers, column: int, row: int, is_west: bool) -> bool:
    c, r, size = column - one[COLUMN], row - one[ROW], one[SIZE]
    if is_west:
        return bool(0 <= c <= size and -1 <= r <= size)
    return bool(-1 <= c <= size and 0 <= r <= size)


@njit
def _are_neighbours(pair: Numbers) -> bool:
    across, down = pair[1, COLUMN] - pair[0, COLUMN], pair[1, ROW] - pair[0, ROW]
    return bool(-pair[1, SIZE] <= across <= pair[0, SIZE] and -pair[1, SIZE] <= down <= pair[0, SIZE])


@njit
def _is_low(pair: Numbers, risen: int, top: int, first: bool, second: bool) -> bool:
    """Whether a solid is an own low thing of those who have risen (1: the first, 2: the second, 3: both)."""
    if risen == 3:
        return (first and top < pair[0, OVER]) or (second and top < pair[1, OVER])
    if risen == 1:
        return first and top < pair[0, OVER] and (not second or top < pair[0, EYE])
    if risen == 2:
        return second and top < pair[1, OVER] and (not first or top < pair[1, EYE])
    return False


@njit
def _merge(work: Scratch, question: int, low: float, high: float) -> None:
    """Hide an interval of the upright from sight (0) or shots (1)."""
    if low <= work.state[LOW + question]:
        work.state[LOW + question] = max(work.state[LOW + question], high)
    elif high >= work.state[HIGH + question]:
        work.state[HIGH + question] = min(work.state[HIGH + question], low)
    else:
        number = work.counts[question]
        work.intervals[question, number, 0] = low
        work.intervals[question, number, 1] = high
        work.counts[question] = number + 1


@njit
def _solid(
    work: Scratch,
    line: tuple[int, int, int, int, int],
    at: tuple[int, int],
    solid: tuple[int, int],
    stops: int,
    side: int,
) -> None:
    """What a solid hides of the upright on a stretch: put on a side of the line, or hidden at once (side -1).

    `line` is its length, the eye, feet and crown of the upright, and the question.
    """
    length, eye, feet, crown, asked = line
    start, end = at
    bottom, top = solid
    stops &= asked
    if stops == 0:
        return
    where = start if top > eye else end
    reached = (top - eye) * length
    if reached <= (feet - eye) * where:
        return
    high = eye + reached / where if where else ENDLESS
    low = -ENDLESS
    if bottom > BOTTOMLESS:
        where = end if bottom > eye else start
        reached = (bottom - eye) * length
        if reached >= (crown - eye) * where:
            return
        if where:
            low = eye + reached / where
    if feet == crown:  # one height alone, which lies inside
        low, high = -ENDLESS, ENDLESS
    if side >= 0:
        number = work.counts[SIDES + side]
        work.intervals[SIDES + side, number, 0] = low
        work.intervals[SIDES + side, number, 1] = high
        work.intervals[SIDES + side, number, 2] = stops
        work.counts[SIDES + side] = number + 1
        return
    if stops & SIGHT:
        _merge(work, 0, low, high)
    if stops & SHOTS:
        _merge(work, 1, low, high)


@njit
def _square(
    m: WalkedMap,
    keys: WalkKeys,
    work: Scratch,
    pair: Numbers,
    risen: int,
    line: tuple[int, int, int, int, int],
    at: tuple[int, int],
    column: int,
    row: int,
    side: int,
) -> None:
    """Ground and object of a square."""
    place = row * m.columns + column
    ground = m.squares[place, GROUND]
    first, second = _owns(pair[0], column, row), _owns(pair[1], column, row)
    has_ground = not (keys.own_ground and ((first and risen & 1) or (second and risen & 2)))
    if has_ground:
        _solid(work, line, at, (BOTTOMLESS, ground), SIGHT | SHOTS, side)
    stops, top = m.squares[place, STOPS], m.squares[place, TOP]
    if stops == 0:
        return
    if (first or second) and (stops != SIGHT or not keys.soft or _are_neighbours(pair)):
        return
    if _is_low(pair, risen, top, _touches(pair[0], column, row), _touches(pair[1], column, row)):
        return
    _solid(work, line, at, (BOTTOMLESS if has_ground else ground, top), stops, side)


@njit
def _edge(
    m: WalkedMap,
    work: Scratch,
    pair: Numbers,
    risen: int,
    line: tuple[int, int, int, int, int],
    heading: tuple[int, int],
    at: int,
    column: int,
    row: int,
    is_west: bool,
    side: int,
) -> None:
    """The barrier on an edge."""
    place = row * (m.columns + 1) + column
    number = m.edges[place, WEST] if is_west else m.edges[place, NORTH]
    if number < 0:
        return
    before_column, before_row = (column - 1, row) if is_west else (column, row - 1)
    for one in range(2):
        if _owns(pair[one], column, row) and _owns(pair[one], before_column, before_row):
            return
    stops, way = m.barriers[number, BARRIER_STOPS], m.barriers[number, WAY]
    if way and (
        (way == 1 and heading[0] > 0)
        or (way == 2 and heading[0] < 0)
        or (way == 3 and heading[1] > 0)
        or (way == 4 and heading[1] < 0)
    ):
        stops &= ~SIGHT
    first, second = _touches_edge(pair[0], column, row, is_west), _touches_edge(pair[1], column, row, is_west)
    for part in range(2):
        bottom, top = m.barriers[number, 2 * part], m.barriers[number, 2 * part + 1]
        if top > bottom and not _is_low(pair, risen, top, first, second):
            _solid(work, line, (at, at), (bottom, top), stops, side)


@njit
def _both_sides(work: Scratch) -> None:
    """Hide what is hidden on both sides, and forget the sides."""
    for one in range(work.counts[SIDES]):
        for other in range(work.counts[SIDES + 1]):
            low = max(work.intervals[SIDES, one, 0], work.intervals[SIDES + 1, other, 0])
            high = min(work.intervals[SIDES, one, 1], work.intervals[SIDES + 1, other, 1])
            if low < high:
                stops = int(work.intervals[SIDES, one, 2]) & int(work.intervals[SIDES + 1, other, 2])
                if stops & SIGHT:
                    _merge(work, 0, low, high)
                if stops & SHOTS:
                    _merge(work, 1, low, high)
    work.counts[SIDES] = 0
    work.counts[SIDES + 1] = 0


@njit
def _bar(work: Scratch, asked: int) -> float:
    """Up to where the upright is hidden for every question asked; ENDLESS where the whole of it is."""
    bar = ENDLESS
    for question in range(2):
        if asked >> question & 1 and work.state[LOW + question] < work.state[HIGH + question]:
            bar = min(bar, work.state[LOW + question])
    return bar


@njit
def _walk(
    m: WalkedMap,
    keys: WalkKeys,
    work: Scratch,
    pair: Numbers,
    risen: int,
    asked: int,
    glass: bool,
    ends: tuple[int, int, int, int],
    heights: tuple[int, int, int],
) -> None:
    """Walk a line from an eye to an upright; what is hidden of it is left in `work`.

    Args:
        asked: which questions.
        glass: whether sight goes through one-way glass.
        ends: both points, in eighths of a square.
        heights: of the eye, and of feet and crown; equal for one height alone.
    """
    x, y, end_x, end_y = ends
    eye, feet, crown = heights
    work.counts[LINES] += 1
    for question in range(2):
        work.state[LOW + question] = feet
        work.state[HIGH + question] = crown if feet < crown else crown + 1
        work.counts[question] = 0
    across, down = end_x - x, end_y - y
    if across == 0 or down == 0:
        _walk_straight(m, keys, work, pair, risen, asked, glass, ends, heights)
        return
    width, depth = abs(across), abs(down)
    step_x, step_y = (1 if across > 0 else -1), (1 if down > 0 else -1)
    length = width * depth
    line = (length, eye, feet, crown, asked)
    heading = (step_x, step_y) if glass else (0, 0)
    east, south = int(step_x > 0), int(step_y > 0)
    column, row = (x - 1 + east) >> 3, (y - 1 + south) >> 3
    next_x = (8 - (x & 7) if step_x > 0 else ((x - 1) & 7) + 1) * depth
    next_y = (8 - (y & 7) if step_y > 0 else ((y - 1) & 7) + 1) * width
    place, stride_place = row * m.columns + column, step_y * m.columns
    edge, stride_edge = row * (m.columns + 1) + column, step_y * (m.columns + 1)
    has_edges, has_own_ground = m.has_edges, not keys.own_ground
    bar = float(feet - eye)
    here = 0
    while True:
        there = min(next_x, next_y)
        is_last = there >= length
        if is_last:
            there = length
        rise = m.squares[place, TOP] - eye
        if rise * length > bar * (here if rise > 0 else there):
            stops = m.squares[place, STOPS]
            if stops == 0:
                if has_own_ground or not (
                    (risen & 1 and _owns(pair[0], column, row)) or (risen & 2 and _owns(pair[1], column, row))
                ):
                    bar = _raise(work, asked, line, rise, here if rise > 0 else there)
            elif stops == SIGHT | SHOTS and not _touches(pair[0], column, row) and not _touches(pair[1], column, row):
                bar = _raise(work, asked, line, rise, here if rise > 0 else there)
            else:
                _square(m, keys, work, pair, risen, line, (here, there), column, row, -1)
                bar = _bar(work, asked) - eye
            if bar > SKY:
                return
        if is_last:
            return
        if next_x == next_y:
            if (has_edges and m.edges[edge + east + south * (m.columns + 1), CORNER]) or (
                (m.squares[place + step_x, TOP] - eye) * length > bar * there
                and (m.squares[place + stride_place, TOP] - eye) * length > bar * there
            ):
                at = (there, there)
                _square(m, keys, work, pair, risen, line, at, column + step_x, row, 0)
                _square(m, keys, work, pair, risen, line, at, column, row + step_y, 1)
                if has_edges:
                    _edge(m, work, pair, risen, line, heading, there, column + east, row, True, 0)
                    _edge(m, work, pair, risen, line, heading, there, column + step_x, row + south, False, 0)
                    _edge(m, work, pair, risen, line, heading, there, column, row + south, False, 1)
                    _edge(m, work, pair, risen, line, heading, there, column + east, row + step_y, True, 1)
                _both_sides(work)
                bar = _bar(work, asked) - eye
                if bar > SKY:
                    return
        elif has_edges:
            is_west = next_x < next_y
            if (m.edges[edge + east, WEST] if is_west else m.edges[edge + south * (m.columns + 1), NORTH]) >= 0:
                column_at, row_at = (column + east, row) if is_west else (column, row + south)
                _edge(m, work, pair, risen, line, heading, there, column_at, row_at, is_west, -1)
                bar = _bar(work, asked) - eye
                if bar > SKY:
                    return
        here = there
        if next_x == there:
            column += step_x
            place += step_x
            edge += step_x
            next_x += 8 * depth
        if next_y == there:
            row += step_y
            place += stride_place
            edge += stride_edge
            next_y += 8 * width


@njit
def _raise(work: Scratch, asked: int, line: tuple[int, int, int, int, int], rise: int, at: int) -> float:
    """Hide the upright up to the line over something that stands on the ground and is in the way of all questions."""
    length, eye, feet, crown, _ = line
    high = eye + rise * length / at if at and feet < crown else ENDLESS
    work.state[LOW] = max(work.state[LOW], high)
    work.state[LOW + 1] = max(work.state[LOW + 1], high)
    return _bar(work, asked) - eye


@njit
def _walk_straight(
    m: WalkedMap,
    keys: WalkKeys,
    work: Scratch,
    pair: Numbers,
    risen: int,
    asked: int,
    glass: bool,
    ends: tuple[int, int, int, int],
    heights: tuple[int, int, int],
) -> None:
    """The same for a line along rows or columns, perhaps between two of them."""
    x, y, end_x, end_y = ends
    eye, feet, crown = heights
    across, down = end_x - x, end_y - y
    length = abs(across) + abs(down)
    if length == 0:
        return
    is_level = down == 0
    step = 1 if across + down > 0 else -1
    begin, beside = (x, y) if is_level else (y, x)
    is_between = beside % 8 == 0
    lane = beside // 8
    along = begin // 8 if step > 0 else (begin - 1) // 8
    ahead = (8 - begin % 8) if step > 0 else (begin - 1) % 8 + 1
    line = (length, eye, feet, crown, asked)
    heading = (0, 0)
    if glass:
        heading = (step, 0) if is_level else (0, step)
    here = 0
    while True:
        there = min(ahead, length)
        for turn in range(2 if is_between else 1):
            side = turn if is_between else -1
            own = lane - turn
            column, row = (along, own) if is_level else (own, along)
            _square(m, keys, work, pair, risen, line, (here, there), column, row, side)
        if is_between:
            _both_sides(work)
        if there == length or _bar(work, asked) > SKY:
            return
        for turn in range(2 if is_between else 1):
            side = turn if is_between else -1
            own, border = lane - turn, along + int(step > 0)
            column, row = (border, own) if is_level else (own, border)
            _edge(m, work, pair, risen, line, heading, there, column, row, is_level, side)
            if is_between:
                for square in (along, along + step):
                    column, row = (square, own) if is_level else (own, square)
                    _square(m, keys, work, pair, risen, line, (there, there), column, row, side)
        if is_between:
            _both_sides(work)
        if _bar(work, asked) > SKY:
            return
        along += step
        here = there
        ahead += 8


@njit
def _hidden(work: Scratch, question: int, feet: int, crown: int) -> float:
    """How much of the upright is hidden, by all intervals together."""
    low, high = work.state[LOW + question], work.state[HIGH + question]
    if low >= high:
        return float(crown - feet)
    total = low - feet + crown - high
    floats, count = work.intervals[question], work.counts[question]
    for number in range(1, count):  # few: sorted by insertion
        lower, upper = floats[number, 0], floats[number, 1]
        place = number
        while place > 0 and floats[place - 1, 0] > lower:
            floats[place, 0], floats[place, 1] = floats[place - 1, 0], floats[place - 1, 1]
            place -= 1
        floats[place, 0], floats[place, 1] = lower, upper
    for number in range(count):
        lower, upper = max(low, floats[number, 0]), min(high, floats[number, 1])
        if lower < upper:
            total += upper - lower
            low = upper
    return float(total)


@njit
def _own_shares(
    m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers, looker: int, asked: int, glass: bool, goal: float
) -> None:
    """Leave in `work.state` the own shares of one of a pair: of the best eye, or of the first at `goal` or more."""
    one, other = pair[looker], pair[1 - looker]
    eye, feet, crown = one[EYE], other[FEET], other[CROWN]
    size, other_size = one[SIZE], other[SIZE]
    x, y = 8 * one[COLUMN] + 4 * size, 8 * one[ROW] + 4 * size
    other_x, other_y = 8 * other[COLUMN] + 4 * other_size, 8 * other[ROW] + 4 * other_size
    work.state[SHARE:] = -1.0
    whole = 5.0 * (crown - feet)
    for turn in range(one[EYES]):
        left_sight, left_shots = whole, whole
        is_better = True
        for point in range(5):
            ends = (
                x + POINTS_X[turn] * size,
                y + POINTS_Y[turn] * size,
                other_x + POINTS_X[point] * other_size,
                other_y + POINTS_Y[point] * other_size,
            )
            _walk(m, keys, work, pair, 1 << looker, asked, glass, ends, (eye, feet, crown))
            if asked & SIGHT:
                left_sight -= _hidden(work, 0, feet, crown)
            if asked & SHOTS:
                left_shots -= _hidden(work, 1, feet, crown)
            is_better = ((asked & SIGHT) > 0 and left_sight > work.state[SHARE] * whole) or (
                (asked & SHOTS) > 0 and left_shots > work.state[SHARE + 1] * whole
            )
            if not is_better:
                break
        if is_better:
            work.state[SHARE] = max(work.state[SHARE], left_sight / whole)
            work.state[SHARE + 1] = max(work.state[SHARE + 1], left_shots / whole)
        if (not asked & SIGHT or work.state[SHARE] >= goal) and (not asked & SHOTS or work.state[SHARE + 1] >= goal):
            return


@njit
def _eye_sees_eye(m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers, asked: int, risen: int) -> int:
    """For which questions a line from eye to eye is free: of all eyes if both have risen, else of the middle ones."""
    free = 0
    one, other = pair[0], pair[1]
    for turn in range(one[EYES] if risen else 1):
        for back in range(other[EYES] if risen else 1):
            ends = (
                8 * one[COLUMN] + (4 + POINTS_X[turn]) * one[SIZE],
                8 * one[ROW] + (4 + POINTS_Y[turn]) * one[SIZE],
                8 * other[COLUMN] + (4 + POINTS_X[back]) * other[SIZE],
                8 * other[ROW] + (4 + POINTS_Y[back]) * other[SIZE],
            )
            _walk(m, keys, work, pair, risen, asked & ~free, False, ends, (one[EYE], other[EYE], other[EYE]))
            for question in range(2):
                if asked >> question & 1 and work.state[LOW + question] < work.state[HIGH + question]:
                    free |= 1 << question
            if free == asked:
                return free
    return free


@njit
def _smoke(m: WalkedMap, pair: Numbers) -> float:
    """Squares of smoke from middle to middle, times its density."""
    one, other = pair[0], pair[1]
    x, y = 8 * one[COLUMN] + 4 * one[SIZE], 8 * one[ROW] + 4 * one[SIZE]
    across, down = 8 * other[COLUMN] + 4 * other[SIZE] - x, 8 * other[ROW] + 4 * other[SIZE] - y
    if across == 0 and down == 0:
        return 0.0
    extent = np.sqrt(float(across * across + down * down)) / 8
    step_x, step_y = (1 if across > 0 else -1), (1 if down > 0 else -1)
    column = x // 8 if step_x > 0 else (x - 1) // 8
    row = y // 8 if step_y > 0 else (y - 1) // 8
    width, depth = max(abs(across), 1), max(abs(down), 1)
    length = width * depth
    next_x = ((8 - x % 8) if step_x > 0 else (x - 1) % 8 + 1) * depth if across else length
    next_y = ((8 - y % 8) if step_y > 0 else (y - 1) % 8 + 1) * width if down else length
    beside_x, beside_y = across == 0 and x % 8 == 0, down == 0 and y % 8 == 0
    if across == 0:
        column = x // 8
    if down == 0:
        row = y // 8
    thick, here = 0, 0
    while True:
        there = min(next_x, next_y, length)
        density = m.squares[row * m.columns + column, SMOKE]
        if beside_x:
            density = min(density, m.squares[row * m.columns + column - 1, SMOKE])
        if beside_y:
            density = min(density, m.squares[(row - 1) * m.columns + column, SMOKE])
        thick += density * (there - here)
        if there == length:
            return float(extent * thick / length)
        here = there
        if next_x == there:
            column += step_x
            next_x += 8 * depth
        if next_y == there:
            row += step_y
            next_y += 8 * width


@njit
def _shown(m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers, looker: int) -> tuple[float, float]:
    """Own shares of sight and shots, with those below the least as nothing."""
    asked = SIGHT if m.is_alike and not m.has_one_way else SIGHT | SHOTS
    _own_shares(m, keys, work, pair, looker, asked, True, 1.0)
    sight = work.state[SHARE]
    shots = work.state[SHARE + 1] if asked & SHOTS else sight
    return (sight if sight >= keys.least else 0.0), (shots if shots >= keys.least else 0.0)


@njit
def _way_back(m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers, looker: int, left: int) -> int:
    """For which questions a pair may attack although one has no own share: the other has one, or eye sees eye."""
    asked = SIGHT if m.is_alike else left
    _own_shares(m, keys, work, pair, 1 - looker, asked, False, max(keys.least, 1e-12))
    may = 0
    for question in range(2):
        if asked >> question & 1 and work.state[SHARE + question] >= keys.least and work.state[SHARE + question] > 0:
            may |= 1 << question
    if asked & ~may:
        may |= _eye_sees_eye(m, keys, work, pair, asked & ~may, 3)
    return SIGHT | SHOTS if m.is_alike and may else may


@njit
def _answer(m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers) -> tuple[float, float]:
    """What the first of a pair sees and hits of the other: shares visible and not covered."""
    sight, shots = _shown(m, keys, work, pair, 0)
    left = SIGHT * (sight == 0) | SHOTS * (shots == 0)
    may = _way_back(m, keys, work, pair, 0, left) if left and keys.mutual else 0
    return _with_head(keys, sight, may & SIGHT), _with_head(keys, shots, may & SHOTS)


@njit
def _with_head(keys: WalkKeys, share: float, may: int) -> float:
    return max(share, keys.head) if share > 0 or may else 0.0


@njit
def overlay(
    m: WalkedMap, keys: WalkKeys, work: Scratch, observer: Numbers, like: Numbers, reach: int
) -> tuple[Shares, Shares, NDArray[np.bool_], Shares]:
    """Visible, covered, eye to eye (middle to middle) and smoke for a body on every square within a reach."""
    shape = (m.rows, m.columns)
    visible, covered, smoke = np.zeros(shape), np.ones(shape), np.zeros(shape)
    clear = np.zeros(shape, np.bool_)
    pair = np.empty((2, len(observer)), np.int64)
    pair[0] = observer
    size = like[SIZE]
    half = observer[SIZE] // 2
    middle_column, middle_row = observer[COLUMN] + half, observer[ROW] + half
    has_smoke = m.squares[:, SMOKE].any()
    for row in range(max(0, middle_row - reach), min(m.rows - size, middle_row + reach) + 1):
        for column in range(max(0, middle_column - reach), min(m.columns - size, middle_column + reach) + 1):
            pair[1] = like
            pair[1, COLUMN] = column
            pair[1, ROW] = row
            ground = m.squares[row * m.columns + column, GROUND]
            for down in range(size):
                for across in range(size):
                    ground = max(ground, m.squares[(row + down) * m.columns + column + across, GROUND])
            pair[1, FEET] += ground
            pair[1, EYE] += ground
            pair[1, CROWN] += ground
            pair[1, OVER] += ground
            sight, shots = _answer(m, keys, work, pair)
            visible[row, column] = sight
            covered[row, column] = 1 - shots
            clear[row, column] = _eye_sees_eye(m, keys, work, pair, SIGHT, 0) == SIGHT
            if has_smoke:
                smoke[row, column] = _smoke(m, pair)
    return visible, covered, clear, smoke


@njit
def all_pairs(
    m: WalkedMap, keys: WalkKeys, work: Scratch, bodies: Numbers
) -> tuple[Shares, Shares, NDArray[np.bool_], Shares]:
    """The same for some bodies among themselves: rows see columns. Each pair is asked once for both."""
    shape = (len(bodies), len(bodies))
    visible, covered, smoke = np.ones(shape), np.zeros(shape), np.zeros(shape)
    clear = np.ones(shape, np.bool_)
    pair = np.empty((2, bodies.shape[1]), np.int64)
    has_smoke = m.squares[:, SMOKE].any()
    for one in range(len(bodies)):
        for other in range(one):
            pair[0], pair[1] = bodies[one], bodies[other]
            sight, shots = _shown(m, keys, work, pair, 0)
            back_sight, back_shots = _shown(m, keys, work, pair, 1)
            may = back_may = 0
            if keys.mutual and m.has_one_way:
                left, back_left = (
                    SIGHT * (sight == 0) | SHOTS * (shots == 0),
                    SIGHT * (back_sight == 0) | SHOTS * (back_shots == 0),
                )
                may = _way_back(m, keys, work, pair, 0, left) if left else 0
                back_may = _way_back(m, keys, work, pair, 1, back_left) if back_left else 0
            elif keys.mutual:
                may = SIGHT * (sight + back_sight > 0) | SHOTS * (shots + back_shots > 0)
                left = (SIGHT if m.is_alike else SIGHT | SHOTS) & ~may
                if left:
                    may |= _eye_sees_eye(m, keys, work, pair, left, 3)
                if m.is_alike and may:
                    may = SIGHT | SHOTS
                back_may = may
            visible[one, other] = _with_head(keys, sight, may & SIGHT)
            covered[one, other] = 1 - _with_head(keys, shots, may & SHOTS)
            visible[other, one] = _with_head(keys, back_sight, back_may & SIGHT)
            covered[other, one] = 1 - _with_head(keys, back_shots, back_may & SHOTS)
            clear[one, other] = clear[other, one] = _eye_sees_eye(m, keys, work, pair, SIGHT, 0) == SIGHT
            if has_smoke:
                smoke[one, other] = smoke[other, one] = _smoke(m, pair)
    return visible, covered, clear, smoke


@njit
def blast(
    m: WalkedMap, keys: WalkKeys, work: Scratch, centre: tuple[int, int], radius: int, height: int, square_size: int
) -> NDArray[np.bool_]:
    """The squares of a window that a burst reaches, radius and rise counted by the longest of three sides.

    Args:
        m: made for blasts.
        keys: with everybody's own ground in the way.
        work: scratch.
        centre: column and row of the burst.
        radius: in squares.
        height: above the ground, of the burst and of what it reaches.
        square_size: side of a square.
    """
    side = 2 * radius + 1
    found = np.zeros((side, side), np.bool_)
    found[radius, radius] = True
    pair = np.zeros((2, 8), np.int64)
    pair[:, SIZE] = 1
    pair[0, COLUMN], pair[0, ROW] = centre
    start = m.squares[centre[1] * m.columns + centre[0], GROUND] + height
    for row in range(max(0, centre[1] - radius), min(m.rows, centre[1] + radius + 1)):
        for column in range(max(0, centre[0] - radius), min(m.columns, centre[0] + radius + 1)):
            place = row * m.columns + column
            end = m.squares[place, GROUND] + height
            if m.squares[place, SMOKE] or abs(end - start) > radius * square_size or (column, row) == centre:
                continue
            pair[1, COLUMN], pair[1, ROW] = column, row
            ends = (8 * centre[0] + 4, 8 * centre[1] + 4, 8 * column + 4, 8 * row + 4)
            _walk(m, keys, work, pair, 0, SIGHT, False, ends, (start, end, end))
            is_free = work.state[LOW] < work.state[HIGH]
            found[row - centre[1] + radius, column - centre[0] + radius] = is_free
    return found
