"""GM edits of the battlefield: ground, elevation, edges, light and lamps. Always allowed.

What would leave somebody inside a wall, or a lamp inside a rock, is refused or put right at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.command import Command, Deciding, Events
from engine.battle.event_builder import refuse_if_full
from engine.battle.parameters import LightId
from engine.bounds import Count
from engine.errors import Illegal, Unknown
from engine.geometry.battlefield import LIGHTS, SMOKE_NAMES, Barrier, Battlefield, Ground, Height, Lamp, OffMap
from engine.geometry.squares import Direction, Edge, Square
from engine.geometry.terrain_edits import is_solid
from engine.geometry.zones import MOST_AREAS, MOST_ZONES, ZONE_ID, StartZone, areas_of
from engine.text import clean
from engine.values import replace

MOST_HEIGHT: Height = 10_000_00
MOST_LAMPS = 500
MOST_REACH = 100
MOST_REASON = 60
BARRIER_STATES = ("open", "closed", "locked", "broken")


class Unchanged(Illegal):
    """The edit changes nothing: what it sets is already so."""

    def __init__(self, already: str = "") -> None:
        super().__init__("unchanged", f"Nothing would change{already and f': already {already}'}.")


class SetGround(Command, frozen=True, tag="set-ground"):
    """The GM sets the terrain and objects of some squares; `because` is for the log."""

    squares: tuple[Square, ...]
    ground: Ground
    because: str = ""

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        field, ground = battle.field, self.ground
        squares = _those(field, self.squares, lambda square: field.ground_at(square) != ground)
        if not squares:
            raise Unchanged(ground.name)
        if ground.blocks_movement:
            inside = frozenset(squares)
            for unit in battle.units.values():
                if (
                    not inside.isdisjoint(unit.squares)
                    and not unit.is_defeated
                    and unit.altitude < max(ground.height, 1)
                ):
                    raise Illegal("ground", f"{unit.name} stands on {unit.at.name}: no room for {ground.name}.")
        lamps = [lamp.at for lamp in field.lamps if is_solid(ground) and lamp.at in squares]
        laid = ev.GroundSet(squares, ground, clean(self.because, MOST_REASON))
        return (*(ev.LampSet(at, None) for at in lamps), laid)


class SetElevation(Command, frozen=True, tag="set-elevation"):
    """The GM sets the elevation of some squares: hundredths of the map's unit above its zero."""

    squares: tuple[Square, ...]
    height: Height

    def decide(self, now: Deciding) -> Events:
        """Raises or lowers the ground with the units on it."""
        battle = now.battle
        field = battle.field
        if abs(self.height) > MOST_HEIGHT:
            most = MOST_HEIGHT // 100
            raise Illegal("elevation", f"Elevation must be {-most:,} to {most:,} {field.unit}.")
        squares = _those(field, self.squares, lambda square: field.elevation_at(square) != self.height)
        if not squares:
            raise Unchanged("at that elevation")
        return (ev.ElevationSet(squares, self.height),)


class SetEdges(Command, frozen=True, tag="set-edges"):
    """The GM places a barrier on some edges, or removes it."""

    edges: tuple[Edge, ...]
    barrier: Barrier | None

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        field, barrier = battle.field, self.barrier
        for edge in self.edges:
            if not any(square in field for square in edge.squares):
                raise OffMap(edge.squares[1], field)
            if barrier is not None:
                _refuse_ways_along(barrier, edge)
        edges = tuple(edge for edge in dict.fromkeys(self.edges) if field.barriers.get(edge) != barrier)
        if not edges:
            raise Unchanged(barrier.kind if barrier else "empty")
        return (ev.EdgesSet(edges, barrier),)


class SetSmoke(Command, frozen=True, tag="set-smoke"):
    """The GM sets the map's own smoke on some squares: 0 for clear air, 1 thin, 2 thick. Clouds are not changed."""

    squares: tuple[Square, ...]
    density: Count

    def decide(self, now: Deciding) -> Events:
        field = now.battle.bare_field
        if self.density not in range(len(SMOKE_NAMES)):
            raise Illegal("smoke", f"Smoke must be thin (1), thick (2) or none (0), not {self.density}.")
        squares = _those(field, self.squares, lambda square: field.smoke_at(square) != self.density)
        if not squares:
            raise Unchanged(SMOKE_NAMES[self.density])
        return (ev.SmokeSet(squares, self.density),)


class SetZone(Command, frozen=True, tag="set-zone"):
    """The GM adds squares to a start zone, or takes them out; the last one takes the zone with it.

    An id that the map does not have makes a new zone.
    """

    id: str
    squares: tuple[Square, ...]
    is_inside: bool = True

    def decide(self, now: Deciding) -> Events:
        field = now.battle.field
        id, before = self.id, next((zone for zone in field.zones if zone.id.casefold() == self.id.casefold()), None)
        if ZONE_ID.fullmatch(id) is None:
            raise Illegal("zone", f"“{clean(id, MOST_REASON)}” is no zone: up to 16 letters, digits, - and _.")
        inside = set(before.squares) if before else set()
        squares = _those(field, self.squares, lambda square: (square in inside) != self.is_inside)
        if not squares:
            raise Unchanged(f"{'in' if self.is_inside else 'outside'} zone {before.id if before else id}")
        if before is None:
            refuse_if_full(len(field.zones), MOST_ZONES, "zones")
        areas = areas_of(inside | set(squares) if self.is_inside else inside - set(squares))
        if len(areas) > MOST_AREAS:
            raise Illegal("zone", f"Zone {id} would have {len(areas)} parts; at most {MOST_AREAS} fit.")
        changed = replace(before or StartZone(id, ()), areas=areas)
        return (ev.ZoneSet(changed.id, changed if areas else None),)


