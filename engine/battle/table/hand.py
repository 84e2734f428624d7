"""What the GM's edits of units have in common: their reason for the log, and where a body may stand."""

from __future__ import annotations

from engine.battle.battle import Battle
from engine.battle.units import Unit
from engine.errors import Illegal
from engine.field.silhouette import Body

BY_GM = "the GM says so"


def refuse_unless_fits(battle: Battle, unit: Unit, body: Body) -> None:
    """Raises Illegal when a body cannot stand there: off the map, on something solid, on somebody."""
    for square in body.squares:
        ground = battle.field.ground_at(square)
        if ground.blocks_movement and unit.altitude < max(ground.height, 1):
            raise Illegal("place", f"{unit.name} cannot stand on {square.name}: {ground.name}.")
        there = (other for other in battle.units.values() if square in other.squares and other.id != unit.id)
        other = next((one for one in there if not one.is_defeated and one.altitude == unit.altitude), None)
        if other is not None:
            raise Illegal("place", f"{unit.name} cannot stand on {square.name}: {other.name} is there.")
