"""Why somebody shows its head: what it looks over, where it leans out, or that both rise. For the sentence alone.

It decides nothing: that a head shows is known already. Only what belongs to one of the two is named.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import BODY_POINTS, Body
from engine.geometry.lines import Line, Place, Point, line
from engine.geometry.los.exposure import HiddenColumns, hidden
from engine.geometry.los.own_lines import MUTUAL, OwnLines, free_lines
from engine.geometry.los.shadows import Shadow, ShadowLine, shadows
from engine.geometry.los.trace import Blocker
from engine.geometry.obstacles import GROUND, Surroundings, Thing
from engine.geometry.squares import Edge, Square


class HeadShown(Struct, frozen=True):
    """How it comes that a head shows."""

    how: Literal["seen", "looks", "rise"]
    """It is a part of what the observer's own eye sees; the target looks at the observer; or both rise, or lean out."""
    things: tuple[Blocker, ...] = ()
    """Own low things, or own ground at an edge, over which the target, or both, look: the observer's first."""
    eye: tuple[int, int] = (0, 0)
    """Where on its footprint the target's eye is, if it looks: as `BODY_POINTS`."""


def head_shown(
    battlefield: Battlefield, observer: Body, target: Body, obstacles: Collection[Body], own: OwnLines, back: OwnLines
) -> HeadShown:
    """Why the observer sees the target's head, where it does.

    Args:
        battlefield: where.
        observer, target: the two.
        obstacles: bodies of others.
        own: the lines from the observer to the target.
        back: the lines from the target to the observer.
    """
    if own.is_any(MUTUAL):
        return HeadShown("seen")
    if back.is_any(MUTUAL):
        number = 0 if back.sees_enough(MUTUAL, 0) else back.best(MUTUAL)[0]
        lines = [line(back.eyes[number], end) for end in back.ends]
        found = _left_out(battlefield, target, observer, obstacles, lines, back.heights, (target,))
        return HeadShown("looks", tuple(filter(None, (found(target),))), BODY_POINTS[number])
    risen, heights = (observer, target), (own.heights[0], own.heights[3] - 1, own.heights[3] + 1, own.heights[3])
    met = next(free_lines(battlefield, observer, target, obstacles, risen, MUTUAL), None)
    if met is None:
        return HeadShown("rise")
    found = _left_out(battlefield, observer, target, obstacles, [line(*met)], heights, risen)
    return HeadShown("rise", tuple(filter(None, (found(observer), found(target)))))


class _LeftOut:
    """What would be in the way of lines, did those who have risen not look over it."""

    def __init__(self, views: Sequence[ShadowLine], columns: Sequence[Sequence[Shadow]]) -> None:
        self.views, self.columns = views, columns

    def __call__(self, body: Body) -> Blocker | None:
        """The thing of a body that hides most; its ground only where there is no other. None for none."""
        middle = Point(*body.points[0])
        for is_ground in (False, True):
            columns = [
                [one for one in column if (one.thing.name == GROUND) == is_ground and belongs(one.thing, body)]
                for column in self.columns
            ]
            found: HiddenColumns = hidden(self.views, columns)
            if best := found.foremost(middle):
                return best
        return None


def _left_out(
    battlefield: Battlefield,
    looker: Body,
    other: Body,
    obstacles: Collection[Body],
    lines: Sequence[Line],
    heights: tuple[int, int, int, int],
    risen: Sequence[Body],
) -> _LeftOut:
    floor = min(heights[0], heights[1]) - 1
    near = Surroundings(battlefield, looker, other, floor, obstacles, risen)
    plain = Surroundings(battlefield, looker, other, floor, obstacles, ())
    plain.hides_own_soft = near.hides_own_soft
    views = [ShadowLine(one, *heights) for one in lines]
    columns = [
        [one for one in shadows(view, plain) if one.mutual and _is_left_out(one.thing, near[one.thing.place])]
        for view in views
    ]
    return _LeftOut(views, columns)


def _is_left_out(thing: Thing, near: Sequence[Thing]) -> bool:
    """Whether a thing, or one of its parts, is not there for those who have risen."""
    return not any(other.name == thing.name and set(thing.solids) <= set(other.solids) for other in near)


def belongs(thing: Thing, body: Body) -> bool:
    """Whether a thing touches a body, so that it may be its own; ground only below it."""
    place: Place = thing.place
    if thing.body is not None:
        return thing.body.is_next_to(body)
    if isinstance(place, Edge):
        return body.touches_edge(place)
    return place in body.squares if thing.name == GROUND else body.touches(Square(*place))
