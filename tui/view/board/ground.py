"""Rendering of terrain: background, marks, objects and edges of a square."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from rich.style import Style

from engine.context import Cache
from engine.geometry.battlefield import Battlefield, Ground, Height
from engine.geometry.body import EYES, HUMAN_HEIGHT
from engine.geometry.los.lighting import light_at, lit
from engine.geometry.squares import Direction, Edge, Square
from tui.application.describe.glyphs import EdgeGlyphs, GlyphSet
from tui.view.board.glyph_keys import barrier_look, hue_of, is_solid, is_void, level_of, object_look, terrain_look
from tui.view.board.palette import VOID, Palette, Paper
from tui.view.board.zoom_levels import Zoom


class Cell(NamedTuple):
    """One terminal cell; the paper stays when something else is written on it."""

    glyph: str
    style: Style
    paper: Paper


Block = tuple[tuple[Cell, ...], ...]
"""The cells of one square, line by line."""


class DrawingStyle(Struct, frozen=True):
    """Drawing style: zoom level, glyphs, palette, contour step, ink of the ground's marks."""

    zoom: Zoom
    glyphs: GlyphSet
    palette: Palette
    step: Height = 500
    """Height of one level of ground."""
    mark: str = "mark"
    """The one ink of a map's ground marks, so that it changes only where the ground does."""

    def cell(self, glyph: str, ink: str, paper: Paper) -> Cell:
        return Cell(glyph, self.palette.style(self.mark if ink == "mark" else ink, paper), paper)


class Sign(NamedTuple):
    """A glyph and its ink."""

    glyph: str
    ink: str


PATCH = 5
"""Squares along the side of a patch of the checker, as far as the cursor leaps. Smaller ones cost bytes."""

BLANK = Sign(" ", "mark")
LEDGE = "ledge"
"""An edge where the ground falls to the south further than one walks."""
NO_EDGE = ("", LEDGE)
INKS = {"window": "window", "glass": "window", "railing": "low", "low wall": "low", "bars": "low", "ledge": "ledge"}
DOORS = ("door", "locked", "open", "broken", "curtain", "drawn")
MATERIALS = {
    "rock": "stone",
    "statue": "stone",
    "pillar": "stone",
    "heap": "stone",
    "machine": "metal",
    "vehicle": "metal",
    "tree": "leaf",
    "hedge": "leaf",
}
"""Inks of objects that are not wood."""
WOODEN = ("cart", "wagon")
"""Vehicles that are of wood."""
FILLS = {"medium": "medium", "heavy": "heavy"}
"""How the cover of an object fills its frame; light cover does not."""
FRAMELESS = ("tree", "hedge", "rock", "heap", "table", "counter", "fire")
JOINED = ("vehicle", "machine")
"""Looks of objects whose neighbouring squares are one thing; containers are another."""
LEAST_PLATEAU = 3
"""Squares of one height that get a digit."""

_plateaus: Cache[Mapping[Square, Height]] = Cache(4)
_days: Cache[bool] = Cache(4)


