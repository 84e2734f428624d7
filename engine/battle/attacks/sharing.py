"""Hits of an attack that go to others than its target: those given away in advance, those that the fallen leave."""

from __future__ import annotations

from fractions import Fraction

from engine.battle.attacks.following import Blow, NamingSource, Struck, strike
from engine.battle.attacks.shots import Shot, reckoned
from engine.battle.battle import Battle
from engine.battle.draft import Draft
from engine.battle.situation import Situation, distance_between, observe_again
from engine.battle.units import Unit
from engine.dice.sources import DiceSource
from engine.errors import Illegal
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset
from engine.rules.values import number

Share = tuple[tuple[str, int], ...]
"""Unit ids, each with how many hits go to it."""


def can_share(rules: Ruleset, shot: Shot) -> bool:
    """Whether hits of an attack may be given to others than its target before it is rolled."""
    strikes = rules.strikes
    return (
        strikes is not None
        and strikes.onto is not None
        and shot.caught is None
        and bool(strikes.shares.evaluate(shot.situation.facts))
    )


def sharers(battle: Battle, rules: Ruleset, shot: Shot) -> list[Unit]:
    """Those to whom hits of an attack may be given besides its target, the nearest to it first."""
    if not can_share(rules, shot):
        return []
    return _near(battle, rules, shot.situation, shot.ledger)


def refuse_unless_shared(battle: Battle, rules: Ruleset, shot: Shot, share: Share) -> None:
    """Raises Illegal when hits are given to somebody who cannot have them."""
    if not share:
        return
    if not can_share(rules, shot):
        raise Illegal("share", f"“{shot.situation.action.label}” has no hits to give to others.")
    able = {unit.id for unit in sharers(battle, rules, shot)}
    for unit_id, hits in share:
        unit = battle.unit(unit_id)
        if unit_id not in able:
            raise Illegal("share", f"{unit.name} cannot have a hit: it is too far from the target or harder to hit.")
        if hits < 1:
            raise Illegal("share", f"{unit.name} is given {hits} hits; it takes 1 or more.")


def share_out(draft: Draft, blow: Blow, share: Share, found: Struck, dice: DiceSource) -> Struck:
    """The hits that were given to others, after those of the target; what it came to with them."""
    for unit_id, hits in share:
        if found.made >= found.of or draft.battle.unit(blow.who["attacker"]).is_defeated:
            break
        other = draft.battle.unit(unit_id)
        if not other.is_defeated:
            found = _onto(draft, blow, other, found, dice, hits)
    return found


def pass_on(draft: Draft, blow: Blow, found: Struck, dice: DiceSource) -> None:
    """The strikes that a target which is out of the fight leaves over go to others near it, the nearest first."""
    rules, first = draft.rules, blow.situation.target.id
    if rules.strikes is None or rules.strikes.onto is None or found.made >= found.of or first not in draft.battle.units:
        return
    for other in _near(draft.battle, rules, blow.situation, blow.ledger):
        if found.made >= found.of or draft.battle.unit(blow.who["attacker"]).is_defeated:
            return
        found = _onto(draft, blow, other, found, dice)


def _onto(draft: Draft, blow: Blow, other: Unit, found: Struck, dice: DiceSource, hits: int = 0) -> Struck:
    """So many of the strikes that are left, or all of them, on somebody else."""
    again = observe_again(draft.battle, draft.rules, blow.situation, other.id)
    onto = Blow(again, blow.ledger, blow.rolled, blow.grade, blow.dice)
    upto = found.made + hits if hits else 0
    return strike(draft, onto, NamingSource(dice, f" to {other.name}"), goes_on=found, upto=upto)


def _near(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger) -> list[Unit]:
    """The attacker's enemies near enough to the target and no harder to hit, the nearest first."""
    if rules.strikes is None or rules.strikes.onto is None or situation.target.id not in battle.units:
        return []
    within = number(rules.strikes.onto, situation.facts)
    attacker, target = battle.unit(situation.attacker.id), battle.unit(situation.target.id)

    def far(other: Unit) -> Fraction:
        return Fraction(distance_between(battle.field, rules, target, other))

    def is_no_harder(other: Unit) -> bool:
        found = reckoned(battle, rules, observe_again(battle, rules, situation, other.id))
        return found.is_possible and found.target_number >= ledger.target_number

    enemies = [
        other
        for other in battle.units.values()
        if attacker.is_enemy_of(other) and other.id != target.id and not other.is_defeated
    ]
    near = sorted((each for each in enemies if far(each) <= within), key=far)
    return [other for other in near if is_no_harder(other)]
