"""Cause of effects: who acts on whom and with what, and whom a change is about."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.battle.distances import distance_between
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.los.trace import Blocker
from engine.geometry.squares import Square
from engine.rules.effect_kinds import EffectChange
from engine.rules.model import ABOUT_WHOM, NEARBY, ONE_NEARBY, Ruleset

OTHER = {"attacker": "target", "target": "attacker", "enemies": "attacker", "defender": "attacker"}


class ActOn(Struct, frozen=True):
    """Target, square and attack of an action."""

    target: str = ""
    square: Square | None = None
    attack: str = ""
    """Id of the attack that is declared with it."""
    action: str = ""
    """Id of the act."""


NOTHING = ActOn()


class Cause(Struct, frozen=True):
    """Cause of effects."""

    who: Mapping[str, str]
    """Unit ids of "attacker" and "target"; a change on someone left out is dropped."""
    because: str
    """What caused it, for the log."""
    weapon: str = ""
    """Id of the attacker's weapon, where it need not be the one in hand."""
    cover: Blocker | None = None
    """What covers the target."""
    on: ActOn = NOTHING
    """What an act is at that is on nobody, and the attack that it declares."""

    @property
    def attacker(self) -> str:
        """Id of the one who acts."""
        return self.who["attacker"]

    def other_than(self, whom: str, usual: str = "") -> str:
        """Id of the other one of attacker and target; `usual` where that is not clear; "" for none."""
        return self.who.get(OTHER.get(whom, usual), "")

    def weapon_of(self, whom: str, unit: Unit) -> str:
        """Id of the weapon of an effect on a unit: the attack's own, else the one in hand."""
        return self.weapon if whom == "attacker" and self.weapon else unit.gear.weapon


def affected_units(battle: Battle, rules: Ruleset, change: EffectChange, who: Mapping[str, str]) -> list[str]:
    """Ids of the units that a change is about."""
    whom = change.effect.whom
    if whom.endswith(ABOUT_WHOM):
        held = battle.unit(who["attacker"]).about.get(whom.removesuffix(ABOUT_WHOM), "")
        return [held] if held in battle.units else []
    if whom not in NEARBY:
        return [who[whom]] if whom in who else []
    unit = battle.unit(who["attacker"])
    middle = battle.units.get(who.get("target", "")) if whom == "ally_near_target" else unit
    if middle is None:
        return []
    left_out = {unit.id, middle.id}

    def far(other: Unit) -> int | float:
        return float(distance_between(battle.field, rules, middle, other))

    def is_affected(other: Unit) -> bool:
        return unit.is_enemy_of(other) if whom == "enemies" else other.side == unit.side

    near = [
        other
        for other in battle.units.values()
        if is_affected(other) and other.id not in left_out and not other.is_defeated and far(other) <= change.within
    ]
    if whom in ONE_NEARBY:
        near = sorted(near, key=far)[: max(1, change.nth)][-1:]
    return [other.id for other in near]
