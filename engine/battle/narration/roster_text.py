"""Words for events of who is on the table: units added, taken away, named, hidden."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext
from engine.battle.narration.narrators import narrates, says


@narrates(ev.UnitsAdded)
def units_added(event: ev.UnitsAdded, log: LogContext) -> str:
    units = event.units
    joined = ", ".join(f"{unit.name} on {unit.at.name}" for unit in units)
    hidden = ", hidden" if all(unit.is_hidden for unit in units) else ""
    return f"GM: {joined} {'joins' if len(units) == 1 else 'join'} {units[0].side}{hidden}."


says(ev.UnitRemoved, lambda event, log: f"GM: {event.name} is taken off the table.")
says(ev.UnitRenamed, lambda event, log: f"GM: {event.before} is called {event.after}.")


@narrates(ev.SideChanged)
def side_changed(event: ev.SideChanged, log: LogContext) -> str:
    neutral = ", nobody's enemy" if event.is_neutral else ""
    return f"GM: {log.name(event.unit)} is of {event.after} now, not of {event.before}{neutral}."


says(ev.UnitHidden, lambda event, log: f"GM: {log.name(event.unit)} is hidden from the players.")
says(ev.UnitShown, lambda event, log: f"GM: {log.name(event.unit)} is shown to the players.")
says(
    ev.UnitOut,
    lambda event, log: f"GM: {log.name(event.unit)}{f' is out ({event.why})' if event.why else ' takes part again'}.",
)
