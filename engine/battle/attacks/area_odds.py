"""The outlook of an attack on an area, unit by unit: the chance to be caught, hurt and put out of the fight by it.

It follows the attack in play: the roll, where a throw lands, who is in which ring or in the cone, and the effects on
each. Each unit is calculated separately, in the present state: the effects on the units before it do not count.
"""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from math import gcd, lcm

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview, caught_facts
from engine.battle.attacks.blast_rings import Ring, grade_on, height_of_burst, rings_of, those_in
from engine.battle.attacks.damage_odds import WeightedOutcomes, outlook, outlook_on, struck_outcomes, summed
from engine.battle.attacks.defence_odds import with_likely_defence
from engine.battle.attacks.effect_analysis import STRIKES, Outcomes, asked_of_roll, course_of, protecting
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.attacks.scatter import ScatterRoll, asked_of_strays, landing, stray_of, throw_of
from engine.battle.facts import observe_again, with_facts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.derived_facts import reads_dice
from engine.rules.fact_list import DICE_FACTS
from engine.rules.joint_distribution import JointDistribution, Way
from engine.rules.model import Grade, Ruleset
from engine.rules.roll_odds import Rolled, asked_of_rolls, grade_of, judged_rolls, strikes_of
from engine.rules.specialise import own_to_roll
from engine.values import replace


def foreseen(battle: Battle, rules: Ruleset, shot: AttackPreview) -> AttackPreview:
    """The same shot with its damage odds: for its one target, or for every unit in its area."""
    work = foresee(battle, rules, shot)
    while True:
        try:
            next(work)
        except StopIteration as done:
            found: AttackPreview = done.value
            return found


def foresee(battle: Battle, rules: Ruleset, shot: AttackPreview) -> Generator[None, None, AttackPreview]:
    """The same little by little: a burst among many takes a second, so the caller may do something else in between."""
    try:
        defended, found = None, outlook(battle, rules, shot)
        if found is not None and not shot.share:  # each target of split hits may defend against its own hits only
            yield
            defended = with_likely_defence(battle, rules, shot)
        perils = yield from _perils(battle, rules, shot)
    except BattleboardError:  # a rule that fails: making the attack reports it
        return shot
    return replace(shot, outlook=found, defended=defended, perils=perils)


def _perils(battle: Battle, rules: Ruleset, shot: AttackPreview) -> Generator[None, None, tuple[AreaRisk, ...]]:
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
    return AreaRisk(unit, Fraction(1), outlook_on(rules, replace(shot, situation=situation), shot.situation.facts))


NO = Fraction(0)
Place = tuple[int, int, int]
"""The ring that somebody is in, how many the burst catches, and which of them this one is; 0 where no rule asks."""
Throws = tuple[tuple[int, Rolled, ScatterRoll | None], ...]
"""Every roll with its weight, and how the throw strays then."""


def _bursting(
    battle: Battle, rules: Ruleset, shot: AttackPreview, rings: tuple[Ring, ...]
) -> Generator[None, None, tuple[AreaRisk, ...]]:
    """Damage odds of a blast for each unit that it may catch, over all landing squares."""
    if rules.space.burst is None:
        return ()
    struck_as, counts = grade_of(rules, rules.space.burst.grade), _asks_how_many(rules)
    whole, rolls = judged_rolls(rules, shot.situation.facts, shot.ledger, _asked(rules))
    throws: Throws = tuple(
        (weight, rolled, stray_of(rules, known, rolled.grade.id, rolled.grade.is_hit))
        for weight, rolled, known in rolls
    )
    throw = throw_of(battle.field, rules, shot.situation.attacker.at, shot.situation.target.at)
    places: dict[str, dict[Place, dict[ScatterRoll | None, Fraction]]] = {}
    there: dict[tuple[Square, Height], tuple[tuple[int, Unit], ...]] = {}
    for stray in dict.fromkeys(stray for _, rolled, stray in throws if rolled.grade.goes_off):
        for square, chance in landing(battle.field, throw, [(Fraction(1), stray)]).items():
            up = height_of_burst(shot.situation, stray, square)
            if (square, up) not in there:
                there[square, up] = those_in(battle, rules, square, rings, up)
            for number, (ring, unit) in enumerate(there[square, up], 1):
                place = (ring, len(there[square, up]), number) if counts else (ring, 0, 0)
                chances = places.setdefault(unit.id, {}).setdefault(place, {})
                chances[stray] = chances.get(stray, Fraction(0)) + chance
    found = []
    for unit_id, by_place in places.items():
        parts, caught = [], Fraction(0)
        worn: dict[str, list[WeightedOutcomes]] = {pool: [] for pool in protecting(rules, battle.unit(unit_id))}
        near = observe_again(battle, rules, shot.situation, unit_id)
        for (ring, many, number), chances in by_place.items():
            about = rings[ring].facts | ({"area_targets": many, "area_target_number": number} if counts else {})
            struck_shot = replace(shot, situation=with_facts(rules, near, about))
            rolls_here = [
                (weight * chances.get(stray, NO) if rolled.grade.goes_off else NO, rolled)
                for weight, rolled, stray in throws
            ]
            unit = battle.unit(unit_id)
            grades = [grade_on(rules, unit, rolled.grade, shot.situation, struck_as) for _, rolled in rolls_here]
            for grade in dict.fromkeys(grades):
                its = [
                    (weight if one == grade else NO, roll)
                    for one, (weight, roll) in zip(grades, rolls_here, strict=True)
                ]
                part = _struck(rules, struck_shot, grade, its)
                yield
                if part is not None:
                    parts.append((part[0] / whole, part[1]))
                    caught += part[0] / whole
                for pool, lost in worn.items():
                    loss = _struck(rules, struck_shot, grade, its, (pool,))
                    if loss is not None:
                        lost.append((loss[0] / whole, loss[1]))
        if caught:
            hit = caught if struck_as.is_hit else Fraction(0)
            means = tuple((rules.units.pools[pool].label, summed(hit, lost).expected) for pool, lost in worn.items())
            found.append(AreaRisk(battle.unit(unit_id), caught, replace(summed(hit, parts), worn=means)))
    return tuple(sorted(found, key=lambda peril: (-peril.caught, peril.unit.name)))


