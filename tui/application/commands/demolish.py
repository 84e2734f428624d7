"""Objects and barriers that can be destroyed, and what remains of them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.command import Command
from engine.battle.commands.terrain_commands import SetBarrier, SetGround
from engine.battle.state.battle import Battle
from engine.geometry.battlefield import Battlefield, Ground
from engine.geometry.squares import ORTHOGONAL, Square, edge_of
from maps import palette

DESTROYED = "destroyed"


def wreck_choices(battle: Battle, square: Square) -> Mapping[str, Command]:
    """Commands that destroy things on a square and on its four sides, by menu label."""
    field = battle.field
    found: dict[str, Command] = {}
    ground = field.ground_at(square)
    if ground.object or ground.blocks_movement or ground.stops_shots:
        found[f"the {ground.name} on {square.name}"] = SetGround((square,), rubble(field), DESTROYED)
    for side in ORTHOGONAL:
        edge = edge_of(square, side)
        barrier = field.barriers.get(edge)
        if barrier is not None and barrier.state != "broken":
            found[f"the {barrier.kind} {side.name} of {square.name}"] = SetBarrier(edge, "broken")
    return found


def rubble(field: Battlefield) -> Ground:
    """The ground that replaces a destroyed object: the map's own rubble if it has any."""
    own = (ground for ground in field.legend if ground.terrain == "rubble" and not ground.object)
    return next(own, palette.terrain("rubble", field.unit))
