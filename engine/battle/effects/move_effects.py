"""Effects on position and turn: halt, push, descend, an immediate turn."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.distances import in_squares, new_altitude
from engine.battle.event_builder import EventBuilder
from engine.battle.moves.altitude_changes import sink
from engine.battle.moves.pushing import direction_of_push, pushed
from engine.battle.state.reasons import Reason
from engine.battle.state.units import Unit
from engine.battle.turns.turn_start import begin_turn
from engine.rules.effect_kinds import AmountChange, AmountEffect, Effect, EffectChange, EffectRow, RuleText, StateChange
from engine.rules.model import Value
from engine.values import replace


class HaltEffect(Effect, frozen=True):
    """Ends the paid move; the rest of it is lost."""

    kind: ClassVar[str] = "halt"
    words: ClassVar[str] = "the {whom} stops moving"

    @property
    def state_change(self) -> StateChange:
        return StateChange("stopped", "stopped")

    def can_change(self, unit: Unit, weapon: str, facts: Mapping[str, Value]) -> bool:
        return bool(unit.turn.stride)

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        draft.add(ev.StrideForfeited(unit_id))


class TurnEffect(Effect, frozen=True):
    """A turn at once, which interrupts the order; for the active unit, when its own is over."""

    kind: ClassVar[str] = "extra_turn"
    words: ClassVar[str] = "the {whom} takes an extra turn now"
    only_by_somebody: ClassVar[bool] = True

    @property
    def state_change(self) -> StateChange:
        return StateChange("extra-turn", "an extra turn")

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        if draft.battle.unit(unit_id).is_defeated or not draft.battle.turns.active:
            return
        if draft.battle.turns.active == unit_id:
            draft.add(ev.TurnWaits(unit_id))
        else:
            begin_turn(draft, unit_id, is_extra=True)


class PushEffect(AmountEffect, frozen=True):
    """Pushes a unit away from the other of the two, as far as the path is free; over an edge it falls."""

    kind: ClassVar[str] = "push"
    words: ClassVar[str] = "push the {whom} {value} {unit}"
    needs_target: ClassVar[bool] = True

    @property
    def state_change(self) -> StateChange:
        return StateChange("pushed", "pushed")

    is_directed: bool
    """Whether it goes towards the square that the act names, where it names one."""
    is_followed: bool
    """Whether the other goes along, the same way and as far."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        directed, follows = (row.entry.flag(key, False) for key in ("directed", "follows"))
        return cls(*row.common(cls), row.amount(cls.kind), directed, follows)

    @property
    def takes_square(self) -> bool:
        return self.is_directed

    def describe(self) -> RuleText:
        text = super().describe()
        suffixes = (", in any direction" * self.is_directed, ", and follow" * self.is_followed)
        return replace(text, words="".join((text.words, *suffixes)))

    def events(self, change: AmountChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        battle, unit = draft.battle, draft.battle.unit(unit_id)
        away_from = cause.other_than(self.whom, "attacker")
        squares = in_squares(change.amount, battle.field, draft.rules)
        if not away_from:
            return
        towards = cause.on.square if self.is_directed else None
        direction = direction_of_push(unit, battle.units[away_from].at, towards)
        push = pushed(battle, draft.rules, unit, direction, squares)
        if len(push.path) < 2:
            if draft.tells:
                draft.add(ev.EffectComputed(cause.attacker, self.label, words=Reason("no-room", unit_id)))
            return
        draft.add(ev.UnitPushed(unit_id, push.path, self.label, new_altitude(battle.field, unit, push.path)))
        if push.drop:
            draft.add(ev.UnitFell(unit_id, push.drop))
        elif self.is_followed:
            other = draft.battle.units[away_from]
            path = pushed(draft.battle, draft.rules, other, direction, len(push.path) - 1).path
            if len(path) == len(push.path):
                far = Fraction(len(path) - 1)
                ends_at = new_altitude(battle.field, other, path)
                moved = ev.UnitMoved(away_from, cause.on.action, path, far, Fraction(0), other.facing, altitude=ends_at)
                draft.add(moved)


class SinkEffect(AmountEffect, frozen=True):
    """Descends a unit, at most to what holds it."""

    kind: ClassVar[str] = "descend"
    words: ClassVar[str] = "the {whom} descends {value} {unit}"

    @property
    def state_change(self) -> StateChange:
        return StateChange("descending", "descending")

    def can_change(self, unit: Unit, weapon: str, facts: Mapping[str, Value]) -> bool:
        return unit.altitude > 0

    is_fall: bool
    """Whether it is a fall, once it is down."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.amount(cls.kind), row.entry.flag("falls", False))

    def events(self, change: AmountChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        sink(draft, unit_id, change.amount, falls=self.is_fall)

    def describe(self) -> RuleText:
        text = super().describe()
        return replace(text, words=f"{text.words}, as a fall") if self.is_fall else text
