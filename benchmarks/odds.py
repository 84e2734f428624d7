"""O1: an attack's ledger, its exact odds with all that it comes to, and the ledgers of fifty against fifty."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.fields import generated
from benchmarks.measure import Row, medians
from engine.battle.apply import apply_all
from engine.battle.attacks.perils import foreseen
from engine.battle.attacks.shots import attack_actions, consider, weigh
from engine.battle.battle import Battle
from engine.battle.commands import Attack
from engine.battle.setup import begin
from engine.battle.units import Placement
from engine.field.squares import Direction, Square
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset
from engine.values import replace
from rulesets import load_ruleset, shipped_rulesets

SIDE = 60
FIFTY = 50
LEDGER, ODDS, ALL = 1.0, 5.0, 1000.0
"""Milliseconds."""


def rows() -> Iterator[Row]:
    """Under every ruleset: a rifleman's attacks, the slowest of them; and every pair of two sides."""
    for name, folder in shipped_rulesets().items():
        rules = load_ruleset(folder)
        battle = facing(rules)
        wishes = _wishes(battle, rules)
        single = medians(*(partial(consider, battle, rules, wish) for wish in wishes))
        yield _row(f"ledger of an attack, {name}, the slowest of {len(wishes)}", max(single), LEDGER)
        shots = [consider(battle, rules, wish) for wish in wishes]
        odds = medians(*(partial(foreseen, battle, rules, shot) for shot in shots))
        yield _row(f"its odds and outlook, {name}, the slowest of {len(wishes)}", max(odds), ODDS)
        fresh = [_fresh(battle, rules, wish) for wish in wishes]
        yield _row(f"the same of a target that was not looked at before, {name}", max(fresh), ODDS)
        (every,) = medians(partial(_every_ledger, battle, rules), rounds=5)
        yield _row(f"{FIFTY} × {FIFTY} ledgers, {name}", every, ALL)


def facing(rules: Ruleset) -> Battle:
    """Two sides of riflemen on a map with some pillars."""
    random, field = Random("odds"), generated("scattered", SIDE)
    free = [
        square
        for square in (Square(column, row) for column, row in product(range(SIDE), range(SIDE)))
        if not field.ground_at(square).blocks_movement
    ]
    places = random.sample(free, 2 * FIFTY)
    placements = [
        Placement(f"unit-{number}", f"Unit {number}", "rifleman", "one" if number < FIFTY else "other", at, Direction.N)
        for number, at in enumerate(places)
    ]
    return apply_all(Battle(field), [begin(placements, rules, "odds")])


def _wishes(battle: Battle, rules: Ruleset) -> list[Attack]:
    """Everything that the first unit can do with its weapon to the nearest enemy."""
    unit = battle.unit("unit-0")
    enemies = [other for other in battle.units.values() if other.side != unit.side]
    near = min(enemies, key=lambda other: (other.at.column - unit.at.column) ** 2 + (other.at.row - unit.at.row) ** 2)
    actions = attack_actions(rules, rules.gear.weapons[unit.gear.weapon])
    return [Attack(unit.id, near.id, unit.gear.weapon, action.id) for action in actions]


def _every_ledger(battle: Battle, rules: Ruleset) -> list[Ledger]:
    """Those of what each unit of one side can do to each of the other; more than are kept from one time to the next."""
    ids = list(battle.units)
    return [weigh(battle, rules, Attack(one, other))[1] for one, other in product(ids[:FIFTY], ids[FIFTY:])]


def _fresh(battle: Battle, rules: Ruleset, wish: Attack) -> float:
    """Median seconds of an attack's odds on one target after another: nothing of it was worked out for that one."""
    taken = []
    for number in range(FIFTY, 2 * FIFTY):
        shot = consider(battle, rules, replace(wish, target=f"unit-{number}"))
        if shot.ledger.is_possible:
            start = perf_counter()
            foreseen(battle, rules, shot)
            taken.append(perf_counter() - start)
    return median(taken)


def _row(what: str, seconds: float, limit: float) -> Row:
    return Row("O1", what, f"{seconds * 1000:.2f} ms", "—", seconds * 1000, limit, "ms")
