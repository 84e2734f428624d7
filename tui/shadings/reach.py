"""Where the unit can go now: with its next move, and with those after it."""

from __future__ import annotations

from types import MappingProxyType

from engine.battle.battle import Battle
from engine.battle.modes import Manner
from engine.battle.moving import Stride, movement_range
from engine.errors import Illegal
from engine.field.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from tui.focus import Focus
from tui.shadings.shading import Shading

TINTS = ("reach-1", "reach-2")


def reach(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """Each square by the first move that leads there."""
    unit = battle.units[focus.unit]
    try:
        found = movement_range(battle, rules, unit, focus.move, Manner(altitude=focus.altitude))
    except Illegal as reason:
        return Shading(words=str(reason))
    tints: dict[Square, str] = {}
    for index, one in enumerate(found.reaches):
        tint = TINTS[min(index, len(TINTS) - 1)]
        for square in one.costs:
            tints.setdefault(square, tint)
    ways = [_told(way) for way in found.strides]
    if focus.altitude not in (None, unit.altitude):
        sign = UNIT_SIGNS[battle.field.unit]
        ways.append(f"after going to {focus.altitude / 100:g} {sign} above the ground")
    words = f"Shaded: {', '.join(ways)}." if ways else f"{unit.name} has no move left this turn."
    return Shading(MappingProxyType(tints), words, found)


def _told(way: Stride) -> str:
    squares = "1 square" if way.squares == 1 else f"{float(way.squares):g} squares"
    return f"{way.action.label.lower()} {squares}"
