"""Log sentences for roster events: units added, removed, renamed, hidden."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext
from engine.battle.narration.narrators import narrates, says
from engine.battle.state.battle import PLAYERS
from engine.battle.unit_names import known_as, number_of
from engine.text import side_name


@narrates(ev.UnitsAdded)
def units_added(event: ev.UnitsAdded, log: LogContext) -> str:
    units = event.units
    joined = ", ".join(f"{log.name(unit.id)} on {log.place(unit.at)}" for unit in units)
    hidden = ", hidden" if all(unit.is_hidden for unit in units) else ""
    sides = dict.fromkeys(unit.side for unit in units)
    outside = "".join(
        f" Zone {zone} is too small: {count} {'stands' if count == 1 else 'stand'} outside it."
        for zone, count in event.outside.items()
    )
    return (
        f"GM: {joined} {'joins' if len(units) == 1 else 'join'} {' and '.join(map(side_name, sides))}{hidden}.{outside}"
    )


@narrates(ev.LettersGiven)
def letters_given(event: ev.LettersGiven, log: LogContext) -> str:
    """Whom players see for the first time, of those who were in the battle before."""
    seen = [log.name(unit) for unit in event.seen_as.get(PLAYERS, {}) if unit not in event.badges]
    return f"First seen: {', '.join(seen)}." if seen else ""


says(ev.UnitRemoved, lambda event, log: f"GM: {log.name(event.unit)} removed from the battle.")


@narrates(ev.UnitRenamed)
def unit_renamed(event: ev.UnitRenamed, log: LogContext) -> str:
    badge = log.battle.badges.get(event.unit, "")
    before = known_as(event.before, badge, f"{badge[:1]}{number_of(event.before) or ''}") if badge[1:] else event.before
    return f"GM: {before} renamed to {event.after}."


@narrates(ev.SideChanged)
def side_changed(event: ev.SideChanged, log: LogContext) -> str:
    name = log.name(event.unit)
    if event.before == event.after:
        return f"GM: {name} of {side_name(event.after)} is {'now' if event.is_neutral else 'no longer'} neutral."
    neutral = ", neutral" if event.is_neutral else ""
    return f"GM: {name} joins {side_name(event.after)}, was {side_name(event.before)}{neutral}."


says(ev.UnitHidden, lambda event, log: f"GM: {log.name(event.unit)} is hidden from the players.")
says(ev.UnitShown, lambda event, log: f"GM: {log.name(event.unit)} is shown to the players.")
says(
    ev.UnitOut,
    lambda event, log: f"GM: {log.name(event.unit)}{f': {event.why}' if event.why else ' is no longer taken out'}.",
)
