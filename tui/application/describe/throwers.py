"""Who has something to throw, in words."""

from __future__ import annotations

from engine.battle.attacks.attack_choices import thrown_weapons
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.rules.model import Ruleset


def throwers_words(battle: Battle, rules: Ruleset, unit: Unit) -> str:
    """Which other unit has something to throw, one of its own side first; else how the GM gives the unit one.

    As "Spark has 3 × Fragmentation grenade" or "nobody has: “give todd frag-grenade” gives one".
    """
    others = sorted(battle.units.values(), key=lambda one: one.side != unit.side)
    for other in others:
        known = [] if other is unit or other.is_defeated else thrown_weapons(rules, other)
        for name in known:
            count, weapon = other.gear.rounds.get(name), rules.gear.weapons[name]
            if weapon.kind == "thrown" and count != 0:
                return f"{other.name} has {f'{count} × ' if count else ''}{weapon.label}"
    made = [weapon.id for weapon in rules.gear.weapons.values() if weapon.kind == "thrown"]
    return f"nobody has: “give {unit.id} {made[0]}” gives one" if made else "nobody has"


def carriers_words(battle: Battle, rules: Ruleset, name: str) -> str:
    """Which units in the fight carry a weapon with the words in its name; "" where the ruleset has no such weapon.

    As "Spark has 3 × Fragmentation grenade; Ox has 1 × Smoke grenade."; “something to throw” is everything thrown.
    """
    weapons = rules.gear.weapons.values()
    meant = [one.id for one in weapons if name in f"{one.id} {one.label} {one.kind}".casefold()]
    if name == "something to throw":
        meant += [one.id for one in weapons if one.kind == "thrown" and one.id not in meant]
    if not meant:
        return ""
    found = []
    for unit in battle.units.values():
        for weapon in (rules.gear.weapons[id] for id in unit.gear.weapons if id in meant and not unit.is_defeated):
            count = unit.gear.rounds.get(weapon.id) if weapon.kind == "thrown" else None
            if count != 0:
                found.append(f"{unit.name} has {f'{count} × ' if count else ''}{weapon.label}")
    first = next(iter(battle.units), "")
    return f"{'; '.join(found)}." if found else f"Nobody has one: “give {first} {meant[0]}” gives one."
