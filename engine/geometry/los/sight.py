"""Sight and cover between two bodies, exactly: the one tracer that the board, the rules and the log all read.

A line runs from each of the observer's eyes to five points of the target's footprint (or one, or nine), and at each
point up the whole target, from feet to crown; the eye that sees most counts. What hides which part is decided in whole
numbers and fractions; nothing is sampled in height and nothing is rounded but the length of slanted smoke. Seeing and
shooting are two questions asked of the same lines. Whether an attack is possible is the same whoever asks; whoever may
attack sees the head at least.

A side view, the name of a blocker and the count of smoke all come from the `Trace`. Nothing here knows a ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import TypeVar

from engine.geometry.battlefield import LIGHTS, Battlefield
from engine.geometry.body import BODY_POINTS, Body
from engine.geometry.lines import EIGHTHS, Point, line
from engine.geometry.los.exposure import HiddenColumns
from engine.geometry.los.head import head_shown
from engine.geometry.los.lighting import lit
from engine.geometry.los.line_crossings import blocker_at, crossings, is_below_base, squares_of
from engine.geometry.los.own_lines import MUTUAL, SHOTS, SIGHT, OwnLines, eyes_meet
from engine.geometry.los.shadows import ShadowLine, shadows
from engine.geometry.los.sight_sentence import verdict_words
from engine.geometry.los.trace import EYE_NAMES, BodyPoint, Crossing, TargetHalf, Trace, VisibleParts
from engine.geometry.metric import root
from engine.geometry.obstacles import GROUND, outline
from engine.values import replace

POINTS = {1: BODY_POINTS[:1], 5: BODY_POINTS, 9: (*BODY_POINTS, (0, -3), (3, 0), (0, 3), (-3, 0))}
"""The choices of points looked at: the centre alone; with the corners; with the middles of the sides, too."""

Found = TypeVar("Found")


def trace(
    battlefield: Battlefield,
    observer: Body,
    target: Body,
    obstacles: Collection[Body] = (),
    points: int = 5,
) -> Trace:
    """What the observer sees of the target, what a shot can reach, and what stands between.

    `visible` and `covered` are the observer's; whether there is anything of them is the same both ways, but for what is
    seen through one way. Feet stand on the highest ground of the footprint. The sentence names neither of the two;
    callers put the names before it.

    Args:
        battlefield: where, and by which rules of sight.
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
    model, opacity = battlefield.sight, battlefield.smoke_opacity
    start, middle = Point(*observer.points[0]), Point(*target.points[0])
    ends = [Point(middle.x + x * target.size, middle.y + y * target.size) for x, y in POINTS[points]]
    anew = partial(OwnLines, battlefield, observer, target, obstacles, ends)
    own = anew()  # the answer does not keep it: hundreds of answers are kept, and it is twenty times their size
    head = Fraction(model.head, 100)

    @cache
    def back() -> OwnLines:
        return OwnLines(battlefield, target, observer, obstacles, [Point(*point) for point in observer.points])

    @cache
    def met() -> frozenset[str]:
        return eyes_meet(battlefield, observer, target, obstacles, (observer, target))

    @cache
    def unrisen() -> frozenset[str]:
        return eyes_meet(battlefield, observer, target, obstacles, ())

    def shown(share: Fraction, question: str) -> Fraction:
        """The own share, or the head of whoever may be attacked."""
        if share >= head:
            return share
        may = share > 0 or (model.mutual and not own.is_walled and (back().is_any(question) or question in met()))
        return head if may else share

    smoke, smoke_squares = _smoke(battlefield, start, middle)

    def through_smoke(share: Fraction) -> Fraction:
        return opacity.visible(share, lambda: smoke)

    sees, reaches = own.share(SIGHT), own.share(SHOTS)
    unhidden, reached = shown(sees, MUTUAL), shown(reaches, SHOTS)
    seen, protected = _hidden_parts(own)
    cover = protected.foremost(middle)
    hider = cover if protected is seen else seen.foremost(middle)
    number, most = own.best(SIGHT)
    if most - own.from_middle < Fraction(model.least, 100):
        number = 0
    views, columns = own.from_eye(number)
    target_eye = own.heights[3]
    blockers = [shadow for shadow in columns[0] if shadow.sight and shadow.low < target_eye < shadow.high]
    first = min(blockers, key=lambda shadow: (shadow.passage, shadow.thing.top, shadow.thing.place), default=None)
    if first and is_below_base(battlefield, first, views[0]):
        whole = shadows(views[0], own.surroundings)
        first = next((one for one in whole if one.thing.name == GROUND and one.low < target_eye < one.high), first)
    visible = through_smoke(unhidden)
    levels = lit(battlefield)
    answer = Trace(
        start=observer.at,
        end=target.at,
        visible=visible,
        covered=1 - reached,
        eye=EYE_NAMES[BODY_POINTS[number]],
        shows_head=unhidden > sees,
        is_one_way=sees > 0 and not own.is_alike and not (own.is_any(MUTUAL) or back().is_any(SIGHT)),
        eyes_meet=lambda: opacity.clear(MUTUAL in unrisen(), lambda: smoke),
        first_blocker=blocker_at(first, views[0], seen.share_of(first.thing)) if first else None,
        cover=cover if reached < 1 else None,
        look=_memoised(lambda: _body_visibility(start, middle, POINTS[points], *_hidden_parts(anew()), through_smoke)),
        tell=_memoised(lambda: _crossings(battlefield, anew(), number, middle)),
        smoke=smoke,
        smoke_squares=smoke_squares,
        ends_in_smoke=unhidden > visible == 0,
        light=LIGHTS[max(levels[battlefield.index(square)] for square in target.squares)],
        columns_apart=_steps_between(observer.at.column, observer.size, target.at.column, target.size),
        rows_apart=_steps_between(observer.at.row, observer.size, target.at.row, target.size),
        rise=own.heights[1] + observer.eyes - own.heights[0],
        verdict="",
    )
    head_words = head_shown(battlefield, observer, target, obstacles, own, back()) if answer.shows_head else None
    return replace(answer, verdict=verdict_words(battlefield, answer, hider, (observer, target), head_words))


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
                EYE_NAMES[point],
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


def _hidden_parts(own: OwnLines) -> tuple[HiddenColumns, HiddenColumns]:
    """What is hidden, and what is protected, from the eyes that see most and reach most."""
    seen = own.hidden(SIGHT)
    own.best(SHOTS)  # which looks from as many eyes as it takes
    return seen, seen if own.is_alike else own.hidden(SHOTS)


def _crossings(battlefield: Battlefield, own: OwnLines, eye: int, middle: Point) -> tuple[Crossing, ...]:
    """What the line from an eye, by its number, to the target's eye passes."""
    view = ShadowLine(line(own.eyes[eye], middle), *own.heights)
    stops = [shadow for shadow in shadows(view, own.surroundings) if shadow.low < view.target_eye < shadow.high]
    return tuple(crossings(battlefield, own.surroundings, view, stops))


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
    smoke, columns, found = battlefield.smoke, battlefield.columns, line(start, end)
    for passage in found.passages:
        if passage.start < passage.end or not found.length:
            density = min([smoke[square.row * columns + square.column] for square in squares_of(passage)])
            thick += density * (passage.end - passage.start)
            count += density > 0
    if not thick:
        return Fraction(0), count
    reach = root(Fraction((end.x - start.x) ** 2 + (end.y - start.y) ** 2))
    return reach * Fraction(thick, found.length * EIGHTHS), count
