"""Hits on others than the target: those split off in advance, and those left over by units that drop.

Each unit that takes some of them may defend against those, as the target may against its own.
"""

from __future__ import annotations

from fractions import Fraction

from engine.answers import Given, GivenAnswer
from engine.battle.attacks.attack_preview import AttackPreview, adjusted_ledger
from engine.battle.attacks.resolve_effects import Blow, blow_facts
from engine.battle.defence_choices import Choices
from engine.battle.distances import distance_between
from engine.battle.facts import Situation, observe_again
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import measured
from engine.dice.dice_text import number as number_text
from engine.errors import Illegal
from engine.rules.formula_values import number
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset
from engine.rules.roll_odds import asked_of_rolls, judged_rolls, strikes_of
from engine.text import count
from engine.values import replace

Share = tuple[tuple[str, int], ...]
"""Unit ids, each with how many hits go to it."""


def with_share(battle: Battle, shot: AttackPreview, share: Share) -> AttackPreview:
    """The same shot with hits of it given to others."""
    return replace(shot, share=tuple((battle.unit(unit_id), hits) for unit_id, hits in share))


def hits_kept(rules: Ruleset, situation: Situation, ledger: Ledger, given: int) -> int:
    """How many hits the target of an attack keeps, first of all, where so many are given to others: one at least."""
    return max(most_hits(rules, situation, ledger) - given, 1)


def can_share(rules: Ruleset, shot: AttackPreview) -> bool:
    """Whether hits of an attack may be split between units before it is rolled."""
    strikes = rules.attack.strikes
    return (
        strikes is not None
        and strikes.onto is not None
        and shot.caught is None
        and bool(strikes.shares.evaluate(shot.situation.facts))
    )


def most_hits(rules: Ruleset, situation: Situation, ledger: Ledger) -> int:
    """The maximum number of hits of an attack; 0 if no roll hits."""
    if not ledger.is_possible:
        return 0
    rolls = judged_rolls(rules, situation.facts, ledger, asked_of_rolls(rules))[1]
    hits = (strikes_of(rules, known, rolled.grade) for _, rolled, known in rolls if rolled.grade.is_hit)
    return max(hits, default=0)


def shared_chances(rules: Ruleset, shot: AttackPreview) -> tuple[tuple[Unit, int, Fraction], ...]:
    """Each other unit that hits of a shot go to: how many of them, and the chance that it is hit before it defends.

    The target has its own hits first, then the others theirs, in the order in which they were given.
    """
    if not shot.share or not shot.ledger.is_possible:
        return ()
    whole, rolls = judged_rolls(rules, shot.situation.facts, shot.ledger, asked_of_rolls(rules))
    weights: dict[int, int] = {}
    for weight, rolled, known in rolls:
        scored = strikes_of(rules, known, rolled.grade) if rolled.grade.is_hit else 0
        weights[scored] = weights.get(scored, 0) + weight
    before, found = hits_kept(rules, shot.situation, shot.ledger, shot.shared), []
    for unit, hits in shot.share:
        found.append(
            (unit, hits, Fraction(sum(weight for scored, weight in weights.items() if scored > before), whole))
        )
        before += hits
    return tuple(found)


def no_share_reasons(battle: Battle, rules: Ruleset, shot: AttackPreview) -> dict[str, str]:
    """Every enemy but the target, the nearest to it first, with why no hit of an attack can go to it; "" where one can.

    Nobody where the attack has no hits to split.
    """
    if not can_share(rules, shot):
        return {}
    return _onto_reasons(battle, rules, shot.situation, shot.ledger)


def share_question(unit_id: str) -> str:
    """Question for the number of hits that go to another unit than the target."""
    return f"hits for {unit_id}"


def share_answers(share: Share) -> Given:
    """The answers that give hits to others than the target."""
    return tuple(GivenAnswer(share_question(unit_id), choose=str(hits)) for unit_id, hits in share)


def share_of(answers: Given) -> Share:
    """The hits that answers give to others than the target.

    Raises:
        Illegal: such an answer is no number.
    """
    prefix = share_question("")
    said = [(one.q.removeprefix(prefix), one.choose or "") for one in answers if one.q.startswith(prefix)]
    if not all(hits.isascii() and hits.isdecimal() and len(hits) <= 3 for _, hits in said):
        raise Illegal("share", "Write how many hits go to others as a number.")
    return tuple((unit_id, int(hits)) for unit_id, hits in said)


