"""Squares to think twice about: next to an enemy, or in smoke in the rounds to come."""

from __future__ import annotations

from types import MappingProxyType

from engine.battle.battle import Battle
from engine.battle.reactions import threatened
from engine.battle.weather import COMPASS_WORDS
from engine.field.burst.clouds import forecast
from engine.field.squares import Square
from engine.rules.model import Ruleset
from tui.board.overlay import SCALE
from tui.focus import Focus
from tui.shadings.shading import Shading

AHEAD = 5
"""Rounds that smoke is foretold for."""


def threats(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """Where the unit would stand next to an enemy."""
    unit = battle.units[focus.unit]
    tints = {square: "blocked" for square in threatened(battle, unit) if square in battle.field}
    return Shading(MappingProxyType(tints), f"Squares where {unit.name} would be next to an enemy.")


def smoke(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """For how many of the next rounds there is smoke on each square, this one counted."""
    layers = forecast(battle.bare_field, battle.clouds, battle.wind, AHEAD - 1)
    tints: dict[Square, str] = {}
    for place, square in enumerate(battle.field.squares()):
        rounds = sum(layer[place] > 0 for layer in layers)
        if rounds:
            tints[square] = SCALE[min(rounds, len(SCALE)) - 1]
    if not tints:
        return Shading(words="There is no smoke, and none is coming.")
    wind = f" The wind drifts it {COMPASS_WORDS[battle.wind.towards.name]}." if battle.wind else ""
    return Shading(MappingProxyType(tints), f"Smoke in the next {AHEAD} rounds, more of them brighter.{wind}")
