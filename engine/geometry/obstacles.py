"""What stands on squares and edges: which heights it fills, whether it hides, stops shots or contains blasts.

`obstacles` says it for everybody who draws lines: the tracer, the kernel's arrays, lamps and blasts. A square is solid
from below up to its ground; its object, or a barrier, from its own bottom. `Surroundings` has what of that matters
between two bodies: bodies of others, too, which fill their whole footprint from feet to crown. Who looks leans over the
edge of the own ground and over what is low and near; hard things on the squares of either of the two are in nobody's
way, soft ones are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from engine.context import Cache
from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground, Height, OffMap
from engine.geometry.body import Body
from engine.geometry.lines import Line, LineStretch, Marks, Place
from engine.geometry.squares import Direction, Edge, Square, edge_of

DEPTH: Height = -SKY
"""Lower than anything on a map: the bottom of whatever stands on the ground."""

GROUND = "ground"
GROUND_COVER = "heavy"
"""Ruling: a bank of earth or a roof's edge protects as well as anything does; maps state no material for it."""

BODY_COVER = "light"
"""Ruling: somebody in the line protects as little as anything that stops a shot at all."""

SOMEBODY = "somebody"

Solid = tuple[Height, Height]
"""Bottom and top above the map's zero."""


class Thing(NamedTuple):
    """One thing that may be in the way: ground of a square, an object or a body on it, or a barrier on an edge."""

    place: Place
    name: str
    cover: str
    blocks_sight: bool
    stops_shots: bool
    contains_blast: bool
    top: Height
    solids: tuple[Solid, ...]
    """The heights that it fills, the lowest part first."""
    seen_through: Direction | None = None
    """The way in which it hides nothing; always across the edge it stands on."""
    body: Body | None = None
    """Whose body it is a square of."""

    @property
    def is_ground(self) -> bool:
        """Whether it is the ground of a square."""
        return self.solids[0][0] == DEPTH and isinstance(self.place, Square)

    @property
    def hides(self) -> bool:
        """Whether it is in the way of sight, or of shots."""
        return self.blocks_sight or self.stops_shots

    @property
    def is_opaque(self) -> bool:
        """Whether it hides and protects from both sides, from the ground up to its top."""
        is_whole = self.solids[0] == (DEPTH, self.top)
        return is_whole and self.blocks_sight and self.stops_shots and self.seen_through is None

    @property
    def whole(self) -> Thing:
        """What it counts as: a body on several squares is one thing, at the square it is named by."""
        return self if self.body is None else self._replace(place=self.body.at)


def obstacles(battlefield: Battlefield, place: Place, above: Height = DEPTH) -> Iterator[Thing]:
    """What stands on a square or on an edge, from below: ground, object; a barrier that is closed.

    Args:
        battlefield: any.
        place: a square of it, or an edge: on one without a barrier there is nothing.
        above: parts that end no higher are left out.
    """
    if isinstance(place, Square):
        index = place.row * battlefield.columns + place.column
        elevation = battlefield.elevation[index]
        if elevation > above:
            yield Thing(place, GROUND, GROUND_COVER, True, True, True, elevation, ((DEPTH, elevation),))
        if found := object_on(battlefield.legend[battlefield.ground[index]], place, elevation, above):
            yield found
    elif (barrier := battlefield.barriers.get(place)) is not None and not barrier.is_open:
        solids = barrier_solids(barrier, battlefield.barrier_base(place))
        if above > DEPTH:
            solids = tuple(solid for solid in solids if solid[1] > above)
        if solids:
            yield _barrier_thing(barrier, place, solids)


def object_on(ground: Ground, square: Square, elevation: Height, above: Height = DEPTH) -> Thing | None:
    """The object of a kind of ground, where it stands on a square; None for bare ground.

    Args:
        ground: one of a legend's kinds.
        square: where.
        elevation: of the square, above the map's zero.
        above: what ends no higher is left out.
    """
    top = min(SKY, elevation + ground.height)
    if top <= elevation or top <= above:
        return None
    kind = ground.blocks_sight, ground.stops_shots, ground.contains_blast
    return Thing(square, ground.name, ground.cover, *kind, top, ((elevation, top),))


def _barrier_thing(barrier: Barrier, edge: Edge, solids: tuple[Solid, ...]) -> Thing:
    way = barrier.seen_through
    if way is not None and (way.dx if edge.side == "W" else way.dy) == 0:
        way = None
    kind = barrier.blocks_sight, barrier.stops_shots, barrier.contains_blast
    return Thing(edge, barrier.kind, barrier.cover, *kind, max(top for _, top in solids), solids, way)


