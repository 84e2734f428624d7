"""Where a unit ends that is pushed."""

from __future__ import annotations

from typing import NamedTuple

from engine.battle.moves.movement_modes import move_rules
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.battlefield import Height
from engine.geometry.movement.fall_height import fall_over_edge
from engine.geometry.movement.steps import refusal, refusal_to_end
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset


class Push(NamedTuple):
    """Path of a pushed unit, its start first, and the height of its fall at the end; 0 for none."""

    path: tuple[Square, ...]
    drop: Height


def direction_of_push(unit: Unit, away_from: Square, towards: Square | None = None) -> Direction:
    """The direction in which a unit is pushed: towards a square, else straight away from one.

    Where the unit stands on the latter, it is moved the way it does not face.
    """
    if towards is not None and towards != unit.at:
        return Direction.towards(unit.at, towards)
    return unit.facing.opposite if away_from == unit.at else Direction.towards(away_from, unit.at)


def pushed(battle: Battle, rules: Ruleset, unit: Unit, direction: Direction, squares: int) -> Push:
    """Path of a unit that is pushed in a direction, as far as it is free.

    It goes over an edge that is too steep to walk down, and no farther.
    """
    how = move_rules(battle, rules, unit)
    path = [unit.at]
    for _ in range(squares):
        here, there = path[-1], path[-1].step(direction)
        refused = refusal(battle.field, here, direction, how)
        is_steep = refused is not None and refused.reason == "steep"
        drop = fall_over_edge(battle.field, here, there, unit.size) if is_steep else 0
        if (refused and not drop) or refusal_to_end(there, how, unit.at):
            break
        path.append(there)
        if drop:
            return Push(tuple(path), drop)
    return Push(tuple(path), 0)
