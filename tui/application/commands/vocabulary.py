"""Vocabulary: the names of each kind in a battle, its ruleset and the program, for words in CAPITALS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.battle.command import Command
from engine.battle.commands.references import REFERENCES
from engine.battle.commands.several_edits import EditUnits, UnitEdit
from engine.battle.gear import carried
from engine.battle.state.units import Unit
from engine.errors import Illegal, Unknown
from engine.geometry.squares import Direction
from engine.rules.model import Ruleset
from engine.rules.named_rules import named_rules
from maps import palette
from maps.groups import load_groups
from tui.application.commands.naming import (
    Missing,
    Names,
    Words,
    expect,
    names_of,
    skip,
    take,
    take_badges,
    take_part,
    take_unit,
    take_whole,
    unit_names,
)
from tui.application.commands.own_characters import side_names
from tui.application.commands.results import Setting
from tui.application.library.character_files import characters_for, read_parties
from tui.application.library.listings import known_maps, known_rulesets
from tui.application.settings.folders import group_file, map_folders, ruleset_folders
from tui.application.settings.settings import TITLES

ALL = "all"


def _alike(names: Iterable[str]) -> Names:
    return names_of((name, name) for name in names)


def action_names(rules: Ruleset, kind: str = "") -> Names:
    """Names of the actions of a kind, "" for all."""
    return names_of((action.id, action.label) for action in rules.actions.values() if kind in ("", action.kind))


def stat_names(rules: Ruleset) -> Names:
    """Names of stats: the id, the label, the initials, the pool that starts at the stat."""
    stats = rules.units.stats.values()
    names = {id: list(called) for id, called in names_of((one.id, one.label) for one in stats).items()}
    short = [(one.id, "".join(word[0] for word in one.label.casefold().split())) for one in stats if " " in one.label]
    short += [
        (stat.removeprefix("unit."), name.casefold())
        for pool in rules.units.pools.values()
        for stat in (pool.start.names if len(pool.start.names) == 1 else ())
        for name in (pool.id, pool.label)
    ]
    for id, name in short:
        is_free = not any(name in called for other, called in names.items() if other != id)
        if id in names and is_free and name not in names[id]:
            names[id].append(name)
    return {id: tuple(called) for id, called in names.items()}


def rule_names(rules: Ruleset) -> Names:
    """Names of the rules: the label as one word, and as it is written."""
    return {one.name: (one.name, one.label.casefold()) for one in named_rules(rules)}


def weapon_names(rules: Ruleset, *units: Unit) -> Names:
    """Names of the weapons of units."""
    return names_of((weapon, rules.gear.weapons[weapon].label) for unit in units for weapon in unit.gear.weapons)


KINDS: Mapping[str, tuple[str, Callable[[Setting, Iterable[Unit]], Names]]] = {
    "UNIT": ("unit", lambda setting, units: unit_names(setting.battle)),
    "UNITS": (
        "unit",
        lambda setting, units: {**unit_names(setting.battle), **side_names(unit.side for unit in units)},
    ),
    "MOVE": ("move", lambda setting, units: action_names(setting.rules, "move")),
    "ATTACK": ("attack", lambda setting, units: action_names(setting.rules, "attack")),
    "ACTION": ("action", lambda setting, units: action_names(setting.rules, "other")),
    "WEAPON": ("weapon of {unit}", lambda setting, units: weapon_names(setting.rules, *units)),
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
        lambda setting, units: stat_names(setting.rules),
    ),
    "DEFENCE": (
        "defence",
        lambda setting, units: names_of((one.id, one.label) for one in setting.rules.attack.defences),
    ),
    "REACTION": ("reaction", lambda setting, units: _alike(one.id for one in setting.rules.turns.reactions)),
    "RULE": ("rule", lambda setting, units: rule_names(setting.rules)),
    "DIRECTION": ("direction", lambda setting, units: _alike(direction.name for direction in Direction)),
    "ROLE": (
        "character or role",
        lambda setting, units: {
            **names_of((role, sheet.label) for role, sheet in setting.rules.units.sheets.items()),
            **names_of(characters_for(setting.rules).items()),
        },
    ),
    "CHARACTER": ("character", lambda setting, units: names_of(characters_for(setting.rules).items())),
    "PARTY": ("party", lambda setting, units: names_of((one.id, one.name) for one in read_parties().values())),
    "ZONE": ("zone", lambda setting, units: _alike(zone.id for zone in setting.battle.field.zones)),
    "MAP": ("map", lambda setting, units: _alike(known_maps(map_folders()))),
    "RULESET": ("ruleset", lambda setting, units: _alike(known_rulesets(ruleset_folders()))),
    "GROUP": (
        "group",
        lambda setting, units: names_of((group.id, group.name) for group in load_groups(group_file()).values()),
    ),
    "GROUND": ("ground or object", lambda setting, units: _alike((*palette.TERRAINS, *palette.THINGS))),
    "BARRIER": ("barrier", lambda setting, units: _alike(palette.EDGES)),
    "PANEL": (
        "panel",
        lambda setting, units: names_of(TITLES.items()),
    ),
}
"""The noun of each kind in messages, and its names; the engine's kinds are in `REFERENCES`."""


