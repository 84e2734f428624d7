"""Result of an overlay: tints of squares, the legend, and the movement range if it shows one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.battle.moves.moves import Range
from engine.geometry.squares import Square
from tui.application.overlays.markings import Chip


class OverlayTints(Struct, frozen=True):
    """Tints of squares and their legend; `reach` is the movement range of overlays that show one."""

    tints: Mapping[Square, str] = {}
    words: str = ""
    reach: Range | None = None
    best: tuple[Square, ...] = ()
    """Squares that are numbered, the best first."""
    chips: tuple[Chip, ...] = ()
    """What the tints mean, for the line of the scale."""
    area: frozenset[Square] = frozenset()
    """What an aim strikes, for its outline."""
    has_more: bool = False
    """Whether squares are left to be looked at: the overlay is to be computed again when there is time."""


NO_TINTS = OverlayTints()