def _struck(
    rules: Ruleset,
    shot: AttackPreview,
    grade: Grade,
    rolls: list[tuple[Fraction, Rolled]],
    counted: tuple[str, ...] = (),
) -> tuple[Fraction, Outcomes] | None:
    """Damage odds of a blast for the target of a shot, and their weight; None where it never catches the target.

    Args:
        rules: the ruleset.
        shot: the throw, as it strikes one unit in one ring.
        grade: what a burst counts as.
        rolls: every roll of the throw, with the weight of those on which it catches the unit there.
        counted: the pools whose loss is wanted; the vital ones where none are named.
    """
    course, ledger = course_of(rules, shot, counted=counted), shot.ledger
    wanted = asked_of_roll(course, grade)
    fact_names = tuple(sorted((wanted & own_to_roll(rules)) - {STRIKES}))
    chances: dict[Way, Fraction] = {}
    first = next((rolled for weight, rolled in rolls if weight), None)
    if first is None:
        return None
    if fact_names or rules.attack.strikes is not None:
        _, known_after = judged_rolls(rules, shot.situation.facts, ledger, _asked(rules, wanted))
        for (weight, _), (_, _, known) in zip(rolls, known_after, strict=True):
            if weight:
                known |= {"grade": grade.id, "hit": grade.is_hit}
                way = (strikes_of(rules, known, grade), *[known[name] for name in fact_names])
                chances[way] = chances.get(way, Fraction(0)) + weight
    else:  # nothing can tell one roll from another
        chances[1,] = sum((weight for weight, _ in rolls), start=Fraction(0))
    whole = lcm(*(chance.denominator for chance in chances.values()))
    weights = {way: int(chance * whole) for way, chance in chances.items()}
    common = gcd(*weights.values())
    ways = {way: weight // common for way, weight in weights.items()}
    start = JointDistribution((STRIKES, *fact_names), ways, sum(ways.values()))
    blow = Blow(shot.situation, ledger, first.roll, grade, first.dice)
    return sum(chances.values(), start=Fraction(0)), struck_outcomes(course, blow, start)


def _asked(rules: Ruleset, wanted: frozenset[str] = frozenset()) -> frozenset[str]:
    """Every fact of the roll that a burst and its throw ask for; the same dice are gone through for both."""
    return asked_of_rolls(rules, wanted, asked_of_strays(rules), frozenset(DICE_FACTS) if reads_dice(rules) else wanted)


def _asks_how_many(rules: Ruleset) -> bool:
    """Whether any rule asks how many a burst catches."""
    asked = frozenset[str]().union(
        *(effect.asks() for effect in rules.attack.effects), *(one.value.names for one in rules.attack.facts)
    )
    strikes = rules.attack.strikes.count.names if rules.attack.strikes else frozenset[str]()
    return not {"area_targets", "area_target_number"}.isdisjoint(asked | strikes)
