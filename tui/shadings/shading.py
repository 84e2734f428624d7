"""A shading: tints for squares, what they mean in words, and where the unit can go when that is what they show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from engine.battle.moves.moving import Range
from engine.field.squares import Square
from engine.frozen import dataclass
from tui.board.overlay import NO_TINTS


@dataclass(frozen=True, slots=True)
class Shading:
    """Tints on the ground and what they mean; `reach` for those that show where the unit can go."""

    tints: Mapping[Square, str] = field(default_factory=lambda: NO_TINTS)
    words: str = ""
    reach: Range | None = None


PLAIN = Shading()
