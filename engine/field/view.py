"""Which squares are seen from one square, yes or no: fog of war, how far a lamp shines. Pure whole numbers, exact.

A `Plan` is the map cut at one height: a square or an edge either fills that height or it does not. `seen_from` gives for
every square the same answer as the `clear` flag of `sight.trace` between two bodies whose eyes are at that height. Solid
squares are whole squares; nothing is seen through the slit between two that touch at a corner, and one corner alone
hides nothing. Shares of a body, eyes at different heights and smoke are not for this module.

Four sweeps go outwards from the observer, line by line: along columns to the east and west, along rows to the north and
south; diagonals are walked. A sweep keeps what is still open as closed intervals of slopes, their ends as pairs of whole
numbers. A solid hides the open interval between its outermost corners. What is left between two corners may be a single
slope, a ray: at every corner of the grid that a ray meets, both ways round are asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import isqrt
from operator import gt
from typing import NamedTuple

from engine.field.battlefield import Barrier, Battlefield, Height
from engine.field.silhouette import body
from engine.field.solids import barrier_solids
from engine.field.squares import Direction, Edge, Square

QUESTIONS = ("blocks_sight", "stops_shots")
"""What a plan may be drawn for, by the names of the fields of Ground and Barrier."""

PLANS_KEPT = 8

Line = bytes
"""One row or column of a plan, 1 for what is solid: at 2, 4, 6 … its squares, between two squares the edge between them.

