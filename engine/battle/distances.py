"""Distances between units in squares and in the ruleset's unit, heights, adjacency."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import floor

from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.body import Body
from engine.geometry.facings import degrees_aside
from engine.geometry.metric import distance_with_rise
from engine.geometry.movement.steps import MoveRules, refusal
from engine.geometry.squares import Direction, Square, edge_of
from engine.rules.formula_values import plain
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Number, Ruleset
from engine.values import replace

FEET_IN_METRES = Fraction(3048, 10000)
IN_METRES = {"feet": FEET_IN_METRES, "metres": Fraction(1)}
SCALES = {(one, other): IN_METRES[one] / IN_METRES[other] for one in IN_METRES for other in IN_METRES}
"""How many of the second unit one of the first is."""
NEARLY = Fraction(1, 20)
"""So far a map's squares may be off a ruleset's own and still count as those: 1.5 metres are 5 feet."""


def distance_between(field: Battlefield, rules: Ruleset, one: Unit, other: Unit) -> int | Fraction:
    """How far two units are apart, as the ruleset counts it."""
    return counted_distance(squares_between(field, rules, one, other), field, rules)


def range_between(field: Battlefield, rules: Ruleset, one: Unit, other: Unit) -> int | Fraction:
    """How far two units are apart, in the unit of weapon ranges."""
    return counted_range(squares_between(field, rules, one, other), field, rules)


def range_from(field: Battlefield, rules: Ruleset, centre: Square, unit: Unit) -> int | Fraction:
    """How far the nearest square of a unit is from a square on the map, heights left out, in the unit of ranges."""
    apart = (
        distance_squares(field, rules, abs(near.column - centre.column), abs(near.row - centre.row), 0)
        for near in unit.squares
    )
    return counted_range(min(apart), field, rules)


def squares_between(field: Battlefield, rules: Ruleset, one: Unit, other: Unit) -> Fraction:
    """How far two units are apart by the ruleset's metric, in squares."""
    columns, rows = gap(one, other)
    return distance_squares(field, rules, columns, rows, feet(field, other) - feet(field, one))


def distance_squares(field: Battlefield, rules: Ruleset, columns: int, rows: int, rise: Height) -> Fraction:
    """A distance by the ruleset's metric, in squares; `rise` is a difference in height."""
    return distance_with_rise(rules.distance.metric, columns, rows, rise, field.square_size)


def counted_distance(squares: Fraction, field: Battlefield, rules: Ruleset) -> int | Fraction:
    """A distance in squares as the ruleset counts it: in its unit, rounded its way."""
    return _rounded(squares, square_side(field, rules), rules.distance.rounding)


def counted_range(squares: Fraction, field: Battlefield, rules: Ruleset) -> int | Fraction:
    """The same in the unit of weapon ranges."""
    return _rounded(squares, range_side(field, rules), rules.distance.rounding)


