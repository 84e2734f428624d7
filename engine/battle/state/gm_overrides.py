"""GM overrides of a battle: notes, cover rulings, policies."""

from __future__ import annotations

from fractions import Fraction

from engine.bounds import Id, Text
from engine.geometry.squares import Square
from engine.values import Stored


class Note(Stored, frozen=True):
    """A note that no player sees: on a unit, on a square, or on the battle where both are left out."""

    id: Id
    text: Text
    at: Square | None = None
    unit: Id = ""


MATERIALS = ("light", "medium", "heavy")


class CoverRuling(Stored, frozen=True):
    """The GM's cover ruling: how much of a target is covered from an attacker, in place of line of sight."""

    attacker: Text
    target: Id
    covered: Fraction
    """Share of the body that a shot cannot reach, 0 to 1."""
    material: Id
    """"light", "medium" or "heavy"; "" for nothing."""
    is_pinned: bool = False
    """Whether it holds for later attacks too."""

    @property
    def pair(self) -> tuple[str, str]:
        return self.attacker, self.target


OFF, ASK, AUTO = "off", "ask", "auto"
POLICIES = (OFF, ASK, AUTO)
"""Never, ask, automatic."""


class Policy(Stored, frozen=True):
    """Policy for a kind of reaction or defence, for everybody, a side or a unit."""

    how: Text
    """One of POLICIES."""
    kind: Id = ""
    """Id of the reaction or defence; "" for every kind."""
    unit: Id = ""
    """Id of the unit; "" for all of the side."""
    side: Id = ""
    """Name of the side; "" for everybody."""

    @property
    def about(self) -> tuple[str, str, str]:
        return self.kind, self.unit, self.side
