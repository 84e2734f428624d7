"""Sheets: stats, weapons and gear of a unit of a role under a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from engine.rules.functions import Value
from engine.rules.origin import Origin


class Armour(Struct, frozen=True):
    """A suit: the stats of its wearer that it sets."""

    id: str
    label: str
    stats: Mapping[str, Value]
    origin: Origin


class Accessory(Struct, frozen=True):
    """Gear worn besides armour: what it adds to numbers, and stats that it sets."""

    id: str
    label: str
    adds: Mapping[str, Value]
    stats: Mapping[str, Value]
    origin: Origin


class Sheet(Struct, frozen=True):
    """The archetype for a role: stats, weapons and gear under this ruleset. Stats include what it wears."""

    role: str
    label: str
    stats: Mapping[str, Value]
    weapons: tuple[str, ...]
    """Weapon ids; the first is in hand when the battle starts."""
    armour: str
    origin: Origin
    accessories: tuple[str, ...] = ()
    own: Mapping[str, Value] = {}
    """Stats that it states itself; they count before those of its armour."""
    innate_weapons: tuple[str, ...] | None = None
    """Ids of its innate weapons, where they are others than the ruleset's; None for those."""


def worn_stats(
    defaults: Mapping[str, Value], own: Mapping[str, Value], suit: Armour | None, accessories: Iterable[Accessory]
) -> dict[str, Value]:
    """Stats with what is worn: a suit's unless they are a sheet's own, then what accessories set and add."""
    found = {**defaults, **(suit.stats if suit else {}), **own}
    for accessory in accessories:
        found |= accessory.stats
        found |= {name: _sum(found[name], more) for name, more in accessory.adds.items()}
    return found


def _sum(one: Value, more: Value) -> Value:
    """Two numbers together; `adds` has no others."""
    if isinstance(one, bool | str) or isinstance(more, bool | str):
        return one
    total = one + more
    return total if isinstance(total, int) or total.denominator != 1 else total.numerator
