"""Which units a side sees: the part of fog of war that letters and views both ask for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from engine.battle.facts import has_numpy
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.los.lighting import DARK, lit
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
    others = [unit for unit in battle.units.values() if unit.side != side and not unit.is_hidden and unit.id not in but]
    seen = are_seen(battle, side, [unit.body(battle.field) for unit in others])
    return [unit for unit, is_seen in zip(others, seen, strict=True) if is_seen]


def are_seen(battle: Battle, side: str, others: Sequence[Body]) -> list[bool]:
    """Whether a unit of this side sees each of some bodies now."""
    known = sight_on(battle.field)
    eyes = [unit.body(known.field) for unit in eyes_of(battle, side)]
    if not has_numpy():
        return [any(sees_body(known.field, eye, other) for eye in eyes) for other in others]
    new = [other for other in others if any((eye, other) not in known.pairs for eye in eyes)]
    if new:
        from engine.geometry.los.field_of_view import between

        found = between(known.field, eyes, new).visible > 0
        known.pairs.update(
            ((eye, other), bool(found[row, column]) and _is_lit(known.field, eye, other))
            for row, eye in enumerate(eyes)
            for column, other in enumerate(new)
        )
    return [any(known.pairs[eye, other] for eye in eyes) for other in others]


def sees_body(field: Battlefield, eye: Body, other: Body) -> bool:
    """Whether somebody sees another: the line is free, and the other is lit or adjacent."""
    return _is_lit(field, eye, other) and trace(field, eye, other).can_see


def _is_lit(field: Battlefield, eye: Body, other: Body) -> bool:
    levels = lit(field)
    return eye.is_next_to(other) or any(levels[field.index(square)] > DARK for square in other.squares)


def sight_on(field: Battlefield) -> SeatSight:
    """The cached sight on a field."""
    layers = (field.legend, field.ground, field.elevation, field.smoke, field.light, field.barriers, field.lamps)

    def fresh() -> SeatSight:
        obscured = field if field.smoke_opacity.obscures else replace(field, smoke_opacity=FOG_SMOKE)
        return SeatSight(obscured, {}, {})

    return _looked.get((*layers, field.smoke_opacity, field.sight), field.unit, fresh)
