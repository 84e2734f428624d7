"""Sight and cover between two bodies, exactly: the one tracer that the board, the rules and the log all read.

A line runs from the observer's eye to five points of the target's footprint (or one, or nine), and at each point up
the whole target, from feet to crown. What hides which part of it is decided in whole numbers and fractions; nothing is
sampled in height and nothing is rounded but the length of slanted smoke. Seeing and shooting are two questions asked of
the same lines.

Whoever draws a side view, names a blocker or counts smoke does so from the `Trace`. Nothing here knows a ruleset.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.field.battlefield import LIGHTS, Battlefield
from engine.field.crossings import blocker_at, crossings, squares_of
from engine.field.lines import EIGHTHS, Place, Point, line
from engine.field.metric import root
from engine.field.shadows import Shadow, View, hidden_height, shadows
from engine.field.silhouette import Body
from engine.field.solids import GROUND, Surroundings, Thing, feet_of
from engine.field.squares import Edge
from engine.field.trace import Blocker, BodyPoint, Half, Trace
from engine.field.verdict import sentence

BODY_POINTS = ((0, 0), (-3, -3), (3, -3), (-3, 3), (3, 3))
"""Points of the target that are looked at: from the footprint's centre, in eighths of its side."""

POINTS = {1: BODY_POINTS[:1], 5: BODY_POINTS, 9: (*BODY_POINTS, (0, -3), (3, 0), (0, 3), (-3, 0))}
"""The choices: the centre alone; with the corners; with the middles of the sides, too."""

POINT_NAMES = {
    (0, 0): "centre",
    (-3, -3): "north-west",
    (3, -3): "north-east",
    (-3, 3): "south-west",
    (3, 3): "south-east",
    (0, -3): "north",
    (3, 0): "east",
    (0, 3): "south",
    (-3, 0): "west",
}

Hidden = Fraction | int
"""How much of one column is hidden, as a height."""


@dataclass(frozen=True, slots=True)
class _Question:
    """Seeing or shooting: what is hidden at each body point, in all and by each thing alone."""

    columns: Sequence[Sequence[Shadow]]
    hidden: Sequence[Hidden]
    by_thing: Mapping[Thing, Sequence[Hidden]]


def trace(
    battlefield: Battlefield,
    observer: Body,
    target: Body,
    obstacles: Collection[Body] = (),
    points: int = 5,
) -> Trace:
    """What the observer sees of the target, what a shot can reach, and what stands between.

    `clear` is the mutual answer, the same both ways; `visible` and `covered` are the observer's. Objects on own squares
    and barriers under a footprint are ignored, own ground is not. Feet stand on the highest ground of the footprint.
    The sentence names neither of the two; callers put the names before it.

    Args:
        battlefield: where.
        observer: who looks or shoots.
        target: at whom.
        obstacles: bodies of others, which hide and protect from feet to crown, but on squares of the observer or the
            target: so these two may be among them.
        points: how many points of the target's footprint are looked at: 1, 5 or 9.

    Raises:
        OffMap: a square of a footprint is outside.
        ValueError: there is no such choice of points.
    """
    if points not in POINTS:
        raise ValueError(f"{points} is not one of {', '.join(map(str, POINTS))} body points")
    observer_feet, feet = feet_of(battlefield, observer), feet_of(battlefield, target)
    eye, target_eye, crown = observer_feet + observer.eyes, feet + target.eyes, feet + max(target.height, 1)
    surroundings = Surroundings(battlefield, observer, target, min(eye, feet), obstacles)
    start, middle = _centre(observer), _centre(target)
    views = [
        View(line(start, Point(middle.x + x * target.size, middle.y + y * target.size)), eye, feet, crown, target_eye)
        for x, y in POINTS[points]
    ]
    columns = [shadows(view, surroundings) for view in views]
    seen = _question([[shadow for shadow in column if shadow.sight] for column in columns], views)
    shot = [[shadow for shadow in column if shadow.shots] for column in columns]
    reached = seen if all(map(_is_plain, columns)) else _question(shot, views)
    stops = [shadow for shadow in columns[0] if shadow.low < target_eye < shadow.high]
    blockers = [shadow for shadow in stops if shadow.sight]
    first = min(blockers, key=lambda shadow: (shadow.passage, shadow.thing.top, shadow.thing.place), default=None)
    smoke, smoke_squares = _smoke(battlefield, views[0], start, middle)
    sides = [_side(start, middle, point) for point in POINTS[points]]
    full, every = crown - feet, range(points)

    def half(side: str) -> Half | None:
        own = [number for number in every if sides[number] == side]
        if not own:
            return None
        return Half(
            visible=1 - _share(seen.hidden, own, full),
            covered=_share(reached.hidden, own, full),
            cover=_foremost(reached, views, own, middle),
        )

    answer = Trace(
        start=observer.at,
        end=target.at,
        visible=1 - _share(seen.hidden, every, full),
        covered=_share(reached.hidden, every, full),
        clear=not any(shadow.mutual for shadow in stops),
        first_blocker=blocker_at(first, views[0], _share(seen.by_thing[first.thing.whole], every, full))
        if first
        else None,
        cover=_foremost(reached, views, every, middle),
        points=tuple(
            BodyPoint(
                POINT_NAMES[point],
                sides[number],
                1 - _share(seen.hidden, (number,), full),
                _share(reached.hidden, (number,), full),
            )
            for number, point in enumerate(POINTS[points])
        ),
        left=half("left"),
        right=half("right"),
        crossings=tuple(crossings(battlefield, surroundings, views[0], stops)),
        smoke=smoke,
        smoke_squares=smoke_squares,
        light=LIGHTS[max(battlefield.light[battlefield.index(square)] for square in target.squares)],
        columns_apart=_apart(observer.at.column, observer.size, target.at.column, target.size),
        rows_apart=_apart(observer.at.row, observer.size, target.at.row, target.size),
        rise=feet - observer_feet,
        words="",
    )
    return replace(answer, words=sentence(battlefield, answer, _foremost(seen, views, every, middle)))


