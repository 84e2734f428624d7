"""Parts of a map that change nothing: signs that stand nowhere, objects without effect, edges beside solid squares.

They are no errors: the map can be played. `battleboard check` warns of them, as somebody meant something by each.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import Problem
from engine.geometry.battlefield import NOTHING, SKY, Barrier, Battlefield, Ground
from engine.geometry.squares import Direction, Edge, edge_of
from engine.toml_reader import Document, Reader, parse, quoted
from maps import kinds
from maps.edge_tables import NO_KIND, place_barrier, squares_at
from maps.glyph_rows import Drawing
from maps.legend import read_edges, read_legend
from maps.model import LIMITS, MOST_BYTES, BattleMap
from maps.reader import read_document, read_drawing

SOLID = "up to the sky: nobody looks or walks through it"


def idle_parts(drawn: BattleMap, file: str) -> list[Problem]:
    """What of a map changes nothing, each with its place in the map's text; the map itself has no error."""
    document, plain = (parse(drawn.text, file, MOST_BYTES, LIMITS) for _ in range(2))
    drawing = read_drawing(plain.root.table("map"))
    plain.tables.pop("edge", None)
    before = read_document(plain, drawn.text).battlefield
    _note_signs(document.root, drawing, before)
    _note_edges(document, dict(before.barriers), drawn.battlefield)
    return sorted(document.problems)


def _note_signs(root: Reader, drawing: Drawing, field: Battlefield) -> None:
    """Signs of [legend] and [edges] that are not drawn, objects that are drawn for nothing, drawn edges likewise."""
    legend, edges = root.table("legend"), root.table("edges")
    drawn = {glyph for row in drawing.glyphs for glyph in row}
    strokes = {stroke.glyph for stroke in drawing.strokes}
    for table, used in ((legend, drawn), (edges, strokes)):
        for glyph in table:
            if glyph not in used:
                table.problem(glyph, f"{quoted(glyph)} changes nothing: it is nowhere on the map")
    for glyph, meaning in read_legend(legend, field.unit).items():
        if glyph in drawn and glyph in {*legend} and isinstance(meaning, Ground) and _does_nothing(meaning):
            what = f"{meaning.object} changes nothing: it has no height, no cover, and is in nobody's way"
            legend.problem(glyph, f"{what}; expected one of them, or terrain in place of object")
    meanings = read_edges(edges, field.unit)
    for stroke in drawing.strokes:
        barrier = meanings[stroke.glyph]
        if barrier.kind != "wall" and (why := _beside(stroke.edge, field, has_border=False)):
            message = f"the {barrier.kind} changes nothing: {why}"
            root.table("map").problem(drawing.key, message, row=stroke.row, offset=stroke.offset)


def _does_nothing(ground: Ground) -> bool:
    """Whether what stands on a square makes nothing of it that the square is not without."""
    cost = kinds.TERRAINS[ground.terrain].move_cost if ground.terrain in kinds.TERRAINS else ground.move_cost
    in_the_way = (ground.blocks_sight, ground.stops_shots, ground.blocks_movement, ground.contains_blast, ground.cover)
    return bool(ground.object) and not ground.height and not any(in_the_way) and ground.move_cost == cost


def _note_edges(document: Document, barriers: dict[Edge, Barrier], field: Battlefield) -> None:
    """Each [[edge]] none of whose edges is another for it. `barriers` are those that are drawn; changed."""
    for table in document.root.tables("edge"):
        side = Direction[table.text("side").upper()]
        edges = [edge_of(square, side) for square in squares_at(table, field.columns, field.rows)]
        was = {edge: barriers.get(edge) for edge in edges}
        place_barrier(table, edges, barriers, field.unit)
        why = [_why_idle(table, edge, was[edge], barriers, field) for edge in edges]
        if why and all(why):
            table.problem("at", f"the edge changes nothing: {why[0]}")


def _why_idle(
    table: Reader, edge: Edge, was: Barrier | None, barriers: Mapping[Edge, Barrier], field: Battlefield
) -> str:
    if barriers.get(edge) == was:
        return f"nothing is at {edge.name}" if table.raw("kind") == NO_KIND else f"{edge.name} has it already"
    return "" if table.raw("kind") == NO_KIND else _beside(edge, field)


def _beside(edge: Edge, field: Battlefield, *, has_border: bool = True) -> str:
    """Why nothing on an edge matters: what is beside it is solid, or the map ends there; "" where it matters."""
    for square in edge.squares:
        if square not in field or field.ground_at(square) == NOTHING:
            if has_border:
                return f"the map ends at {edge.name}"
        elif is_solid(field.ground_at(square)):
            return f"{square.name} is {field.ground_at(square).name} {SOLID}"
    return ""


def is_solid(ground: Ground) -> bool:
    """Whether a square is filled by something that nothing passes: a wall, rock, a pillar."""
    return ground.blocks_sight and ground.blocks_movement and ground.stops_shots and ground.height >= SKY
