"""GM edits of gear and stats: weapons, armour, accessories, rounds. Allowed at any time, recorded."""

from __future__ import annotations

from fractions import Fraction

from engine.battle import events as ev
from engine.battle.command import Command, Deciding, Events
from engine.battle.event_builder import EventBuilder
from engine.battle.gear import accessories_of, armour_of, carried, carried_weapon, givable, innate_weapons, stats_of
from engine.battle.magazines import magazine
from engine.battle.parameters import GearId, ItemId, StatId, UnitId, WeaponId
from engine.battle.setup import check_character, enlist, pools_of
from engine.battle.state.battle import Battle
from engine.battle.state.characters import Character
from engine.battle.state.units import AS_THE_SHEET, Unit, UnitOverrides, placed
from engine.bounds import Count, StatValue
from engine.errors import Illegal, Unknown
from engine.rules.expressions import shown
from engine.rules.model import Ruleset, Value
from engine.text import count
from engine.values import replace


class Give(Command, frozen=True, tag="give"):
    """The GM gives a unit a weapon with a full magazine, armour that replaces its own, or an accessory."""

    unit: UnitId
    item: ItemId

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        known = givable(rules)
        if self.item in carried(rules, unit):
            raise Illegal("gear", f"{unit.name} already has {known[self.item]}.")
        if self.item in rules.gear.weapons:
            rounds = magazine(rules, self.item, unit) or None
            return (ev.WeaponGiven(unit.id, self.item, known[self.item], rounds),)
        if self.item in rules.gear.armour:
            return _dressed(battle, rules, unit, replace(unit.overrides, armour=self.item), known[self.item])
        wears = (*accessories_of(rules, unit), self.item)
        return _dressed(battle, rules, unit, replace(unit.overrides, accessories=wears), known[self.item])


class TakeAway(Command, frozen=True, tag="take-away"):
    """The GM removes a weapon or the armour of a unit."""

    unit: UnitId
    item: GearId

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        has = carried(rules, unit)
        if self.item not in has:
            raise Unknown(f"weapon, armour or accessory of {unit.name}", self.item, has)
        if self.item in innate_weapons(rules, unit):
            raise Illegal("weapon", f"{has[self.item]} cannot be taken from {unit.name}: an innate weapon.")
        if self.item in unit.gear.weapons:
            return (ev.WeaponTakenAway(unit.id, self.item, has[self.item]),)
        if self.item == armour_of(rules, unit):
            return _dressed(battle, rules, unit, replace(unit.overrides, armour=""), has[self.item], is_off=True)
        left = tuple(worn for worn in accessories_of(rules, unit) if worn != self.item)
        return _dressed(battle, rules, unit, replace(unit.overrides, accessories=left), has[self.item], is_off=True)


class SetAmmunition(Command, frozen=True, tag="set-ammunition"):
    """The GM sets the rounds in a weapon; an empty weapon id is the one in hand."""

    unit: UnitId
    rounds: Count
    weapon: WeaponId = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        weapon = carried_weapon(rules, unit, self.weapon)
        label, full = rules.gear.weapons[weapon].label, magazine(rules, weapon, unit)
        if weapon not in unit.gear.rounds:
            raise Illegal("ammunition", f"The {label} has no magazine.")
        if not 0 <= self.rounds <= full:
            raise Illegal("ammunition", f"The {label} holds 0 to {full} rounds, not {self.rounds}.")
        before = unit.gear.rounds[weapon]
        if before == self.rounds:
            raise Illegal("ammunition", f"{unit.name}'s {label} already has {count(before, 'round')}.")
        return (ev.RoundsChanged(unit.id, weapon, before, self.rounds, by_gm=True),)


