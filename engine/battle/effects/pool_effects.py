"""Effects on numbers: pools of a unit, budgets of its turn, damage of its cover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.cause import Cause
from engine.battle.event_builder import EventBuilder
from engine.geometry.obstacles import GROUND
from engine.rules.effect_kinds import NOTHING_CERTAIN, Certain, EffectRow, NumberChange, ValueEffect
from engine.rules.formula_values import BrokenRule, whole_down
from engine.rules.model import Value


class NumberEffect(ValueEffect, frozen=True):
    """An effect on one number."""

    no_state_change: ClassVar[str] = "numbers are the damage, or a loss that is shown as its mean"

    @property
    def fact(self) -> str:
        """The fact that it changes."""
        raise NotImplementedError

    def after(self, before: int, amount: int, facts: Mapping[str, Value]) -> int:
        """What the number is afterwards."""
        return before + amount

    def asks(self) -> frozenset[str]:
        return self.when.names | self.value.names | {self.fact}

    def makes(self) -> frozenset[str]:
        return frozenset((self.fact,))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        before = facts[self.fact]
        amount = max(0, whole_down(self.value, facts))
        if not isinstance(before, int):
            raise BrokenRule(self.fact, str(before))
        after = self.after(before, amount, facts)
        return Certain({self.fact: after}) if after != before else NOTHING_CERTAIN

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> NumberChange | None:
        before, after = facts[self.fact], made.get(self.fact)
        if not isinstance(before, int) or not isinstance(after, int):
            return None
        return NumberChange(self, before=before, after=after)


class PoolEffect(NumberEffect, frozen=True):
    """An effect on a pool, between 0 and its start, or on a budget, which may grow without limit."""

    pool: str
    """Id of the pool or budget."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        key, of = ("budget", row.budgets) if row.entry.has("budget") else ("pool", row.pools)
        return cls(*row.common(cls), row.amount(cls.kind), row.entry.text(key, choices=of))

    @property
    def fact(self) -> str:
        return f"{self.whom}.{self.pool}"

    def asks(self) -> frozenset[str]:
        return self.when.names | self.value.names | {self.fact, f"{self.fact}.full"}

    def events(self, change: NumberChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        rules, values = draft.rules, (change.before, change.after, self.label or cause.because)
        if self.pool in rules.units.budgets:
            draft.add(ev.BudgetChanged(unit_id, self.pool, rules.units.budgets[self.pool].label, *values))
        else:
            draft.add(ev.PoolChanged(unit_id, self.pool, rules.units.pools[self.pool].label, *values))


class LoseEffect(PoolEffect, frozen=True):
    """Takes from a pool or budget."""

    kind: ClassVar[str] = "lose"
    words: ClassVar[str] = "the {whom} loses {value} {pool}"

    def after(self, before: int, amount: int, facts: Mapping[str, Value]) -> int:
        return max(0, before - amount)


class GainEffect(PoolEffect, frozen=True):
    """Adds to a pool or budget."""

    kind: ClassVar[str] = "gain"
    words: ClassVar[str] = "the {whom} gains {value} {pool}"

    def after(self, before: int, amount: int, facts: Mapping[str, Value]) -> int:
        full = facts.get(f"{self.fact}.full", before + amount)  # what one may spend has no most
        if not isinstance(full, int):
            raise BrokenRule(f"{self.fact}.full", str(full))
        return max(before, min(full, before + amount))


class WearEffect(NumberEffect, frozen=True):
    """Takes from the thing that covers the target; not where it is the ground, a body, or there is none."""

    kind: ClassVar[str] = "damage_cover"
    words: ClassVar[str] = "the target's cover loses {value}"
    needs_attack: ClassVar[bool] = True
    only_whom: ClassVar[str] = "target"

    @property
    def fact(self) -> str:
        """Damage of the cover so far."""
        return "cover_damage"

    def events(self, change: NumberChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        """The ground does not wear, and bodies have numbers of their own."""
        cover = cause.cover
        if cover is not None and not cover.is_body and cover.name != GROUND:
            worn = (change.before, change.after, self.label)
            draft.add(ev.CoverWorn(cover.square, cover.edge, cover.name, *worn))