def shared_hits(battle: Battle, rules: Ruleset, shot: AttackPreview, choices: Choices) -> Share:
    """Hits split off to other units; the target keeps the rest, one at least.

    Raises:
        Illegal: somebody cannot have them.
    """
    share = () if choices.drawn else share_of(choices.left)
    if share:
        check_share(battle, rules, shot, share)
    return share


def check_share(battle: Battle, rules: Ruleset, shot: AttackPreview, share: Share) -> None:
    """Raises Illegal where somebody cannot be given those hits, or the attack has not so many."""
    if not can_share(rules, shot):
        raise Illegal("share", f"“{shot.situation.action.label}” has no hits to split.")
    reasons = no_share_reasons(battle, rules, shot)
    named = [unit_id for unit_id, _ in share]
    if twice := next((unit_id for unit_id in named if named.count(unit_id) > 1), ""):
        raise Illegal("share", f"{battle.unit(twice).name} is named twice: give its hits once.")
    for unit_id, hits in share:
        unit = battle.unit(unit_id)
        if reason := reasons.get(unit_id, _never_shared(battle, shot, unit)):
            raise Illegal("share", f"{unit.name} cannot take a hit: {reason}.")
        if hits < 1:
            raise Illegal("share", f"{unit.name} cannot take {hits} hits: 1 or more needed.")
    most, total_hits = most_hits(rules, shot.situation, shot.ledger), sum(hits for _, hits in share)
    if most and total_hits >= most:
        has, rest = count(most, "hit"), f"{most - 1} at most can go to others" if most > 1 else "none can go to others"
        name, target = shot.situation.action.label, shot.situation.target.name
        raise Illegal(
            "share", f"“{name}” scores at most {has}, and {target} takes 1 or more: {rest}, not {total_hits}."
        )


def _never_shared(battle: Battle, shot: AttackPreview, unit: Unit) -> str:
    """Why hits can never go to somebody who is no other enemy in the fight; "" where they might."""
    if unit.id == shot.situation.target.id:
        return "it is the target and takes all hits that are not split off"
    if unit.is_defeated:
        return "it is out of the fight"
    return "" if battle.unit(shot.situation.attacker.id).is_enemy_of(unit) else "it is not an enemy"


def take_shares(choices: Choices, share: Share) -> None:
    """Counts these answers as taken, now that the attack is made: one that waits for reactions still has them."""
    for unit_id, _ in share:
        choices.take(share_question(unit_id))


def hits_of(rules: Ruleset, blow: Blow) -> int:
    """Number of hits of an attack; 0 for a miss."""
    return blow_facts(rules, blow)[1] if blow.grade.is_hit else 0


def enemies_near(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger) -> list[Unit]:
    """The attacker's enemies near enough to the target and no harder to hit, the nearest first."""
    reasons = _onto_reasons(battle, rules, situation, ledger)
    return [battle.unit(unit_id) for unit_id, reason in reasons.items() if not reason]


def _onto_reasons(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger) -> dict[str, str]:
    """The attacker's enemies but the target, the nearest to it first, with why no hit can go to it; "" if one can."""
    if rules.attack.strikes is None or rules.attack.strikes.onto is None or situation.target.id not in battle.units:
        return {}
    within = number(rules.attack.strikes.onto, situation.facts)
    attacker, target = battle.unit(situation.attacker.id), battle.unit(situation.target.id)

    def far(other: Unit) -> Fraction:
        return Fraction(distance_between(battle.field, rules, target, other))

    def reason(other: Unit) -> str:
        if far(other) > within:
            away = measured(distance_between(battle.field, rules, target, other), rules)
            return f"{away} from {target.name}, {measured(within, rules)} at most"
        found = adjusted_ledger(battle, rules, observe_again(battle, rules, situation, other.id))
        if found.forbidden:
            return found.forbidden.because
        if found.target_number < ledger.target_number:
            needed, has = number_text(ledger.target_number), number_text(found.target_number)
            return f"harder to hit than {target.name}: {has}, not {needed}"
        return ""

    enemies = [
        other
        for other in battle.units.values()
        if attacker.is_enemy_of(other) and other.id != target.id and not other.is_defeated
    ]
    return {other.id: reason(other) for other in sorted(enemies, key=far)}
