"""Which squares are seen from one square, yes or no: fog of war, how far a lamp shines. Pure whole numbers, exact.

On a plan (see `plan`) a square or an edge either is in the way or it is not. `seen_from` gives for every square the
same answer as the `clear` flag of `sight.trace` between two bodies whose eyes are at the height of the plan. Solid
squares are whole squares; nothing is seen through the slit between two that touch at a corner, and one corner
alone hides nothing. Shares of a body, eyes at different heights and smoke are not for this module.

Four sweeps go outwards from the observer, line by line: along columns to the east and west, along rows to the north
and south; diagonals are walked. A sweep keeps what is still open as closed intervals of slopes, their ends as pairs of
whole numbers. A solid hides the open interval between its outermost corners. What is left between two corners may be a
single slope, a ray: at every corner of the grid that a ray meets, both ways round are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Square
from engine.geometry.visibility.height_cut import HeightCut, Line

Interval = tuple[int, int, int, int]
"""Slopes from the first number over the second to the third over the fourth, both included."""


class Sweep(NamedTuple):
    """One sweep: the lines that it meets, the observer's first, and where their squares are in the answer."""

    squares: Sequence[Line]
    planes: Sequence[Line | None]
    place: int
    """Where the observer's row (of columns; or column, of rows) is in a Line."""
    start: int
    outward: int
    aside: int
    """Index of the observer's square in the answer; what a step outwards and a step along a line add to it."""
    first: int
    last: int
    """Steps along a line to its first and to its last square."""


def seen_from(plan: HeightCut, square: Square, reach: int | None = None) -> bytes:
    """The squares that are seen from one.

    Args:
        plan: see `plan`.
        square: where the observer is. What stands on it is not in the way, what stands on its edges is.
        reach: only squares whose centres are at most this many squares away in a straight line; None is the whole map.

    Returns:
        One byte for each square, row by row: 1 for seen. A solid square is seen when a body standing in it would be.

    Raises:
        OffMap: the square is outside.
    """
    field = plan.battlefield
    start, (column, row) = field.index(square), square
    columns, rows = field.columns, field.rows
    seen = bytearray(columns * rows)
    seen[start] = 1
    most = max(columns, rows) if reach is None else reach
    for lines, here, there, count, width, outward, aside in (
        (plan.columns, column, row, columns, rows, 1, columns),
        (plan.rows, row, column, rows, columns, columns, 1),
    ):
        squares, place = _met(lines.squares, 2 * there + 2), 2 * there + 2
        deep = min(most, count - 1 - here)
        planes = lines.planes[0] and lines.planes[0][here : here + deep + 1]
        ahead = squares[here : here + deep + 1]
        _sweep(seen, Sweep(ahead, planes, place, start, outward, aside, -there, width - 1 - there))
        deep = min(most, here)
        planes = lines.planes[1] and lines.planes[1][here + 1 - deep : here + 2][::-1]
        ahead = squares[here - deep : here + 1][::-1]
        _sweep(seen, Sweep(ahead, planes, place, start, -outward, aside, -there, width - 1 - there))
    for step_x in (1, -1):
        for step_y in (1, -1):
            _diagonal(seen, plan, square, (step_x, step_y), most)
    return bytes(seen) if reach is None else _within(seen, field, square, reach)


def _met(both: tuple[tuple[Line, ...], tuple[Line, ...]], place: int) -> Sequence[Line]:
    """Lines as they are met from a place along them: its far side drifts to higher places, its near side to lower."""
    higher, lower = both
    if higher is lower:
        return higher
    return [low if low is high else low[:place] + high[place:] for high, low in zip(higher, lower, strict=True)]


