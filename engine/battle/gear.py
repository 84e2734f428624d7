"""Sheets of units with what they carry and wear: stats, gear, and what they may get."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from engine.battle.state.characters import Character
from engine.battle.state.units import Unit
from engine.bounds import StatValue
from engine.errors import Illegal, Unknown
from engine.rules.expressions import shown
from engine.rules.model import Ruleset, Value, Weapon
from engine.rules.origin import Origin
from engine.rules.sheets import Sheet, worn_stats


def sheet_of(rules: Ruleset, unit: Unit) -> Sheet:
    """The sheet of a unit: its character's, else the ruleset's for its role; a bare one for a role without a sheet."""
    own, archetype = unit.character, rules.units.sheets.get(unit.role)
    if own is None:
        return archetype or Sheet(unit.role, unit.role, {}, (), "", Origin(""))
    origin, innate = Origin(f"{own.name}'s sheet"), archetype.innate_weapons if archetype else None
    return Sheet(unit.role, own.name, {}, own.weapons, own.armour, origin, own.accessories, dict(own.stats), innate)


def stats_of(rules: Ruleset, unit: Unit) -> dict[str, Value]:
    """All stats of a unit: the ruleset's defaults, then its armour's, its sheet's own, its accessories', the GM's.

    Armour that the GM has given it counts before the sheet's own stats.
    """
    sheet, overrides = sheet_of(rules, unit), unit.overrides
    stats: dict[str, Value] = {stat.id: stat.default for stat in rules.units.stats.values()}
    own = sheet.own
    if overrides.armour not in (None, sheet.armour):
        stats, own = stats | dict(own), {}
    accessories = [rules.gear.accessories[one] for one in accessories_of(rules, unit)]
    worn = worn_stats(stats, own, rules.gear.armour.get(armour_of(rules, unit)), accessories)
    return worn | dict(overrides.stats)


DEFAULT, GM = "default", "GM"


def stat_sources(rules: Ruleset, unit: Unit) -> dict[str, str]:
    """Where each stat of a unit has its value from, by id: its sheet, armour, accessories, the GM, or the default.

    What accessories add to comes with a plus: "Light armored suit + Riot shield".
    """
    sheet, overrides = sheet_of(rules, unit), unit.overrides
    armour = rules.gear.armour.get(armour_of(rules, unit))
    own = dict.fromkeys(sheet.own, f"{sheet.label}'s sheet" if unit.character else sheet.label)
    suit = dict.fromkeys(armour.stats, armour.label) if armour else {}
    layers = (own, suit) if overrides.armour not in (None, sheet.armour) else (suit, own)
    found = dict.fromkeys(rules.units.stats, DEFAULT) | layers[0] | layers[1]
    for accessory in (rules.gear.accessories[one] for one in accessories_of(rules, unit)):
        found |= dict.fromkeys(accessory.stats, accessory.label)
        found |= {stat: f"{found[stat]} + {accessory.label}" for stat in accessory.adds}
    return found | {stat: GM for stat, _ in overrides.stats}


def innate_weapons(rules: Ruleset, unit: Unit) -> tuple[str, ...]:
    """Ids of a unit's innate weapons: its sheet's own, else the ruleset's."""
    own = sheet_of(rules, unit).innate_weapons
    return rules.gear.innate_weapons if own is None else own


def own_weapons(rules: Ruleset, unit: Unit) -> Mapping[str, None]:
    """Ids of all the weapons that a unit can attack with: those it carries, then the innate ones; each once."""
    return dict.fromkeys((*unit.gear.weapons, *innate_weapons(rules, unit)))


def in_hand(rules: Ruleset, unit: Unit) -> str:
    """Id of the weapon in hand; the first innate weapon where the hands are empty; "" for neither."""
    return unit.gear.weapon or next(iter(innate_weapons(rules, unit)), "")


def weapon_in_hand(rules: Ruleset, unit: Unit) -> Weapon | None:
    """The weapon in hand, as `in_hand`; None for none."""
    return rules.gear.weapons.get(in_hand(rules, unit))


def can_lose(rules: Ruleset, unit: Unit, weapon: str) -> bool:
    """Whether a unit carries a weapon that can be dropped, broken or taken from it: no innate one."""
    return weapon in unit.gear.weapons and weapon not in innate_weapons(rules, unit)


