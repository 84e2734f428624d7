"""Deployment: on which squares units stand that are added in a zone, or around a square. Pure; the best square first.

In a zone: squares with cover towards the middle of the map come first, then those nearest to the zone's first square;
none in water, none that cannot be reached from the rest of the zone. Around a square: those in a block of 6 by 4
squares first, then the nearest. Whoever finds no square in the zone stands around the best one of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import permutations
from operator import or_

from msgspec import Struct

from engine.battle.moves.movement_modes import move_rules
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import Unknown
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.movement.bitboard import Shapes, moved, sorted_out
from engine.geometry.movement.reach import reach
from engine.geometry.squares import ORTHOGONAL, Direction, Square, edge_of
from engine.geometry.zones import AMBUSH, START, StartZone
from engine.rules.model import Ruleset
from engine.values import replace

BLOCK = (6, 4)
"""Columns and rows that a side takes where a map has no zones."""
FAR = 60
"""Squares of a walk beyond which a place counts as cut off, in a zone besides a walk around it."""
WATER = ("shallow water", "deep water")
"""Terrain of maps that nobody is put into."""


class StartingPlace(Struct, frozen=True):
    """Where units are added: around a square, or in a start zone by its id."""

    at: Square
    zone: str = ""


def zone_called(field: Battlefield, id: str) -> StartZone:
    """The zone of that id; capitals do not matter.

    Raises:
        Unknown: the map has none; the message names the nearest.
    """
    found = next((zone for zone in field.zones if zone.id.casefold() == id.casefold()), None)
    if found is None:
        raise Unknown("zone", id, [zone.id for zone in field.zones])
    return found


def usual_zone(field: Battlefield, *, is_party: bool = False, is_hidden: bool = False) -> StartZone | None:
    """Where a side starts if nobody says: a party in the first start zone, opponents in the second, those who hide in
    the first ambush zone; None where the map has no such zone."""
    starts = [zone for zone in field.zones if zone.kind == START]
    ambushes = [zone for zone in field.zones if zone.kind == AMBUSH]
    if is_hidden and ambushes:
        return ambushes[0]
    return next(iter(starts if is_party else starts[1:]), None)


def usual_square(field: Battlefield, *, is_party: bool = False) -> Square:
    """Around which square a side starts on a map without zones: near the middle of the west, or north, end for a party,
    of the other end for its opponents."""
    across, down = BLOCK
    if field.columns >= field.rows:
        column = min(across // 2, field.columns // 2)
        return Square(column if is_party else field.columns - 1 - column, field.rows // 2)
    row = min(down // 2, field.rows // 2)
    return Square(field.columns // 2, row if is_party else field.rows - 1 - row)


def usual_place(
    field: Battlefield, square: Square | None = None, *, is_party: bool = False, is_hidden: bool = False
) -> StartingPlace:
    """Where units start if nobody says: in their usual zone; without one around a square, or at their end of the map.

    Args:
        field: the map.
        square: the cursor's; None for none.
        is_party: whether it is a party, or its opponents.
        is_hidden: whether they hide.
    """
    zone = usual_zone(field, is_party=is_party, is_hidden=is_hidden)
    if zone is not None:
        return StartingPlace(zone.squares[0], zone.id)
    return StartingPlace(square or usual_square(field, is_party=is_party))


def squares_in(battle: Battle, rules: Ruleset, unit: Unit, zone: StartZone) -> Sequence[Square]:
    """Squares of a zone on which a unit may start, the best first; whether somebody stands there is not asked."""
    field, inside = battle.field, zone.squares
    first, within = inside[0], frozenset(inside)
    whole = [at for at in inside if all(part in within for part in replace(unit, at=at).squares)]
    dry = whole if unit.altitude else [at for at in whole if _is_dry(field, at)]
    best = dry if unit.altitude else _largest_part(battle, rules, unit, dry)
    return sorted(best, key=lambda at: (not has_cover(field, at), *_far(first, at)))


def squares_around(battle: Battle, rules: Ruleset, unit: Unit, centre: Square) -> Iterator[Square]:
    """Squares that one can walk to from a centre, the best first; a flyer's as the crow flies.

    They are found as they are asked for: the nearest squares of a large map cost no list of all of them.
    """
    field = battle.field
    if unit.altitude:
        yield from _rings(field, centre)
        return
    is_joined = _joined_to(field, centre)
    if field.ground_at(centre).blocks_movement:
        yield from filter(is_joined, _rings(field, centre))
        return
    near, is_wet = _reached(battle, rules, unit, centre, FAR), not _is_dry(field, centre)
    best = {at for at in near if is_joined(at) and (is_wet or _is_dry(field, at))}

    def rank(at: Square) -> tuple[bool, int, int, int, int]:
        return not is_in_block(centre, at), *_far(centre, at)

    yield from sorted(best, key=rank)
    yield from sorted((at for at in field.squares() if at not in best and is_joined(at)), key=rank)


def is_in_block(centre: Square, at: Square) -> bool:
    """Whether a square is in the block of 6 by 4 squares around another."""
    across, down = BLOCK
    columns, rows = at.column - centre.column, at.row - centre.row
    return -(across // 2) <= columns < across - across // 2 and -(down // 2) <= rows < down - down // 2


def has_cover(field: Battlefield, at: Square) -> bool:
    """Whether something that one can shoot over or through gives cover on a square, towards the middle of the map."""
    centre = Square(field.columns // 2, field.rows // 2)
    towards = Direction.towards(at, centre) if at != centre else Direction.N
    for direction in ORTHOGONAL:
        if direction.dx * towards.dx + direction.dy * towards.dy <= 0:
            continue
        barrier = field.barriers.get(edge_of(at, direction))
        if barrier is not None and barrier.cover and (barrier.top < SKY or barrier.sill is not None):
            return True
        beside = at.step(direction)
        if beside in field and field.ground_at(beside).cover and field.ground_at(beside).height < SKY:
            return True
    return False


def _is_dry(field: Battlefield, at: Square) -> bool:
    return field.ground_at(at).terrain not in WATER


def _far(centre: Square, at: Square) -> tuple[int, int, int, int]:
    columns, rows = abs(at.column - centre.column), abs(at.row - centre.row)
    return max(columns, rows), columns + rows, at.row, at.column


def _largest_part(battle: Battle, rules: Ruleset, unit: Unit, squares: Sequence[Square]) -> Sequence[Square]:
    """Those of some squares that can be reached from each other: the most, of as many the first."""
    left = [at for at in squares if not battle.field.ground_at(at).blocks_movement]
    best: Sequence[Square] = ()
    columns, rows = {at.column for at in left}, {at.row for at in left}
    budget = FAR + 4 * (len(columns) + len(rows))
    while len(left) > len(best):
        near = _reached(battle, rules, unit, left[0], budget)
        part = [at for at in left if at in near]
        best = part if len(part) > len(best) else best
        left = [at for at in left if at not in near]
    return best


def _reached(battle: Battle, rules: Ruleset, unit: Unit, start: Square, budget: int) -> frozenset[Square]:
    """Squares that a unit can walk to and back from: it opens doors."""
    field = battle.field
    if any(square not in field for square in replace(unit, at=start).squares):
        return frozenset()
    how = move_rules(battle, rules, unit)
    how = replace(how, occupied={}, door_cost=Fraction(0))
    return frozenset({start, *reach(field, start, budget, how).costs})


def _rings(field: Battlefield, centre: Square) -> Iterator[Square]:
    """Every square of the map, the nearest to a centre first."""
    columns, rows = range(field.columns), range(field.rows)
    for far in range(max(field.columns, field.rows)):
        ring = {
            Square(centre.column + across, centre.row + down)
            for along in range(-far, far + 1)
            for across, down in ((along, -far), (along, far), (-far, along), (far, along))
            if centre.column + across in columns and centre.row + down in rows
        }
        yield from sorted(ring, key=lambda at: _far(centre, at))


def _joined_to(field: Battlefield, centre: Square) -> Callable[[Square], bool]:
    """Whether squares are joined to a centre without a wall or an obstacle between them, whatever their heights."""
    shapes, outside = Shapes(field.columns, field.rows), -1
    kinds = {kind: None if ground.blocks_movement else True for kind, ground in enumerate(field.legend)}
    free = sorted_out(shapes.padded(field.ground, outside), {**kinds, outside: None}).get(True, 0)
    walls: dict[Direction, list[Square]] = {direction: [] for direction in ORTHOGONAL}
    for edge, barrier in field.barriers.items():
        if barrier.blocks_movement and not barrier.is_open:
            for here, there in permutations(edge.squares):
                walls[Direction.towards(here, there)].append(there)
    entered = [(shapes.bits(direction), free & ~shapes.of(ends)) for direction, ends in walls.items()]
    found = front = shapes.of([centre])
    while front:
        front = reduce(or_, (moved(front, bits) & ends for bits, ends in entered)) & ~found
        found |= front
    joined, stride = found.to_bytes(shapes.width * (shapes.rows + 1), "little"), shapes.stride

    def is_joined(at: Square) -> bool:
        place = at.row * stride + at.column
        return bool(joined[place >> 3] >> (place & 7) & 1)

    return is_joined
