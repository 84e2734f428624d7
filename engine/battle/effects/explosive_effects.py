"""Effects on charges: placing them and setting them off."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.distances import radius_squares
from engine.battle.event_builder import EventBuilder
from engine.battle.state.battle import Charge, free_id
from engine.errors import Illegal
from engine.rules.effect_kinds import AmountChange, AmountEffect, Effect, EffectChange


class LayEffect(AmountEffect, frozen=True):
    """Places the weapon in hand on the action's square, or the unit's own, as a charge."""

    kind: ClassVar[str] = "lay"
    words: ClassVar[str] = "place the weapon in hand, armed: it goes off when a unit comes within {value} {unit}"
    only_in_acts: ClassVar[bool] = True
    lays_charge: ClassVar[bool] = True
    no_state_change: ClassVar[str] = "no attack leads to it, and an act does it for certain"

    def events(self, change: AmountChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        unit, rules = draft.battle.unit(unit_id), draft.rules
        if unit.gear.weapon not in rules.gear.weapons:
            return
        charge_id = free_id("charge", {held.id for held in draft.battle.scene.charges})
        reach = radius_squares(draft.battle.field, rules, Fraction(change.amount)) if change.amount else Fraction(0)
        charge = Charge(charge_id, unit.id, unit.gear.weapon, cause.on.square or unit.at, reach, cause.on.action)
        draft.add(ev.ChargeLaid(charge, rules.gear.weapons[unit.gear.weapon].label))


class SetOffEffect(Effect, frozen=True):
    """Sets off the unit's charges on the action's square; without a square, all of them."""

    kind: ClassVar[str] = "set_off"
    words: ClassVar[str] = "set off the {whom}'s charges there, or all of them"
    only_in_acts: ClassVar[bool] = True
    no_state_change: ClassVar[str] = "no attack leads to it, and what goes off has odds of its own"

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        """Adds that it goes off.

        Raises:
            Illegal: the unit has laid nothing there.
        """
        unit, square = draft.battle.unit(unit_id), cause.on.square
        found = [held for held in draft.battle.scene.charges if held.unit == unit.id and square in (None, held.at)]
        if not found:
            where = f" on {square.name}" if square else ""
            raise Illegal(
                "charge", f"{unit.name} has laid no charge{where}.", f"no charge of its own{where or ' anywhere'}"
            )
        for held in found:
            draft.add(ev.ChargeSetOff(held, draft.rules.gear.weapons[held.weapon].label, unit.id))
