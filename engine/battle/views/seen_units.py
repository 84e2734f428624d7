"""Which units a side sees: the part of fog of war that letters and views both ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.los.sight import trace
from engine.geometry.squares import Square
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace

FOG_SMOKE = SmokeOpacity(ends_sight=2)
"""How smoke obscures what a seat sees, unless the rules say otherwise."""


class SeatSight(Struct, frozen=True):
    """Cached sight on one field: the squares that a body sees, and whether one body sees another."""

    field: Battlefield
    """With the smoke of FOG_SMOKE where the rules have none of their own."""
    squares: dict[Body, frozenset[Square]]
    pairs: dict[tuple[Body, Body], bool]


_looked: Cache[SeatSight] = Cache(4)


def eyes_of(battle: Battle, side: str) -> list[Unit]:
    """The units of a side that look round: those in the fight that are not hidden."""
    return [unit for unit in battle.units.values() if unit.side == side and not unit.is_hidden and not unit.is_defeated]


def seen_others(battle: Battle, side: str, but: Collection[str] = ()) -> list[Unit]:
    """Units of other sides that a unit of this side sees now, except some that are not checked."""
    field, is_seen = sight_on(battle.field).field, sight_of(battle, side)
    others = (unit for unit in battle.units.values() if unit.side != side and not unit.is_hidden and unit.id not in but)
    return [unit for unit in others if is_seen(unit.body(field))]


def sight_of(battle: Battle, side: str) -> Callable[[Body], bool]:
    """What says whether a unit of this side sees a body now."""
    known = sight_on(battle.field)
    field, pairs = known.field, known.pairs
    eyes = [unit.body(field) for unit in eyes_of(battle, side)]

    def sees(eye: Body, other: Body) -> bool:
        if (eye, other) not in pairs:
            pairs[eye, other] = sees_body(field, eye, other)
        return pairs[eye, other]

    def is_seen(other: Body) -> bool:
        """Asks whoever is known to see it, then the nearest, who sees most: so few lines are traced."""
        eyes.sort(key=lambda eye: (not pairs.get((eye, other), False), _far(eye, other)))
        return any(sees(eye, other) for eye in eyes)

    return is_seen


def _far(eye: Body, other: Body) -> int:
    return max(abs(eye.at.column - other.at.column), abs(eye.at.row - other.at.row))


def sees_body(field: Battlefield, eye: Body, other: Body) -> bool:
    """Whether somebody sees another: the line is free, and the other is lit or adjacent."""
    found = trace(field, eye, other)
    is_lit = found.light != "dark" or max(found.columns_apart, found.rows_apart) <= 1
    return found.can_see and is_lit


def sight_on(field: Battlefield) -> SeatSight:
    """The cached sight on a field."""
    layers = (field.legend, field.ground, field.elevation, field.smoke, field.light, field.barriers, field.lamps)

    def fresh() -> SeatSight:
        obscured = field if field.smoke_opacity.obscures else replace(field, smoke_opacity=FOG_SMOKE)
        return SeatSight(obscured, {}, {})

    return _looked.get((*layers, field.smoke_opacity, field.sight), field.unit, fresh)