class Outline(NamedTuple):
    """Features of a map that lines are checked against."""

    tops: tuple[Height, ...]
    """The height of each square with the object on it, where that blocks sight or stops shots; row by row."""
    has_smoke: bool
    base: Height
    """The lowest ground."""
    by_row: tuple[int, ...]
    """For each row, a bit for each column where something is higher than that."""
    by_column: tuple[int, ...]
    """The same the other way round."""


OUTLINES: Cache[Outline] = Cache(4)
"""The battlefields that were looked at last."""


def outline(battlefield: Battlefield) -> Outline:
    """Obstacles of a battlefield; cached with its layers."""
    layers = (battlefield.legend, battlefield.ground, battlefield.elevation, battlefield.smoke)

    def found() -> Outline:
        found = [object_on(ground, Square(0, 0), 0) for ground in battlefield.legend]
        heights = [thing.top if thing is not None and thing.hides else 0 for thing in found]
        tops = tuple(
            elevation + heights[ground]
            for elevation, ground in zip(battlefield.elevation, battlefield.ground, strict=True)
        )
        base, columns = min(battlefield.elevation), battlefield.columns
        by_row = (_raised(tops[start : start + columns], base) for start in range(0, len(tops), columns))
        by_column = (_raised(tops[column::columns], base) for column in range(columns))
        return Outline(tops, any(battlefield.smoke), base, tuple(by_row), tuple(by_column))

    return OUTLINES.get(layers, None, found)


def _raised(tops: Sequence[Height], base: Height) -> int:
    """A bit for each of some squares that is higher than that."""
    return int("".join(["1" if top > base else "0" for top in reversed(tops)]), 2)


MARKED: Cache[tuple[Sequence[int], Sequence[int]]] = Cache(4)
"""The squares where there may be anything, for the same battlefields."""


def _marked(battlefield: Battlefield) -> tuple[Sequence[int], Sequence[int]]:
    """The raised squares of a battlefield and those beside a barrier, by row and by column."""
    known = outline(battlefield)

    def found() -> tuple[Sequence[int], Sequence[int]]:
        by_row, by_column = list(known.by_row), list(known.by_column)
        for edge in battlefield.barriers:
            for square in edge.squares:
                if square in battlefield:
                    by_row[square.row] |= 1 << square.column
                    by_column[square.column] |= 1 << square.row
        return by_row, by_column

    return MARKED.get((known, battlefield.barriers), None, found)


