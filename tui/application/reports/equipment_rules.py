"""The rule book on stats, weapons, armour, accessories and stat blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.rules.model import (
    Ruleset,
    Sheet,
    Stat,
    Value,
    Weapon,
)
from engine.rules.sheets import Accessory, Armour
from tui.application.reports.rule_book import (
    INDENT,
    flat,
    rule_lines,
    value_text,
)
from tui.application.terminal.output import hanging_table, wrapped


def weapon_lines(weapon: Weapon, rules: Ruleset) -> list[str]:
    held = {**rules.gear.weapon_fields, **weapon.fields}
    details = [
        name.replace("_", " ") if value is True else f"{name.replace('_', ' ')} {value_text(value)}"
        for name, value in held.items()
        if value != rules.gear.weapon_fields.get(name)
    ]
    return rule_lines(
        f"{weapon.label} ({weapon.kind}, {weapon.id})", [", ".join(details)] if details else [], weapon.origin
    )


def stat_lines(group: str, rules: Ruleset) -> list[str]:
    """The stats of a group under its name: what each may be, its default, what it does."""
    rows = [_stat_row(stat) for stat in rules.units.stats.values() if stat.group == group]
    return [*wrapped(group, INDENT), *flat(hanging_table(rows, INDENT + 4))]


def stat_rows(stat: Stat) -> list[str]:
    """One stat: what it may be, its default, what it does."""
    return flat(hanging_table([_stat_row(stat)], INDENT))


def _stat_row(stat: Stat) -> tuple[str, ...]:
    return stat.label, stat.allowed, f"default {value_text(stat.labelled(stat.default))}", stat.help


def innate_words(whose: str, weapons: Iterable[str], rules: Ruleset) -> list[str]:
    """A line such as "Innate weapons of every unit: Bare hands, Feet. Always ready, never lost."; none without one."""
    labels = ", ".join(rules.gear.weapons[weapon].label for weapon in weapons if weapon in rules.gear.weapons)
    return wrapped(f"{whose}: {labels}. Always ready, never lost.", INDENT) if labels else []


def sheet_lines(sheet: Sheet, rules: Ruleset) -> list[str]:
    gear = rules.gear
    carries = [gear.weapons[weapon].label if weapon in gear.weapons else weapon for weapon in sheet.weapons]
    suit = [gear.armour[sheet.armour].label] if sheet.armour in gear.armour else []
    worn = ", ".join([*suit, *(gear.accessories[one].label for one in sheet.accessories if one in gear.accessories)])
    details = [f"carries {', '.join(carries) or 'nothing'}; wears {worn or 'nothing'}", stat_words(sheet.stats, rules)]
    if sheet.innate_weapons is not None:
        own = [gear.weapons[weapon].label for weapon in sheet.innate_weapons if weapon in gear.weapons]
        details.insert(1, f"innate weapons: {', '.join(own) or 'none'}")
    return rule_lines(f"{sheet.label} ({sheet.role})", details, sheet.origin)


def worn_lines(worn: Armour | Accessory, facts: Iterable[str]) -> list[str]:
    return rule_lines(f"{worn.label} ({worn.id})", filter(None, facts), worn.origin)


def accessory_words(worn: Accessory, rules: Ruleset) -> list[str]:
    adds = stat_words(worn.adds, rules)
    return [f"adds {adds}" if adds else "", stat_words(worn.stats, rules)]


def stat_words(stats: Mapping[str, Value], rules: Ruleset) -> str:
    known = {name: value for name, value in stats.items() if name in rules.units.stats}
    held = {
        rules.units.stats[name].label: rules.units.stats[name].labelled(value)
        for name, value in known.items()
        if value is not False
    }
    return "; ".join(label if value is True else f"{label}: {value_text(value)}" for label, value in held.items())
