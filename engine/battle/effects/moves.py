"""Effects on where a unit is, and on its turn: halted, pushed, lifted, dropped, given a turn at once."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.distances import in_squares
from engine.battle.draft import Draft
from engine.battle.moves.falling import lift, sink
from engine.battle.moves.pushing import pushed
from engine.battle.turns.beginning import begin_turn
from engine.rules.model import Value
from engine.rules.primitives import Change, Effect, EffectRow, RuleText, ValueEffect
from engine.rules.values import number


class HaltEffect(Effect, frozen=True):
    """What is left of the move that is paid for is forfeited."""

    kind: ClassVar[str] = "halt"

    def events(self, change: Change, unit_id: str, draft: Draft, cause: Cause) -> None:
        draft.add(ev.StrideForfeited(unit_id))

    def describe(self) -> RuleText:
        return RuleText("the {whom} goes no further")


class TurnEffect(Effect, frozen=True):
    """A turn at once, which interrupts the order; for the active unit, when its own is over."""

    kind: ClassVar[str] = "turn"
    only_by_somebody: ClassVar[bool] = True

    def events(self, change: Change, unit_id: str, draft: Draft, cause: Cause) -> None:
        if draft.battle.unit(unit_id).is_defeated or not draft.battle.active:
            return
        if draft.battle.active == unit_id:
            draft.add(ev.TurnWaits(unit_id))
        else:
            begin_turn(draft, unit_id, is_extra=True)

    def describe(self) -> RuleText:
        return RuleText("the {whom} takes a turn at once")


class DistanceChange(Change, frozen=True, kw_only=True):
    """A unit is moved `far`, in the ruleset's unit."""

    far: int | Fraction


class DistanceEffect(ValueEffect, frozen=True):
    """An effect that moves a unit so far."""

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> DistanceChange:
        return DistanceChange(self, far=number(self.value, facts))

    def describe(self) -> RuleText:
        return RuleText(f"the {{whom}} {self.kind}s {{value}} {{unit}}", {"value": self.value.text})


class PushEffect(DistanceEffect, frozen=True):
    """Away from the other one of the two, as far as the way is free; over an edge it falls."""

    kind: ClassVar[str] = "push"
    needs_target: ClassVar[bool] = True

    def events(self, change: DistanceChange, unit_id: str, draft: Draft, cause: Cause) -> None:
        battle, unit = draft.battle, draft.battle.unit(unit_id)
        away_from = cause.other_than(self.whom, "attacker")
        squares = in_squares(change.far, battle.field, draft.rules)
        push = pushed(battle, draft.rules, unit, battle.units[away_from].at, squares) if away_from else None
        if push and len(push.path) > 1:
            draft.add(ev.UnitPushed(unit_id, push.path, self.label))
            if push.drop:
                draft.add(ev.UnitFell(unit_id, push.drop))
        elif push:
            draft.add(ev.EffectReckoned(cause.attacker, self.label, words=f"{unit.name} has no room to go"))

    def describe(self) -> RuleText:
        return RuleText("push the {whom}, {value} {unit}", {"value": self.value.text})


class RiseEffect(DistanceEffect, frozen=True):
    """So far up."""

    kind: ClassVar[str] = "rise"

    def events(self, change: DistanceChange, unit_id: str, draft: Draft, cause: Cause) -> None:
        lift(draft, unit_id, change.far)


class SinkEffect(DistanceEffect, frozen=True):
    """So far down, at most to what holds it."""

    kind: ClassVar[str] = "sink"

    is_fall: bool
    """Whether it is a fall, once it is down."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.amount(cls.kind), row.flag("falls"))

    def events(self, change: DistanceChange, unit_id: str, draft: Draft, cause: Cause) -> None:
        sink(draft, unit_id, change.far, falls=self.is_fall)

    def describe(self) -> RuleText:
        text = super().describe()
        return RuleText(f"{text.words}, which is a fall where it ends", text.gaps) if self.is_fall else text
