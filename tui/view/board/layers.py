"""Layers over the terrain: units and their frames, lines of fire, planned path, cursor.

A layer says, for cells of the canvas (the whole map's cells), a glyph and an ink. An empty glyph keeps what is there;
of several layers the last overwrites the others. What stands on an edge keeps its cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from textual.geometry import Region

from engine.battle.views.aftermath import AFFECTED, FELL, HEALED, STRUCK, UNHURT, Aftermath, Mark
from engine.battle.views.attack_outcomes import DEFENDED, HIT, MISS
from engine.battle.views.view import UnitView, View
from engine.geometry.battlefield import Battlefield
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.straight_lines import straight_path
from engine.rules.ledger import UNIT_SIGNS
from tui.application.describe.glyphs import GlyphSet
from tui.application.overlays.markings import Markings
from tui.view.board.fire_lines import AIMED, MISSED, line_cells
from tui.view.board.fire_lines import HIT as UNBROKEN
from tui.view.board.glyph_keys import object_look
from tui.view.board.ground import (
    NO_EDGE,
    DrawingStyle,
    Sign,
    edge_glyphs,
    edge_ink,
    is_edge_cell,
    south_look,
    west_look,
)
from tui.view.board.tokens import PLATE, SIDES, token

MARK_INKS = {
    **dict.fromkeys((HIT, UNHURT, STRUCK, AFFECTED, FELL), "line"),
    **dict.fromkeys((MISS, DEFENDED), "miss"),
    HEALED: "hit",
}
"""Inks of the labels of what happened to units."""
PAST = 3
"""Most squares that the line of a miss goes on past its target."""
Layer = dict[int, dict[int, Sign]]
"""Signs by canvas line, then by canvas column."""


def footprint(unit: UnitView) -> list[Square]:
    """The squares a unit fills, row by row."""
    column, row = unit.at
    return [Square(column + dx, row + dy) for dy in range(unit.size) for dx in range(unit.size)]


def units_by_square(units: Iterable[UnitView]) -> dict[Square, UnitView]:
    """Who is drawn on each square: one still in the fight before one that is not, of them whose turn it is."""
    found: dict[Square, UnitView] = {}
    for unit in sorted(units, key=lambda unit: (unit.is_defeated, not unit.is_active)):
        for square in footprint(unit):
            found.setdefault(square, unit)
    return found


def shared_squares(units: Iterable[UnitView]) -> set[Square]:
    """The squares with two units or more that are still in the fight."""
    counted = Counter(square for unit in units if not unit.is_defeated for square in footprint(unit))
    return {square for square, count in counted.items() if count > 1}


def unit_layer(
    field: Battlefield,
    units: Mapping[Square, UnitView],
    shown: Iterable[UnitView],
    shared: Set[Square],
    manner: DrawingStyle,
    chosen: frozenset[str],
    marked: frozenset[str] = frozenset(),
) -> Layer:
    """The units in `shown` where they are drawn; those whose id is in `chosen`, and the active one, are filled.

    `shared` are the squares of several.
    """
    layer: Layer = {}
    for unit in shown:
        is_in_smoke = unit.at in field and bool(field.smoke_at(unit.at))
        is_filled = unit.is_active or unit.id in chosen
        indent = manner.zoom.is_boxed and west_look(field, unit.at) not in NO_EDGE
        is_marked = unit.id in marked
        drawn = token(
            unit,
            manner,
            is_filled=is_filled,
            is_in_smoke=is_in_smoke,
            is_marked=is_marked,
            is_shared=not (unit.is_defeated or shared.isdisjoint(footprint(unit))),
            indent=int(indent),
        )
        if len(drawn) == 1:
            if units.get(unit.at) is unit:
                _tight_unit(layer, field, unit, units, manner, drawn[0])
            continue
        for square in footprint(unit):
            if units.get(square) is unit:
                beside = units.get(square.step(Direction.W))
                is_joined = beside is not None and beside is not unit and beside.side_index == unit.side_index
                _part(layer, field, square, unit, manner, _set_off(drawn, manner) if is_joined else drawn)
    return layer


def _set_off(drawn: Sequence[Sequence[Sign]], manner: DrawingStyle) -> Sequence[Sequence[Sign]]:
    """A token with a dark gap on its left, where one of the same side stands beside it: two are not one."""
    gap, glyphs = Sign(" ", f"bar-rest{PLATE}"), manner.glyphs
    found = []
    for first, *others in drawn:
        is_bar = first.glyph == glyphs.bar[0] and bool(glyphs.gap)
        blank = Sign(glyphs.gap, first.ink) if is_bar else gap if first.glyph == " " else first
        found.append([blank, *others])
    return found


def _part(
    layer: Layer,
    field: Battlefield,
    square: Square,
    unit: UnitView,
    manner: DrawingStyle,
    drawn: Sequence[Sequence[Sign]],
) -> None:
    """The part of a unit's token on one of its squares; what stands on an edge keeps its cells."""
    zoom = manner.zoom
    left, top = (square.column - unit.at.column) * zoom.width, (square.row - unit.at.row) * zoom.height
    x, y = square.column * zoom.width, square.row * zoom.height
    for line in range(zoom.height):
        for column in range(zoom.width):
            if not is_edge_cell(field, zoom, x + column, y + line):
                layer.setdefault(y + line, {})[x + column] = drawn[top + line][left + column]


