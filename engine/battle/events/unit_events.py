"""Events of units: weapons, charges, stats, pools, conditions, defeat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from engine.battle.state.battle import Charge
from engine.battle.state.characters import Character
from engine.battle.state.reasons import Because
from engine.battle.state.units import Gear
from engine.bounds import MANY, Amount, Count, Id, ListOf, StatValue, Text
from engine.geometry.squares import Square
from engine.values import Stored


class WeaponReadied(Stored, frozen=True, tag="weapon-readied"):
    unit: Id
    weapon: Id
    label: Text
    by_gm: bool = False


class WeaponDropped(Stored, frozen=True, tag="weapon-dropped"):
    """The weapon in hand lies on a square now."""

    unit: Id
    weapon: Id
    label: Text
    at: Square
    rounds: Count | None


class WeaponTaken(Stored, frozen=True, tag="weapon-taken"):
    """A unit took up a weapon from its square."""

    unit: Id
    weapon: Id
    label: Text
    rounds: Count | None


class WeaponBroken(Stored, frozen=True, tag="weapon-broken"):
    """The weapon in hand is of no more use."""

    unit: Id
    weapon: Id
    label: Text


class ChargeLaid(Stored, frozen=True, tag="charge-laid"):
    """A weapon was laid on a square, armed."""

    charge: Charge
    label: Text


class ChargeSetOff(Stored, frozen=True, tag="charge-set-off"):
    """A charge goes off: `unit` triggered or detonated it; "" when the GM did."""

    charge: Charge
    label: Text
    unit: Id
    is_step: bool = False


class ChargeTakenUp(Stored, frozen=True, tag="charge-taken-up"):
    """A charge is removed without going off."""

    charge: Charge
    label: Text


class WeaponGiven(Stored, frozen=True, tag="weapon-given"):
    """The GM gives a unit a weapon, with the rounds in it; None where it has no magazine."""

    unit: Id
    weapon: Id
    label: Text
    rounds: Count | None


class WeaponTakenAway(Stored, frozen=True, tag="weapon-taken-away"):
    """The GM has taken a weapon away from a unit."""

    unit: Id
    weapon: Id
    label: Text


class WornChanged(Stored, frozen=True, tag="worn-changed"):
    """The GM has put something on a unit, or taken it off: what it wears now, None where that is as its sheet says.

    `pools` are its numbers that are other with that.
    """

    unit: Id
    label: Text
    armour: Id | None
    accessories: ListOf[Id] | None
    pools: Annotated[Mapping[Id, Amount], MANY]
    is_off: bool = False


class StatSet(Stored, frozen=True, tag="stat-set"):
    """The GM sets a stat of a unit, or restores the value of its sheet.

    `pools` are its numbers that are other with that.
    """

    unit: Id
    stat: Id
    label: Text
    before: StatValue
    after: StatValue
    pools: Annotated[Mapping[Id, Amount], MANY]
    is_sheets: bool = False


class CharacterSet(Stored, frozen=True, tag="character-set"):
    """The GM gives a unit another sheet: what it carries with that, and its numbers that are other."""

    unit: Id
    character: Character
    gear: Gear
    pools: Annotated[Mapping[Id, Amount], MANY]


class PoolChanged(Stored, frozen=True, tag="pool-changed"):
    unit: Id
    pool: Id
    label: Text
    before: Amount
    after: Amount
    because: Because


class BudgetChanged(Stored, frozen=True, tag="budget-changed"):
    """An effect changes a budget of a unit's turn."""

    unit: Id
    budget: Id
    label: Text
    before: Amount
    after: Amount
    because: Because


class RoundsChanged(Stored, frozen=True, tag="rounds-changed"):
    """Rounds in a magazine."""

    unit: Id
    weapon: Id
    before: Amount
    after: Amount
    by_gm: bool = False
    """Whether the GM says so: none of them was fired."""


class ConditionBegan(Stored, frozen=True, tag="condition-began"):
    """`rounds` is how many rounds it lasts, 0 for until its own moment; `about` the unit that it is about, if any."""

    unit: Id
    condition: Id
    label: Text
    rounds: Count = 0
    about: Text = ""
    by_gm: bool = False


class ConditionTicked(Stored, frozen=True, tag="condition-ticked"):
    """A round less of a condition that lasts a number of them."""

    unit: Id
    condition: Id
    left: Count


class ConditionEnded(Stored, frozen=True, tag="condition-ended"):
    unit: Id
    condition: Id
    label: Text
    because: Because


class UnitDefeated(Stored, frozen=True, tag="unit-defeated"):
    unit: Id


class UnitRecovered(Stored, frozen=True, tag="unit-recovered"):
    unit: Id
