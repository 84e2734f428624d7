"""Ground under a unit's feet: who is in its way, where it ends when it is pushed, where a thing thrown aside lands."""

from __future__ import annotations

from types import MappingProxyType

from engine.battle.battle import Battle
from engine.battle.units import Unit
from engine.field.battlefield import Battlefield
from engine.field.movement import MoveRules
from engine.field.squares import Direction, Square
from engine.field.steps import refusal, refusal_to_end
from engine.rules.model import Ruleset


def move_rules(battle: Battle, rules: Ruleset, unit: Unit) -> MoveRules:
    """How the unit moves and who is in its way."""
    occupied = {
        square: other.is_enemy_of(unit)
        for other in battle.units.values()
        if other.id != unit.id and not other.is_defeated and other.altitude == unit.altitude
        for square in other.squares
    }
    return MoveRules(
        metric=rules.metric,
        occupied=MappingProxyType(occupied),
        size=unit.size,
        flies=unit.altitude > 0,
        altitude=unit.altitude,
    )


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


def flight(field: Battlefield, start: Square, way: int, squares: int) -> Square:
    """Where a thing comes to lie that flies so many squares in a direction, or less far where something stops it.

    Args:
        field: the map.
        start: where it flies from.
        way: 1 for north, 2 for north-east … 8 for north-west; others count on round the compass.
        squares: how far.
    """
    direction = tuple(Direction)[(way - 1) % 8]
    how = MoveRules()
    for _ in range(squares):
        if refusal(field, start, direction, how):
            break
        start = start.step(direction)
    return start