def _centre(body: Body) -> Point:
    half = body.size * EIGHTHS // 2
    return Point(body.at.column * EIGHTHS + half, body.at.row * EIGHTHS + half)


def _apart(start: int, start_size: int, end: int, end_size: int) -> int:
    """Steps between the nearest columns (or rows) of two footprints: 1 for neighbours, 0 where they overlap."""
    return max(0, end - (start + start_size - 1), start - (end + end_size - 1))


def _side(start: Point, middle: Point, point: tuple[int, int]) -> str:
    """On which hand of the observer a body point lies off the line to the centre; y grows to the south."""
    turn = (middle.x - start.x) * point[1] - (middle.y - start.y) * point[0]
    return "right" if turn > 0 else "left" if turn < 0 else ""


def _is_plain(column: Iterable[Shadow]) -> bool:
    """Whether what hides stops shots as well, and the other way round."""
    return all(shadow.sight and shadow.shots for shadow in column)


def _question(columns: Sequence[Sequence[Shadow]], views: Sequence[View]) -> _Question:
    by_thing: dict[Thing, list[list[Shadow]]] = {}
    for number, column in enumerate(columns):
        for shadow in column:
            own = by_thing.setdefault(shadow.thing.whole, [[] for _ in columns])
            own[number].append(shadow)
    return _Question(
        columns,
        [hidden_height(column, views[0]) for column in columns],
        {thing: [hidden_height(column, views[0]) for column in own] for thing, own in by_thing.items()},
    )


def _share(hidden: Sequence[Hidden], numbers: Sequence[int], full: int) -> Fraction:
    """The hidden share of some of the columns, 0 to 1."""
    return Fraction(sum(hidden[number] for number in numbers), len(numbers) * full)


def _foremost(question: _Question, views: Sequence[View], numbers: Sequence[int], middle: Point) -> Blocker | None:
    """The thing that alone accounts for the largest share of some columns; of equals the one nearest to the target."""
    heights = {thing: sum(hidden[number] for number in numbers) for thing, hidden in question.by_thing.items()}
    most = max(heights.values(), default=0)
    if not most:
        return None

    def rank(thing: Thing) -> tuple[int, bool, Place]:
        return -_remoteness(thing.place, middle), thing.name == GROUND, thing.place

    best = max((thing for thing, height in heights.items() if height == most), key=rank)
    share = Fraction(most, len(numbers) * (views[0].crown - views[0].feet))
    for number in numbers:
        for shadow in question.columns[number]:
            if shadow.thing.whole == best:
                return blocker_at(shadow, views[number], share)
    return None


def _remoteness(place: Place, middle: Point) -> int:
    """Squared distance from the middle of a square or edge, in eighths."""
    half = EIGHTHS // 2
    x, y = place.column * EIGHTHS + half, place.row * EIGHTHS + half
    if isinstance(place, Edge):
        x, y = (x - half, y) if place.side == "W" else (x, y - half)
    return int((x - middle.x) ** 2 + (y - middle.y) ** 2)


def _smoke(battlefield: Battlefield, view: View, start: Point, end: Point) -> tuple[Fraction, int]:
    """Length through smoke times its density, and the number of smoky squares, both over the ground.

    Along a grid line the thinner of both sides counts. Lengths are in squares: exact along rows, columns and wherever
    the root is a fraction; else at most 1e-10 of a square short.
    """
    thick, count = 0, 0
    for passage in view.line.passages:
        if passage.start < passage.end or not view.line.length:
            density = min(battlefield.smoke_at(square) for square in squares_of(passage))
            thick += density * (passage.end - passage.start)
            count += density > 0
    if not thick:
        return Fraction(0), count
    reach = root(Fraction((end.x - start.x) ** 2 + (end.y - start.y) ** 2))
    return reach * Fraction(thick, view.line.length * EIGHTHS), count
