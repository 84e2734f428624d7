"""The battlefield in the GM's hand: ground, heights, what stands on edges, light and lamps. Always allowed.

What would leave somebody inside a wall, or a lamp inside a rock, is refused or put right at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.battle import commands as cmd
from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.table.applying import apply_all_to_table
from engine.errors import Illegal, Unknown
from engine.field.battlefield import LIGHTS, Barrier, Battlefield, Height, Lamp, OffMap
from engine.field.editing import is_solid
from engine.field.squares import Direction, Edge, Square
from engine.text import clean

MOST_HEIGHT: Height = 10_000_00
MOST_LAMPS = 500
MOST_REACH = 100
MOST_REASON = 60


class Unchanged(Illegal):
    """It is like that already."""


def decide_ground(battle: Battle, wish: cmd.SetGround) -> tuple[ev.Event, ...]:
    """Lays a ground; refused where somebody stands whom it would hold fast. Lamps inside of what is solid go."""
    field, ground = battle.field, wish.ground
    squares = _those(field, wish.squares, lambda square: field.ground_at(square) != ground)
    if not squares:
        raise Unchanged("ground", f"It is {ground.name} there already.")
    if ground.blocks_movement:
        inside = frozenset(squares)
        for unit in battle.units.values():
            if not inside.isdisjoint(unit.squares) and not unit.is_defeated and unit.altitude < max(ground.height, 1):
                raise Illegal("ground", f"{unit.name} stands on {unit.at.name}, where {ground.name} would be.")
    lamps = [lamp.at for lamp in field.lamps if is_solid(ground) and lamp.at in squares]
    laid = ev.GroundSet(squares, ground, clean(wish.because, MOST_REASON))
    return (*(ev.LampSet(at, None) for at in lamps), laid)


def decide_elevation(battle: Battle, wish: cmd.SetElevation) -> tuple[ev.Event, ...]:
    """Raises or lowers the ground; whoever stands there goes with it."""
    field = battle.field
    if abs(wish.height) > MOST_HEIGHT:
        most = MOST_HEIGHT // 100
        raise Illegal("elevation", f"The ground is {-most:,} to {most:,} {field.unit} high, no more and no less.")
    squares = _those(field, wish.squares, lambda square: field.elevation_at(square) != wish.height)
    if not squares:
        raise Unchanged("elevation", "The ground is that high already.")
    return (ev.ElevationSet(squares, wish.height),)


def decide_edges(battle: Battle, wish: cmd.SetEdges) -> tuple[ev.Event, ...]:
    """Puts something on edges of the map, or takes it away."""
    field, barrier = battle.field, wish.barrier
    for edge in wish.edges:
        if not any(square in field for square in edge.squares):
            raise OffMap(edge.squares[1], field)
        if barrier is not None:
            _refuse_ways_along(barrier, edge)
    edges = tuple(edge for edge in dict.fromkeys(wish.edges) if field.barriers.get(edge) != barrier)
    if not edges:
        what = f"It is {barrier.kind}" if barrier else "There is nothing"
        raise Unchanged("edge", f"{what} there already.")
    return (ev.EdgesSet(edges, barrier),)


def decide_stroke(battle: Battle, wish: cmd.Draw) -> tuple[ev.Event, ...]:
    """Several changes of the field at once; refused where none of them changes anything, or one cannot be."""
    found: tuple[ev.Event, ...] = ()
    for part in wish.parts:
        try:
            found += _decide_part(apply_all_to_table(battle, found), part)
        except Unchanged:
            continue
    if not found:
        raise Unchanged("field", "It is like that already.")
    return found


def _decide_part(battle: Battle, part: cmd.SetGround | cmd.SetElevation | cmd.SetEdges) -> tuple[ev.Event, ...]:
    match part:
        case cmd.SetGround():
            return decide_ground(battle, part)
        case cmd.SetElevation():
            return decide_elevation(battle, part)
        case cmd.SetEdges():
            return decide_edges(battle, part)


def decide_light(battle: Battle, wish: cmd.SetLight) -> tuple[ev.Event, ...]:
    """Says how light it is, without the lamps."""
    if wish.light not in LIGHTS:
        raise Unknown("light", wish.light, LIGHTS)
    field, light = battle.field, LIGHTS.index(wish.light)
    squares = _those(field, wish.squares or field.squares(), lambda square: field.light[field.index(square)] != light)
    if not squares:
        raise Illegal("light", f"It is {wish.light} there already.")
    return (ev.LightSet(squares if wish.squares else (), wish.light),)


def decide_lamp(battle: Battle, wish: cmd.SetLamp) -> tuple[ev.Event, ...]:
    """Hangs a lamp over a square, changes the one there, or takes it away."""
    field = battle.field
    held = next((lamp for lamp in field.lamps if lamp.at == wish.at), None)
    ground = field.ground_at(wish.at)
    if not wish.bright and not wish.dim:
        if held is None:
            raise Illegal("lamp", f"There is no lamp over {wish.at.name}.")
        return (ev.LampSet(wish.at, None),)
    if not 0 <= wish.bright <= wish.dim <= MOST_REACH:
        raise Illegal("lamp", f"A lamp is bright 0 to {MOST_REACH} squares far, and dim at least as far.")
    if not 0 <= wish.height <= MOST_HEIGHT:
        raise Illegal("lamp", "A lamp hangs above the ground of its square.")
    if is_solid(ground):
        raise Illegal("lamp", f"Nothing shines from {wish.at.name}: {ground.name}.")
    if held is None and len(field.lamps) >= MOST_LAMPS:
        raise Illegal("lamp", f"There are {MOST_LAMPS} lamps; no more fit.")
    lamp = Lamp(wish.at, wish.bright, wish.dim, wish.height)
    if lamp == held:
        raise Illegal("lamp", f"Such a lamp hangs over {wish.at.name} already.")
    return (ev.LampSet(wish.at, lamp),)


def _those(field: Battlefield, squares: Iterable[Square], differs: Callable[[Square], bool]) -> tuple[Square, ...]:
    """Those squares, each once, row by row, where something would change; raises OffMap for one outside."""
    return tuple(sorted({square for square in squares if differs(square)}, key=lambda square: field.index(square)))


def _refuse_ways_along(barrier: Barrier, edge: Edge) -> None:
    across = (Direction.N, Direction.S) if edge.side == "N" else (Direction.E, Direction.W)
    for way in (barrier.seen_through, barrier.walked_through):
        if way is not None and way not in across:
            raise Illegal("edge", f"One does not go through {edge.name} to the {way.name}: that runs along it.")
