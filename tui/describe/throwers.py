"""Who has something to throw, in words."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import thrown_weapons
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
