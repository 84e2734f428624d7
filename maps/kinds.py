"""The kinds of squares and edges that maps may name without saying more, with their usual heights. Data only.

Heights are for people's furniture, given in feet and in metres, because a map of either kind wants round figures. The
four questions are answered one by one: a hedge hides and stops nothing, bars stop nobody's view but everybody's feet.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.geometry.battlefield import SKY, Barrier, Ground, Height

TALL = (SKY, SKY)


class SquareKind(NamedTuple):
    """A terrain, or an object on it. `heights` are hundredths of a foot, then of a metre."""

    heights: tuple[Height, Height] = (0, 0)
    blocks_sight: bool = False
    stops_shots: bool = False
    blocks_movement: bool = False
    contains_blast: bool = False
    cover: str = ""
    move_cost: int = 1


class EdgeKind(NamedTuple):
    """Something thin. Each pair of heights is hundredths of a foot, then of a metre."""

    tops: tuple[Height, Height] = TALL
    state: str = ""
    sills: tuple[Height, Height] | None = None
    lintels: tuple[Height, Height] | None = None
    blocks_sight: bool = True
    stops_shots: bool = True
    blocks_movement: bool = True
    contains_blast: bool = True
    cover: str = "heavy"
    is_called: str = ""
    """What it is called on the board, where that differs from the kind's name."""


def _solid(feet: float, metres: float, cover: str) -> SquareKind:
    """Opaque, bulletproof as far as its cover goes, and in the way of feet."""
    return SquareKind((round(feet * 100), round(metres * 100)), True, True, True, False, cover)


def _low(feet: float, metres: float, cover: str, cost: int) -> SquareKind:
    """As solid, but low enough to scramble over."""
    return _solid(feet, metres, cover)._replace(blocks_movement=False, move_cost=cost)


def _waist_high(feet: float, metres: float) -> EdgeKind:
    """Ruling: what reaches to the waist is vaulted in stride; a map says blocks_movement = true where it is not."""
    return EdgeKind((round(feet * 100), round(metres * 100)), blocks_movement=False, contains_blast=False)


TERRAINS = {
    "floor": SquareKind(),
    "planks": SquareKind(),
    "carpet": SquareKind(),
    "concrete": SquareKind(),
    "metal": SquareKind(),
    "roof": SquareKind(),
    "road": SquareKind(),
    "dirt": SquareKind(),
    "sand": SquareKind(),
    "grass": SquareKind(),
    "stairs": SquareKind(),
    "rough ground": SquareKind(move_cost=2),
    "rubble": SquareKind(move_cost=2),
    "scrub": SquareKind(move_cost=2),
    "mud": SquareKind(move_cost=2),
    "snow": SquareKind(move_cost=2),
    "shallow water": SquareKind(move_cost=2),
    "deep water": SquareKind(move_cost=4),
    "pit": SquareKind(blocks_movement=True),
    "wall": SquareKind(TALL, True, True, True, True, "heavy"),
    "rock": SquareKind(TALL, True, True, True, True, "heavy"),
}
"""What a square is made of."""

OBJECTS = {
    "crate": _solid(4, 1.2, "medium"),
    "barrel": _solid(3, 0.9, "medium"),
    "cart": _solid(4, 1.2, "medium"),
    "wagon": _solid(7, 2.1, "medium"),
    "car": _solid(4.5, 1.4, "medium"),
    "van": _solid(7, 2.1, "medium"),
    "truck": _solid(9, 2.7, "heavy"),
    "container": _solid(8.5, 2.6, "heavy"),
    "machine": _solid(6, 1.8, "heavy"),
    "generator": _solid(5, 1.5, "heavy"),
    "console": _solid(3.5, 1.1, "light"),
    "counter": _solid(3.5, 1.1, "medium"),
    "shelf": _solid(7, 2.1, "light"),
    "pillar": SquareKind(TALL, True, True, True, True, "heavy"),
    "statue": _solid(8, 2.4, "heavy"),
    "boulder": _solid(5, 1.5, "heavy"),
    "tree": _solid(20, 6, "medium"),
    "chimney": _solid(6, 1.8, "heavy"),
    "water tank": _solid(10, 3, "heavy"),
    "vent": _solid(4, 1.2, "light"),
    "dumpster": _solid(4.5, 1.4, "heavy"),
    "sandbags": _low(3.5, 1.1, "heavy", 2),
    "barricade": _low(4, 1.2, "medium", 3),
    "low wall": _low(3, 0.9, "heavy", 2),
    "debris": _low(3, 0.9, "medium", 2),
    "overturned table": _low(3.5, 1.1, "light", 3),
    "table": _low(2.5, 0.8, "light", 2),
    "trough": _low(2, 0.6, "light", 2),
    "bed": _low(2, 0.6, "light", 2),
    "campfire": SquareKind((100, 30), move_cost=2),
    "hedge": SquareKind((500, 150), blocks_sight=True, move_cost=3),
    "bush": SquareKind((300, 90), blocks_sight=True, move_cost=2),
    "reeds": SquareKind((500, 150), blocks_sight=True, move_cost=2),
}
"""What may stand on a square, filling it."""

