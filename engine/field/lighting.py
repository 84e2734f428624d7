"""How light it is: the map's own levels and, where that is more, what its lamps give, with shadows, by height too.

A lamp gives light to a square when its light comes straight to the eyes of a human who would stand there: the line that
`sight.trace` calls clear. So a crate shades what lies low behind it only as far as that line is hidden, and a one-way
pane lets the light through the way that it is seen through. Nobody's body casts a shadow; smoke is the tracer's affair.
"""

from __future__ import annotations

from collections import deque
from itertools import compress

from engine.field.battlefield import LIGHTS, Battlefield, Lamp
from engine.field.lines import EIGHTHS, Point, line
from engine.field.plan import plan
from engine.field.shadows import View, shadows
from engine.field.silhouette import Body, body
from engine.field.solids import Surroundings
from engine.field.squares import Direction, Edge, Square
from engine.field.view import seen_from

DIM, BRIGHT = LIGHTS.index("dim"), LIGHTS.index("bright")
KEPT = 4

_kept: deque[tuple[tuple[object, ...], tuple[int, ...]]] = deque(maxlen=KEPT)


def light_at(battlefield: Battlefield, square: Square) -> str:
    """One of LIGHTS, the light of lamps included.

    Raises:
        OffMap: the square is outside.
    """
    return LIGHTS[lit(battlefield)[battlefield.index(square)]]


def lit(battlefield: Battlefield) -> tuple[int, ...]:
    """Index into LIGHTS for each square, row by row, the light of lamps included.

    A lamp is bright up to `bright` squares from the middle of its square to the middle of the other, dim up to `dim`,
    both included; 0 is none at all. Reckoned once for as long as the very same layers and lamps are asked about.

    Raises:
        OffMap: a lamp is outside.
    """
    if not battlefield.lamps:
        return battlefield.light
    layers = (
        battlefield.light,
        battlefield.lamps,
        battlefield.barriers,
        battlefield.ground,
        battlefield.elevation,
        battlefield.legend,
        battlefield.unit,
        battlefield.columns,
    )
    for known, levels in tuple(_kept):
        if all(one is other for one, other in zip(known, layers, strict=True)):
            return levels
    found = list(battlefield.light)
    for lamp in battlefield.lamps:
        _add(found, battlefield, lamp)
    answer = tuple(found)
    _kept.append((layers, answer))
    return answer


def _add(levels: list[int], battlefield: Battlefield, lamp: Lamp) -> None:
    """Raises the level of every square that a lamp gives light to."""
    reach = max(lamp.bright, lamp.dim)
    if not reach:
        return
    floor = battlefield.elevation_at(lamp.at)
    height = floor + lamp.height
    near = list(_near(battlefield, lamp.at, reach))
    eyes = body(lamp.at, battlefield.unit).eyes
    heights = [battlefield.elevation[index] + eyes for index in near]
    low, high = min(height, min(heights)), max(height, max(heights))
    # What fills all heights that lines may have hides for certain; what fills none of them for certain does not.
    possible = seen_from(plan(battlefield, "blocks_sight", high, low, one_way=True), lamp.at, reach)
    certain = possible
    if low < high:
        certain = seen_from(plan(battlefield, "blocks_sight", low, high, one_way=True), lamp.at, reach)
    one_way = [edge for edge, barrier in battlefield.barriers.items() if barrier.seen_through]
    source = Body(lamp.at, 1, 0, max(lamp.height, 1), lamp.height)
    for index in compress(near, map(possible.__getitem__, near)):
        row, column = divmod(index, battlefield.columns)
        apart = (column - lamp.at.column) ** 2 + (row - lamp.at.row) ** 2
        level = BRIGHT if lamp.bright and apart <= lamp.bright**2 else DIM
        if levels[index] < level and (
            (certain[index] and max(floor, battlefield.elevation[index]) <= low)
            or _is_reached(battlefield, source, body(Square(column, row), battlefield.unit), one_way)
        ):
            levels[index] = level


def _near(battlefield: Battlefield, square: Square, reach: int) -> list[int]:
    """Indices of the squares in a box around one."""
    columns = range(max(0, square.column - reach), min(battlefield.columns, square.column + reach + 1))
    rows = range(max(0, square.row - reach), min(battlefield.rows, square.row + reach + 1))
    return [row * battlefield.columns + column for row in rows for column in columns]


def _is_reached(battlefield: Battlefield, source: Body, person: Body, one_way: list[Edge]) -> bool:
    """Whether the line from the eyes of one body to those of another is clear."""
    feet = battlefield.elevation_at(person.at)
    eye, target_eye = battlefield.elevation_at(source.at) + source.eyes, feet + person.eyes
    surroundings = Surroundings(battlefield, source, person, min(eye, feet))
    ways = {
        Direction.E if person.at.column > source.at.column else Direction.W,
        Direction.S if person.at.row > source.at.row else Direction.N,
    }
    surroundings.update({edge: () for edge in one_way if battlefield.barriers[edge].seen_through in ways})
    view = View(line(_centre(source.at), _centre(person.at)), eye, feet, feet + person.height, target_eye)
    return not any(shadow.sight and shadow.low < target_eye < shadow.high for shadow in shadows(view, surroundings))


def _centre(square: Square) -> Point:
    return Point(square.column * EIGHTHS + EIGHTHS // 2, square.row * EIGHTHS + EIGHTHS // 2)
