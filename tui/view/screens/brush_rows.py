"""What the palette of the terrain editor shows of brushes and of the square under the cursor."""

from __future__ import annotations

from engine.battle.state.battle import Battle
from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground, Lamp
from engine.geometry.los.lighting import light_at
from engine.geometry.squares import ORTHOGONAL, Square, edge_of
from engine.rules.ledger import UNIT_SIGNS
from maps import kinds
from maps.model import STEP
from tui.application.describe.glyphs import GlyphSet
from tui.application.presenter.brushes import EDGE, SMOKE, ZONE, Brush, BrushSet, zone_facts
from tui.view.board.glyph_keys import barrier_look, is_solid, object_look, terrain_look
from tui.view.board.ground import edge_ink, object_ink
from tui.view.panels.palette_panel import BrushShown, PaletteShown, SquareShown

EDGE_SIGNS = {name: glyph for glyph, name in kinds.EDGE_GLYPHS.items()}
"""The map file's signs of barriers."""
UNKNOWN = "?"
"""The sign of ground that has none in the map's file until it is saved."""
MARK, PLAIN_MARK = "▸", ">"
"""Before the present brush."""


def brushes_shown(used: BrushSet, battle: Battle, glyphs: GlyphSet, *, is_plain: bool) -> tuple[BrushShown, ...]:
    """The brushes as the palette shows them.

    Args:
        used: the brushes.
        battle: the present one.
        glyphs: the board's signs.
        is_plain: whether brushes have the signs of the map's file before them, in place of the board's.
    """
    shown = []
    for brush in used.last:
        sign, ink = brush_sign(brush, glyphs, is_plain=is_plain)
        cover, high = brush_note(brush, battle)
        shown.append(BrushShown(sign, ink, brush_name(brush), cover, high, brush == used.current))
    return tuple(shown)


def palette_shown(brushes: tuple[BrushShown, ...], field: Battlefield, cursor: Square, mark: str) -> PaletteShown:
    """What the palette shows while the cursor is on a square; `mark` stands before the present brush."""
    step = f"{STEP[field.unit] / 100:g} {UNIT_SIGNS[field.unit]}"
    return PaletteShown(brushes, square_shown(field, cursor), step, mark)


def brush_name(brush: Brush) -> str:
    """What the palette and the lists call a brush."""
    return f"zone {brush.name}" if brush.kind == ZONE else brush.name


def brush_note(brush: Brush, battle: Battle) -> tuple[str, str]:
    """The cover and the height of a brush; of others what they are, in a few words, and ""."""
    sign = UNIT_SIGNS[battle.field.unit]
    if brush.kind == ZONE:
        return ", ".join(zone_facts(brush.name, battle)).replace(" squares", " sq").replace(" square", " sq"), ""
    match brush.value:
        case Ground(cover=cover, height=height):
            return cover, _height(height, sign)
        case Barrier(top=top):
            return "edge", _height(top, sign)
        case Lamp(bright=bright, dim=dim):
            return f"bright {bright}, dim {dim}", ""
    return "edge" if brush.kind == EDGE else "", ""


def _height(height: int, sign: str) -> str:
    return "" if not height else "full" if height >= SKY else f"{height / 100:g} {sign}"


def brush_sign(brush: Brush, glyphs: GlyphSet, *, is_plain: bool) -> tuple[str, str]:
    """The sign before the name of a brush and its style: the board's, or with `is_plain` the map file's."""
    if brush.kind == ZONE:
        return brush.name[0], "bold"
    match brush.value:
        case Ground() as ground:
            return _ground_sign(ground, glyphs, is_plain=is_plain)
        case Barrier() as barrier:
            look = barrier_look(barrier)
            return EDGE_SIGNS.get(brush.name, " ") if is_plain else glyphs.edges[look].upright[0], f"${edge_ink(look)}"
        case Lamp():
            return glyphs.lamp, "$warn"
        case int() as density if brush.kind == SMOKE:
            return str(density) if is_plain else f" {glyphs.smoke}"[density], "$smoke"
    return " ", ""


def _ground_sign(ground: Ground, glyphs: GlyphSet, *, is_plain: bool) -> tuple[str, str]:
    if is_plain:
        return " " if ground.glyph == UNKNOWN else ground.glyph, ""
    if look := object_look(ground):
        return glyphs.objects[look][0], f"${object_ink(ground)}"
    if is_solid(ground):
        return glyphs.solid, "$solid"
    return glyphs.terrains.get(terrain_look(ground), glyphs.plain), "$muted"


def square_shown(field: Battlefield, square: Square) -> SquareShown:
    """The square under the cursor, as the palette says it."""
    sign, ground = UNIT_SIGNS[field.unit], field.ground_at(square)
    height = f"{field.elevation_at(square) / 100:g}"
    said = [ground.terrain, *([ground.object] if ground.object else []), f"height {height} {sign}"]
    lamp = next((lamp for lamp in field.lamps if lamp.at == square), None)
    said += [f"lamp {lamp.bright}/{lamp.dim}"] if lamp else []
    said += ["smoke" if field.smoke_at(square) == 1 else "thick smoke"] if field.smoke_at(square) else []
    said += [light_at(field, square)]
    edges = ((side.name, field.barriers.get(edge_of(square, side))) for side in ORTHOGONAL)
    return SquareShown(
        f"{square.name} {', '.join(said)}", height, tuple((side, _barrier_words(held)) for side, held in edges)
    )


def _barrier_words(barrier: Barrier | None) -> str:
    if barrier is None:
        return "–"
    state = "" if barrier.state in ("", "closed") else f"{barrier.state} "
    return f"{state}{barrier.kind}"
