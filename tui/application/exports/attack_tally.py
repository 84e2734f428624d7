"""Attacks of a step for the end card: who hit whom, what it cost and who dropped, all of it or what a seat saw.

A seat has neither chances nor shares of hit points: those are numbers of others. What somebody unseen did is no attack
here; what it cost those in sight has no attacker.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.effect_analysis import harmful_pools, vital_pools
from engine.battle.setup import pools_of
from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import CRITICAL, FUMBLE, HIT, MISS, NO_DAMAGE, attack_outcomes
from engine.geometry.squares import Square
from engine.journal.history import Step
from engine.rules.model import Ruleset
from engine.values import replace
from tui.application.exports.log_cleanup import Sight, events_with_battles

ASTRAY = "astray"
"""The kind of a throw that missed and came down elsewhere."""


class UnitLoss(Struct, frozen=True):
    """What an attack, or something else, cost a unit."""

    unit: str
    amount: int = 0
    """Points lost of the pools whose loss is damage; else of those that count wounds."""
    share: Fraction | None = None
    """Of its hit points when they are full, at most 1; None where a seat looks."""
    is_down: bool = False


class AttackMade(Struct, frozen=True):
    """One attack, or with no attacker what was lost without one that is known."""

    attacker: str = ""
    target: str = ""
    """Id of the unit it was aimed at; "" for a square, and for somebody unseen."""
    kind: str = MISS
    """HIT, MISS, CRITICAL, FUMBLE or ASTRAY."""
    weapon: str = ""
    """Label of the weapon."""
    reaction: str = ""
    """Label of the reaction that it was; "" for none."""
    distance: str = ""
    """As the log has it; "" where a seat looks."""
    chance: Fraction | None = None
    """Of the roll that came, hit or miss; None where a seat looks."""
    round: int = 0
    losses: tuple[UnitLoss, ...] = ()

    @property
    def is_hit(self) -> bool:
        return self.kind in (HIT, CRITICAL)


def attacks_of(step: Step, rules: Ruleset, sight: Sight | None = None) -> tuple[AttackMade, ...]:
    """The attacks of a step, in order, and the losses without one.

    Args:
        step: the command.
        rules: the battle's.
        sight: whom and what a seat sees; None for all.
    """
    if not any(isinstance(event, ev.AttackRolled | ev.PoolChanged | ev.UnitDefeated) for event in step.events):
        return ()
    kinds = {id(one.rolled): one.kind for one in attack_outcomes(step.events, rules) if one.rolled is not None}
    tallies = [_Tally(AttackMade())]
    for event, before in events_with_battles(step):
        match event:
            case ev.AttackRolled():
                tallies.append(_Tally(_rolled(event, before, kinds, rules, sight), _aim(event, before)))
            case ev.BurstLanded():
                if sight is None or event.at in sight.squares:
                    tallies[-1].landed = event.at
            case ev.ChargeSetOff() | ev.TurnBegan() | ev.TurnEnded() | ev.RoundBegan():  # losses after it are not its
                tallies.append(_Tally(AttackMade(round=before.turns.round)))
            case ev.PoolChanged() | ev.UnitDefeated() if sight is None or event.unit in sight.own | sight.after:
                tallies[-1].take(event, before, rules)
    found = (tally.result(is_whole=sight is None) for tally in tallies)
    return tuple(made for made in found if made.attacker or made.losses)


def _rolled(
    event: ev.AttackRolled, before: Battle, kinds: Mapping[int, str], rules: Ruleset, sight: Sight | None
) -> AttackMade:
    """An attack as far as it is known, before what it cost."""
    target = "" if event.square else event.target
    kind = kinds.get(id(event), MISS)
    kind = kind if kind in (HIT, CRITICAL, FUMBLE) else HIT if kind == NO_DAMAGE else MISS
    opening = before.opening(event.unit, event.target, event.action)
    known = (one.short or one.label for one in rules.turns.reactions if opening and one.id == opening.reaction)
    reaction = next(known, "")
    if sight is None:
        chance = event.chance if event.is_hit else 1 - event.chance
        return AttackMade(
            event.unit, target, kind, event.weapon_label, reaction, event.distance, chance, before.turns.round
        )
    if event.unit not in sight.known:
        return AttackMade()
    sees_square = event.square is not None and (event.unit in sight.own or event.square in sight.squares)
    if not sees_square and target not in sight.known:
        return AttackMade(event.unit, weapon=event.weapon_label)
    return AttackMade(event.unit, target, kind, event.weapon_label, reaction)


def _aim(event: ev.AttackRolled, before: Battle) -> Square | None:
    """The square that an attack was aimed at."""
    return event.square or (before.units[event.target].at if event.target in before.units else None)


class _Tally:
    """An attack while its events are read."""

    def __init__(self, made: AttackMade, aimed: Square | None = None) -> None:
        self.landed: Square | None = None
        self._made = made
        self._aimed = aimed
        self._lost: dict[str, _Lost] = {}

    def take(self, event: ev.PoolChanged | ev.UnitDefeated, before: Battle, rules: Ruleset) -> None:
        """Adds what an event cost a unit."""
        lost = self._lost.setdefault(event.unit, _Lost())
        if isinstance(event, ev.UnitDefeated):
            lost.is_down = True
        elif event.pool in vital_pools(rules):
            amount = event.before - event.after
            if event.pool in harmful_pools(rules):
                lost.wounds += amount
            else:
                lost.damage += amount
            full = pools_of(rules, before.units[event.unit]).get(event.pool, 0)
            lost.share = max(lost.share, min(Fraction(1), Fraction(amount, full))) if full > 0 else lost.share

    def result(self, *, is_whole: bool) -> AttackMade:
        """The attack with all that it cost; `is_whole` with shares of hit points."""
        losses = tuple(
            UnitLoss(unit, amount, lost.share if is_whole else None, lost.is_down)
            for unit, lost in self._lost.items()
            if (amount := max(0, lost.damage or lost.wounds)) or lost.is_down
        )
        is_astray = self._made.kind == MISS and self.landed is not None and self.landed != self._aimed
        kind = ASTRAY if is_astray and self._made.attacker else self._made.kind
        return replace(self._made, kind=kind, losses=losses)


class _Lost:
    """What one unit loses."""

    def __init__(self) -> None:
        self.damage = self.wounds = 0
        self.share = Fraction(0)
        self.is_down = False
