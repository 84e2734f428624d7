"""How much of a body is hidden at its body points, in all and by which thing. Exact; one question, sight or shots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.geometry.lines import EIGHTHS, Place, Point
from engine.geometry.los.line_crossings import blocker_at
from engine.geometry.los.shadows import Shadow, ShadowLine, hidden_height
from engine.geometry.los.trace import Blocker
from engine.geometry.obstacles import GROUND, Thing
from engine.geometry.squares import Edge


class HiddenColumns(Struct, frozen=True):
    """What hides a body from sight, or from shots, in one column for each of its points."""

    views: Sequence[ShadowLine]
    columns: Sequence[Sequence[Shadow]]
    heights: Sequence[Fraction | int]
    """How much of each column is hidden."""
    by_thing: Mapping[Thing, Sequence[Fraction | int]]
    """The same, by each thing alone."""

    def share(self, numbers: Sequence[int] | None = None) -> Fraction:
        """The hidden share of some columns, given by their numbers, or of all with None: 0 to 1, exact."""
        return self._share(self.heights, numbers)

    def share_of(self, thing: Thing) -> Fraction:
        """The share of the body that one thing hides by itself: 0 to 1, exact."""
        own = self.by_thing.get(thing.whole)
        return Fraction(0) if own is None else self._share(own, None)

    def foremost(self, middle: Point, numbers: Sequence[int] | None = None) -> Blocker | None:
        """The thing that alone hides most of some columns; of equals the one nearest to the middle.

        Args:
            middle: of the target, in eighths of a square.
            numbers: of the columns; None for all.

        Returns:
            The thing with the share of these columns that it hides; None where nothing hides any.
        """
        if numbers is None:
            numbers = range(len(self.columns))
        by_thing = {thing: sum(own[number] for number in numbers) for thing, own in self.by_thing.items()}
        most = max(by_thing.values(), default=0)
        if not most:
            return None

        def rank(thing: Thing) -> tuple[int, bool, Place]:
            return -_remoteness(thing.place, middle), thing.name == GROUND, thing.place

        best = max((thing for thing, height in by_thing.items() if height == most), key=rank)
        share = self._share(self.by_thing[best], numbers)
        return next(
            blocker_at(shadow, self.views[number], share)
            for number in numbers
            for shadow in self.columns[number]
            if shadow.thing.whole == best
        )

    def _share(self, heights: Sequence[Fraction | int], numbers: Sequence[int] | None) -> Fraction:
        some = heights if numbers is None else [heights[number] for number in numbers]
        return Fraction(sum(some), len(some) * (self.views[0].crown - self.views[0].feet))


def hidden(views: Sequence[ShadowLine], columns: Sequence[Sequence[Shadow]]) -> HiddenColumns:
    """What shadows hide of a body.

    Args:
        views: one line for each point of the body.
        columns: the shadows on each of these lines, in the same order.
    """
    by_thing: dict[Thing, list[list[Shadow]]] = {}
    for number, column in enumerate(columns):
        for shadow in column:
            by_thing.setdefault(shadow.thing.whole, [[] for _ in columns])[number].append(shadow)
    return HiddenColumns(
        views,
        columns,
        [hidden_height(column, views[0]) for column in columns],
        {thing: [hidden_height(column, views[0]) for column in own] for thing, own in by_thing.items()},
    )


def _remoteness(place: Place, middle: Point) -> int:
    """Squared distance from the middle of a square or edge, in eighths."""
    half = EIGHTHS // 2
    x, y = place.column * EIGHTHS + half, place.row * EIGHTHS + half
    if isinstance(place, Edge):
        x, y = (x - half, y) if place.side == "W" else (x, y - half)
    return int((x - middle.x) ** 2 + (y - middle.y) ** 2)
