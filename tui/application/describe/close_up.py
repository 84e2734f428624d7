"""Cover close-up: the line of sight from above, and the points of the target's body with what covers each.

All data come from one trace; this module only lays out the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby, zip_longest
from math import floor

from msgspec import Struct

from engine.battle.facts import BARE_SQUARE
from engine.battle.state.units import Unit
from engine.battle.views.view import View
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.los.profile import profile
from engine.geometry.los.sight_sentence import thing_words
from engine.geometry.los.trace import EYE_NAMES, BodyPoint, Trace
from engine.geometry.squares import Direction, Square, edge_of
from engine.text import share_percent
from tui.application.describe.side_view import LEAST_ROWS, drawn, key
from tui.application.describe.styled_rows import StyledRow, row_text, side_style
from tui.application.describe.text_layout import cell_len, wrap

PLACES = {name: place for place, name in EYE_NAMES.items()}
LEAST_HIGH, MOST_WIDE, SIDE_ROWS, MOST_HIGH = 8, 14, 9, 60
"""Rows of the drawing from above at least, columns of a square in it, rows of the side view at most, rows as text."""
SEEN, PARTLY, COVERED = "●", "◐", "○"
ASCII = {"●": "O", "◐": "o", "○": "~", "█": "#", "▓": "%", "·": ".", "━": "=", "┃": "|", "╌": "-", "╎": ":", "•": "*",
         "×": "x", "…": "..", "│": "|"}  # fmt: skip
INK = {SEEN: "bold $good", PARTLY: "bold $warn", COVERED: "bold $bad", "█": "$solid", "▓": "$object", "·": "$faint",
       "━": "$wall", "┃": "$wall", "╌": "$low", "╎": "$low", "•": "$line", "×": "bold $stop"}  # fmt: skip
"""Inks of signs; the letters of units are in their side's."""
SIGNS = f"• clear  × blocked  {SEEN} visible  {PARTLY} partly  {COVERED} covered"
LEAST_WORDS = 34
"""Columns for the words, beside a picture that is higher than wide."""
LABELLED = 8
"""Columns of a square from which the ends of the lines are labelled."""
LABELS = "NW, NE … points of the body"
TARGET, OBSERVER = "B", "A"
"""Letters where a square is no unit's."""

Drawing = list[list[str]]


class SideView(Struct, frozen=True):
    """Observer and target with the trace between them, their names, their letters and the inks of these."""

    field: Battlefield
    line: Trace
    observer: Body
    target: Body
    names: tuple[str, str]
    letters: tuple[str, str]
    inks: tuple[str, str]


def seen_between(view: View, line: Trace, observer: Unit, target: Unit) -> SideView:
    """Builds the side view of a trace; an empty square is named by its coordinates."""
    field = view.field
    one, other = (end.at.name if end.id == BARE_SQUARE else end.name for end in (observer, target))
    units = {unit.id: unit for unit in view.units}
    letters = (
        units[observer.id].letter if observer.id in units else OBSERVER,
        units[target.id].letter if target.id in units else TARGET,
    )
    inks = [f"{side_style(units[end.id])} reverse" if end.id in units else "bold reverse" for end in (observer, target)]
    return SideView(field, line, observer.body(field), target.body(field), (one, other), letters, (inks[0], inks[1]))


def closeup_rows(seen: SideView, width: int, *, is_ascii: bool) -> list[str]:
    """The close-up in rows of plain text."""
    return [row_text(row) for row in closeup_text(seen, width, MOST_HIGH, is_ascii=is_ascii)]


