"""Starting a battle: a map's placements and a ruleset's sheets become units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.battle import events as ev
from engine.battle.facts import circumstances
from engine.battle.gear import innate_weapons, sheet_of, stats_of, unknown_in, unknown_stats
from engine.battle.magazines import magazine
from engine.battle.state.battle import Battle
from engine.battle.state.characters import Character
from engine.battle.state.units import Gear, Placement, Turn, Unit, UnitOverrides
from engine.context import Cache
from engine.errors import Unknown
from engine.geometry.battlefield import Battlefield
from engine.rules.formula_values import whole_down
from engine.rules.model import Ruleset, Value
from engine.values import replace

POOLS: Cache[dict[str, int]] = Cache(256)
"""What the pools of each kind of unit are at the start."""


def check_character(character: Character, rules: Ruleset) -> None:
    """Raises Unknown, which names the nearest, where a character has what the ruleset does not know."""
    _refuse(unknown_in(character, rules), rules)


def _refuse(unknown: Iterable[tuple[str, str, Iterable[str]]], rules: Ruleset) -> None:
    for what, name, known in unknown:
        raise Unknown(f"{what} of {rules.name}", name, known)


def enlist(placement: Placement, rules: Ruleset) -> Unit:
    """A unit as its character has it; without one fresh and fully loaded, with its own sheet where the ruleset has that
    one, else with that for its role.

    Raises:
        Unknown: the ruleset has no sheet for the role, or does not know what the character has.
    """
    own = placement.character
    _refuse(unknown_stats(placement.stats, rules), rules)
    role = placement.sheet if placement.sheet in rules.units.sheets else placement.role
    if placement.character_file and own is None:
        raise Unknown("character", placement.character_file, ())
    if own:
        check_character(own, rules)
        role = own.role or ("opponent" if own.is_opponent else "character")
    elif role not in rules.units.sheets:
        raise Unknown(f"sheet of {rules.name}", role, rules.units.sheets)
    unit = Unit(
        id=placement.id,
        name=placement.name,
        role=role,
        side=placement.side,
        at=placement.at,
        facing=placement.facing,
        posture=placement.posture,
        size=placement.size,
        altitude=placement.altitude,
        gear=Gear(),
        pools={},
        turn=Turn(start=placement.at),
        conditions=own.conditions if own else (),
        about=dict(own.attachments) if own else {},
        is_neutral=placement.is_neutral,
        is_hidden=placement.is_hidden,
        character=own,
        overrides=UnitOverrides(stats=placement.stats),
    )
    if own:
        unit = replace(unit, conditions=(*unit.conditions, *unit.about))
    weapons = tuple(dict.fromkeys((*sheet_of(rules, unit).weapons, *innate_weapons(rules, unit))))
    rounds = {weapon: full for weapon in weapons if (full := magazine(rules, weapon, unit))}
    rounds |= {weapon: min(left, rounds[weapon]) for weapon, left in (own.rounds if own else ()) if weapon in rounds}
    gear = Gear(weapons=weapons, weapon=weapons[0] if weapons else "", rounds=rounds)
    return replace(unit, gear=gear, pools=pools_of(rules, unit) | dict(own.pools if own else ()))


def set_up(field: Battlefield, rules: Ruleset) -> Battle:
    """An empty battle on a map, before its first event: on its field one sees as these rules have it."""
    sight = rules.space.sight
    if sight is None:
        return Battle(field)
    smoke = sight.smoke if sight.smoke.obscures else field.smoke_opacity
    return Battle(replace(field, smoke_opacity=smoke, sight=sight.model))


def begin(
    placements: Iterable[Placement], rules: Ruleset, seed: str, party: str = "", encounter: str = ""
) -> ev.BattleBegan:
    """The first event of a battle."""
    return ev.BattleBegan(tuple(enlist(placement, rules) for placement in placements), seed, party, encounter)


def pools_of(rules: Ruleset, unit: Unit) -> dict[str, int]:
    """Each pool of a unit at its start."""
    layers = (
        rules.units.pools,
        rules.units.stats,
        rules.units.sheets,
        rules.rulings,
        rules.gear.armour,
        rules.gear.accessories,
    )
    return dict(POOLS.get(layers, (unit.role, unit.character, unit.overrides), lambda: _pools_of(rules, unit)))


def _pools_of(rules: Ruleset, unit: Unit) -> dict[str, int]:
    facts = {f"unit.{name}": value for name, value in stats_of(rules, unit).items()}
    facts |= {f"ruling.{ruling.id}": ruling.value for ruling in rules.rulings.values()}
    return {pool.id: whole_down(pool.start, facts) for pool in rules.units.pools.values()}


def full_facts(rules: Ruleset, unit: Unit, prefix: str) -> dict[str, Value]:
    """Pools of a unit at their start, as facts for effects that restore them."""
    return {f"{prefix}.{pool}.full": full for pool, full in pools_of(rules, unit).items()}


def full_budget(battle: Battle, rules: Ruleset, unit: Unit) -> dict[str, int]:
    """Budgets of a unit at the start of its turn."""
    return budget_from(rules, circumstances(battle, rules, unit))


def budget_from(rules: Ruleset, facts: Mapping[str, Value]) -> dict[str, int]:
    """Budgets at the start of a turn of the unit that these facts, as `circumstances` gives them, are of."""
    return {budget.id: whole_down(budget.start, facts) for budget in rules.units.budgets.values()}
