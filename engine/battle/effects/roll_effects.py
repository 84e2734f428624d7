"""Effects that make a fact known and change nothing: dice that are rolled, formulas that are worked out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, Self

from engine.dice.dice_expressions import parse_dice
from engine.rules.effect_kinds import Certain, Chance, Effect, EffectRow, ValueEffect
from engine.rules.expressions import Expression, Template
from engine.rules.model import Value
from engine.rules.syntax import ExpressionError
from engine.values import replace


class FactEffect(ValueEffect, frozen=True):
    """An effect that makes the fact `name` known to those after it."""

    changes_units: ClassVar[bool] = False
    no_state_change: ClassVar[str] = "it changes no unit"

    name: str

    def makes(self) -> frozenset[str]:
        return frozenset((self.name,))

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> None:
        return None


class RollEffect(FactEffect, frozen=True):
    """Rolls the dice that `value` names."""

    kind: ClassVar[str] = "roll"
    words: ClassVar[str] = "roll {value}"
    has_dice: ClassVar[bool] = True

    is_shared: bool
    """Whether one roll serves all whom a burst catches."""
    because: Template | None
    """What the dice are up against, shown with the label."""
    is_critical: bool = False
    """Whether only critical hits roll it."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        because = row.template("because") if row.entry.has("because") else None
        flags = row.entry.flag("shared", False), because, _critical(row)
        return cls(*row.common(cls), row.dice(cls.kind), row.new_fact("as"), *flags)

    def run(self, facts: Mapping[str, Value]) -> Chance:
        dice = parse_dice(str(self.value.evaluate(facts)))
        return Chance(self.name, dice, self.because, self.is_shared)

    @property
    def makes_critical(self) -> bool:
        return self.is_critical

    def typical(self, sample: Mapping[str, Value]) -> Value:
        return 1

    def is_thrown_with(self, first: Effect) -> bool:
        """A roll of the same dice under the same conditions, up against the same."""
        return (
            isinstance(first, RollEffect)
            and (self.value, self.on, self.when) == (first.value, first.on, first.when)
            and self.because == first.because
            and not self.is_shared
        )

    @property
    def thrown(self) -> Expression:
        return self.value


class LetEffect(FactEffect, frozen=True):
    """Works a formula out."""

    kind: ClassVar[str] = "let"
    words: ClassVar[str] = "{value}"
    is_early: ClassVar[bool] = True

    is_shown: bool
    """Whether the log tells it: what armour stops, what a blow adds up to."""
    is_outcome: bool = False
    """Whether it is the success of the test that the effects before it make up; its chance is shown before any roll."""
    is_lasting: bool = False
    """Whether its fact is still known for the attack's further hits; 0 before the first."""
    is_critical: bool = False
    """Whether a value other than 0 and no makes the hit critical; the log then tells it."""
    is_repeating: bool = True
    """Whether the log tells it too where it is just a number that the log has already."""

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        lasts = row.entry.flag("lasts", False)
        if lasts and not row.grades:
            row.entry.problem("lasts", "lasts is only for effects of an attack: its further hits know the fact")
        value, name = row.any_value(cls.kind), row.new_fact("as", is_lasting=lasts)
        is_critical = _critical(row)
        is_shown = row.entry.flag("show", False) or is_critical
        flags = (is_shown, row.entry.flag("outcome", False), lasts, is_critical, row.entry.flag("repeats", True))
        return cls(*row.common(cls), value, name, *flags)

    def split_by_rolls(self, rolled: Collection[str]) -> Sequence[LetEffect]:
        if not self.when.is_fixed:
            return (self,)
        parts = self.value.split_by_rolls(rolled, self.name)
        return [replace(self, name=name, value=value) for name, value in parts.items()]

    @property
    def is_idle(self) -> bool:
        return self.value.text == self.name

    @property
    def formula(self) -> Expression:
        return self.value

    @property
    def lasts(self) -> bool:
        return self.is_lasting

    @property
    def makes_critical(self) -> bool:
        return self.is_critical

    @property
    def repeats(self) -> bool:
        return self.is_repeating

    @property
    def outcome(self) -> str:
        return self.name if self.is_outcome else ""

    def run(self, facts: Mapping[str, Value]) -> Certain:
        return Certain({self.name: self.value.evaluate(facts)}, self.is_shown)

    def typical(self, sample: Mapping[str, Value]) -> Value:
        try:
            return self.value.evaluate(sample)
        except ExpressionError:
            return 1


def _critical(row: EffectRow) -> bool:
    """`critical`: whether the hit is critical once this happens; only for effects of an attack."""
    is_critical = row.entry.flag("critical", False)
    if is_critical and not row.grades:
        row.entry.problem("critical", "critical is only for effects of an attack: it says which hits are critical")
    return is_critical
