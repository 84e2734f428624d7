"""A battlefield with something changed on it: ground, heights, light, lamps, thin things. The one given stays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from engine.field.battlefield import SKY, Barrier, Battlefield, Ground, Height, Lamp
from engine.field.squares import Edge, Square


def with_ground(field: Battlefield, squares: Iterable[Square], ground: Ground) -> Battlefield:
    """With that ground on some squares; the legend grows where it has not got it."""
    legend = field.legend if ground in field.legend else (*field.legend, ground)
    return replace(field, legend=legend, ground=_changed(field, field.ground, squares, legend.index(ground)))


def with_elevation(field: Battlefield, squares: Iterable[Square], height: Height) -> Battlefield:
    """With the ground of some squares at that height above the map's zero."""
    return replace(field, elevation=_changed(field, field.elevation, squares, height))


def with_light(field: Battlefield, squares: Iterable[Square], light: int) -> Battlefield:
    """With that light (index into LIGHTS), lamps left out, on some squares, or on all when none are named."""
    return replace(field, light=_changed(field, field.light, tuple(squares) or field.squares(), light))


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
    return replace(field, barriers=MappingProxyType(barriers))


def is_solid(ground: Ground) -> bool:
    """Whether it fills its square up to the sky, so that nothing shines from there."""
    return ground.blocks_sight and ground.height >= SKY


def _changed(field: Battlefield, layer: tuple[int, ...], squares: Iterable[Square], value: int) -> tuple[int, ...]:
    values = list(layer)
    for square in squares:
        values[field.index(square)] = value
    return tuple(values)
