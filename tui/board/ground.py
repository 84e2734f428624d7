"""Rendering of terrain: background, mark and edges of a square."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from rich.style import Style

from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.visibility.lighting import light_at, lit
from tui.board.glyph_keys import barrier_look, hue_of, is_solid, is_void, level_of, object_look, terrain_look
from tui.board.glyphs import EdgeGlyphs, GlyphSet
from tui.board.palette import VOID, Palette, Paper
from tui.board.zoom_levels import Zoom


class Cell(NamedTuple):
    """One terminal cell; the paper stays when something else is written on it."""

    glyph: str
    style: Style
    paper: Paper


Block = tuple[tuple[Cell, ...], ...]
"""The cells of one square, line by line."""


class DrawingStyle(Struct, frozen=True):
    """Drawing style: zoom level, glyphs, palette, contour step."""

    zoom: Zoom
    glyphs: GlyphSet
    palette: Palette
    step: Height = 500
    """Height of one level of ground."""

    def cell(self, glyph: str, ink: str, paper: Paper) -> Cell:
        return Cell(glyph, self.palette.style(ink, paper), paper)


class Sign(NamedTuple):
    """A glyph and its ink."""

    glyph: str
    ink: str


PATCH = 5
"""Squares along the side of a patch of the checker, as far as the cursor leaps. Smaller ones cost bytes."""

BLANK = Sign(" ", "mark")
LEDGE = "ledge"
INKS = {"window": "window", "glass": "window", "railing": "low", "low wall": "low", "bars": "low", "ledge": "ledge"}
DOORS = ("door", "locked", "open", "broken", "curtain", "drawn")
SIDES = (Direction.N, Direction.E, Direction.S, Direction.W)
MATERIALS = {"rock": "stone", "statue": "stone", "pillar": "stone", "heap": "stone", "tree": "leaf", "hedge": "leaf"}
"""Inks of objects that are not wood and iron."""
WEIGHTS = {"light": " light", "heavy": " heavy"}


def paper_of(field: Battlefield, square: Square, tint: str, manner: DrawingStyle) -> Paper:
    """The background of a square."""
    if square not in field or is_void(field.ground_at(square)):
        return VOID
    place = field.index(square)
    return Paper(
        hue=_hue_at(field, square),
        is_odd=not manner.zoom.is_boxed and (square.column // PATCH + square.row // PATCH) % 2 == 1,
        level=level_of(field.elevation[place], manner.step),
        light=lit(field)[place],
        smoke=field.smoke[place],
        tint=tint,
    )


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
        return Sign(glyphs.objects[thing], MATERIALS.get(thing, "object") + WEIGHTS.get(ground.cover, ""))
    if tint:
        return Sign(glyphs.tints[tint], "tint")
    terrain = glyphs.terrains.get(terrain_look(ground))
    if terrain:
        return Sign(terrain, "terrain")
    return Sign(glyphs.dim if light_at(field, square) == "dim" else glyphs.plain, "mark")


def is_wide(field: Battlefield, square: Square, mark: Sign) -> bool:
    """Whether the mark is repeated beside itself: heavy cover, and water."""
    if mark.ink.endswith(" heavy"):
        return True
    return mark.ink == "terrain" and hue_of(field.ground_at(square)) in ("water", "deep")


def edge_look(field: Battlefield, edge: Edge) -> str:
    """How the edge is drawn: a barrier's look, LEDGE where only the ground's height changes, "" for nothing."""
    barrier = field.barriers.get(edge)
    if barrier is not None:
        return barrier_look(barrier)
    here, there = edge.squares
    if here not in field or there not in field or field.elevation_at(here) == field.elevation_at(there):
        return ""
    return "" if is_solid(field.ground_at(here)) or is_solid(field.ground_at(there)) else LEDGE


def edge_ink(look: str) -> str:
    return "door" if look in DOORS else INKS.get(look, "wall")


def edge_glyphs(look: str, glyphs: GlyphSet) -> EdgeGlyphs:
    return glyphs.ledge if look == LEDGE else glyphs.edges[look]


def solid_at(field: Battlefield, square: Square) -> bool:
    return square in field and is_solid(field.ground_at(square)) and not is_void(field.ground_at(square))


def level_sign(field: Battlefield, square: Square, manner: DrawingStyle) -> Sign | None:
    """The square's level, where the ground of some neighbour lies at another height."""
    height = field.elevation_at(square)
    sign = manner.glyphs.level(level_of(height, manner.step))
    neighbours = (square.step(side) for side in SIDES)
    if sign and any(near in field and field.elevation_at(near) != height for near in neighbours):
        return Sign(sign, "label")
    return None
