"""Layers over the terrain: units, line of fire, planned path, cursor.

A layer says, for cells of the canvas (the whole map's cells), a glyph and an ink. An empty glyph keeps what is there;
of several layers the last overwrites the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.battle.views.aftermath import FELL, HEALED, HIT, MISS, UNHURT, Aftermath, Mark
from engine.battle.views.view import UnitView, View
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Direction, Edge, Square
from tui.board.glyphs import GlyphSet
from tui.board.ground import DrawingStyle, Sign, edge_glyphs, edge_ink, edge_look
from tui.board.overlay import Overlay
from tui.board.tight import FLOORLESS, floor_look
from tui.board.tokens import condition_of, facing_of, in_lines, is_wounded, stance_of

SIDES = 4
MARK_INKS = {HIT: "line", UNHURT: "line", FELL: "line", MISS: "miss", HEALED: "hit"}
"""Inks of the labels of what happened to units."""
Layer = dict[int, dict[int, Sign]]
"""Signs by canvas line, then by canvas column."""


def footprint(unit: UnitView) -> list[Square]:
    """The squares a unit fills, row by row."""
    column, row = unit.at
    return [Square(column + dx, row + dy) for dy in range(unit.size) for dx in range(unit.size)]


def standing(units: Iterable[UnitView]) -> dict[Square, UnitView]:
    """Who is drawn on each square: one still in the fight before one that is not, of them whose turn it is."""
    found: dict[Square, UnitView] = {}
    for unit in sorted(units, key=lambda unit: (unit.is_defeated, not unit.is_active)):
        for square in footprint(unit):
            found.setdefault(square, unit)
    return found


def unit_layer(
    field: Battlefield,
    units: Mapping[Square, UnitView],
    shown: Iterable[Square],
    manner: DrawingStyle,
    chosen: frozenset[str],
) -> Layer:
    """The units on the squares in `shown`; those whose id is in `chosen`, and the active one, reversed."""
    layer: Layer = {}
    for square in shown:
        unit = units[square]
        if manner.zoom.is_boxed:
            _boxed_unit(layer, field, square, unit, manner, unit.is_active or unit.id in chosen)
        else:
            _tight_unit(layer, field, square, units, manner, unit.is_active or unit.id in chosen)
    return layer


def ink_of(unit: UnitView, is_reversed: bool) -> str:
    side = f"side-{unit.side_index % SIDES}"
    if is_reversed:
        return f"{side} reverse"
    return f"{side} down" if unit.is_defeated or unit.is_hidden else side


def _boxed_unit(
    layer: Layer, field: Battlefield, square: Square, unit: UnitView, manner: DrawingStyle, is_reversed: bool
) -> None:
    width, height = manner.zoom.width - 1, manner.zoom.height - 1
    x, y = square.column * manner.zoom.width + 1, square.row * manner.zoom.height + 1
    ink = ink_of(unit, is_reversed)
    is_open = edge_look(field, Edge(*square, "N")) in FLOORLESS
    if square == unit.at:
        headline, lines = in_lines(unit, manner.glyphs, width, height, is_open)
    else:
        headline, lines = " " * width, ((unit.letter.center(width),) + (" " * width,) * (height - 1))
    body = "" if is_reversed or unit.size == 1 else " body"
    for number, text in enumerate(lines):
        _write(layer, x, y + number, text, ink + body)
    if is_wounded(unit) and square == unit.at:
        _write(layer, x, y, unit.letter, f"{ink}{body} underline")
    if is_open and (headline.strip() or unit.size > 1 or is_reversed):
        name = "" if is_reversed or unit.is_defeated else " name"
        _write(layer, x, y - 1, headline, f"{ink}{body}{name}")


def _tight_unit(
    layer: Layer,
    field: Battlefield,
    square: Square,
    units: Mapping[Square, UnitView],
    manner: DrawingStyle,
    is_reversed: bool,
) -> None:
    unit, x, y = units[square], square.column * 2, square.row
    condition = condition_of(unit, manner.glyphs) if square == unit.at else ""
    is_up = stance_of(unit) == "standing"  # else how it lies or kneels stays seen, and the ink tells of a condition
    sign = condition if condition and is_up else facing_of(unit, manner.glyphs)
    second = sign if square == unit.at else unit.letter
    ink = ink_of(unit, is_reversed) + ("" if is_reversed or unit.size == 1 else " body")
    floor = "" if floor_look(field, square) in FLOORLESS else " underline"
    west = edge_look(field, Edge(*square, "W"))
    if west not in FLOORLESS and square.column == 0:
        _write(layer, x + 1, y, unit.letter, ink + floor)
        return
    _write(layer, x, y, unit.letter, ink + (" underline" if is_wounded(unit) and square == unit.at else floor))
    _write(layer, x + 1, y, second, ink + floor + (" mark body" if condition and not is_reversed else ""))
    if west not in FLOORLESS:
        _write(layer, x - 1, y, edge_glyphs(west, manner.glyphs).right, edge_ink(west))
    east = edge_look(field, Edge(square.column + 1, square.row, "W"))
    if east not in FLOORLESS and Square(square.column + 1, square.row) in units:
        _write(layer, x + 1, y, edge_glyphs(east, manner.glyphs).right, edge_ink(east))


def dropped_layer(view: View, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """Weapons on the ground and laid charges, on squares without units."""
    layer: Layer = {}
    for square, _ in view.dropped:
        _dot(layer, view.field, square, Sign(manner.glyphs.dropped, "door"), manner, taken)
    for square in view.charges:
        _dot(layer, view.field, square, Sign(manner.glyphs.charge, "door"), manner, taken)
    return layer


def note_layer(view: View, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """Squares with a note of the GM's; a unit that stands there hides the mark."""
    layer: Layer = {}
    for note in view.notes:
        if note.at is not None:
            _dot(layer, view.field, note.at, Sign(manner.glyphs.note, "door"), manner, taken)
    return layer


