"""Reads a map's TOML into a BattleMap, or says everything that is wrong with it at once. Never half a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from engine.errors import near_miss
from engine.geometry.battlefield import LIGHTS, NOTHING, Barrier, Battlefield, Ground, Height
from engine.geometry.squares import Edge, Square
from engine.toml_reader import Document, Reader, parse, quoted
from engine.values import replace
from maps.canvas import drawn_canvas
from maps.edge_tables import override
from maps.glyph_rows import Drawing, drawn_squares, glyph_fault, read_layer
from maps.lamps import read_lamps
from maps.legend import HUNDREDTHS, WAYS, SquareMeaning, WallOpening, filled, height, read_edges, read_legend, way_fault
from maps.model import (
    DIGITS,
    FLOOR,
    FORMAT,
    LARGEST_SQUARE,
    LETTERS,
    LIMITS,
    MOST_BYTES,
    MOST_HEIGHT,
    OUTSIDE,
    STEP,
    BattleMap,
)
from maps.openings import read_openings
from maps.placements import read_placements
from maps.zones import read_zones

UNITS = {
    "feet": "feet",
    "foot": "feet",
    "ft": "feet",
    "metres": "metres",
    "metre": "metres",
    "meters": "metres",
    "meter": "metres",
    "m": "metres",
}
SMALLEST = Fraction(1, HUNDREDTHS)
MOST_TITLE = 80
MOST_DESCRIPTION = 400
THICKEST_SMOKE = 2
STAND_IN = Ground("floor")
"""Read instead of a glyph without a meaning, so that the rest of the file can be checked."""


def parse_map(text: str, file: str) -> BattleMap:
    """The map that a TOML text describes.

    Args:
        text: the whole file.
        file: its name, for messages.

    Raises:
        Unreadable: with every problem found, each with its line and column.
    """
    document = parse(text, file, MOST_BYTES, LIMITS)
    found = read_document(document, text)
    document.check()
    return found


def unit_tables(drawn: BattleMap, file: str) -> list[Reader]:
    """The tables of a map's units as they stand in its text, in which a ruleset notes what it does not know."""
    return parse(drawn.text, file, MOST_BYTES, LIMITS).root.tables("unit")


def read_document(document: Document, text: str) -> BattleMap:
    """The map that a parsed text describes; what is wrong is noted in the document."""
    root = document.root
    version = root.whole("format", least=1)
    if version > FORMAT:
        root.problem("format", f"format is {version}; this battleboard reads format {FORMAT}")
    name = filled(root, "name", most=MOST_TITLE)
    description = root.text("description", "", most=MOST_DESCRIPTION)
    unit, square_size, step = _read_scale(root.table("scale"))
    table = root.table("map")
    drawing = read_drawing(table)
    is_indoors = table.flag("indoors", False)
    meanings = read_legend(root.table("legend"), unit)
    openings = read_openings(table, drawing, meanings, unit)
    legend, ground = _ground(table, drawing, meanings, openings.floors)
    barriers = _drawn_barriers(table, drawing, read_edges(root.table("edges"), unit))
    barriers.update(openings.barriers)
    override(root, drawing, barriers, unit)
    battlefield = Battlefield(
        name=name,
        columns=drawing.columns,
        rows=drawing.rows,
        unit=unit,
        square_size=square_size,
        legend=legend,
        ground=ground,
        elevation=_read_elevation(root.table("elevation"), drawing, step),
        smoke=_read_smoke(root.table("smoke"), drawing),
        light=_read_light(root.table("light"), drawing),
        barriers=barriers,
        is_indoors=is_indoors,
    )
    battlefield = replace(battlefield, lamps=read_lamps(root, battlefield))
    battlefield = replace(battlefield, zones=read_zones(root, battlefield))
    placements = read_placements(root, battlefield)
    table.finish()
    root.finish()
    return BattleMap(battlefield, placements, description, text)


def _read_scale(reader: Reader) -> tuple[str, Height, Height]:
    """The unit, the side of a square and the height that one elevation digit counts."""
    stated = reader.text("unit")
    if stated and stated not in UNITS:
        reader.problem("unit", f"unit = {quoted(stated)} is not known; expected feet or metres")
    unit = UNITS.get(stated, "feet")
    square_size = height(reader, "square", least=SMALLEST, most=LARGEST_SQUARE, has_sky=False)
    step = height(reader, "step", STEP[unit], least=SMALLEST, most=LARGEST_SQUARE, has_sky=False)
    reader.finish()
    return unit, square_size, step


def read_drawing(reader: Reader) -> Drawing:
    """The one drawing of a map; none or two are noted."""
    has_squares, has_drawn = reader.has("squares"), reader.has("drawn")
    if has_squares and has_drawn:
        reader.problem("drawn", "a map is drawn only once; expected squares or drawn")
    if has_squares:
        return drawn_squares(reader)
    if has_drawn:
        return drawn_canvas(reader)
    reader.has("columns"), reader.has("rows")
    reader.problem(None, "the map has no drawing; expected squares or drawn in [map]")
    return Drawing("squares", 0, 0, ())


