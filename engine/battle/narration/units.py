"""Words for events of what units carry and bear: weapons, numbers, conditions, defeat."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext, by_hand
from engine.battle.narration.registry import narrates
from engine.rules.expressions import shown


@narrates(ev.WeaponReadied)
def weapon_readied(event: ev.WeaponReadied, log: LogContext) -> str:
    return f"{log.name(event.unit)} takes {event.label} in hand{by_hand(event.by_gm)}."


@narrates(ev.WeaponDropped)
def weapon_dropped(event: ev.WeaponDropped, log: LogContext) -> str:
    return f"{log.name(event.unit)}: {event.label} lies on {event.at.name}."


@narrates(ev.WeaponTaken)
def weapon_taken(event: ev.WeaponTaken, log: LogContext) -> str:
    return f"{log.name(event.unit)} takes up {event.label}."


@narrates(ev.WeaponBroken)
def weapon_broken(event: ev.WeaponBroken, log: LogContext) -> str:
    return f"{log.name(event.unit)}: {event.label} is broken."


@narrates(ev.ChargeLaid)
def charge_laid(event: ev.ChargeLaid, log: LogContext) -> str:
    return f"{log.name(event.charge.unit)} lays {event.label} on {event.charge.at.name}."


@narrates(ev.ChargeSetOff)
def charge_set_off(event: ev.ChargeSetOff, log: LogContext) -> str:
    how = "steps near" if event.is_step else "sets off"
    named = f"{log.name(event.unit)} {how} {event.label}" if event.unit else f"GM: {event.label} goes off"
    return f"{named} on {event.charge.at.name}."


@narrates(ev.ChargeTakenUp)
def charge_taken_up(event: ev.ChargeTakenUp, log: LogContext) -> str:
    return f"GM: {event.label} on {event.charge.at.name} is taken up."


@narrates(ev.WeaponGiven)
def weapon_given(event: ev.WeaponGiven, log: LogContext) -> str:
    return f"GM: {log.name(event.unit)} has {event.label}."


@narrates(ev.WeaponTakenAway)
def weapon_taken_away(event: ev.WeaponTakenAway, log: LogContext) -> str:
    return f"GM: {log.name(event.unit)} has {event.label} no longer."


@narrates(ev.WornChanged)
def worn_changed(event: ev.WornChanged, log: LogContext) -> str:
    return f"GM: {log.name(event.unit)} wears {event.label}{' no longer' if event.is_off else ''}."


@narrates(ev.StatSet)
def stat_set(event: ev.StatSet, log: LogContext) -> str:
    again = ", as on its sheet" if event.is_sheets else ""
    return f"GM: {log.name(event.unit)}'s {event.label} is {shown(event.after)}{again}, was {shown(event.before)}."


@narrates(ev.PoolChanged)
def pool_changed(event: ev.PoolChanged, log: LogContext) -> str:
    return _number_changed(event, log)


@narrates(ev.PoolChanged, is_brief=True)
def pool_changed_briefly(event: ev.PoolChanged, log: LogContext) -> str:
    return f"{log.name(event.unit)}: {event.label} {event.before} → {event.after}."


@narrates(ev.BudgetChanged)
def budget_changed(event: ev.BudgetChanged, log: LogContext) -> str:
    return _number_changed(event, log)


def _number_changed(event: ev.PoolChanged | ev.BudgetChanged, log: LogContext) -> str:
    because = f" ({log.because(event.because)})" if event.because else ""
    return f"{log.name(event.unit)}: {event.label} {event.before} → {event.after}{because}."


@narrates(ev.RoundsChanged)
def rounds_changed(event: ev.RoundsChanged, log: LogContext) -> str:
    weapons = log.rules.gear.weapons
    label = weapons[event.weapon].label if event.weapon in weapons else event.weapon
    left = "1 round" if event.after == 1 else f"{event.after} rounds"
    return f"{log.name(event.unit)}: {label} {event.before} → {left}{by_hand(event.by_gm)}."


@narrates(ev.ConditionBegan)
def condition_began(event: ev.ConditionBegan, log: LogContext) -> str:
    lasting = f" for {event.rounds} {'round' if event.rounds == 1 else 'rounds'}" if event.rounds else ""
    about = f" ({_about(event, log) or log.name(event.about)})" if event.about else ""
    return f"{log.name(event.unit)} is {event.label}{about}{lasting}{by_hand(event.by_gm)}."


def _about(event: ev.ConditionBegan, log: LogContext) -> str:
    """Label of the weapon or the attack that a condition is about; "" where it is about a unit."""
    held = log.rules.units.conditions.get(event.condition)
    if held is None or held.about not in ("weapon", "attack"):
        return ""
    named = (log.rules.gear.weapons if held.about == "weapon" else log.rules.actions).get(event.about)
    return named.label if named else ""


@narrates(ev.ConditionEnded)
def condition_ended(event: ev.ConditionEnded, log: LogContext) -> str:
    return f"{log.name(event.unit)} is no longer {event.label} ({log.because(event.because)})."


@narrates(ev.UnitDefeated)
def unit_defeated(event: ev.UnitDefeated, log: LogContext) -> str:
    return f"{log.name(event.unit)} is out of the fight."


@narrates(ev.UnitRecovered)
def unit_recovered(event: ev.UnitRecovered, log: LogContext) -> str:
    return f"{log.name(event.unit)} is back in the fight."
