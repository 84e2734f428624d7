"""What the words in capitals of a line may be: the names that a battle, its ruleset and the program have for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.battle.commands.references import REFERENCES
from engine.battle.gear import carried
from engine.battle.state.units import Unit
from engine.errors import Illegal, Unknown
from engine.geometry.squares import Direction
from maps import palette
from maps.groups import load_groups
from tui.commands.naming import Missing, Names, Words, names_of, skip, take, take_whole, unit_names
from tui.commands.results import Setting
from tui.settings.folders import group_file
from tui.settings.settings import TITLES

SIDES = (Direction.N, Direction.E, Direction.S, Direction.W)


def _alike(names: Iterable[str]) -> Names:
    return names_of((name, name) for name in names)


def _actions(kind: str) -> Callable[[Setting, Iterable[Unit]], Names]:
    return lambda setting, units: names_of(
        (action.id, action.label) for action in setting.rules.actions.values() if action.kind == kind
    )


def _weapons(setting: Setting, units: Iterable[Unit]) -> Names:
    weapons = setting.rules.gear.weapons
    return names_of((weapon, weapons[weapon].label) for unit in units for weapon in unit.gear.weapons)


KINDS: Mapping[str, tuple[str, Callable[[Setting, Iterable[Unit]], Names]]] = {
    "UNIT": ("unit", lambda setting, units: unit_names(setting.battle)),
    "UNITS": (
        "unit",
        lambda setting, units: {**unit_names(setting.battle), **_alike(unit.side for unit in units)},
    ),
    "MOVE": ("move", _actions("move")),
    "ATTACK": ("attack", _actions("attack")),
    "ACTION": ("action", _actions("other")),
    "WEAPON": ("weapon of {unit}", _weapons),
    "GEAR": (
        "weapon or armour of {unit}",
        lambda setting, units: names_of(pair for unit in units for pair in carried(setting.rules, unit).items()),
    ),
    "ITEM": (
        "weapon or armour of {rules}",
        lambda setting, units: names_of(REFERENCES["item"].known(setting.battle, setting.rules).items()),
    ),
    "STAT": (
        "stat",
        lambda setting, units: names_of((one.id, one.label) for one in setting.rules.units.stats.values()),
    ),
    "DEFENCE": (
        "defence",
        lambda setting, units: names_of((one.id, one.label) for one in setting.rules.attack.defences),
    ),
    "REACTION": ("reaction", lambda setting, units: _alike(one.id for one in setting.rules.turns.reactions)),
    "DIRECTION": ("direction", lambda setting, units: _alike(way.name for way in Direction)),
    "ROLE": ("role", lambda setting, units: _alike(setting.rules.units.sheets)),
    "GROUP": (
        "group",
        lambda setting, units: names_of((group.id, group.name) for group in load_groups(group_file()).values()),
    ),
    "GROUND": ("ground or thing", lambda setting, units: _alike((*palette.TERRAINS, *palette.THINGS))),
    "THIN": ("thin thing", lambda setting, units: _alike(palette.EDGES)),
    "PANEL": (
        "panel",
        lambda setting, units: names_of((name, title.removeprefix("the ")) for name, title in TITLES.items()),
    ),
}
"""What messages call a kind of name, and what there is of it; the engine's kinds are in `REFERENCES`."""


def known(kind: str, setting: Setting, unit: Unit | None = None) -> Names | None:
    """Every name of a kind, of the unit's own things where they are its; None for a kind without names."""
    if kind in KINDS:
        return KINDS[kind][1](setting, [unit] if unit else setting.battle.units.values())
    if found := REFERENCES.get(kind.casefold()):
        return names_of(found.known(setting.battle, setting.rules).items())
    return None


def what_is(kind: str, setting: Setting, unit: Unit | None = None) -> str:
    """What messages call a kind of name."""
    what = KINDS[kind][0] if kind in KINDS else REFERENCES[kind.casefold()].what
    return what.format(unit=unit.name if unit else "anybody", rules=setting.rules.name)


def take_actor(words: Words, setting: Setting) -> tuple[Unit, Words]:
    """The unit that the line begins with, else the one that is meant where nobody is named.

    Raises:
        Illegal: there is neither.
    """
    names = unit_names(setting.battle)
    if found := take(skip(words, "the"), names):
        return setting.battle.unit(found[0]), found[1]
    if not setting.actor:
        raise Illegal("words", f"Say who: {', '.join(names)}.")
    return setting.battle.unit(setting.actor), words


def side_alone(words: Words, setting: Setting) -> str:
    """The side that the words are the name of; "" where they are not, or a unit is called so."""
    battle = setting.battle
    found = take_whole(words, _alike(unit.side for unit in battle.units.values()))
    return found[0] if found and not found[1] and take_whole(words, unit_names(battle)) is None else ""


def read_units(words: Words, setting: Setting) -> tuple[str, ...]:
    """Units one after another, or a side alone for all of it; at least one.

    Raises:
        Unknown: a word names no unit.
        Illegal: nobody is named.
    """
    if side := side_alone(words, setting):
        return tuple(unit.id for unit in setting.battle.units.values() if unit.side == side)
    names = unit_names(setting.battle)
    found: list[str] = []
    while words:
        taken = take(skip(words, "and", "with"), names)
        if taken is None:
            raise Unknown("unit", words[0], names)
        found.append(taken[0])
        words = taken[1]
    if not found:
        raise Missing("words", f"Say who: {', '.join(names)}.")
    return tuple(found)
