"""Effects on attacks: a changed grade, and openings for the attacks of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import kinds_to_answer
from engine.battle.attacks.reactions import can_attack
from engine.battle.cause import Cause
from engine.battle.distances import adjacent_enemies
from engine.battle.effects.condition_effects import SEVERAL
from engine.battle.event_builder import EventBuilder
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import OFF
from engine.battle.state.reasons import Reason
from engine.battle.state.units import Unit
from engine.rules.effect_kinds import TURNED, Effect, EffectChange, EffectRow, StateChange
from engine.rules.model import NEARBY, Ruleset, Value


class StrikeEffect(Effect, frozen=True):
    """Gives the attack another grade, with the effects of that grade; the attack itself carries it out."""

    kind: ClassVar[str] = "set_grade"
    words: ClassVar[str] = "the outcome is “{grade}” against the {whom}"
    needs_attack: ClassVar[bool] = True
    several: ClassVar[tuple[str, ...]] = SEVERAL
    no_state_change: ClassVar[str] = "what the other grade does is shown instead"

    grade: str

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.entry.text(cls.kind, choices=row.grades))

    @property
    def turns_into(self) -> str:
        return self.grade

    def makes(self) -> frozenset[str]:
        """What the attack on the target has turned into; a strike on those nearby may be one on the target."""
        return frozenset((TURNED,)) if self.whom == "target" or self.whom in NEARBY else frozenset()


class ExposeEffect(Effect, frozen=True):
    """Every enemy adjacent to a unit may attack it at once, out of turn and free, but for throws."""

    kind: ClassVar[str] = "provoke"
    words: ClassVar[str] = "adjacent enemies may attack the {whom}"
    several: ClassVar[tuple[str, ...]] = ("nearest_ally", "ally_near_target")

    @property
    def state_change(self) -> StateChange:
        return StateChange("exposed", "open to free attacks")

    def can_change(self, unit: Unit, weapon: str, facts: Mapping[str, Value]) -> bool:
        return bool(facts.get(f"{self.whom}.enemies_adjacent", True))

    def events(self, change: EffectChange, unit_id: str, draft: EventBuilder, cause: Cause) -> None:
        battle, unit = draft.battle, draft.battle.unit(unit_id)
        near = (enemy for enemy in adjacent_enemies(battle, unit) if battle.gm.policy(enemy, "") != OFF)
        able = [enemy for enemy in near if _can_strike(battle, draft.rules, enemy, unit)]
        for enemy in able:
            draft.add(ev.OpeningGiven(enemy.id, unit_id, self.label))
        if not able and draft.tells:
            words = Reason("no-adjacent-enemy", unit_id)
            draft.add(ev.EffectComputed(cause.attacker, self.label, words=words))


def _can_strike(battle: Battle, rules: Ruleset, enemy: Unit, unit: Unit) -> bool:
    return can_attack(battle, rules, enemy, unit, kinds=kinds_to_answer(battle, rules, enemy, unit))
