"""Gear of units: what they carry and wear, and what they may get."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.state.units import Unit
from engine.rules.model import Ruleset, Sheet


def armour_of(rules: Ruleset, unit: Unit) -> str:
    """Id of the armour that a unit wears; "" for none."""
    sheet = _sheet(rules, unit)
    return unit.overrides.armour if unit.overrides.armour is not None else sheet.armour if sheet else ""


def accessories_of(rules: Ruleset, unit: Unit) -> tuple[str, ...]:
    """Ids of the accessories that a unit wears."""
    sheet = _sheet(rules, unit)
    return unit.overrides.accessories if unit.overrides.accessories is not None else sheet.accessories if sheet else ()


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


def _sheet(rules: Ruleset, unit: Unit) -> Sheet | None:
    return rules.units.sheets.get(unit.role)
