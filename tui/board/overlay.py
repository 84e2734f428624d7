"""What is laid over the board for a moment: cursor, choice, reach, ranges, a line of fire, a planned way. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from engine.field.squares import Edge, Square
from engine.frozen import dataclass

BANDS = ("band-0", "band-1", "band-2", "band-3", "band-4")
SCALE = ("scale-0", "scale-1", "scale-2", "scale-3", "scale-4")
TINTS = (*BANDS, *SCALE, "reach-1", "reach-2", "seen", "part", "little", "unseen", "blast", "edge", "blocked")
"""Names of the tints: range bands near to far; a scale from little to much; reach of the first move and beyond it; what
is seen whole, half or more, less and not at all; a blast and its outer rings; squares shut out or threatened."""

NO_TINTS: Mapping[Square, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything on the board that is not the battle itself.

    Give the same `tints` mapping again when only something else changes: the board then redraws the few squares that
    differ and need not compare the mappings.
    """

    cursor: Square | None = None
    selected: str = ""
    """Id of the unit that acts or is looked at; "" for none."""
    target: str = ""
    """Id of the unit aimed at; "" for none."""
    tints: Mapping[Square, str] = field(default_factory=lambda: NO_TINTS)
    """One of TINTS for each tinted square."""
    line: tuple[Square, ...] = ()
    """Squares that the line of fire crosses, in order, both ends included."""
    stop: Square | Edge | None = None
    """Where the line meets its first blocker; nothing of it is drawn past there."""
    path: tuple[Square, ...] = ()
    """A planned way, its first square included."""

    @property
    def flight(self) -> tuple[Square, ...]:
        """The part of the line that is drawn: up to the square or the edge where it stops."""
        if self.stop is None:
            return self.line
        there = self.stop.squares if isinstance(self.stop, Edge) else (self.stop,)
        return self.line[: max((place for place, square in enumerate(self.line) if square in there), default=None)]


NOTHING_LAID = Overlay()
