"""A plain walker of one line, square by square, compiled with numba: as somebody would write it in C from the model.

It ends a line when the crown is hidden and allocates nothing for it. It knows no fan, no hull and no bounds. Heights
are whole hundredths; a share is rounded once a division. Bodies of others in the way are not asked for.
"""

from __future__ import annotations

from benchmarks.peers.walked_map import (
    BARRIER_STOPS,
    BOTTOMLESS,
    COLUMN,
    CORNER,
    ENDLESS,
    EYE,
    GROUND,
    HIGH,
    LINES,
    LOW,
    NORTH,
    OVER,
    ROW,
    SHOTS,
    SIDES,
    SIGHT,
    SIZE,
    STOPS,
    TOP,
    WAY,
    WEST,
    Numbers,
    Scratch,
    WalkedMap,
    WalkKeys,
    njit,
)
from engine.geometry.battlefield import SKY


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
def walk(
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
        _straight(m, keys, work, pair, risen, asked, glass, ends, heights)
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
def _straight(
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
def hidden_height(work: Scratch, question: int, feet: int, crown: int) -> float:
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
