"""Log sentences for unit events: weapons, charges, stats, pools, conditions, defeat."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle import events as ev
from engine.battle.narration.log_context import LogContext, by_hand
from engine.battle.narration.narrators import narrates, says
from engine.battle.setup import pools_of
from engine.battle.state.reasons import BY_GM, Reason
from engine.rules.expressions import shown
from engine.rules.model import Budget, Condition
from engine.text import count


def is_internal(name: str, known: Mapping[str, Budget | Condition]) -> bool:
    """Whether a budget or a condition is the rules' own bookkeeping."""
    return name in known and known[name].internal


says(ev.WeaponReadied, lambda event, log: f"{log.name(event.unit)} equips {event.label}{by_hand(event.by_gm)}.")
says(ev.WeaponDropped, lambda event, log: f"{log.name(event.unit)}: {event.label} falls on {event.at.name}.")
says(ev.WeaponTaken, lambda event, log: f"{log.name(event.unit)} picks up {event.label}.")
says(ev.WeaponBroken, lambda event, log: f"{log.name(event.unit)}'s {event.label} breaks.")
says(ev.ChargeLaid, lambda event, log: f"{log.name(event.charge.unit)} lays {event.label} on {event.charge.at.name}.")


@narrates(ev.ChargeSetOff)
def charge_set_off(event: ev.ChargeSetOff, log: LogContext) -> str:
    how = "triggers" if event.is_step else "detonates"
    named = f"{log.name(event.unit)} {how} {event.label}" if event.unit else f"GM: {event.label} detonated"
    return f"{named} on {event.charge.at.name}."


says(ev.ChargeTakenUp, lambda event, log: f"GM: {event.label} on {event.charge.at.name} removed.")
says(ev.WeaponGiven, lambda event, log: f"GM: {log.name(event.unit)} gets {event.label}.")
says(ev.WeaponTakenAway, lambda event, log: f"GM: {log.name(event.unit)} loses {event.label}.")


@narrates(ev.WornChanged)
def worn_changed(event: ev.WornChanged, log: LogContext) -> str:
    return f"GM: {log.name(event.unit)} {'takes off' if event.is_off else 'wears'} {event.label}."


@narrates(ev.StatSet)
def stat_set(event: ev.StatSet, log: LogContext) -> str:
    sheet = ", the sheet's value" if event.is_sheets else ""
    return f"GM: {log.name(event.unit)}'s {event.label}: {shown(event.after)}{sheet}, was {shown(event.before)}."


@narrates(ev.CharacterSet)
def character_set(event: ev.CharacterSet, log: LogContext) -> str:
    return f"GM: {log.name(event.unit)} has {event.character.name}'s sheet."


def _number_changed(event: ev.PoolChanged | ev.BudgetChanged, log: LogContext) -> str:
    budget = event.budget if isinstance(event, ev.BudgetChanged) else ""
    if is_internal(budget, log.rules.units.budgets) and event.because != BY_GM:
        return ""
    why = log.because(event.because) if event.because else ""
    pool = log.rules.units.pools.get(event.pool) if isinstance(event, ev.PoolChanged) else None
    if pool is not None and event.because == BY_GM:
        why = ", ".join(filter(None, (why, pool.help)))
    because = f", {why}" if why else ""
    return f"{log.name(event.unit)}: {event.label} {event.before} → {event.after}{_above_full(event, log)}{because}."


def _above_full(event: ev.PoolChanged | ev.BudgetChanged, log: LogContext) -> str:
    """That the GM has set a pool above its full points, by mistake or not; "" if it is not, or counts up from 0."""
    unit = log.battle.units.get(event.unit)
    if unit is None or not isinstance(event, ev.PoolChanged) or event.because != BY_GM:
        return ""
    full = pools_of(log.rules, unit).get(event.pool, 0)
    return f", above the full {full}" if event.after > max(event.before, full) and full else ""


says(ev.PoolChanged, _number_changed)
says(ev.BudgetChanged, _number_changed)


@narrates(ev.PoolChanged, is_brief=True)
def pool_changed_briefly(event: ev.PoolChanged, log: LogContext) -> str:
    return f"{log.name(event.unit)}: {event.label} {event.before} → {event.after}{_above_full(event, log)}."


@narrates(ev.RoundsChanged)
def rounds_changed(event: ev.RoundsChanged, log: LogContext) -> str:
    weapons = log.rules.gear.weapons
    label = weapons[event.weapon].label if event.weapon in weapons else event.weapon
    return f"{log.name(event.unit)}: {label} {event.before} → {count(event.after, 'round')}{by_hand(event.by_gm)}."


says(
    ev.PositionOpened,
    lambda event, log: f"{log.name(event.unit)}'s firing position opens to {log.names(event.to)}.",
)


@narrates(ev.ConditionBegan)
def condition_began(event: ev.ConditionBegan, log: LogContext) -> str:
    """ "" for one of the rules' own that the GM has not set."""
    if is_internal(event.condition, log.rules.units.conditions) and not event.by_gm:
        return ""
    lasting = f" for {count(event.rounds, 'round')}" if event.rounds else ""
    about = f": {_about(event, log) or log.name(event.about)}" if event.about else ""
    return f"{log.name(event.unit)} is {event.label}{lasting}{by_hand(event.by_gm)}{about}."


def _about(event: ev.ConditionBegan, log: LogContext) -> str:
    """Label of the weapon or the attack that a condition is about; "" where it is about a unit."""
    held = log.rules.units.conditions.get(event.condition)
    if held is None or held.about not in ("weapon", "attack"):
        return ""
    named = (log.rules.gear.weapons if held.about == "weapon" else log.rules.actions).get(event.about)
    return named.label if named else ""


@narrates(ev.ConditionEnded)
def condition_ended(event: ev.ConditionEnded, log: LogContext) -> str:
    """ "" for one of the rules' own that the GM has not ended."""
    if is_internal(event.condition, log.rules.units.conditions) and event.because != BY_GM:
        return ""
    is_over = isinstance(event.because, Reason) and event.because.kind == "rounds-over"
    why = "" if is_over else by_hand(True) if event.because == BY_GM else f": {log.because(event.because)}"
    return f"{log.name(event.unit)} is no longer {event.label}{why}."


@narrates(ev.MarkerSet)
def marker_set(event: ev.MarkerSet, log: LogContext) -> str:
    """ "" for a round less."""
    lasting = f" for {count(event.rounds, 'round')}" if event.rounds else ""
    return "" if event.is_tick else f"{log.name(event.unit)}: marker “{event.marker}”{lasting}{by_hand(True)}."


@narrates(ev.MarkerCleared)
def marker_cleared(event: ev.MarkerCleared, log: LogContext) -> str:
    return f"{log.name(event.unit)}: marker “{event.marker}” ends: {log.because(event.because)}."


says(ev.UnitDefeated, lambda event, log: f"{log.name(event.unit)} is out of the fight.")
says(ev.UnitRecovered, lambda event, log: f"{log.name(event.unit)} is back in the fight.")
