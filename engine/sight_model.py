"""The rules of sight that a ruleset or the GM may change: the keys of `[sight]`. A battlefield carries them, all on by
default; `docs/geometry.md` explains each."""

from __future__ import annotations

from typing import Any

from engine.bounds import Count, Id, ListOf
from engine.values import Stored, replace

RULINGS = "sight_"
"""Begins the names of the rulings that stand for these keys."""

OWN_COVER = ("rise", "look", "off")


class SightModel(Stored, frozen=True):
    """Who sees whom, as far as it can be ruled."""

    lean: bool = True
    """Whether eyes are at all five points of a body; else at its middle alone."""
    own_cover: str = "rise"
    """What near things one looks over: "rise", those lower than a standing eye; "look", lower than one's own; "off"."""
    soft: bool = True
    """Whether what stops no shot hides who stands in it."""
    bodies: Count = 2
    """Size of bodies from which on they are in the way of others; 0: none are."""
    head: Count = 10
    """Percent of a body that is seen and hit at least, by whoever may attack."""
    least: Count = 5
    """Percent of a body below which nothing is seen and nothing is hit."""
    mutual: bool = True
    """Whether either may attack when the other may."""
    positions: ListOf[Id] = ()
    """Conditions that turn on leaning and rising for those who have one."""

    def ruled(self, ruling: str, value: Any) -> SightModel:
        """The same with one ruling decided otherwise; unchanged by rulings about anything else."""
        key = ruling.removeprefix(RULINGS)
        changed: dict[str, Any] = {key: value} if key != ruling and key in self.__struct_fields__ else {}
        return replace(self, **changed) if changed else self


PLAIN = SightModel()