def known(kind: str, setting: Setting, unit: Unit | None = None) -> Names | None:
    """All names of a kind, of the unit if it owns them; None for a kind without names."""
    if kind in KINDS:
        return KINDS[kind][1](setting, [unit] if unit else setting.battle.units.values())
    if found := REFERENCES.get(kind.casefold()):
        return names_of(found.known(setting.battle, setting.rules).items())
    return None


def what_is(kind: str, setting: Setting, unit: Unit | None = None) -> str:
    """The noun of a kind in messages."""
    what = KINDS[kind][0] if kind in KINDS else REFERENCES[kind.casefold()].what
    return what.format(unit=unit.name if unit else "any unit", rules=setting.rules.name)


USUAL_EXAMPLES: Mapping[str, str] = {
    "unit": "todd",
    "other": "bandit",
    "side": "outlaws",
    "stat": "dexterity",
    "pool": "fatigue",
    "condition": "dodging",
}
"""Example names without a battle, for the handbook."""


def examples(setting: Setting) -> Mapping[str, str]:
    """Example names: units of the battle, and stats, pools and conditions of its ruleset."""
    units, rules = [unit for unit in setting.battle.units.values() if not unit.is_defeated], setting.rules.units
    actor = next((unit for unit in units if unit.id == setting.actor), units[0] if units else None)
    other = next((unit for unit in units if actor and unit.side != actor.side), units[-1] if units else None)
    found = {
        "unit": actor.id if actor else "",
        "other": other.id if other else "",
        "side": other.side if other else "",
        "stat": next((stat.id for stat in rules.stats.values() if not isinstance(stat.default, bool | str)), ""),
        "pool": next(iter([*rules.pools][1:2] or rules.pools), ""),
        "condition": next((one.id for one in rules.conditions.values() if not one.about), ""),
    }
    return {**USUAL_EXAMPLES, **{name: value for name, value in found.items() if value}}


def take_actor(words: Words, setting: Setting, *, has_sign: bool = True) -> tuple[Unit, Words]:
    """Parses the acting unit, by default the context's.

    Args:
        words: the typed words.
        setting: the context.
        has_sign: whether the first word may be the unit's letter or digit on the board.

    Raises:
        Illegal: there is neither.
    """
    names = unit_names(setting.battle)
    said = skip(words, "the")
    if found := take_unit(said, names, is_exact=True) if has_sign else take(said, names):
        return setting.battle.unit(found[0]), found[1]
    if not setting.actor:
        raise Illegal("words", f"Type the unit: {', '.join(names)}.")
    return setting.battle.unit(setting.actor), words


