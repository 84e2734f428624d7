"""Brushes of the terrain editor: what can be painted, and the edits of a stroke with one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from engine.battle.commands.terrain_commands import SetEdges, SetElevation, SetGround, SetLamp, SetSmoke, SetZone
from engine.battle.state.battle import Battle
from engine.battle.views.unit_letters import players_side
from engine.geometry.battlefield import SKY, SMOKE_NAMES, Barrier, Battlefield, Ground, Height, Lamp
from engine.geometry.squares import ORTHOGONAL, Direction, Square
from engine.geometry.terrain_edits import edges_along
from engine.geometry.zones import AMBUSH, START, StartZone
from engine.rules.ledger import UNIT_SIGNS
from engine.text import count
from engine.values import replace
from maps import palette

GROUND, THING, EDGE, LAMP, SMOKE, ZONE = "ground", "object", "edge", "lamp", "smoke", "start zone"
MOST_KEPT = 6
"""Brushes that have a key."""
NOTHING = "nothing"
ZONES = ("A", "B", "C")
"""Start zones that every map is offered."""
USUAL_LAMP = Lamp(Square(0, 0), 4, 8)

Value = TypeVar("Value")
Edit = SetGround | SetElevation | SetEdges | SetSmoke | SetZone | SetLamp


class Brush(Struct, frozen=True):
    """What a stroke leaves on its squares."""

    kind: str
    """GROUND, THING, EDGE, LAMP, SMOKE or ZONE."""
    name: str
    """What the palette calls it; of a zone its id."""
    value: Ground | Barrier | Lamp | int | None = None
    """The ground, the thing as it stands on a floor, the barrier or None for no barrier, the lamp wherever it hangs,
    the density of smoke; of a zone None."""


class BrushSet(Struct, frozen=True):
    """The brushes of a palette."""

    last: tuple[Brush, ...]
    """Those last used, by their keys."""
    current: Brush
    edge: Brush
    """What the keys of the sides put there."""

    def taking(self, brush: Brush) -> BrushSet:
        """With that brush as the present one; where it is among the last used, all keep their keys."""
        last = self.last if brush in self.last else (brush, *self.last)[:MOST_KEPT]
        return BrushSet(last, brush, brush if brush.kind == EDGE else self.edge)


def first_brushes(unit: str) -> BrushSet:
    """The brushes that a palette begins with, walls first; `unit` is the map's, "feet" or "metres"."""
    wall, wall_edge = Brush(GROUND, "wall", palette.terrain("wall", unit)), edge_brush("wall", unit)
    last = (
        wall,
        wall_edge,
        edge_brush("door", unit),
        Brush(THING, "crate", palette.thing("crate", unit)),
        Brush(GROUND, "rubble", palette.terrain("rubble", unit)),
        Brush(LAMP, "lamp", USUAL_LAMP),
    )
    return BrushSet(last, wall, wall_edge)


def edge_brush(name: str, unit: str) -> Brush:
    """A built-in barrier, or NOTHING, which removes what is there."""
    return Brush(EDGE, name, None if name == NOTHING else palette.thin(name, unit))


def brushes_to_paint(field: Battlefield) -> tuple[Brush, ...]:
    """What squares can be painted with: the map's own ground, everything built in, the lamp, smoke, start zones."""
    unit, own = field.unit, palette.own_grounds(field)
    bare = [Brush(GROUND, ground.name, ground) for ground in own if not ground.object]
    known = {brush.name for brush in bare}
    terrains = [Brush(GROUND, name, palette.terrain(name, unit)) for name in palette.TERRAINS if name not in known]
    things = [Brush(THING, name, palette.thing(name, unit)) for name in palette.THINGS]
    others = [ground for ground in own if ground.object and not _is_built_in(ground, unit)]
    ids = dict.fromkeys((*ZONES, *(zone.id for zone in field.zones)))
    return (
        *bare,
        *(Brush(GROUND, ground.name, ground) for ground in others),
        *terrains,
        *things,
        Brush(LAMP, "lamp", USUAL_LAMP),
        *(Brush(SMOKE, name, density) for density, name in enumerate(SMOKE_NAMES)),
        *(Brush(ZONE, id) for id in ids),
    )


def brushes_for_edges(unit: str) -> tuple[Brush, ...]:
    """What can be put on edges."""
    return tuple(edge_brush(name, unit) for name in (*palette.EDGES, NOTHING))


def _is_built_in(ground: Ground, unit: str) -> bool:
    """Whether the object on a ground is one that every map has."""
    if ground.object not in palette.THINGS:
        return False
    return replace(palette.thing(ground.object, unit, ground), terrain=ground.terrain, glyph=ground.glyph) == ground


