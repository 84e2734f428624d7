"""Forced descents of a unit, and whether a descent is a fall."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.distances import feet, height_on_map
from engine.battle.event_builder import EventBuilder
from engine.geometry.movement.fall_height import fall
from engine.rules.model import Number


def sink(draft: EventBuilder, unit_id: str, distance: Number, *, falls: bool) -> None:
    """Descends a unit in the air, in the ruleset's unit, at most to the ground or to what stands there.

    Where it `falls`, coming to rest there is a fall of what it sank.
    """
    unit, field = draft.battle.unit(unit_id), draft.battle.field
    height = height_on_map(draft.battle.field, draft.rules, distance)
    if unit.altitude <= 0 or height <= 0:
        return
    room = fall(field, unit.at, unit.size, feet(field, unit))
    sunk = min(height, room)
    is_down = sunk == room
    is_on_top = any(field.ground_at(square).blocks_movement for square in unit.squares)
    after = unit.altitude - sunk if not is_down or is_on_top else 0
    is_fall = falls and is_down and sunk > 0
    if after != unit.altitude:
        draft.add(ev.AltitudeChanged(unit.id, unit.altitude, after, is_fall))
    if is_fall:
        draft.add(ev.UnitFell(unit.id, sunk))
