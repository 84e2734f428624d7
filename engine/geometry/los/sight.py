"""Sight and cover between two bodies, exactly: the one tracer that the board, the rules and the log all read.

A line runs from the observer's eye to five points of the target's footprint (or one, or nine), and at each point up
the whole target, from feet to crown. What hides which part of it is decided in whole numbers and fractions; nothing is
sampled in height and nothing is rounded but the length of slanted smoke. Seeing and shooting are two questions asked of
the same lines.

A side view, the name of a blocker and the count of smoke all come from the `Trace`. Nothing here knows a ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import TypeVar

from engine.geometry.battlefield import LIGHTS, Battlefield
from engine.geometry.body import Body
from engine.geometry.lines import EIGHTHS, Line, Point, is_past_all, line
from engine.geometry.los.exposure import HiddenColumns, hidden
from engine.geometry.los.line_crossings import blocker_at, crossings, squares_of
from engine.geometry.los.shadows import Shadow, ShadowLine, shadows
from engine.geometry.los.sight_sentence import sentence
from engine.geometry.los.trace import BodyPoint, Crossing, TargetHalf, Trace, VisibleParts
from engine.geometry.metric import root
from engine.geometry.obstacles import Surroundings, feet_of, outline
from engine.geometry.visibility.lighting import lit
from engine.values import replace

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


BEYOND = 3
"""Eighths of its side that a target's points are off its centre at most."""

NOWHERE = Line(0, ())
"""In place of a line on which nothing is looked for."""

Found = TypeVar("Found")


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
    start, middle = _centre(observer), _centre(target)
    heights = (eye, feet, crown, target_eye)

    def surroundings() -> Surroundings:
        return Surroundings(battlefield, observer, target, min(eye, feet), obstacles)

    near = surroundings()
    marks = near.marks()
    columns: list[list[Shadow]]
    if is_past_all(start, middle, marks, BEYOND * target.size):
        views = [ShadowLine(NOWHERE, *heights)] * points
        columns = [[]] * points
    else:
        ends = [Point(middle.x + x * target.size, middle.y + y * target.size) for x, y in POINTS[points]]
        views = [ShadowLine(line(start, end, marks), *heights) for end in ends]
        columns = [shadows(view, near) for view in views]
    hiding = [[shadow for shadow in column if shadow.sight] for column in columns]
    protecting = [[shadow for shadow in column if shadow.shots] for column in columns]
    seen = hidden(views, hiding)
    reached = seen if protecting == hiding else hidden(views, protecting)
    cover = reached.foremost(middle)
    hider = cover if reached is seen else seen.foremost(middle)
    stops = [shadow for shadow in columns[0] if shadow.low < target_eye < shadow.high]
    blockers = [shadow for shadow in stops if shadow.sight]
    first = min(blockers, key=lambda shadow: (shadow.passage, shadow.thing.top, shadow.thing.place), default=None)
    smoke, smoke_squares = _smoke(battlefield, start, middle)
    opacity, unhidden = battlefield.smoke_opacity, 1 - seen.share()

    def through_smoke(share: Fraction) -> Fraction:
        return opacity.visible(share, lambda: smoke)

    visible = through_smoke(unhidden)
    levels = lit(battlefield)
    answer = Trace(
        start=observer.at,
        end=target.at,
        visible=visible,
        covered=reached.share(),
        clear=opacity.clear(not any(shadow.mutual for shadow in stops), lambda: smoke),
        first_blocker=blocker_at(first, views[0], seen.share_of(first.thing)) if first else None,
        cover=cover,
        look=_memoised(lambda: _body_visibility(start, middle, POINTS[points], seen, reached, through_smoke)),
        tell=_memoised(lambda: _crossings(battlefield, surroundings(), ShadowLine(line(start, middle), *heights))),
        smoke=smoke,
        smoke_squares=smoke_squares,
        ends_in_smoke=unhidden > visible == 0,
        light=LIGHTS[max(levels[battlefield.index(square)] for square in target.squares)],
        columns_apart=_steps_between(observer.at.column, observer.size, target.at.column, target.size),
        rows_apart=_steps_between(observer.at.row, observer.size, target.at.row, target.size),
        rise=feet - observer_feet,
        words="",
    )
    return replace(answer, words=sentence(battlefield, answer, hider))