What is at 0 and behind the last square is solid, and so is the edge between two solid squares."""

Interval = tuple[int, int, int, int]
"""Slopes from the first number over the second to the third over the fourth, both included."""


class Lines(NamedTuple):
    """All columns of a plan from west to east, or all rows from north to south, each twice where edges work one way.

    `squares` are for lines of sight that drift towards higher places along them, then towards lower ones. `planes` are
    the edges before each line (as Line, with edges at 2, 4, 6 … and nothing solid at the ends), None where there are
    none, for lines of sight towards higher numbers, then towards lower ones; empty when no plane has any.
    """

    squares: tuple[tuple[Line, ...], tuple[Line, ...]]
    planes: tuple[tuple[Line | None, ...], tuple[Line | None, ...]]


class Plan(NamedTuple):
    """A battlefield cut at a height, for one question."""

    battlefield: Battlefield
    columns: Lines
    rows: Lines


class Way(NamedTuple):
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


_kept: deque[tuple[Battlefield, tuple[str, Height, Height], Plan]] = deque(maxlen=PLANS_KEPT)


def plan(
    battlefield: Battlefield, question: str = "blocks_sight", over: Height | None = None, under: Height | None = None
) -> Plan:
    """The plan of a battlefield, drawn once for as long as the very same battlefield is asked about.

    Solid is what answers the question with yes and reaches from lower than `under` to higher than `over`: at one height
    a cut through the map. Ground that high is solid, too. A pane that is seen through one way is open that way.

    Args:
        battlefield: any; the answers are those of `sight.trace` where its ground is flat.
        question: one of QUESTIONS.
        over: hundredths of the map's unit above its zero; None is the eye of a human who stands on ground of height 0.
        under: the same height as `over` when None.

    Raises:
        ValueError: no such question.
    """
    if question not in QUESTIONS:
        raise ValueError(f"{question!r} is not one of {', '.join(QUESTIONS)}")
    above = body(Square(0, 0), battlefield.unit).eyes if over is None else over
    asked = (question, above, above if under is None else under)
    for known, answered, made in _kept:
        if known is battlefield and answered == asked:
            return made
    made = _drawn(battlefield, *asked)
    _kept.append((battlefield, asked, made))
    return made


def seen_from(plan: Plan, square: Square, reach: int | None = None) -> bytes:
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
        _sweep(seen, Way(ahead, planes, place, start, outward, aside, -there, width - 1 - there))
        deep = min(most, here)
        planes = lines.planes[1] and lines.planes[1][here + 1 - deep : here + 2][::-1]
        ahead = squares[here - deep : here + 1][::-1]
        _sweep(seen, Way(ahead, planes, place, start, -outward, aside, -there, width - 1 - there))
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


def _sweep(seen: bytearray, way: Way) -> None:
    """Marks what is seen between the two diagonals of one direction, these left out."""
    squares, planes, place, start, outward, aside, first_step, last_step = way
    deepest = len(squares) - 1
    stack = [(1, False, -deepest, deepest + 1, deepest, deepest + 1)]
    ones = b"\1" * (2 * deepest + 1)
    while stack:
        depth, is_past, a, b, c, e = stack.pop()
        twice_b, twice_e = 2 * b, 2 * e
        while depth <= deepest:
            near, far = 2 * depth - 1, 2 * depth + 1
            if planes and not is_past and (plane := planes[depth]):
                left = _cut((a, b, c, e), plane, place, near, near)
                if left != [(a, b, c, e)]:
                    stack += [(depth, True, *interval) for interval in left]
                    break
            is_past = False
            first, last = -(-a * depth // b), c * depth // e
            if first < first_step:
                first = first_step
            if last > last_step:
                last = last_step
            if first < last:
                at = start + depth * outward + first * aside
                seen[at : at + (last - first) * aside + 1 : aside] = ones[: last - first + 1]
            elif first == last:
                seen[start + depth * outward + first * aside] = 1
            first = (a * (near if a > 0 else far) + b) // twice_b
            last = (c * (far if c > 0 else near) + e - 1) // twice_e
            if squares[depth].find(1, place + 2 * first, place + 2 * last + 1) >= 0:
                left = _cut((a, b, c, e), squares[depth], place, near, far)
                stack += [
                    (depth + 1, False, *interval)
                    for interval in left
                    if interval[:2] != interval[2:] or not _is_squeezed(interval, depth, way)
                ]
                break
            if a == c and b == e and _is_squeezed((a, b, c, e), depth, way):
                break
            depth += 1


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


def _is_squeezed(ray: Interval, depth: int, way: Way) -> bool:
    """Whether a ray, where it comes to the squares at a depth, meets a corner with something solid on both ways round."""
    a, b = ray[:2]
    step, rest = divmod(a * (2 * depth - 1) - b, 2 * b)
    if rest:
        return False
    before, behind = way.squares[depth - 1], way.squares[depth]
    plane = way.planes[depth] if way.planes else None
    edge = way.place + 2 * step + 1
    here, there = (edge - 1, edge + 1) if a > 0 else (edge + 1, edge - 1)
    return bool(
        (behind[edge] or behind[here] or (plane and plane[here]))
        and (before[edge] or before[there] or (plane and plane[there]))
    )


def _diagonal(seen: bytearray, plan: Plan, square: Square, steps: tuple[int, int], most: int) -> None:
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
    kept = bytearray(len(seen))
    for row in range(max(0, square.row - reach), min(field.rows, square.row + reach + 1)):
        half = isqrt(reach * reach - (row - square.row) ** 2)
        start = row * field.columns + max(0, square.column - half)
        end = row * field.columns + min(field.columns, square.column + half + 1)
        kept[start:end] = seen[start:end]
    return bytes(kept)


def _drawn(battlefield: Battlefield, question: str, over: Height, under: Height) -> Plan:
    columns, rows = battlefield.columns, battlefield.rows
    # The ground of a square, and the object on it, go down to the bottom of the map.
    most = [over - ground.height * getattr(ground, question) for ground in battlefield.legend]
    solid = bytes(map(gt, battlefield.elevation, map(most.__getitem__, battlefield.ground)))
    across: list[tuple[Edge, Direction | None]] = [
        (edge, barrier.seen_through if question == "blocks_sight" else None)
        for edge, barrier in battlefield.barriers.items()
        if _is_filled(battlefield, edge, barrier, question, over, under)
    ]
    return Plan(
        battlefield,
        _lines([solid[column::columns] for column in range(columns)], across, "W"),
        _lines([solid[start : start + columns] for start in range(0, columns * rows, columns)], across, "N"),
    )


def _is_filled(
    battlefield: Battlefield, edge: Edge, barrier: Barrier, question: str, over: Height, under: Height
) -> bool:
    if barrier.is_open or not getattr(barrier, question):
        return False
    solids = barrier_solids(barrier, battlefield.barrier_base(edge))
    return any(bottom < under and top > over for bottom, top in solids)


def _lines(solid: list[bytes], across: list[tuple[Edge, Direction | None]], side: str) -> Lines:
    """Columns (with `side` W, the side on which the column before lies) or rows (N) with their edges."""
    count, width = len(solid), len(solid[0])
    outward = {"W": (Direction.E, Direction.W), "N": (Direction.S, Direction.N)}
    squares, planes = [], []
    for way in (0, 1):
        lines = [bytearray(_spread(b"\1" + line + b"\1")) for line in solid]
        edges: dict[int, bytearray] = {}
        for edge, through in across:
            number, place = (edge.column, edge.row) if side == "W" else (edge.row, edge.column)
            if through == outward[edge.side][way]:
                continue
            if edge.side != side and 0 <= number < count and 0 <= place <= width:
                lines[number][2 * place + 1] = 1
            elif edge.side == side and 0 <= number <= count and 0 <= place < width:
                edges.setdefault(number, bytearray(width + 2))[place + 1] = 1
        squares.append(tuple(map(bytes, lines)))
        found = (_spread(bytes(edges[number])) if number in edges else None for number in range(count + 1))
        planes.append(tuple(found) if edges else ())
        if all(through is None for _, through in across):
            return Lines((squares[0], squares[0]), (planes[0], planes[0]))
    return Lines((squares[0], squares[1]), (planes[0], planes[1]))


def _spread(solid: bytes) -> bytes:
    """Every place of a line with one between it and the next, which is solid when both are."""
    length = len(solid)
    spread = bytearray(2 * length)
    spread[::2] = solid
    both = int.from_bytes(solid[:-1], "big") & int.from_bytes(solid[1:], "big")
    spread[1:-1:2] = both.to_bytes(length - 1, "big")
    return bytes(spread)
