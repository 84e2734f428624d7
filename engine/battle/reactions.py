"""What a path would draw from enemies, before it is committed: who reacts, at which step, and why.

It only foretells; making a reaction happen is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.battle.battle import Battle
from engine.battle.situation import (
    action_facts,
    adjacent_enemies,
    aside,
    is_adjacent,
    sight_line,
    unit_facts,
    weapon_facts,
)
from engine.battle.units import Unit
from engine.field.squares import Square
from engine.rules.model import Action, Ruleset
from engine.rules.spatial import Reaction


@dataclass(frozen=True, slots=True)
class Draw:
    """One reaction that a path gives an enemy leave for."""

    reaction: Reaction
    reactor: str
    """The enemy's id."""
    step: int
    """Which step of the path draws it, from 1."""
    square: Square
    """Where the mover is then: on the square it leaves, or on the one where it comes into reach or sight."""
    because: str
    """A sentence for the GM."""


def draws(battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square], action: Action) -> tuple[Draw, ...]:
    """Everything that a path draws, step by step.

    Args:
        battle: now; the path begins where the unit stands.
        rules: the ruleset, which says what is drawn by what.
        unit: who would move.
        path: the start first; whether it may be walked is another question.
        action: the move that it would be part of.
    """
    reactions = [reaction for reaction in rules.reactions if action.id not in reaction.except_actions]
    found: list[Draw] = []
    seen: set[tuple[str, str]] = set()
    for number, (here, there) in enumerate(pairwise(path), 1):
        before, after = replace(unit, at=here), replace(unit, at=there)
        for reaction in reactions:
            for enemy in _triggered(battle, rules, before, after, reaction.trigger):
                is_leaving = reaction.trigger == "leaves reach"
                mover = before if is_leaving else after
                if not _holds(battle, rules, mover, enemy, action, reaction):
                    continue
                if reaction.trigger == "moves in sight":
                    if (reaction.id, enemy.id) in seen:
                        continue
                    seen.add((reaction.id, enemy.id))
                because = f"{enemy.name}: {reaction.label}, as {unit.name} {_deed(reaction.trigger)} {mover.at.name}."
                found.append(Draw(reaction, enemy.id, number, mover.at, because))
    return tuple(found)


def threatened(battle: Battle, unit: Unit) -> frozenset[Square]:
    """Squares where a unit would be next to an enemy that is in the fight; walls between the two count.

    Each is the north-west square of the unit's footprint, like the squares of its reach. Where it cannot stand is not
    left out.
    """
    found: set[Square] = set()
    for enemy in battle.units.values():
        if not unit.is_enemy_of(enemy) or enemy.is_defeated:
            continue
        columns = range(enemy.at.column - unit.size, enemy.at.column + enemy.size + 1)
        rows = range(enemy.at.row - unit.size, enemy.at.row + enemy.size + 1)
        for square in (Square(column, row) for row in rows for column in columns):
            body = replace(unit, at=square)
            if not all(one in battle.field for one in body.squares) or set(body.squares) & set(enemy.squares):
                continue
            if is_adjacent(battle.field, body, enemy):
                found.add(square)
    return frozenset(found)


def _triggered(battle: Battle, rules: Ruleset, before: Unit, after: Unit, trigger: str) -> Iterator[Unit]:
    """Enemies for whom a step is what the trigger names, in the battle's order."""
    if trigger == "moves in sight":
        for enemy in battle.units.values():
            if before.is_enemy_of(enemy) and not enemy.is_defeated and sight_line(battle, rules, enemy, after).can_see:
                yield enemy
        return
    old, new = ({enemy.id: enemy for enemy in adjacent_enemies(battle, one)} for one in (before, after))
    near, far = (old, new) if trigger == "leaves reach" else (new, old)
    yield from (enemy for enemy in near.values() if enemy.id not in far)


def _holds(battle: Battle, rules: Ruleset, mover: Unit, enemy: Unit, action: Action, reaction: Reaction) -> bool:
    moved = battle.with_unit(mover)
    facts = action_facts(moved, rules, mover, action) | unit_facts(moved, rules, enemy, "reactor")
    facts |= weapon_facts(rules, enemy, rules.weapons.get(enemy.weapon))
    facts["reactor.aside"] = aside(battle.field, enemy, mover)
    return bool(reaction.when.evaluate(facts))


def _deed(trigger: str) -> str:
    match trigger:
        case "leaves reach":
            return "leaves its reach at"
        case "enters reach":
            return "comes into its reach at"
    return "moves into its sight at"
