"""Overlays of squares next to an enemy and of smoke in the next rounds."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.attacks.reactions import threatened
from engine.battle.state.battle import Battle
from engine.battle.wording import COMPASS_WORDS
from engine.context import Cache
from engine.geometry.blast.smoke_clouds import forecast
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from tui.application.focus.focus import Focus
from tui.application.overlays.markings import SCALE
from tui.application.overlays.overlay_tints import OverlayTints

AHEAD = 5
"""Rounds of the smoke forecast, with the present one."""

SOON: Cache[tuple[tuple[int, ...], ...]] = Cache(1)
"""The forecast of the last battle, for when only the cursor moves."""


def threats(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints the squares next to an enemy of the unit."""
    unit = battle.units[focus.unit]
    tints = {square: "blocked" for square in threatened(battle, unit) if square in battle.field}
    return OverlayTints(tints, f"Squares next to an enemy of {unit.name}: {signs['blocked']}.")


def smoke(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by its number of rounds with smoke, and lists the rounds for the cursor's square."""
    layers = SOON.get(
        (battle,), None, lambda: forecast(battle.bare_field, battle.scene.clouds, battle.scene.wind, AHEAD - 1)
    )
    tints: dict[Square, str] = {}
    for place, square in enumerate(battle.field.squares()):
        rounds = sum(layer[place] > 0 for layer in layers)
        if rounds:
            tints[square] = SCALE[min(rounds, len(SCALE)) - 1]
    if not tints:
        return OverlayTints(words="No smoke now or in the next rounds.")
    now = max(1, battle.turns.round)
    place = battle.field.index(focus.cursor)
    when = [str(now + ahead) for ahead, layer in enumerate(layers) if layer[place]]
    here = f"smoke in round {', '.join(when)}" if when else "no smoke"
    scale = ", ".join(f"{signs[tint]} {number}" for number, tint in enumerate(SCALE, 1))
    words = f"{focus.cursor.name}: {here}. Overlay: rounds with smoke, of rounds {now} to {now + AHEAD - 1}: {scale}."
    if battle.scene.wind:
        stays = "; the map's own smoke stays" if any(battle.bare_field.smoke) else ""
        words += f" The wind drifts new smoke {COMPASS_WORDS[battle.scene.wind.towards.name]}{stays}."
    return OverlayTints(tints, words)
