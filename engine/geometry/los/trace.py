"""Trace: result of one line of sight, the evidence for every panel, sentence and rule. `sight.trace` makes it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter

from msgspec import Struct

from engine.geometry.battlefield import Height
from engine.geometry.squares import Edge, Square
from engine.text import upper_first

MIDDLE = "centre"
"""The eye of somebody who does not lean."""

EYE_NAMES = {
    (0, 0): MIDDLE,
    (-3, -3): "north-west",
    (3, -3): "north-east",
    (-3, 3): "south-west",
    (3, 3): "south-east",
    (0, -3): "north",
    (3, 0): "east",
    (0, 3): "south",
    (-3, 0): "west",
}
"""The points of a body, from its middle in eighths of its side: its eyes are at the first five."""


class Crossing(Struct, frozen=True):
    """One square or edge that the line from eye to eye passes, or somebody on it, in order from the observer.

    `start` and `end` are shares of the way (0 at the observer, 1 at the target; equal on an edge); `line_start` and
    `line_end` the line's heights there, `bottom` and `top` what stands there, all as heights above the map's zero.
    """

    square: Square
    edge: Edge | None
    name: str
    start: Fraction
    end: Fraction
    line_start: Fraction
    line_end: Fraction
    bottom: Height
    top: Height
    blocks_sight: bool
    stops_shots: bool
    """Whether it does block or stop this very line; a low crate under the line does neither."""
    smoke: int = 0
    is_body: bool = False
    """Whether it is somebody who stands on the square; the square itself stands just before."""


class Blocker(Struct, frozen=True):
    """An obstacle and its place: the first one that the line meets, or the one that covers most of a body."""

    name: str
    square: Square
    edge: Edge | None
    line_height: Fraction
    """Height of the line above the map's zero where it meets the thing."""
    top: Height
    cover: str
    """Its protection as the map states it: "", "light", "medium" or "heavy"."""
    share: Fraction
    """Share of the target's body that this thing alone hides (first blocker) or protects (cover)."""

    is_body: bool = False
    """Whether it is somebody, whose name needs no article."""

    @property
    def place(self) -> str:
        """Its place as a sentence says it: the name of the edge, else of the square."""
        return self.edge.name if self.edge else self.square.name

    @property
    def phrase(self) -> str:
        """As a sentence says it: "the cart at D5", "Todd at D5"."""
        return f"{self.name} at {self.place}" if self.is_body else f"the {self.name} at {self.place}"


class BodyPoint(Struct, frozen=True):
    """One upright line of the target's body that was looked at, and how much of it shows."""

    name: str
    """Where on the footprint: "centre", "north-west" …"""
    side: str
    """As the observer sees it: "left", "right", or "" in the middle."""
    visible: Fraction
    covered: Fraction
    behind: Blocker | None = None
    """The thing that protects most of it, else the one that hides most; None where nothing does."""


class TargetHalf(Struct, frozen=True):
    """The left or the right half of the target as the observer sees it: all body points on that side."""

    visible: Fraction
    covered: Fraction
    cover: Blocker | None
    """The thing that protects most of this half."""


class VisibleParts(Struct, frozen=True):
    """What an observer sees of each part of a target."""

    points: tuple[BodyPoint, ...]
    left: TargetHalf | None
    right: TargetHalf | None


class Trace(Struct, frozen=True):
    """The whole answer for one observer and one target. Shares are exact, from 0 to 1."""

    start: Square
    end: Square
    visible: Fraction
    """Share of the target's body that the observer sees, through smoke too."""
    covered: Fraction
    """Share of the target's body that a shot cannot reach."""
    eye: str
    """The eye from which the line is drawn: "centre", or where on the footprint: "north-east", where leaning shows
    more than is too little to be seen."""
    shows_head: bool
    """Whether more is visible than what the eye that sees most sees: the head, as the target could attack or be
    attacked."""
    is_one_way: bool
    """Whether the target is seen through one way alone, and does not see the observer."""
    eyes_meet: Callable[[], bool]
    """Works out `clear`."""
    first_blocker: Blocker | None
    """First thing that hides the target's eye from the observer's; None when nothing does."""
    cover: Blocker | None
    """The thing that protects most of the target; None when nothing does."""
    look: Callable[[], VisibleParts]
    """Works out `points`, `left` and `right` when they are first asked for: rules never do, and they are much work."""
    tell: Callable[[], tuple[Crossing, ...]]
    """The same for `crossings`."""
    smoke: Fraction
    """Length through smoke times its density, in squares."""
    smoke_squares: int
    """Number of squares with smoke on the line, the ends included."""
    ends_in_smoke: bool
    """Whether smoke alone hides all that would be seen in clear air."""
    light: str
    """Light where the target stands: "dark", "dim" or "bright"."""
    columns_apart: int
    rows_apart: int
    """Squares between the nearest squares of the two footprints, by column and by row."""
    rise: Height
    """Target's feet above the observer's feet."""
    verdict: str
    """The verdict, the place and the heights, as a part of a sentence: no capital at its start, no stop."""

    def __eq__(self, other: object) -> bool:
        """Whether two traces have equal results; the functions for details are not compared."""
        return _ANSWER(self) == _ANSWER(other) if isinstance(other, Trace) else NotImplemented

    def __hash__(self) -> int:
        return hash(_ANSWER(self))

    @property
    def points(self) -> tuple[BodyPoint, ...]:
        """Sampled body points, the centre first."""
        return self.look().points

    @property
    def left(self) -> TargetHalf | None:
        """The target's left half as the observer sees it; None where no body point lies on that side."""
        return self.look().left

    @property
    def right(self) -> TargetHalf | None:
        """The target's right half as the observer sees it; None where no body point lies on that side."""
        return self.look().right

    @property
    def clear(self) -> bool:
        """Whether the line from middle to middle is free at the height of the eyes; symmetric. What is seen through one
        way alone counts as hiding. So lamps shine and squares are seen; who attacks whom does not depend on it."""
        return self.eyes_meet()

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """What the line from eye to eye passes, in order."""
        return self.tell()

    @property
    def words(self) -> str:
        """The verdict as a sentence."""
        return f"{upper_first(self.verdict)}."

    @property
    def can_see(self) -> bool:
        """Whether the observer sees any part of the target."""
        return self.visible > 0

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares on the line in order, both ends included."""
        return tuple(dict.fromkeys(crossing.square for crossing in self.crossings))


_ANSWER = attrgetter(*(name for name in Trace.__struct_fields__ if name not in ("look", "tell", "eyes_meet")))
