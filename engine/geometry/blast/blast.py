"""Blasts: which squares a burst reaches, and in which of its rings each lies. Knows no damage and no ruleset.

The rule. One straight line is drawn from the burst, at its height above the ground of its square, to the middle of a
body standing in the other square: half a human's height above that ground. The square is reached when nothing stops the
line: no ground, no object that contains blast, no closed barrier that contains blast. As for sight, the objects on both
squares themselves do not count, their ground does; to touch a top or a corner is not to be stopped; and through a
corner the line is stopped only when both ways round it are. A square that is filled by what contains blast and blocks
movement is never reached. A burst is as high as the middle of a body unless said otherwise, and then the answer is
mutual: what is reached from here reaches here.

Distances are those of the same two points, by the ruleset's metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from engine.geometry.battlefield import SKY, Battlefield, Height, OffMap
from engine.geometry.blast.blast_table import MOST_REACH, board, centre_of, disc, is_level, sheltered, within_map
from engine.geometry.blast.square_set import Zone
from engine.geometry.body import HUMAN_HEIGHT
from engine.geometry.lines import LineStretch, Place, line
from engine.geometry.metric import distance_with_rise
from engine.geometry.obstacles import DEPTH, Solid, barrier_solids
from engine.geometry.squares import Square

Radius = int | Fraction
"""In squares, 0 or more."""


def middle_height(battlefield: Battlefield) -> Height:
    """Height of the middle of a standing body above its ground, where a blast is measured, in hundredths."""
    return HUMAN_HEIGHT[battlefield.unit] // 2


def blast(
    battlefield: Battlefield,
    centre: Square,
    radius: Radius,
    *,
    metric: str = "chebyshev",
    height: Height | None = None,
) -> Zone:
    """Every square within a radius that a burst reaches, its own always among them.

    Args:
        battlefield: where it bursts.
        centre: the square of the burst.
        radius: in squares; a square belongs when its distance is at most that.
        metric: how distances are counted.
        height: of the burst above the ground of its square; None for the middle of a body.

    Raises:
        OffMap: `centre` is outside.
    """
    (zone,) = zones(battlefield, centre, (radius,), metric=metric, height=height)
    return zone


def zones(
    battlefield: Battlefield,
    centre: Square,
    radii: Sequence[Radius],
    *,
    metric: str = "chebyshev",
    height: Height | None = None,
) -> tuple[Zone, ...]:
    """The rings of a burst: for each radius the squares it reaches that no earlier ring holds.

    Args:
        battlefield: where it bursts.
        centre: the square of the burst.
        radii: in squares, from the innermost ring to the outermost.
        metric: how distances are counted.
        height: of the burst above the ground of its square; None for the middle of a body.

    Raises:
        OffMap: `centre` is outside.
    """
    if centre not in battlefield:
        raise OffMap(centre, battlefield)
    middle = middle_height(battlefield)
    height = middle if height is None else height
    most = max(radii, default=0)
    reach = farthest(battlefield, most)
    corner, side = Square(centre.column - reach, centre.row - reach), 2 * reach + 1
    found: list[Zone] = []
    inner = 0
    if height == middle and reach <= MOST_REACH:
        walls = board(battlefield, height)
        if is_level(walls, corner, reach):
            free = ~sheltered(walls, corner, reach)
            if corner.column < 0 or corner.row < 0 or not _holds(battlefield, corner, side):
                free &= within_map(battlefield, corner, side)
            free |= 1 << (reach * side + reach)
            for radius in radii:
                bits = disc(metric, radius, reach) & free
                found.append(Zone(corner, side, bits & ~inner))
                inner |= bits
            return tuple(found)
    level, others = _reached(battlefield, centre, most, metric, height)
    for radius in radii:
        bits = disc(metric, radius, reach) & level if level else 0
        bits |= sum(1 << number for number, away in others if away <= radius)
        found.append(Zone(corner, side, bits & ~inner))
        inner |= bits
    return tuple(found)


def reaches(battlefield: Battlefield, centre: Square, square: Square, height: Height, target_height: Height) -> bool:
    """Whether a burst over one square reaches a point over the middle of another; see the rule at the head.

    Args:
        battlefield: where it bursts.
        centre: the square of the burst.
        square: the other square; itself filled or not.
        height: of the burst above the ground of `centre`.
        target_height: of the point above the ground of `square`.

    Raises:
        OffMap: a square is outside.
    """
    start, end = battlefield.elevation_at(centre) + height, battlefield.elevation_at(square) + target_height
    drawn = line(centre_of(centre), centre_of(square))
    own = (centre, square)
    for passage in drawn.passages:
        if all(
            any(_stops(battlefield, place, own, passage, drawn.length, start, end) for place in way)
            for way in passage.ways
        ):
            return False
    return True


def burst_distance(
    battlefield: Battlefield, metric: str, centre: Square, square: Square, height: Height, target_height: Height
) -> Fraction:
    """Distance from a burst over one square to a point over another, heights counted.

    Args:
        battlefield: both squares lie on it.
        metric: one of METRICS.
        centre, square: where the burst and the point are; measured from middle to middle.
        height, target_height: above the ground of these squares, in hundredths of the map's unit.

    Returns:
        In squares.

    Raises:
        OffMap: a square is outside.
        ValueError: no such metric.
    """
    start, end = battlefield.elevation_at(centre) + height, battlefield.elevation_at(square) + target_height
    return distance_with_rise(
        metric, square.column - centre.column, square.row - centre.row, end - start, battlefield.square_size
    )


def farthest(battlefield: Battlefield, radius: Radius) -> int:
    """How many columns or rows a radius goes: whole squares, rounded down, no more than the map's longer side."""
    return min(floor(radius), max(battlefield.columns, battlefield.rows))


