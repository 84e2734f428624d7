"""Crossings of one line in order: squares, edges and bodies, and the obstacle that blocks it.

Reads the passages of a line and what stops it; decides nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.geometry.battlefield import Battlefield
from engine.geometry.lines import LineStretch, Place
from engine.geometry.los.shadows import Shadow, ShadowLine
from engine.geometry.los.trace import Blocker, Crossing
from engine.geometry.obstacles import Surroundings, Thing, barrier_solids
from engine.geometry.squares import Edge, Square


def crossings(
    battlefield: Battlefield, surroundings: Surroundings, view: ShadowLine, stops: Sequence[Shadow]
) -> Iterator[Crossing]:
    """What the line from eye to eye passes: every square and who stands on it, every edge with a barrier, and corners
    where they stop it.

    Args:
        battlefield: where.
        surroundings: the things between the two.
        view: the line.
        stops: what stops it, or stops it from the other end.
    """
    stopping: dict[int, list[Shadow]] = {}
    for shadow in stops:
        stopping.setdefault(shadow.passage, []).append(shadow)
    for index, passage in enumerate(view.line.passages):
        here = stopping.get(index, [])
        still = [shadow for shadow in here if shadow.thing.body is None]
        if passage.start < passage.end or not view.line.length:
            if len(passage.ways) == 1 or not here:
                place: Place = min(squares_of(passage), key=battlefield.top_at)
            else:
                place = here[0].thing.place
            yield _crossing(battlefield, view, index, place, still)
            bodies = [thing for thing in surroundings[place] if thing.body is not None]
            for thing in dict.fromkeys([*bodies, *(shadow.thing for shadow in here if shadow.thing.body is not None)]):
                yield _crossing(battlefield, view, index, thing, [shadow for shadow in here if shadow.thing == thing])
        elif len(passage.ways) == 1:
            if passage.ways[0][0] in battlefield.barriers:
                yield _crossing(battlefield, view, index, passage.ways[0][0], here)
        else:
            for place in dict.fromkeys(shadow.thing.place for shadow in still):
                yield _crossing(battlefield, view, index, place, [one for one in still if one.thing.place == place])
            for thing in dict.fromkeys(shadow.thing for shadow in here if shadow.thing.body is not None):
                yield _crossing(battlefield, view, index, thing, [shadow for shadow in here if shadow.thing == thing])


def blocker_at(shadow: Shadow, view: ShadowLine, share: Fraction) -> Blocker:
    """A thing in the way, with the height at which the line to the target's eye meets it.

    Args:
        shadow: what it hides on that line.
        view: the line.
        share: of the target that it hides, 0 to 1.
    """
    passage, thing = view.line.passages[shadow.passage], shadow.thing.whole
    height = view.height(passage.start)
    if height >= thing.top:
        height = view.height(passage.end)
    edge = thing.place if isinstance(thing.place, Edge) else None
    square = thing.place if isinstance(thing.place, Square) else _on_line(thing.place, view, shadow.passage)
    return Blocker(thing.name, square, edge, height, thing.top, thing.cover, share, thing.body is not None)


def is_below_base(battlefield: Battlefield, shadow: Shadow, view: ShadowLine) -> bool:
    """Whether a line meets a barrier below the ground that it stands on, so that this ground is what blocks it."""
    place, passage = shadow.thing.place, view.line.passages[shadow.passage]
    return isinstance(place, Edge) and view.height(passage.start) < battlefield.barrier_base(place)


def squares_of(passage: LineStretch) -> list[Square]:
    """The squares of a passage: one, or those on both sides of the line."""
    return [place for way in passage.ways for place in way if isinstance(place, Square)]


def _on_line(edge: Edge, view: ShadowLine, passage: int) -> Square:
    """The square of an edge that the line passes: the one behind it, or before it at a corner's near edges."""
    after, before = (squares_of(view.line.passages[passage + step]) for step in (1, -1))
    for square in (*after, *before):
        if square in edge.squares:
            return square
    return edge.squares[1]


def _crossing(
    battlefield: Battlefield, view: ShadowLine, index: int, place: Place | Thing, stops: Sequence[Shadow]
) -> Crossing:
    """One square or edge on the line, or somebody on it; `stops` is what of it stops the line."""
    passage, length = view.line.passages[index], view.line.length or 1
    is_body, edge, smoke = isinstance(place, Thing), None, 0
    if isinstance(place, Thing):
        square = place.place if isinstance(place.place, Square) else place.place.squares[1]
        name, bottom, top = place.name, place.solids[0][0], place.top
    elif isinstance(place, Square):
        square, smoke = place, battlefield.smoke_at(place)
        name = stops[0].thing.name if stops else battlefield.ground_at(square).name
        bottom, top = battlefield.elevation_at(square), battlefield.top_at(square)
    else:
        square, edge = _on_line(place, view, index), place
        barrier, base = battlefield.barriers[place], battlefield.barrier_base(place)
        name, bottom, top = barrier.kind, base + barrier.bottom, barrier_solids(barrier, base)[-1][1]
    return Crossing(
        square=square,
        edge=edge,
        name=name,
        start=Fraction(passage.start, length),
        end=Fraction(passage.end, length),
        line_start=view.height(passage.start),
        line_end=view.height(passage.end),
        bottom=bottom,
        top=top,
        blocks_sight=any(shadow.sight for shadow in stops),
        stops_shots=any(shadow.shots for shadow in stops),
        smoke=smoke,
        is_body=is_body,
    )