def paper_of(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Paper:
    """The background of a square."""
    if square not in field or is_void(field.ground_at(square)):
        return VOID
    place = field.index(square)
    ground = field.legend[field.ground[place]]
    return Paper(
        hue=_hue_at(field, square),
        is_odd=(square.column // PATCH + square.row // PATCH) % 2 == 1,
        level=level_of(field.elevation[place], manner.step),
        light=_shown_light(field, lit(field)[place]),
        thing=fill_of(ground),
        tint=tint,
    )


def fill_of(ground: Ground) -> str:
    """What fills the frame of an object, as "object medium"; "" for nothing."""
    thing = object_look(ground)
    if not thing or thing in FRAMELESS or ground.cover not in FILLS:
        return ""
    return f"{object_ink(ground)} {FILLS[ground.cover]}"


def object_ink(ground: Ground) -> str:
    """The ink of the object on a square: what it is made of."""
    return "object" if ground.object in WOODEN else MATERIALS.get(object_look(ground), "object")


def _shown_light(field: Battlefield, light: int) -> int:
    """Dark 0, as it is 1, bright 2; by day, when bright is how it is, 1 for bright and 3 for dim."""
    is_day = _days.get((field.light,), "day", lambda: 2 * field.light.count(2) >= len(field.light))
    return {1: 3, 2: 1}.get(light, light) if is_day else light


def _hue_at(field: Battlefield, square: Square) -> str:
    """The ground's colour family; under an object that of the ground around it, for an object is not a hole."""
    ground = field.ground_at(square)
    if not ground.object:
        return hue_of(ground)
    near = (field.ground_at(there) for side in Direction if (there := square.step(side)) in field)
    hues = [hue_of(ground) for ground in near if not ground.object and not is_solid(ground)]
    return max(hues, key=hues.count, default=hue_of(ground))


def mark_of(field: Battlefield, square: Square, tint: str, glyphs: GlyphSet) -> Sign:
    """The sign in the middle of a square that is not solid: object, terrain, tint or just that there is a square."""
    ground = field.ground_at(square)
    thing = object_look(ground)
    if thing:
        return Sign(glyphs.objects[thing][0], object_ink(ground))
    if tint:
        return Sign(glyphs.tints[tint], "tint")
    terrain = glyphs.terrains.get(terrain_look(ground))
    if terrain:
        return Sign(terrain, "terrain")
    return Sign(glyphs.plain, "mark")


def ground_mark(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Sign:
    """As `mark_of`; a tint that the background shows has a sign as quiet as the ground's, and terrain keeps its own."""
    mark = mark_of(field, square, tint, manner.glyphs)
    palette = manner.palette
    if mark.ink == "tint" and not palette.has_tint_signs:
        bare = mark_of(field, square, "", manner.glyphs)
        return bare if bare.ink == "terrain" else Sign(mark.glyph, "mark")
    if mark.ink == "mark" and palette.has_no_papers and light_at(field, square) == "dim":
        return Sign(manner.glyphs.dim, "mark")
    return mark


def is_wide(field: Battlefield, square: Square, mark: Sign) -> bool:
    """Whether the mark is repeated beside itself: water."""
    return mark.ink == "terrain" and hue_of(field.ground_at(square)) in ("water", "deep")


def smoke_of(field: Battlefield, square: Square, glyphs: GlyphSet) -> Sign | None:
    """The grain of smoke on a square; None in clear air."""
    smoke = min(field.smoke_at(square), 2)
    return Sign(glyphs.smoke[smoke - 1], "smoke" if smoke == 1 else "smoke-thick") if smoke else None


def edge_look(field: Battlefield, edge: Edge) -> str:
    """How the edge is drawn: a barrier's look, LEDGE where the ground falls far to the south, "" for nothing."""
    barrier = field.barriers.get(edge)
    if barrier is not None:
        return barrier_look(barrier)
    if edge.side != "N":
        return ""
    low, high = Square(edge.column, edge.row), Square(edge.column, edge.row - 1)
    if low not in field or high not in field:
        return ""
    if field.elevation_at(high) - field.elevation_at(low) <= HUMAN_HEIGHT[field.unit] // 2:
        return ""
    return "" if is_solid(field.ground_at(low)) or is_solid(field.ground_at(high)) else LEDGE


def west_look(field: Battlefield, square: Square) -> str:
    """The look of the edge along the square's west side."""
    return edge_look(field, Edge(*square, "W"))


def south_look(field: Battlefield, square: Square) -> str:
    """The look of the edge along the square's south side."""
    return edge_look(field, Edge(square.column, square.row + 1, "N"))


def is_edge_cell(field: Battlefield, zoom: Zoom, x: int, y: int) -> bool:
    """Whether a cell of the canvas belongs to what stands on an edge."""
    square = Square(x // zoom.width, y // zoom.height)
    if x % zoom.width == 0 and west_look(field, square) not in NO_EDGE:
        return True
    return y % zoom.height == zoom.height - 1 and zoom.is_boxed and south_look(field, square) not in NO_EDGE


def edge_ink(look: str) -> str:
    return "door" if look in DOORS else INKS.get(look, "wall")


def edge_glyphs(look: str, glyphs: GlyphSet) -> EdgeGlyphs:
    return glyphs.edges[look]


def solid_at(field: Battlefield, square: Square) -> bool:
    return square in field and is_solid(field.ground_at(square)) and not is_void(field.ground_at(square))


def level_sign(field: Battlefield, square: Square, manner: DrawingStyle) -> str:
    """The digit of a plateau on the first of its squares, as "²" and "₋₂"; "" elsewhere."""
    height = plateaus(field).get(square, 0)
    return manner.glyphs.level(level_of(height, manner.step))


def plateaus(field: Battlefield) -> Mapping[Square, Height]:
    """The first free square of each plateau, joined squares of one height that is not the map's zero, and that height.

    Smaller ones than three squares are left out.
    """
    layers = (field.elevation, field.ground, field.legend)
    return _plateaus.get(layers, "plateaus", lambda: _find_plateaus(field))


def _find_plateaus(field: Battlefield) -> Mapping[Square, Height]:
    columns, elevation = field.columns, field.elevation
    taken = [bool(ground.object) or is_solid(ground) or is_void(ground) for ground in field.legend]
    found: dict[Square, Height] = {}
    seen = bytearray(len(elevation))
    for start, height in enumerate(elevation):
        if height == 0 or seen[start] or is_solid(field.legend[field.ground[start]]):
            continue
        seen[start] = 1
        members, pending = [start], deque([start])
        while pending:
            place = pending.popleft()
            column = place % columns
            for near, is_there in (
                (place - columns, place >= columns),
                (place + columns, place + columns < len(elevation)),
                (place - 1, column > 0),
                (place + 1, column + 1 < columns),
            ):
                if is_there and not seen[near] and elevation[near] == height:
                    seen[near] = 1
                    members.append(near)
                    pending.append(near)
        free = [place for place in members if not taken[field.ground[place]]]
        if len(members) >= LEAST_PLATEAU and free:
            first = min(free)
            found[Square(first % columns, first // columns)] = height
    return found


def frame_kind(field: Battlefield, ground: Ground) -> str:
    """The frame of an object: round for round things and vehicles, else by whether one looks over it standing."""
    if object_look(ground) in ("barrel", "vehicle", "pillar"):
        return "round"
    return "high" if ground.height > HUMAN_HEIGHT[field.unit] * EYES else "low"


def is_joined(field: Battlefield, square: Square, near: Square) -> bool:
    """Whether the objects of two neighbouring squares are one thing."""
    if near not in field or square not in field:
        return False
    here, there = field.ground_at(square), field.ground_at(near)
    is_one = object_look(here) in JOINED or here.object == "container"
    return is_one and here.object == there.object and field.elevation_at(square) == field.elevation_at(near)
