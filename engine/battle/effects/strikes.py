"""Effects on the attack itself: what it counts as, what it takes from cover, whom it lays open to others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from engine.battle import events as ev
from engine.battle.attacks.reactions import can_attack
from engine.battle.cause import Cause
from engine.battle.distances import adjacent_enemies
from engine.battle.draft import Draft
from engine.battle.pinned import OFF
from engine.field.solids import GROUND
from engine.rules.model import NEARBY, Value
from engine.rules.primitives import (
    NOTHING_CERTAIN,
    TURNED,
    Certain,
    Change,
    Effect,
    EffectRow,
    RuleText,
    ValueEffect,
)
from engine.rules.values import BrokenRule, whole_down


class StrikeEffect(Effect, frozen=True):
    """The attack counts as a grade, and what follows from that grade follows; the attack itself carries that out."""

    kind: ClassVar[str] = "strike"
    needs_attack: ClassVar[bool] = True
    several: ClassVar[tuple[str, ...]] = ("friends", "enemies", "friend", "bystander")

    grade: str

    @classmethod
    def read(cls, row: EffectRow) -> Self:
        return cls(*row.common(cls), row.word(cls.kind, row.grades))

    @property
    def turns_into(self) -> str:
        return self.grade

    def makes(self) -> frozenset[str]:
        """What the attack on the target has turned into; a strike on those nearby may be one on the target."""
        return frozenset((TURNED,)) if self.whom == "target" or self.whom in NEARBY else frozenset()

    def describe(self) -> RuleText:
        return RuleText("the attack counts as “{grade}” against the {whom}", {"grade": self.grade})


class CoverChange(Change, frozen=True, kw_only=True):
    """What has been taken from the thing that covers the target, before and after."""

    before: int
    after: int


class WearEffect(ValueEffect, frozen=True):
    """Takes from the thing that covers the target; not where it is the ground, a body, or there is none."""

    kind: ClassVar[str] = "wear"
    needs_attack: ClassVar[bool] = True
    only_whom: ClassVar[str] = "target"

    def asks(self) -> frozenset[str]:
        return self.when.names | self.value.names | {"cover_wear"}

    def makes(self) -> frozenset[str]:
        return frozenset(("cover_wear",))

    def run(self, facts: Mapping[str, Value]) -> Certain:
        before = facts["cover_wear"]
        if not isinstance(before, int):
            raise BrokenRule("cover_wear", before)
        more = max(0, whole_down(self.value, facts))
        return Certain({"cover_wear": before + more}) if more else NOTHING_CERTAIN

    def change(self, facts: Mapping[str, Value], made: Mapping[str, Value]) -> CoverChange | None:
        before, after = facts["cover_wear"], made.get("cover_wear")
        if not isinstance(before, int) or not isinstance(after, int):
            return None
        return CoverChange(self, before=before, after=after)

    def events(self, change: CoverChange, unit_id: str, draft: Draft, cause: Cause) -> None:
        """The ground does not wear, and bodies have numbers of their own."""
        cover = cause.cover
        if cover is not None and not cover.is_body and cover.name != GROUND:
            worn = (change.before, change.after, self.label)
            draft.add(ev.CoverWorn(cover.square, cover.edge, cover.name, *worn))

    def describe(self) -> RuleText:
        return RuleText("{value} is taken from what covers the target", {"value": self.value.text})


class ExposeEffect(Effect, frozen=True):
    """Every enemy next to somebody may attack it at once, out of turn and for nothing."""

    kind: ClassVar[str] = "expose"
    several: ClassVar[tuple[str, ...]] = ("friend", "bystander")

    def events(self, change: Change, unit_id: str, draft: Draft, cause: Cause) -> None:
        battle, unit = draft.battle, draft.battle.unit(unit_id)
        near = (enemy for enemy in adjacent_enemies(battle, unit) if battle.policy(enemy, "") != OFF)
        able = [enemy for enemy in near if can_attack(battle, draft.rules, enemy, unit)]
        for enemy in able:
            draft.add(ev.OpeningGiven(enemy.id, unit_id, self.label))
        if not able:
            words = f"no enemy next to {unit.name} can attack"
            draft.add(ev.EffectReckoned(cause.attacker, self.label, words=words))

    def describe(self) -> RuleText:
        return RuleText("the enemies next to the {whom} may attack it at once")
