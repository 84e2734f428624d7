"""Flags for odds: whether effects have happened, found in the same run as what these do to the facts.

A flag is an effect in front of another, under the same conditions, that makes one fact true. Play has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.context import Cache
from engine.rules.effect_kinds import Certain
from engine.rules.model import Effect, Ruleset, Value
from engine.values import replace

_flagged: Cache[Ruleset] = Cache(64)


class OutcomeFlag(Effect, frozen=True):
    """Makes the fact `name` true where the effect after it happens, and leaves it as it is elsewhere."""

    changes_units: ClassVar[bool] = False
    is_early: ClassVar[bool] = True

    name: str

    def makes(self) -> frozenset[str]:
        return frozenset((self.name,))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        return Certain({self.name: True})


def flag_of(effect: Effect, name: str) -> OutcomeFlag:
    """The flag of one effect, as the fact `name`."""
    kept = effect.on, effect.when, effect.whom, effect.origin, effect.is_once, effect.within, effect.nth
    return OutcomeFlag(effect.id, effect.label, *kept, name)


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
