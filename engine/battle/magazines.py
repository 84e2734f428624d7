"""Magazines: how many rounds a weapon holds, larger magazines included."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from engine.battle.state.units import Unit
from engine.rules.model import Ruleset


def magazine(rules: Ruleset, weapon: str, unit: Unit | None = None) -> int:
    """Rounds in a full magazine, rounded down; 0 where none are counted.

    Args:
        rules: the ruleset.
        weapon: its id.
        unit: who carries it: its conditions may say that the weapon holds more. Without one, as the weapon is made.
    """
    if not rules.gear.magazine_field or weapon not in rules.gear.weapons:
        return 0
    full = rules.gear.weapons[weapon].fields.get(rules.gear.magazine_field, 0)
    if not isinstance(full, int):
        return 0
    times = Fraction(1)
    for condition, about in unit.about.items() if unit else ():
        held = rules.units.conditions.get(condition)
        if held is not None and held.about == "weapon" and about == weapon:
            times *= held.magazine
    return floor(full * times)
