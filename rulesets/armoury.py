"""Weapons, armour and what is worn besides, read from `weapons.toml`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.rules.expressions import Template, compile_template
from engine.rules.model import WEAPON_KINDS, Stat, Value, Weapon
from engine.rules.sheets import Accessory, Armour
from engine.rules.stats import NUMBER
from engine.rules.syntax import ExpressionError
from engine.toml_reader import Document, Reader
from rulesets import value_readers
from rulesets.stats import read_stats


class Armoury(Struct, frozen=True):
    """Everything in `weapons.toml`."""

    weapons: Mapping[str, Weapon]
    armour: Mapping[str, Armour]
    accessories: Mapping[str, Accessory]
    entries: Mapping[str, Reader]
    """Where each weapon without a problem was read."""
    summary: tuple[Template, ...] = ()


def read_armoury(
    document: Document, fields: Mapping[str, Value], magazine_field: str, stats: Mapping[str, Stat]
) -> Armoury:
    """`[[weapon]]`, `[[armour]]` and `[[accessory]]`."""
    root = document.root
    weapons: dict[str, Weapon] = {}
    entries: dict[str, Reader] = {}
    for entry in root.tables("weapon"):
        before = len(document.problems)
        weapon = _read_weapon(entry, weapons, fields)
        if magazine_field:
            entry.whole(magazine_field, 0, least=0)
        weapons[weapon.id] = weapon
        if len(document.problems) == before:
            entries[weapon.id] = entry
    armour: dict[str, Armour] = {}
    for entry in root.tables("armour"):
        name = value_readers.hyphened(entry, "id", armour, "the armour")
        found = Armour(
            name, value_readers.label(entry), read_stats(entry.table("stats"), stats), value_readers.bare_origin(entry)
        )
        armour[name] = found
        entry.finish()
    numbers = {name: stat for name, stat in stats.items() if stat.kind == NUMBER}
    accessories: dict[str, Accessory] = {}
    for entry in root.tables("accessory"):
        name = value_readers.hyphened(entry, "id", accessories, "the accessory")
        adds = read_stats(entry.table("adds"), numbers, are_added=True) if entry.has("adds") else {}
        own = read_stats(entry.table("stats"), stats) if entry.has("stats") else {}
        if not adds and not own:
            entry.problem(None, "the accessory has no effect; expected adds = { … } or stats = { … }")
        accessories[name] = Accessory(name, value_readers.label(entry), adds, own, value_readers.bare_origin(entry))
        entry.finish()
    if not weapons:
        root.problem(None, "[[weapon]] is missing; expected at least one, such as a fist")
    summary = _read_summary(root, fields)
    root.finish()
    return Armoury(weapons, armour, accessories, entries, summary)


def _read_summary(root: Reader, fields: Mapping[str, Value]) -> tuple[Template, ...]:
    """`summary`: what lists say of a weapon; each text asks for fields of weapons alone."""
    sample = {f"weapon.{name}": value for name, value in fields.items()}
    found = []
    for place, text in enumerate(root.texts("summary", (), most=value_readers.MOST_TEXT)):
        try:
            found.append(compile_template(text, sample))
        except ExpressionError as error:
            root.document.note((*root.path, "summary", place), error.message, offset=error.column)
    return tuple(found)


def _read_weapon(entry: Reader, taken: Mapping[str, Weapon], fields: Mapping[str, Value]) -> Weapon:
    name = value_readers.hyphened(entry, "id", taken, "the weapon")
    kind = entry.text("kind", choices=WEAPON_KINDS)
    values = {
        field: value_readers.value_like(entry, field, default) if entry.has(field) else default
        for field, default in fields.items()
    }
    weapon = Weapon(name, value_readers.label(entry), kind, values, value_readers.bare_origin(entry))
    entry.finish()
    return weapon
