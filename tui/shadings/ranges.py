"""Range bands of the attack in focus, near to far."""

from __future__ import annotations

from types import MappingProxyType

from engine.battle.battle import Battle
from engine.battle.ranges import bands_in_words, range_bands
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from tui.board.overlay import BANDS
from tui.focus import Focus
from tui.shadings.shading import Shading


def ranges(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """Each square by the band that an attack from here would fall into."""
    unit = battle.units[focus.unit]
    try:
        found = range_bands(battle, rules, unit, focus.weapon, focus.action)
        bands = bands_in_words(battle, rules, unit, focus.weapon, focus.action)
    except BattleboardError as reason:
        return Shading(words=str(reason))
    tints = {square: BANDS[min(index, len(BANDS) - 1)] for square, index in found.items()}
    words = f"Shaded near to far: {bands}." if bands else "No range bands for this attack."
    return Shading(MappingProxyType(tints), words)
