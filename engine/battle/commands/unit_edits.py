"""The GM's edits of units: numbers, conditions, posture, altitude, place. Allowed at any time, always recorded."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.command import Command, Deciding, Events
from engine.battle.event_builder import refuse_below_ground, refuse_if_full, refuse_unless_fits
from engine.battle.gear import carried_weapon
from engine.battle.parameters import BudgetId, ConditionId, Points, PoolId, PostureId, UnitId
from engine.battle.setup import pools_of
from engine.battle.state.reasons import BY_GM
from engine.battle.state.units import Unit
from engine.bounds import Amount, Count
from engine.errors import Illegal, Unknown
from engine.geometry.battlefield import Height, OffMap
from engine.geometry.body import Body
from engine.geometry.squares import Square, parse_square
from engine.text import clean
from engine.values import replace

MOST_MARKER, MOST_MARKERS = 40, 12
"""Cells of a marker's text; markers on a unit."""


class SetPool(Command, frozen=True, tag="set-pool"):
    """The GM sets one of a unit's numbers."""

    unit: UnitId
    pool: PoolId
    value: Amount
    note: str = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        label, before = rules.units.pools[self.pool].label, unit.pools.get(self.pool, 0)
        _refuse_amount("pool", unit, label, before, self.value)
        draft = now.draft()
        draft.add(ev.PoolChanged(unit.id, self.pool, label, before, self.value, self.note or BY_GM))
        draft.settle(unit.id)
        return draft.events


class DamageUnits(Command, frozen=True, tag="damage-units"):
    """The GM damages one pool of several units at once; armour does not count."""

    units: tuple[UnitId, ...]
    amount: Points
    pool: PoolId = ""
    """"" for the first that the ruleset's rule of defeat asks for."""

    def decide(self, now: Deciding) -> Events:
        if self.amount < 1:
            raise Illegal("pool", f"Damage must be 1 or more, not {self.amount}.")
        if not self.units:
            raise Illegal("pool", "Name the units that take the damage.")
        events, who, label = _changed_pools(now, self.units, self.pool, -self.amount)
        if not events:
            raise Illegal("pool", f"{who} no {label} to lose.")
        return events


class HealUnits(Command, frozen=True, tag="heal-units"):
    """The GM gives points back to one pool of several units at once; to each at most what it had at first."""

    units: tuple[UnitId, ...]
    amount: Points
    pool: PoolId = ""
    """"" for the first that the ruleset's rule of defeat asks for."""

    def decide(self, now: Deciding) -> Events:
        if self.amount < 1:
            raise Illegal("pool", f"Healing is 1 or more, not {self.amount}.")
        if not self.units:
            raise Illegal("pool", "Say who is healed.")
        events, who, label = _changed_pools(now, self.units, self.pool, self.amount)
        if not events:
            raise Illegal("pool", f"{who} all {label} already.")
        return events


def _changed_pools(now: Deciding, units: tuple[UnitId, ...], pool: PoolId, change: int) -> tuple[Events, str, str]:
    """The events that change a pool of several units, none below 0 or above its full points.

    Returns:
        The events; then, for a refusal, the units with "has" or "have", and the pool's label.
    """
    battle, rules = now.battle, now.rules
    pool = pool or vital_pools(rules)[0]
    draft, label = now.draft(), rules.units.pools[pool].label
    found = [battle.unit(unit_id) for unit_id in dict.fromkeys(units)]
    for unit in found:
        before = unit.pools.get(pool, 0)
        most = max(before, pools_of(rules, unit)[pool])
        if (after := min(most, max(0, before + change))) != before:
            draft.add(ev.PoolChanged(unit.id, pool, label, before, after, BY_GM))
    for unit in found:
        draft.settle(unit.id)
    return draft.events, f"{' and '.join(unit.name for unit in found)} {'has' if len(found) < 2 else 'have'}", label


class SetBudget(Command, frozen=True, tag="set-budget"):
    """The GM sets a budget of a unit's turn."""

    unit: UnitId
    budget: BudgetId
    value: Amount

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        label, before = rules.units.budgets[self.budget].label, unit.turn.budget.get(self.budget, 0)
        _refuse_amount("budget", unit, f"{label} left", before, self.value)
        return (ev.BudgetChanged(unit.id, self.budget, label, before, self.value, BY_GM),)


