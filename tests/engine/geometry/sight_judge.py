"""An independent judge of sight and cover: the whole model in exact fractions, one pair at a time.

Written from the model alone, clause by clause; it shares no code with the engine but the values that it is asked about
(`Battlefield`, `Body`, `Square`, `Edge`). Slow and plain on purpose.

What the model takes over from the page "Sight explained" (docs/geometry.md), and how it is read here:

* A line runs from an eye to a point and, there, up the body from feet to crown (an *upright*); a part of it is hidden
  where the straight line to that height passes strictly through the inside of a solid. To touch a side, a top, a bottom
  or a corner is to pass. *Own share* is the mean of the uprights' free parts.
* Everything on a square fills the whole square, from below up to its top; ground fills it up to its elevation.
* A line through a corner of four squares, or along a grid line, is stopped at a height only if both of its sides are:
  on each side count the squares that it does not run through and, at a corner, the edges that end there off the line.
  Along a grid line each stretch between two corners is judged by itself, and the stretches of the two sides may be hit
  at different places.
* A line of no length on the map (one straight above the other) meets nothing. The place where a line begins or ends is
  not crossed.
* A thin thing is measured from the higher ground of its two squares; one that begins at the ground fills everything
  below, too. Open and broken doors are nothing. What stands inside a footprint counts for nobody's line to or from it.
* Feet stand on the highest ground of the footprint, altitude added. A body is at least one hundredth tall.
* Smoke is measured from middle to middle, along a grid line by the thinner side; more than the battlefield's
  `smoke_opacity.ends_sight` ends sight. Its length is compared exactly here (the engine allows 1e-9 of a square).

Where the model leaves room, this reading is taken:

* Clause 1 (own ground) has no key: it holds for everybody, leaning or not.
* A body in the way is one thing: it touches when one of its squares does.
* A soft thing on a viewer's own square begins at its ground, which is out of the viewer's way; elsewhere the ground
  below it is solid anyway.
* What is seen through one way counts for the looker: own share, "may attack" and the head. It counts for nothing of
  what the other may do. For shots there is no such thing.
* `mutual` off: who sees by an own share sees, and nobody else. `bodies = None`: no bodies are in the way.
* Both questions are asked apart; so is "may attack". `may_see` and `may_shoot` are its two answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from engine.geometry.battlefield import SKY, Barrier, Battlefield
from engine.geometry.body import Body, body
from engine.geometry.squares import Edge, Square

POINTS = ((0, 0), (-3, -3), (3, -3), (-3, 3), (3, 3))
"""Eyes and points of a body, in their order: from the middle of its footprint, in eighths of its side."""

BELOW = -SKY
"""The bottom of what stands on the ground."""

SEEN, CLOSED, SHOTS = range(3)
"""Three questions: sight as the looker has it; sight with one-way glass closed both ways; shots."""

ENDLESS = Fraction(10 * SKY)

Place = tuple[int, int, str]
"""Column, row and "" for a square, "W" or "N" for the edge on that side of it."""


class SightKeys(NamedTuple):
    """The keys of `[sight]`, as the model has them by default. `own_ground` is no key: False is the model before."""

    lean: bool = True
    own_cover: str = "rise"
    soft: bool = True
    bodies: int | None = 2
    head: int = 10
    least: int = 5
    mutual: bool = True
    own_ground: bool = True


DEFAULT = SightKeys()
BEFORE = SightKeys(
    lean=False, own_cover="off", soft=False, bodies=None, head=0, least=0, mutual=False, own_ground=False
)
"""The model before this one."""


class Viewer(NamedTuple):
    """One of two bodies: where it looks over near things from, and what it does unlike the others."""

    body: Body
    reach: int
    """Above its feet, in hundredths: the standing eye of who stands or kneels, the own eye of who is prone."""
    lean: bool | None = None
    """None: as the keys have it."""
    own_cover: str | None = None


class Answer(NamedTuple):
    """What one sees and hits of the other. Shares are exact, from 0 to 1."""

    own: Fraction
    """Own share of sight, one-way glass open to the looker: of the best eye, and 0 under the least share."""
    own_shots: Fraction
    may_see: bool
    may_shoot: bool
    visible: Fraction
    covered: Fraction
    eye: int
    """Which of POINTS sees most, the first of equals."""
    shots_eye: int


class Solid(NamedTuple):
    """What fills a square or an edge between two heights above the map's zero."""

    bottom: int
    top: int
    hides: bool
    stops: bool
    kind: str
    """"ground", "object", "barrier" or "body"."""
    seen_through: tuple[int, int] | None = None
    """The step, in columns and rows, along which it hides nothing."""
    touched: frozenset[int] = frozenset()
    """Of a body: which of the two viewers it touches."""

    def counts(self, question: int, heading: tuple[int, int]) -> bool:
        """Whether it counts for a question on a line with that heading: the signs of its columns and rows."""
        if question == SHOTS:
            return self.stops
        if question == SEEN and self.seen_through is not None:
            dx, dy = self.seen_through
            return self.hides and not (dx == heading[0] if dx else dy == heading[1])
        return self.hides

    @property
    def is_soft(self) -> bool:
        return self.hides and not self.stops


