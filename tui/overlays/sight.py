"""What the unit in focus sees, or would see from the cursor's square: whole, half or more, less, or not at all."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle.state.battle import Battle
from engine.geometry.body import Body, body
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.values import replace
from tui.board.overlay import TintGrid
from tui.focus.focus import Focus
from tui.overlays.shading import Shading
from tui.overlays.visibility_counts import KINDS, survey, survey_words

NEAR = 60
"""Squares looked at in each direction while the cursor leads; farther ones count as unseen."""


def seen_by_unit(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """How much the unit sees of somebody standing on each square."""
    unit = battle.units[focus.unit]
    return _seen(battle, unit.body(battle.field.unit), f"{unit.name} sees", signs)


def reached_by_unit(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """How much of somebody standing on each square a shot of the unit's would reach: what cover there is worth."""
    unit = battle.units[focus.unit]
    return _seen(battle, unit.body(battle.field.unit), f"{unit.name}'s shots reach", signs, of_shots=True)


def seen_from_cursor(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """The same from the cursor's square, in the unit's posture, as if it stood there."""
    unit = battle.units.get(focus.unit)
    observer = body(focus.cursor, battle.field.unit)
    if unit is not None:
        observer = replace(unit.body(battle.field.unit), at=_within(battle, focus.cursor, unit.size))
    return _seen(battle, observer, f"Seen from {focus.cursor.name}:", signs, most=NEAR)


def _within(battle: Battle, square: Square, size: int) -> Square:
    """The nearest square where a footprint lies on the map."""
    return Square(min(square.column, battle.field.columns - size), min(square.row, battle.field.rows - size))


def _seen(
    battle: Battle,
    observer: Body,
    who: str,
    signs: Mapping[str, str],
    *,
    of_shots: bool = False,
    most: int | None = None,
) -> Shading:
    field = battle.field
    found = survey(field, observer, of_shots=of_shots, reach=most)
    is_cut = most is not None and most < max(field.columns, field.rows)
    within = f" Looked {most} squares far." if is_cut else ""
    return Shading(TintGrid(KINDS, found.kinds.tobytes(), field.columns), survey_words(found, who, signs) + within)
