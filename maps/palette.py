"""What may be painted on a map and put on its edges: what the map has already, then everything built in."""

from __future__ import annotations

from engine.geometry.battlefield import NOTHING, Barrier, Battlefield, Ground
from engine.values import replace
from maps import kinds

GLYPHS = {name: glyph for glyph, name in reversed(kinds.SQUARE_GLYPHS.items())}
"""The default legend's glyphs by what they stand for."""

SPARE = "?"
"""The glyph of what the default legend has none for; whoever writes the map finds another."""


def own_grounds(field: Battlefield) -> tuple[Ground, ...]:
    """What the map's squares are of, the most frequent first; what lies outside the drawing left out."""
    used = [ground for ground in field.legend if ground != NOTHING]
    counts = {ground: field.ground.count(field.legend.index(ground)) for ground in used}
    return tuple(sorted(counts, key=lambda ground: -counts[ground]))


def terrain(name: str, unit: str) -> Ground:
    """Bare ground of a built-in kind; raises KeyError for another."""
    return kinds.ground(name, "", unit, GLYPHS.get(name, SPARE))


def thing(name: str, unit: str, on: Ground | None = None) -> Ground:
    """A built-in object on the terrain of some ground, else on the floor; raises KeyError for another."""
    floor = on.terrain if on is not None and on.terrain in kinds.TERRAINS and not on.blocks_movement else "floor"
    return kinds.ground(floor, name, unit, GLYPHS.get(name, SPARE))


def bare(ground: Ground, unit: str) -> Ground:
    """The same square with nothing on it; of what fills it whole, as a wall, the floor."""
    if ground.terrain not in kinds.TERRAINS:
        return replace(
            terrain("floor", unit), terrain=ground.terrain, move_cost=ground.move_cost if not ground.object else 1
        )
    found = terrain(ground.terrain, unit)
    return terrain("floor", unit) if found.blocks_movement else found


def thin(name: str, unit: str) -> Barrier:
    """A built-in thin thing; raises KeyError for another. Those that work one way need to be told which."""
    return kinds.barrier(name, unit)


TERRAINS = tuple(kinds.TERRAINS)
THINGS = tuple(kinds.OBJECTS)
EDGES = tuple(name for name in kinds.EDGES if name not in kinds.ONE_WAY)
