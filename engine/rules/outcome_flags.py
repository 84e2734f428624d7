"""Flags for odds: whether effects have happened, found in the same run as what these do to the facts.

A flag is an effect in front of another, under the same conditions, that makes one fact true. Play has none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from engine.context import Cache
from engine.errors import BattleboardError
from engine.rules.effect_kinds import NOTHING_CERTAIN, Certain
from engine.rules.expressions import Expression, constant
from engine.rules.model import Effect, Ruleset, Value
from engine.values import replace

TRUE = constant(True)
_flagged: Cache[Ruleset] = Cache(64)


class OddsFact(Effect, frozen=True):
    """Makes a fact known where its condition holds, and leaves it as it is elsewhere; in odds alone."""

    changes_units: ClassVar[bool] = False
    is_early: ClassVar[bool] = True
    formulas: ClassVar[tuple[str, ...]] = ("value",)

    name: str
    value: Expression

    def asks(self) -> frozenset[str]:
        return self.when.names | self.value.names

    def makes(self) -> frozenset[str]:
        return frozenset((self.name,))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        """What cannot be worked out stays unknown: dice that are not rolled are not asked for."""
        try:
            return Certain({self.name: self.value.evaluate(facts)})
        except BattleboardError:
            return NOTHING_CERTAIN

    def split_by_rolls(self, rolled: Collection[str]) -> Sequence[OddsFact]:
        """Two opposed rolls are compared by what each comes to: five degrees with five, not 100 faces with 100."""
        *sides, (_, when) = self.when.sides_by_rolls(rolled, f"{self.name} by {self.id}").items()
        parts = [replace(self, when=TRUE, name=name, value=value) for name, value in sides]
        return [*parts, replace(self, when=when)]


def flag_of(effect: Effect, name: str) -> OddsFact:
    """The flag of one effect: the fact `name` is true where that effect happens."""
    kept = effect.on, effect.when, effect.whom, effect.origin, effect.is_once, effect.within, effect.nth
    return OddsFact(effect.id, effect.label, *kept, name, TRUE)


def flag_name(effect: Effect) -> str:
    """The fact of an effect's flag, which no formula can ask for: one for all that change the same.

    "" where its kind has no `state_change`.
    """
    change = effect.state_change
    return f"{effect.whom}: {change.id}" if change is not None else ""


def flagged(rules: Ruleset) -> Ruleset:
    """The ruleset with a flag before each effect of an attack that changes the state of a unit."""
    return _flagged.get((rules,), None, lambda: _flagged_effects(rules))


def _flagged_effects(rules: Ruleset) -> Ruleset:
    effects: list[Effect] = []
    for effect in rules.attack.effects:
        if name := flag_name(effect):
            effects.append(flag_of(effect, name))  # before it: what it changes may be what its `when` asks for
        effects.append(effect)
    return replace(rules, attack=replace(rules.attack, effects=tuple(effects)))
