"""Kill zones of units on overwatch: where an act of an enemy draws their reaction, as far as the place decides it.

It asks the reactions of the ruleset themselves; those that hold wherever the enemy is have no zone. Whether the unit
sees what happens there is another question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.battle.attacks.reactions import holds_somewhere, is_of_zone, reaction_facts
from engine.battle.distances import is_adjacent, range_between
from engine.battle.facts import bare_square, pair_facts, unit_facts
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import OFF
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.geometry.squares import Square
from engine.rules.expressions import Expression
from engine.rules.model import Ruleset, Value
from engine.rules.reaction_rules import ACT_TRIGGERS, TRIGGERED_BY, Reaction

Zone = tuple[tuple[Expression, Mapping[str, Value]], ...]
"""Formulas that ask for nothing but the place, each with all facts but those of the place."""
BY_PLACE = ("adjacent", "distance")
_zones: Cache[Zone] = Cache(32)


def has_kill_zone(battle: Battle, rules: Ruleset, unit: Unit) -> bool:
    """Whether a unit is on overwatch: a condition of it lets it react to what enemies do in some squares."""
    return bool(unit.conditions) and not unit.is_defeated and bool(_zone(battle, rules, unit))


def kill_zone(battle: Battle, rules: Ruleset, unit: Unit, squares: Iterable[Square]) -> frozenset[Square]:
    """Those of some squares where an enemy's move, attack or other act draws the overwatch of a unit."""
    if not has_kill_zone(battle, rules, unit):
        return frozenset()
    zone = _zone(battle, rules, unit)
    found: set[Square] = set()
    for square in squares:
        there = bare_square(square)
        place = pair_facts(battle, rules, unit, there, "reactor")
        if any(formula.names.intersection(BY_PLACE) for formula, _ in zone):
            place["adjacent"] = is_adjacent(battle.field, unit, there)
            place["distance"] = range_between(battle.field, rules, unit, there)
        if any(formula.evaluate({**facts, **place}) for formula, facts in zone):
            found.add(square)
    return frozenset(found)


def _zone(battle: Battle, rules: Ruleset, unit: Unit) -> Zone:
    return _zones.get((battle, rules, unit), None, lambda: tuple(_find_zone(battle, rules, unit)))


def _find_zone(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[tuple[Expression, Mapping[str, Value]]]:
    """The `when` of each reaction, settled but for the place, where a condition of the unit lets it hold."""
    off: dict[str, Value] = {f"reactor.{condition}": False for condition in rules.units.conditions}
    for reaction in rules.turns.reactions:
        if reaction.trigger not in ("moves in sight", *ACT_TRIGGERS) or battle.gm.policy(unit, reaction.id) == OFF:
            continue
        names = reaction.when.names
        place = {name for name in names if name in BY_PLACE or is_of_zone(name)}
        if names.isdisjoint(off) or not place:  # one that holds everywhere has no zone
            continue
        for facts in _cases(battle, rules, unit, reaction):
            if holds_somewhere(reaction.when, facts) and not holds_somewhere(reaction.when, {**facts, **off}):
                yield reaction.when.settled(facts, place), facts
                break  # another enemy would draw it in the same squares


def _cases(battle: Battle, rules: Ruleset, unit: Unit, reaction: Reaction) -> Iterator[dict[str, Value]]:
    """The facts of each enemy that may draw a reaction: as it is, with no budget left, and against whom it guards."""
    kind = TRIGGERED_BY.get(reaction.trigger, "move")
    action = next((one for one in rules.actions.values() if one.kind == kind), None)
    if action is None:
        return
    spent: dict[str, Value] = {f"unit.{budget}": 0 for budget in rules.units.budgets}
    guarded = [battle.units[about] for about in unit.about.values() if about in battle.units]
    for enemy in battle.units.values():
        if enemy.is_defeated or not unit.is_enemy_of(enemy):
            continue
        facts = reaction_facts(reaction.when.names, battle, rules, enemy, unit, action, None, reaction.weapons)
        against = [facts, *({**facts, **unit_facts(battle, rules, one, "target")} for one in guarded)]
        for one in against:
            yield one
            yield {**one, **spent}