class Stretch(NamedTuple):
    """Part of a line, or one point of it (`start` equals `end`), in whole parts of the line's measure.

    One side, or two that a thing must be on both of to stop the line.
    """

    start: int
    end: int
    sides: tuple[tuple[Place, ...], ...]


class Course(NamedTuple):
    """The stretches of a line; its measure, and the signs of its columns and rows."""

    length: int
    heading: tuple[int, int]
    stretches: tuple[Stretch, ...]


class MapPlan:
    """The solids of a map, looked up by place, without the ground that no line can go below."""

    def __init__(self, field: Battlefield) -> None:
        self.field = field
        lowest = min(field.elevation)
        self.solids: dict[Place, tuple[Solid, ...]] = {}
        for square in field.squares():
            if found := tuple(solid for solid in _on_square(field, square) if solid.top > lowest):
                self.solids[square.column, square.row, ""] = found
        for edge, barrier in field.barriers.items():
            if found := tuple(_of_barrier(barrier, field.barrier_base(edge), edge)):
                self.solids[edge.column, edge.row, edge.side] = found
        every = [solid for found in self.solids.values() for solid in found]
        self.has_one_way = any(solid.seen_through for solid in every)
        self.is_split = any(solid.hides != solid.stops for solid in every)


def viewer(one: Body, unit: str, posture: str) -> Viewer:
    """A viewer of human build."""
    return Viewer(one, one.eyes if posture == "prone" else body(one.at, unit, "standing", one.size).eyes)


def judge(
    plan: MapPlan, one: Viewer, other: Viewer, keys: SightKeys = DEFAULT, others: Collection[Body] = ()
) -> tuple[Answer, Answer]:
    """What two see and hit of each other.

    Args:
        plan: of the battlefield.
        one, other: the two; own squares are where they stand.
        keys: of `[sight]`.
        others: bodies that may be in the way.

    Returns:
        The answer of `one` about `other`, then that of `other` about `one`.
    """
    pair = (one, other)
    standing = _bodies_in_way(plan.field, pair, keys, others)
    shares = [_own_shares(plan, pair, number, keys, standing) for number in (0, 1)]
    free: dict[int, bool] = {}

    def may(number: int, question: int) -> bool:
        """Whether an attack is possible, asked for the own share of one and what the other has without glass."""
        if shares[number][question][0]:
            return True
        if not keys.mutual:
            return False
        alike = SHOTS if question == SHOTS else CLOSED
        if shares[1 - number][alike][0]:
            return True
        if alike not in free:
            free[alike] = _eye_sees_eye(plan, pair, alike, keys, standing)
        return free[alike]

    is_smoky = _smoke_ends_sight(plan.field, one.body, other.body)
    answers = []
    for number in (0, 1):
        (own, eye), (own_shots, shots_eye) = shares[number][SEEN], shares[number][SHOTS]
        may_see, may_shoot = may(number, SEEN) and not is_smoky, may(number, SHOTS)
        head = Fraction(keys.head, 100)
        visible = max(own, head) if may_see else Fraction(0)
        reached = max(own_shots, head) if may_shoot else Fraction(0)
        answers.append(Answer(own, own_shots, may_see, may_shoot, visible, 1 - reached, eye, shots_eye))
    return answers[0], answers[1]


