"""The turn order as it is shown: its places, and who is next."""

from __future__ import annotations

from engine.battle.views.view import UnitView, UnknownTurn, View
from engine.geometry.squares import Direction, Square

UNKNOWN = "?"
"""In place of the letter of somebody who has never been seen."""
Block = tuple[str, tuple[UnitView, ...]]
"""One place in the order: the group's name, "" for a single unit, and its units."""


def blocks(view: View) -> list[Block]:
    """The places in the turn order, a group's members together; in the set-up phase all units, side by side.

    In a player view turns of units out of sight stand among them as far as they are shown, and those whom the side saw
    last somewhere else below them: as units without numbers.
    """
    shown = {turn.unit for turn in view.unknown_turns}
    return [*_turns(view), *(("", (unit,)) for unit in units_last_seen(view) if unit.id not in shown)]


def _turns(view: View) -> list[Block]:
    if not view.order:
        return [("", (unit,)) for unit in sorted(view.units, key=lambda unit: unit.side_index)]
    units = {unit.id: unit for unit in view.units}
    named = {members[0]: (name, members) for name, members in view.groups}
    inside = {unit_id for _, members in view.groups for unit_id in members[1:]}
    found: list[Block] = []
    badges = {one.id: (one.letter, one.number) for one in view.last_seen}
    unknown = [
        (
            turn.before,
            _stand_in(
                turn_id(number, turn),
                turn.name or "unseen",
                badges.get(turn.unit, (UNKNOWN, 0)),
                is_active=turn.is_active,
            ),
        )
        for number, turn in enumerate(view.unknown_turns)
    ]
    for unit_id in (*view.order, ""):
        found += [("", (unit,)) for before, unit in unknown if before == unit_id]
        if unit_id in named:
            name, members = named[unit_id]
            found.append((name, tuple(units[one] for one in members)))
        elif unit_id and unit_id not in inside:
            found.append(("", (units[unit_id],)))
    return found


def turn_id(number: int, turn: UnknownTurn) -> str:
    """Id of the row of a turn that a player view shows of somebody out of sight, the `number`th such turn."""
    return turn.unit or f"{UNKNOWN}{number}"


def units_last_seen(view: View) -> tuple[UnitView, ...]:
    """The others who are out of sight, as the side of a player view saw them last."""
    return tuple(_stand_in(one.id, one.name, (one.letter, one.number)) for one in view.last_seen)


def _stand_in(unit_id: str, name: str, badge: tuple[str, int], *, is_active: bool = False) -> UnitView:
    """A unit of which nothing else is known."""
    return UnitView(
        id=unit_id,
        name=name,
        letter=badge[0],
        number=badge[1],
        side="",
        side_index=0,
        role="",
        at=Square(0, 0),
        size=1,
        facing=Direction.N,
        posture="standing",
        altitude=0,
        is_active=is_active,
        is_defeated=False,
        weapon="",
        rounds=0,
        magazine=0,
        pools=(),
        budget=(),
        stats=(),
        conditions=(),
        initiative=None,
    )


def next_units(view: View) -> tuple[UnitView, ...]:
    """The units that act after the active one, in turn, as far as that is settled."""
    units = {unit.id: unit for unit in view.units} if view.upcoming else {}
    return tuple(units[one] for one in view.upcoming)
