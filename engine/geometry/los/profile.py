"""The side view of one traced line: ground, things, walls and bodies along it, with heights. Data for a drawing.

Built from the crossings of a `Trace`: it shows what the tracer found and decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from msgspec import Struct

from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.body import Body
from engine.geometry.los.sight import trace
from engine.geometry.los.trace import Crossing, Trace
from engine.geometry.metric import root
from engine.geometry.obstacles import GROUND, Solid, feet_of, obstacles
from engine.geometry.squares import Edge, Square


class Stretch(Struct, frozen=True):
    """The line over one square. Shares of the way go from 0 at the observer to 1 at the target."""

    square: Square
    name: str
    """The object on it, else its terrain; "ground" where the ground itself stops the line."""
    start: Fraction
    end: Fraction
    ground: Height
    top: Height
    """Top of the object; that of the ground where there is none."""
    line_start: Fraction
    """Height of the line over the map's zero where it comes in, and where it leaves."""
    line_end: Fraction
    smoke: int
    blocks_sight: bool
    """Whether it does block this very line."""
    stops_shots: bool


class Upright(Struct, frozen=True):
    """Something thin that the line crosses at one place: a barrier on an edge, or a corner that it cannot get round."""

    square: Square
    edge: Edge | None
    """None at a corner between two full squares."""
    name: str
    at: Fraction
    base: Height
    """The ground that it stands on."""
    solids: tuple[Solid, ...]
    """What it fills, lowest first: none for an open door, two for a window. A bottom far below the map is the base."""
    line: Fraction
    blocks_sight: bool
    stops_shots: bool


class Figure(Struct, frozen=True):
    """A body in the side view: one of the two ends, or a body between them."""

    name: str
    start: Fraction
    end: Fraction
    feet: Height
    crown: Height
    eyes: Height


class Profile(Struct, frozen=True):
    """The side view of a line from eye to eye. All heights are above the map's zero."""

    unit: str
    length: Fraction
    """Squares from centre to centre, over the ground; 0 when one is above the other."""
    stretches: tuple[Stretch, ...]
    uprights: tuple[Upright, ...]
    others: tuple[Figure, ...]
    """Bodies that the line passes over, under or through."""
    observer: Figure
    target: Figure
    sight_ends: Fraction | None
    """Share of the way at which the line of sight ends; None when it reaches the target's eye."""
    shot_ends: Fraction | None
    """The same for a shot along this line."""


def profile(
    battlefield: Battlefield,
    observer: Body,
    target: Body,
    line: Trace | None = None,
    obstacles: Collection[Body] = (),
) -> Profile:
    """The side view of the line from the observer's eye to the target's.

    Args:
        battlefield: where.
        observer: who looks.
        target: at whom.
        line: the trace between the two, where there is one already.
        obstacles: bodies of others, for a trace made here.

    Raises:
        OffMap: a square of a footprint is outside.
    """
    line = line or trace(battlefield, observer, target, obstacles)
    places = [crossing for crossing in line.crossings if crossing.edge is None and not crossing.is_body]
    is_point = len(line.crossings) == 1
    across = 2 * (target.at.column - observer.at.column) + target.size - observer.size
    down = 2 * (target.at.row - observer.at.row) + target.size - observer.size
    return Profile(
        unit=battlefield.unit,
        length=root(Fraction(across**2 + down**2, 4)),
        stretches=tuple(
            _stretch(battlefield, crossing) for crossing in places if crossing.start < crossing.end or is_point
        ),
        uprights=tuple(
            _upright(battlefield, crossing)
            for crossing in line.crossings
            if crossing.edge is not None or (crossing in places and crossing.start == crossing.end and not is_point)
        ),
        others=tuple(
            Figure(crossing.name, crossing.start, crossing.end, crossing.bottom, crossing.top, crossing.top)
            for crossing in line.crossings
            if crossing.is_body and crossing.start < crossing.end
        ),
        observer=_figure(battlefield, observer, Fraction(0)),
        target=_figure(battlefield, target, Fraction(1)),
        sight_ends=_end([crossing for crossing in line.crossings if crossing.blocks_sight]),
        shot_ends=_end([crossing for crossing in line.crossings if crossing.stops_shots]),
    )


def _stretch(battlefield: Battlefield, crossing: Crossing) -> Stretch:
    return Stretch(
        crossing.square,
        crossing.name,
        crossing.start,
        crossing.end,
        crossing.bottom,
        crossing.top,
        crossing.line_start,
        crossing.line_end,
        crossing.smoke,
        crossing.blocks_sight,
        crossing.stops_shots,
    )


def _upright(battlefield: Battlefield, crossing: Crossing) -> Upright:
    base = crossing.bottom
    solids: tuple[Solid, ...] = ((crossing.bottom, crossing.top),)
    if crossing.edge is not None:
        base = battlefield.barrier_base(crossing.edge)
        solids = tuple(solid for thing in obstacles(battlefield, crossing.edge) for solid in thing.solids)
    return Upright(
        crossing.square,
        crossing.edge,
        crossing.name,
        crossing.start,
        base,
        solids,
        crossing.line_start,
        crossing.blocks_sight,
        crossing.stops_shots,
    )


def _figure(battlefield: Battlefield, body: Body, at: Fraction) -> Figure:
    feet = feet_of(battlefield, body)
    return Figure(body.name, at, at, feet, feet + max(body.height, 1), feet + body.eyes)


def _end(stops: list[Crossing]) -> Fraction | None:
    """Where the line ends: at the near side of what stops it first, or where it has sunk or risen into that."""
    if not stops:
        return None
    first = min(stops, key=lambda crossing: crossing.start)
    come_in, rise = first.line_start, first.line_end - first.line_start
    top = first.bottom if first.name == GROUND else first.top
    if come_in > top:
        limit = top
    elif first.is_body and come_in < first.bottom:
        limit = first.bottom
    else:
        return first.start
    return first.start + (first.end - first.start) * min(Fraction(1), (limit - come_in) / rise) if rise else first.start
