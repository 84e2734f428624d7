"""Doors and windows drawn as whole squares of a wall: each becomes floor, with its barrier on one side.

Which way it leads is read from its neighbours: across the line of the walls, other openings or map's ends beside it.
It hangs on the side of the first open neighbour on its way, the north or west one before the other, and its floor is
that neighbour's. One barrier and not two: who opens the door can go through.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.geometry.battlefield import NOTHING, Barrier, Ground
from engine.geometry.squares import Direction, Edge, Square, edge_of
from engine.toml_reader import Reader
from maps import kinds
from maps.glyph_rows import Drawing
from maps.legend import SquareMeaning, WallOpening
from maps.model import FLOOR, OUTSIDE

EAST_WEST = (Direction.W, Direction.E)
NORTH_SOUTH = (Direction.N, Direction.S)


class Openings(Struct, frozen=True):
    """What all openings of a drawing come to."""

    floors: Mapping[Square, Ground]
    barriers: Mapping[Edge, Barrier]


def read_openings(reader: Reader, drawing: Drawing, meanings: Mapping[str, SquareMeaning], unit: str) -> Openings:
    """The floors and barriers of all openings; one that leads both ways or neither way is noted.

    Args:
        reader: the table of the drawing, for messages.
        drawing: the map's squares.
        meanings: what its glyphs stand for.
        unit: the map's unit.
    """
    openings = {glyph: meaning.kind for glyph, meaning in meanings.items() if isinstance(meaning, WallOpening)}
    floors: dict[Square, Ground] = {}
    barriers: dict[Edge, Barrier] = {}
    for row, glyphs in enumerate(drawing.glyphs):
        if openings.keys().isdisjoint(glyphs):
            continue
        for column, glyph in enumerate(glyphs):
            if glyph not in openings:
                continue
            here = Square(column, row)
            around = {side: _meaning(drawing, here.step(side), meanings) for side in (*EAST_WEST, *NORTH_SOUTH)}
            walls = {side for side, meaning in around.items() if _is_solid(meaning)}
            beside, before = len(walls.intersection(EAST_WEST)), len(walls.intersection(NORTH_SOUTH))
            if beside == before:
                where, offset = drawing.place(column, row)
                message = f"the {openings[glyph]} is not in a wall; expected a wall on two opposite sides of it"
                reader.problem(drawing.key, message, row=where, offset=offset)
            way = NORTH_SOUTH if beside > before else EAST_WEST
            if hung := next((side for side in way if side not in walls), None):
                barriers[edge_of(here, hung)] = kinds.barrier(openings[glyph], unit)
            floors[here] = _floor([*(around[side] for side in way), meanings[FLOOR]], unit)
    return Openings(floors, barriers)


def _meaning(drawing: Drawing, square: Square, meanings: Mapping[str, SquareMeaning]) -> SquareMeaning | None:
    """What a square stands for; outside the drawing rock, and None where that is not known."""
    if not (0 <= square.column < drawing.columns and 0 <= square.row < drawing.rows):
        return NOTHING
    glyph = drawing.glyphs[square.row][square.column]
    return NOTHING if glyph == OUTSIDE else meanings.get(glyph)


def _is_solid(meaning: SquareMeaning | None) -> bool:
    """Whether a door can hang on it. Doors hang on doors, too: that makes them double."""
    return isinstance(meaning, WallOpening) or (
        isinstance(meaning, Ground) and meaning.blocks_movement and meaning.contains_blast
    )


def _floor(choices: list[SquareMeaning | None], unit: str) -> Ground:
    """The first that can be stood on, else the last, which is what the map calls floor."""
    grounds = [meaning for meaning in choices if isinstance(meaning, Ground)]
    for meaning in grounds:
        if not meaning.blocks_movement:
            return meaning
    return grounds[-1] if isinstance(choices[-1], Ground) else kinds.ground("floor", "", unit, FLOOR)