def feet_of(field: Battlefield, one: Body) -> int:
    return max(field.elevation_at(square) for square in one.squares) + one.altitude


def touches(one: Body, place: Place) -> bool:
    """Whether a square is one of a footprint's or round it; whether an edge has an end on its outline."""
    column, row, side = place
    (left, upper), size = one.at, one.size
    if not side:
        return left - 1 <= column <= left + size and upper - 1 <= row <= upper + size
    ends = ((column, row), (column + 1, row) if side == "N" else (column, row + 1))
    return any(left <= x <= left + size and upper <= y <= upper + size for x, y in ends)


def are_neighbours(one: Body, other: Body) -> bool:
    """Whether two footprints touch."""
    return any(touches(one, (*square, "")) for square in other.squares)


def _on_square(field: Battlefield, square: Square) -> Iterable[Solid]:
    ground, elevation = field.ground_at(square), field.elevation_at(square)
    yield Solid(BELOW, elevation, True, True, "ground")
    if ground.height > 0 and (ground.blocks_sight or ground.stops_shots):
        yield Solid(BELOW, min(SKY, elevation + ground.height), ground.blocks_sight, ground.stops_shots, "object")


def _of_barrier(barrier: Barrier, base: int, edge: Edge) -> Iterable[Solid]:
    """What is left of it round its opening."""
    if barrier.state in ("open", "broken") or not (barrier.blocks_sight or barrier.stops_shots):
        return
    step = None
    if way := barrier.seen_through:
        crosses = way.dx if edge.side == "W" else way.dy
        step = (way.dx, way.dy) if crosses else None
    bottom, top = max(barrier.bottom, 0), barrier.top
    opening = (bottom if barrier.sill is None else barrier.sill, top if barrier.lintel is None else barrier.lintel)
    is_open = (barrier.sill, barrier.lintel) != (None, None) and opening[0] < opening[1]
    parts = [(bottom, min(opening[0], top)), (max(opening[1], bottom), top)] if is_open else [(bottom, top)]
    for low, high in parts:
        if low < high:
            low = base + low if low > 0 else BELOW
            yield Solid(low, min(SKY, base + high), barrier.blocks_sight, barrier.stops_shots, "barrier", step)


def _bodies_in_way(
    field: Battlefield, pair: Sequence[Viewer], keys: SightKeys, others: Collection[Body]
) -> dict[Place, list[Solid]]:
    """Clause 4: others from a size up, but not on the squares of the two."""
    found: dict[Place, list[Solid]] = {}
    own = {square for one in pair for square in one.body.squares}
    for other in others:
        if keys.bodies is None or other.size < keys.bodies:
            continue
        feet = feet_of(field, other)
        touched = frozenset(number for number, one in enumerate(pair) if are_neighbours(one.body, other))
        solid = Solid(feet, min(SKY, feet + max(other.height, 1)), True, True, "body", None, touched)
        for square in other.squares:
            if square not in own:
                found.setdefault((*square, ""), []).append(solid)
    return found


