"""Cover close-up: the line of sight from above, and the points of the target's body with what covers each.

All data come from one trace; this module only lays out the drawing.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

from msgspec import Struct

from engine.battle.facts import BARE_SQUARE
from engine.battle.state.units import Unit
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.los.profile import profile
from engine.geometry.los.sight import POINT_NAMES
from engine.geometry.los.sight_sentence import percent, thing_words
from engine.geometry.los.trace import BodyPoint, Trace
from engine.geometry.squares import Direction, Square, edge_of
from tui.describe.side_view import drawn, key
from tui.describe.styled_text import wrap

PLACES = {name: place for place, name in POINT_NAMES.items()}
LEAST_HIGH, MOST_WIDE, SIDE_ROWS = 14, 14, 9
"""Rows of the drawing from above, columns of a square in it, rows of the side view."""
SEEN, PARTLY, COVERED = "●", "◐", "○"
ASCII = {"●": "O", "◐": "o", "○": "x", "█": "#", "▓": "%", "·": ".", "━": "=", "┃": "|", "╌": "-", "╎": ":", "•": "*",
         "×": "x", "…": ".", "│": "|", "→": ">"}  # fmt: skip

Drawing = list[list[str]]


class SideView(Struct, frozen=True):
    """Observer and target with the trace between them and their names."""

    field: Battlefield
    line: Trace
    observer: Body
    target: Body
    names: tuple[str, str]


def seen_between(field: Battlefield, line: Trace, observer: Unit, target: Unit) -> SideView:
    """Builds the side view of a trace; an empty square is named by its coordinates."""
    one, other = (end.at.name if end.id == BARE_SQUARE else end.name for end in (observer, target))
    return SideView(field, line, observer.body(field.unit), target.body(field.unit), (one, other))


def closeup_rows(seen: SideView, width: int, high: int = LEAST_HIGH, *, is_ascii: bool) -> list[str]:
    """Renders the close-up in rows.

    Args:
        seen: observer and target.
        width: columns, 40 or more.
        high: most rows of the drawing from above.
        is_ascii: whether to draw with ASCII characters.
    """
    field, line, names = seen.field, seen.line, seen.names
    rows = [*wrap(f"{names[0]} → {names[1]}: {line.words}", width), ""]
    for point in line.points:
        first, *further = wrap(point_words(field, point), width - 2)
        rows += [first, *(f"  {row}" for row in further)]
    rows += ["", *_body(line), "", *_from_above(seen, width, high), ""]
    signs = f"A {names[0]}, B {names[1]}; • clear line, × blocked beyond that point; {SEEN} visible, {PARTLY} partly, "
    rows += [*wrap(f"{signs}{COVERED} covered.", width), ""]
    side = drawn(profile(field, seen.observer, seen.target, line), width, SIDE_ROWS, is_ascii=is_ascii)
    rows = [_plain(row) if is_ascii else row for row in rows]
    return [*rows, *side, *wrap(f"{key(line, *names)}.", width)]


def point_words(field: Battlefield, point: BodyPoint) -> str:
    """Describes a point of the body in one sentence: its visible and exposed parts, and the obstacle."""
    where = f"{sign_of(point)} {point.name}{f', {point.side}' if point.side else ''}: "
    reached = 1 - point.covered
    if point.behind is None:
        return f"{where}visible and exposed."
    same = point.visible == reached
    told = (
        f"{percent(point.visible)} visible" if same else f"{percent(point.visible)} visible, {percent(reached)} exposed"
    )
    told = told if reached or point.visible else "covered"
    thick = f", {point.behind.cover} cover" if point.behind.cover else ""
    return f"{where}{told}, behind {thing_words(field, point.behind)}{thick}."


def sign_of(point: BodyPoint) -> str:
    """The sign of a point: visible, partly covered, covered."""
    return SEEN if point.covered == 0 else COVERED if point.covered == 1 else PARTLY


def _from_above(seen: SideView, width: int, high: int) -> list[str]:
    """Draws the squares and edges around the line, and a line to each point, as large as fits."""
    field, line, observer, target = seen.field, seen.line, seen.observer, seen.target
    squares = [*line.squares, *observer.squares, *target.squares]
    west, east = (edge([square.column for square in squares]) for edge in (min, max))
    north, south = (edge([square.row for square in squares]) for edge in (min, max))
    west, north = max(0, west - 1), max(0, north - 1)
    east, south = min(field.columns - 1, east + 1), min(field.rows - 1, south + 1)
    across, down = east - west + 1, south - north + 1
    gutter = len(str(south + 1)) + 1
    cells = max(1, min(MOST_WIDE, (width - gutter - 1) // across, 2 * (high - 2) // down))
    tall = max(1, cells // 2)
    grid = [[" "] * (across * cells + 1) for _ in range(down * tall + 1)]
    places = {
        Square(west + column, north + row): (column * cells, row * tall)
        for row in range(down)
        for column in range(across)
    }
    for square, at in places.items():
        _square(grid, field, square, at, (cells, tall))
    corner = Fraction(west), Fraction(north)
    for point in sorted(line.points, key=lambda point: -point.covered):
        _ray(grid, observer, target, point, corner, (cells, tall))
    for square, at in places.items():
        _sides(grid, field, square, at, (cells, tall))
    for sign, body in (("A", observer), ("B", target)):
        x, y = _middle(body)
        grid[floor((y - north) * tall)][floor((x - west) * cells)] = sign
    heads = "".join(_column_name(west + column).center(cells)[:cells] for column in range(across))
    rows = [f"{'':{gutter}}{heads}"]
    for number, cellrow in enumerate(grid):
        is_named = number % tall == tall // 2 and number < down * tall
        label = str(north + number // tall + 1) if is_named else ""
        rows.append(f"{label:>{gutter - 1}} {''.join(cellrow)}")
    return [row.rstrip()[:width] for row in rows]


def _square(grid: Drawing, field: Battlefield, square: Square, at: tuple[int, int], size: tuple[int, int]) -> None:
    """What stands on a square."""
    (left, top), (cells, tall) = at, size
    ground = field.ground_at(square)
    fill = "█" if ground.height >= SKY else "▓" if ground.height else ""
    for y in range(tall):
        for x in range(cells):
            if fill:
                grid[top + y][left + x] = fill
    if not fill:
        grid[top + tall // 2][left + cells // 2] = "·"


def _sides(grid: Drawing, field: Battlefield, square: Square, at: tuple[int, int], size: tuple[int, int]) -> None:
    """What stands on the sides of a square, over the lines that pass it."""
    (left, top), (cells, tall) = at, size
    for side in (Direction.N, Direction.W, Direction.S, Direction.E):
        barrier = field.barriers.get(edge_of(square, side))
        if barrier is None:
            continue
        flat, upright = ("╌", "╎") if barrier.is_open or not barrier.stops_shots else ("━", "┃")
        if side in (Direction.N, Direction.S):
            y = top if side is Direction.N else min(top + tall, len(grid) - 1)
            for x in range(left, left + cells + 1):
                grid[y][x] = flat
        else:
            x = left if side is Direction.W else left + cells
            for y in range(top, top + tall):
                grid[y][x] = upright


def _ray(
    grid: Drawing,
    observer: Body,
    target: Body,
    point: BodyPoint,
    corner: tuple[Fraction, Fraction],
    size: tuple[int, int],
) -> None:
    """The line to a point of the target: free as far as what covers it wholly, and covered from there on."""
    (x0, y0), (middle_x, middle_y) = _middle(observer), _middle(target)
    dx, dy = PLACES[point.name]
    x1, y1 = middle_x + Fraction(dx * target.size, 8), middle_y + Fraction(dy * target.size, 8)
    ends = Fraction(1)
    if point.behind is not None and point.covered == 1:
        stop = point.behind.square
        far = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = (Fraction(2 * stop.column + 1, 2) - x0) * (x1 - x0) + (Fraction(2 * stop.row + 1, 2) - y0) * (y1 - y0)
        ends = max(Fraction(0), min(Fraction(1), along / far)) if far else ends
    steps = 2 * max(1, floor(max(abs(x1 - x0) * size[0], abs(y1 - y0) * size[1])))
    for step in range(1, steps + 1):
        share = Fraction(step, steps)
        column = floor((x0 + (x1 - x0) * share - corner[0]) * size[0])
        row = floor((y0 + (y1 - y0) * share - corner[1]) * size[1])
        grid[row][column] = "•" if share <= ends else "×"
    if size[0] > 3:
        grid[row][column] = sign_of(point)


def _body(line: Trace) -> list[str]:
    """The points on the target's square from above, north at the top."""
    signs = {point.name: sign_of(point) for point in line.points}
    if len(signs) == 1:
        return [f"B  {signs['centre']}"]
    north, south = ((signs[f"{side}-west"], signs[f"{side}-east"]) for side in ("north", "south"))
    return [f"   {north[0]}       {north[1]}", f"B      {signs['centre']}", f"   {south[0]}       {south[1]}"]


def _middle(body: Body) -> tuple[Fraction, Fraction]:
    return Fraction(2 * body.at.column + body.size, 2), Fraction(2 * body.at.row + body.size, 2)


def _column_name(column: int) -> str:
    return Square(column, 0).name.rstrip("0123456789")


def _plain(row: str) -> str:
    return "".join(ASCII.get(sign, sign) for sign in row)