def _sweep(seen: bytearray, sweep: Sweep) -> None:
    """Marks what is seen between the two diagonals of one direction, these left out.

    The first and the last square that an interval touches at a depth follow from those before by adding, with the rests
    of their divisions; the squares whose centres it holds from the same rests.
    """
    squares, planes, place, start, outward, aside, first_step, last_step = sweep
    deepest = len(squares) - 1
    stack = [(1, False, (-deepest, deepest + 1, deepest, deepest + 1))]
    ones = bytearray(b"\1") * (2 * deepest + 1)
    while stack:
        begin, is_past, interval = stack.pop()
        a, b, c, e = interval
        low, low_rest = divmod(2 * a * begin - abs(a) + b, 2 * b)
        high, high_rest = divmod(2 * c * begin + abs(c) + e - 1, 2 * e)
        low_centre, high_centre = b - abs(a), e + abs(c) - 1
        is_ray = a == c and b == e
        at = start + begin * outward
        a, b, c, e = 2 * a, 2 * b, 2 * c, 2 * e
        for depth in range(begin, deepest + 1):
            if planes and not is_past and (plane := planes[depth]):
                left = _cut(interval, plane, place, 2 * depth - 1, 2 * depth - 1)
                if left != [interval]:
                    stack += [(depth, True, piece) for piece in left]
                    break
            is_past = False
            first = low + 1 if low_rest > low_centre else low
            last = high if high_rest >= high_centre else high - 1
            if first < first_step:
                first = first_step
            if last > last_step:
                last = last_step
            if first < last:
                seen[at + first * aside : at + last * aside + 1 : aside] = ones[first - last - 1 :]
            elif first == last:
                seen[at + first * aside] = 1
            line = squares[depth]
            if line[place + 2 * low] or (low < high and line.find(1, place + 2 * low, place + 2 * high + 1) > 0):
                left = _cut(interval, line, place, 2 * depth - 1, 2 * depth + 1)
                stack += [
                    (depth + 1, False, piece)
                    for piece in left
                    if piece[:2] != piece[2:] or not _is_squeezed(piece, depth, sweep)
                ]
                break
            if is_ray and _is_squeezed(interval, depth, sweep):
                break
            at += outward
            low_rest += a
            if low_rest >= b:
                low_rest -= b
                low += 1
            elif low_rest < 0:
                low_rest += b
                low -= 1
            high_rest += c
            if high_rest >= e:
                high_rest -= e
                high += 1
            elif high_rest < 0:
                high_rest += e
                high -= 1


def _cut(interval: Interval, line: Line, place: int, near: int, far: int) -> list[Interval]:
    """What is left of an interval behind a line.

    Args:
        interval: slopes in steps along the line for each step outwards.
        line: what is solid.
        place: where the observer's own row or column is in it.
        near, far: twice the distances at which solid squares begin and end; the same for edges across the way.
    """
    a, b, c, e = interval
    first = place + 2 * ((a * (near if a > 0 else far) + b) // (2 * b))
    last = place + 2 * ((c * (far if c > 0 else near) + e - 1) // (2 * e))
    left: list[Interval] = []
    start = line.find(1, first, last + 1)
    while start >= 0:
        end = line.find(0, start, last + 1)
        low = (start - place - 1) | 1
        below = far if low > 0 else near
        if low * b >= a * below:
            left.append((a, b, a, b) if low * b == a * below else (a, b, low, below))
        if end < 0:
            end = last + 1
        high = (end - 1 - place) | 1
        a, b = high, near if high > 0 else far
        if a * e >= c * b:
            if a * e == c * b:
                left.append((c, e, c, e))
            return left
        start = line.find(1, end, last + 1)
    left.append((a, b, c, e))
    return left


def _is_squeezed(ray: Interval, depth: int, sweep: Sweep) -> bool:
    """Whether a ray meets a corner at a depth line, with something solid on both sides of it."""
    a, b = ray[:2]
    step, rest = divmod(a * (2 * depth - 1) - b, 2 * b)
    if rest:
        return False
    before, behind = sweep.squares[depth - 1], sweep.squares[depth]
    plane = sweep.planes[depth] if sweep.planes else None
    edge = sweep.place + 2 * step + 1
    here, there = (edge - 1, edge + 1) if a > 0 else (edge + 1, edge - 1)
    return bool(
        (behind[edge] or behind[here] or (plane and plane[here]))
        and (before[edge] or before[there] or (plane and plane[there]))
    )


def _diagonal(seen: bytearray, plan: HeightCut, square: Square, steps: tuple[int, int], most: int) -> None:
    """Marks what is seen on one of the four diagonals: at every corner one of the two ways round must be open."""
    (step_x, step_y), (column, row) = steps, square
    lines, planes = plan.columns.squares[step_y < 0], plan.columns.planes[step_x < 0]
    columns, rows = plan.battlefield.columns, plan.battlefield.rows
    for _ in range(most):
        beyond = column + step_x
        here, there = 2 * row + 2, 2 * (row + step_y) + 2
        if not (0 <= beyond < columns and 0 <= row + step_y < rows):
            return
        before, behind, edge = lines[column], lines[beyond], (here + there) // 2
        plane = planes[max(column, beyond)] if planes else None
        if (behind[edge] or behind[here] or (plane and plane[here])) and (
            before[edge] or before[there] or (plane and plane[there])
        ):
            return
        column, row = beyond, row + step_y
        seen[row * columns + column] = 1
        if behind[there]:
            return


def _within(seen: bytearray, field: Battlefield, square: Square, reach: int) -> bytes:
    """What is seen no farther away than the reach."""
    inside = bytearray(len(seen))
    for row in range(max(0, square.row - reach), min(field.rows, square.row + reach + 1)):
        half = isqrt(reach * reach - (row - square.row) ** 2)
        start = row * field.columns + max(0, square.column - half)
        end = row * field.columns + min(field.columns, square.column + half + 1)
        inside[start:end] = seen[start:end]
    return bytes(inside)