class Way:
    """What is in the way between two, with the own ground and the own low things of some of them left out."""

    def __init__(
        self,
        plan: MapPlan,
        pair: Sequence[Viewer],
        risen: Sequence[int],
        keys: SightKeys,
        standing: Mapping[Place, Sequence[Solid]],
    ) -> None:
        self.plan, self.pair, self.risen, self.keys, self.standing = plan, pair, risen, keys, standing
        self.feet = [feet_of(plan.field, one.body) for one in pair]
        self.are_neighbours = are_neighbours(pair[0].body, pair[1].body)
        self.found: dict[Place, tuple[Solid, ...]] = {}

    def at(self, place: Place) -> tuple[Solid, ...]:
        found = self.found.get(place)
        if found is None:
            here = (*self.plan.solids.get(place, ()), *self.standing.get(place, ()))
            found = self.found[place] = self._left(place, here) if here else ()
        return found

    def _left(self, place: Place, here: Sequence[Solid]) -> tuple[Solid, ...]:
        column, row, side = place
        bodies = [one.body for one in self.pair]
        if side:
            beside = Edge(column, row, side).squares
            if any(all(square in one.squares for square in beside) for one in bodies):
                return ()
        is_own = [not side and (column, row) in one.squares for one in bodies]
        has_ground = not (self.keys.own_ground and any(is_own[number] for number in self.risen))
        left = []
        for solid in here:
            if solid.kind == "ground":
                if has_ground:  # clause 1
                    left.append(solid)
                continue
            if any(is_own):  # clause 3
                if not (solid.is_soft and self.keys.soft) or self.are_neighbours:
                    continue
                if not has_ground:
                    solid = solid._replace(bottom=self.plan.field.elevation_at(Square(column, row)))
            if not any(self._looks_over(number, place, solid) for number in self.risen):
                left.append(solid)
        return tuple(left)

    def _looks_over(self, number: int, place: Place, solid: Solid) -> bool:
        """Clause 2."""
        if not self._touches(number, place, solid):
            return False
        one = self.pair[number]
        how = self.keys.own_cover if one.own_cover is None else one.own_cover
        if how == "off":
            return False
        over = one.body.eyes if how == "look" else one.reach
        if len(self.risen) == 1 and self._touches(1 - number, place, solid):  # shared
            over = min(over, one.body.eyes)
        return solid.top < self.feet[number] + over

    def _touches(self, number: int, place: Place, solid: Solid) -> bool:
        return number in solid.touched if solid.kind == "body" else touches(self.pair[number].body, place)


def _own_shares(
    plan: MapPlan, pair: Sequence[Viewer], number: int, keys: SightKeys, standing: Mapping[Place, Sequence[Solid]]
) -> dict[int, tuple[Fraction, int]]:
    """For each question the own share of one of two, and the eye that it is of; clause 5 included."""
    looker, target = pair[number], pair[1 - number]
    way = Way(plan, pair, (number,), keys, standing)
    eye_height = way.feet[number] + looker.body.eyes
    feet = way.feet[1 - number]
    crown = feet + max(target.body.height, 1)
    questions = [CLOSED]
    if plan.has_one_way:
        questions.append(SEEN)
    if plan.is_split:
        questions.append(SHOTS)
    best = dict.fromkeys(questions, (Fraction(-1), 0))
    for eye, start in enumerate(_eyes(looker, keys)):
        if all(share == 1 for share, _ in best.values()):
            break
        total = dict.fromkeys(questions, Fraction(0))
        for end in _points(target.body):
            for question, hidden in _hidden_parts(way, start, end, eye_height, feet, crown, questions).items():
                total[question] += hidden
        for question in questions:
            share = 1 - total[question] / (len(POINTS) * (crown - feet))
            if share > best[question][0]:
                best[question] = (share, eye)
    least = Fraction(keys.least, 100)
    for question, (share, eye) in best.items():
        best[question] = (share if share >= least else Fraction(0), eye)
    return {question: best.get(question, best[CLOSED]) for question in (SEEN, CLOSED, SHOTS)}


def _eye_sees_eye(
    plan: MapPlan, pair: Sequence[Viewer], question: int, keys: SightKeys, standing: Mapping[Place, Sequence[Solid]]
) -> bool:
    """Whether some line from an eye of one to an eye of the other is free, both risen."""
    way = Way(plan, pair, (0, 1), keys, standing)
    heights = [feet + one.body.eyes for feet, one in zip(way.feet, pair, strict=True)]
    return any(
        _is_free(way, start, end, heights[0], heights[1], question)
        for start in _eyes(pair[0], keys)
        for end in _eyes(pair[1], keys)
    )


