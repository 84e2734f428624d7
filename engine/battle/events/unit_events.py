"""Events of units: weapons, charges, stats, pools, conditions, defeat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from engine.battle.events.event import OWN_UNITS, UNITS_IN_SIGHT, Event, LogEvent, without
from engine.battle.state.battle import Battle, Charge, Dropped
from engine.battle.state.characters import Character
from engine.battle.state.open_reactions import without_held_command
from engine.battle.state.reasons import Because
from engine.battle.state.units import AS_THE_SHEET, Gear
from engine.bounds import MANY, Amount, Count, Id, ListOf, StatValue, Text
from engine.geometry.squares import Square
from engine.values import replace

__all__ = [
    "BudgetChanged",
    "CharacterSet",
    "ChargeLaid",
    "ChargeSetOff",
    "ChargeTakenUp",
    "ConditionBegan",
    "ConditionEnded",
    "ConditionTicked",
    "MarkerCleared",
    "MarkerSet",
    "PoolChanged",
    "PositionOpened",
    "RoundsChanged",
    "StatSet",
    "UnitDefeated",
    "UnitRecovered",
    "WeaponBroken",
    "WeaponDropped",
    "WeaponGiven",
    "WeaponReadied",
    "WeaponTaken",
    "WeaponTakenAway",
    "WornChanged",
]

Key = TypeVar("Key")
Item = TypeVar("Item")


class WeaponReadied(Event, frozen=True, tag="weapon-readied"):
    reported_for = OWN_UNITS
    unit: Id
    weapon: Id
    label: Text
    by_gm: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, gear=replace(unit.gear, weapon=self.weapon)))


class WeaponDropped(Event, frozen=True, tag="weapon-dropped"):
    """The weapon in hand lies on a square now."""

    reported_for = OWN_UNITS
    unit: Id
    weapon: Id
    label: Text
    at: Square
    rounds: Count | None

    def apply(self, battle: Battle) -> Battle:
        battle = _without_weapon(battle, self.unit, self.weapon)
        dropped = (*battle.scene.dropped, Dropped(self.weapon, self.at, self.rounds))
        return replace(battle, scene=replace(battle.scene, dropped=dropped))


class WeaponTaken(Event, frozen=True, tag="weapon-taken"):
    """A unit took up a weapon from one of its squares."""

    reported_for = OWN_UNITS
    unit: Id
    weapon: Id
    label: Text
    rounds: Count | None

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        rounds = unit.gear.rounds if self.rounds is None else {**unit.gear.rounds, self.weapon: self.rounds}
        weapons = tuple(dict.fromkeys((self.weapon, *unit.gear.weapons)))
        battle = battle.with_unit(
            replace(unit, gear=replace(unit.gear, weapons=weapons, weapon=self.weapon, rounds=rounds))
        )
        dropped = battle.scene.dropped
        there = battle.scene.lying_under(unit)
        taken = there[[(item.weapon, item.rounds) for item in there].index((self.weapon, self.rounds))]
        last = len(dropped) - 1 - dropped[::-1].index(taken)
        return replace(battle, scene=replace(battle.scene, dropped=dropped[:last] + dropped[last + 1 :]))


class WeaponBroken(Event, frozen=True, tag="weapon-broken"):
    """The weapon in hand is of no more use."""

    reported_for = OWN_UNITS
    unit: Id
    weapon: Id
    label: Text

    def apply(self, battle: Battle) -> Battle:
        return _without_weapon(battle, self.unit, self.weapon)


class ChargeLaid(Event, frozen=True, tag="charge-laid"):
    """A weapon was laid on a square, armed."""

    is_for_gm = True
    charge: Charge
    label: Text

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, scene=replace(battle.scene, charges=(*battle.scene.charges, self.charge)))


class ChargeSetOff(Event, frozen=True, tag="charge-set-off"):
    """A charge goes off: `unit` triggered or detonated it; "" when the GM did."""

    charge: Charge
    label: Text
    unit: Id
    is_step: bool = False

    def apply(self, battle: Battle) -> Battle:
        return _without_charge(battle, self.charge)


class ChargeTakenUp(Event, frozen=True, tag="charge-taken-up"):
    """A charge is removed without going off."""

    is_for_gm = True
    charge: Charge
    label: Text

    def apply(self, battle: Battle) -> Battle:
        return _without_charge(battle, self.charge)


class WeaponGiven(Event, frozen=True, tag="weapon-given"):
    """The GM gives a unit a weapon, with the rounds in it; None where it has no magazine."""

    unit: Id
    weapon: Id
    label: Text
    rounds: Count | None

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        gear = unit.gear
        rounds = gear.rounds if self.rounds is None else {**gear.rounds, self.weapon: self.rounds}
        weapons = (*gear.weapons, self.weapon)
        gear = replace(gear, weapons=weapons, weapon=gear.weapon or self.weapon, rounds=rounds)
        return battle.with_unit(replace(unit, gear=gear))


class WeaponTakenAway(Event, frozen=True, tag="weapon-taken-away"):
    """The GM has taken a weapon away from a unit."""

    unit: Id
    weapon: Id
    label: Text

    def apply(self, battle: Battle) -> Battle:
        return _without_weapon(battle, self.unit, self.weapon)


class WornChanged(Event, frozen=True, tag="worn-changed"):
    """The GM has put something on a unit, or taken it off: what it wears now, None where that is as its sheet says.

    `pools` are its numbers that are other with that.
    """

    unit: Id
    label: Text
    armour: Id | None
    accessories: ListOf[Id] | None
    pools: Annotated[Mapping[Id, Amount], MANY]
    is_off: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        worn = replace(unit.overrides, armour=self.armour, accessories=self.accessories)
        return battle.with_unit(replace(unit, overrides=worn, pools={**unit.pools, **self.pools}))


class StatSet(Event, frozen=True, tag="stat-set"):
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

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        other_stats = tuple(one for one in unit.overrides.stats if one[0] != self.stat)
        stats = other_stats if self.is_sheets else (*other_stats, (self.stat, self.after))
        overrides = replace(unit.overrides, stats=stats)
        return battle.with_unit(replace(unit, overrides=overrides, pools={**unit.pools, **self.pools}))


class CharacterSet(Event, frozen=True, tag="character-set"):
    """The GM gives a unit another sheet: what it carries with that, and its numbers that are other."""

    unit: Id
    character: Character
    gear: Gear
    pools: Annotated[Mapping[Id, Amount], MANY]

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        pools = {**unit.pools, **self.pools}
        return battle.with_unit(
            replace(unit, character=self.character, overrides=AS_THE_SHEET, gear=self.gear, pools=pools)
        )


class PoolChanged(Event, frozen=True, tag="pool-changed"):
    reported_for = OWN_UNITS
    unit: Id
    pool: Id
    label: Text
    before: Amount
    after: Amount
    because: Because

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, pools={**unit.pools, self.pool: self.after}))


class BudgetChanged(Event, frozen=True, tag="budget-changed"):
    """An effect changes a budget of a unit's turn."""

    unit: Id
    budget: Id
    label: Text
    before: Amount
    after: Amount
    because: Because

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        budget = {**unit.turn.budget, self.budget: self.after}
        return battle.with_unit(replace(unit, turn=replace(unit.turn, budget=budget)))