def _rounded(squares: Fraction, side: int | Fraction, rounding: str) -> int | Fraction:
    above, below = squares.numerator * side.numerator, squares.denominator * side.denominator
    match rounding:  # in whole numbers, as every ledger asks for several of them
        case "down":
            return above // below
        case "up":
            return -(-above // below)
        case "nearest":
            return (2 * above + below) // (2 * below)
    return plain(Fraction(above, below))


def in_squares(distance: Number, field: Battlefield, rules: Ruleset) -> int:
    """A distance in the ruleset's unit as whole squares of this map, rounded down."""
    return floor(Fraction(distance) / square_side(field, rules))


def radius_in_squares(radius: Number, field: Battlefield, rules: Ruleset) -> int:
    """A radius in the unit of weapon ranges as whole squares of this map, rounded down."""
    return floor(Fraction(radius) / range_side(field, rules))


def radius_squares(battlefield: Battlefield, rules: Ruleset, radius: Fraction) -> Fraction:
    """The farthest distance in squares that, rounded as the ruleset rounds distances of blasts, is within a radius.

    Where distances are rounded, what is shown as the radius is within it; the end of the stretch that is rounded so
    does not belong to it, and is cut off by a hair that no distance on a map is as short as.
    """
    side, hair = range_side(battlefield, rules), Fraction(1, 10**12)
    match rules.distance.blasts:
        case "down":
            return Fraction(floor(radius) + 1) / side - hair
        case "nearest":
            return (floor(radius) + Fraction(1, 2)) / side - hair
        case "up":
            return Fraction(floor(radius)) / side
    return Fraction(radius) / side


def map_distance(squares: int | Fraction, field: Battlefield, rules: Ruleset) -> str:
    """A distance in the unit in which the map tells heights, to be put behind the ruleset's: " (6.1 m)"; "" if same."""
    if field.unit == rules.distance.ranges:
        return ""
    exact = squares.numerator * field.square_size / (squares.denominator * 100)
    return f" ({round(exact, 1):g} {UNIT_SIGNS[field.unit]})"


def square_side(field: Battlefield, rules: Ruleset) -> int | Fraction:
    """Side of a square of the map in the ruleset's unit, as the ruleset counts it."""
    return _side(field.square_size, field.unit, rules.distance.unit, rules.distance.square)


def range_side(field: Battlefield, rules: Ruleset) -> int | Fraction:
    """The same in the unit of weapon ranges."""
    return _side(field.square_size, field.unit, rules.distance.ranges, rules.distance.square)


def height_on_map(field: Battlefield, rules: Ruleset, height: Number) -> Height:
    """A height in the ruleset's unit as the map counts it, rounded down."""
    return floor(Fraction(height) * field.square_size / square_side(field, rules))


def height_in_unit(field: Battlefield, rules: Ruleset, height: Height) -> Fraction:
    """A height as the map counts it in the ruleset's unit."""
    if not height:
        return Fraction(0)
    if rules.distance.unit == "squares":
        return Fraction(height, field.square_size)
    return Fraction(height, 100) * SCALES[field.unit, rules.distance.unit]


@lru_cache(maxsize=64)
def _side(square_size: int, map_unit: str, unit: str, own: Fraction | None) -> int | Fraction:
    """Asked for with every distance."""
    if unit == "squares":
        return 1
    side = Fraction(square_size, 100) * SCALES[map_unit, unit]
    return plain(own if own is not None and abs(side - own) <= NEARLY * own else side)


def gap(one: Body | Unit, other: Body | Unit) -> tuple[int, int]:
    """Columns and rows from the nearest square of one footprint to the nearest of the other; 1 when they touch."""
    (column, row), (its_column, its_row) = one.at, other.at
    last, its_last = one.size - 1, other.size - 1
    return (
        max(0, its_column - column - last, column - its_column - its_last),
        max(0, its_row - row - last, row - its_row - its_last),
    )


def feet(field: Battlefield, unit: Unit) -> Height:
    """Height of a unit's feet above the map's zero."""
    if unit.size == 1:
        return (field.elevation_at(unit.at) if unit.at in field else 0) + unit.altitude
    return max((field.elevation_at(square) for square in unit.squares if square in field), default=0) + unit.altitude


def carried_to(field: Battlefield, unit: Unit, square: Square) -> Unit:
    """The unit on another square of its path. A flyer keeps the height of its feet above the map's zero."""
    there = replace(unit, at=square)
    if unit.altitude:
        ground = feet(field, replace(there, altitude=0))
        there = replace(there, altitude=max(0, feet(field, unit) - ground))
    return there


def new_altitude(field: Battlefield, unit: Unit, path: Sequence[Square]) -> Height | None:
    """Altitude of a unit above the ground where its path ends; None where that is the altitude it begins with."""
    there = carried_to(field, unit, path[-1]).altitude
    return None if there == unit.altitude else there


def aside(unit: Unit, other: Unit) -> int:
    """Degrees between a unit's facing and the line to another."""
    return degrees_aside(unit.facing, Body(unit.at, unit.size), Body(other.at, other.size))


def beside(battle: Battle, unit: Unit) -> list[Unit]:
    """Others next to a unit that are in the fight, friend and foe."""
    at, size = unit.at, unit.size
    return [
        other
        for other in battle.units.values()
        if -other.size <= other.at.column - at.column <= size  # most are far off, and that is soon seen
        and -other.size <= other.at.row - at.row <= size
        and not other.is_defeated
        and is_adjacent(battle.field, unit, other)
    ]


def adjacent_enemies(battle: Battle, unit: Unit) -> list[Unit]:
    """Enemies next to a unit that are in the fight."""
    return [other for other in beside(battle, unit) if unit.is_enemy_of(other)]


def is_adjacent(field: Battlefield, one: Unit, other: Unit) -> bool:
    """Whether two units are within arm's reach: neighbouring squares, no wall between, feet within a body's height."""
    columns, rows = gap(one, other)
    if max(columns, rows) > 1 or one.id == other.id:
        return False
    reach = max(one.body(field).height, other.body(field).height)
    if abs(feet(field, one) - feet(field, other)) >= max(reach, 1):
        return False
    return not _walled_off(field, one, other)


def is_in_leap(field: Battlefield, one: Unit, other: Unit) -> bool:
    """Whether one leap takes a unit to another: adjacent, or one square apart with a free path.

    The way is straight and at the height of the leaping unit's feet. What bars a step bars the leap: walls, closed
    doors, solid things. A pit does not, nor what is walked over.
    """
    columns, rows = gap(one, other)
    if max(columns, rows) != 2:
        return is_adjacent(field, one, other)
    for direction in Direction:
        there = replace(one, at=one.at.step(direction))
        height = max(feet(field, one), feet(field, there)) + 1  # just over a pit
        leap = MoveRules(size=one.size, flies=True, feet=height)
        is_straight = gap(there, other) == (columns - abs(direction.dx), rows - abs(direction.dy))
        if not is_straight or refusal(field, one.at, direction, leap):
            continue
        rise = feet(field, there) - feet(field, one)
        if rise < one.body(field).height:
            there = replace(there, altitude=there.altitude + max(0, -rise))
            if is_adjacent(field, there, other):
                return True
    return False


def _walled_off(field: Battlefield, one: Unit, other: Unit) -> bool:
    """Whether something closed stands between all of the squares where the two would touch."""
    return not any(_touches(field, here, there) for here in one.squares for there in other.squares)


def _touches(field: Battlefield, here: Square, there: Square) -> bool:
    columns, rows = abs(there.column - here.column), abs(there.row - here.row)
    if columns == rows == 1:
        corners = (Square(there.column, here.row), Square(here.column, there.row))
        return any(
            corner in field
            and not field.ground_at(corner).blocks_movement
            and _touches(field, here, corner)
            and _touches(field, corner, there)
            for corner in corners
        )
    if columns + rows > 1:
        return False
    if here not in field or there not in field or here == there:
        return here == there
    barrier = field.barriers.get(edge_of(here, Direction.of(there.column - here.column, there.row - here.row)))
    return barrier is None or barrier.is_open or not barrier.blocks_movement
