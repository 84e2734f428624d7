"""Field-of-view overlays: how much of a standing person the unit or an observer at the cursor sees.

They are computed for the squares on the screen, and again when those change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.battle.facts import bodies_in_the_way
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.body import Body, body
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.text import upper_first
from engine.values import replace
from tui.application.focus.focus import Focus
from tui.application.overlays.markings import TintGrid
from tui.application.overlays.overlay_tints import OverlayTints
from tui.application.overlays.visibility_counts import KINDS, MOST_TRACED, survey, survey_words

SLOW = "More squares follow: sight is slow here, “battleboard doctor” says why."


def seen_by_unit(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by how much of a standing person the unit sees there."""
    unit = battle.units[focus.unit]
    return _seen(focus, battle, unit.body(battle.field), f"{upper_first(unit.name)} sees", signs)


def reached_by_unit(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by how much of a standing person the unit's shots reach there."""
    unit = battle.units[focus.unit]
    return _seen(
        focus, battle, unit.body(battle.field), f"{upper_first(unit.name)}'s shots reach", signs, of_shots=True
    )


def seen_from_cursor(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints each square by how much of a standing person the unit would see from the cursor's square."""
    unit = battle.units.get(focus.unit)
    observer = body(focus.cursor, battle.field.unit, sight=battle.field.sight)
    if unit is not None:
        observer = replace(unit.body(battle.field), at=_within(battle, focus.cursor, unit.size))
    return _seen(focus, battle, observer, f"An observer on {focus.cursor.name} sees", signs, but=[unit] if unit else [])


def _within(battle: Battle, square: Square, size: int) -> Square:
    """The nearest square where a unit of this size is on the map."""
    return Square(min(square.column, battle.field.columns - size), min(square.row, battle.field.rows - size))


def _seen(
    focus: Focus,
    battle: Battle,
    observer: Body,
    who: str,
    signs: Mapping[str, str],
    *,
    but: Collection[Unit] = (),
    of_shots: bool = False,
) -> OverlayTints:
    field = battle.field
    others = bodies_in_the_way(battle, but)
    found = survey(field, observer, of_shots=of_shots, within=focus.shown, obstacles=others, most=MOST_TRACED)
    which = f" {SLOW}" if found.has_more else " Only squares on the screen are counted." if found.is_part else ""
    return OverlayTints(
        TintGrid((*KINDS, ""), found.kinds.tobytes(), field.columns),
        survey_words(found, who, signs) + which,
        has_more=found.has_more,
    )
