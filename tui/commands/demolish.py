"""What can be shot to pieces on a square and on its sides, and what is left of it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.command import Command
from engine.battle.commands.terrain_commands import SetBarrier, SetGround
from engine.battle.state.battle import Battle
from engine.geometry.battlefield import Battlefield, Ground
from engine.geometry.squares import Direction, Square, edge_of
from maps import palette

SHOT_TO_PIECES = "shot to pieces"


def wreck_choices(battle: Battle, square: Square) -> Mapping[str, Command]:
    """What can be shot to pieces on a square and on its four sides, by what a menu says."""
    field = battle.field
    found: dict[str, Command] = {}
    ground = field.ground_at(square)
    if ground.object or ground.blocks_movement or ground.stops_shots:
        found[f"the {ground.name} on {square.name}"] = SetGround((square,), rubble(field), SHOT_TO_PIECES)
    for side in (Direction.N, Direction.E, Direction.S, Direction.W):
        edge = edge_of(square, side)
        barrier = field.barriers.get(edge)
        if barrier is not None and barrier.state != "broken":
            found[f"the {barrier.kind} {side.name} of {square.name}"] = SetBarrier(edge, "broken")
    return found


def rubble(field: Battlefield) -> Ground:
    """What is left of a wall: the map's own rubble where it has some."""
    own = (ground for ground in field.legend if ground.terrain == "rubble" and not ground.object)
    return next(own, palette.terrain("rubble", field.unit))
