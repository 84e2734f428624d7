"""The peer of sight and of blasts: every line walked plainly, compiled with numba.

For each pair of bodies it walks from each eye of the one to each point of the other, back where the own share is
nothing, and from eye to eye where both are. An eye is left when it cannot beat the best so far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.line_walker import hidden_height, walk
from benchmarks.peers.walked_map import (
    COLUMN,
    CROWN,
    EYE,
    EYES,
    FEET,
    GROUND,
    HIGH,
    LOW,
    OVER,
    POINTS_X,
    POINTS_Y,
    ROW,
    SHARE,
    SHOTS,
    SIGHT,
    SIZE,
    SMOKE,
    Numbers,
    Scratch,
    Shares,
    WalkedMap,
    WalkKeys,
    njit,
)


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
            walk(m, keys, work, pair, 1 << looker, asked, glass, ends, (eye, feet, crown))
            if asked & SIGHT:
                left_sight -= hidden_height(work, 0, feet, crown)
            if asked & SHOTS:
                left_shots -= hidden_height(work, 1, feet, crown)
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
def _eye_sees_eye(m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers, asked: int) -> int:
    """For which questions a line from eye to eye is free, both risen."""
    free = 0
    one, other = pair[0], pair[1]
    for turn in range(one[EYES]):
        for back in range(other[EYES]):
            ends = (
                8 * one[COLUMN] + (4 + POINTS_X[turn]) * one[SIZE],
                8 * one[ROW] + (4 + POINTS_Y[turn]) * one[SIZE],
                8 * other[COLUMN] + (4 + POINTS_X[back]) * other[SIZE],
                8 * other[ROW] + (4 + POINTS_Y[back]) * other[SIZE],
            )
            walk(m, keys, work, pair, 3, asked & ~free, False, ends, (one[EYE], other[EYE], other[EYE]))
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
        may |= _eye_sees_eye(m, keys, work, pair, asked & ~may)
    return SIGHT | SHOTS if m.is_alike and may else may


@njit
def _answer(m: WalkedMap, keys: WalkKeys, work: Scratch, pair: Numbers) -> tuple[float, float]:
    """What the first of a pair sees and hits of the other: shares visible and not covered."""
    sight, shots = _shown(m, keys, work, pair, 0)
    left = SIGHT * (sight == 0) | SHOTS * (shots == 0)
    may = _way_back(m, keys, work, pair, 0, left) if left and keys.mutual else 0
    sight = _with_head(keys, sight, may & SIGHT)
    if sight > 0 and m.has_smoke and _smoke(m, pair) > keys.smoke:
        sight = 0.0
    return sight, _with_head(keys, shots, may & SHOTS)


@njit
def _with_head(keys: WalkKeys, share: float, may: int) -> float:
    return max(share, keys.head) if share > 0 or may else 0.0


@njit
def overlay(
    m: WalkedMap, keys: WalkKeys, work: Scratch, observer: Numbers, like: Numbers, reach: int
) -> tuple[Shares, Shares]:
    """Visible and covered for a body on every square within a reach."""
    shape = (m.rows, m.columns)
    visible, covered = np.zeros(shape), np.ones(shape)
    pair = np.empty((2, len(observer)), np.int64)
    pair[0] = observer
    size = like[SIZE]
    half = observer[SIZE] // 2
    middle_column, middle_row = observer[COLUMN] + half, observer[ROW] + half
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
    return visible, covered


@njit
def all_pairs(m: WalkedMap, keys: WalkKeys, work: Scratch, bodies: Numbers) -> tuple[Shares, Shares]:
    """The same for some bodies among themselves: rows see columns. Each pair is asked once for both."""
    shape = (len(bodies), len(bodies))
    visible, covered = np.ones(shape), np.zeros(shape)
    pair = np.empty((2, bodies.shape[1]), np.int64)
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
                    may |= _eye_sees_eye(m, keys, work, pair, left)
                if m.is_alike and may:
                    may = SIGHT | SHOTS
                back_may = may
            visible[one, other] = _with_head(keys, sight, may & SIGHT)
            covered[one, other] = 1 - _with_head(keys, shots, may & SHOTS)
            visible[other, one] = _with_head(keys, back_sight, back_may & SIGHT)
            covered[other, one] = 1 - _with_head(keys, back_shots, back_may & SHOTS)
            if m.has_smoke and _smoke(m, pair) > keys.smoke:
                visible[one, other] = visible[other, one] = 0
    return visible, covered


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
            walk(m, keys, work, pair, 0, SIGHT, False, ends, (start, end, end))
            is_free = work.state[LOW] < work.state[HIGH]
            found[row - centre[1] + radius, column - centre[0] + radius] = is_free
    return found
