"""What an importer puts on edges: something thin of a built-in kind, with what is different about this one."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from engine.geometry.battlefield import Barrier
from engine.geometry.squares import Direction, Edge
from engine.values import replace
from maps import kinds


class Thin(Struct, frozen=True):
    """One wall, door, window or the like of a file, on any edge."""

    kind: str
    changes: tuple[tuple[str, Any], ...] = ()
    """Fields of the barrier that are not as the kind has them, and what they are."""
    through: tuple[float, float] | None = None
    """Right and down: the way in which one looks and walks through it; None: it works both ways."""

    is_overhead: bool = False
    """Whether it hangs so high that it gives way to everything below."""

    def barrier(self, edge: Edge, unit: str) -> Barrier:
        """What stands on an edge that it comes to.

        Raises:
            KeyError: there is no such kind.
        """
        found = replace(kinds.barrier(self.kind, unit), **dict(self.changes))
        way = _across(edge, self.through) if self.through else None
        if way is None:
            return found
        return replace(
            found,
            seen_through=way if found.blocks_sight else None,
            walked_through=way if found.blocks_movement else None,
            stops_shots=False,
        )


def _across(edge: Edge, way: tuple[float, float]) -> Direction | None:
    """The side of an edge that a way leads to; None where it runs along the edge."""
    right, down = way
    if edge.side == "W":
        return Direction.E if right > 0 else Direction.W if right < 0 else None
    return Direction.S if down > 0 else Direction.N if down < 0 else None
