"""Words for who comes to the table and leaves it, for what is laid and drawn on it and pinned to it."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.table.hand import BY_GM
from engine.battle.table.pins import tell_pinned
from engine.battle.table.policies import tell_policy
from engine.battle.table.terrain import tell_terrain
from engine.rules.expressions import shown


def tell_table(event: ev.Event, battle: Battle) -> str:
    """A line for the log; "" for events of another kind."""

    def who(unit_id: str) -> str:
        return battle.called(unit_id)

    match event:
        case ev.UnitsAdded(units):
            joined = ", ".join(f"{unit.name} on {unit.at.name}" for unit in units)
            hidden = ", hidden" if all(unit.is_hidden for unit in units) else ""
            return f"GM: {joined} {'joins' if len(units) == 1 else 'join'} {units[0].side}{hidden}."
        case ev.UnitRemoved():
            return f"GM: {event.name} is taken off the table."
        case ev.UnitRenamed():
            return f"GM: {event.before} is called {event.after}."
        case ev.SideChanged():
            neutral = ", nobody's enemy" if event.is_neutral else ""
            return f"GM: {who(event.unit)} is of {event.after} now, not of {event.before}{neutral}."
        case ev.UnitHidden():
            return f"GM: {who(event.unit)} is hidden from the players."
        case ev.UnitOut():
            return f"GM: {who(event.unit)} {event.why or 'takes part again'}."
        case ev.UnitShown():
            return f"GM: {who(event.unit)} is shown to the players."
        case ev.ChargeLaid():
            return f"{who(event.charge.unit)} lays {event.label} on {event.charge.at.name}."
        case ev.ChargeTakenUp():
            return f"GM: {event.label} on {event.charge.at.name} is taken up."
        case ev.ChargeSetOff():
            how = "steps near" if event.is_step else "sets off"
            named = f"{who(event.unit)} {how} {event.label}" if event.unit else f"GM: {event.label} goes off"
            return f"{named} on {event.charge.at.name}."
        case ev.WeaponGiven():
            return f"GM: {who(event.unit)} has {event.label}."
        case ev.WeaponTakenAway():
            return f"GM: {who(event.unit)} has {event.label} no longer."
        case ev.WornChanged():
            return f"GM: {who(event.unit)} wears {event.label}{' no longer' if event.is_off else ''}."
        case ev.StatSet():
            again = ", as on its sheet" if event.is_sheets else ""
            return f"GM: {who(event.unit)}'s {event.label} is {shown(event.after)}{again}, was {shown(event.before)}."
        case ev.TurnGiven():
            return f"GM: it is {who(event.unit)}'s turn."
        case ev.LastTurnCame():
            waiting = ", ".join(map(who, event.waiting))
            return f"The last turn of the round; still {'wait' if len(event.waiting) > 1 else 'waits'}: {waiting}."
        case ev.UnitTurned() if event.is_wish:
            return f"{who(event.unit)} faces {event.facing.name}{f' ({BY_GM})' if event.by_gm else ''}."
    return tell_terrain(event, battle) or tell_pinned(event, battle) or tell_policy(event, battle)