def _memoised(find: Callable[[], Found]) -> Callable[[], Found]:
    """The same, worked out once; cheaper to make than `functools.cache` of it, and every line has two."""
    found: list[Found] = []

    def kept() -> Found:
        if not found:
            found.append(find())
        return found[0]

    return kept


def _body_visibility(
    start: Point,
    middle: Point,
    points: Sequence[tuple[int, int]],
    seen: HiddenColumns,
    reached: HiddenColumns,
    through_smoke: Callable[[Fraction], Fraction],
) -> VisibleParts:
    """What is seen and covered of each body point, and of the halves that they make up."""
    sides = [_side(start, middle, point) for point in points]

    def half(name: str) -> TargetHalf | None:
        """What is seen and covered of the body points on one side; None for no points."""
        numbers = [number for number, side in enumerate(sides) if side == name]
        if not numbers:
            return None
        visible = through_smoke(1 - seen.share(numbers))
        return TargetHalf(visible, reached.share(numbers), reached.foremost(middle, numbers))

    return VisibleParts(
        tuple(
            BodyPoint(
                POINT_NAMES[point],
                sides[number],
                through_smoke(1 - seen.share([number])),
                reached.share([number]),
                reached.foremost(middle, [number]) or (None if seen is reached else seen.foremost(middle, [number])),
            )
            for number, point in enumerate(points)
        ),
        half("left"),
        half("right"),
    )


def _crossings(battlefield: Battlefield, surroundings: Surroundings, view: ShadowLine) -> tuple[Crossing, ...]:
    """What the line from eye to eye passes."""
    stops = [shadow for shadow in shadows(view, surroundings) if shadow.low < view.target_eye < shadow.high]
    return tuple(crossings(battlefield, surroundings, view, stops))


def _centre(body: Body) -> Point:
    half = body.size * EIGHTHS // 2
    return Point(body.at.column * EIGHTHS + half, body.at.row * EIGHTHS + half)


def _steps_between(start: int, start_size: int, end: int, end_size: int) -> int:
    """Steps between the nearest columns (or rows) of two footprints: 1 for neighbours, 0 where they overlap."""
    return max(0, end - (start + start_size - 1), start - (end + end_size - 1))


def _side(start: Point, middle: Point, point: tuple[int, int]) -> str:
    """On which hand of the observer a body point lies off the line to the centre; y grows to the south."""
    turn = (middle.x - start.x) * point[1] - (middle.y - start.y) * point[0]
    return "right" if turn > 0 else "left" if turn < 0 else ""


def _smoke(battlefield: Battlefield, start: Point, end: Point) -> tuple[Fraction, int]:
    """Length through smoke times its density, and the number of smoky squares, both over the ground.

    Along a grid line the thinner of both sides counts. Lengths are in squares: exact along rows, columns and wherever
    the root is a fraction; else at most 1e-10 of a square short.
    """
    if not outline(battlefield).has_smoke:
        return Fraction(0), 0
    thick, count = 0, 0
    smoke, columns, way = battlefield.smoke, battlefield.columns, line(start, end)
    for passage in way.passages:
        if passage.start < passage.end or not way.length:
            density = min([smoke[square.row * columns + square.column] for square in squares_of(passage)])
            thick += density * (passage.end - passage.start)
            count += density > 0
    if not thick:
        return Fraction(0), count
    reach = root(Fraction((end.x - start.x) ** 2 + (end.y - start.y) ** 2))
    return reach * Fraction(thick, way.length * EIGHTHS), count
