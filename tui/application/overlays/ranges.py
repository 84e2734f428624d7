"""Overlay of the range bands of the attack in focus."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.attacks.range_bands import band_ends, bands_in_words, range_bands
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from tui.application.focus.focus import Focus
from tui.application.overlays.markings import BANDS, Chip
from tui.application.overlays.overlay_tints import OverlayTints


def ranges(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by its range band."""
    unit = battle.units[focus.unit]
    try:
        found = range_bands(battle, rules, unit, focus.weapon, focus.action)
        bands = bands_in_words(battle, rules, unit, focus.weapon, focus.action)
        ends = band_ends(battle, rules, unit, focus.weapon, focus.action)
    except BattleboardError as reason:
        return OverlayTints(words=str(reason))
    tints = {square: _tint(index) for square, index in found.items()}
    named = ", ".join(f"{signs[_tint(index)]} {band}" for index, band in enumerate(bands))
    words = f"Range bands, near to far: {named}." if bands else "This attack has no range bands."
    chips = tuple(Chip(_tint(index), label, end) for index, (label, end) in enumerate(ends))
    return OverlayTints(tints, words, chips=chips)


def _tint(index: int) -> str:
    return BANDS[min(index, len(BANDS) - 1)]