def closeup_text(seen: SideView, width: int, height: int, *, is_ascii: bool) -> list[StyledRow]:
    """Renders the close-up: from above, in words, from the side.

    Args:
        seen: observer and target.
        width: columns, 40 or more.
        height: rows that the drawings shrink to, as far as they can.
        is_ascii: whether to draw with ASCII characters.
    """
    field, line, names, letters = seen.field, seen.line, seen.names, seen.letters
    arrow = "->" if is_ascii else "→"
    heading = f"{names[0]} {arrow} {names[1]}: {line.words}"
    points = list(_points(seen, width))
    below = wrap(f"{key(line, *names, letters)}.", width)
    fixed = len(wrap(heading, width)) + len(points) + len(below) + 2
    free = max(height - fixed, LEAST_HIGH + LEAST_ROWS)
    side_rows = max(LEAST_ROWS, min(SIDE_ROWS, free - max(LEAST_HIGH, free * 3 // 5)))
    above = _from_above(seen, width, max(LEAST_HIGH, free - side_rows))
    known = {*letters}

    def sight_rows(above: list[str], width: int) -> list[StyledRow]:
        return [
            *(_inked(row, seen, set()) for row in wrap(_signs(above, width), width)),
            *(((row, "bold"),) for row in wrap(heading, width)),
            *_points(seen, width),
        ]

    def picture(above: list[str]) -> list[StyledRow]:
        return [((above[0], "$muted"),), *(_inked(row, seen, known) for row in above[1:])]

    def from_the_side(width: int, high: int) -> list[StyledRow]:
        heights = profile(field, seen.observer, seen.target, line)
        side = drawn(heights, width, max(LEAST_ROWS, min(SIDE_ROWS, high)), is_ascii=is_ascii, letters=letters)
        return [*(_inked(row, seen, known) for row in side[:-1]), ((side[-1], "$muted"),)]

    def key_rows(width: int) -> list[StyledRow]:
        return [((row, "$muted"),) for row in wrap(f"{key(line, *names, letters)}.", width)]

    rows = [*picture(above), *sight_rows(above, width), *from_the_side(width, side_rows), *key_rows(width)]
    beside = _from_above(seen, width - LEAST_WORDS - 2, height)
    across = max(map(len, beside)) + 2
    if across > max(map(len, above)) + 2:  # higher than wide: it has all rows, and the words are on its right
        right, end = sight_rows(beside, width - across), key_rows(width - across)
        right += [*from_the_side(width - across, height - len(right) - len(end)), *end]
        if len(right) <= height:
            left = [(*row, (" " * (across - cell_len(row_text(row))), "")) for row in picture(beside)]
            left += [((" " * across, ""),)] * (len(right) - len(left))
            rows = [(*row, *words) for row, words in zip_longest(left, right, fillvalue=())]
    if not is_ascii:
        return rows
    return [tuple((_plain(text), style) for text, style in row) for row in rows]


def _signs(above: list[str], width: int) -> str:
    """What the signs of the drawing from above mean, its labels too if there are any and room for them."""
    signs = f"{SIGNS}  {LABELS}"
    is_labelled = any(sign in row for row in above for sign in (f"{SEEN}N", f"{PARTLY}N", f"{COVERED}N"))
    return signs if is_labelled and len(signs) <= width else SIGNS


def _points(seen: SideView, width: int) -> Iterator[StyledRow]:
    """A sentence for each thing that covers points of the body, with the points that it covers."""
    groups: dict[tuple[str, str], list[BodyPoint]] = {}
    for point in seen.line.points:
        groups.setdefault((sign_of(point), _behind(seen.field, point)), []).append(point)
    for (sign, behind), points in groups.items():
        names = ["all points"] if len(points) == len(seen.line.points) > 1 else [point.name for point in points]
        if sign == PARTLY or (behind and sign == SEEN):
            names = [f"{point.name} {_share(point)}" for point in points]
        state = {SEEN: "visible and exposed", PARTLY: "partly visible", COVERED: "covered"}[sign]
        state = f"{state} {behind}" if behind else state
        first, *further = wrap(f"{sign} {state}: {', '.join(names)}.", width - 2)
        ink = INK[sign].removeprefix("bold ")
        yield ((first, ink),)
        yield from (((f"  {row}", ink),) for row in further)


def _behind(field: Battlefield, point: BodyPoint) -> str:
    """What covers a point: "behind the cart at Q10 (3.0 ft high), medium material"; "" for nothing."""
    if point.behind is None:
        return ""
    thick = f", {point.behind.cover} material" if point.behind.cover else ""
    return f"behind {thing_words(field, point.behind)}{thick}"


def _share(point: BodyPoint) -> str:
    """How much of a point is visible, and exposed where that differs."""
    exposed = 1 - point.covered
    beside = f" ({share_percent(exposed)} exposed)" if exposed != point.visible else ""
    return f"{share_percent(point.visible)}{beside}"


def _inked(row: str, seen: SideView, letters: set[str]) -> StyledRow:
    """A row of a drawing with the ink of each sign, and of the letters."""
    inks = {**INK, **{letter: ink for letter, ink in zip(seen.letters, seen.inks, strict=True) if letter in letters}}
    runs = ("".join(run) for _, run in groupby(row, lambda sign: inks.get(sign, "")))
    return tuple((run, inks.get(run[0], "")) for run in runs)


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
        _ray(grid, observer, line.eye, target, point, corner, (cells, tall))
    if cells >= LABELLED:
        for point in line.points:
            _label(grid, target, point, corner, (cells, tall))
    for square, at in places.items():
        _sides(grid, field, square, at, (cells, tall))
    for sign, body in zip(seen.letters, (observer, target), strict=True):
        x, y = _middle(body)
        grid[floor((y - north) * tall)][floor((x - west) * cells)] = sign
    heads = "".join(_column_name(west + column).center(cells)[:cells] for column in range(across))
    rows = [f"{'':{gutter}}{heads}"]
    for number, cellrow in enumerate(grid):
        is_named = number % tall == tall // 2 and number < down * tall
        label = str(north + number // tall + 1) if is_named else ""
        rows.append(f"{label:>{gutter - 1}} {''.join(cellrow)}")
    found = [row.rstrip()[:width] for row in rows]
    return found if found[-1] else found[:-1]  # the last line has edges alone


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
    eye: str,
    target: Body,
    point: BodyPoint,
    corner: tuple[Fraction, Fraction],
    size: tuple[int, int],
) -> None:
    """The line from the eye, the point of the observer's body that sees most, to a point of the target.

    It is free as far as what covers that point wholly, and covered from there on.
    """
    (x0, y0), (x1, y1) = _place(observer, eye), _place(target, point.name)
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
        if grid[row][column] in "█▓" and (row + column) % 2:  # what it passes is seen through the line
            continue
        grid[row][column] = "•" if share <= ends else "×"
    if size[0] > 3:
        grid[row][column] = sign_of(point)


def _label(
    grid: Drawing, target: Body, point: BodyPoint, corner: tuple[Fraction, Fraction], size: tuple[int, int]
) -> None:
    """Names the end of a line, right of its sign: "◐NW", as the sentence below says north-west."""
    x, y = _place(target, point.name)
    row, column = floor((y - corner[1]) * size[1]), floor((x - corner[0]) * size[0])
    name = "" if point.name == "centre" else "".join(part[0].upper() for part in point.name.split("-"))
    for place, letter in enumerate(name, start=column + 1):
        if place < len(grid[row]):
            grid[row][place] = letter


def _place(body: Body, point: str) -> tuple[Fraction, Fraction]:
    """Where a point of a body is, in squares."""
    (x, y), (dx, dy) = _middle(body), PLACES[point]
    return x + Fraction(dx * body.size, 8), y + Fraction(dy * body.size, 8)


def _middle(body: Body) -> tuple[Fraction, Fraction]:
    return Fraction(2 * body.at.column + body.size, 2), Fraction(2 * body.at.row + body.size, 2)


def _column_name(column: int) -> str:
    return Square(column, 0).name.rstrip("0123456789")


def _plain(row: str) -> str:
    return "".join(ASCII.get(sign, sign) for sign in row)