def listed_weapons(rules: Ruleset, unit: Unit) -> tuple[str, ...]:
    """Ids of the weapons that a unit's sheet lists: those it carries, an innate one only where its character has it."""
    innate, own = innate_weapons(rules, unit), unit.character.weapons if unit.character else ()
    return tuple(weapon for weapon in unit.gear.weapons if weapon not in innate or weapon in own)


def carried_weapon(rules: Ruleset, unit: Unit, weapon: str = "") -> str:
    """The id of a weapon that a unit carries: the one named, else the one in hand, which may be an innate one.

    Raises:
        Unknown: the unit does not carry it.
        Illegal: none is named and none is in hand.
    """
    chosen = weapon or in_hand(rules, unit)
    if not chosen:
        raise Illegal("weapon", f"{unit.name} holds no weapon.")
    known = own_weapons(rules, unit)
    if chosen not in known or chosen not in rules.gear.weapons:
        raise Unknown(f"weapon of {unit.name}", chosen, known)
    return chosen


def weapon_label(rules: Ruleset, unit: Unit) -> str:
    """Label of the weapon in hand, or of the first innate one; "" for neither."""
    weapon = weapon_in_hand(rules, unit)
    return weapon.label if weapon else ""


def armour_of(rules: Ruleset, unit: Unit) -> str:
    """Id of the armour that a unit wears; "" for none."""
    return sheet_of(rules, unit).armour if unit.overrides.armour is None else unit.overrides.armour


def accessories_of(rules: Ruleset, unit: Unit) -> tuple[str, ...]:
    """Ids of the accessories that a unit wears."""
    return sheet_of(rules, unit).accessories if unit.overrides.accessories is None else unit.overrides.accessories


def givable(rules: Ruleset) -> Mapping[str, str]:
    """Labels of all gear that the GM may give, by id."""
    return {
        one.id: one.label
        for table in (rules.gear.accessories, rules.gear.armour, rules.gear.weapons)
        for one in table.values()
    }


def carried(rules: Ruleset, unit: Unit) -> Mapping[str, str]:
    """Labels of a unit's gear, by id: its weapons, then armour and accessories."""
    known = givable(rules)
    worn = (armour_of(rules, unit), *accessories_of(rules, unit))
    return {item: known[item] for item in (*unit.gear.weapons, *filter(None, worn))}


def attachments(rules: Ruleset) -> Mapping[str, str]:
    """Labels of what may be fitted to a weapon for a whole battle, by the condition's id."""
    known = rules.units.conditions.values()
    return {one.id: one.label for one in known if one.about == "weapon" and one.until == "battle end"}


def unknown_in(character: Character, rules: Ruleset) -> Iterator[tuple[str, str, Collection[str]]]:
    """What a character has that a ruleset does not know: the kind of thing, its name, and what is known."""
    fitted = attachments(rules)
    yield from unknown_stats(character.stats, rules)
    named: tuple[tuple[str, Iterable[str], Collection[str]], ...] = (
        ("weapon", character.weapons, rules.gear.weapons),
        ("armour", filter(None, [character.armour]), rules.gear.armour),
        ("accessory", character.accessories, rules.gear.accessories),
        ("weapon", (weapon for weapon, _ in character.rounds), character.weapons),
        ("attachment", (condition for condition, _ in character.attachments), fitted),
        ("weapon", (weapon for _, weapon in character.attachments), character.weapons),
        ("pool", (pool for pool, _ in character.pools), rules.units.pools),
        ("condition", character.conditions, rules.units.conditions),
    )
    yield from ((what, name, known) for what, names, known in named for name in names if name not in known)


def unknown_stats(stats: Iterable[tuple[str, StatValue]], rules: Ruleset) -> Iterator[tuple[str, str, Collection[str]]]:
    """Stats that a ruleset does not know, and values that a stat cannot have, as `unknown_in` gives them."""
    for stat, value in stats:
        known = rules.units.stats.get(stat)
        if known is None:
            yield "stat", stat, rules.units.stats
        elif not known.accepts(value):
            yield f"value of {known.label}", shown(value), [known.allowed]
