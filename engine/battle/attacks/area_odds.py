"""The outlook of an attack on an area, unit by unit: the chance to be caught, hurt and put out of the fight by it.

It follows the attack in play: the roll, where a throw lands, who is in which ring or in the cone, and the effects on
each. Each unit is calculated separately, in the present state: the effects on the units before it do not count.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview, DamageOdds, caught_facts
from engine.battle.attacks.blast_rings import Ring, caught, grade_on, height_of_burst, rings_of, those_in
from engine.battle.attacks.damage_odds import WeightedOutcomes, outlook, outlook_on, struck_outcomes, summed
from engine.battle.attacks.defence_odds import with_likely_defence
from engine.battle.attacks.effect_analysis import STRIKES, analysis_of, asked_of_roll
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.attacks.scatter import (
    Chances,
    ThrowScatter,
    asked_of_scatter,
    landing_odds,
    scatter_after,
    scatter_odds,
    throw_of,
)
from engine.battle.attacks.struck_instead import struck_instead
from engine.battle.facts import Situation, observe_again, with_facts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.errors import BattleboardError
from engine.generators import result_of
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.derived_facts import all_asked, reads_dice
from engine.rules.fact_list import DICE_FACTS
from engine.rules.joint_distribution import FactState, JointDistribution
from engine.rules.model import Grade, Ruleset
from engine.rules.roll_odds import Rolled, asked_of_rolls, grade_of, judged_rolls, rolls_rest_on, strikes_of
from engine.rules.specialise import own_to_roll, specialised
from engine.values import replace


def with_odds(battle: Battle, rules: Ruleset, shot: AttackPreview) -> AttackPreview:
    """The same shot with its damage odds: for its one target, or for every unit in its area."""
    return result_of(odds_in_steps(battle, rules, shot))


def odds_in_steps(battle: Battle, rules: Ruleset, shot: AttackPreview) -> Generator[None, None, AttackPreview]:
    """The same little by little: a burst among many takes a second, so the caller may do something else in between."""
    try:
        defended, found = None, outlook(battle, rules, shot)
        if found is not None and not shot.share:  # each target of split hits may defend against its own hits only
            yield
            defended = with_likely_defence(battle, rules, shot)
            yield
        others = struck_instead(battle, rules, shot) if found is not None else ()
        area_risks = yield from _area_risks(battle, rules, shot)
    except BattleboardError:  # a rule that fails: making the attack reports it
        return shot
    return replace(shot, outlook=found, defended=defended, area_risks=area_risks, struck_instead=others)


class ThrowRisks(Struct, frozen=True):
    """Outcomes of a throw: landing chances, drops at the thrower's feet, and units at risk, likeliest first."""

    chances: Chances
    dropped: tuple[tuple[str, Fraction], ...]
    caught: tuple[tuple[Unit, Fraction], ...]


_thrown: Cache[ThrowRisks] = Cache(4)
"""Overlay, warning and receipt ask for the same throw."""


def throw_risks(battle: Battle, rules: Ruleset, shot: AttackPreview, aim: Square) -> ThrowRisks | None:
    """The outcomes of a throw at a square; None for a weapon without scatter and blast.

    A zone without an effect, such as smoke, catches nobody.

    Raises:
        BattleboardError: a formula uses a missing fact.
    """
    outcomes, found = tuple(scatter_odds(rules, shot)), rings_of(battle.field, rules, shot.situation, shot.ledger)
    if not found and all(scatter is None for _, scatter in outcomes):
        return None
    start = shot.situation.attacker.at

    def find() -> ThrowRisks:
        chances = landing_odds(battle.field, throw_of(battle.field, rules, start, aim), outcomes)
        dropped = [(scatter.label, chance) for chance, scatter in outcomes if scatter and scatter.at != "aim"]
        strikes = tuple(ring for ring in found if ring.share)
        risks = ((battle.units[unit], sum(parts)) for unit, parts in caught(battle, rules, chances, strikes).items())
        risky = [(unit, Fraction(risk)) for unit, risk in risks if risk]
        return ThrowRisks(chances, tuple(dropped), tuple(sorted(risky, key=lambda one: (-one[1], one[0].name))))

    return _thrown.get((battle, rules), (start, aim, found, outcomes), find)


