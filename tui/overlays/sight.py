"""Field-of-view overlays: how much of a standing person the unit or an observer at the cursor sees."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.battle.facts import bodies_in_the_way
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.body import Body, body
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.values import replace
from tui.board.overlay import TintGrid
from tui.focus.focus import Focus
from tui.overlays.shading import Shading
from tui.overlays.visibility_counts import KINDS, survey, survey_words

NEAR = 60
"""Squares checked in each direction from the cursor; farther squares count as not visible."""


def seen_by_unit(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """Shades each square by how much of a standing person the unit sees there."""
    unit = battle.units[focus.unit]
    return _seen(battle, unit.body(battle.field), f"{unit.name} sees", signs)


def reached_by_unit(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """Shades each square by how much of a standing person the unit's shots reach there."""
    unit = battle.units[focus.unit]
    return _seen(battle, unit.body(battle.field), f"{unit.name}'s shots reach", signs, of_shots=True)


def seen_from_cursor(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """Shades each square by how much of a standing person the unit would see from the cursor's square."""
    unit = battle.units.get(focus.unit)
    observer = body(focus.cursor, battle.field.unit, sight=battle.field.sight)
    if unit is not None:
        observer = replace(unit.body(battle.field), at=_within(battle, focus.cursor, unit.size))
    return _seen(
        battle, observer, f"An observer on {focus.cursor.name} sees", signs, but=[unit] if unit else [], most=NEAR
    )


def _within(battle: Battle, square: Square, size: int) -> Square:
    """The nearest square where a unit of this size is on the map."""
    return Square(min(square.column, battle.field.columns - size), min(square.row, battle.field.rows - size))


def _seen(
    battle: Battle,
    observer: Body,
    who: str,
    signs: Mapping[str, str],
    *,
    but: Collection[Unit] = (),
    of_shots: bool = False,
    most: int | None = None,
) -> Shading:
    field = battle.field
    others = bodies_in_the_way(battle, but)
    found = survey(field, observer, of_shots=of_shots, reach=most, obstacles=others)
    is_cut = most is not None and most < max(field.columns, field.rows)
    within = f" Checked up to {most} squares away." if is_cut else ""
    return Shading(TintGrid(KINDS, found.kinds.tobytes(), field.columns), survey_words(found, who, signs) + within)
