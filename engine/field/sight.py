"""Sight and cover between two bodies, exactly: the one tracer that the board, the rules and the log all read.

A line runs from the observer's eye to five points of the target's footprint, and at each point up the whole target,
from feet to crown. What hides which part of it is decided in whole numbers and fractions; nothing is sampled in height
and nothing is rounded but the length of slanted smoke. Seeing and shooting are two questions asked of the same lines.

Whoever draws a side view, names a blocker or counts smoke does so from the `Trace`. Nothing here knows a ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from engine.field.battlefield import LIGHTS, Battlefield, Height, OffMap
from engine.field.lighting import lit
from engine.field.lines import EIGHTHS, Passage, Place, Point, line
from engine.field.metric import root
from engine.field.shadows import Shadow, View, hidden_share, shadows
from engine.field.silhouette import Body
from engine.field.solids import GROUND, Surroundings, Thing, barrier_solids
from engine.field.squares import Edge, Square
from engine.field.trace import Blocker, Crossing, Trace
from engine.field.verdict import sentence

BODY_POINTS = ((0, 0), (-3, -3), (3, -3), (-3, 3), (3, 3))
"""Points of the target that are looked at: from the footprint's centre, in eighths of its side."""

Columns = Sequence[Sequence[Shadow]]
"""What is hidden at each body point."""


def trace(battlefield: Battlefield, observer: Body, target: Body) -> Trace:
    """What the observer sees of the target, what a shot can reach, and what stands between.

    `clear` is the mutual answer, the same both ways; `visible` and `covered` are the observer's. Objects on own squares
    and barriers under a footprint are ignored, own ground is not. Feet stand on the highest ground of the footprint.
    The sentence names nobody; callers put the names before it.

    Raises:
        OffMap: a square of either footprint is outside.
    """
    observer_feet, feet = _feet(battlefield, observer), _feet(battlefield, target)
    eye, target_eye, crown = observer_feet + observer.eyes, feet + target.eyes, feet + max(target.height, 1)
    surroundings = Surroundings(battlefield, observer, target, min(eye, feet))
    start, middle = _centre(observer), _centre(target)
    views = [
        View(line(start, Point(middle.x + x * target.size, middle.y + y * target.size)), eye, feet, crown, target_eye)
        for x, y in BODY_POINTS
    ]
    columns = [shadows(view, surroundings) for view in views]
    seen = [[shadow for shadow in column if shadow.sight] for column in columns]
    shot = [[shadow for shadow in column if shadow.shots] for column in columns]
    stops = [shadow for shadow in columns[0] if shadow.low < target_eye < shadow.high]
    blockers = [shadow for shadow in stops if shadow.sight]
    first = min(blockers, key=lambda shadow: (shadow.passage, shadow.thing.top, shadow.thing.place), default=None)
    smoke, smoke_squares = _smoke(battlefield, views[0], start, middle)
    levels = lit(battlefield)
    answer = Trace(
        start=observer.at,
        end=target.at,
        visible=1 - hidden_share(seen, views[0]),
        covered=hidden_share(shot, views[0]),
        clear=not blockers,
        first_blocker=_blocker(first, views[0], _shares(seen, views[0])[first.thing]) if first else None,
        cover=_foremost(shot, views, middle),
        crossings=tuple(_crossings(battlefield, views[0], stops)),
        smoke=smoke,
        smoke_squares=smoke_squares,
        light=LIGHTS[max(levels[battlefield.index(square)] for square in target.squares)],
        columns_apart=_apart(observer.at.column, observer.size, target.at.column, target.size),
        rows_apart=_apart(observer.at.row, observer.size, target.at.row, target.size),
        rise=feet - observer_feet,
        words="",
    )
    return replace(answer, words=sentence(battlefield, answer, _foremost(seen, views, middle)))


def _feet(battlefield: Battlefield, body: Body) -> Height:
    """Height of a body's feet above the map's zero."""
    for square in body.squares:
        if square not in battlefield:
            raise OffMap(square, battlefield)
    return max(battlefield.elevation_at(square) for square in body.squares) + body.altitude


def _centre(body: Body) -> Point:
    half = body.size * EIGHTHS // 2
    return Point(body.at.column * EIGHTHS + half, body.at.row * EIGHTHS + half)


def _apart(start: int, start_size: int, end: int, end_size: int) -> int:
    """Steps between the nearest columns (or rows) of two footprints: 1 for neighbours, 0 where they overlap."""
    return max(0, end - (start + start_size - 1), start - (end + end_size - 1))


def _shares(columns: Columns, view: View) -> dict[Thing, Fraction]:
    """The share of the target that each thing hides by itself."""
    by_thing: dict[Thing, list[list[Shadow]]] = {}
    for number, column in enumerate(columns):
        for shadow in column:
            if shadow.thing not in by_thing:
                by_thing[shadow.thing] = [[] for _ in columns]
            by_thing[shadow.thing][number].append(shadow)
    return {thing: hidden_share(own, view) for thing, own in by_thing.items()}


