"""Effects on the weapon in hand: reload, disarm, break, pick up, seize."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.distances import in_squares
from engine.battle.event_builder import EventBuilder
from engine.battle.gear import can_lose
from engine.battle.state.units import Unit
from engine.geometry.blast.scatter_path import flight_path
from engine.geometry.squares import Direction, Square
from engine.rules.effect_kinds import AmountChange, Effect, EffectChange, EffectRow, StateChange, ValueEffect
from engine.rules.expressions import Expression, constant
from engine.rules.formula_values import number, whole_down
from engine.rules.model import Value


class ReloadEffect(Effect, frozen=True):
    """The magazine of the weapon in hand is full again."""

    kind: ClassVar[str] = "reload"
    words: ClassVar[str] = "reload the {whom}'s weapon"
    reloads: ClassVar[bool] = True
    no_state_change: ClassVar[str] = "rounds are a number of the weapon's"

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        draft.reload(draft.battle.unit(unit_id))


class FlightChange(AmountChange, frozen=True, kw_only=True):
    """Flight of a weapon in one of eight directions: 1 for north, then clockwise."""

    direction: int


class LossEffect(Effect, frozen=True):
    """An effect that takes a unit's weapon away: the one that it attacks with, or else has in hand."""

    def can_change(self, unit: Unit, weapon: str, facts: Mapping[str, Value]) -> bool:
        return weapon in unit.gear.weapons


class DisarmEffect(ValueEffect, LossEffect, frozen=True):
    """The weapon flies off."""

    kind: ClassVar[str] = "disarm"
    words: ClassVar[str] = "disarm the {whom}: the weapon flies {value} {unit}"

    direction: Expression
    """One of eight directions, 1 for north, clockwise."""
    lands_at_target: bool = False
    """Whether it lies on the target's square in place of that: a weapon that was thrown."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        at_target = row.entry.has("lands") and bool(row.entry.text("lands", choices=("target",)))
        direction = constant(1) if at_target else row.amount("direction")
        return cls(*row.common(cls), row.amount(cls.kind), direction, at_target)

    @property
    def state_change(self) -> StateChange:
        return StateChange("disarmed", "disarmed")

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> FlightChange:
        return FlightChange(self, amount=number(self.value, facts), direction=whole_down(self.direction, facts))

    def events(self, change: FlightChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        unit = draft.battle.unit(unit_id)
        lost = cause.weapon_of(self.whom, unit)
        if not can_lose(draft.rules, unit, lost):
            return
        squares = in_squares(change.amount, draft.battle.field, draft.rules)
        direction = tuple(Direction)[(change.direction - 1) % 8]
        start = _edge_towards(unit, direction)
        flight = flight_path(draft.battle.field, start, direction.dx, direction.dy, squares, "chebyshev")
        label, target = draft.rules.gear.weapons[lost].label, draft.battle.units.get(cause.who.get("target", ""))
        lies = target.at if self.lands_at_target and target is not None else flight.squares[-1]
        draft.add(ev.WeaponDropped(unit.id, lost, label, lies, unit.gear.rounds.get(lost)))
        draft.let_go_of_weapon(unit.id, lost)


def _edge_towards(unit: Unit, direction: Direction) -> Square:
    """The square of a unit from which a weapon flies off in a direction: on that edge, in its middle or before it."""
    middle = (unit.size - 1) // 2
    across, down = (middle if step == 0 else (unit.size - 1) * (step > 0) for step in (direction.dx, direction.dy))
    return Square(unit.at.column + across, unit.at.row + down)


class BreakEffect(LossEffect, frozen=True):
    """The weapon is of no more use."""

    kind: ClassVar[str] = "break"
    words: ClassVar[str] = "the {whom}'s weapon breaks"

    @property
    def state_change(self) -> StateChange:
        return StateChange("weapon-broken", "weapon broken")

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        unit = draft.battle.unit(unit_id)
        lost = cause.weapon_of(self.whom, unit)
        if can_lose(draft.rules, unit, lost):
            draft.add(ev.WeaponBroken(unit.id, lost, draft.rules.gear.weapons[lost].label))
            draft.let_go_of_weapon(unit.id, lost)


class RecoverEffect(Effect, frozen=True):
    """A unit picks up a weapon on a square of its own."""

    kind: ClassVar[str] = "pick_up"
    words: ClassVar[str] = "the {whom} picks up a weapon"

    @property
    def state_change(self) -> StateChange:
        return StateChange("weapon-picked-up", "with a weapon picked up")

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        unit = draft.battle.unit(unit_id)
        lying = [item for item in draft.battle.scene.lying_under(unit) if item.weapon not in unit.gear.weapons]
        if lying:
            weapon = lying[0].weapon
            draft.add(ev.WeaponTaken(unit_id, weapon, draft.rules.gear.weapons[weapon].label, lying[0].rounds))


class SeizeEffect(LossEffect, frozen=True):
    """The weapon in hand of a unit goes to the other of the two."""

    kind: ClassVar[str] = "seize"
    words: ClassVar[str] = "the {whom}'s weapon goes to the other unit"
    needs_target: ClassVar[bool] = True

    @property
    def state_change(self) -> StateChange:
        return StateChange("weapon-seized", "weapon seized")

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        """It is carried by the other from now on; one like its own falls instead."""
        unit, by = draft.battle.unit(unit_id), cause.other_than(self.whom)
        if not by or not can_lose(draft.rules, unit, unit.gear.weapon):
            return
        taker, lost, label = draft.battle.unit(by), unit.gear.weapon, draft.rules.gear.weapons[unit.gear.weapon].label
        rounds = unit.gear.rounds.get(lost)
        draft.add(ev.WeaponDropped(unit_id, lost, label, taker.at, rounds))
        if lost not in taker.gear.weapons:
            draft.add(ev.WeaponTaken(by, lost, label, rounds))
