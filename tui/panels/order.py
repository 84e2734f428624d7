"""The order: who acts when, with what matters of each at a glance."""

from __future__ import annotations

from textual.content import Content

from engine.battle.projection import UnitView, View
from tui.text import fit, join, lines, plain, side_style

STATE = 8


def order_text(view: View, selected: str, target: str, width: int, height: int) -> Content:
    """One row for each unit in the order; the active one marked, those out of the fight struck out.

    When not all fit, the rows round the active one are shown.
    """
    if not view.order:
        return plain("The order is not rolled yet. i rolls it.", "$muted")
    units = [view.unit(unit_id) for unit_id in view.order]
    start = 0
    if len(units) > height > 0:
        position = next((i for i, unit in enumerate(units) if unit.is_active), 0)
        start = max(0, min(position - height // 2, len(units) - height))
        units = units[start : start + height]
    return lines(_row(unit, selected, target, width) for unit in units)


def _row(unit: UnitView, selected: str, target: str, width: int) -> Content:
    mark = "▸" if unit.is_active else " "
    aim = "◎" if unit.id == target else "•" if unit.id == selected else " "
    score = "" if unit.initiative is None else str(unit.initiative)
    first = unit.pools[0] if unit.pools else None
    wounds = f"{first.now}/{first.full}" if first else ""
    state = "out" if unit.is_defeated else " ".join(mark for mark, _ in unit.conditions)
    if not state and unit.posture != "standing":
        state = unit.posture
    name_room = max(6, width - 15 - STATE)
    style = "strike $muted" if unit.is_defeated else "bold" if unit.is_active else ""
    return join(
        [
            plain(f"{mark}{aim}", "bold"),
            plain(f"{unit.letter} ", side_style(unit)),
            plain(fit(unit.name, name_room), style),
            plain(f"{score:>3} "),
            plain(f"{wounds:>6} "),
            plain(fit(state, STATE), "$warn"),
        ]
    )
