"""Carry over: what a battle has changed of a character, and the character with the changes that are accepted.

Wounds and wear (pools and conditions that the ruleset marks with `carries`), rounds, what is fitted to weapons, gear
that was gained or lost, and stats that the GM has changed. Pure: files are another matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from engine.battle.gear import accessories_of, armour_of, innate_weapons
from engine.battle.magazines import magazine
from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.battle.state.units import AS_THE_SHEET, Unit
from engine.bounds import StatValue
from engine.rules.expressions import shown
from engine.rules.model import Ruleset
from engine.values import replace

Key = tuple[str, str]
"""One of KINDS and an id; "" for the armour, of which there is one."""
Values = dict[Key, StatValue]

STAT, WEAPON, ARMOUR, ACCESSORY = "stat", "weapon", "armour", "accessory"
ATTACHMENT, ROUNDS, POOL, CONDITION = "attachment", "rounds", "pool", "condition"
KINDS = (POOL, CONDITION, ROUNDS, ATTACHMENT, WEAPON, ARMOUR, ACCESSORY, STAT)
RESTED = (POOL, CONDITION, ROUNDS)
"""What a rest restores."""
OF_THE_MOMENT = (*RESTED, ATTACHMENT)
"""What another sheet leaves as it is in a battle."""


class SheetChange(Struct, frozen=True):
    """One thing that is other after a battle than on the sheet it began with. None: full, not there, the default."""

    kind: str
    """One of KINDS."""
    id: str
    label: str
    before: StatValue | None
    after: StatValue | None
    before_words: str
    after_words: str

    @property
    def key(self) -> Key:
        return self.kind, self.id


def differences(rules: Ruleset, unit: Unit) -> tuple[SheetChange, ...]:
    """What a battle has changed of a unit's character; nothing for a unit without one."""
    if unit.character is None:
        return ()
    before, after = sheet_values(rules, unit, unit.character), battle_values(rules, unit)
    keys = [key for key in dict.fromkeys((*after, *before)) if before.get(key) != after.get(key)]
    keys.sort(key=lambda key: KINDS.index(key[0]))
    return tuple(_difference(rules, unit, key, before.get(key), after.get(key)) for key in keys)


def rest(rules: Ruleset, unit: Unit) -> tuple[SheetChange, ...]:
    """What a rest restores on a unit's sheet, for `carried`: pools that carry, conditions that carry, magazines.

    A pool or condition that the ruleset does not mark with `carries` stays: a sheet states it for every battle.
    """
    stated = sheet_values(rules, unit, unit.character) if unit.character else {}
    keys = sorted((key for key in stated if key[0] in RESTED), key=lambda key: KINDS.index(key[0]))
    return tuple(_difference(rules, unit, key, stated[key], None) for key in keys)


def sheet_values(rules: Ruleset, unit: Unit, own: Character) -> Values:
    """What a character's sheet states, where a battle may change it; a full pool or magazine states nothing."""
    bare = replace(unit, character=own, overrides=AS_THE_SHEET, about=dict(own.attachments))
    fitted = {name: weapon for name, weapon in own.attachments if rules.units.conditions[name].carries}
    conditions = [name for name in own.conditions if rules.units.conditions[name].carries]
    weapons = [weapon for weapon in own.weapons if weapon not in innate_weapons(rules, bare)]
    values = _stated(dict(own.stats), weapons, own.armour, own.accessories, fitted, conditions)
    return values | _left(rules, bare, dict(own.pools), dict(own.rounds))


def carried(own: Character, accepted: Iterable[SheetChange]) -> Character:
    """A character with differences written into it; all else, and what its file says since, stays."""
    return with_values(own, {one.key: one.after for one in accepted})


def with_values(own: Character, values: Mapping[Key, StatValue | None]) -> Character:
    """A character that states other values; with None it states that thing no longer."""
    pools, rounds, stats = dict(own.pools), dict(own.rounds), dict(own.stats)
    fitted = dict(own.attachments)
    weapons, accessories, conditions = list(own.weapons), list(own.accessories), list(own.conditions)
    armour = own.armour
    tables: Mapping[str, dict[str, StatValue]] = {POOL: pools, ROUNDS: rounds, STAT: stats, ATTACHMENT: fitted}  # type: ignore[dict-item]
    lists = {WEAPON: weapons, ACCESSORY: accessories, CONDITION: conditions}
    for (kind, name), value in values.items():
        if kind == ARMOUR:
            armour = str(value or "")
        elif kind in tables:
            tables[kind].pop(name, None)
            if value is not None:
                tables[kind][name] = value
        else:
            held = lists[kind]
            if value is None and name in held:
                held.remove(name)
            elif value is not None and name not in held:
                held.append(name)
    return replace(
        own,
        pools=tuple(pools.items()),
        rounds=tuple((weapon, left) for weapon, left in rounds.items() if weapon in weapons),
        stats=tuple(stats.items()),
        attachments=tuple((name, weapon) for name, weapon in fitted.items() if weapon in weapons),
        weapons=tuple(weapons),
        accessories=tuple(accessories),
        conditions=tuple(conditions),
        armour=armour,
    )