class SetCondition(Command, frozen=True, tag="set-condition"):
    """The GM begins or ends a condition."""

    unit: UnitId
    condition: ConditionId
    is_on: bool
    rounds: Count = 0
    """How many rounds it lasts; 0 for until its own moment."""
    about: str = ""
    """Id of the unit or weapon, or name of the square, that it is about; without one the weapon in hand, where it is
    about a weapon, and the unit's own square, where it is about a square."""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = battle.unit(self.unit)
        draft = now.draft()
        about = self.about
        match rules.units.conditions[self.condition].about:
            case "unit" if about:
                battle.unit(about)
            case "weapon":
                about = about or unit.gear.weapon
                if about:
                    carried_weapon(rules, unit, about)
            case "square":
                about = about or unit.at.name
                if parse_square(about) not in battle.field:
                    raise OffMap(parse_square(about), battle.field)
            case "attack" if about:
                attacks = [action.id for action in rules.actions.values() if action.kind == "attack"]
                if about not in attacks:
                    raise Unknown("attack", about, attacks)
            case "" if about:
                raise Illegal(
                    "condition", f"“{rules.units.conditions[self.condition].label}” takes no unit, weapon or square."
                )
        draft.set_condition(unit.id, self.condition, self.is_on, BY_GM, self.rounds, about)
        label = rules.units.conditions[self.condition].label
        if not draft.events and self.is_on and self.rounds and unit.timers.get(self.condition) != self.rounds:
            draft.add(ev.ConditionBegan(unit.id, self.condition, label, self.rounds, about))
        if not draft.events:
            raise Illegal("condition", f"{unit.name} is {'already' if self.is_on else 'not'} {label}.")
        changes = ev.ConditionBegan | ev.RoundsChanged
        return tuple(replace(event, by_gm=True) if isinstance(event, changes) else event for event in draft.events)


class SetMarker(Command, frozen=True, tag="set-marker"):
    """The GM puts a marker on units, words that no rule reads, or takes it away."""

    units: tuple[UnitId, ...]
    marker: str
    is_on: bool = True
    rounds: Count = 0
    """How many rounds it stays; 0 until it is taken away."""

    def decide(self, now: Deciding) -> Events:
        marker = clean(self.marker, MOST_MARKER).strip()
        if not marker:
            raise Illegal("marker", "The marker has no text.")
        units = [now.battle.unit(unit) for unit in self.units]
        if self.is_on:
            changed = [unit for unit in units if unit.markers.get(marker) != self.rounds]
            for unit in changed:
                refuse_if_full(len({*unit.markers, marker}) - 1, MOST_MARKERS, "markers on that unit")
            events: Events = tuple(ev.MarkerSet(unit.id, marker, self.rounds) for unit in changed)
        else:
            events = tuple(ev.MarkerCleared(unit.id, marker, BY_GM) for unit in units if marker in unit.markers)
        if not events:
            what = "already there" if self.is_on else "not there"
            raise Illegal("marker", f"{', '.join(unit.name for unit in units)}: marker “{marker}” is {what}.")
        return events


class SetPosture(Command, frozen=True, tag="set-posture"):
    """The GM sets a unit's posture, free."""

    unit: UnitId
    posture: PostureId

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        if unit.posture == self.posture:
            raise Illegal("posture", f"{unit.name} is already {self.posture}.")
        return (ev.PostureTaken(unit.id, self.posture, by_gm=True),)


class SetAltitude(Command, frozen=True, tag="set-altitude"):
    """The GM sets a unit's altitude: its feet above the ground of its square, in hundredths of the map's unit."""

    unit: UnitId
    altitude: Height

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        refuse_below_ground(unit, self.altitude)
        if self.altitude == unit.altitude:
            raise Illegal("altitude", f"{unit.name} is already at that height.")
        refuse_unless_fits(battle, replace(unit, altitude=self.altitude), Body(unit.at, unit.size))
        return (ev.AltitudeChanged(unit.id, unit.altitude, self.altitude, by_gm=True),)


class Place(Command, frozen=True, tag="place"):
    """The GM places a unit on a square."""

    unit: UnitId
    at: Square

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        refuse_unless_fits(battle, unit, Body(self.at, unit.size))
        if self.at == unit.at:
            raise Illegal("place", f"{unit.name} already stands on {self.at.name}.")
        return (ev.UnitPlaced(unit.id, unit.at, self.at),)


KINDS = (SetPool, DamageUnits, HealUnits, SetBudget, SetCondition, SetMarker, SetPosture, SetAltitude, Place)


def _refuse_amount(reason: str, unit: Unit, label: str, before: int, after: int) -> None:
    """Raises Illegal when a unit cannot be given so much, or has it already."""
    if after < 0:
        raise Illegal(reason, f"{unit.name}'s {label} cannot be below 0.")
    if after == before:
        raise Illegal(reason, f"{unit.name} already has {before} {label}.")
