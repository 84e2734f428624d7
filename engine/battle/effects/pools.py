"""Effects on numbers of a unit: pools, and budgets of its turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.draft import Draft
from engine.rules.model import Value
from engine.rules.primitives import NOTHING_CERTAIN, Certain, Change, EffectRow, RuleText, ValueEffect
from engine.rules.values import BrokenRule, whole_down


class PoolChange(Change, frozen=True, kw_only=True):
    """A pool or budget goes from one number to another."""

    before: int
    after: int


class PoolEffect(ValueEffect, frozen=True):
    """An effect on a pool or budget, never past 0 or what it began with; one can gain any number of a budget."""

    pool: str
    """Id of the pool or budget."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        pool = row.word("budget", row.budgets) if row.has("budget") else row.word("pool", row.pools)
        return cls(*row.common(cls), row.amount(cls.kind), pool)

    @property
    def fact(self) -> str:
        """The fact that it changes."""
        return f"{self.whom}.{self.pool}"

    def asks(self) -> frozenset[str]:
        return self.when.names | self.value.names | {self.fact, f"{self.fact}.full"}

    def makes(self) -> frozenset[str]:
        return frozenset((self.fact,))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        before = facts[self.fact]
        amount = max(0, whole_down(self.value, facts))
        if not isinstance(before, int):
            raise BrokenRule(self.fact, str(before))
        full = facts.get(f"{self.fact}.full", before + amount)  # what one may spend has no most
        if not isinstance(full, int):
            raise BrokenRule(f"{self.fact}.full", str(full))
        after = self.after(before, amount, full)
        return Certain({self.fact: after}) if after != before else NOTHING_CERTAIN

    def after(self, before: int, amount: int, full: int) -> int:
        """What the number is afterwards."""
        raise NotImplementedError

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> PoolChange | None:
        after, before = made.get(self.fact), facts[self.fact]
        if not isinstance(after, int) or not isinstance(before, int):
            return None
        return PoolChange(self, before=before, after=after)

    def events(self, change: PoolChange, unit_id: str, draft: Draft, cause: Cause) -> None:
        reason = self.label or cause.because
        if self.pool in draft.rules.budgets:
            label = draft.rules.budgets[self.pool].label
            draft.add(ev.BudgetChanged(unit_id, self.pool, label, change.before, change.after, reason))
        else:
            label = draft.rules.pools[self.pool].label
            draft.add(ev.PoolChanged(unit_id, self.pool, label, change.before, change.after, reason))

    def describe(self) -> RuleText:
        return RuleText(f"the {{whom}} {self.kind}s {{value}} {{pool}}", {"value": self.value.text, "pool": self.pool})


class LoseEffect(PoolEffect, frozen=True):
    """Takes from a pool or budget."""

    kind: ClassVar[str] = "lose"

    def after(self, before: int, amount: int, full: int) -> int:
        return max(0, before - amount)


class GainEffect(PoolEffect, frozen=True):
    """Adds to a pool or budget."""

    kind: ClassVar[str] = "gain"

    def after(self, before: int, amount: int, full: int) -> int:
        return max(before, min(full, before + amount))