def painted(
    brush: Brush,
    field: Battlefield,
    squares: Sequence[Square],
    at: Square,
    sides: Sequence[Direction] = ORTHOGONAL,
) -> tuple[Edit, ...]:
    """The edits of a stroke.

    Args:
        brush: what is painted with; an object keeps the ground below it.
        field: the map.
        squares: those of the stroke.
        at: the cursor's square, over which a lamp is hung; over no other.
        sides: the outer sides of the squares on which an edge is put.
    """
    match brush.kind, brush.value:
        case "ground", Ground() as ground:
            return (SetGround(tuple(squares), ground),)
        case "object", _:
            return grounds(squares, lambda square: palette.thing(brush.name, field.unit, field.ground_at(square)))
        case "lamp", Lamp() as lamp:
            return (SetLamp(at, lamp.bright, lamp.dim, lamp.height),)
        case "smoke", int() as density:
            return (SetSmoke(tuple(squares), density),)
        case "start zone", _:
            return (SetZone(brush.name, tuple(squares)),)
    assert brush.value is None or isinstance(brush.value, Barrier)
    return (SetEdges(edges_along(squares, sides), brush.value),)


def cleared(
    brush: Brush, field: Battlefield, squares: Sequence[Square], sides: Sequence[Direction] = ORTHOGONAL
) -> tuple[Edit, ...]:
    """The edits that clear squares: of objects, lamps and smoke; with an edge or a start zone as the brush of that."""
    if brush.kind == EDGE:
        return (SetEdges(edges_along(squares, sides), None),)
    if brush.kind == ZONE:
        return (SetZone(brush.name, tuple(squares), is_inside=False),)
    inside = frozenset(squares)
    lamps = [SetLamp(lamp.at, 0, 0) for lamp in field.lamps if lamp.at in inside]
    bare = grounds(squares, lambda square: palette.bare(field.ground_at(square), field.unit))
    return (*lamps, *bare, SetSmoke(tuple(squares), 0))


def grounds(squares: Sequence[Square], ground_of: Callable[[Square], Ground]) -> tuple[SetGround, ...]:
    """One edit for all squares that get the same ground."""
    return tuple(SetGround(alike, ground) for ground, alike in _alike(squares, ground_of))


def raised(field: Battlefield, squares: Sequence[Square], step: Height) -> tuple[SetElevation, ...]:
    """The edits that raise each of some squares by a step."""
    found = _alike(squares, lambda square: field.elevation_at(square) + step)
    return tuple(SetElevation(alike, height) for height, alike in found)


def _alike(
    squares: Sequence[Square], value_of: Callable[[Square], Value]
) -> Iterator[tuple[Value, tuple[Square, ...]]]:
    """Each value that some squares get, with those that get it."""
    found: dict[Value, list[Square]] = {}
    for square in squares:
        found.setdefault(value_of(square), []).append(square)
    yield from ((value, tuple(alike)) for value, alike in found.items())


def brush_facts(brush: Brush, battle: Battle) -> Iterator[str]:
    """What there is to say of a brush besides its name, in a few words each."""
    sign = UNIT_SIGNS[battle.field.unit]
    match brush.value:
        case Ground() as ground:
            if 0 < ground.height < SKY:
                yield f"{ground.height / 100:g} {sign}"
            if ground.cover:
                yield f"{ground.cover} cover"
            if ground.move_cost > 1:
                yield "difficult terrain"
        case Barrier() as barrier:
            yield "on edges"
            if barrier.top < SKY:
                yield f"{barrier.top / 100:g} {sign}"
        case Lamp() as lamp:
            yield f"bright to {count(lamp.bright, 'square')}"
            yield f"dim to {lamp.dim}"
    if brush.kind == EDGE and brush.value is None:
        yield "removes what is on edges"
    if brush.kind == ZONE:
        yield from zone_facts(brush.name, battle)


def zone_facts(id: str, battle: Battle) -> Iterator[str]:
    """How many squares a start zone has, and how many of them the units need that begin there."""
    zone = next((zone for zone in battle.field.zones if zone.id == id), None)
    yield count(len(zone.squares) if zone else 0, "square")
    if needed := squares_needed(id, zone, battle):
        yield f"{needed} needed"


def squares_needed(id: str, zone: StartZone | None, battle: Battle) -> int:
    """Squares for the units of a start zone: the players' in the first, the hidden ones in the first ambush zone, all
    others in the second; 0 for further zones."""
    kind = zone.kind if zone else START
    alike = [held.id for held in battle.field.zones if held.kind == kind]
    place = alike.index(id) if id in alike else len(alike)
    has_ambush = any(held.kind == AMBUSH for held in battle.field.zones)
    ours = players_side(battle)
    needed = 0
    for unit in battle.units.values():
        hides = unit.is_hidden and has_ambush
        begins = (START, 0) if unit.side == ours else (AMBUSH, 0) if hides else (START, 1)
        needed += len(unit.squares) * (begins == (kind, place) and not unit.is_defeated)
    return needed
