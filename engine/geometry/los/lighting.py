"""How light it is: the map's own levels and, where that is more, what its lamps give, with shadows, by height too.

A lamp gives light to a square when its light comes straight to the eyes of a human who would stand there: the line
from middle to middle that the tracer calls clear. So a crate shades what lies low behind it only as far as that line is
hidden, and a one-way pane lets the light through the way that it is seen through. Nobody's body casts a shadow; smoke
is the tracer's affair.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from engine.geometry.battlefield import LIGHTS, Battlefield, Lamp
from engine.geometry.body import body
from engine.geometry.los.own_lines import SIGHT, free_lines
from engine.geometry.squares import Square
from engine.values import replace

if TYPE_CHECKING:
    from engine.geometry.kernel.arrays import Array

DARK, DIM, BRIGHT = map(LIGHTS.index, ("dark", "dim", "bright"))
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
        import numpy as np  # here, as a map without lamps does without

        raised = np.array(battlefield.light).reshape(battlefield.rows, battlefield.columns)
        for lamp in battlefield.lamps:
            _add(raised, battlefield, lamp)
        found = tuple(raised.ravel().tolist())
    _kept.append((battlefield, found))
    return found


def _is_lit_alike(one: Battlefield, other: Battlefield) -> bool:
    """Whether two battlefields share everything that light depends on."""
    return all(
        getattr(one, name) is getattr(other, name)
        for name in ("light", "lamps", "barriers", "ground", "elevation", "legend", "unit", "columns")
    )


def _add(levels: Array, battlefield: Battlefield, lamp: Lamp) -> None:
    """Raises the level, rows by columns, of every square that a lamp gives light to."""
    import numpy as np

    from engine.geometry.kernel.questions import UNANSWERED, lit_by

    human, (column, row) = body(lamp.at, battlefield.unit), lamp.at
    shining, reach = replace(human, eyes=lamp.height), max(lamp.bright, lamp.dim)
    first = Square(max(0, column - reach), max(0, row - reach))
    last = Square(min(battlefield.columns - 1, column + reach), min(battlefield.rows - 1, row + reach))
    comes = lit_by(battlefield, shining, human, (first, last))
    near = np.s_[first.row : last.row + 1, first.column : last.column + 1]
    across, down = np.arange(first.column, last.column + 1) - column, np.arange(first.row, last.row + 1) - row
    apart = down[:, None] ** 2 + across**2
    given = np.select([apart <= bound**2 if bound else apart < 0 for bound in (lamp.bright, lamp.dim)], [BRIGHT, DIM])
    given[given <= levels[near]] = DARK
    for down, across in np.argwhere((given > DARK) & (comes == UNANSWERED)):
        square = Square(first.column + int(across), first.row + int(down))
        lines = free_lines(battlefield, shining, replace(human, at=square), (), (), SIGHT)
        comes[down, across] = any(True for _ in lines)
    np.maximum(levels[near], given * (comes == 1), out=levels[near])