def _eyes(one: Viewer, keys: SightKeys) -> list[tuple[int, int]]:
    points = _points(one.body)
    return points if (keys.lean if one.lean is None else one.lean) else points[:1]


def _points(one: Body) -> list[tuple[int, int]]:
    """In eighths of a square."""
    x, y = 8 * one.at.column + 4 * one.size, 8 * one.at.row + 4 * one.size
    return [(x + dx * one.size, y + dy * one.size) for dx, dy in POINTS]


Interval = tuple[Fraction | int, Fraction | int]


def _hidden_parts(
    way: Way,
    start: tuple[int, int],
    end: tuple[int, int],
    eye: int,
    feet: int,
    crown: int,
    questions: Sequence[int],
) -> dict[int, Fraction]:
    """How much of the upright at `end` is hidden, for each question."""
    intervals: dict[int, list[Interval]] = {question: [] for question in questions}
    course = course_between(start, end)
    for stretch in course.stretches:
        sides = [[solid for place in side for solid in way.at(place)] for side in stretch.sides]
        if not all(sides):
            continue
        lines = [eye * course.length + (to - eye) * at for to in (feet, crown) for at in (stretch.start, stretch.end)]
        lowest, highest = min(lines), max(lines)
        sides = [
            [one for one in side if one.top * course.length > lowest and one.bottom * course.length < highest]
            for side in sides
        ]
        for question in questions:
            found = [
                [
                    interval
                    for solid in side
                    if solid.counts(question, course.heading)
                    and (interval := _hidden_interval(solid, stretch, course.length, eye, feet, crown))
                ]
                for side in sides
            ]
            intervals[question].extend(found[0] if len(found) == 1 else _common(*found))
    return {question: _united_length(found) for question, found in intervals.items()}


def _hidden_interval(solid: Solid, stretch: Stretch, length: int, eye: int, feet: int, crown: int) -> Interval | None:
    """Between which heights of the upright a line is inside of a solid somewhere on a stretch; None for none.

    The line to height z passes `eye + (z - eye) * at / length`.
    """
    start, end = stretch.start, stretch.end

    def upright(height: int, at: int) -> Fraction | int:
        """The height of the upright whose line passes a height there; endless above or below the eye itself."""
        if at:
            return eye + Fraction((height - eye) * length, at)
        return ENDLESS * ((height > eye) - (height < eye)) + (eye if height == eye else 0)

    low = max(feet, min(upright(solid.bottom, start), upright(solid.bottom, end)))
    high = min(crown, max(upright(solid.top, start), upright(solid.top, end)))
    return (low, high) if low < high else None


def _common(one: Sequence[Interval], other: Sequence[Interval]) -> Iterable[Interval]:
    for low, high in one:
        for low_too, high_too in other:
            if max(low, low_too) < min(high, high_too):
                yield max(low, low_too), min(high, high_too)


def _united_length(intervals: Iterable[Interval]) -> Fraction:
    total, reached = Fraction(0), None
    for low, high in sorted(intervals):
        if reached is None or low > reached:
            total += high - low
            reached = high
        elif high > reached:
            total += high - reached
            reached = high
    return total


def _is_free(way: Way, start: tuple[int, int], end: tuple[int, int], low: int, high: int, question: int) -> bool:
    """Whether the straight line between two heights passes through the inside of nothing."""
    course = course_between(start, end)
    for stretch in course.stretches:
        at = [low + (high - low) * Fraction(place, course.length) for place in (stretch.start, stretch.end)]
        lower, upper = min(at), max(at)
        if all(
            any(
                solid.counts(question, course.heading) and solid.bottom < upper and lower < solid.top
                for place in side
                for solid in way.at(place)
            )
            for side in stretch.sides
        ):
            return False
    return True