class SetStat(Command, frozen=True, tag="set-stat"):
    """The GM sets a stat of a unit, to a value that it may have; the sheet's own value removes the override."""

    unit: UnitId
    stat: StatId
    value: StatValue

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        stat, before = rules.units.stats[self.stat], stats_of(rules, unit)[self.stat]
        if isinstance(before, Fraction):
            raise Illegal("stat", f"{unit.name}'s {stat.label} is {shown(before)}: it takes whole numbers only.")
        if _same(before, self.value):
            raise Illegal("stat", f"{unit.name}'s {stat.label} is already {shown(before)}.")
        others = tuple(held for held in unit.overrides.stats if held[0] != self.stat)
        bare = _overridden(unit, replace(unit.overrides, stats=others))
        is_sheets = _same(stats_of(rules, bare)[self.stat], self.value)
        if not is_sheets and not stat.accepts(self.value):
            raise Illegal("stat", stat.refusal(self.value))
        after = (
            bare
            if is_sheets
            else replace(bare, overrides=replace(bare.overrides, stats=(*others, (self.stat, self.value))))
        )
        draft = now.draft()
        pools = _pools_with(rules, unit, after)
        draft.add(ev.StatSet(unit.id, self.stat, stat.label, before, self.value, pools, is_sheets))
        draft.settle(unit.id)
        return draft.events


class SetCharacter(Command, frozen=True, tag="set-character"):
    """The GM gives a unit another sheet. Its wounds and the rounds in its weapons stay; her changes of stats end."""

    unit: UnitId
    character: Character

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit, own = battle.unit(self.unit), self.character
        if own == unit.character:
            raise Illegal("character", f"{unit.name} already has this sheet.")
        check_character(own, rules)
        after = _overridden(replace(unit, character=own), AS_THE_SHEET)
        fresh = enlist(replace(placed(after), character=own), rules)
        rounds = {weapon: min(unit.gear.rounds.get(weapon, full), full) for weapon, full in fresh.gear.rounds.items()}
        weapon = unit.gear.weapon if unit.gear.weapon in fresh.gear.weapons else fresh.gear.weapon
        gear = replace(fresh.gear, weapon=weapon, rounds=rounds)
        draft = now.draft()
        draft.add(ev.CharacterSet(unit.id, own, gear, _pools_with(rules, unit, after)))
        draft.settle(unit.id)
        return draft.events


KINDS = (Give, TakeAway, SetAmmunition, SetStat, SetCharacter)


def _same(one: Value, other: Value) -> bool:
    """Whether two values of a stat are one: yes is not 1."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _overridden(unit: Unit, overrides: UnitOverrides) -> Unit:
    return replace(unit, overrides=overrides)


def _dressed(
    battle: Battle, rules: Ruleset, unit: Unit, worn: UnitOverrides, label: str, *, is_off: bool = False
) -> tuple[ev.Event, ...]:
    """The events of a change of what a unit wears."""
    after = _overridden(unit, worn)
    pools = _pools_with(rules, unit, after)
    draft = EventBuilder(battle, rules)
    draft.add(ev.WornChanged(unit.id, label, worn.armour, worn.accessories, pools, is_off))
    draft.settle(unit.id)
    return draft.events


def _pools_with(rules: Ruleset, unit: Unit, after: Unit) -> dict[str, int]:
    """A unit's numbers that are other once it is changed: fresh where a new suit sets them, else by the gain."""
    suits = {armour_of(rules, one) for one in (unit, after)}
    changed = suits if len(suits) > 1 else set()
    suit_facts = {f"unit.{stat}" for suit in changed if suit for stat in rules.gear.armour[suit].stats}
    before, full = pools_of(rules, unit), pools_of(rules, after)
    pools: dict[str, int] = {}
    for pool in rules.units.pools.values():
        if not suit_facts.isdisjoint(pool.start.names):
            pools[pool.id] = full[pool.id]
        elif full[pool.id] != before[pool.id]:
            pools[pool.id] = max(0, unit.pools.get(pool.id, 0) + full[pool.id] - before[pool.id])
    return pools
