"""Events of what units carry and bear: weapons, numbers, conditions, defeat."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.battle import Charge
from engine.bounds import Amount, Count
from engine.field.squares import Square
from engine.values import Stored


class WeaponReadied(Stored, frozen=True, tag="weapon-readied"):
    unit: str
    weapon: str
    label: str
    by_gm: bool = False


class WeaponDropped(Stored, frozen=True, tag="weapon-dropped"):
    """The weapon in hand lies on a square now."""

    unit: str
    weapon: str
    label: str
    at: Square
    rounds: Count | None


class WeaponTaken(Stored, frozen=True, tag="weapon-taken"):
    """A unit took up a weapon from its square."""

    unit: str
    weapon: str
    label: str
    rounds: Count | None


class WeaponBroken(Stored, frozen=True, tag="weapon-broken"):
    """The weapon in hand is of no more use."""

    unit: str
    weapon: str
    label: str


class ChargeLaid(Stored, frozen=True, tag="charge-laid"):
    """A weapon was laid on a square, armed."""

    charge: Charge
    label: str


class ChargeSetOff(Stored, frozen=True, tag="charge-set-off"):
    """What was laid goes off: `unit` stepped near it or let it go off; "" when the GM did."""

    charge: Charge
    label: str
    unit: str
    is_step: bool = False


class ChargeTakenUp(Stored, frozen=True, tag="charge-taken-up"):
    """What was laid lies there no more, and has not gone off."""

    charge: Charge
    label: str


class WeaponGiven(Stored, frozen=True, tag="weapon-given"):
    """The GM has given a unit a weapon, with so many rounds in it; None where none are counted."""

    unit: str
    weapon: str
    label: str
    rounds: Count | None


class WeaponTakenAway(Stored, frozen=True, tag="weapon-taken-away"):
    """The GM has taken a weapon away from a unit."""

    unit: str
    weapon: str
    label: str


class WornChanged(Stored, frozen=True, tag="worn-changed"):
    """The GM has put something on a unit, or taken it off: what it wears now, None where that is as its sheet says.

    `pools` are its numbers that are other with that.
    """

    unit: str
    label: str
    armour: str | None
    accessories: tuple[str, ...] | None
    pools: Mapping[str, Amount]
    is_off: bool = False


class PoolChanged(Stored, frozen=True, tag="pool-changed"):
    unit: str
    pool: str
    label: str
    before: Amount
    after: Amount
    because: str


class BudgetChanged(Stored, frozen=True, tag="budget-changed"):
    """An effect took from what a unit has to spend, or gave it more."""

    unit: str
    budget: str
    label: str
    before: Amount
    after: Amount
    because: str


class RoundsChanged(Stored, frozen=True, tag="rounds-changed"):
    """Rounds in a magazine."""

    unit: str
    weapon: str
    before: Amount
    after: Amount
    by_gm: bool = False
    """Whether the GM says so: none of them was fired."""


class ConditionBegan(Stored, frozen=True, tag="condition-began"):
    """`rounds` is how many rounds it lasts, 0 for until its own moment; `about` the unit that it is about, if any."""

    unit: str
    condition: str
    label: str
    rounds: Count = 0
    about: str = ""
    by_gm: bool = False


class ConditionTicked(Stored, frozen=True, tag="condition-ticked"):
    """A round less of a condition that lasts a number of them."""

    unit: str
    condition: str
    left: Count


class ConditionEnded(Stored, frozen=True, tag="condition-ended"):
    unit: str
    condition: str
    label: str
    because: str


class UnitDefeated(Stored, frozen=True, tag="unit-defeated"):
    unit: str


class UnitRecovered(Stored, frozen=True, tag="unit-recovered"):
    unit: str
