"""Hits of an attack that go to others than its target: those given away in advance, those that the fallen leave.

Whoever has some of them may defend against these, as the target may against its own.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from engine.answers import Given, GivenAnswer
from engine.battle.attacks.defences import SHARED
from engine.battle.attacks.defending import NOBODY_ASKED, Choices, defend_struck
from engine.battle.attacks.following import Blow, Hits, NamingSource, blow_facts, strike
from engine.battle.attacks.shots import Shot, reckoned
from engine.battle.battle import Battle
from engine.battle.distances import distance_between
from engine.battle.draft import Draft
from engine.battle.situation import Situation, observe_again
from engine.battle.units import Unit
from engine.dice.sources import DiceSource
from engine.errors import Illegal
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset
from engine.rules.values import number
from engine.values import replace

Share = tuple[tuple[str, int], ...]
"""Unit ids, each with how many hits go to it."""


def can_share(rules: Ruleset, shot: Shot) -> bool:
    """Whether hits of an attack may be given to others than its target before it is rolled."""
    strikes = rules.attack.strikes
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


def share_question(unit_id: str) -> str:
    """What is asked for hits that go to somebody else than the target; the answer is their number."""
    return f"hits for {unit_id}"


def share_answers(share: Share) -> Given:
    """The answers that give hits to others than the target."""
    return tuple(GivenAnswer(share_question(unit_id), choose=str(hits)) for unit_id, hits in share)


def shared_hits(battle: Battle, rules: Ruleset, shot: Shot, choices: Choices) -> Share:
    """The hits that are given to others than the target; it has the rest, one at least.

    Raises:
        Illegal: somebody cannot have them.
    """
    asked = [one.q for one in choices.table.left if one.q.startswith(share_question("")) and not choices.drawn]
    if not asked:
        return ()
    said = {q.removeprefix(share_question("")): choices.table.choice(q) or "" for q in asked}
    if not all(hits.isdecimal() for hits in said.values()):
        raise Illegal("share", "Hits are given to others as a number.")
    share = tuple((unit_id, int(hits)) for unit_id, hits in said.items())
    if not can_share(rules, shot):
        raise Illegal("share", f"“{shot.situation.action.label}” has no hits to give to others.")
    able = {unit.id for unit in sharers(battle, rules, shot)}
    for unit_id, hits in share:
        unit = battle.unit(unit_id)
        if unit_id not in able:
            raise Illegal("share", f"{unit.name} cannot have a hit: it is too far from the target or harder to hit.")
        if hits < 1:
            raise Illegal("share", f"{unit.name} is given {hits} hits; it takes 1 or more.")
    return share


class Sharing(Struct, frozen=True):
    """How the hits of an attack go to others than its target, who may defend themselves against theirs."""

    share: Share
    blow: Blow
    """The attack as it was rolled, before its target has done anything against it."""
    choices: Choices

    def own(self, rules: Ruleset, blow: Blow) -> Hits | None:
        """The hits that are the target's, once it has defended; one at least was meant for it. None for all of them."""
        if not self.share or not self.blow.grade.is_hit or not blow.grade.is_hit:
            return None
        scored = hits_of(rules, self.blow)
        return Hits(1, max(0, self.meant(scored) - (scored - hits_of(rules, blow))), scored)

    def meant(self, scored: int) -> int:
        """How many of the hits that were scored are meant for the target."""
        return min(scored, max(scored - sum(hits for _, hits in self.share), 1))


def hits_of(rules: Ruleset, blow: Blow) -> int:
    """How many hits a blow comes to; 0 for a miss."""
    return blow_facts(rules, blow)[1] if blow.grade.is_hit else 0


def share_out(draft: Draft, blow: Blow, sharing: Sharing, left: int, dice: DiceSource) -> None:
    """The hits on others: those that were given to them, then those that a target out of the fight leaves over.

    Args:
        draft: where it is added.
        blow: the attack after its target has defended.
        sharing: how its hits are shared.
        left: how many of its own hits the target leaves over.
        dice: where further dice come from.
    """
    rules, rolled = draft.rules, sharing.blow
    if rules.attack.strikes is None or rules.attack.strikes.onto is None or not rolled.grade.is_hit:
        return
    scored = hits_of(rules, rolled if sharing.share else blow)
    number = 1 + sharing.meant(scored)
    attacker = rolled.who["attacker"]
    asked: set[str] = set()
    for unit_id, hits in sharing.share:
        meant = min(hits, scored - number + 1)
        if meant < 1:
            break
        if _is_over(draft, attacker, unit_id):
            left += meant
        else:
            left += _onto(draft, sharing, unit_id, Hits(number, meant, scored), dice)
            asked.add(unit_id)
        number += meant
    if not left or blow.situation.target.id not in draft.battle.units:
        return
    number = scored - left + 1
    for other in _near(draft.battle, rules, blow.situation, blow.ledger):
        if not left or _is_over(draft, attacker, other.id):
            return
        own = replace(sharing, choices=NOBODY_ASKED) if other.id in asked else sharing
        left = _onto(draft, own, other.id, Hits(number, left, scored), dice)
        number = scored - left + 1


def _is_over(draft: Draft, *unit_ids: str) -> bool:
    """Whether one of these is out of the fight."""
    return any(draft.battle.unit(unit_id).is_defeated for unit_id in unit_ids)


def _onto(draft: Draft, sharing: Sharing, unit_id: str, hits: Hits, dice: DiceSource) -> int:
    """Hits on somebody else than the target, who may defend against them; how many it leaves over when it falls."""
    rules, rolled = draft.rules, sharing.blow
    again = observe_again(draft.battle, rules, rolled.situation, unit_id)
    onto = replace(rolled, situation=again)
    named = NamingSource(dice, f" to {again.target.name}")
    many = f"{hits.count} {'hit goes' if hits.count == 1 else 'hits go'} to {again.target.name}."
    defended = defend_struck(draft, onto, sharing.choices, named, SHARED, many)
    evaded = hits_of(rules, onto) - hits_of(rules, defended)
    own = replace(hits, count=max(0, hits.count - max(0, evaded)))
    if not defended.grade.is_hit:
        own, defended = replace(own, count=0), replace(defended, grade=rolled.grade)
    return strike(draft, defended, named, only=own).left


def _near(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger) -> list[Unit]:
    """The attacker's enemies near enough to the target and no harder to hit, the nearest first."""
    if rules.attack.strikes is None or rules.attack.strikes.onto is None or situation.target.id not in battle.units:
        return []
    within = number(rules.attack.strikes.onto, situation.facts)
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
