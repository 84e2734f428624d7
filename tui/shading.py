"""From the focus to what lies over the board: line of fire, range bands, reach, the planned way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from engine.battle.attacking import Shot
from engine.battle.battle import Battle
from engine.battle.draft import refuse_unless_turn
from engine.battle.moving import Range, movement_range, strides
from engine.battle.ranges import bands_in_words, range_bands
from engine.battle.units import Unit
from engine.errors import BattleboardError, Illegal
from engine.field.squares import Square
from engine.rules.model import Ruleset
from tui.board.overlay import Overlay
from tui.focus import Focus

BAND_TINTS = 5
REACH_TINTS = ("reach-1", "reach-2")


@dataclass(frozen=True, slots=True)
class Shading:
    """Tints on the ground, and where the unit in focus can go when that is what they show."""

    tints: Mapping[Square, str]
    reach: Range | None = None


PLAIN = Shading(MappingProxyType({}))


def shade(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """The shading for a focus; it stays the same while only the cursor moves."""
    if focus.unit not in battle.units:
        return PLAIN
    if focus.shading == "range":
        return Shading(MappingProxyType(_ranges(focus, battle, rules)))
    if focus.shading == "reach":
        try:
            return _reach(battle, rules, battle.units[focus.unit], focus.move)
        except Illegal:
            return PLAIN
    return PLAIN


def overlay_of(focus: Focus, shot: Shot | str | None, shading: Shading) -> Overlay:
    """What the board lays over the ground."""
    overlay = Overlay(cursor=focus.cursor, selected=focus.unit, target=focus.target, tints=shading.tints)
    if isinstance(shot, Shot):
        trace = shot.situation.trace
        blocker = None if trace.can_see else trace.first_blocker
        stop = (blocker.edge or blocker.square) if blocker else None
        overlay = replace(overlay, line=shot.situation.trace.squares, stop=stop)
    if shading.reach is None or focus.cursor not in shading.tints or focus.cursor == shading.reach.start:
        return overlay
    return replace(overlay, path=shading.reach.path(focus.cursor))


def _ranges(focus: Focus, battle: Battle, rules: Ruleset) -> dict[Square, str]:
    try:
        found = range_bands(battle, rules, battle.units[focus.unit], focus.weapon, focus.action)
    except BattleboardError:
        return {}
    return {square: f"band-{min(index, BAND_TINTS - 1)}" for square, index in found.items()}


def _reach(battle: Battle, rules: Ruleset, unit: Unit, move: str) -> Shading:
    found = movement_range(battle, rules, unit, move)
    tints: dict[Square, str] = {}
    for index, reach in enumerate(found.reaches):
        tint = REACH_TINTS[min(index, len(REACH_TINTS) - 1)]
        for square in reach.costs:
            tints.setdefault(square, tint)
    return Shading(MappingProxyType(tints), found)


def shading_words(focus: Focus, battle: Battle, rules: Ruleset) -> str:
    """What the shading means, for the verdict line; "" for none."""
    unit = battle.units.get(focus.unit)
    if unit is None or focus.shading == "plain":
        return ""
    if focus.shading == "range":
        try:
            bands = bands_in_words(battle, rules, unit, focus.weapon, focus.action)
        except BattleboardError as reason:
            return str(reason)
        return f"Shaded near to far: {bands}." if bands else "No range bands for this attack."
    try:
        refuse_unless_turn(battle, unit, rules)
    except Illegal as reason:
        return str(reason)
    found = strides(battle, rules, unit, focus.move)
    ways = [f"{way.action.label.lower()} {float(way.squares):g} squares" for way in found]
    return f"Shaded: {', '.join(ways)}." if ways else f"{unit.name} has no move left this turn."
