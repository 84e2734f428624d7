"""Hits of an attack that go to others than its target: those given away in advance, those that the fallen leave.

Whoever has some of them may defend against these, as the target may against its own.
"""

from __future__ import annotations

from fractions import Fraction

from engine.answers import Given, GivenAnswer
from engine.battle.attacks.attack_preview import Shot, reckoned
from engine.battle.attacks.resolve_effects import Blow, blow_facts
from engine.battle.defence_choices import Choices
from engine.battle.distances import distance_between
from engine.battle.facts import Situation, observe_again
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.rules.formula_values import number
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset

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
    return enemies_near(battle, rules, shot.situation, shot.ledger)


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
    asked = [one for one in choices.left if one.q.startswith(share_question("")) and not choices.drawn]
    if not asked:
        return ()
    said = {one.q.removeprefix(share_question("")): one.choose or "" for one in asked}
    if not all(hits.isascii() and hits.isdecimal() and len(hits) <= 3 for hits in said.values()):
        raise Illegal("share", "Hits are given to others as a number.")
    if len(said) < len(asked):
        twice = next(unit_id for unit_id in said if sum(one.q == share_question(unit_id) for one in asked) > 1)
        raise Illegal("share", f"{battle.unit(twice).name} is given hits twice: say once how many.")
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


def take_shares(choices: Choices, share: Share) -> None:
    """Counts these answers as taken, now that the attack is made: one that waits for reactions still has them."""
    for unit_id, _ in share:
        choices.take(share_question(unit_id))


def hits_of(rules: Ruleset, blow: Blow) -> int:
    """How many hits a blow comes to; 0 for a miss."""
    return blow_facts(rules, blow)[1] if blow.grade.is_hit else 0


def enemies_near(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger) -> list[Unit]:
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