class Surroundings(dict[Place, tuple[Thing, ...]]):
    """Obstacles at each square or edge that matter between two bodies, looked up on demand.

    The own ground and the own low things of those who have `risen` are left out: of the observer alone unless said.
    Things no higher than `floor` are left out, too: no line between the bodies runs below it. Where nobody has risen,
    soft things of the own squares are out of the way like hard ones: so it is from middle to middle.
    """

    def __init__(
        self,
        battlefield: Battlefield,
        observer: Body,
        target: Body,
        floor: Height,
        obstacles: Collection[Body] = (),
        risen: Sequence[Body] | None = None,
    ) -> None:
        super().__init__()
        self.battlefield = battlefield
        self.floor = floor
        self.pair = (observer, target)
        self.own = frozenset(observer.squares + target.squares)
        risen = (observer,) if risen is None else risen
        self.hides_own_soft = bool(risen) and battlefield.sight.soft and not observer.is_next_to(target)
        self.straddled = edges_inside(observer) | edges_inside(target)
        self.without_ground = frozenset(square for body in risen for square in body.squares)
        self.reaches = [(body, feet_of(battlefield, body) + body.looks_over) for body in risen]
        self.shared_with = target if len(risen) == 1 else None
        self.eye = feet_of(battlefield, observer) + observer.eyes
        self.heights = tuple(
            feet_of(battlefield, body) + max(body.height, body.eyes, body.looks_over) for body in (observer, target)
        )
        self.highest = max(self.heights)
        self.bodies: dict[Square, list[Thing]] = {}
        for body in obstacles:
            if 0 < battlefield.sight.bodies <= body.size:
                for thing in self._standing(body):
                    self.bodies.setdefault(thing.place, []).append(thing)  # type: ignore[arg-type]

    def _standing(self, body: Body) -> Iterator[Thing]:
        """Somebody who stands in the way, square by square; nobody where it is low and near enough to look over."""
        feet = feet_of(self.battlefield, body)
        top = min(SKY, feet + max(body.height, 1))
        if not self._is_low(top, lambda one: one.is_next_to(body)):
            for square in body.squares:
                if square not in self.own:
                    name = body.name or SOMEBODY
                    yield Thing(square, name, BODY_COVER, True, True, False, top, ((feet, top),), body=body)

    def _is_low(self, top: Height, touches: Callable[[Body], bool]) -> bool:
        """Whether something ends so low, and so near, that it is out of the way."""
        for body, reach in self.reaches:
            is_near = top < reach and touches(body)
            if is_near and (self.shared_with is None or top < self.eye or not touches(self.shared_with)):
                return True
        return False

    def marks(self, feet: Height) -> Marks:
        """The places where there may be anything on a line from the observer's eye to a height of the target."""
        known, columns = outline(self.battlefield), self.battlefield.columns
        tops: Sequence[Height] = known.tops
        by_row, by_column = _marked(self.battlefield) if min(self.eye, feet) >= known.base else ((), ())
        if self.bodies:
            raised = list(tops)
            by_row, by_column = (), ()
            for square in self.bodies:
                raised[square.row * columns + square.column] = SKY
            tops = raised
        return Marks(columns, tops, self.eye, feet, self.battlefield.barriers, by_row, by_column)

    def is_above(self, thing: Thing, line: Line, passage: LineStretch) -> bool:
        """Whether a thing ends a line at a passage for every question, from both ends, wherever on the two it begins.

        It is solid from the ground up, out of the reach of both, and higher than the line between their highest points.
        """
        if not thing.is_opaque or len(passage.ways) > 1:
            return False
        high, high_at_target = self.heights
        rise, fall = (thing.top - high - 1) * line.length, high_at_target - high
        if rise <= fall * passage.start and rise <= fall * passage.end:
            return False
        place = thing.place
        if isinstance(place, Edge):
            return not any(body.touches_edge(place) for body in self.pair)
        return not any(body.touches(place) for body in self.pair)

    def __missing__(self, place: Place) -> tuple[Thing, ...]:
        found = self._on_square(place) if isinstance(place, Square) else self._on_edge(place)
        self[place] = found
        return found

    def _on_square(self, square: Square) -> tuple[Thing, ...]:
        found, is_own = [], square in self.own
        for thing in obstacles(self.battlefield, square, self.floor):
            if thing.is_ground:
                if square not in self.without_ground:
                    found.append(thing)
            elif is_own and (thing.stops_shots or not self.hides_own_soft):
                continue
            elif thing.hides and not self._is_low(thing.top, lambda body: body.touches(square)):
                found.append(thing if is_own else thing._replace(solids=((DEPTH, thing.top),)))
        if square in self.bodies:
            found.extend(thing for thing in self.bodies[square] if thing.top > self.floor)
        return tuple(found)

    def _on_edge(self, edge: Edge) -> tuple[Thing, ...]:
        if edge in self.straddled:
            return ()
        found = []
        for thing in obstacles(self.battlefield, edge, self.floor):
            solids = tuple(
                solid for solid in thing.solids if not self._is_low(solid[1], lambda body: body.touches_edge(edge))
            )
            if thing.hides and solids:
                found.append(thing._replace(solids=solids, top=max(top for _, top in solids)))
        return tuple(found)


def feet_of(battlefield: Battlefield, body: Body) -> Height:
    """Height of a body's feet above the map's zero: its altitude over the highest ground of its footprint.

    Raises:
        OffMap: a square of the footprint is outside.
    """
    if body.size == 1 and body.at in battlefield:
        return battlefield.elevation_at(body.at) + body.altitude
    for square in body.squares:
        if square not in battlefield:
            raise OffMap(square, battlefield)
    return max(battlefield.elevation_at(square) for square in body.squares) + body.altitude


def barrier_solids(barrier: Barrier, base: Height) -> tuple[Solid, ...]:
    """The heights a closed barrier fills, lowest first: one part, or two around its opening.

    A barrier whose bottom is its base stands on the ground, so that nothing passes under it.

    Args:
        barrier: its state is not asked.
        base: ground that its heights are measured from.
    """
    bottom = base + barrier.bottom if barrier.bottom > 0 else DEPTH
    top = min(SKY, base + barrier.top)
    if barrier.sill is None and barrier.lintel is None:
        return ((bottom, top),)
    sill = bottom if barrier.sill is None else base + barrier.sill
    lintel = top if barrier.lintel is None else base + barrier.lintel
    if sill >= lintel:
        return ((bottom, top),)
    parts = []
    if barrier.sill is not None and barrier.sill > max(barrier.bottom, 0):
        parts.append((bottom, min(sill, top)))
    if lintel < top:
        parts.append((max(lintel, bottom), top))
    return tuple(parts)


def edges_inside(body: Body) -> frozenset[Edge]:
    """Edges between two squares of one footprint: a large body straddles what stands there."""
    if body.size == 1:
        return frozenset()
    own = set(body.squares)
    return frozenset(
        edge_of(square, side) for square in own for side in (Direction.N, Direction.W) if square.step(side) in own
    )
