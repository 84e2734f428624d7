"""Starting a battle: a map's placements and a ruleset's sheets become units."""

from __future__ import annotations

from collections.abc import Iterable

from engine.battle import events as ev
from engine.battle.facts import circumstances, sheet_facts
from engine.battle.magazines import magazine
from engine.battle.state.battle import Battle
from engine.battle.state.units import AS_THE_SHEET, Gear, Placement, Turn, Unit, UnitOverrides
from engine.context import Cache
from engine.errors import Unknown
from engine.geometry.battlefield import Battlefield
from engine.rules.formula_values import whole_down
from engine.rules.model import Ruleset, Value
from engine.values import replace

POOLS: Cache[dict[str, int]] = Cache(256)
"""What each role's pools are at the start."""


def enlist(placement: Placement, rules: Ruleset) -> Unit:
    """A unit with its own sheet where the ruleset has that one, else with that for its role, fresh and fully loaded.

    Raises:
        Unknown: the ruleset has no sheet for the role.
    """
    role = placement.sheet if placement.sheet in rules.units.sheets else placement.role
    if role not in rules.units.sheets:
        raise Unknown(f"sheet of {rules.name}", role, rules.units.sheets)
    sheet = rules.units.sheets[role]
    rounds = {weapon: magazine(rules, weapon) for weapon in sheet.weapons if magazine(rules, weapon)}
    return Unit(
        id=placement.id,
        name=placement.name,
        role=role,
        side=placement.side,
        at=placement.at,
        facing=placement.facing,
        posture=placement.posture,
        size=placement.size,
        altitude=placement.altitude,
        gear=Gear(weapons=sheet.weapons, weapon=sheet.weapons[0] if sheet.weapons else "", rounds=rounds),
        pools=full_pools(rules, role),
        turn=Turn(start=placement.at),
        is_neutral=placement.is_neutral,
        is_hidden=placement.is_hidden,
    )


def set_up(field: Battlefield, rules: Ruleset) -> Battle:
    """An empty battle on a map, before its first event: the field obscures sight as these rules have it."""
    sight = rules.space.sight
    return Battle(replace(field, smoke_opacity=sight.smoke) if sight and sight.smoke.obscures else field)


def begin(placements: Iterable[Placement], rules: Ruleset, seed: str) -> ev.BattleBegan:
    """The first event of a battle."""
    return ev.BattleBegan(tuple(enlist(placement, rules) for placement in placements), seed)


def full_pools(rules: Ruleset, role: str, overrides: UnitOverrides = AS_THE_SHEET) -> dict[str, int]:
    """Each pool at its start, for a role; with what the GM has changed (see `sheet_facts`)."""
    layers = (
        rules.units.pools,
        rules.units.stats,
        rules.units.sheets,
        rules.rulings,
        rules.gear.armour,
        rules.gear.accessories,
    )
    return dict(POOLS.get(layers, (role, overrides), lambda: _full_pools(rules, role, overrides)))


def _full_pools(rules: Ruleset, role: str, overrides: UnitOverrides) -> dict[str, int]:
    facts = {f"unit.{name}": value for name, value in sheet_facts(rules, role, overrides).items()}
    facts |= {f"ruling.{ruling.id}": ruling.value for ruling in rules.rulings.values()}
    return {pool.id: whole_down(pool.start, facts) for pool in rules.units.pools.values()}


def pools_of(rules: Ruleset, unit: Unit) -> dict[str, int]:
    """Each pool of a unit at its start."""
    return full_pools(rules, unit.role, unit.overrides)


def full_facts(rules: Ruleset, unit: Unit, prefix: str) -> dict[str, Value]:
    """Pools of a unit at their start, as facts for effects that restore them."""
    return {f"{prefix}.{pool}.full": full for pool, full in pools_of(rules, unit).items()}


def full_budget(battle: Battle, rules: Ruleset, unit: Unit) -> dict[str, int]:
    """Budgets of a unit at the start of its turn."""
    facts = circumstances(battle, rules, unit)
    return {budget.id: whole_down(budget.start, facts) for budget in rules.units.budgets.values()}