def read_units(words: Words, setting: Setting) -> tuple[str, ...]:
    """Parses at least one unit, with commas or without.

    Each is a unit, a side for all of it, "all" for all that are in the fight, "group" and one of a group for all of
    that, what numbered units are called for all of them, or some of a letter: "todd", "outlaws", "group goon-1",
    "goons" for goon-1 …, "g*", "g1-3".

    Raises:
        Unknown: a word names no unit.
        Illegal: there is no name, or it is ambiguous.
    """
    words = " ".join(words).replace(",", " ").split()
    found: list[str] = []
    while words:
        units, words = _units(skip(words, "and", "with"), setting)
        found += units
    if not found:
        raise Missing("words", f"Type the unit: {', '.join(unit_names(setting.battle))}.")
    return tuple(dict.fromkeys(found))


def several(edits: Iterable[UnitEdit]) -> Command:
    """One edit as it is, several as one command, which one undo takes back."""
    found = tuple(edits)
    return found[0] if len(found) == 1 else EditUnits(found)


def take_some(words: Words, setting: Setting) -> tuple[tuple[str, ...], Words]:
    """Parses one unit, by any of its names, or some by their badges as "g1-3", and the rest of the words.

    Raises:
        as `read_units`.
    """
    if some := take_badges(words, setting.battle):
        return tuple(some[0]), some[1]
    unit, words = expect("unit", words, unit_names(setting.battle))
    return (unit,), words


def take_units(words: Words, setting: Setting) -> tuple[tuple[str, ...], Words]:
    """Parses the units that the first words name in full, at least one, and the rest of the words.

    Raises:
        as `read_units`.
    """
    names, found = unit_names(setting.battle), list[str]()
    sides = side_names(unit.side for unit in setting.battle.units.values())
    known = {called for each in (names, sides) for every in each.values() for called in every}
    words = [word[:-1] if word.endswith(",") and word[:-1].casefold() in known else word for word in words]
    first, words = _units(words, setting)
    found += first
    while words:
        rest = skip(words, "and")
        if not (take_whole(rest, names) or take_whole(rest, sides) or take_badges(rest, setting.battle)):
            break
        more, words = _units(rest, setting)
        found += more
    return tuple(dict.fromkeys(found)), words


def _units(words: Words, setting: Setting) -> tuple[Sequence[str], Words]:
    """Parses the units that the first words name, and the rest of the words."""
    battle, names = setting.battle, unit_names(setting.battle)
    sides = side_names(unit.side for unit in battle.units.values())
    for named in (words, skip(words, "the")):  # a side may be called “the ghosts”
        if named and (taken := take_whole(named, names)):
            return [taken[0]], taken[1]
        if named and (side := take_whole(named, sides)):
            return [unit.id for unit in battle.units.values() if unit.side == side[0]], side[1]
    words = skip(words, "the")
    if words and words[0].casefold() == ALL:
        return [unit.id for unit in battle.units.values() if not unit.is_defeated], words[1:]
    if len(words) > 1 and words[0].casefold() == "group":
        member, words = expect("unit", words[1:], names)
        return battle.turns.group_of(member), words
    if words and (some := take_badges(words, battle)):
        return some
    if words and (alike := _numbered(words[0], names)):
        return alike, words[1:]
    if taken := take_unit(words, names) or take_part(words, names):
        return [taken[0]], taken[1]
    if not words:
        raise Missing("words", f"Type the unit: {', '.join(names)}.")
    raise Unknown("unit", words[0], [*names, *dict.fromkeys(unit.side for unit in battle.units.values())])


def _numbered(word: str, names: Names) -> list[str]:
    """The numbered units of a name: "goon" or "goons" for Goon 1 and Goon 2."""
    stems = {word.casefold(), word.casefold().removesuffix("s")}
    return [
        id
        for id, called in names.items()
        if any(name != bare and bare.rstrip(" -") in stems for name in called for bare in (name.rstrip("0123456789"),))
    ]
