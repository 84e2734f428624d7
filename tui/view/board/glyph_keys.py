"""Keys of the glyph tables for squares and edges."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from engine.geometry.battlefield import NOTHING, SKY, Barrier, Ground, Height

MOST_UP, MOST_DOWN = 20, 9
"""Levels of ground at most: two figures, or a minus and one, have room in two cells."""
ROUND_STEPS = tuple(figure * 10**power for power in range(1, 6) for figure in (1, 2, 5))
"""Hundredths of the map's unit."""

HUES = {
    "floor": "floor",
    "planks": "floor",
    "carpet": "floor",
    "concrete": "stone",
    "metal": "stone",
    "roof": "stone",
    "road": "stone",
    "stairs": "stone",
    "rubble": "stone",
    "dirt": "earth",
    "sand": "earth",
    "mud": "earth",
    "rough ground": "earth",
    "grass": "green",
    "scrub": "green",
    "snow": "snow",
    "shallow water": "water",
    "water": "water",
    "deep water": "deep",
    "pit": "pit",
}
"""Colour family of each terrain; others are floor."""

TERRAINS = {"shallow water": "water", "rough ground": "rough"}
"""Looks of terrains that are not called what the glyph tables call them."""

OBJECTS = {
    "crate": "box",
    "container": "box",
    "dumpster": "box",
    "barrel": "barrel",
    "water tank": "barrel",
    "cart": "vehicle",
    "wagon": "vehicle",
    "car": "vehicle",
    "van": "vehicle",
    "truck": "vehicle",
    "machine": "machine",
    "generator": "machine",
    "console": "machine",
    "vent": "machine",
    "chimney": "machine",
    "counter": "counter",
    "bed": "counter",
    "shelf": "shelf",
    "pillar": "pillar",
    "statue": "statue",
    "boulder": "rock",
    "tree": "tree",
    "sandbags": "heap",
    "barricade": "heap",
    "low wall": "heap",
    "debris": "heap",
    "table": "table",
    "overturned table": "table",
    "trough": "table",
    "campfire": "fire",
    "hedge": "hedge",
    "bush": "hedge",
    "reeds": "hedge",
}


def is_void(ground: Ground) -> bool:
    """Whether the ground is the void around the map."""
    return ground.terrain == NOTHING.terrain and ground == NOTHING


def is_solid(ground: Ground) -> bool:
    """Whether the whole square is wall: opaque to the sky, with nothing named that stands on it."""
    return not ground.object and ground.blocks_sight and ground.blocks_movement and ground.height >= SKY


def hue_of(ground: Ground) -> str:
    return HUES.get(ground.terrain, "floor")


def terrain_look(ground: Ground) -> str:
    return TERRAINS.get(ground.terrain, ground.terrain)


def object_look(ground: Ground) -> str:
    """The glyph key of an object, or of a map's own object by its properties; "" for none."""
    if not ground.object:
        return ""
    return OBJECTS.get(ground.object) or ("hedge" if ground.blocks_sight and not ground.stops_shots else "thing")


def barrier_look(barrier: Barrier) -> str:
    """The glyph key of a barrier: by its state, else by its kind, else by its properties."""
    if barrier.kind == "curtain":
        return "drawn" if barrier.is_open else "curtain"
    if barrier.state:
        return "door" if barrier.state == "closed" else barrier.state
    if barrier.sill is not None or barrier.kind == "window":
        return "window"
    if barrier.seen_through is not None:
        return "glass"
    if barrier.top < SKY and not barrier.stops_shots:
        return "railing"
    if barrier.top < SKY:
        return "low wall"
    if barrier.blocks_sight:
        return "wall"
    return "glass" if barrier.stops_shots else "bars"


def contour_step(elevation: Iterable[Height]) -> Height:
    """Difference in height between two levels of a map: the step that all heights above its zero are multiples of.

    That is the step of the map's file, whose digits count upwards; depths are rounded to it. Where that makes too
    many levels, a round step, as 1 m; heights in between then share a level.
    """
    heights = set(elevation)
    step = gcd(*(height for height in heights if height > 0)) or gcd(*heights) or 1
    least = max(-(-max(heights, default=0) // MOST_UP), -(min(heights, default=0) // MOST_DOWN))
    return step if step >= least else next((one for one in ROUND_STEPS if one >= least), least)


def level_of(height: Height, step: Height) -> int:
    """Height of the ground in levels, rounded; never 0 where the ground is not level with the map's zero."""
    levels = max(1, (2 * abs(height) + step) // (2 * step))
    return 0 if height == 0 else levels if height > 0 else -levels
