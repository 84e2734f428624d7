"""Outcomes of the attacks of a command, from its events: hit, miss, critical hit, fumble, or what stopped it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.events import (
    AttackRolled,
    AttackTurned,
    BudgetChanged,
    BurstCaught,
    ConditionBegan,
    CoverWorn,
    EffectComputed,
    EffectRolled,
    Event,
    PoolChanged,
    UnitDefeated,
    UnitPushed,
)
from engine.battle.gear import armour_of
from engine.battle.state.battle import Battle
from engine.rules.model import Ruleset
from engine.values import replace

HIT, MISS, CRITICAL, FUMBLE, NO_DAMAGE = "hit", "miss", "critical", "fumble", "no damage"
COVER, ARMOUR = "cover", "armour"
"""What stops a hit."""
DEFENDED = "defended"
"""A roll that hit, and that a defence made a miss: its grade says how, as "Evaded"."""


class AttackOutcome(Struct, frozen=True):
    """What an attack came to for one target."""

    attacker: str
    target: str
    """Id of a unit; "" for a square."""
    rolled: AttackRolled | None
    """The roll, where it was made against this target or square."""
    grade_label: str
    is_hit: bool
    is_critical: bool = False
    """Whether it is a critical hit, or a fumble."""
    is_followed: bool = False
    """Whether dice were rolled or values computed after it: damage, what armour stops."""
    has_changed_target: bool = False
    """Whether the target lost something vital, or another thing happened to it than wear."""
    is_down: bool = False
    """Whether the target is out of the fight by it."""

    @property
    def is_caught(self) -> bool:
        """Whether the target was in a blast or a cone, with no roll against it."""
        return self.rolled is None and not self.grade_label

    @property
    def kind(self) -> str:
        """One of HIT, MISS, CRITICAL, FUMBLE, DEFENDED and NO_DAMAGE: a hit whose damage was stopped whole."""
        if not self.is_hit:
            is_defended = self.rolled is not None and self.rolled.is_hit
            return FUMBLE if self.is_critical else DEFENDED if is_defended else MISS
        if self.is_followed and not self.has_changed_target:
            return NO_DAMAGE
        return CRITICAL if self.is_critical else HIT


def attack_outcomes(events: Iterable[Event], rules: Ruleset) -> tuple[AttackOutcome, ...]:
    """The outcome of each attack roll, in order, and of each further target that a blast caught or a hit went to.

    What is critical the ruleset says, of grades and of effects; see `docs/rulesets.md`.
    """
    grades = {grade.id: grade for grade in rules.attack.grades}
    critical = {effect.label for effect in rules.attack.effects if effect.makes_critical}
    vital = vital_pools(rules)
    found: list[AttackOutcome] = []
    latest: dict[str, int] = {}
    """The outcome that an attacker's effects belong to, by its place in the list."""
    changed: set[str] = set()
    down: set[str] = set()

    def begin(outcome: AttackOutcome) -> None:
        latest[outcome.attacker] = len(found)
        found.append(outcome)

    def under_way(attacker: str, target: str = "") -> AttackOutcome | None:
        """The latest outcome of an attacker, if it is about the target, where one is given."""
        held = found[latest[attacker]] if attacker in latest else None
        return held if held and target in ("", held.target) else None

    for event in events:
        match event:
            case AttackRolled():
                target = event.target if event.square is None else ""
                is_critical = event.grade in grades and grades[event.grade].is_critical
                begin(AttackOutcome(event.unit, target, event, event.grade_label, event.is_hit, is_critical))
            case AttackTurned() if event.grade in grades:
                grade, held = grades[event.grade], under_way(event.unit, event.target)
                turned = AttackOutcome(
                    event.unit, event.target, None, event.grade_label, grade.is_hit, grade.is_critical
                )
                if held is None:
                    begin(turned)
                else:
                    found[latest[event.unit]] = replace(turned, rolled=held.rolled)
            case BurstCaught():
                held = under_way(event.unit, event.target)
                is_critical = held is not None and held.is_hit and held.is_critical
                begin(AttackOutcome(event.unit, event.target, None, "", is_hit=True, is_critical=is_critical))
            case EffectRolled() | EffectComputed() if (held := under_way(event.unit)) is not None:
                is_critical = held.is_critical or event.label in critical
                found[latest[event.unit]] = replace(held, is_followed=True, is_critical=is_critical)
            case PoolChanged() if event.pool in vital and event.before != event.after:
                changed.add(event.unit)
            case BudgetChanged() | ConditionBegan() | UnitPushed() | UnitDefeated():
                changed.add(event.unit)
                down |= {event.unit} if isinstance(event, UnitDefeated) else set()
    return tuple(
        replace(one, has_changed_target=one.target in changed, is_down=one.is_hit and one.target in down)
        for one in found
    )


def hits_own_side(outcome: AttackOutcome, battle: Battle) -> bool:
    """Whether an attack hit somebody of the attacker's side."""
    attacker, target = battle.units.get(outcome.attacker), battle.units.get(outcome.target)
    return outcome.is_hit and attacker is not None and target is not None and attacker.side == target.side


def stopped_by(outcome: AttackOutcome, events: Iterable[Event], battle: Battle, rules: Ruleset) -> str:
    """What took all of a hit without damage: COVER that was worn by it, else ARMOUR; "" where there was neither."""
    if outcome.kind != NO_DAMAGE:
        return ""
    if any(isinstance(event, CoverWorn) for event in events):
        return COVER
    target = battle.units.get(outcome.target)
    return ARMOUR if target is not None and armour_of(rules, target) else ""
