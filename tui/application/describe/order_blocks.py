"""The turn order as it is shown: its places, and who is next."""

from __future__ import annotations

from engine.battle.views.view import UnitView, View

Block = tuple[str, tuple[UnitView, ...]]
"""One place in the order: the group's name, "" for a single unit, and its units."""


def blocks(view: View) -> list[Block]:
    """The places in the turn order, a group's members together; in the set-up phase all units, side by side."""
    if not view.order:
        return [("", (unit,)) for unit in sorted(view.units, key=lambda unit: unit.side_index)]
    units = {unit.id: unit for unit in view.units}
    named = {members[0]: (name, members) for name, members in view.groups}
    inside = {unit_id for _, members in view.groups for unit_id in members[1:]}
    found: list[Block] = []
    for unit_id in view.order:
        if unit_id in named:
            name, members = named[unit_id]
            found.append((name, tuple(units[one] for one in members)))
        elif unit_id not in inside:
            found.append(("", (units[unit_id],)))
    return found


def next_units(view: View) -> tuple[UnitView, ...]:
    """The units that act after the active one, in turn, as far as that is settled."""
    units = {unit.id: unit for unit in view.units} if view.upcoming else {}
    return tuple(units[one] for one in view.upcoming)
