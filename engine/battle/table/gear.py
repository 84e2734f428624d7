"""What the GM gives a unit to carry and to wear, and what she takes away. Allowed at any time, always recorded."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.commands import Give, TakeAway
from engine.battle.draft import Draft
from engine.battle.magazines import magazine
from engine.battle.setup import pools_of
from engine.battle.units import Unit
from engine.errors import Illegal, Unknown
from engine.rules.model import Ruleset, Sheet
from engine.values import replace


def decide_give(battle: Battle, rules: Ruleset, wish: Give) -> tuple[ev.Event, ...]:
    """A weapon, full, in hand where nothing is; a suit of armour in place of the one that is worn; or an accessory.

    Raises:
        Unknown: the ruleset has nothing of that id.
        Illegal: the unit has it already.
    """
    unit = battle.unit(wish.unit)
    known = givable(rules)
    if wish.item not in known:
        raise Unknown(f"weapon, armour or accessory of {rules.name}", wish.item, known)
    if wish.item in carried(rules, unit):
        raise Illegal("gear", f"{unit.name} has {known[wish.item]} already.")
    if wish.item in rules.gear.weapons:
        rounds = magazine(rules, wish.item, unit) or None
        return (ev.WeaponGiven(unit.id, wish.item, known[wish.item], rounds),)
    if wish.item in rules.gear.armour:
        return _dressed(battle, rules, unit, replace(unit, gear=replace(unit.gear, armour=wish.item)), known[wish.item])
    wears = (*accessories_of(rules, unit), wish.item)
    return _dressed(battle, rules, unit, replace(unit, gear=replace(unit.gear, accessories=wears)), known[wish.item])


def decide_take_away(battle: Battle, rules: Ruleset, wish: TakeAway) -> tuple[ev.Event, ...]:
    """A weapon that is carried, or what is worn.

    Raises:
        Unknown: the unit has it not; the message names what it has.
    """
    unit = battle.unit(wish.unit)
    has = carried(rules, unit)
    if wish.item not in has:
        raise Unknown(f"weapon, armour or accessory of {unit.name}", wish.item, has)
    if wish.item in unit.gear.weapons:
        return (ev.WeaponTakenAway(unit.id, wish.item, has[wish.item]),)
    if wish.item == armour_of(rules, unit):
        return _dressed(
            battle, rules, unit, replace(unit, gear=replace(unit.gear, armour="")), has[wish.item], is_off=True
        )
    left = tuple(worn for worn in accessories_of(rules, unit) if worn != wish.item)
    return _dressed(
        battle, rules, unit, replace(unit, gear=replace(unit.gear, accessories=left)), has[wish.item], is_off=True
    )


def armour_of(rules: Ruleset, unit: Unit) -> str:
    """Id of the armour that a unit wears; "" for none."""
    sheet = _sheet(rules, unit)
    return unit.gear.armour if unit.gear.armour is not None else sheet.armour if sheet else ""


def accessories_of(rules: Ruleset, unit: Unit) -> tuple[str, ...]:
    """Ids of what a unit wears besides."""
    sheet = _sheet(rules, unit)
    return unit.gear.accessories if unit.gear.accessories is not None else sheet.accessories if sheet else ()


def givable(rules: Ruleset) -> Mapping[str, str]:
    """Labels of all that may be given, by id."""
    return {
        one.id: one.label
        for table in (rules.gear.accessories, rules.gear.armour, rules.gear.weapons)
        for one in table.values()
    }


def carried(rules: Ruleset, unit: Unit) -> Mapping[str, str]:
    """Labels of all that a unit has, by id: its weapons, then what it wears."""
    known = givable(rules)
    worn = (armour_of(rules, unit), *accessories_of(rules, unit))
    return {item: known[item] for item in (*unit.gear.weapons, *filter(None, worn))}


def _dressed(
    battle: Battle, rules: Ruleset, unit: Unit, after: Unit, label: str, *, is_off: bool = False
) -> tuple[ev.Event, ...]:
    """What is worn is other: numbers that a suit gives are fresh with another, others change by what they gain."""
    before, full = pools_of(rules, unit), pools_of(rules, after)
    suits = {armour_of(rules, unit), armour_of(rules, after)} if unit.gear.armour != after.gear.armour else set()
    given = {f"unit.{stat}" for suit in suits if suit for stat in rules.gear.armour[suit].stats}
    pools: dict[str, int] = {}
    for pool in rules.units.pools.values():
        if not given.isdisjoint(pool.start.names):
            pools[pool.id] = full[pool.id]
        elif full[pool.id] != before[pool.id]:
            pools[pool.id] = max(0, unit.pools.get(pool.id, 0) + full[pool.id] - before[pool.id])
    draft = Draft(battle, rules)
    draft.add(ev.WornChanged(unit.id, label, after.gear.armour, after.gear.accessories, pools, is_off))
    draft.settle(unit.id)
    return draft.events


def _sheet(rules: Ruleset, unit: Unit) -> Sheet | None:
    return rules.units.sheets.get(unit.role)
