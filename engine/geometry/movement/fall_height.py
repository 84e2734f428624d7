"""How far a body falls: heights alone. What a fall does to it is a ruleset's matter.

A body comes to rest on the highest thing under any of its squares that lies no higher than its feet: on ground, or on
top of what stands there.
"""

from __future__ import annotations

from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.movement.steps import footprint, standing_level
from engine.geometry.squares import Square


def fall(battlefield: Battlefield, square: Square, size: int, feet: Height) -> Height:
    """How far a body falls that nothing holds up.

    Args:
        battlefield: the whole footprint lies on it.
        square: north-west square of the footprint.
        size: side of the footprint.
        feet: height of its feet above the map's zero.

    Returns:
        Hundredths of the map's unit; 0 where it stands already, or below ground.
    """
    rests = []
    for one in footprint(square, size):
        top, ground = battlefield.top_at(one), battlefield.elevation_at(one)
        rests.append(feet - (top if top <= feet else ground))
    return max(0, min(rests))


def fall_over_edge(battlefield: Battlefield, here: Square, there: Square, size: int = 1) -> Height:
    """How far a body falls that goes, or is pushed, from one place to another; 0 where the way is level or up.

    Args:
        battlefield: both footprints lie on it.
        here, there: north-west squares of the footprint before and after.
        size: side of the footprint.
    """
    return fall(battlefield, there, size, standing_level(battlefield, here, size))
