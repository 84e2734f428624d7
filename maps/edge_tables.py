"""Reads [[edge]]: thin things that are awkward to draw, put on edges or changed there.

One table holds for one square, or for the same side of several.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.geometry.battlefield import Barrier
from engine.geometry.squares import Direction, Edge, NotASquare, Square, edge_of, parse_square
from engine.toml_reader import Reader, quoted
from maps.glyph_rows import Drawing
from maps.legend import SIDES, WAYS, filled, read_barrier, way_fault

NO_KIND = "none"


def override(reader: Reader, drawing: Drawing, barriers: dict[Edge, Barrier], unit: str) -> None:
    """Put every [[edge]] of a file into `barriers`, in order.

    With `kind` it replaces what is there ("none" takes it away); without, it changes what is there.

    Args:
        reader: the whole file.
        drawing: the map, for its size.
        barriers: what is drawn; changed.
        unit: the map's unit.
    """
    for table in reader.tables("edge"):
        side = filled(table, "side").upper()
        squares = squares_at(table, drawing.columns, drawing.rows)
        if side not in SIDES:
            if side:
                table.problem("side", f"{quoted(side)} is not a side; expected one of {', '.join(SIDES)}")
        else:
            edges = [edge_of(square, Direction[side]) for square in squares]
            place_barrier(table, edges, barriers, unit)
    _check_doors(reader, barriers)


def place_barrier(table: Reader, edges: Collection[Edge], barriers: dict[Edge, Barrier], unit: str) -> None:
    """Puts what one [[edge]] says on its edges into `barriers`."""
    if table.raw("kind") == NO_KIND:
        for edge in edges:
            barriers.pop(edge, None)
        table.finish()
    elif table.has("kind"):
        barrier = read_barrier(table, unit, None)
        _check_ways(table, edges, barrier)
        barriers.update(dict.fromkeys(edges, barrier))
        table.finish()
    else:
        for edge in edges:
            if edge not in barriers:
                table.problem("at", f"there is nothing to change at {edge.name}; expected a kind")
                return
            barriers[edge] = read_barrier(table, unit, barriers[edge])
            _check_ways(table, edges, barriers[edge])
        table.finish()


def _check_doors(reader: Reader, barriers: dict[Edge, Barrier]) -> None:
    """Note doors of several edges that do not open, or whose parts are not all open or all closed."""
    states: dict[str, set[str]] = {}
    for barrier in barriers.values():
        if barrier.door:
            states.setdefault(barrier.door, set()).add(barrier.state)
    for name, found in states.items():
        if found & {"", "broken"} and found != {"broken"}:
            reader.problem(
                "edge", f"a part of the door {quoted(name)} does not open; expected doors, gates or curtains"
            )
        elif len(found) > 1:
            names = " and ".join(sorted(found))
            reader.problem(
                "edge", f"the door {quoted(name)} has edges that are {names}; expected one state for all of them"
            )


def _check_ways(table: Reader, edges: Collection[Edge], barrier: Barrier) -> None:
    """Note the ways through a barrier that would run along its edge; all edges are on the same side of squares."""
    for edge in list(edges)[:1]:
        for key in WAYS:
            fault = way_fault(barrier, key, edge)
            if fault:
                table.problem(key, fault)


def squares_at(table: Reader, columns: int, rows: int) -> list[Square]:
    """The squares that `at` names, one or a list; wrong ones are noted and left out.

    Args:
        table: what has the key.
        columns: the map's size; 0 when it is not known.
        rows: likewise.
    """
    is_list = isinstance(table.raw("at"), list)
    names = table.texts("at") if is_list else (filled(table, "at"),)
    found = []
    for index, name in enumerate(names):
        if table.document.is_full:
            break
        place = (*table.path, "at", index) if is_list else (*table.path, "at")
        try:
            square = parse_square(name)
        except NotASquare:
            if name:
                table.document.note(place, f"{quoted(name)} is not a square; expected letters and a number, such as C7")
            continue
        if columns and not (square.column < columns and square.row < rows):
            last = Square(columns - 1, rows - 1)
            message = f"{square.name} is off the map; expected a square from A1 to {last.name}"
            table.document.note(place, message)
        else:
            found.append(square)
    return found