def friends_at_risk(battle: Battle, rules: Ruleset, shot: AttackPreview) -> tuple[tuple[Unit, Fraction], ...]:
    """Units of the attacker's side that an attack may strike, itself included, each with the chance to be in its area.

    Likeliest first, of a throw with its scatter. Without an area, the target alone.
    """
    own, target = shot.situation.attacker, shot.situation.target
    certain = (target,) if shot.caught is None else shot.caught
    found = tuple((unit, Fraction(1)) for unit in certain)
    if shot.caught is None and rings_of(battle.field, rules, shot.situation, shot.ledger):
        risks = throw_risks(battle, rules, shot, target.at)
        found = risks.caught if risks is not None else found
    return tuple((unit, risk) for unit, risk in found if unit.side == own.side and unit.id in battle.units)


def _area_risks(battle: Battle, rules: Ruleset, shot: AttackPreview) -> Generator[None, None, tuple[AreaRisk, ...]]:
    """Damage odds of an area attack for each unit that it may catch, the likeliest first; empty for other attacks."""
    if not shot.ledger.is_possible:
        return ()
    if shot.caught is not None:
        found = []
        for unit in shot.caught:
            found.append(_swept(battle, rules, shot, unit))
            yield
        return tuple(found)
    rings = rings_of(battle.field, rules, shot.situation, shot.ledger)
    if not rings:
        return ()
    return (yield from _bursting(battle, rules, shot, rings))


def _swept(battle: Battle, rules: Ruleset, shot: AttackPreview, unit: Unit) -> AreaRisk:
    """Damage odds for one unit inside the area of an attack."""
    situation = observe_again(battle, rules, shot.situation, unit.id, caught_facts(shot.caught or (), unit))
    odds = outlook_on(rules, replace(shot, situation=situation), shot.situation.facts)
    return AreaRisk(unit, Fraction(1), _on_target(odds))


def _on_target(odds: DamageOdds) -> DamageOdds:
    """The same without what comes over the attacker, which is no matter of one unit in the area."""
    return replace(odds, outcomes=tuple(each for each in odds.outcomes if each[0].whom == "target"))


HOW_MANY = frozenset(("area_targets", "area_target_number"))
Place = tuple[int, int, int]
"""The ring that somebody is in, how many the burst catches, and which of them this one is; 0 where no rule asks."""
Throws = Mapping[ThrowScatter | None, list[tuple[int, int, Rolled]]]
"""The rolls after which a throw goes off, by how it strays then: place among all rolls, weight, roll."""
Starts = Mapping[ThrowScatter | None, JointDistribution]
"""The states in which a burst strikes, by how the throw has strayed."""


def _bursting(
    battle: Battle, rules: Ruleset, shot: AttackPreview, rings: tuple[Ring, ...]
) -> Generator[None, None, tuple[AreaRisk, ...]]:
    """Damage odds of a blast for each unit that it may catch, over all landing squares."""
    if rules.space.burst is None:
        return ()
    struck_as, counts = grade_of(rules, rules.space.burst.grade), _asks_how_many(rules)
    whole, rolls = judged_rolls(rules, shot.situation.facts, shot.ledger, _asked(rules))
    throws: dict[ThrowScatter | None, list[tuple[int, int, Rolled]]] = {}
    for number, (weight, rolled, known) in enumerate(rolls):
        if rolled.grade.goes_off:
            stray = scatter_after(rules, known, rolled.grade.id, rolled.grade.is_hit)
            throws.setdefault(stray, []).append((number, weight, rolled))
    throw = throw_of(battle.field, rules, shot.situation.attacker.at, shot.situation.target.at)
    places: dict[str, dict[Place, dict[ThrowScatter | None, Fraction]]] = {}
    there: dict[tuple[Square, Height], tuple[tuple[int, Unit], ...]] = {}
    for stray in throws:
        for square, chance in landing_odds(battle.field, throw, [(Fraction(1), stray)]).items():
            up = height_of_burst(shot.situation, stray, square)
            if (square, up) not in there:
                there[square, up] = those_in(battle, rules, square, rings, up)
            for number, (ring, unit) in enumerate(there[square, up], 1):
                place = (ring, len(there[square, up]), number) if counts else (ring, 0, 0)
                chances = places.setdefault(unit.id, {}).setdefault(place, {})
                chances[stray] = chances.get(stray, Fraction(0)) + chance
    starts: dict[Hashable, Starts] = {}
    differing = _asking(rules, (*rings[0].facts, *HOW_MANY))
    found = []
    for unit_id, by_place in places.items():
        unit, near = battle.unit(unit_id), observe_again(battle, rules, shot.situation, unit_id)
        own = specialised(rules, near.facts)
        parts: list[WeightedOutcomes] = []
        kinds = _by_grade(throws, rules, unit, shot.situation, struck_as)
        for (ring, many, number), chances in by_place.items():
            about = rings[ring].facts | ({"area_targets": many, "area_target_number": number} if counts else {})
            struck = replace(shot, situation=with_facts(rules, near, about))
            for grade, its_throws in kinds.items():
                analysis = analysis_of(own, struck, grade, differing)
                begun = _starts(own, struck, asked_of_roll(analysis, grade), grade, its_throws, starts)
                for stray, chance in chances.items():
                    if its_rolls := its_throws.get(stray):
                        share = Fraction(sum(weight for _, weight, _ in its_rolls), whole)
                        blow = Blow(struck.situation, shot.ledger, its_rolls[0][2].roll, grade, its_rolls[0][2].dice)
                        parts.append((chance * share, struck_outcomes(analysis, blow, begun[stray])))
            yield
        caught = sum((chance for chance, _ in parts), start=Fraction(0))
        hit = caught if struck_as.is_hit else Fraction(0)
        found.append(AreaRisk(unit, caught, _on_target(summed(hit, parts))))
    return tuple(sorted(found, key=lambda risk: (-risk.caught, risk.unit.name)))


