"""Own lines: from the eyes of one body to the points of another, past its own ground and its own low things.

One eye at a time: the own share is that of the eye which sees most. Exact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import BODY_POINTS, Body
from engine.geometry.lines import Line, Marks, Point, is_past_all, line
from engine.geometry.los.exposure import HiddenColumns, hidden
from engine.geometry.los.shadows import Shadow, ShadowLine, hidden_height, shadows
from engine.geometry.obstacles import Surroundings, feet_of

NOWHERE = Line(0, ())
"""In place of a line on which nothing is looked for."""

Columns = Sequence[Sequence[Shadow]]
"""What hides or protects, for each point of the target."""

SIGHT, MUTUAL, SHOTS = "sight", "mutual", "shots"
"""The questions, by the field of `Shadow` that answers them. MUTUAL: what is seen through one way alone hides."""


class OwnLines:
    """Lines from each eye of an observer to each point of a target, worked out eye by eye."""

    def __init__(
        self,
        battlefield: Battlefield,
        observer: Body,
        target: Body,
        obstacles: Collection[Body],
        points: Sequence[Point],
    ) -> None:
        eye, feet = (feet_of(battlefield, one) + up for one, up in ((observer, observer.eyes), (target, 0)))
        self.eyes = [Point(*point) for point in observer.eye_points]
        self.ends = points
        self.heights = (eye, feet, feet + max(target.height, 1), feet + target.eyes)
        self.surroundings = Surroundings(battlefield, observer, target, min(eye, feet), obstacles)
        self._least = Fraction(battlefield.sight.least, 100)
        self._margin = 3 * max(observer.size, target.size)
        self._found: list[tuple[Sequence[ShadowLine], Columns]] = []
        self._best: dict[str, tuple[int, Fraction]] = {}
        self._shares: dict[tuple[int, str], Fraction] = {}

    @cached_property
    def _marks(self) -> Marks:
        return self.surroundings.marks(self.heights[1])

    @cached_property
    def is_open(self) -> bool:
        """Whether it is soon told that nothing is near any of the lines."""
        return is_past_all(self.eyes[0], self.ends[0], self._marks, self._margin)

    def from_eye(self, number: int) -> tuple[Sequence[ShadowLine], Columns]:
        """The lines from one eye, and what is in their way up to the first wall. Eyes are asked in turn."""
        if number == len(self._found):
            views = [ShadowLine(NOWHERE, *self.heights)] * len(self.ends)
            columns: Columns = [()] * len(self.ends)
            if not self.is_open:
                start = self.eyes[number]
                views = [ShadowLine(line(start, end, self._marks), *self.heights) for end in self.ends]
                columns = [shadows(view, self.surroundings, up_to_wall=True) for view in views]
            self._found.append((views, columns))
        return self._found[number]

    @cached_property
    def is_walled(self) -> bool:
        """Whether something ends all lines from every point to every point, so that nothing passes back, either."""
        eyes = range(len(BODY_POINTS))
        return len(self.eyes) == len(eyes) <= len(self.ends) and all(
            any(self._ends(view, shadow) for shadow in column)
            for number in eyes
            for view, column in zip(*self.from_eye(number), strict=True)
        )

    def _ends(self, view: ShadowLine, shadow: Shadow) -> bool:
        passage = view.line.passages[shadow.passage]
        return shadow.is_wall or self.surroundings.is_above(shadow.thing, view.line, passage)

    @property
    def is_alike(self) -> bool:
        """Whether the same hides and protects, and the same both ways, as far as was looked."""
        return all(map(self._is_alike, range(len(self._found))))

    def _is_alike(self, number: int) -> bool:
        return all(
            shadow.sight == shadow.mutual == shadow.shots for column in self.from_eye(number)[1] for shadow in column
        )

    def _share(self, question: str, number: int) -> Fraction:
        """What one eye sees: worked out once where the questions have the same answer."""
        key = number, question
        if key not in self._shares:
            views, columns = self.from_eye(number)
            is_alike = self._is_alike(number)
            total = sum(hidden_height(column if is_alike else _those(column, question), views[0]) for column in columns)
            share = 1 - Fraction(total, len(columns) * (self.heights[2] - self.heights[1]))
            self._shares |= dict.fromkeys(
                ((number, SIGHT), (number, MUTUAL), (number, SHOTS)) if is_alike else (key,), share
            )
        return self._shares[key]

    @cached_property
    def from_middle(self) -> Fraction:
        """What the eye in the middle sees."""
        return self._share(SIGHT, 0)

    def best(self, question: str) -> tuple[int, Fraction]:
        """The number of the eye that sees most, the first of equals, and its share from 0 to 1."""
        if question not in self._best:
            best = (0, self._share(question, 0))
            for number in range(1, len(self.eyes)):
                if best[1] == 1:
                    break
                share = self._share(question, number)
                if share > best[1]:
                    best = (number, share)
            self._best[question] = best
        return self._best[question]

    def share(self, question: str) -> Fraction:
        """The own share: nothing where that is less than the least."""
        share = self.best(question)[1]
        return share if share >= self._least else Fraction(0)

    def is_any(self, question: str) -> bool:
        """Whether there is an own share."""
        if question in self._best:
            return self.share(question) > 0
        return any(0 < self._share(question, number) >= self._least for number in range(len(self.eyes)))

    def sees_enough(self, question: str, number: int) -> bool:
        """Whether one eye alone sees something."""
        return 0 < self._share(question, number) >= self._least

    def hidden(self, question: str) -> HiddenColumns:
        """What is hidden from the eye that sees most."""
        views, columns = self.from_eye(self.best(question)[0])
        if any(column and column[-1].is_wall for column in columns):  # what is behind the walls may cover more of it
            columns = [shadows(view, self.surroundings) for view in views]
        return hidden(views, [_those(column, question) for column in columns])


def eyes_meet(
    battlefield: Battlefield, one: Body, other: Body, obstacles: Collection[Body], risen: Sequence[Body]
) -> frozenset[str]:
    """For which questions some line from an eye of the one to an eye of the other is free.

    Args:
        risen: whose own ground and own low things are out of the way. Of those who have not risen the middle looks.
    """
    left = {MUTUAL, SHOTS}
    for _, _, stops in _eye_lines(battlefield, one, other, obstacles, risen):
        left = {question for question in left if _those(stops, question)}
        if not left:
            break
    return frozenset((MUTUAL, SHOTS)) - left


def free_lines(
    battlefield: Battlefield, one: Body, other: Body, obstacles: Collection[Body], risen: Sequence[Body], question: str
) -> Iterator[tuple[Point, Point]]:
    """The lines from an eye of the one to an eye of the other that are free; arguments as for `eyes_meet`."""
    for start, end, stops in _eye_lines(battlefield, one, other, obstacles, risen):
        if not _those(stops, question):
            yield start, end


def _eye_lines(
    battlefield: Battlefield, one: Body, other: Body, obstacles: Collection[Body], risen: Sequence[Body]
) -> Iterator[tuple[Point, Point, Sequence[Shadow]]]:
    """Each line from eye to eye, with what stops it there."""
    height, other_height = (feet_of(battlefield, body) + body.eyes for body in (one, other))
    near = Surroundings(battlefield, one, other, min(height, other_height) - 1, obstacles, risen)
    marks, heights = near.marks(other_height - 1), (height, other_height - 1, other_height + 1, other_height)
    starts, ends = ([Point(*point) for point in body.eye_points[: None if risen else 1]] for body in (one, other))
    for start in starts:
        for end in ends:
            found = shadows(ShadowLine(line(start, end, marks), *heights), near, up_to_wall=True)
            yield start, end, [shadow for shadow in found if shadow.low < other_height < shadow.high]


def _those(column: Sequence[Shadow], question: str) -> Sequence[Shadow]:
    return [shadow for shadow in column if getattr(shadow, question)]
