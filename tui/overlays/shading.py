"""A shading: tints for squares, what they mean in words, and where the unit can go when that is what they show."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.battle.moves.moves import Range
from engine.geometry.squares import Square


class Shading(Struct, frozen=True):
    """Tints on the ground and what they mean; `reach` for those that show where the unit can go."""

    tints: Mapping[Square, str] = {}
    words: str = ""
    reach: Range | None = None


PLAIN = Shading()
