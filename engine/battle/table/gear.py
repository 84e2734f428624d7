"""What the GM gives a unit to carry and wear, takes away, and sets of its stats. Allowed at any time, recorded."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.commands import Give, SetStat, TakeAway
from engine.battle.draft import Draft
from engine.battle.magazines import magazine
from engine.battle.setup import pools_of
from engine.battle.situation import sheet_facts
from engine.battle.units import Unit, UnitOverrides
from engine.errors import Illegal, Unknown
from engine.rules.expressions import shown
from engine.rules.model import Ruleset, Sheet, Value
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
        return _dressed(battle, rules, unit, replace(unit.overrides, armour=wish.item), known[wish.item])
    wears = (*accessories_of(rules, unit), wish.item)
    return _dressed(battle, rules, unit, replace(unit.overrides, accessories=wears), known[wish.item])


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
            battle,
            rules,
            unit,
            replace(unit.overrides, armour=""),
            has[wish.item],
            is_off=True,
        )
    left = tuple(worn for worn in accessories_of(rules, unit) if worn != wish.item)
    return _dressed(
        battle,
        rules,
        unit,
        replace(unit.overrides, accessories=left),
        has[wish.item],
        is_off=True,
    )


def armour_of(rules: Ruleset, unit: Unit) -> str:
    """Id of the armour that a unit wears; "" for none."""
    sheet = _sheet(rules, unit)
    return unit.overrides.armour if unit.overrides.armour is not None else sheet.armour if sheet else ""


def accessories_of(rules: Ruleset, unit: Unit) -> tuple[str, ...]:
    """Ids of what a unit wears besides."""
    sheet = _sheet(rules, unit)
    return unit.overrides.accessories if unit.overrides.accessories is not None else sheet.accessories if sheet else ()


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


MOST_STAT = 10_000
"""How far from 0 a stat may be set."""


def decide_stat(battle: Battle, rules: Ruleset, wish: SetStat) -> tuple[ev.Event, ...]:
    """A stat that the GM sets: a number, yes or no, or a word, as the ruleset's default for it is.

    Raises:
        Unknown: the ruleset declares no such stat.
        Illegal: it is of another kind, too large, or what it is already.
    """
    unit = battle.unit(wish.unit)
    if wish.stat not in rules.units.stats:
        raise Unknown(f"stat of {rules.name}", wish.stat, rules.units.stats)
    stat, before = rules.units.stats[wish.stat], sheet_facts(rules, unit.role, unit.overrides)[wish.stat]
    if (kind := kind_of_stat(wish.value)) != (wanted := kind_of_stat(stat.default)):
        raise Illegal("stat", f"{unit.name}'s {stat.label} is {wanted}, not {kind}.")
    if not isinstance(wish.value, str) and not -MOST_STAT <= wish.value <= MOST_STAT:
        raise Illegal("stat", f"{unit.name}'s {stat.label} can be {-MOST_STAT:,} to {MOST_STAT:,}.")
    if isinstance(before, Fraction):
        raise Illegal("stat", f"{unit.name}'s {stat.label} is {shown(before)}: only whole numbers can be set.")
    if wish.value == before:
        raise Illegal("stat", f"{unit.name}'s {stat.label} is {shown(before)} already.")
    others = tuple(held for held in unit.overrides.stats if held[0] != wish.stat)
    bare = _overridden(unit, replace(unit.overrides, stats=others))
    is_sheets = sheet_facts(rules, unit.role, bare.overrides)[wish.stat] == wish.value
    after = (
        bare
        if is_sheets
        else replace(bare, overrides=replace(bare.overrides, stats=(*others, (wish.stat, wish.value))))
    )
    draft = Draft(battle, rules)
    pools = _pools_with(rules, unit, after, set())
    draft.add(ev.StatSet(unit.id, wish.stat, stat.label, before, wish.value, pools, is_sheets))
    draft.settle(unit.id)
    return draft.events


def kind_of_stat(value: Value) -> str:
    """What a stat with such a value is: "a number", "yes or no" or "a word"."""
    return "yes or no" if isinstance(value, bool) else "a word" if isinstance(value, str) else "a number"


def _overridden(unit: Unit, overrides: UnitOverrides) -> Unit:
    return replace(unit, overrides=overrides)


def _dressed(
    battle: Battle, rules: Ruleset, unit: Unit, worn: UnitOverrides, label: str, *, is_off: bool = False
) -> tuple[ev.Event, ...]:
    """What is worn is other: numbers that a suit gives are fresh with another, others change by what they gain."""
    after = _overridden(unit, worn)
    is_other = unit.overrides.armour != after.overrides.armour
    suits = {armour_of(rules, unit), armour_of(rules, after)} if is_other else set()
    given = {f"unit.{stat}" for suit in suits if suit for stat in rules.gear.armour[suit].stats}
    pools = _pools_with(rules, unit, after, given)
    draft = Draft(battle, rules)
    draft.add(ev.WornChanged(unit.id, label, worn.armour, worn.accessories, pools, is_off))
    draft.settle(unit.id)
    return draft.events


def _pools_with(rules: Ruleset, unit: Unit, after: Unit, given: set[str]) -> dict[str, int]:
    """A unit's numbers that are other once it is changed: fresh where they rest on these stats, else by the gain."""
    before, full = pools_of(rules, unit), pools_of(rules, after)
    pools: dict[str, int] = {}
    for pool in rules.units.pools.values():
        if not given.isdisjoint(pool.start.names):
            pools[pool.id] = full[pool.id]
        elif full[pool.id] != before[pool.id]:
            pools[pool.id] = max(0, unit.pools.get(pool.id, 0) + full[pool.id] - before[pool.id])
    return pools


def _sheet(rules: Ruleset, unit: Unit) -> Sheet | None:
    return rules.units.sheets.get(unit.role)