class SetLight(Command, frozen=True, tag="set-light"):
    """The GM sets the light of some squares, or of all where none are named: "dark", "dim" or "bright"."""

    light: LightId
    squares: tuple[Square, ...] = ()

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        field, light = battle.field, LIGHTS.index(self.light)
        squares = _those(
            field, self.squares or field.squares(), lambda square: field.light[field.index(square)] != light
        )
        if not squares:
            raise Unchanged(self.light)
        return (ev.LightSet(squares if self.squares else (), self.light),)


class SetLamp(Command, frozen=True, tag="set-lamp"):
    """The GM hangs a lamp over a square: bright and dim light so many squares far; with 0 of both she takes it away."""

    at: Square
    bright: Count
    dim: Count
    height: Height = 0

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        field = battle.field
        held = next((lamp for lamp in field.lamps if lamp.at == self.at), None)
        ground = field.ground_at(self.at)
        if not self.bright and not self.dim:
            if held is None:
                raise Illegal("lamp", f"There is no lamp over {self.at.name}.")
            return (ev.LampSet(self.at, None),)
        refuse_reach(self.bright, self.dim)
        if not 0 <= self.height <= MOST_HEIGHT:
            raise Illegal("lamp", "A lamp must hang above the ground of its square.")
        if is_solid(ground):
            raise Illegal("lamp", f"No lamp can shine from {self.at.name}: {ground.name}.")
        if held is None:
            refuse_if_full(len(field.lamps), MOST_LAMPS, "lamps")
        lamp = Lamp(self.at, self.bright, self.dim, self.height)
        if lamp == held:
            raise Illegal("lamp", f"That lamp already hangs over {self.at.name}.")
        return (ev.LampSet(self.at, lamp),)


class Draw(Command, frozen=True, tag="draw"):
    """The GM makes several edits of the battlefield in one step; edits that change nothing are skipped."""

    version = 2

    parts: tuple[SetGround | SetElevation | SetEdges | SetSmoke | SetZone | SetLamp, ...]

    def decide(self, now: Deciding) -> Events:
        found: Events = ()
        for part in self.parts:
            try:
                found += part.decide(replace(now, battle=apply_all(now.battle, found)))
            except Unchanged:
                continue
        if not found:
            raise Unchanged
        return found


class SetBarrier(Command, frozen=True, tag="set-barrier"):
    """Open, close, lock or break the barrier on an edge."""

    edge: Edge
    state: str

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        barrier = battle.field.barriers.get(self.edge)
        if barrier is None:
            raise Illegal("edge", f"There is nothing on the edge {self.edge.name}.")
        if self.state not in BARRIER_STATES:
            raise Unknown("state", self.state, BARRIER_STATES)
        if not barrier.can_open and self.state != "broken":
            raise Illegal("edge", f"The {barrier.kind} on {self.edge.name} does not open; it can only be broken.")
        if barrier.state == self.state:
            raise Illegal("edge", f"The {barrier.kind} on {self.edge.name} is already {self.state}.")
        if barrier.state == "locked" and self.state == "open":
            raise Illegal("locked", f"The {barrier.kind} on {self.edge.name} is locked; unlock or break it first.")
        return (ev.BarrierChanged(self.edge, barrier.kind, barrier.state, self.state),)


KINDS = (SetGround, SetElevation, SetEdges, SetSmoke, SetZone, Draw, SetLight, SetLamp, SetBarrier)


def refuse_reach(bright: int, dim: int) -> None:
    """Refuses how far a lamp would shine, in squares.

    Raises:
        Illegal: it is more than a lamp can, or its dim light does not go as far as its bright one.
    """
    if not 0 <= bright <= dim <= MOST_REACH:
        raise Illegal("lamp", f"Bright light must reach 0 to {MOST_REACH} squares, dim light at least as far.")


def _those(field: Battlefield, squares: Iterable[Square], differs: Callable[[Square], bool]) -> tuple[Square, ...]:
    """Those squares, each once, row by row, where something would change; raises OffMap for one outside."""
    return tuple(sorted({square for square in squares if differs(square)}, key=lambda square: field.index(square)))


def _refuse_ways_along(barrier: Barrier, edge: Edge) -> None:
    across = (Direction.N, Direction.S) if edge.side == "N" else (Direction.E, Direction.W)
    for direction in (barrier.seen_through, barrier.walked_through):
        if direction is not None and direction not in across:
            raise Illegal(
                "edge", f"{edge.name} cannot be crossed to the {direction.name}: choose a direction across the edge."
            )
