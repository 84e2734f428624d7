"""A battlefield with something changed on it: ground, heights, light, lamps, thin things. The one given stays."""

from __future__ import annotations

from collections.abc import Iterable

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground, Height, Lamp
from engine.geometry.squares import Direction, Edge, Square, edge_of
from engine.geometry.zones import StartZone
from engine.values import replace


def with_ground(field: Battlefield, squares: Iterable[Square], ground: Ground) -> Battlefield:
    """The battlefield with that ground on some squares; the legend grows where it has not got it.

    Raises:
        OffMap: a square is outside.
    """
    legend = field.legend if ground in field.legend else (*field.legend, ground)
    return replace(field, legend=legend, ground=_changed(field, field.ground, squares, legend.index(ground)))


def without_unused(field: Battlefield) -> Battlefield:
    """The battlefield with a legend of the grounds alone that some square has."""
    used = sorted(set(field.ground))
    if len(used) == len(field.legend):
        return field
    places = {number: place for place, number in enumerate(used)}
    legend = tuple(field.legend[number] for number in used)
    return replace(field, legend=legend, ground=tuple(places[number] for number in field.ground))


def with_elevation(field: Battlefield, squares: Iterable[Square], height: Height) -> Battlefield:
    """The battlefield with the ground of some squares at a height in hundredths above the map's zero.

    Raises:
        OffMap: a square is outside.
    """
    return replace(field, elevation=_changed(field, field.elevation, squares, height))


def with_light(field: Battlefield, squares: Iterable[Square], light: int) -> Battlefield:
    """The battlefield with the map's own light on some squares, or on all when none are named; lamps stay.

    Args:
        light: index into LIGHTS.

    Raises:
        OffMap: a square is outside.
    """
    return replace(field, light=_changed(field, field.light, tuple(squares) or field.squares(), light))


def with_smoke(field: Battlefield, squares: Iterable[Square], density: int) -> Battlefield:
    """The battlefield with smoke of a density on some squares: 0 for clear air, 1 thin, 2 thick.

    Raises:
        OffMap: a square is outside.
    """
    return replace(field, smoke=_changed(field, field.smoke, squares, density))


def with_zone(field: Battlefield, id: str, zone: StartZone | None) -> Battlefield:
    """With that zone in place of the one with the id, a new one after all others; None for no zone of the id."""
    places = [place for place, held in enumerate(field.zones) if held.id == id]
    first = places[0] if places else len(field.zones)
    return replace(field, zones=(*field.zones[:first], *((zone,) if zone else ()), *field.zones[first + 1 :]))


def with_lamp(field: Battlefield, at: Square, lamp: Lamp | None) -> Battlefield:
    """With one lamp on a square, or with none there."""
    others = tuple(held for held in field.lamps if held.at != at)
    return replace(field, lamps=others if lamp is None else (*others, lamp))


def with_barriers(field: Battlefield, edges: Iterable[Edge], barrier: Barrier | None) -> Battlefield:
    """With that thin thing on some edges, or with nothing there."""
    edges = frozenset(edges)
    barriers = {edge: held for edge, held in field.barriers.items() if edge not in edges}
    if barrier is not None:
        barriers |= dict.fromkeys(sorted(edges), barrier)
    return replace(field, barriers=barriers)


def alike_around(field: Battlefield, start: Square) -> tuple[Square, ...]:
    """The squares of the same ground as one, joined to it side by side with nothing thin between, row by row."""
    columns, ground = field.columns, field.ground_at(start)
    is_like = [field.legend[number] == ground for number in field.ground]
    parted = {(edge.column, edge.row, edge.side) for edge in field.barriers}
    first = field.index(start)
    found, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        row, column = divmod(here, columns)
        sides = (
            (here - columns, row > 0, (column, row, "N")),
            (here + columns, row + 1 < field.rows, (column, row + 1, "N")),
            (here - 1, column > 0, (column, row, "W")),
            (here + 1, column + 1 < columns, (column + 1, row, "W")),
        )
        for there, is_on_map, edge in sides:
            if is_on_map and is_like[there] and there not in found and edge not in parted:
                found.add(there)
                waiting.append(there)
    return tuple(Square(number % columns, number // columns) for number in sorted(found))


def edges_along(squares: Iterable[Square], sides: Iterable[Direction]) -> tuple[Edge, ...]:
    """The outer edges of some squares on those sides: of a room its walls."""
    inside = frozenset(squares)
    sides = tuple(sides)
    return tuple(
        sorted({edge_of(square, side) for square in inside for side in sides if square.step(side) not in inside})
    )


def rectangle(one: Square, other: Square) -> tuple[Square, ...]:
    """All squares between two corners, both included, row by row."""
    columns = range(min(one.column, other.column), max(one.column, other.column) + 1)
    rows = range(min(one.row, other.row), max(one.row, other.row) + 1)
    return tuple(Square(column, row) for row in rows for column in columns)


def is_solid(ground: Ground) -> bool:
    """Whether it fills its square up to the sky, so that nothing shines from there."""
    return ground.blocks_sight and ground.height >= SKY


def _changed(field: Battlefield, layer: tuple[int, ...], squares: Iterable[Square], value: int) -> tuple[int, ...]:
    values = list(layer)
    for square in squares:
        values[field.index(square)] = value
    return tuple(values)