def _tight_unit(
    layer: Layer,
    field: Battlefield,
    unit: UnitView,
    units: Mapping[Square, UnitView],
    manner: DrawingStyle,
    drawn: Sequence[Sign],
) -> None:
    """A unit in two cells: what stands on its edges is drawn beside it, or as a line under where it faces."""
    square, (letter, facing) = unit.at, drawn
    x, y = square.column * manner.zoom.width, square.row
    floor = "" if south_look(field, square) in NO_EDGE else " underline"
    west = west_look(field, square)
    if west not in NO_EDGE and square.column == 0:
        _write(layer, x + 1, y, letter.glyph, letter.ink)
        return
    _write(layer, x, y, letter.glyph, letter.ink)
    _write(layer, x + 1, y, facing.glyph, facing.ink + floor)
    if west not in NO_EDGE:
        _write(layer, x - 1, y, edge_glyphs(west, manner.glyphs).right, edge_ink(west))
    east = west_look(field, Square(square.column + 1, square.row))
    if east not in NO_EDGE and Square(square.column + 1, square.row) in units:
        _write(layer, x + 1, y, edge_glyphs(east, manner.glyphs).right, edge_ink(east))


def frame_layer(
    field: Battlefield,
    units: Mapping[Square, UnitView],
    shown: Iterable[tuple[str, UnitView]],
    manner: DrawingStyle,
    tokens: Layer,
) -> Layer:
    """Two signs on both sides of each unit in `shown`; `tokens` is what is drawn of these units.

    One that would cover a token or what stands on an edge is left out; the unit's letter is underlined then.
    """
    layer: Layer = {}
    zoom = manner.zoom
    for signs, unit in shown:
        if units.get(unit.at) is not unit:
            continue
        is_whole = True
        left, right = unit.at.column * zoom.width - 1, (unit.at.column + unit.size) * zoom.width
        for y in range(unit.at.row * zoom.height, (unit.at.row + unit.size) * zoom.height):
            for x, glyph in ((left, signs[0]), (right, signs[1])):
                there = Square(x // zoom.width, y // zoom.height)
                if x < 0 or there in units or is_edge_cell(field, zoom, x, y) or x in tokens.get(y, {}):
                    is_whole = False
                else:
                    _write(layer, x, y, glyph, "cursor")
        if not is_whole:
            _underline(layer, unit, manner, tokens)
    return layer


def _underline(layer: Layer, unit: UnitView, manner: DrawingStyle, tokens: Layer) -> None:
    """Underlines the letter of a unit."""
    x, y = unit.at.column * manner.zoom.width, unit.at.row * manner.zoom.height
    for place in range(x, x + manner.zoom.width):
        sign = tokens.get(y, {}).get(place)
        if sign is not None and sign.glyph == unit.letter:
            ink = sign.ink if "underline" in sign.ink else f"{sign.ink} underline"
            _write(layer, place, y, sign.glyph, ink)
            return


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


def last_seen_layer(view: View, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """The letters of the others who are out of sight, faint and with a question mark, where they were seen last."""
    layer: Layer = {}
    for one in view.last_seen:
        if one.at not in taken:
            x, y = manner.zoom.cell(one.at)
            ink = f"side-{one.side_index % SIDES} down"
            _write(layer, x - 1, y, one.letter, ink)
            _write(layer, x, y, manner.glyphs.defeated if one.is_defeated else "?", ink)
    return layer


def path_layer(view: View, markings: Markings, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """The paths of declared moves, the line of fire, tracers and the planned path, on squares without units."""
    layer: Layer = {}
    field = view.field
    for path in view.declared_paths:
        _draw_path(layer, field, path, manner, taken)
    flight = markings.flight
    if len(flight) > 1:
        ink = "line" if markings.stop is None else "barred"
        _draw_line(layer, field, markings.line[0], markings.line[-1], AIMED, ink, manner, taken, within=_reach(flight))
    for shot in markings.tracers:
        _draw_line(layer, field, shot.start, shot.end, UNBROKEN, "line", manner, taken, within=shot.flown)
    _draw_path(layer, field, markings.path, manner, taken)
    return layer


def aim_layer(view: View, markings: Markings, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> Layer:
    """The outline of the area at which the cursor aims, and its middle, on squares without units."""
    layer: Layer = {}
    if markings.aim is None:
        return layer
    for square in markings.outline:
        if not object_look(view.field.ground_at(square)):
            _dot(layer, view.field, square, Sign(manner.glyphs.blast[1], "line"), manner, taken)
    _dot(layer, view.field, markings.aim, Sign(manner.glyphs.goal, "line"), manner, taken)
    return layer


def _draw_path(
    layer: Layer,
    field: Battlefield,
    path: Sequence[Square],
    manner: DrawingStyle,
    taken: Mapping[Square, UnitView],
) -> None:
    for square in path[:-1]:
        _dot(layer, field, square, Sign(manner.glyphs.path, "path"), manner, taken)
    for square in path[-1:]:
        _dot(layer, field, square, Sign(manner.glyphs.goal, "path"), manner, taken)


def number_layer(
    field: Battlefield, markings: Markings, manner: DrawingStyle, taken: Mapping[Square, UnitView]
) -> Layer:
    """The numbers of squares, the best one first, and their letters."""
    layer: Layer = {}
    for number, square in enumerate(markings.numbered, 1):
        _dot(layer, field, square, Sign(str(number), "line"), manner, taken)
    for square, letter in markings.letters.items():
        _dot(layer, field, square, Sign(letter, "label"), manner, taken)
    return layer


def _reach(squares: Sequence[Square]) -> int:
    """How many squares a line goes, along its longer side."""
    start, end = squares[0], squares[-1]
    return max(abs(end.column - start.column), abs(end.row - start.row))


def _draw_line(
    layer: Layer,
    field: Battlefield,
    start: Square,
    end: Square,
    dots: str,
    ink: str,
    manner: DrawingStyle,
    taken: Mapping[Square, UnitView],
    within: int,
) -> None:
    """A line of fire over ground and objects, never over a unit or what stands on an edge.

    Args:
        dots: how it is drawn, see `fire_lines`.
        within: squares from its start after which it ends.
    """
    zoom = manner.zoom
    for (x, y), glyph in line_cells(start, end, dots, zoom, manner.glyphs).items():
        square = Square(x // zoom.width, y // zoom.height)
        is_within = max(abs(square.column - start.column), abs(square.row - start.row)) <= within
        if square in field and is_within and square not in taken and square != start:
            is_floor = not zoom.is_boxed and south_look(field, square) not in NO_EDGE
            if not is_edge_cell(field, zoom, x, y) and not is_floor:
                _write(layer, x, y, glyph, ink)


def _dot(
    layer: Layer, field: Battlefield, square: Square, sign: Sign, manner: DrawingStyle, taken: Mapping[Square, UnitView]
) -> None:
    if square not in taken:
        x, y = manner.zoom.cell(square)
        _write(layer, x, y, sign.glyph, sign.ink)


def aftermath_layers(
    field: Battlefield, done: Aftermath, manner: DrawingStyle, taken: Mapping[Square, UnitView]
) -> tuple[Layer, Layer]:
    """What the last command did: ways, lines of fire, where a throw came down, and a label beside each unit.

    The second layer, which lies over the units, has the labels that found no room: in the line of the unit's bar.
    """
    layer: Layer = {}
    over: Layer = {}
    for edge in done.edges:
        for x, y in _edge_cells(edge, manner):
            layer.setdefault(y, {})[x] = Sign("", "cursor")
    for square in done.wrecks:
        _corners(layer, field, square, manner)
    glyphs = manner.glyphs
    for square in done.trail:
        _walked(layer, square, Sign(glyphs.trail, "path"), manner, taken)
    for shot in (one for one in done.shots if one.squares):
        start, end = shot.squares[0], shot.squares[-1]
        if shot.is_hit:
            _draw_line(layer, field, start, end, UNBROKEN, HIT, manner, taken, _reach(shot.squares))
            continue
        gone = end if shot.is_melee else _past(field, shot.squares, taken)
        _draw_line(layer, field, start, gone, MISSED, MISS, manner, taken, _reach((start, gone)))
        if gone != end:
            _dot(layer, field, gone, Sign(glyphs.past, MISS), manner, taken)
    for ring, squares in enumerate(done.rings):
        for square in squares:
            if not object_look(field.ground_at(square)):
                _dot(layer, field, square, Sign(glyphs.blast[min(ring, 1)], "blast"), manner, taken)
    if done.aimed is not None:
        for square in straight_path(done.aimed, done.landed or done.aimed)[1:-1]:
            _walked(layer, square, Sign(glyphs.trail, "landed"), manner, taken)
        _dot(layer, field, done.aimed, Sign(glyphs.goal, "landed"), manner, taken)
    if done.landed is not None:
        _landing(layer, done.landed, manner, taken)
    written = {square for square in (done.aimed, done.landed) if square is not None}
    for mark in done.marks:
        if not _label(layer, field, mark, manner, taken, written) and manner.zoom.is_boxed and mark.at in field:
            cells = canvas_cells(mark, manner)
            text = mark_texts(mark, manner.glyphs, field.unit)[-1][: cells.width].center(cells.width)
            _write(over, cells.x, cells.bottom - 1, text, _mark_ink(mark))
    return layer, over


def _landing(layer: Layer, square: Square, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> None:
    """Where a throw came down: two cells in the colour of the blast, without covering a unit."""
    if square not in taken:
        x, y = manner.zoom.cell(square)
        _write(layer, x - 1, y, f" {manner.glyphs.landed}", "landed reverse")


def _edge_cells(edge: Edge, manner: DrawingStyle) -> Iterable[tuple[int, int]]:
    """The cells of the canvas that belong to an edge; none for the one above the map's first row."""
    zoom = manner.zoom
    x, y = edge.column * zoom.width, edge.row * zoom.height
    if edge.side == "W":
        return [(x, line) for line in range(y, y + zoom.height)]
    return [(place, y - 1) for place in range(x, x + zoom.width)] if y else []


def _corners(layer: Layer, field: Battlefield, square: Square, manner: DrawingStyle) -> None:
    """The corners of a boxed square, and both cells of a tight one, in the colour of the cursor."""
    zoom = manner.zoom
    x, y = square.column * zoom.width, square.row * zoom.height
    if not zoom.is_boxed:
        layer.setdefault(y, {}).update({x: Sign("", "cursor"), x + 1: Sign("", "cursor")})
        return
    right, below = x + zoom.width - 1, y + zoom.height - 1
    for glyph, place, line in zip(manner.glyphs.corners, (x, right, right, x), (y, y, below, below), strict=True):
        if not is_edge_cell(field, zoom, place, line):
            _write(layer, place, line, glyph, "cursor")


def _label(
    layer: Layer,
    field: Battlefield,
    mark: Mark,
    manner: DrawingStyle,
    taken: Mapping[Square, UnitView],
    written: set[Square],
) -> bool:
    """Writes the label of a unit on the first free squares beside it, which are `written` on from then.

    Returns:
        Whether there was room.
    """
    zoom, cells = manner.zoom, canvas_cells(mark, manner)
    for text in mark_texts(mark, manner.glyphs, field.unit):
        label = f" {text} " if zoom.is_boxed else text
        for x, y in _beside(cells, len(label)):
            wanted = {Square(column // zoom.width, y // zoom.height) for column in range(x - 1, x + len(label) + 1)}
            new = {Square(column // zoom.width, y // zoom.height) for column in range(x, x + len(label))}
            is_free = all(each in field and each not in taken and each not in written for each in new)
            if is_free and all(each not in taken or taken[each].id == mark.unit for each in wanted):
                written |= new
                _write(layer, x, y, label, _mark_ink(mark))
                return True
    return False


def _mark_ink(mark: Mark) -> str:
    """The ink of a label: amber while dice may change it."""
    return f"{'landed' if mark.is_open else MARK_INKS[mark.kind]} reverse"


def canvas_cells(mark: Mark, manner: DrawingStyle) -> Region:
    """The cells of a marked unit."""
    zoom = manner.zoom
    x, y = mark.at.column * zoom.width, mark.at.row * zoom.height
    return Region(x, y, mark.size * zoom.width, mark.size * zoom.height)


def mark_texts(mark: Mark, glyphs: GlyphSet, unit: str) -> tuple[str, ...]:
    """The label of what happened to a unit, longer ones first: "−7", "−14!", "+5", "miss", "pinned", "↓2.5 m".

    One that dice may change ends in "?".
    """
    lost, fell = f"{glyphs.minus}{mark.amount}", f"{glyphs.fell}{mark.amount / 100:g}"
    texts = {
        HIT: (f"{lost}!" if mark.is_critical else lost,),
        HEALED: (f"+{mark.amount}",),
        MISS: ("miss",),
        DEFENDED: (mark.label.lower(), "miss"),
        UNHURT: ("no damage", lost),
        STRUCK: ("hit",),
        AFFECTED: (mark.label,),
        FELL: (f"{fell} {UNIT_SIGNS[unit]}", fell),
    }
    return tuple(f"{text}?" for text in texts[mark.kind]) if mark.is_open else texts[mark.kind]


def _walked(layer: Layer, square: Square, sign: Sign, manner: DrawingStyle, taken: Mapping[Square, UnitView]) -> None:
    """Two dots on a square that a unit has left, one where it is tight."""
    if square not in taken:
        x, y = manner.zoom.cell(square)
        for place in range(x - manner.zoom.is_boxed, x + 1):
            _write(layer, place, y, sign.glyph, sign.ink)


def _past(field: Battlefield, squares: tuple[Square, ...], taken: Mapping[Square, UnitView]) -> Square:
    """Where a line of fire that missed is drawn to: up to three free squares behind its target."""
    start, end = squares[0], squares[-1]
    length = _reach(squares) or 1
    last = end
    for step in range(1, PAST + 1):
        across, down = (end.column - start.column) * step / length, (end.row - start.row) * step / length
        there = Square(end.column + round(across), end.row + round(down))
        if there not in field or there in taken or field.ground_at(there).stops_shots:
            break
        last = there
    return last


def _beside(cells: Region, room: int) -> Iterable[tuple[int, int]]:
    """Where a label of so many cells may begin: to the east, west, north, south, with a cell between for a frame."""
    y = cells.y + cells.height // 3
    return (
        (cells.right + 1, y),
        (cells.x - 1 - room, y),
        (cells.x, cells.y - 1),
        (cells.x, cells.bottom),
    )


def stop_layer(markings: Markings, manner: DrawingStyle) -> Layer:
    """The cross where the line of fire ends."""
    layer: Layer = {}
    stop, zoom = markings.stop, manner.zoom
    if stop is None:
        return layer
    x, y = zoom.cell(stop)
    if isinstance(stop, Edge):
        x, y = (x, stop.row * zoom.height - 1) if stop.side == "N" else (stop.column * zoom.width, y)
    _write(layer, x, max(0, y), manner.glyphs.stop, "stop")
    return layer


def cursor_layer(
    field: Battlefield, cursor: Square | None, manner: DrawingStyle, taken: Mapping[Square, UnitView]
) -> Layer:
    """The corners of a boxed square, a block over a tight one; a unit there has a frame instead."""
    layer: Layer = {}
    if cursor is None or cursor in taken:
        return layer
    zoom = manner.zoom
    x, y = cursor.column * zoom.width, cursor.row * zoom.height
    if not zoom.is_boxed:
        block = Sign("", "block")
        layer[y] = {x: block, x + 1: block}
        return layer
    _corners(layer, field, cursor, manner)
    return layer


def without_labels(cursor: Layer, done: Layer, manner: DrawingStyle) -> Layer:
    """The corners of the cursor without those that would cover a label of the last command."""
    if not manner.zoom.is_boxed:
        return cursor
    return {
        y: {
            x: sign
            for x, sign in line.items()
            if not ((there := done.get(y, {}).get(x)) and there.ink.endswith(" reverse"))
        }
        for y, line in cursor.items()
    }


def _write(layer: Layer, x: int, y: int, text: str, ink: str) -> None:
    line = layer.setdefault(y, {})
    for place, glyph in enumerate(text):
        line[x + place] = Sign(glyph, ink)