EDGES = {
    "wall": EdgeKind(),
    "door": EdgeKind(state="closed", cover="medium"),
    "open door": EdgeKind(state="open", cover="medium", is_called="door"),
    "locked door": EdgeKind(state="locked", cover="medium", is_called="door"),
    "gate": EdgeKind((600, 180), "closed", blocks_sight=False, stops_shots=False, contains_blast=False, cover=""),
    "window": EdgeKind(sills=(300, 90), lintels=(650, 200), cover="medium"),
    "bars": EdgeKind(blocks_sight=False, stops_shots=False, contains_blast=False, cover=""),
    "glass": EdgeKind(blocks_sight=False),
    "curtain": EdgeKind(state="closed", stops_shots=False, blocks_movement=False, contains_blast=False, cover=""),
    "railing": _waist_high(3.5, 1.1)._replace(blocks_sight=False, stops_shots=False, cover=""),
    "fence": _waist_high(4, 1.2)._replace(blocks_sight=False, cover="light"),
    "parapet": _waist_high(3, 0.9),
    "low wall": _waist_high(3, 0.9),
    "mirror": EdgeKind(stops_shots=False, contains_blast=False, cover=""),
    "turnstile": _waist_high(3.5, 1.1)._replace(blocks_sight=False, stops_shots=False, blocks_movement=True, cover=""),
}
"""What may stand on an edge. `glass` is the armoured kind; a pane that stops nothing is a window without more."""

ONE_WAY = {"mirror": "seen_through", "turnstile": "walked_through"}
"""Kinds of edges that work one way, and the field that must say which. A mirror is the pane that spies look through."""

OPENINGS = ("door", "open door", "locked door", "gate", "window", "bars", "curtain")
"""Kinds of edges that may be drawn as a whole square in a wall of whole squares."""

SQUARE_GLYPHS = {
    "#": "wall",
    ".": "floor",
    ",": "rubble",
    "~": "shallow water",
    "T": "tree",
    "%": "hedge",
    "o": "crate",
    "=": "table",
    "&": "statue",
    "O": "pillar",
    "<": "stairs",
    ">": "stairs",
    "+": "door",
    "'": "open door",
}
"""The default legend of squares: the habits of roguelike maps."""

EDGE_GLYPHS = {
    "-": "wall",
    "|": "wall",
    "D": "door",
    "/": "open door",
    "L": "locked door",
    "G": "gate",
    "w": "window",
    "b": "bars",
    "c": "curtain",
    ":": "railing",
    "f": "fence",
    "p": "parapet",
}
"""The default legend of thin things on a drawn map."""


def ground(terrain: str, thing: str, unit: str, glyph: str) -> Ground:
    """Built-in terrain with a built-in object on it, or with none when `thing` is empty.

    Raises:
        KeyError: there is no such terrain or object.
    """
    floor = TERRAINS[terrain]
    kind = OBJECTS[thing]._replace(move_cost=max(OBJECTS[thing].move_cost, floor.move_cost)) if thing else floor
    return Ground(
        terrain=terrain,
        object=thing,
        height=kind.heights[unit == "metres"],
        blocks_sight=kind.blocks_sight,
        stops_shots=kind.stops_shots,
        blocks_movement=kind.blocks_movement,
        contains_blast=kind.contains_blast,
        cover=kind.cover,
        move_cost=kind.move_cost,
        glyph=glyph,
    )


def barrier(name: str, unit: str) -> Barrier:
    """A built-in thin thing.

    Raises:
        KeyError: there is no such kind.
    """
    kind = EDGES[name]
    column = unit == "metres"
    return Barrier(
        kind=kind.is_called or name,
        state=kind.state,
        top=kind.tops[column],
        sill=kind.sills and kind.sills[column],
        lintel=kind.lintels and kind.lintels[column],
        blocks_sight=kind.blocks_sight,
        stops_shots=kind.stops_shots,
        blocks_movement=kind.blocks_movement,
        contains_blast=kind.contains_blast,
        cover=kind.cover,
    )