def course_between(start: tuple[int, int], end: tuple[int, int]) -> Course:
    """The stretches of the line between two points, in eighths of a square."""
    column, row = start[0] // 8, start[1] // 8
    length, heading, stretches = _course(start[0] % 8, start[1] % 8, end[0] - start[0], end[1] - start[1])
    moved = [
        Stretch(begin, finish, tuple(tuple([(x + column, y + row, side) for x, y, side in places]) for places in sides))
        for begin, finish, sides in stretches
    ]
    return Course(length, heading, tuple(moved))


@lru_cache(maxsize=1 << 16)
def _course(x: int, y: int, across: int, down: int) -> Course:
    """The same from a point of the square A1."""
    heading = ((across > 0) - (across < 0), (down > 0) - (down < 0))
    length = abs(across * down) or abs(across) + abs(down)
    if not length:
        return Course(0, heading, ())
    cuts = {0, length}
    for start, extent in ((x, across), (y, down)):
        if extent:
            low, high = min(start, start + extent), max(start, start + extent)
            lines = range(low - low % 8 + 8, high, 8)
            cuts.update((line - start) * length // extent for line in lines)
    places = sorted(cuts)

    def is_on_line(at: int, coordinate: int, extent: int) -> bool:
        return (coordinate * length + extent * at) % (8 * length) == 0

    def squares_at(coordinate: int, extent: int, begin: int, finish: int) -> tuple[int, ...]:
        """The column or row of a stretch, or the two that it runs between."""
        if not extent and coordinate % 8 == 0:
            return coordinate // 8 - 1, coordinate // 8
        return ((2 * coordinate * length + extent * (begin + finish)) // (16 * length),)

    stretches = []
    for begin, finish in pairwise(places):
        if begin:
            on_column, on_row = is_on_line(begin, x, across), is_on_line(begin, y, down)
            column, row = ((c * length + e * begin) // (8 * length) for c, e in ((x, across), (y, down)))
            if on_column and on_row:
                sides = _round_corner(column, row, across, down)
            else:
                sides = (((column, row, "W" if on_column else "N"),),)
            stretches.append(Stretch(begin, begin, sides))
        columns, rows = squares_at(x, across, begin, finish), squares_at(y, down, begin, finish)
        stretches.append(Stretch(begin, finish, tuple(((c, r, ""),) for c in columns for r in rows)))
    return Course(length, heading, tuple(stretches))


def _round_corner(column: int, row: int, across: int, down: int) -> tuple[tuple[Place, ...], ...]:
    """The places on the left and on the right of a line through a grid corner."""
    sides: dict[bool, list[Place]] = {False: [], True: []}

    def put(place: Place, dx: int, dy: int) -> None:
        """Put a place that lies off the corner by `dx`, `dy` on its side; not if it lies on the line."""
        if turn := across * dy - down * dx:
            sides[turn > 0].append(place)

    for dx in (-1, 1):
        for dy in (-1, 1):
            runs_through = across and down and (across * dx > 0) == (down * dy > 0)
            if not runs_through:
                put((column + (dx - 1) // 2, row + (dy - 1) // 2, ""), dx, dy)
    put((column, row, "N"), 1, 0)
    put((column - 1, row, "N"), -1, 0)
    put((column, row, "W"), 0, 1)
    put((column, row - 1, "W"), 0, -1)
    return tuple(sides[False]), tuple(sides[True])


def _smoke_ends_sight(field: Battlefield, one: Body, other: Body) -> bool:
    """Whether the smoke from middle to middle is more than sight goes through."""
    most = field.smoke_opacity.ends_sight
    if most is None or not any(field.smoke):
        return False
    start, end = _points(one)[0], _points(other)[0]
    course = course_between(start, end)
    if not course.length:
        return False
    thick = 0
    for stretch in course.stretches:
        if stretch.start < stretch.end:
            places = [Square(*place[:2]) for side in stretch.sides for place in side]
            thick += (stretch.end - stretch.start) * min(field.smoke_at(square) for square in places)
    across, down = end[0] - start[0], end[1] - start[1]
    return (across**2 + down**2) * thick**2 > (Fraction(most) * 8 * course.length) ** 2
