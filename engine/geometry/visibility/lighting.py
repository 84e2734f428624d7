"""How light it is: the map's own levels and, where that is more, what its lamps give, with shadows, by height too.

A lamp gives light to a square when its light comes straight to the eyes of a human who would stand there: the line that
`sight.trace` calls clear. So a crate shades what lies low behind it only as far as that line is hidden, and a one-way
pane lets the light through the way that it is seen through. Nobody's body casts a shadow; smoke is the tracer's affair.
"""

from __future__ import annotations

from collections import deque
from itertools import compress

from engine.geometry.battlefield import LIGHTS, Battlefield, Lamp
from engine.geometry.body import body
from engine.geometry.squares import Square
from engine.geometry.visibility.clear_line import Hides, hides, is_clear
from engine.geometry.visibility.height_cut import plan
from engine.geometry.visibility.shadowcast import seen_from

DIM, BRIGHT = LIGHTS.index("dim"), LIGHTS.index("bright")
KEPT = 4

_kept: deque[tuple[Battlefield, tuple[int, ...]]] = deque(maxlen=KEPT)


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
    for known, levels in tuple(_kept):
        if known is battlefield:
            return levels
    found = next((levels for known, levels in tuple(_kept) if _is_lit_alike(known, battlefield)), None)
    if found is None:
        raised = list(battlefield.light)
        hidden = hides(battlefield, one_way=True)
        for lamp in battlefield.lamps:
            _add(raised, battlefield, lamp, hidden)
        found = tuple(raised)
    _kept.append((battlefield, found))
    return found


def _is_lit_alike(one: Battlefield, other: Battlefield) -> bool:
    """Whether two battlefields share everything that light depends on."""
    return all(
        getattr(one, name) is getattr(other, name)
        for name in ("light", "lamps", "barriers", "ground", "elevation", "legend", "unit", "columns")
    )


def _add(levels: list[int], battlefield: Battlefield, lamp: Lamp, hidden: Hides) -> None:
    """Raises the level of every square that a lamp gives light to."""
    reach = max(lamp.bright, lamp.dim)
    if not reach:
        return
    floor = battlefield.elevation_at(lamp.at)
    height = floor + lamp.height
    near = _near(battlefield, lamp.at, reach)
    eyes = body(lamp.at, battlefield.unit).eyes
    heights = [battlefield.elevation[index] + eyes for index in near]
    low, high = min(height, min(heights)), max(height, max(heights))
    # What fills all heights that lines may have hides for certain; what fills none of them for certain does not.
    possible = seen_from(plan(battlefield, "blocks_sight", high, low, one_way=True), lamp.at, reach)
    certain = possible
    if low < high:
        certain = seen_from(plan(battlefield, "blocks_sight", low, high, one_way=True), lamp.at, reach)
    for index in compress(near, map(possible.__getitem__, near)):
        row, column = divmod(index, battlefield.columns)
        apart = (column - lamp.at.column) ** 2 + (row - lamp.at.row) ** 2
        level = BRIGHT if lamp.bright and apart <= lamp.bright**2 else DIM
        ground = battlefield.elevation[index]
        if levels[index] < level and (
            (certain[index] and max(floor, ground) <= low)
            or is_clear(hidden, lamp.at, height, Square(column, row), ground + eyes)
        ):
            levels[index] = level


def _near(battlefield: Battlefield, square: Square, reach: int) -> list[int]:
    """Indices of the squares in a box around one."""
    columns = range(max(0, square.column - reach), min(battlefield.columns, square.column + reach + 1))
    rows = range(max(0, square.row - reach), min(battlefield.rows, square.row + reach + 1))
    return [row * battlefield.columns + column for row in rows for column in columns]
