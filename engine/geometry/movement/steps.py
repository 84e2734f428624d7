"""One step to a neighbouring square: whether a body may take it, what it costs, and why not. No search, no ruleset.

The search and the check of a given path both ask here, so that what the board offers and what it refuses agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil

from msgspec import Struct

from engine.errors import Illegal
from engine.geometry.battlefield import Barrier, Battlefield, Ground, Height
from engine.geometry.body import HUMAN_HEIGHT
from engine.geometry.metric import METRICS
from engine.geometry.squares import Direction, Edge, Square, edge_of
from engine.text import is_plural, verb


class MoveRules(Struct, frozen=True):
    """How a body moves, and who is in its way.

    Attributes:
        metric: what diagonals cost. `chebyshev` 1, `alternating` 1, 2, 1, 2 … along the path, `euclidean` 1.5.
        occupied: where others stand. True is a foe, who lets nobody through; False a friend, with whom nobody may end.
            Squares under the mover's own start are not asked.
        size: side of the footprint; a square stands for its north-west corner.
        climb_cost: squares to pay, over the step itself, for each square's side of height climbed up or down.
        flies: ground costs and slopes do not count; what is no higher than `feet` is passed over, what is higher bars.
        feet: height of a flyer's feet above the map's zero, kept all the way.
        pace: squares to pay for each square: 2 for a body that crawls.
        door_cost: squares to pay for opening a closed door on the way; None lets closed doors bar it.
        lift_cost: squares to pay for each square's side of height that a flyer rises or sinks.
    """

    metric: str = "chebyshev"
    occupied: Mapping[Square, bool] = {}
    size: int = 1
    climb_cost: Fraction = Fraction(1)
    flies: bool = False
    feet: Height = 0
    pace: Fraction = Fraction(1)
    door_cost: Fraction | None = None
    lift_cost: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise ValueError(f"{self.metric!r} is not one of {', '.join(METRICS)}")
        if self.pace <= 0:
            raise ValueError("a step costs more than nothing")


def entry_cost(ground: Ground, level: Height, rules: MoveRules) -> Fraction | None:
    """Squares to pay for entering such a square straight on, whose ground lies that high; None when kept out."""
    if rules.flies:
        return rules.pace if rules.feet >= least_flight(ground, level) else None
    return None if ground.blocks_movement else rules.pace * ground.move_cost


def least_flight(ground: Ground, level: Height) -> Height:
    """The least height of a flyer's feet over such a square, above the map's zero; its ground lies at `level`."""
    return level + max(ground.height, 1) if ground.blocks_movement else level


def diagonal_cost(rules: MoveRules, odd: bool) -> int:
    """Half squares of a diagonal step over plain ground.

    Args:
        rules: whose metric counts.
        odd: whether the diagonal steps of the path so far are odd in number.
    """
    return {"chebyshev": 2, "alternating": 4 if odd else 2, "euclidean": 3}[rules.metric]


def slope_cost(rise: Height, field: Battlefield, rules: MoveRules) -> int | None:
    """Half squares that a rise over one step costs, rounded up.

    Args:
        rise: in hundredths of the map's unit; below 0 for a fall.
        field: for the side of a square and the height of a human.
        rules: how the body moves.

    Returns:
        0 where it is no more than half a human's height; None where it is more than a human's.
    """
    human = HUMAN_HEIGHT[field.unit]
    height = abs(rise)
    if height <= human // 2:
        return 0
    return None if height > human else ceil(2 * rules.climb_cost * Fraction(height, field.square_size))


def footprint(square: Square, size: int) -> Iterator[Square]:
    """The squares under a body of that size, row by row from its north-west square; they may lie off the map."""
    return (Square(square.column + x, square.row + y) for y in range(size) for x in range(size))


def step_cost(battlefield: Battlefield, square: Square, direction: Direction, rules: MoveRules, odd: bool) -> int:
    """What a step costs, in half squares. Whether it may be taken is another question; see `refusal`.

    The costliest square that is newly entered counts. A climb is rounded up to half squares.

    Args:
        battlefield: both squares lie on it.
        square: where the body stands.
        direction: one of eight.
        rules: how it moves.
        odd: whether the diagonal steps of the path so far are odd in number.
    """
    there = square.step(direction)
    base = diagonal_cost(rules, odd) if direction.is_diagonal else 2
    left = set(footprint(square, rules.size))
    entered = [one for one in footprint(there, rules.size) if one not in left]
    dearest = max(_price(battlefield, one, rules) or Fraction(0) for one in entered)
    cost = ceil(base * dearest)
    if rules.door_cost is not None and not direction.is_diagonal:
        back = direction.opposite
        if any(opens(battlefield, edge_of(one, back), rules) for one in entered):
            cost += ceil(2 * rules.door_cost)
    if not rules.flies:
        rise = standing_level(battlefield, there, rules.size) - standing_level(battlefield, square, rules.size)
        cost += slope_cost(rise, battlefield, rules) or 0
    return cost


def lift_cost(battlefield: Battlefield, square: Square, rules: MoveRules, feet: Height) -> Fraction:
    """Squares to pay for rising or sinking to another height on the spot.

    Args:
        battlefield: where it flies.
        square: the north-west square of its footprint.
        rules: how it moves; `feet` is where it is now.
        feet: where it shall be, above the map's zero.

    Raises:
        Illegal: something there is higher than that.
    """
    for one in footprint(square, rules.size):
        if feet < least_flight(battlefield.ground_at(one), battlefield.elevation_at(one)):
            raise Illegal(
                "blocked",
                f"{_blocking_contents(battlefield, one, 'is', 'are', f' at {one.name}')} higher than that altitude.",
            )
    return rules.lift_cost * Fraction(abs(feet - rules.feet), battlefield.square_size)


def refusal(battlefield: Battlefield, square: Square, direction: Direction, rules: MoveRules) -> Illegal | None:
    """Why a step may not be taken; None when it may.

    Slopes are walked, climbed, or too much, as `rules` say. A body may not cut a corner: no diagonal step past a square
    or barrier that bars the way round it; a door that would first be opened and a turnstile bar it too.

    Args:
        battlefield: `square` lies on it with the whole footprint.
        square: where the body stands.
        direction: one of eight.
        rules: how it moves.
    """
    there = square.step(direction)
    for here in footprint(square, rules.size):
        refused = _one_square(battlefield, here, direction, rules)
        if refused:
            return refused
    if rules.size > 1:
        refused = _straddling(battlefield, there, rules)
        if refused:
            return refused
    return None if rules.flies else _steep(battlefield, square, there, rules)


def under_ground(battlefield: Battlefield, squares: Iterable[Square], rules: MoveRules) -> str:
    """Words on ground that is higher than a flyer's flight: "the ground at F1 lies 8 m above its flight".

    Args:
        battlefield: the map.
        squares: the first of them that is too high is named.
        rules: how the body moves.

    Returns:
        "" for who does not fly, and where the ground is not the reason.
    """
    for one in squares if rules.flies else ():
        above = battlefield.elevation_at(one) - rules.feet if one in battlefield else 0
        if above > 0:
            unit = "ft" if battlefield.unit == "feet" else "m"
            return f"the ground at {one.name} lies {above / 100:g} {unit} above its flight"
    return ""


def obstacle_words(battlefield: Battlefield, squares: Iterable[Square], rules: MoveRules) -> str:
    """Words on the first of the squares that nobody may enter: "a crate stands on I6"; "" where none bars the way.

    Ground above a flyer's flight comes first; arguments as for `under_ground`.
    """
    there = [one for one in squares if one in battlefield]
    if high := under_ground(battlefield, there, rules):
        return high
    closed = next((one for one in there if _price(battlefield, one, rules) is None), None)
    if closed is None:
        return ""
    ground = battlefield.ground_at(closed)
    if not ground.object:
        return f"the {ground.name} {verb(ground.name, 'blocks', 'block')} {closed.name}"
    article = "" if is_plural(ground.name) else "an " if ground.name[0] in "aeiou" else "a "
    return f"{article}{ground.name} {verb(ground.name, 'stands', 'stand')} on {closed.name}"


def refusal_to_end(square: Square, rules: MoveRules, start: Square) -> Illegal | None:
    """Why a body may not end its move on a square, although it may pass; None when it may.

    Args:
        square: north-west square of the place.
        rules: how it moves, and who stands where.
        start: where the move begins: its own squares never count.

    Returns:
        The refusal as a value; it is not raised.
    """
    if not rules.occupied:
        return None
    own = set(footprint(start, rules.size))
    for one in footprint(square, rules.size):
        if one in rules.occupied and one not in own:
            return Illegal("taken", f"{one.name} is occupied.")
    return None


def refusal_to_pass(square: Square, rules: MoveRules, start: Square) -> Illegal | None:
    """Why a body may not even pass: an enemy stands there. None when it may; arguments as for `refusal_to_end`."""
    if not rules.occupied:
        return None
    own = set(footprint(start, rules.size))
    for one in footprint(square, rules.size):
        if rules.occupied.get(one, False) and one not in own:
            return Illegal("foe", f"An enemy occupies {one.name}.")
    return None


def _one_square(battlefield: Battlefield, here: Square, direction: Direction, rules: MoveRules) -> Illegal | None:
    """Why one square of the footprint may not shift one step."""
    there = here.step(direction)
    if there not in battlefield:
        return Illegal("off the map", f"The map ends at {here.name}.")
    if _price(battlefield, there, rules) is None:
        if high := under_ground(battlefield, [there], rules):
            return Illegal("blocked", f"{high[0].upper()}{high[1:]}.")
        return Illegal("blocked", f"{_blocking_contents(battlefield, there, 'blocks', 'block')} {there.name}.")
    if not direction.is_diagonal:
        barrier = keeps_back(battlefield, edge_of(here, direction), rules, direction)
        between = f"between {here.name} and {there.name}"
        return Illegal("barrier", f"{_barrier_text(barrier, 'stands', 'stand')} {between}.") if barrier else None
    for corner in (Square(there.column, here.row), Square(here.column, there.row)):
        if _price(battlefield, corner, rules) is None:
            between = f"the corner between {here.name} and {there.name}"
            if high := under_ground(battlefield, [corner], rules):
                return Illegal("corner", f"{high[0].upper()}{high[1:]}, at {between}.")
            thing = _blocking_contents(battlefield, corner, "blocks", "block", f" at {corner.name}")
            return Illegal("corner", f"{thing} {between}.")
    for edge in _round_corner(here, there):
        barrier = cuts_off(battlefield, edge, rules)
        if barrier:
            thing = _barrier_text(barrier, "blocks", "block", f" on {edge.name}")
            return Illegal("corner", f"{thing} the corner between {here.name} and {there.name}.")
    return None


def _round_corner(here: Square, there: Square) -> tuple[Edge, ...]:
    """The four edges that meet at the corner between two diagonal neighbours."""
    column, row = max(here.column, there.column), max(here.row, there.row)
    return Edge(column, row, "N"), Edge(column - 1, row, "N"), Edge(column, row, "W"), Edge(column, row - 1, "W")


def _straddling(battlefield: Battlefield, there: Square, rules: MoveRules) -> Illegal | None:
    """Why a large body has no room at a place: a barrier runs through it."""
    own = set(footprint(there, rules.size))
    for square in footprint(there, rules.size):
        for side in (Direction.N, Direction.W):
            edge = edge_of(square, side)
            barrier = keeps_back(battlefield, edge, rules) if square.step(side) in own else None
            if barrier:
                between = f"between {square.step(side).name} and {square.name}"
                return Illegal("barrier", f"{_barrier_text(barrier, 'stands', 'stand')} {between}: no room.")
    return None


def _steep(battlefield: Battlefield, here: Square, there: Square, rules: MoveRules) -> Illegal | None:
    """Why the ground is too steep: from one place to the next, or under a large body at the new one."""
    size = rules.size
    rise = standing_level(battlefield, there, size) - standing_level(battlefield, here, size)
    if slope_cost(rise, battlefield, rules) is None:
        how, far = ("above", "too high to climb") if rise > 0 else ("below", "too far to climb down")
        height = f"{abs(rise) / 100:.1f} {'ft' if battlefield.unit == 'feet' else 'm'}"
        return Illegal("steep", f"{there.name} lies {height} {how} {here.name}: {far}.")
    lowest = min(battlefield.elevation_at(one) for one in footprint(there, size))
    if standing_level(battlefield, there, size) - lowest > HUMAN_HEIGHT[battlefield.unit]:
        return Illegal("steep", f"The ground at {there.name} is too uneven to stand on.")
    return None


def standing_level(battlefield: Battlefield, square: Square, size: int) -> Height:
    """Height of the feet of a body that stands there: the highest ground of its footprint, in hundredths above zero.

    Raises:
        OffMap: a square of the footprint is outside.
    """
    if size == 1:
        return battlefield.elevation_at(square)
    return max(battlefield.elevation_at(one) for one in footprint(square, size))


def keeps_back(
    battlefield: Battlefield, edge: Edge, rules: MoveRules, direction: Direction | None = None
) -> Barrier | None:
    """The barrier on an edge, if there is one and it keeps a body back; else None.

    Args:
        battlefield: the map.
        edge: on it.
        rules: how the body moves.
        direction: in which it would cross; None to stand astride the edge.
    """
    barrier = cuts_off(battlefield, edge, rules)
    if barrier is None or opens(battlefield, edge, rules):
        return None
    return None if direction and barrier.walked_through is direction else barrier


def cuts_off(battlefield: Battlefield, edge: Edge, rules: MoveRules) -> Barrier | None:
    """The barrier on an edge, if it is in the way as it stands, of a diagonal step round its end, too; else None."""
    barrier = battlefield.barriers.get(edge)
    if barrier is None or barrier.is_open or not barrier.blocks_movement:
        return None
    return None if rules.flies and rules.feet >= battlefield.barrier_base(edge) + barrier.top else barrier


def opens(battlefield: Battlefield, edge: Edge, rules: MoveRules) -> bool:
    """Whether the body opens a closed, unlocked door on its way; False where the rules let nobody open one."""
    barrier = battlefield.barriers.get(edge)
    if rules.door_cost is None or barrier is None or barrier.state != "closed":
        return False
    return cuts_off(battlefield, edge, rules) is not None


def _price(battlefield: Battlefield, square: Square, rules: MoveRules) -> Fraction | None:
    """As `entry_cost`, of a square of the map."""
    return entry_cost(battlefield.ground_at(square), battlefield.elevation_at(square), rules)


def _blocking_contents(battlefield: Battlefield, square: Square, singular: str, plural: str, where: str = "") -> str:
    """Contents of a square with place and verb, at the head of a sentence: "The crate at C3 blocks"."""
    name = battlefield.ground_at(square).name
    return f"The {name}{where} {verb(name, singular, plural)}"


def _barrier_text(barrier: Barrier, singular: str, plural: str, where: str = "") -> str:
    """The barrier with its article and state, at the head of a sentence, and what it does: "A locked door stands"."""
    words = f"{barrier.state} {barrier.kind}" if barrier.state in ("closed", "locked") else barrier.kind
    if is_plural(barrier.kind):
        return f"{words[:1].upper()}{words[1:]}{where} {plural}"
    return f"{'An' if words[0] in 'aeiou' else 'A'} {words}{where} {singular}"