class RoundsChanged(Event, frozen=True, tag="rounds-changed"):
    """Rounds in a magazine."""

    reported_for = OWN_UNITS
    unit: Id
    weapon: Id
    before: Amount
    after: Amount
    by_gm: bool = False
    """Whether the GM says so: none of them was fired."""

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        rounds = {**unit.gear.rounds, self.weapon: self.after}
        return battle.with_unit(replace(unit, gear=replace(unit.gear, rounds=rounds)))


class PositionOpened(LogEvent, frozen=True, tag="position-opened"):
    """A unit that has taken a firing position sees these enemies from it; nobody that the GM has hidden."""

    reported_for = OWN_UNITS
    unit: Id
    to: ListOf[Id]

    def redacted(self, hidden: frozenset[str], before: Battle) -> PositionOpened | None:
        to = without(self.to, hidden)
        return replace(self, to=to) if to and self.unit not in hidden else None


class ConditionBegan(Event, frozen=True, tag="condition-began"):
    """`rounds` is how many rounds it lasts, 0 for until its own moment; `about` is as in `Unit.about`, or ""."""

    reported_for = OWN_UNITS
    unit: Id
    condition: Id
    label: Text
    rounds: Count = 0
    about: Text = ""
    by_gm: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        timers = {**unit.timers, self.condition: self.rounds} if self.rounds else unit.timers
        about = {**unit.about, self.condition: self.about} if self.about else unit.about
        conditions = tuple(sorted({*unit.conditions, self.condition}))
        return battle.with_unit(replace(unit, conditions=conditions, timers=timers, about=about))


