"""The part of a passage that one move may reach: boards cut to a window round the start, costs in one unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil, gcd

from msgspec import Struct

from engine.context import Cache
from engine.geometry.movement.bitboard import Board
from engine.geometry.movement.passage import DIRECTIONS, STRAIGHT, Price, StepPassages
from engine.geometry.movement.steps import MoveRules, diagonal_cost
from engine.geometry.squares import Square

Fan = Callable[[Board], tuple[Board, Board]]
"""From a front to where its straight and its slanting steps end."""


class Window(Struct, frozen=True):
    """A rectangle of the map. Its boards have rows of whole bytes that end in at least one bit outside the window."""

    column: int
    row: int
    columns: int
    rows: int

    @property
    def stride(self) -> int:
        """Bits of a row."""
        return 8 * (self.columns // 8 + 1)

    def bit(self, square: Square) -> int | None:
        """Number of the square's bit on the boards; None outside the window."""
        column, row = square.column - self.column, square.row - self.row
        return row * self.stride + column if 0 <= column < self.columns and 0 <= row < self.rows else None

    def square(self, bit: int) -> Square:
        """The square of a bit of the boards."""
        row, column = divmod(bit, self.stride)
        return Square(self.column + column, self.row + row)

    def squares(self, board: Board) -> Iterator[Square]:
        """The squares of a board, row by row."""
        digits = format(board, "b")[::-1]
        bit = digits.find("1")
        while bit >= 0:
            yield self.square(bit)
            bit = digits.find("1", bit + 1)

    def board(self, first: int) -> Board:
        """Every square of the window from a column of the map on, as a board."""
        skipped = first - self.column
        row = ((1 << self.columns - skipped) - 1) << skipped
        return int.from_bytes(row.to_bytes(self.stride // 8, "little") * self.rows, "little")


class Lanes(Struct, frozen=True):
    """All steps within a window. A cost of 1 is `unit` half squares; `most` of them may be spent.

    Where a price after an even number of diagonal steps differs from that after an odd one, there are two costs; else
    one, and `is_alternating` is no.
    """

    window: Window
    within: Board
    """Squares that the budget may reach at all."""
    unit: int
    most: int
    is_alternating: bool
    prices: tuple[tuple[Board, int, tuple[int, ...]], ...]
    """Where steps end, the cost of a straight one and of a slanting one."""
    ways: tuple[Board, ...]
    """For each of DIRECTIONS, where such a step may end; everywhere where `prices` say as much."""
    others: tuple[tuple[int, Board, tuple[int, ...]], ...]
    """Number of the direction, where such steps end, their cost."""
    fan: Fan

    def bits(self, number: int) -> int:
        """How many bits the neighbour in the direction of that number (in DIRECTIONS) is away."""
        direction = DIRECTIONS[number]
        return direction.dx + self.window.stride * direction.dy

    def cost(self, number: int, bit: int, odd: bool) -> int | None:
        """What a step costs, in `unit` half squares; None when there is no such step.

        Args:
            number: of the direction in DIRECTIONS.
            bit: where the step ends.
            odd: whether the diagonal steps before it are odd in number.
        """
        if self.ways[number] >> bit & 1:
            for board, straight, slanting in self.prices:
                if board >> bit & 1:
                    return straight if number < STRAIGHT else slanting[odd]
        return next((costs[odd] for other, board, costs in self.others if other == number and board >> bit & 1), None)


_lanes: Cache[Lanes] = Cache(8)


def lanes(found: StepPassages, start: Square, most: int, rules: MoveRules) -> Lanes:
    """The steps that a budget may take from a start, made once for each start and budget.

    Args:
        found: what each step of the map may pass.
        start: on the map.
        most: the budget in half squares.
        rules: how the body moves.
    """
    return _lanes.get((found,), (start, most, rules.metric), lambda: _find(found, start, most, rules))


def _find(found: StepPassages, start: Square, most: int, rules: MoveRules) -> Lanes:
    is_alternating = rules.metric == "alternating"
    bases = [diagonal_cost(rules, odd) for odd in (False, True)]
    used = {price for price, _ in found.prices} | {price for _, price, _ in found.others}
    straight = {price: _half_squares(2, price) for price in used}
    slanting = {price: [_half_squares(base, price) for base in bases] for price in used}
    each = [*straight.values(), *(cost for costs in slanting.values() for cost in costs)]
    unit = gcd(*each) or 2
    furthest = most // min(each, default=most + 1)
    window, first = _window(found, start, furthest)
    is_open = [found.straight_is_open] * STRAIGHT + [found.slanting_is_open] * STRAIGHT
    ways = tuple(-1 if free else _cut(way, found, window) for way, free in zip(found.ways, is_open, strict=True))
    prices = []
    for price, packed in found.prices:
        board = _cut(packed, found, window)
        if board:
            prices.append((board, straight[price] // unit, tuple(cost // unit for cost in slanting[price])))
    others = []
    for direction, price, packed in found.others:
        board = _cut(packed, found, window)
        if board:
            costs = slanting[price] if direction.is_diagonal else [straight[price]] * 2
            others.append((DIRECTIONS.index(direction), board, tuple(cost // unit for cost in costs)))
    fan = _fan(ways, window.stride, found, is_same=bases == [2, 2])
    return Lanes(
        window, window.board(first), unit, most // unit, is_alternating, tuple(prices), ways, tuple(others), fan
    )


def _half_squares(base: int, price: Price) -> int:
    return ceil(base * price[0]) + price[1]


def _fan(ways: tuple[Board, ...], stride: int, found: StepPassages, is_same: bool) -> Fan:
    """The quickest form that these ways allow; `is_same`: a diagonal costs what a straight step does.

    Slanting steps go to the east or west first, stop there if blocked, and then go north and south.
    """
    east, west, south, north, south_east, south_west, north_east, north_west = ways
    south_east, south_west = south_east >> stride, south_west >> stride
    north_east, north_west = north_east << stride, north_west << stride

    def over_open_ground(front: Board) -> tuple[Board, Board]:
        sideways = front << 1 | front >> 1
        return sideways | front << stride | front >> stride, sideways << stride | sideways >> stride

    def over_open_ground_alike(front: Board) -> tuple[Board, Board]:
        sideways = front << 1 | front >> 1
        row = sideways | front
        return sideways | row << stride | row >> stride, 0

    def round_corners(front: Board) -> tuple[Board, Board]:
        right, left = front << 1, front >> 1
        up = (right & north_east | left & north_west) >> stride
        down = (right & south_east | left & south_west) << stride
        return right | left | front << stride | front >> stride, up | down

    def round_corners_alike(front: Board) -> tuple[Board, Board]:
        right, left = front << 1, front >> 1
        up = (front | right & north_east | left & north_west) >> stride
        down = (front | right & south_east | left & south_west) << stride
        return right | left | up | down, 0

    def between_walls(front: Board) -> tuple[Board, Board]:
        right, left = front << 1, front >> 1
        up = (right & north_east | left & north_west) >> stride
        down = (right & south_east | left & south_west) << stride
        along = right & east | left & west | front << stride & south | front >> stride & north
        return (along | up | down, 0) if is_same else (along, up | down)

    if not found.straight_is_open:
        return between_walls
    if not found.slanting_is_open:
        return round_corners_alike if is_same else round_corners
    return over_open_ground_alike if is_same else over_open_ground


def _window(found: StepPassages, start: Square, furthest: int) -> tuple[Window, int]:
    """What lies so many squares round the start, and its first column; the window begins on a whole byte."""
    shapes = found.shapes
    first, last = max(0, start.column - furthest), min(shapes.columns - 1, start.column + furthest)
    top, bottom = max(0, start.row - furthest), min(shapes.rows - 1, start.row + furthest)
    column = first & ~7
    return Window(column, top, last + 1 - column, bottom + 1 - top), first


def _cut(board: bytes, found: StepPassages, window: Window) -> Board:
    whole, width = found.shapes.width, window.stride // 8
    begin = window.row * whole + window.column // 8
    if width == whole:
        return int.from_bytes(board[begin : begin + whole * window.rows], "little")
    starts = range(begin, begin + window.rows * whole, whole)
    return int.from_bytes(b"".join([board[at : at + width] for at in starts]), "little")
