"""Overlay of the squares in reach: with the next move, with later moves, and with special moves."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.moves.movement_modes import MoveOptions
from engine.battle.moves.moves import movement_range, no_move_left, strides
from engine.battle.state.battle import Battle
from engine.battle.wording import squares
from engine.errors import Illegal
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Action, Ruleset
from engine.text import upper_first
from tui.application.focus.focus import Focus
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.overlay_tints import OverlayTints
from tui.application.overlays.overwatch import TINT, squares_watched

TINTS = ("reach-1", "reach-2")


def reach(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by the first move that reaches it."""
    unit = battle.units[focus.unit]
    if battle.is_set_up:
        return OverlayTints(words=with_keys(f"Set-up: {{battle.move}} on any square places {unit.name} there."))
    try:
        found = movement_range(battle, rules, unit, focus.move, MoveOptions(altitude=focus.altitude))
    except Illegal as reason:
        return OverlayTints(words=str(reason))
    tints: dict[Square, str] = {}
    ways: list[str] = []
    for stride, one in zip(found.strides, found.reaches, strict=True):
        tint = TINTS[min(len(ways), len(TINTS) - 1)]
        new = [square for square in one.costs if square not in tints]
        tints |= dict.fromkeys(new, tint)
        if set(new) - {unit.at}:  # skip a move that reaches no new square
            straight = " in one straight line" if stride.action.is_straight else ""
            ways.append(f"{signs[tint]} {stride.action.label.lower()}, {squares(stride.squares)}{straight}")
    watched = squares_watched(battle, rules, unit, (square for square in tints if square != unit.at))
    tints |= dict.fromkeys(watched, TINT)
    if not found.strides:
        return OverlayTints(tints, str(no_move_left(battle, rules, unit, focus.move)), found)
    words = f"In reach: {', then '.join(ways)}." if ways else f"{upper_first(unit.name)} can reach no other square."
    words += f" Under overwatch: {signs[TINT]}." if watched else ""
    if any(stride.action.is_at_round_end for stride in found.strides):
        words = f"A move is declared now and made at the end of the round. {words}"
    if focus.altitude not in (None, unit.altitude):
        way, height = "Climb" if focus.altitude > unit.altitude else "Descend", _height(focus.altitude, battle)
        keys = with_keys("{battle.move} here changes only the altitude; elsewhere it flies there, level")
        words = f"{way} to {height}: {keys}. {words}"
    elif others := [action.label.lower() for action in _by_name(focus, battle, rules)]:
        words += f" {with_keys('{battle.act} lists more moves:')} {', '.join(others)}."
    return OverlayTints(tints, words, found)


def moves_to(focus: Focus, battle: Battle, rules: Ruleset) -> list[Action]:
    """The special moves that reach the cursor's square."""
    unit, manner = battle.units[focus.unit], MoveOptions(altitude=focus.altitude)
    return [
        action
        for action in _by_name(focus, battle, rules)
        if movement_range(battle, rules, unit, action.id, manner).stride_to(focus.cursor) is not None
    ]


def _by_name(focus: Focus, battle: Battle, rules: Ruleset) -> list[Action]:
    """The special moves possible now: those that are not plain moves."""
    unit = battle.units[focus.unit]
    plain = {way.action.id for way in strides(battle, rules, unit)}
    moves = (action for action in rules.actions.values() if action.kind == "move" and action.id not in plain)
    return [action for action in moves if not focus.move and strides(battle, rules, unit, action.id)]


def _height(height: Height, battle: Battle) -> str:
    return f"{height / 100:g} {UNIT_SIGNS[battle.field.unit]}"
