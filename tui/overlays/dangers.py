"""Squares to think twice about: next to an enemy, or in smoke in the rounds to come."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.attacks.reactions import threatened
from engine.battle.state.battle import Battle
from engine.battle.wording import COMPASS_WORDS
from engine.context import Cache
from engine.geometry.blast.smoke_clouds import forecast
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from tui.board.overlay import SCALE
from tui.focus.focus import Focus
from tui.overlays.shading import Shading

AHEAD = 5
"""Rounds that smoke is foretold for, the present one counted."""

SOON: Cache[tuple[tuple[int, ...], ...]] = Cache(1)
"""The forecast of the battle looked at last, for while the cursor goes about."""


def threats(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """Where the unit would stand next to an enemy."""
    unit = battle.units[focus.unit]
    tints = {square: "blocked" for square in threatened(battle, unit) if square in battle.field}
    return Shading(tints, f"Squares where {unit.name} would be next to an enemy: {signs['blocked']}.")


def smoke(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """In how many of the next rounds there is smoke on each square, and in which of them on the cursor's."""
    layers = SOON.get(
        (battle,), None, lambda: forecast(battle.bare_field, battle.scene.clouds, battle.scene.wind, AHEAD - 1)
    )
    tints: dict[Square, str] = {}
    for place, square in enumerate(battle.field.squares()):
        rounds = sum(layer[place] > 0 for layer in layers)
        if rounds:
            tints[square] = SCALE[min(rounds, len(SCALE)) - 1]
    if not tints:
        return Shading(words="There is no smoke, and none is coming.")
    now = max(1, battle.turns.round)
    place = battle.field.index(focus.cursor)
    when = [str(now + ahead) for ahead, layer in enumerate(layers) if layer[place]]
    here = f"smoke in round {', '.join(when)}" if when else "no smoke"
    scale = ", ".join(f"{signs[tint]} {number}" for number, tint in enumerate(SCALE, 1))
    words = f"{focus.cursor.name}: {here}. Shaded: in how many of rounds {now} to {now + AHEAD - 1}: {scale}."
    if battle.scene.wind:
        stays = "; the map's own smoke stays" if any(battle.bare_field.smoke) else ""
        words += f" Wind {COMPASS_WORDS[battle.scene.wind.towards.name]} drifts the smoke that was laid{stays}."
    return Shading(tints, words)
