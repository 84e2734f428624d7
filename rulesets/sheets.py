"""Sheets: what a unit of each role is under a ruleset, read from `sheets.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.battle.state.units import ROLES
from engine.rules.model import Pool, Stat
from engine.rules.sheets import Accessory, Sheet, worn_stats
from engine.rules.syntax import ExpressionError
from engine.toml_reader import Reader, described, quoted
from rulesets import value_readers
from rulesets.armoury import Armoury
from rulesets.stats import read_stats
from rulesets.value_readers import Sample, labels


def read_sheets(
    root: Reader, stats: Mapping[str, Stat], pools: Mapping[str, Pool], armoury: Armoury, start: Sample
) -> dict[str, Sheet]:
    """`[[sheet]]`: one for each role, more where a ruleset has roles of its own.

    `start` is what the start of a pool may ask for.
    """
    defaults = {stat.id: stat.default for stat in stats.values()}
    sheets: dict[str, Sheet] = {}
    for entry in root.tables("sheet"):
        role = value_readers.hyphened(entry, "role", sheets, "the sheet for")
        armour = entry.text("armour", "")
        suit = armoury.armour.get(armour)
        if armour and suit is None:
            entry.problem("armour", value_readers.unknown("armour", armour, labels(armoury.armour)))
        own = read_stats(entry.table("stats"), stats)
        accessories = _accessories(entry, armoury)
        found = worn_stats(defaults, own, suit, accessories)
        sheets[role] = Sheet(
            role,
            value_readers.label(entry),
            found,
            _weapons(entry, armoury),
            armour if suit else "",
            value_readers.bare_origin(entry),
            tuple(accessory.id for accessory in accessories),
            own,
            read_innate(entry, armoury) if entry.has("innate_weapons") else None,
        )
        _check_pools(entry, {**start, **{f"unit.{name}": value for name, value in found.items()}}, pools)
        entry.finish()
    missing = [role for role in ROLES if role not in sheets]
    if missing:
        root.problem(None, f"sheets are missing for the roles {', '.join(missing)}; maps use them")
    root.finish()
    return sheets


def read_innate(entry: Reader, armoury: Armoury) -> tuple[str, ...]:
    """`innate_weapons`: what every unit has, or each of one sheet, which may be nothing; the first is the usual one."""
    weapons = _known(entry, "innate_weapons", armoury)
    magazines = [weapon for weapon in weapons if armoury.weapons[weapon].kind == "thrown"]
    if magazines:
        entry.problem("innate_weapons", f"{quoted(magazines[0])} is thrown; an innate weapon cannot be lost")
    return weapons


def _weapons(entry: Reader, armoury: Armoury) -> tuple[str, ...]:
    """`weapons`: those that it carries, the first in hand; left out where it has its innate ones alone."""
    weapons = _known(entry, "weapons", armoury)
    if entry.has("weapons") and not weapons:
        entry.problem("weapons", "weapons is empty; leave it out where the sheet has innate weapons alone")
    return weapons


def _known(entry: Reader, key: str, armoury: Armoury) -> tuple[str, ...]:
    """Ids of weapons, each once."""
    named = entry.texts(key, ())
    for weapon in named:
        if weapon not in armoury.weapons:
            entry.problem(key, value_readers.unknown("weapon", weapon, labels(armoury.weapons)))
    if len(set(named)) < len(named):
        entry.problem(key, f"{key} must list each weapon once")
    return tuple(weapon for weapon in dict.fromkeys(named) if weapon in armoury.weapons)


def _accessories(entry: Reader, armoury: Armoury) -> list[Accessory]:
    named = entry.texts("accessories") if entry.has("accessories") else ()
    for name in named:
        if name not in armoury.accessories:
            entry.problem("accessories", value_readers.unknown("accessory", name, labels(armoury.accessories)))
    if len(set(named)) < len(named):
        entry.problem("accessories", "accessories must list each accessory once")
    return [armoury.accessories[name] for name in named if name in armoury.accessories]


def _check_pools(entry: Reader, facts: Sample, pools: Mapping[str, Pool]) -> None:
    for pool in pools.values():
        try:
            start = pool.start.evaluate(facts)
        except ExpressionError as error:
            entry.problem("stats", f"the start of {quoted(pool.id)} cannot be calculated for this sheet: {error}")
            continue
        if isinstance(start, bool) or not isinstance(start, (int, Fraction)) or start < 0:
            entry.problem("stats", f"{quoted(pool.id)} starts at {described(start)} for this sheet; expected 0 or more")
