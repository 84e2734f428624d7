"""Palette of the terrain editor: keys, the brushes last used, and the square under the cursor."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content
from textual.reactive import var

from engine.battle.state.battle import Battle
from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground, Lamp
from engine.geometry.los.lighting import light_at
from engine.geometry.squares import ORTHOGONAL, Square, edge_of
from engine.rules.ledger import UNIT_SIGNS
from engine.text import cells
from maps import kinds
from tui.application.describe.glyphs import GlyphSet
from tui.application.describe.text_layout import fit, wrap
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.brushes import EDGE, SMOKE, ZONE, Brush, BrushSet, zone_facts
from tui.view.board.glyph_keys import barrier_look, is_solid, object_look, terrain_look
from tui.view.board.ground import edge_ink, object_ink
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, plain

EDGE_SIGNS = {name: glyph for glyph, name in kinds.EDGE_GLYPHS.items()}
"""The map file's signs of barriers."""
UNKNOWN = "?"
"""The sign of ground that has none in the map's file until it is saved."""
NAME = 5
"""Cells before the name of a brush."""
COVER, HIGH = 6, 5
"""Cells of the columns behind it."""
MARK, PLAIN_MARK = "▸", ">"


class SquareShown(Struct, frozen=True):
    """The square under the cursor."""

    words: str
    height: str
    """Height of its ground."""
    edges: tuple[tuple[str, str], ...]
    """What stands on each side: N, E, S and W."""


class PaletteShown(Struct, frozen=True):
    """What the palette shows."""

    used: BrushSet
    here: SquareShown
    step: str
    """How much one key raises the ground."""
    battle: Battle
    glyphs: GlyphSet
    is_plain: bool
    """Whether the signs are those of the map's file."""


class PalettePanel(Panel):
    """The palette."""

    TITLE = "Palette"
    shown: var[PaletteShown | None] = var(None, init=False)

    def build_rows(self, width: int, height: int) -> list[Content]:
        if self.shown is None:
            return []
        self.head(self.TITLE, with_keys("{terrain.brush_1}–{terrain.brush_6} last used"))
        return palette_rows(self.shown, width, height)


def palette_rows(shown: PaletteShown, width: int, height: int) -> list[Content]:
    """The rows of the palette in so many cells; the square's are the lowest."""
    rows = [
        _key_row("terrain.paint", "paint …", "ground, objects,", width),
        _key_row("", "", "lamp, smoke, zone", width),
        _key_row("terrain.thin", "edges …", "wall, door, bars", width),
        _key_row("terrain.height", "height", with_keys(f"{{terrain.lower}} {shown.here.height} {{terrain.raise}}")
                 + f"   {shown.step}", width),
        plain(""),
        plain(f"   {fit('last used', width - 6 - COVER - HIGH)} {'cover':<{COVER}} {'high':>{HIGH}}", "$muted"),
        *(brush_row(shown, number, brush, width) for number, brush in enumerate(shown.used.last, 1)),
    ]  # fmt: skip
    tail = square_rows(shown.here, width)
    free = height - len(rows) - len(tail)
    others = _other_keys() if free > len(OTHERS) + 1 else []
    rows += [plain(""), *others] if others else []
    return [*rows, *[plain("")] * (height - len(rows) - len(tail)), *tail]


OTHERS = (
    (("board.choose", "paint"), ("terrain.brush", "pen")),
    (("terrain.mark", "corner"), ("terrain.fill", "fill")),
    (("terrain.bare", "clear"), ("terrain.pick", "pick")),
    (("terrain.north terrain.east terrain.south terrain.west terrain.around", "edge"),),
    (("terrain.save", "save as"), ("terrain.go", "go to a warning")),
)


def _other_keys() -> list[Content]:
    """The rows of the keys that are no brushes."""
    rows = [plain(" other keys", "$muted")]
    for row in OTHERS:
        pieces: list[Content | str] = []
        for ids, words in row:
            keys = " ".join(with_keys(f"{{{id}}}") for id in ids.split())
            pieces += [plain(f" {keys}", "$ink bold"), plain(f" {words} ")]
        rows.append(join(pieces))
    return rows


def _key_row(id: str, words: str, note: str, width: int) -> Content:
    key = with_keys(f"{{{id}}}") if id else " "
    return join([plain(f" {key} ", "bold"), plain(f"{words:<9}"), plain(fit(note, width - 12).rstrip(), "$muted")])


def brush_row(shown: PaletteShown, number: int, brush: Brush, width: int) -> Content:
    """A brush: its key, sign and name, and what it is; the present one is marked."""
    sign, ink = brush_sign(brush, shown.glyphs, is_plain=shown.is_plain)
    key, note = with_keys(f"{{terrain.brush_{number}}}"), brush_note(brush, shown.battle)
    is_current = brush == shown.used.current
    mark = (MARK if shown.glyphs.has_unicode else PLAIN_MARK) if is_current else " "
    row = join(
        [
            plain(f"{mark}{key} ", "bold"),
            plain(f"{sign} ", ink),
            plain(fit(brush_name(brush), width - NAME - cells(note) - 2), "bold" if is_current else ""),
            plain(f" {note} ", "" if is_current else "$muted"),
        ]
    )
    return row.stylize("on $prompt-back") if is_current else row


def brush_name(brush: Brush) -> str:
    """What the palette and the lists call a brush."""
    return f"zone {brush.name}" if brush.kind == ZONE else brush.name


def brush_note(brush: Brush, battle: Battle) -> str:
    """What a brush is in two columns, cover and height; of others in a few words."""
    sign = UNIT_SIGNS[battle.field.unit]
    if brush.kind == ZONE:
        return ", ".join(zone_facts(brush.name, battle)).replace(" squares", " sq").replace(" square", " sq")
    match brush.value:
        case Ground(cover=cover, height=height):
            return _columns(cover, _height(height, sign))
        case Barrier(top=top):
            return _columns("edge", _height(top, sign))
        case Lamp(bright=bright, dim=dim):
            return f"bright {bright}, dim {dim}"
    return _columns("edge" if brush.kind == EDGE else "", "")


def _columns(cover: str, high: str) -> str:
    return f"{cover:<{COVER}} {high:>{HIGH}}"


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


def square_rows(here: SquareShown, width: int) -> list[Content]:
    """The square in two rows, and its four edges in two."""
    words = wrap(here.words, width - 1)[:2]
    north, east, south, west = (" ".join(edge) for edge in here.edges)
    half = width // 2
    return [
        plain(f" {'─' * (width - 2)}", "$panel-line"),
        *(plain(f" {row}", "" if place else "bold") for place, row in enumerate(words)),
        *[plain("")] * (2 - len(words)),
        _pair(north, east, half),
        _pair(south, west, half),
    ]


def _pair(left: str, right: str, half: int) -> Content:
    return plain(f" {fit(left, max(half, cells(left) + 1))}{right}", "$muted")
