"""The exercise "Add an effect kind" of CONTRIBUTING: all that a new kind needs, in the one file that it would have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.event_builder import EventBuilder
from engine.rules.effect_kinds import Certain, Effect, EffectRow, NumberChange
from engine.rules.formula_values import BrokenRule
from engine.rules.model import Value


class HalveEffect(Effect, frozen=True):
    """A pool loses half of what it holds, rounded up."""

    kind: ClassVar[str] = "halve"
    words: ClassVar[str] = "the {whom} loses half of its {pool}"
    no_state_change: ClassVar[str] = "the loss is damage"

    pool: str

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.entry.text(cls.kind, choices=row.pools))

    @property
    def fact(self) -> str:
        """The fact that it changes."""
        return f"{self.whom}.{self.pool}"

    def asks(self) -> frozenset[str]:
        return super().asks() | {self.fact}

    def makes(self) -> frozenset[str]:
        return frozenset((self.fact,))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        before = facts[self.fact]
        if not isinstance(before, int):
            raise BrokenRule(self.fact, before)
        return Certain({self.fact: before // 2})

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> NumberChange:
        before, after = facts[self.fact], made[self.fact]
        assert isinstance(before, int) and isinstance(after, int)
        return NumberChange(self, before=before, after=after)

    def events(self, change: NumberChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        label = draft.rules.units.pools[self.pool].label
        draft.add(ev.PoolChanged(unit_id, self.pool, label, change.before, change.after, self.label))
