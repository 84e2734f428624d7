"""What the board's signs mean, for the help page: short lines of signs and words, from the glyph tables themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.board.glyphs import EdgeGlyphs, GlyphSet
from tui.board.overlay import BURST

EDGES = {
    "wall": "wall",
    "door": "closed door or gate",
    "locked": "locked door",
    "open": "open door",
    "broken": "broken door",
    "window": "window",
    "glass": "armoured glass",
    "bars": "bars",
    "curtain": "curtain",
    "drawn": "open curtain",
    "railing": "railing or fence",
    "low wall": "low wall or parapet",
}
OBJECTS = {
    "box": "crate, container",
    "barrel": "barrel, tank",
    "vehicle": "cart, car, truck",
    "machine": "machine, vent",
    "counter": "counter, bed",
    "shelf": "shelf",
    "pillar": "pillar",
    "statue": "statue",
    "rock": "boulder",
    "tree": "tree",
    "heap": "sandbags, debris",
    "table": "table, trough",
    "fire": "campfire",
    "hedge": "hedge, bush: conceals, stops no shots",
    "thing": "another object",
}
TERRAINS = {
    "rubble": "rubble",
    "rough": "rough ground",
    "water": "shallow water",
    "deep water": "deep water",
    "scrub": "scrub",
    "mud": "mud",
    "stairs": "stairs",
    "pit": "pit",
}


def legend(glyphs: GlyphSet, overlays: Mapping[str, Sequence[str]] = {}) -> tuple[tuple[str, str], ...]:
    """Pairs of signs and what they mean: units first, then lines, overlays, edges, objects and ground.

    `overlays` are the tints of overlays by their meaning.
    """
    stances = tuple((f"T{row[2]}", f"T {stance}, facing east") for stance, row in glyphs.facings.items())
    kneels = f"T{glyphs.facings['standing'][2]}{glyphs.kneels}"
    return (
        *stances,
        *([(kneels, "T kneeling, facing east, in larger squares")] if glyphs.kneels else []),
        (f"T{glyphs.defeated}", "out of the fight"),
        ("T", "underlined: half of its health is left, or less"),
        (f"{glyphs.bar[0] * 3}{glyphs.bar[1]}", "health; figures at its end: altitude above the ground"),
        (f"{glyphs.acting[0]}T{glyphs.acting[1]}", "the unit that acts"),
        (f"{glyphs.brackets[0]}T{glyphs.brackets[1]}", "the target, or the unit under the cursor"),
        (f"{glyphs.veil}1{glyphs.veil} 1{glyphs.veil}", "hidden unit; players do not see it"),
        (glyphs.line, "line of fire, and one that missed"),
        (glyphs.stop, "the first obstacle that blocks it"),
        (f"{glyphs.path}{glyphs.goal}", "planned path and goal"),
        (glyphs.trail, "the way that a unit has walked"),
        (f"{glyphs.minus}7 +5", "what the last command cost a unit, or gave it; ! is a critical hit"),
        (f"{glyphs.past} {glyphs.landed}", "where a shot that missed went, where a throw came down"),
        (glyphs.dropped, "weapon on the ground"),
        ("3*", "the modifier that changes the chance most"),
        ("−16 %:", "change of the chance to hit, if the modifier's number does not show it"),
        (glyphs.charge, "laid charge; players do not see it"),
        (glyphs.note, "GM note on a square or a unit; players do not see it"),
        *((_signs(glyphs, tints), f"v: {words}") for words, tints in overlays.items()),
        (_signs(glyphs, BURST), "blast of the last command, its outer rings"),
        *((_all_forms(glyphs.edges[look]), words) for look, words in EDGES.items()),
        *((glyphs.objects[look].strip(), words) for look, words in OBJECTS.items()),
        *((glyphs.terrains[look], words) for look, words in TERRAINS.items()),
        (glyphs.smoke, "thin and thick smoke"),
        (glyphs.dark, "darkness"),
        (glyphs.dim, "dim light"),
        (f"{glyphs.level(2)} {glyphs.level(-2)}", "steps of height above and below the map's zero"),
    )


def _signs(glyphs: GlyphSet, tints: Sequence[str]) -> str:
    return " ".join(glyphs.tints[tint] for tint in tints).rstrip()


def _all_forms(edge: EdgeGlyphs) -> str:
    """A thin thing as it is drawn in boxed squares and, after them, in small ones."""
    return f"{edge.upright[0]} {edge.level} {edge.left} {edge.floor}"