def _ground(
    reader: Reader, drawing: Drawing, meanings: Mapping[str, SquareMeaning], floors: Mapping[Square, Ground]
) -> tuple[tuple[Ground, ...], tuple[int, ...]]:
    """The battlefield's legend, in the order in which the drawing uses it, and each square's place in it."""
    order: dict[Ground, int] = {}
    numbers: dict[str, int] = {}
    strangers: dict[str, tuple[int, int]] = {}
    layer: list[int] = []
    counts: Counter[str] = Counter()
    for row, glyphs in enumerate(drawing.glyphs):
        for column, glyph in enumerate(glyphs):
            number = numbers.get(glyph)
            if number is None:
                meaning = NOTHING if glyph == OUTSIDE else meanings.get(glyph)
                if isinstance(meaning, WallOpening):
                    floor = floors[Square(column, row)]
                    layer.append(order.setdefault(floor, len(order)))
                    continue
                if meaning is None:
                    strangers.setdefault(glyph, drawing.place(column, row))
                    counts[glyph] += 1
                    layer.append(order.setdefault(STAND_IN, len(order)))
                    continue
                number = numbers[glyph] = order.setdefault(meaning, len(order))
            layer.append(number)
    for glyph, (at, offset) in strangers.items():
        _note_stranger(reader, drawing.key, glyph, at, offset, counts[glyph], meanings, "legend")
    return tuple(order), tuple(layer)


def _drawn_barriers(reader: Reader, drawing: Drawing, meanings: Mapping[str, Barrier]) -> dict[Edge, Barrier]:
    barriers: dict[Edge, Barrier] = {}
    strangers: dict[str, tuple[int, int]] = {}
    counts: Counter[str] = Counter()
    for stroke in drawing.strokes:
        if stroke.glyph in meanings:
            barrier = barriers[stroke.edge] = meanings[stroke.glyph]
            for fault in filter(None, (way_fault(barrier, key, stroke.edge) for key in WAYS)):
                reader.problem(drawing.key, fault, row=stroke.row, offset=stroke.offset)
        else:
            strangers.setdefault(stroke.glyph, (stroke.row, stroke.offset))
            counts[stroke.glyph] += 1
    for glyph, (at, offset) in strangers.items():
        _note_stranger(reader, drawing.key, glyph, at, offset, counts[glyph], meanings, "edges")
    return barriers


def _note_stranger(
    reader: Reader, key: str, glyph: str, row: int, offset: int, count: int, known: Mapping[str, object], legend: str
) -> None:
    """Note a glyph without a meaning, once, where it first stands."""
    if glyph_fault(glyph):
        return
    times = "" if count == 1 else f" ({count} times)"
    hint = near_miss(glyph, known) if glyph.isalpha() else None
    expected = f"did you mean {hint!r}?" if hint else f"expected one of {' '.join(known)} or an entry in [{legend}]"
    reader.problem(key, f"{glyph!r} is not in the {legend}{times}; {expected}", row=row, offset=offset)


def _read_elevation(reader: Reader, drawing: Drawing, step: Height) -> tuple[Height, ...]:
    """Heights of the ground: digits and then letters count steps, the layer's own legend states heights."""
    own: dict[str, Height] = {}
    legend = reader.table("legend")
    for glyph in legend:
        legend.has(glyph)
        if len(glyph) != 1 or glyph_fault(glyph) or glyph in (FLOOR, OUTSIDE):
            legend.problem(glyph, f"{quoted(glyph)} cannot stand for a height; expected one character, one column wide")
        else:
            own[glyph] = height(legend, glyph, least=-MOST_HEIGHT)
    steps = {glyph: number * step for number, glyph in enumerate(DIGITS + LETTERS)}
    known = steps | own
    expected = "a digit, a letter from a to z for 10 to 35, or an entry in [elevation.legend]"
    layer = read_layer(reader, "elevation", drawing, 0, known.get, expected)
    reader.finish()
    return layer


def _read_smoke(reader: Reader, drawing: Drawing) -> tuple[int, ...]:
    known = {str(density): density for density in range(THICKEST_SMOKE + 1)}
    layer = read_layer(reader, "smoke", drawing, 0, known.get, "0 for clear, 1 for thin or 2 for thick")
    reader.finish()
    return layer


def _read_light(reader: Reader, drawing: Drawing) -> tuple[int, ...]:
    ambient = LIGHTS.index(reader.text("ambient", "bright", choices=LIGHTS))
    known = {str(number): number for number in range(len(LIGHTS))}
    layer = read_layer(reader, "light", drawing, ambient, known.get, "0 for dark, 1 for dim or 2 for bright")
    reader.finish()
    return layer
