"""Events of who is on the table: units added, taken away, named, hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from engine.battle.units import Unit
from engine.bounds import Amount
from engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class UnitsAdded:
    """Units are on the table now. `order` and `scores`: who acts in which order from now on."""

    units: tuple[Unit, ...]
    order: tuple[str, ...] = ()
    scores: Mapping[str, Amount] = field(default_factory=dict)
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class UnitRemoved:
    """A unit is no longer on the table; `name` is what it was called."""

    unit: str
    name: str


@dataclass(frozen=True, slots=True)
class UnitRenamed:
    unit: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SideChanged:
    """A unit fights for another side, or for none."""

    unit: str
    before: str
    after: str
    is_neutral: bool = False


@dataclass(frozen=True, slots=True)
class UnitHidden:
    """Players see a unit no longer."""

    unit: str


@dataclass(frozen=True, slots=True)
class UnitOut:
    """The GM has taken a unit out of the fight, with a word why; "" when it takes part again."""

    unit: str
    why: str


@dataclass(frozen=True, slots=True)
class UnitShown:
    """Players see a unit again."""

    unit: str
