"""Counts of squares by how much of a standing person is visible there, for the overlays and `view`.

Only open squares count: neither walls nor the observer's own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import SKY, Battlefield, Ground
from engine.geometry.body import Body, body
from engine.geometry.los.lighting import DARK, lit
from engine.geometry.squares import Square

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engine.geometry.los.field_of_view import FieldOfView

KINDS = ("unseen", "little", "part", "seen")
"""Not at all, less than half, half or more, fully. They are tints of the board too."""
CLOSE = 9
"""Decimals to which shares are rounded before they are compared."""
MOST_TRACED = 8
"""Squares that an overlay looks at between two keys where there is no compiled kernel: some 20 ms."""
OPEN: Cache[npt.NDArray[np.bool_]] = Cache(2)
"""The open squares of the last two grounds."""


class Survey(Struct, frozen=True, eq=False):
    """Shares by square, the index into KINDS of each, and how many open squares there are of each kind.

    Squares that were not looked at have the index after the last.
    """

    shares: FieldOfView
    light: npt.NDArray[np.intp]
    """Index into LIGHTS of each square."""
    kinds: npt.NDArray[np.uint8]
    counts: Mapping[str, int]
    dark: int
    """Open squares that are visible and dark."""
    is_part: bool
    """Whether some squares of the map were not looked at."""
    has_more: bool
    """Whether the next call looks at more of them."""


def survey(
    field: Battlefield,
    observer: Body,
    *,
    of_shots: bool = False,
    within: tuple[Square, Square] | None = None,
    obstacles: Collection[Body] = (),
    most: int | None = None,
) -> Survey:
    """Computes how much of a standing person is visible on each square.

    Args:
        field: where.
        observer: the observer's body.
        of_shots: whether to count what a shot reaches, not what is visible.
        within: the first and the last square looked at; None for the whole map.
        obstacles: bodies of others that hide and protect.
        most: how many squares are looked at in one call where it takes long, see `overlook`; None for all.
    """
    import numpy as np  # here, as NumPy is not to delay the board's first paint

    from engine.geometry.los.field_of_view import overlook

    standing = body(observer.at, field.unit, sight=field.sight)
    shares = overlook(field, observer, standing, within=within, obstacles=obstacles, most=most)
    share = (1 - shares.covered if of_shots else shares.visible).round(CLOSE)
    kinds = ((share > 0).astype(np.uint8) + (share >= 0.5) + (share >= 1)).astype(np.uint8)
    if within is not None:
        (left, top), (right, bottom) = within
        inside = np.zeros(kinds.shape, np.bool_)
        inside[max(top, 0) : max(bottom + 1, 0), max(left, 0) : max(right + 1, 0)] = True
        kinds[~inside] = len(KINDS)
    is_pending = np.isnan(share)
    kinds[is_pending] = len(KINDS)
    is_open = OPEN.get((field.ground, field.legend), (field.rows, field.columns), lambda: _open_squares(field)).copy()
    for column, row in observer.squares:
        is_open[row, column] = False
    is_out = kinds == len(KINDS)
    is_open &= ~is_out
    numbers = np.bincount(kinds[is_open], minlength=len(KINDS))
    counts = {kind: int(number) for kind, number in zip(KINDS, numbers, strict=True)}
    light = np.array(lit(field)).reshape(kinds.shape)
    dark = int(((kinds > 0) & (light == DARK) & is_open).sum())
    return Survey(shares, light, kinds, counts, dark, bool(is_out.any()), bool(is_pending.any()))


def _open_squares(field: Battlefield) -> npt.NDArray[np.bool_]:
    import numpy as np

    walls = np.array([is_wall(ground) for ground in field.legend])
    is_open: npt.NDArray[np.bool_] = ~walls[np.array(field.ground)].reshape(field.rows, field.columns)
    return is_open


def is_wall(ground: Ground) -> bool:
    """Whether a square is solid to the sky or outside of the map."""
    return ground.blocks_sight and ground.blocks_movement and ground.height >= SKY


def survey_words(found: Survey, who: str, signs: Mapping[str, str]) -> str:
    """Describes the counts in one sentence, each with its sign; `who` begins it: "Todd sees"."""
    unseen, little, part = (f"{found.counts[kind]} ({signs[kind].strip() or 'blank'})" for kind in KINDS[:3])
    dark = f"; {found.dark} visible squares are dark" if found.dark else ""
    head = f"{who} all of a standing person on {found.counts['seen']} squares ({signs['seen']})"
    return f"{head}, at least half on {part}, less on {little}, nothing on {unseen}{dark}."
