"""Where a unit ends that is pushed."""

from __future__ import annotations

from engine.battle.battle import Battle
from engine.battle.modes import move_rules
from engine.battle.units import Unit
from engine.field.squares import Direction, Square
from engine.field.walking.steps import refusal, refusal_to_end
from engine.rules.model import Ruleset


def pushed(battle: Battle, rules: Ruleset, unit: Unit, away_from: Square, squares: int) -> tuple[Square, ...]:
    """The way of a unit that is moved straight away from a square, its start first, as far as the way is free.

    Where the unit stands on that very square, it is moved the way it does not face.
    """
    how = move_rules(battle, rules, unit)
    path = [unit.at]
    back = Direction((-unit.facing.dx, -unit.facing.dy))
    direction = back if away_from == unit.at else Direction.towards(away_from, unit.at)
    for _ in range(squares):
        there = path[-1].step(direction)
        if refusal(battle.field, path[-1], direction, how) or refusal_to_end(there, how, unit.at):
            break
        path.append(there)
    return tuple(path)
