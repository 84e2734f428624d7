"""O1: an attack's ledger, its exact odds with all that it comes to, and the ledgers of fifty against fifty."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import _lru_cache_wrapper, partial
from itertools import product
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.fields import generated
from benchmarks.measure import Row, medians
from engine.battle.apply import apply_all
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import consider, situation_and_ledger
from engine.battle.command import Attack
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.units import Placement, Unit
from engine.context import Context
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Square
from engine.rules import expressions
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset
from engine.values import replace
from rulesets import load_ruleset, shipped_rulesets

SIDE = 60
FIFTY = 50
USUAL = 30
EIGHT = 8
LEDGER, ALL = 1.0, 1000.0
COLD_LEDGER, COLD, COLD_AREA = 6.0, 20.0, 40.0
"""Milliseconds."""
COLD_ROUNDS = 7


def rows() -> Iterator[Row]:
    """Under every ruleset: a rifleman's attacks, the slowest of them; and every pair of two sides."""
    for name, folder in shipped_rulesets().items():
        rules = load_ruleset(folder)
        battle = facing(rules)
        attacks = _attacks(battle, rules)
        single = medians(*(partial(consider, battle, rules, attack) for attack in attacks))
        yield _row(f"ledger of an attack, {name}, the slowest of {len(attacks)}", max(single), LEDGER)
        usual = facing(rules, EIGHT, USUAL)
        attacks = _attacks(usual, rules)
        ledgers, chances = zip(*(_cold(usual, rules, attack) for attack in attacks), strict=True)
        yield _row(f"ledger with every cache empty, {name}, the slowest of {len(attacks)}", max(ledgers), COLD_LEDGER)
        yield _row(f"odds and outlook with every cache empty, {name}", max(chances), COLD)
        throws = [_cold(usual, rules, attack)[1] for attack in _throws(usual, rules)]
        if throws:
            yield _row(f"the same on an area, {name}, the slowest of {len(throws)}", max(throws), COLD_AREA)
        (every,) = medians(partial(_every_ledger, battle, rules), rounds=5)
        yield _row(f"{FIFTY} × {FIFTY} ledgers, {name}", every, ALL)


def facing(rules: Ruleset, each: int = FIFTY, side: int = SIDE) -> Battle:
    """Two sides of so many riflemen on a square map with some pillars."""
    random, field = Random("odds"), generated("scattered", side)
    free = [
        square
        for square in (Square(column, row) for column, row in product(range(side), range(side)))
        if not field.ground_at(square).blocks_movement
    ]
    places = random.sample(free, 2 * each)
    placements = [
        Placement(f"unit-{number}", f"Unit {number}", "rifleman", "one" if number < each else "other", at, Direction.N)
        for number, at in enumerate(places)
    ]
    return apply_all(Battle(field), [begin(placements, rules, "odds")])


def _attacks(battle: Battle, rules: Ruleset) -> list[Attack]:
    """Everything that the first unit can do with its weapon to the nearest enemy."""
    unit = battle.unit("unit-0")
    near = _nearest_enemy(battle)
    actions = attack_actions(rules, rules.gear.weapons[unit.gear.weapon])
    return [Attack(unit.id, near.id, unit.gear.weapon, action.id) for action in actions]


def _nearest_enemy(battle: Battle) -> Unit:
    """The enemy of the first unit that is nearest to it."""
    unit = battle.unit("unit-0")
    enemies = [other for other in battle.units.values() if other.side != unit.side]
    return min(enemies, key=lambda other: (other.at.column - unit.at.column) ** 2 + (other.at.row - unit.at.row) ** 2)


def _every_ledger(battle: Battle, rules: Ruleset) -> list[Ledger]:
    """Those of what each unit of one side can do to each of the other; more than are kept from one time to the next."""
    ids = list(battle.units)
    return [
        situation_and_ledger(battle, rules, Attack(one, other))[1] for one, other in product(ids[:FIFTY], ids[FIFTY:])
    ]


def _throws(battle: Battle, rules: Ruleset) -> list[Attack]:
    """What a grenadier can do on an area, at the nearest enemy's square or at the enemy where it must be somebody."""
    thrower, target = replace(battle.unit("unit-0"), role="grenadier"), _nearest_enemy(battle)
    found = []
    for weapon in rules.units.sheets["grenadier"].weapons:
        for action in attack_actions(rules, rules.gear.weapons[weapon]):
            attack = Attack(thrower.id, target.id, weapon, action.id)
            with suppress(BattleboardError):
                shot = with_odds(_armed(battle, weapon), rules, consider(_armed(battle, weapon), rules, attack))
                found += [attack] if shot.area_risks else []
    return found


def _armed(battle: Battle, weapon: str) -> Battle:
    """The battle with a weapon in the first unit's hand."""
    unit = battle.unit("unit-0")
    gear = replace(unit.gear, weapon=weapon, weapons=(weapon,), rounds={weapon: 100})
    return battle.with_unit(replace(unit, role="grenadier", gear=gear))


def _cold(battle: Battle, rules: Ruleset, attack: Attack) -> tuple[float, float]:
    """Median seconds of an attack's ledger, and of its odds after that, each time with every cache empty."""
    if attack.weapon not in battle.unit(attack.unit).gear.weapons:
        battle = _armed(battle, attack.weapon)
    ledgers, chances = [], []
    for _ in range(COLD_ROUNDS):
        forget()
        start = perf_counter()
        shot = consider(battle, rules, attack)
        between = perf_counter()
        with_odds(battle, rules, shot)
        ledgers.append(between - start)
        chances.append(perf_counter() - between)
    return median(ledgers), median(chances)


def forget() -> None:
    """Empty every cache of the engine, as in a new process; the ruleset stays read and its formulas compiled."""
    Context().use()
    modules = {name for name in sys.modules if name.startswith("engine.")} - {expressions.__name__}
    for found in gc.get_objects():
        if isinstance(found, _lru_cache_wrapper) and found.__module__ in modules:
            found.cache_clear()


def _row(what: str, seconds: float, limit: float) -> Row:
    return Row("O1", what, f"{seconds * 1000:.2f} ms", "—", seconds * 1000, limit, "ms")
