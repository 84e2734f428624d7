"""Events of who is on the table: units added, taken away, named, hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from engine.battle.state.units import Unit
from engine.bounds import MANY, SOME, Amount, Count, Id, ListOf, Text
from engine.values import Stored


class UnitsAdded(Stored, frozen=True, tag="units-added"):
    """Units join the battle. `order` and `scores`: the turn order from now on."""

    units: Annotated[tuple[Unit, ...], SOME]
    order: ListOf[Id] = ()
    scores: Annotated[Mapping[Id, Amount], MANY] = {}
    is_copy: bool = False
    outside: Annotated[Mapping[Id, Count], MANY] = {}
    """How many of them found no room in their start zone and stand outside it, by the zone's id."""


class UnitRemoved(Stored, frozen=True, tag="unit-removed"):
    """A unit was removed from the battle; `name` is its name."""

    unit: Id
    name: Text


class UnitRenamed(Stored, frozen=True, tag="unit-renamed"):
    unit: Id
    before: Text
    after: Text


class SideChanged(Stored, frozen=True, tag="side-changed"):
    """A unit fights for another side, or for none."""

    unit: Id
    before: Text
    after: Text
    is_neutral: bool = False


class UnitHidden(Stored, frozen=True, tag="unit-hidden"):
    """Players see a unit no longer."""

    unit: Id


class LettersGiven(Stored, frozen=True, tag="letters-given"):
    """Units get the letters that players know them by, and others digits until a player sees them; by unit id."""

    letters: Annotated[Mapping[Id, Text], MANY] = {}
    digits: Annotated[Mapping[Id, Text], MANY] = {}


class UnitOut(Stored, frozen=True, tag="unit-out"):
    """The GM has taken a unit out of the fight, with a word why; "" when it takes part again."""

    unit: Id
    why: Text


class UnitShown(Stored, frozen=True, tag="unit-shown"):
    """Players see a unit again."""

    unit: Id