def _reached(
    battlefield: Battlefield, centre: Square, most: Radius, metric: str, height: Height
) -> tuple[int, list[tuple[int, Fraction]]]:
    """The squares reached: as bits those as far off as on level ground, the others with their number and distance."""
    middle, reach = middle_height(battlefield), farthest(battlefield, most)
    corner, side = Square(centre.column - reach, centre.row - reach), 2 * reach + 1
    others = [(reach * side + reach, Fraction(0))]
    if reach <= MOST_REACH:
        from engine.geometry.blast.uneven_ground import reached  # with NumPy, for which no first paint shall wait

        level, steep = reached(battlefield, corner, reach, height, middle, metric)
        within = disc(metric, most, reach)
        for number, rise in steep:
            if within >> number & 1:
                row, column = divmod(number, side)
                away = distance_with_rise(metric, column - reach, row - reach, rise, battlefield.square_size)
                others.append((number, away))
        return level, others
    for row in range(max(0, corner.row), min(battlefield.rows, corner.row + side)):
        for column in range(max(0, corner.column), min(battlefield.columns, corner.column + side)):
            square = Square(column, row)
            ground = battlefield.ground_at(square)
            away = burst_distance(battlefield, metric, centre, square, height, middle)
            if square == centre or away > most or (ground.contains_blast and ground.blocks_movement):
                continue
            if reaches(battlefield, centre, square, height, middle):
                others.append(((row - corner.row) * side + column - corner.column, away))
    return 0, others


def _stops(
    battlefield: Battlefield,
    place: Place,
    own: tuple[Square, Square],
    passage: LineStretch,
    length: int,
    start: Height,
    end: Height,
) -> bool:
    """Whether what stands at a place stops the line there: some of the passage lies inside one of its solids."""
    solids = _solids(battlefield, place, own)
    if not solids:
        return False
    length = length or 1
    one = start * (length - passage.start) + end * passage.start
    other = start * (length - passage.end) + end * passage.end
    low, high = (one, other) if one <= other else (other, one)
    return any(bottom * length < high and low < top * length for bottom, top in solids)


def _solids(battlefield: Battlefield, place: Place, own: tuple[Square, Square]) -> tuple[Solid, ...]:
    """The heights above the map's zero from which a blast is kept at a square or an edge."""
    if isinstance(place, Square):
        elevation, ground = battlefield.elevation_at(place), battlefield.ground_at(place)
        if ground.contains_blast and place not in own:
            return ((DEPTH, min(SKY, elevation + ground.height)),)
        return ((DEPTH, elevation),)
    barrier = battlefield.barriers.get(place)
    if barrier is None or barrier.is_open or not barrier.contains_blast:
        return ()
    return barrier_solids(barrier, battlefield.barrier_base(place))


def _holds(battlefield: Battlefield, corner: Square, side: int) -> bool:
    return corner.column + side <= battlefield.columns and corner.row + side <= battlefield.rows
