"""What the log says of the ground, of light and lamps."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.field.squares import Square
from engine.rules.ledger import UNIT_SIGNS

FEW = 4
"""Squares that are told one by one."""


def tell_terrain(event: ev.Event, battle: Battle) -> str:
    """A line for the log; "" for events of another kind."""
    match event:
        case ev.GroundSet():
            because = f" ({event.because})" if event.because else ""
            return f"GM: {places(event.squares)}: {event.ground.name}{because}."
        case ev.ElevationSet():
            sign = UNIT_SIGNS[battle.field.unit]
            return f"GM: the ground of {places(event.squares)} is at {event.height / 100:g} {sign}."
        case ev.EdgesSet(edges, barrier):
            what = barrier.kind if barrier else "nothing any more"
            where = edges[0].name if len(edges) == 1 else f"{len(edges)} edges"
            return f"GM: on {where}: {what}."
        case ev.LightSet():
            return f"GM: {places(event.squares) if event.squares else 'the whole map'}: {event.light} now."
        case ev.LampSet(at, None):
            return f"GM: the lamp over {at.name} is out."
        case ev.LampSet(at, lamp) if lamp is not None:
            return f"GM: a lamp over {at.name}, bright {lamp.bright}, dim {lamp.dim} squares far."
    return ""


def places(squares: Sequence[Square]) -> str:
    """Some squares in few words: "C3, C4", "12 squares from C3 to F5".

    >>> places([Square(2, 2)]), places([Square(column, 4) for column in range(9)])
    ('C3', '9 squares from A5 to I5')
    """
    if len(squares) <= FEW:
        return ", ".join(square.name for square in squares)
    first = Square(min(square.column for square in squares), min(square.row for square in squares))
    last = Square(max(square.column for square in squares), max(square.row for square in squares))
    return f"{len(squares)} squares from {first.name} to {last.name}"
