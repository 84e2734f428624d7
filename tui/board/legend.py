"""What the board's signs mean, for the help page: short lines of signs and words, from the glyph tables themselves."""

from __future__ import annotations

from engine.battle.narration.unit_states import HIDDEN_MARK
from tui.board.glyphs import EdgeGlyphs, GlyphSet
from tui.board.overlay import BANDS, SCALE

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


SHADINGS = {
    "range bands, near to far": BANDS,
    "low to high: chance to land, rounds of smoke": SCALE,
    "in reach with the first move, with a later move": ("reach-1", "reach-2"),
    "visible: fully, at least half, less; blank: not at all": ("seen", "part", "little", "unseen"),
    "blast, its outer rings; in a cone: visible, not visible": ("blast", "edge"),
    "next to an enemy": ("blocked",),
}
"""Tints by meaning; within one line all signs differ."""


def legend(glyphs: GlyphSet) -> tuple[tuple[str, str], ...]:
    """Pairs of signs and what they mean: units first, then lines, edges, objects and ground."""
    stances = tuple((f"T{row[2]}", f"T {stance}, facing east") for stance, row in glyphs.facings.items())
    return (
        *stances,
        (f"T{glyphs.defeated}", "out of the fight"),
        (f"T{glyphs.wounded}", "badly wounded: the letter is underlined"),
        (f"{glyphs.climbs}15", "altitude above the ground"),
        (glyphs.line, "line of fire"),
        (glyphs.stop, "the first obstacle that blocks it"),
        (f"{glyphs.path}{glyphs.goal}", "planned path and goal"),
        (f"{glyphs.minus}7 +5", "what the last command cost a unit, or gave it"),
        (f"{glyphs.past} {glyphs.landed}", "where a shot that missed went, where a throw came down"),
        (glyphs.dropped, "weapon on the ground"),
        ("3*", "the modifier that changes the chance most"),
        ("−16 %:", "change of the chance to hit, if the modifier's number does not show it"),
        (glyphs.charge, "laid charge; players do not see it"),
        (glyphs.note, "GM note on a square or a unit; players do not see it"),
        (HIDDEN_MARK if glyphs.has_unicode else "?", "hidden unit; players do not see it"),
        *(
            (" ".join(glyphs.tints[tint] for tint in tints).rstrip(), f"v: {words}")
            for words, tints in SHADINGS.items()
        ),
        *((_all_forms(glyphs.edges[look]), words) for look, words in EDGES.items()),
        *((glyphs.objects[look], words) for look, words in OBJECTS.items()),
        *((glyphs.terrains[look], words) for look, words in TERRAINS.items()),
        (glyphs.smoke, "thin and thick smoke"),
        (glyphs.dark, "darkness"),
        (glyphs.dim, "dim light"),
        (f"{glyphs.above[:2]} {glyphs.below[:2]}", "height levels above and below the map's zero"),
    )


def _all_forms(edge: EdgeGlyphs) -> str:
    """A thin thing as it is drawn between boxed squares and, after them, in small ones."""
    return f"{edge.upright} {edge.level} {edge.left} {edge.floor}"