class ConditionTicked(Event, frozen=True, tag="condition-ticked"):
    """A round less of a condition that lasts a number of them."""

    unit: Id
    condition: Id
    left: Count

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, timers={**unit.timers, self.condition: self.left}))


class ConditionEnded(Event, frozen=True, tag="condition-ended"):
    reported_for = OWN_UNITS
    unit: Id
    condition: Id
    label: Text
    because: Because

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        other_conditions = tuple(held for held in unit.conditions if held != self.condition)
        timers, about = _without_key(unit.timers, self.condition), _without_key(unit.about, self.condition)
        return battle.with_unit(replace(unit, conditions=other_conditions, timers=timers, about=about))


class MarkerSet(Event, frozen=True, tag="marker-set"):
    """A marker of the GM's on a unit, or a round less of one."""

    reported_for = OWN_UNITS
    unit: Id
    marker: Text
    rounds: Count = 0
    """How many it lasts from now on; 0 until it is taken away."""
    is_tick: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, markers={**unit.markers, self.marker: self.rounds}))


class MarkerCleared(Event, frozen=True, tag="marker-cleared"):
    reported_for = OWN_UNITS
    unit: Id
    marker: Text
    because: Because

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, markers=_without_key(unit.markers, self.marker)))


class UnitDefeated(Event, frozen=True, tag="unit-defeated"):
    reported_for = UNITS_IN_SIGHT
    unit: Id

    def apply(self, battle: Battle) -> Battle:
        openings = tuple(one for one in battle.openings if self.unit not in (one.unit, one.against))
        battle = without_held_command(replace(battle, openings=openings), self.unit)
        return battle.with_unit(replace(battle.units[self.unit], is_defeated=True))


class UnitRecovered(Event, frozen=True, tag="unit-recovered"):
    reported_for = UNITS_IN_SIGHT
    unit: Id

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], is_defeated=False))


def _without_weapon(battle: Battle, unit_id: str, weapon: str) -> Battle:
    unit = battle.units[unit_id]
    weapons = tuple(held for held in unit.gear.weapons if held != weapon)
    in_hand = "" if unit.gear.weapon == weapon else unit.gear.weapon
    gear = replace(unit.gear, weapons=weapons, weapon=in_hand, rounds=_without_key(unit.gear.rounds, weapon))
    return battle.with_unit(replace(unit, gear=gear))


def _without_charge(battle: Battle, charge: Charge) -> Battle:
    left = tuple(one for one in battle.scene.charges if one.id != charge.id)
    return replace(battle, scene=replace(battle.scene, charges=left))


def _without_key(mapping: Mapping[Key, Item], key: Key) -> Mapping[Key, Item]:
    return {held: item for held, item in mapping.items() if held != key}