def battle_values(rules: Ruleset, unit: Unit) -> Values:
    """The same of a unit as it is in its battle."""
    own = dict(unit.character.stats if unit.character else ()) | dict(unit.overrides.stats)
    known = rules.units.conditions
    fitted = {name: about for name, about in unit.about.items() if known[name].carries and about in unit.gear.weapons}
    conditions = [name for name in unit.conditions if known[name].carries and not known[name].about]
    worn = armour_of(rules, unit), accessories_of(rules, unit)
    weapons = [weapon for weapon in unit.gear.weapons if weapon not in innate_weapons(rules, unit)]
    values = _stated(own, weapons, *worn, fitted, conditions)
    return values | _left(rules, unit, unit.pools, unit.gear.rounds)


def _stated(
    stats: Mapping[str, StatValue],
    weapons: Iterable[str],
    armour: str,
    accessories: Iterable[str],
    fitted: Mapping[str, str],
    conditions: Iterable[str],
) -> dict[Key, StatValue]:
    values: dict[Key, StatValue] = {(STAT, stat): value for stat, value in stats.items()}
    values |= {(ATTACHMENT, name): weapon for name, weapon in fitted.items()}
    for kind, names in ((WEAPON, weapons), (ACCESSORY, accessories), (CONDITION, conditions)):
        values |= {(kind, name): True for name in names}
    return values | ({(ARMOUR, ""): armour} if armour else {})


def _left(rules: Ruleset, unit: Unit, pools: Mapping[str, int], rounds: Mapping[str, int]) -> dict[Key, StatValue]:
    """Pools that carry and magazines, where they are not full."""
    values: dict[Key, StatValue] = {}
    for pool, full in pools_of(rules, unit).items():
        if rules.units.pools[pool].carries and (left := max(0, pools.get(pool, full))) < full:
            values[POOL, pool] = left
    for weapon, left in rounds.items():
        if 0 <= left < magazine(rules, weapon, unit):
            values[ROUNDS, weapon] = left
    return values


def _difference(rules: Ruleset, unit: Unit, key: Key, before: StatValue | None, after: StatValue | None) -> SheetChange:
    words = (value_words(rules, unit, key, before), value_words(rules, unit, key, after))
    return SheetChange(*key, _label(rules, key), before, after, *words)


def _label(rules: Ruleset, key: Key) -> str:
    kind, name = key
    gear, units = rules.gear, rules.units
    match kind:
        case "pool":
            group = units.pools[name].group
            return f"{group}: {units.pools[name].label}" if group else units.pools[name].label
        case "stat":
            return units.stats[name].label
        case "rounds":
            return f"rounds in {gear.weapons[name].label}"
        case "weapon":
            return gear.weapons[name].label
        case "accessory":
            return gear.accessories[name].label
        case "armour":
            return "armour"
    return units.conditions[name].label


def value_words(rules: Ruleset, unit: Unit, key: Key, value: StatValue | None) -> str:
    """A value of a sheet in words: "7", "full (20)", "yes", "none".

    Args:
        rules: the ruleset.
        unit: whose it is, for what is full.
        key: what it is a value of.
        value: None for what a sheet does not state.
    """
    kind, name = key
    match kind:
        case "pool" if value is None:
            return f"full ({pools_of(rules, unit).get(name, 0)})"
        case "rounds" if value is None:
            return f"full ({magazine(rules, name, unit)})"
        case "armour":
            return rules.gear.armour[value].label if isinstance(value, str) and value in rules.gear.armour else "none"
        case "attachment":
            return rules.gear.weapons[value].label if isinstance(value, str) and value in rules.gear.weapons else "none"
        case "weapon" | "accessory" | "condition":
            return "no" if value is None else "yes"
        case "stat" if value is None:
            return shown(rules.units.stats[name].default)
    return shown(value if value is not None else 0)
