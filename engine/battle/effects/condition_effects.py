"""Effects on conditions and postures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.event_builder import EventBuilder
from engine.battle.state.units import Unit
from engine.geometry.body import POSTURES
from engine.rules.effect_kinds import Certain, Effect, EffectChange, EffectRow, RuleText, StateChange
from engine.rules.expressions import Expression
from engine.rules.formula_values import whole_down
from engine.rules.model import Value
from engine.values import replace

SEVERAL = ("allies", "enemies", "nearest_ally", "ally_near_target")


class ConditionChange(EffectChange, frozen=True, kw_only=True):
    """A condition begins or ends."""

    rounds: int
    """How many rounds it lasts; 0 until its own moment."""


class ConditionEffect(Effect, frozen=True):
    """Begins or ends a condition of a unit."""

    kind: ClassVar[str] = "condition"
    words: ClassVar[str] = "the {whom} is {condition}"
    several: ClassVar[tuple[str, ...]] = SEVERAL
    is_about_held: ClassVar[bool] = True

    condition: str
    is_end: bool
    """Whether the condition ends."""
    rounds: Expression | None
    """Rounds that it lasts; None for as long as the condition itself says."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        rounds = row.amount("rounds") if row.entry.has("rounds") else None
        return cls(
            *row.common(cls), row.entry.text(cls.kind, choices=row.conditions), row.entry.flag("remove", False), rounds
        )

    @property
    def state_change(self) -> StateChange:
        if self.is_end:
            return StateChange(f"no-{self.condition}", "no longer {condition}")
        return StateChange(self.condition, "{condition}")

    def can_change(self, unit: Unit, weapon: str, facts: Mapping[str, Value]) -> bool:
        """One that it has already may begin again where it is timed, or about somebody or something."""
        is_held = self.condition in unit.conditions
        if self.is_end or not is_held:
            return is_held == self.is_end
        return self.condition in unit.timers or bool(unit.about.get(self.condition))

    @property
    def begins(self) -> str:
        return "" if self.is_end else self.condition

    @property
    def ends(self) -> str:
        return self.condition if self.is_end else ""

    def makes(self) -> frozenset[str]:
        return frozenset((f"{self.whom}.{self.condition}",))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        return Certain({f"{self.whom}.{self.condition}": not self.is_end})

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> ConditionChange:
        return ConditionChange(self, rounds=whole_down(self.rounds, facts) if self.rounds else 0)

    def events(self, change: ConditionChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        unit = draft.battle.unit(unit_id)
        if self.whom == "allies" and self.is_end and not self._shares(draft, unit, cause):
            return
        about = self._about(draft, unit, cause)
        draft.set_condition(unit_id, self.condition, not self.is_end, cause.because, change.rounds, about)

    def _shares(self, draft: EventBuilder, unit: Unit, cause: Cause) -> bool:
        """Whether a friend's condition is about the same as the attacker's own, where that is in it, too."""
        own = draft.battle.unit(cause.attacker).about.get(self.condition, "")
        return not own or unit.about.get(self.condition, "") == own

    def _about(self, draft: EventBuilder, unit: Unit, cause: Cause) -> str:
        """The unit, weapon, square or attack that the condition is about."""
        other = cause.other_than(self.whom, "target")
        match draft.rules.units.conditions[self.condition].about:
            case "unit":
                return other
            case "weapon":
                return cause.weapon_of(self.whom, unit)
            case "square":
                return (cause.on.square or draft.battle.units.get(other, unit).at).name
            case "attack":
                return cause.on.attack
        return ""

    def describe(self) -> RuleText:
        text = super().describe()
        return replace(text, words="the {whom} is no longer {condition}") if self.is_end else text


class PostureEffect(Effect, frozen=True):
    """Sets the posture of a unit."""

    kind: ClassVar[str] = "posture"
    words: ClassVar[str] = "the {whom} is {posture}"
    several: ClassVar[tuple[str, ...]] = SEVERAL
    is_about_held: ClassVar[bool] = True

    posture: str

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.entry.text(cls.kind, choices=POSTURES))

    @property
    def state_change(self) -> StateChange:
        return StateChange(self.posture, self.posture)

    def can_change(self, unit: Unit, weapon: str, facts: Mapping[str, Value]) -> bool:
        return unit.posture != self.posture

    @property
    def needs_ground(self) -> bool:
        return self.posture in ("kneeling", "prone")

    def makes(self) -> frozenset[str]:
        return frozenset((f"{self.whom}.posture",))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        return Certain({f"{self.whom}.posture": self.posture})

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        draft.add(ev.PostureTaken(unit_id, self.posture))