def _foremost(columns: Columns, views: Sequence[View], middle: Point) -> Blocker | None:
    """The thing that alone accounts for the largest share; of equals the one nearest to the target."""
    shares = _shares(columns, views[0])
    if not any(shares.values()):
        return None

    def rank(thing: Thing) -> tuple[Fraction, int, bool, Place]:
        return shares[thing], -_remoteness(thing.place, middle), thing.name == GROUND, thing.place

    best = max(shares, key=rank)
    for view, column in zip(views, columns, strict=True):
        for shadow in column:
            if shadow.thing == best:
                return _blocker(shadow, view, shares[best])
    return None


def _remoteness(place: Place, middle: Point) -> int:
    """Squared distance from the middle of a square or edge, in eighths."""
    half = EIGHTHS // 2
    x, y = place.column * EIGHTHS + half, place.row * EIGHTHS + half
    if isinstance(place, Edge):
        x, y = (x - half, y) if place.side == "W" else (x, y - half)
    return int((x - middle.x) ** 2 + (y - middle.y) ** 2)


def _blocker(shadow: Shadow, view: View, share: Fraction) -> Blocker:
    """A thing with the height at which the line to the target's eye meets it."""
    passage, thing = view.line.passages[shadow.passage], shadow.thing
    height = view.height(passage.start)
    if height >= thing.top:
        height = view.height(passage.end)
    edge = thing.place if isinstance(thing.place, Edge) else None
    square = thing.place if isinstance(thing.place, Square) else _on_line(thing.place, view, shadow.passage)
    return Blocker(thing.name, square, edge, height, thing.top, thing.cover, share)


def _on_line(edge: Edge, view: View, passage: int) -> Square:
    """The square of an edge that the line passes: the one behind it, or before it at a corner's near edges."""
    after, before = (_squares(view.line.passages[passage + step]) for step in (1, -1))
    for square in (*after, *before):
        if square in edge.squares:
            return square
    return edge.squares[1]


def _squares(passage: Passage) -> list[Square]:
    return [place for way in passage.ways for place in way if isinstance(place, Square)]


def _crossings(battlefield: Battlefield, view: View, stops: Sequence[Shadow]) -> Iterable[Crossing]:
    """What the line from eye to eye passes: every square, every edge with a barrier, and corners where they stop it."""
    stopping: dict[int, list[Shadow]] = {}
    for shadow in stops:
        stopping.setdefault(shadow.passage, []).append(shadow)
    for index, passage in enumerate(view.line.passages):
        here = stopping.get(index, [])
        if len(passage.ways) == 1:
            place = passage.ways[0][0]
            if isinstance(place, Square) or place in battlefield.barriers:
                yield _crossing(battlefield, view, index, place, here)
        elif passage.start < passage.end or not view.line.length:
            place = here[0].thing.place if here else min(_squares(passage), key=battlefield.top_at)
            yield _crossing(battlefield, view, index, place, here)
        else:
            for place in dict.fromkeys(shadow.thing.place for shadow in here):
                yield _crossing(battlefield, view, index, place, [one for one in here if one.thing.place == place])


def _crossing(battlefield: Battlefield, view: View, index: int, place: Place, stops: Sequence[Shadow]) -> Crossing:
    """One square or edge on the line; `stops` are its things that stop the line."""
    passage, length = view.line.passages[index], view.line.length or 1
    if isinstance(place, Square):
        square, edge = place, None
        ground = battlefield.ground_at(square)
        name = stops[0].thing.name if stops else ground.name
        bottom, top = battlefield.elevation_at(square), battlefield.top_at(square)
    else:
        square, edge = _on_line(place, view, index), place
        barrier = battlefield.barriers[place]
        base = battlefield.barrier_base(place)
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
        smoke=battlefield.smoke_at(square) if edge is None else 0,
    )


def _smoke(battlefield: Battlefield, view: View, start: Point, end: Point) -> tuple[Fraction, int]:
    """Length through smoke times its density, and the number of smoky squares, both over the ground.

    Along a grid line the thinner of both sides counts. Lengths are in squares: exact along rows, columns and wherever
    the root is a fraction; else at most 1e-10 of a square short.
    """
    thick, count = 0, 0
    for passage in view.line.passages:
        if passage.start < passage.end or not view.line.length:
            density = min(battlefield.smoke_at(square) for square in _squares(passage))
            thick += density * (passage.end - passage.start)
            count += density > 0
    if not thick:
        return Fraction(0), count
    reach = root(Fraction((end.x - start.x) ** 2 + (end.y - start.y) ** 2))
    return reach * Fraction(thick, view.line.length * EIGHTHS), count
