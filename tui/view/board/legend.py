"""What the board's signs mean, for the help page: short lines of signs and words, from the glyph tables themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.application.describe.glyphs import EdgeGlyphs, GlyphSet
from tui.application.overlays.markings import BURST

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
FINE = "⠒⠒⠢⠤ ⠒ ⠢"
"""Dots of a line, and of one that missed."""
TERRAINS = {
    "rubble": "rubble",
    "rough": "rough ground",
    "water": "shallow water",
    "deep water": "deep water",
    "scrub": "scrub",
    "mud": "mud",
    "stairs": "stairs",
    "pit": "pit",
    "grass": "grass",
    "snow": "snow",
}


FRAMES = {
    "low": "object up to eye height",
    "high": "object that one does not see over",
    "round": "round object, vehicle",
}
ORDER = (
    ("▸", "turn order, before a name: whose turn it is"),
    ("✓", "turn order, before a name: it has acted before its place came"),
    ("…", "turn order, before a name: its place has passed, and it has not acted"),
    ("›", "turn order, before a name: the unit under the cursor"),
    ("•", "turn order, before a name: the selected unit"),
    ("◎", "turn order, before a name: the target"),
)


def legend(
    glyphs: GlyphSet, marks: Mapping[str, str], overlays: Mapping[str, Sequence[str]] = {}
) -> tuple[tuple[str, str], ...]:
    """Pairs of signs and what they mean: units first, then lines, overlays, edges, objects and ground.

    Args:
        glyphs: the signs.
        marks: the marks of the ruleset's units and what they mean.
        overlays: the tints of overlays by their meaning.
    """
    stances = tuple((row, f"{stance}, facing north, then clockwise") for stance, row in glyphs.facings.items())
    kneels = f"T{glyphs.facings['standing'][2]}{glyphs.kneels}"
    return (
        *stances,
        *([(kneels, "T kneeling, facing east, in larger squares")] if glyphs.kneels else []),
        (f"T{glyphs.defeated}", "out of the fight"),
        ("T", "underlined: half of its health is left, or less"),
        (f"{glyphs.bar[0] * 3}{glyphs.bar[1]}", "health; figures at its end: altitude above the ground"),
        (f"{glyphs.acting[0]}T{glyphs.acting[1]}", "the unit that acts"),
        (f"{glyphs.brackets[0]}T{glyphs.brackets[1]}", "the target, or the unit under the cursor"),
        (glyphs.corners, "the square under the cursor"),
        (" ".join(glyphs.onward), "the map continues there; with a name: where the target is"),
        (glyphs.marked, "unit that is marked, to be changed with others"),
        (f"{glyphs.veil}g{glyphs.veil} g{glyphs.veil}", "hidden unit; players do not see it"),
        (f"T{glyphs.shared}", "another unit stands on its square, or flies above it"),
        ("g3", "the third of a group: its digit turns amber or red as it is hurt; from ten on it stands alone"),
        ("t?", "a unit out of sight, where its enemies saw it last; in player views"),
        *((glyphs.states.get(mark, mark), words) for mark, words in marks.items()),
        (glyphs.more, "more marks than there is room for"),
        *ORDER,
        (FINE if glyphs.has_unicode else glyphs.line, "line of fire, and one that missed"),
        (glyphs.stop, "the first obstacle that blocks it"),
        (f"{glyphs.path}{glyphs.goal}", "planned path and goal"),
        (glyphs.trail, "the path that a unit has walked"),
        (f"{glyphs.minus}7 +5", "what the last command cost a unit, or gave it; ! is a critical hit"),
        (f"{glyphs.past} {glyphs.landed}", "where a shot that missed went, where a throw came down"),
        (f"{glyphs.fell}3", "how far a unit fell"),
        (glyphs.dropped, "weapon on the ground"),
        ("3*", "the modifier that changes the chance most"),
        ("−16 %:", "change of the chance to hit, if the modifier's number does not show it"),
        (glyphs.charge, "laid charge; players do not see it"),
        (glyphs.note, "GM note on a square or a unit; players do not see it"),
        (glyphs.lamp, "a lamp, in the terrain editor"),
        *((_signs(glyphs, tints), f"v: {words}") for words, tints in overlays.items()),
        (_signs(glyphs, BURST), "blast of the last command, its outer rings"),
        *((_all_forms(glyphs.edges[look]), words) for look, words in EDGES.items()),
        (glyphs.ledge, "a height too great to walk up or down"),
        *((_parts(glyphs.frames[kind]), words) for kind, words in FRAMES.items()),
        *((_drawn(glyphs.objects[look], look, glyphs), words) for look, words in OBJECTS.items()),
        (glyphs.solid, "rock, thick wall"),
        (glyphs.plain, "open ground"),
        *((_drawn(glyphs.terrains[look], look, glyphs), words) for look, words in TERRAINS.items()),
        (glyphs.smoke, "thin and thick smoke"),
        (glyphs.dark, "darkness"),
        (glyphs.dim, "dim light"),
        (glyphs.above, "steps of height above the map's zero"),
        (f"{glyphs.pit}{glyphs.below}", "steps below it"),
    )


def _signs(glyphs: GlyphSet, tints: Sequence[str]) -> str:
    return " ".join(glyphs.tints[tint] for tint in tints).rstrip()


def _all_forms(edge: EdgeGlyphs) -> str:
    """A thin thing as it is drawn in boxed squares and, after them, in small ones."""
    level = edge.level[0] + edge.level[2:4] + edge.level[5]
    return f"{_parts(edge.upright)} {level} {_parts(edge.left + edge.right)} {edge.floor}"


def _drawn(sign: str, look: str, glyphs: GlyphSet) -> str:
    """An object or a ground as it is drawn in small squares and, after that, what it is drawn of in boxed ones."""
    pictures = "".join(line for picture in glyphs.pictures.get(look, ()) for line in picture)
    parts = _parts(pictures + glyphs.shelves * (look == "shelf"))
    return f"{sign.strip()} {parts}" if set(parts) - set(sign) else sign.strip()


def _parts(signs: str) -> str:
    """Each sign once, without blanks."""
    return "".join(dict.fromkeys(signs.replace(" ", "")))