def way_layer(field: Battlefield, overlay: Overlay, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """The planned path and, over it, the line of fire, on squares without units."""
    layer: Layer = {}
    glyphs = manner.glyphs
    for square in overlay.path[:-1]:
        _dot(layer, field, square, Sign(glyphs.path, "path"), manner, taken)
    for square in overlay.path[-1:]:
        _dot(layer, field, square, Sign(glyphs.goal, "path"), manner, taken)
    for square in overlay.flight:
        _dot(layer, field, square, Sign(glyphs.line, "line"), manner, taken)
    return layer


def _dot(
    layer: Layer, field: Battlefield, square: Square, sign: Sign, manner: DrawingStyle, taken: Mapping[Square, UnitView]
) -> None:
    if square not in taken:
        column, line = manner.zoom.centre
        if square in field and field.ground_at(square).object:
            column -= 1  # beside the object, which stays to be seen
        x, y = square.column * manner.zoom.width + column, square.row * manner.zoom.height + line
        _write(layer, x, y, sign.glyph, sign.ink)


def aftermath_layer(
    field: Battlefield, done: Aftermath, manner: DrawingStyle, taken: Mapping[Square, UnitView]
) -> Layer:
    """What the last command did: ways, lines of fire, where a throw came down, and a label beside each unit."""
    layer: Layer = {}
    glyphs = manner.glyphs
    for square in done.trail:
        _dot(layer, field, square, Sign(glyphs.path, "path"), manner, taken)
    for shot in done.shots:
        between = shot.squares[1:-1]
        for square in between if shot.is_hit else between[::2]:
            _dot(layer, field, square, Sign(glyphs.line, HIT if shot.is_hit else MISS), manner, taken)
        if not shot.is_hit and (past := _past(shot.squares)) in field:
            _dot(layer, field, past, Sign(glyphs.past, MISS), manner, taken)
    for ring, squares in enumerate(done.rings):
        for square in squares:
            _dot(layer, field, square, Sign(glyphs.blast[min(ring, 1)], "landed"), manner, taken)
    for spot, glyph in ((done.aimed, glyphs.goal), (done.landed, glyphs.landed)):
        if spot is not None:
            _dot(layer, field, spot, Sign(glyph, "landed"), manner, taken)
    written: set[Square] = set()
    for mark in done.marks:
        _label(layer, field, mark, manner, taken, written)
    return layer


def _label(
    layer: Layer,
    field: Battlefield,
    mark: Mark,
    manner: DrawingStyle,
    taken: Mapping[Square, UnitView],
    written: set[Square],
) -> None:
    """Writes the label of a unit on the first free squares beside it, which are `written` on from then."""
    zoom = manner.zoom
    for text in mark_texts(mark, manner.glyphs):
        room = -(-len(text) // zoom.width)
        for square in _beside(mark, room):
            wanted = {Square(square.column + step, square.row) for step in range(room)}
            if all(each in field and each not in taken and each not in written for each in wanted):
                written |= wanted
                x, y = square.column * zoom.width + zoom.is_boxed, square.row * zoom.height
                line = zoom.centre[1] if zoom.is_boxed else 0
                _write(layer, x, y + line, text, f"{MARK_INKS[mark.kind]} reverse")
                return


def mark_texts(mark: Mark, glyphs: GlyphSet) -> tuple[str, ...]:
    """The label of what happened to a unit, longer ones first: "−7", "+5", "miss", "armour", "↓2.5"."""
    lost, fell = f"{glyphs.minus}{mark.amount}", f"{glyphs.fell}{mark.amount / 100:g}"
    texts = {HIT: (lost,), HEALED: (f"+{mark.amount}",), MISS: ("miss",), UNHURT: ("armour", lost), FELL: (fell,)}
    return texts[mark.kind]


def _past(squares: tuple[Square, ...]) -> Square:
    """The square behind the target of a line of fire."""
    start, end = squares[0], squares[-1]
    return end.step(Direction.towards(start, end))


def _beside(mark: Mark, room: int) -> Iterable[Square]:
    """Where the label of a unit may begin: to its east, west, north, south."""
    column, row, size = mark.at.column, mark.at.row, mark.size
    return (
        Square(column + size, row),
        Square(column - room, row),
        Square(column, row - 1),
        Square(column, row + size),
    )


def stop_layer(overlay: Overlay, manner: DrawingStyle) -> Layer:
    """The cross where the line of fire ends."""
    layer: Layer = {}
    stop, zoom = overlay.stop, manner.zoom
    if stop is None:
        return layer
    column, line = zoom.centre
    if isinstance(stop, Edge):
        if zoom.is_boxed:
            column, line = (column, 0) if stop.side == "N" else (0, line)
        elif stop.side == "W":
            column = 0
    _write(layer, stop.column * zoom.width + column, stop.row * zoom.height + line, manner.glyphs.stop, "stop")
    return layer


def cursor_layer(cursor: Square | None, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """Brackets on both sides of a boxed square, a block over a tight one; a unit there keeps its side's colour."""
    layer: Layer = {}
    if cursor is None:
        return layer
    zoom = manner.zoom
    x, y = cursor.column * zoom.width, cursor.row * zoom.height + zoom.centre[1]
    if zoom.is_boxed:
        _write(layer, x, y, manner.glyphs.brackets[0], "cursor")
        _write(layer, x + zoom.width, y, manner.glyphs.brackets[1], "cursor")
    else:
        block = Sign("", f"{ink_of(taken[cursor], False)} block" if cursor in taken else "block")
        layer[y] = {x: block, x + 1: block}
    return layer


def _write(layer: Layer, x: int, y: int, text: str, ink: str) -> None:
    line = layer.setdefault(y, {})
    for place, glyph in enumerate(text):
        line[x + place] = Sign(glyph, ink)
