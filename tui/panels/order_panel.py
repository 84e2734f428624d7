"""Turn order panel: one row for each unit or group, with score, first pool and state."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from engine.battle.views.view import UnitView, View
from tui.describe.styled_text import fit, join, lines, plain, side_style
from tui.keys.battle_keys import with_keys

MARKS, NAME, STATE = 2, 6, 8
"""Columns of the marks, least columns of a name, most columns of a state."""
Block = tuple[str, tuple[UnitView, ...]]
"""One place in the order: the group's name, "" for a single unit, and its units."""


def blocks(view: View) -> list[Block]:
    """The places in the turn order, a group's members together; in the set-up phase all units, side by side."""
    if not view.order:
        return [("", (unit,)) for unit in sorted(view.units, key=lambda unit: unit.side_index)]
    named = {members[0]: (name, members) for name, members in view.groups}
    inside = {unit_id for _, members in view.groups for unit_id in members[1:]}
    found: list[Block] = []
    for unit_id in view.order:
        if unit_id in named:
            name, members = named[unit_id]
            found.append((name, tuple(view.unit(one) for one in members)))
        elif unit_id not in inside:
            found.append(("", (view.unit(unit_id),)))
    return found


def order_text(view: View, selected: str, target: str, width: int, height: int) -> Content:
    """Renders one row for each unit or group; the active one is marked, those out of the fight are struck out.

    Different declared actions replace the postures.

    If not all fit, it shows the rows around the active one, with the number of those above and below.
    """
    if view.is_curtain:
        return plain("The Game Master is setting up.", "$muted")
    if not view.units:
        return plain(with_keys("Nobody is on the map yet. {battle.table} adds units."), "$muted")
    rows: list[tuple[Content, bool]] = []
    declares = len({view.unit(unit_id).declared for unit_id in view.order}) > 1
    for name, units in blocks(view):
        if name:
            rows.append((group_row(name, units, "", width), False))
        shown = [unit for unit in units if unit.is_active] if name else units
        for unit in shown:
            aim = "◎" if unit.id == target else "•" if unit.id == selected else " "
            marks = f"{'▸' if unit.is_active else ' '}{aim}"
            rows.append((unit_row(unit, marks, width, declares=declares), unit.is_active))
    start = 0
    if len(rows) > height > 0:
        position = next((place for place, (_, is_active) in enumerate(rows) if is_active), 0)
        start = max(0, min(position - height // 2, len(rows) - height))
        below = len(rows) - height - start
        rows = rows[start : start + height]
        for place, count, arrow in ((0, start, "↑"), (-1, below, "↓")):
            if count:
                more = f" {arrow}{count}"
                rows[place] = join([rows[place][0].truncate(width - len(more), pad=True), plain(more, "$muted")]), False
    return lines(row for row, _ in rows)


def group_row(name: str, units: Sequence[UnitView], marks: str, width: int) -> Content:
    """Row of a group: its marks, its name, its score, how many are still in the fight."""
    able = [unit for unit in units if not unit.is_defeated]
    first = (able or units)[0]
    score = "" if first.initiative is None else str(first.initiative)
    left = f"{len(able)} left" if able else "out"
    return _columns(marks, first, name, score, left, "", "" if able else "strike $muted", width)


def unit_row(unit: UnitView, marks: str, width: int, *, declares: bool = False) -> Content:
    """Row of a unit: its marks, score, first pool, state, and its declared action if `declares`."""
    score = "" if unit.initiative is None else str(unit.initiative)
    first = unit.pools[0] if unit.pools else None
    wounds = f"{first.now}/{first.full}" if first else ""
    conditions = " ".join(mark for mark, _ in unit.conditions if mark)
    posture = unit.posture if unit.posture != "standing" else ""
    state = "out" if unit.is_defeated else f"{conditions} {unit.declared if declares else posture}".strip()
    style = "strike $muted" if unit.is_defeated else "bold" if unit.is_active else ""
    return _columns(marks, unit, unit.name, score, wounds, state, style, width)


def _columns(
    marks: str, unit: UnitView, name: str, score: str, wounds: str, state: str, style: str, width: int
) -> Content:
    """A row of `width` cells: what the columns of a fixed width leave is the name's and the state's."""
    before = [plain(fit(marks, MARKS), "bold"), plain(f"{unit.letter} ", side_style(unit))]
    after = [plain(f"{score:>3} "), plain(f"{wounds:>6} ")]
    left = width - sum(part.cell_length for part in (*before, *after))
    state_room = max(0, min(STATE, left - NAME))
    name_room = max(NAME, left - state_room)
    return join([*before, plain(fit(name, name_room), style), *after, plain(fit(state, state_room), "$warn")])
