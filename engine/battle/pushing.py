"""Where a unit ends that is pushed."""

from __future__ import annotations

from engine.battle.battle import Battle
from engine.battle.modes import move_rules
from engine.battle.units import Unit
from engine.field.battlefield import Height
from engine.field.squares import Direction, Square
from engine.field.walking.falling import fall_over_edge
from engine.field.walking.steps import refusal, refusal_to_end
from engine.rules.model import Ruleset


def pushed(battle: Battle, rules: Ruleset, unit: Unit, away_from: Square, squares: int) -> tuple[Square, ...]:
    """The way of a unit that is moved straight away from a square, its start first, as far as the way is free.

    It goes over an edge that is too steep to walk down, and no farther. Where the unit stands on that very square, it
    is moved the way it does not face.
    """
    how = move_rules(battle, rules, unit)
    path = [unit.at]
    back = Direction((-unit.facing.dx, -unit.facing.dy))
    direction = back if away_from == unit.at else Direction.towards(away_from, unit.at)
    for _ in range(squares):
        there = path[-1].step(direction)
        refused = refusal(battle.field, path[-1], direction, how)
        goes_over = refused is not None and refused.reason == "steep"
        if goes_over and not fall_over_edge(battle.field, path[-1], there, unit.size):
            break
        if (refused and not goes_over) or refusal_to_end(there, how, unit.at):
            break
        path.append(there)
        if goes_over:
            break
    return tuple(path)


def dropped_by(battle: Battle, rules: Ruleset, unit: Unit, path: tuple[Square, ...]) -> Height:
    """How far a unit falls at the end of a way that it was pushed; 0 where it could have walked down."""
    if len(path) < 2:
        return 0
    here, there = path[-2:]
    how = move_rules(battle, rules, unit)
    way = Direction((there.column - here.column, there.row - here.row))
    refused = refusal(battle.field, here, way, how)
    return fall_over_edge(battle.field, here, there, unit.size) if refused and refused.reason == "steep" else 0