def _by_grade(
    throws: Throws, rules: Ruleset, unit: Unit, situation: Situation, struck_as: Grade
) -> Mapping[Grade, Throws]:
    """The rolls by what the burst counts as for a unit after them."""
    found: dict[Grade, dict[ThrowScatter | None, list[tuple[int, int, Rolled]]]] = {}
    for stray, rolls in throws.items():
        for roll in rolls:
            found.setdefault(grade_on(rules, unit, roll[2].grade, situation, struck_as), {}).setdefault(
                stray, []
            ).append(roll)
    return found


def _starts(
    rules: Ruleset,
    shot: AttackPreview,
    wanted: frozenset[str],
    grade: Grade,
    throws: Throws,
    known_before: dict[Hashable, Starts],
) -> Starts:
    """The states in which a burst strikes the target of a shot.

    Args:
        rules: the ruleset.
        shot: the throw, as it strikes one unit in one ring.
        wanted: the facts that will be asked for.
        grade: what a burst counts as.
        throws: the rolls after which it counts as that.
        known_before: those for others; what is found is added.
    """
    names = tuple(sorted((wanted & own_to_roll(rules)) - {STRIKES}))
    counts = rules.attack.strikes.count.names if rules.attack.strikes else ()
    asked_facts = all_asked(rules.attack.facts, {*names, *counts})
    after = frozenset(rolled.grade.id for rolls in throws.values() for _, _, rolled in rolls)
    rests_on = (names, rolls_rest_on(rules, asked_facts, shot.situation.facts, shot.ledger), grade.id, after)
    if rests_on not in known_before:
        _, judged = judged_rolls(rules, shot.situation.facts, shot.ledger, _asked(rules, wanted))
        states: list[FactState] = []
        for _, _, known in judged:
            known |= {"grade": grade.id, "hit": grade.is_hit}
            states.append((strikes_of(rules, known, grade), *[known[name] for name in names]))
        found = {}
        for stray, rolls in throws.items():
            weights: dict[FactState, int] = {}
            for number, weight, _ in rolls:
                weights[states[number]] = weights.get(states[number], 0) + weight
            found[stray] = JointDistribution((STRIKES, *names), weights, sum(weights.values()))
        known_before[rests_on] = found
    return known_before[rests_on]


def _asked(rules: Ruleset, wanted: frozenset[str] = frozenset()) -> frozenset[str]:
    """Every fact of the roll that a burst and its throw ask for; the same dice are gone through for both."""
    return asked_of_rolls(
        rules, wanted, asked_of_scatter(rules), frozenset(DICE_FACTS) if reads_dice(rules) else wanted
    )


def _asking(rules: Ruleset, names: Iterable[str]) -> frozenset[str]:
    """These facts, and those of the ruleset's own of a situation that ask for them."""
    found = set(names)
    found.update(
        one.id for one in rules.attack.facts if one.after == "situation" and not found.isdisjoint(one.value.names)
    )
    return frozenset(found)


def _asks_how_many(rules: Ruleset) -> bool:
    """Whether any rule asks how many a burst catches."""
    asked = frozenset[str]().union(
        *(effect.asks() for effect in rules.attack.effects), *(one.value.names for one in rules.attack.facts)
    )
    strikes = rules.attack.strikes.count.names if rules.attack.strikes else frozenset[str]()
    return not HOW_MANY.isdisjoint(asked | strikes)
