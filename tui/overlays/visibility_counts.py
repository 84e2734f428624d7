"""How much of somebody standing on each square is seen, sorted and counted; the board's shading and `view` ask here.

Counted are open squares: those that are neither wall nor the observer's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import SKY, Battlefield, Ground
from engine.geometry.body import Body, body

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engine.geometry.field_of_view.all_squares import FieldOfView

KINDS = ("unseen", "little", "part", "seen")
"""Not at all, less than half, half or more, whole. They are tints of the board as well."""
CLOSE = 9
"""Decimals of a share that count: what is whole or half is not missed by the last bit."""
OPEN: Cache[npt.NDArray[np.bool_]] = Cache(2)
"""The squares that are not wall, of the grounds that were asked about last."""


class Survey(Struct, frozen=True, eq=False):
    """Shares by square, the index into KINDS of each, and how many open squares there are of each kind."""

    shares: FieldOfView
    kinds: npt.NDArray[np.uint8]
    counts: Mapping[str, int]
    dark: int
    """Open squares that are seen in darkness."""


def survey(field: Battlefield, observer: Body, *, of_shots: bool = False, reach: int | None = None) -> Survey:
    """Looks for somebody of human build on every square.

    Args:
        field: where.
        observer: who looks.
        of_shots: whether to ask what a shot reaches, not what is seen.
        reach: squares looked at in each direction; None: all.
    """
    import numpy as np  # here, as NumPy is not to delay the board's first paint

    from engine.geometry.field_of_view.all_squares import overlook

    shares = overlook(field, observer, body(observer.at, field.unit), reach=reach)
    share = (1 - shares.covered if of_shots else shares.visible).round(CLOSE)
    kinds = ((share > 0).astype(np.uint8) + (share >= 0.5) + (share >= 1)).astype(np.uint8)
    is_open = OPEN.get((field.ground, field.legend), (field.rows, field.columns), lambda: _open_squares(field)).copy()
    for column, row in observer.squares:
        is_open[row, column] = False
    numbers = np.bincount(kinds[is_open], minlength=len(KINDS))
    counts = {kind: int(number) for kind, number in zip(KINDS, numbers, strict=True)}
    return Survey(shares, kinds, counts, int(((kinds > 0) & (shares.light == 0) & is_open).sum()))


def _open_squares(field: Battlefield) -> npt.NDArray[np.bool_]:
    import numpy as np

    walls = np.array([is_wall(ground) for ground in field.legend])
    is_open: npt.NDArray[np.bool_] = ~walls[np.array(field.ground)].reshape(field.rows, field.columns)
    return is_open


def is_wall(ground: Ground) -> bool:
    """Whether nobody stands there or looks over it: solid to the sky, or outside of the drawing."""
    return ground.blocks_sight and ground.blocks_movement and ground.height >= SKY


def survey_words(found: Survey, who: str, signs: Mapping[str, str]) -> str:
    """The counts in one sentence, each with its sign; `who` begins it: "Todd sees"."""
    unseen, little, part = (f"{found.counts[kind]} ({signs[kind].strip() or 'blank'})" for kind in KINDS[:3])
    dark = f"; {found.dark} of the seen are dark" if found.dark else ""
    head = f"{who} a standing person whole on {found.counts['seen']} squares ({signs['seen']})"
    return f"{head}, half or more on {part}, less on {little}, not on {unseen}{dark}."
