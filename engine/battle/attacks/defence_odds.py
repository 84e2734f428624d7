"""Exact odds of defences: how each changes each roll of an attack, and the damage odds.

The effects of a defence run through the joint distribution that the odds of attacks use. Counter-attacks, and what an
attack does to an ally who takes it, stay outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview, DefendedDamageOdds, StateOutcome
from engine.battle.attacks.blast_rings import rings_of
from engine.battle.attacks.damage_odds import (
    MOST_STATES,
    ONE,
    OddsCase,
    OddsDriver,
    Struck,
    follow_all,
    strikes_of_rolls,
    summed,
)
from engine.battle.attacks.defences import (
    DefenceOption,
    facts_of_defence,
    grade_after,
    graded_facts,
    learned_of_defence,
    ledger_after,
    options,
    pay_for_defence,
    situation_after,
)
from engine.battle.attacks.effect_analysis import analysis_of, asked_of_roll
from engine.battle.attacks.resolve import Choose, Defend, Judge, RollAttack, Step, resolve
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.attacks.split_hits import hits_of
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import BARE_SQUARE, Situation
from engine.battle.setup import full_budget
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import OFF
from engine.context import Cache
from engine.errors import BattleboardError
from engine.rules.derived_facts import grades_ask, reads_dice
from engine.rules.fact_list import DICE_FACTS
from engine.rules.joint_distribution import FactState, JointDistribution, Terms, picker, spread
from engine.rules.ledger import Ledger
from engine.rules.liveness import plan, settled
from engine.rules.model import Ruleset, Value
from engine.rules.reaction_rules import AIMED, REDIRECTED, Defence
from engine.rules.roll_odds import (
    Rolled,
    asked_of_rolls,
    judged_rolls,
    merged_rolls,
    roll_facts,
    strikes_of,
)
from engine.rules.specialise import asked_after_roll, own_to_roll, settled_by_attack, specialised, specialised_for_rolls
from engine.values import replace

ROW = "row"
"""The name, which no formula can ask for, by which rolls are told apart in the joint distribution."""
NO = Fraction(0)
Row = Mapping[str, Value]
"""Facts of one roll of the attack."""


_asked_later: Cache[frozenset[str]] = Cache(8)
_defended: Cache[DefendedDamageOdds | None] = Cache(64)
"""For the same battle: one looks at the same attack more than once."""


def _asked_after_defence(rules: Ruleset) -> frozenset[str]:
    """Those facts that a defence makes known which anything asks for afterwards."""
    attack = rules.attack
    asked = asked_after_roll(rules) | grades_ask(rules)
    asked = asked.union(*(one.value.names for one in attack.facts))
    asked = asked.union(*(one.when.names | one.value.names for one in attack.modifiers))
    asked = asked.union(*(one.when.names for one in attack.restrictions))
    for table in attack.bands:
        asked = asked.union(table.when.names, *(band.upto.names | band.value.names for band in table.bands))
    return asked & attack.defence_facts.keys()


class DefenceResult(Struct, frozen=True):
    """One outcome of a defence."""

    situation: Situation | None
    """The attack after it; None where it goes to the one who defends."""
    ledger: Ledger
    weights: Mapping[int, int]
    """By the place of the attack's roll among the rows; the chance is weight ÷ `whole`."""
    whole: int


def defence_results(
    draft: EventBuilder, before: Battle, blow: Blow, option: DefenceOption, against: str, rows: Sequence[Row]
) -> list[DefenceResult]:
    """All outcomes of a defence against each of some rolls.

    Args:
        draft: the battle, with the attack's roll.
        before: the battle before the attack.
        blow: the attack after one of the rolls.
        option: the defence.
        against: what sort of attack it is.
        rows: the facts that are a roll's own, of every roll.

    Returns:
        Nothing where there are too many states to follow all.
    """
    rules, defence, unit = draft.rules, option.defence, option.unit
    paid = pay_for_defence(draft, blow, option)
    own = own_to_roll(rules)
    facts = facts_of_defence(paid, blow, unit)
    effects = settled(defence.effects, None, facts, own)
    made = frozenset[str]().union(*(effect.makes() for effect in effects))
    lasting = _asked_later.get((rules,), None, lambda: _asked_after_defence(rules))
    wanted = sorted(name for name in made if name in lasting or name == REDIRECTED or "." in name)
    planned = plan(effects, wanted, own)
    asked = sorted(planned.asked & own)
    alike: dict[FactState, list[int]] = {}
    for place, row in enumerate(rows):
        alike.setdefault(tuple(row[name] for name in asked), []).append(place)
    groups = list(alike.values())
    start = JointDistribution((*asked, ROW), {(*state, number): 1 for number, state in enumerate(alike)})
    found = spread(planned, start, facts, Terms((), MOST_STATES), frozenset((ROW,)))
    if sum(found.states.values()) != found.whole * len(groups):
        return []
    row_at = found.names.index(ROW)
    columns = [(name, found.names.index(name)) for name in wanted if name in found.names]
    pick = picker([place for _, place in columns])
    ends: dict[FactState, dict[int, int]] = {}
    for state, weight in found.states.items():
        weights = ends.setdefault(pick(state), {})
        for place in groups[int(state[row_at] or 0)]:
            weights[place] = weights.get(place, 0) + weight
    names = [name for name, _ in columns]
    results = []
    for end, weights in ends.items():
        learned = {name: value for name, value in zip(names, end, strict=True) if value is not None}
        situation, ledger = _after(paid, before, blow, option, against, learned)
        results.append(DefenceResult(situation, ledger, weights, found.whole))
    return results


def _after(
    paid: EventBuilder, before: Battle, blow: Blow, option: DefenceOption, against: str, ended: Mapping[str, Value]
) -> tuple[Situation | None, Ledger]:
    """The attack after a defence that has ended so; no situation where it goes to the one who defends."""
    rules = paid.rules
    if option.defence.redirects and ended.get(REDIRECTED):
        return None, blow.ledger
    changed = {name: value for name, value in ended.items() if "." in name}
    if option.unit.id == blow.situation.target.id:
        changed |= {
            f"target.{name.removeprefix('defender.')}": value
            for name, value in changed.items()
            if name.startswith("defender.")
        }
    learned = changed | learned_of_defence(rules, option, ended)
    situation = situation_after(paid, before, blow.situation, None, learned)
    return situation, ledger_after(paid.battle, rules, blow, situation, against)


def chance_to_stop(
    draft: EventBuilder, before: Battle, blow: Blow, option: DefenceOption, against: str, own: int = 0
) -> Fraction | None:
    """How likely a defence leaves nothing of a hit.

    Args:
        draft: where it would be added.
        before: the battle before the attack.
        blow: the attack and the result of its roll.
        option: the defence.
        against: what sort of attack it is, SHARED or one of AGAINST.
        own: how many of the hits are meant for the one who defends; 0 for all.

    Returns:
        None where nothing has hit, where not every state could be followed, and where a rule breaks.
    """
    if not blow.grade.is_hit:
        return None
    rules = draft.rules
    others = max(0, hits_of(rules, blow) - own) if own else 0
    try:
        results = defence_results(draft, before, blow, option, against, [graded_facts(rules, blow)])
        hits = sum(
            result.weights[0] * _is_struck(rules, blow, result.situation, result.ledger, against, others)
            for result in results
            if result.situation is not None
        )
    except BattleboardError:
        return None
    return 1 - Fraction(hits, results[0].whole) if results else None


def _is_struck(rules: Ruleset, blow: Blow, situation: Situation, ledger: Ledger, against: str, others: int = 0) -> bool:
    """Whether an attack hits that is like this after a defence; so many of its hits go to others."""
    grade = grade_after(rules, blow, situation, ledger, against)
    facts = roll_facts(rules, situation.facts, ledger, blow.rolled, blow.dice)
    return grade.is_hit and strikes_of(rules, facts, grade) > others


def likely_option(
    draft: EventBuilder, before: Battle, blow: Blow, found: Sequence[DefenceOption], against: str, own: int = 0
) -> DefenceOption:
    """The defence most likely to stop an attack, of those alike the cheapest, then the first."""
    if len(found) == 1:
        return found[0]

    def worth(option: DefenceOption) -> tuple[Fraction, int]:
        chance = chance_to_stop(draft, before, blow, option, against, own)
        return chance or NO, -sum(option.cost.values())

    return max(found, key=worth)


class Rolls(Struct, frozen=True):
    """An attack as it is after some of its rolls, with the weight that each of these has, in parts of `whole`."""

    situation: Situation
    ledger: Ledger
    weights: Mapping[int, int]
    """By the roll's place."""
    whole: int


class Likely(Struct, frozen=True):
    """The rolls against which one defence is taken, with how that ends."""

    rolls: Rolls
    """Those of which these are some."""
    results: Sequence[DefenceResult]
    places: Sequence[int]
    """Of the rolls after which it may be taken."""
    taken: frozenset[int]
    """The numbers of those after which it is, among these."""


JudgedRolls = Mapping[int, tuple[int, Rolled, Row]]
"""The rolls of an attack by place, with their weights, and the facts of each that defences ask for."""


def _asked_of(rules: Ruleset, defences: Sequence[Defence]) -> frozenset[str]:
    """Every fact that defences and judging the rolls ask for."""
    asked = _gates(defences).union(*(effect.asks() for defence in defences for effect in defence.effects))
    return asked_of_rolls(rules, asked, frozenset(DICE_FACTS) if reads_dice(rules) else frozenset())


def _judge(rules: Ruleset, asked: frozenset[str], situation: Situation, ledger: Ledger) -> tuple[int, JudgedRolls]:
    """The sum of the weights of an attack's rolls, and the rolls."""
    own = own_to_roll(rules) & asked
    known_rules = specialised_for_rolls(rules, situation.facts)
    whole, judged = judged_rolls(known_rules, situation.facts, ledger, asked)
    return whole, {
        place: (
            weight,
            rolled,
            {name: known[name] for name in own if name in known}
            | {"grade": rolled.grade.id, "hit": rolled.grade.is_hit},
        )
        for place, (weight, rolled, known) in enumerate(judged)
    }


def _gates(defences: Sequence[Defence]) -> frozenset[str]:
    """Facts that decide whether defences are possible, and what they cost."""
    costs = (cost.names for defence in defences for cost in defence.cost.values())
    return frozenset[str]().union(*(defence.when.names for defence in defences), *costs)


def _alike_to(rules: Ruleset, defences: Sequence[Defence], rolls: JudgedRolls) -> Iterable[list[int]]:
    """The places of rolls, those together after which the same defences may be taken."""
    gate = sorted(_gates(defences) & own_to_roll(rules))
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, (_, rolled, row) in rolls.items():
        groups.setdefault((rolled.grade.id, *(row.get(name) for name in gate)), []).append(place)
    return groups.values()


def with_likely_defence(battle: Battle, rules: Ruleset, shot: AttackPreview) -> DefendedDamageOdds | None:
    """Damage odds of an attack on one target after the defence most likely to stop it.

    Args:
        battle: now.
        rules: the ruleset.
        shot: the attack, from `consider`.

    Returns:
        None where nobody can defend, the attack has not one target alone, some of its hits go to others, or
        not every state could be followed.
    """
    situation, ledger = shot.situation, shot.ledger
    is_on_one = shot.caught is None and not shot.share and situation.target.id != BARE_SQUARE
    defences = [
        each
        for each in rules.attack.defences
        if AIMED in each.against and not each.is_before_roll and _may_stop(each, situation.facts)
    ]
    if not (defences and ledger.is_possible and is_on_one) or rings_of(battle.field, rules, situation, ledger):
        return None
    if battle.is_set_up:  # nobody has anything to spend yet: the odds are those of the first round
        for unit in battle.units.values():
            battle = battle.with_unit(replace(unit, turn=replace(unit.turn, budget=full_budget(battle, rules, unit))))
    ids = (situation.attacker.id, situation.target.id, situation.weapon.id, situation.action.id)
    price = shot.permission and tuple(shot.permission.cost.items())
    rests_on = (ids, tuple(situation.facts.values()), ledger.total, ledger.target_number, price)
    return _defended.get((rules, battle), rests_on, lambda: _with_likely_defence(battle, rules, shot, defences))


def _may_stop(defence: Defence, facts: Mapping[str, Value]) -> bool:
    """Whether a defence does more than attack back, and is not ruled out by the attack alone."""
    when = settled_by_attack(defence.when, facts)
    return bool(defence.effects) and when.can_hold


def _with_likely_defence(
    battle: Battle, rules: Ruleset, shot: AttackPreview, defences: Sequence[Defence]
) -> DefendedDamageOdds | None:
    driver = DefendedOddsDriver(battle, rules, shot, defences)
    try:
        parts = driver.run(resolve(follow_all))
    except NotDefended:
        return None
    return DefendedDamageOdds(summed(driver.hit, parts, driver.aims), tuple(driver.labels))


def chance_with(battle: Battle, rules: Ruleset, shot: AttackPreview, defence: Defence) -> Fraction | None:
    """How likely an attack that is not rolled yet hits with one defence; None where it is not taken, or not known."""
    found = _with_likely_defence(battle, rules, shot, [defence])
    return found.outlook.hit if found is not None and found.labels else None


class NotDefended(Exception):
    """No unit can defend, or a defence has more outcomes than are followed."""


class DefendedOddsDriver(OddsDriver):
    """The driver of an attack's odds with the defence that is likeliest to stop it."""

    def __init__(self, battle: Battle, rules: Ruleset, shot: AttackPreview, defences: Sequence[Defence]) -> None:
        super().__init__()
        self.hit = NO
        """The chance that it hits, of all rolls that were judged."""
        self.labels: dict[str, None] = {}
        """Labels of the defences that are taken."""
        self.aims: dict[StateOutcome, None] = {}
        """What it does to the target's state for certain after some grade."""
        self._battle, self._rules, self._shot, self._defences = battle, rules, shot, defences
        self._asked = _asked_of(rules, defences)
        self._whole, self._rolls = _judge(rules, self._asked, shot.situation, shot.ledger)

    def answer(self, step: Step[object, OddsCase]) -> Any:
        match step:
            case RollAttack():
                first = {place: weight for place, (weight, _, _) in self._rolls.items()}
                return [Rolls(self._shot.situation, self._shot.ledger, first, self._whole)]
            case Choose(list(parts)):
                found = [each for rolls in parts for each in self._choose(rolls)]
                if not self.labels:
                    raise NotDefended
                return found
            case Defend(Likely() as likely):
                return list(self._defend(likely))
            case Judge(list(parts)):
                return (struck for rolls in parts if rolls.weights for struck in self._strikes(rolls))
        return super().answer(step)

    def _choose(self, part: Rolls) -> Iterator[tuple[DefenceOption | None, Likely | list[Rolls]]]:
        """The options, each against the rolls after which it is taken; last the rolls after which none is."""
        battle, rules = self._battle, self._rules
        situation, ledger = part.situation, part.ledger
        defences = self._defences
        if not part.weights:
            yield None, [part]
            return
        rolls = self._rolls
        draft = EventBuilder(battle, rules)
        able: dict[tuple[object, ...], tuple[Blow, list[DefenceOption], list[int]]] = {}
        for places in _alike_to(rules, defences, rolls):
            _, first, _ = rolls[places[0]]
            blow = Blow(situation, ledger, first.roll, first.grade, first.dice)
            able_to = options(draft, blow)
            found = [one for one in able_to if battle.gm.policy(one.unit, one.defence.id) != OFF]
            found = [one for one in found if one.defence in defences]
            alike = (first.grade.is_hit, *((one.id, *one.cost.items()) for one in found)) if found else ()
            able.setdefault(alike, (blow, found, []))[2].extend(places)
        untouched: dict[int, int] = {}
        for blow, found, places in able.values():
            if not found:
                untouched |= {place: rolls[place][0] for place in places}
                continue
            rows = [rolls[place][2] for place in places]
            ended = [(one, defence_results(draft, battle, blow, one, AIMED, rows)) for one in found]
            if not all(results for _, results in ended):
                raise NotDefended
            left = set(places)
            for option, results, taken in _likeliest(rules, rolls, places, ended, self._asked):
                self.labels[option.defence.label] = None
                left.difference_update(places[at] for at in taken)
                yield option, Likely(part, results, places, frozenset(taken))
            untouched |= {place: rolls[place][0] for place in sorted(left)}
        yield None, [Rolls(situation, ledger, untouched, part.whole)]

    def _defend(self, likely: Likely) -> Iterator[Rolls]:
        """The attack after each outcome of a defence; an attack redirected to an ally is left out."""
        for result in likely.results:
            if result.situation is not None:
                weights = {
                    likely.places[at]: likely.rolls.weights[likely.places[at]] * weight
                    for at, weight in result.weights.items()
                    if at in likely.taken
                }
                yield Rolls(result.situation, result.ledger, weights, likely.rolls.whole * result.whole)

    def _strikes(self, rolls: Rolls) -> Iterable[Struck]:
        """The attack as it strikes after these rolls."""
        rules = specialised(self._rules, rolls.situation.facts)
        shot = replace(self._shot, situation=rolls.situation, ledger=rolls.ledger)
        analysis = analysis_of(rules, shot)
        self.aims |= dict.fromkeys(analysis.aims)
        wanted = {grade.id: asked_of_roll(analysis, grade) for grade in rules.attack.grades}
        own = own_to_roll(rules)
        tell_apart = {grade: tuple(sorted(names & own)) for grade, names in wanted.items()}
        every, places = asked_of_rolls(rules, self._asked, *wanted.values()), sorted(rolls.weights)
        judged = judged_rolls(rules, rolls.situation.facts, rolls.ledger, every, rolls.weights.keys())[1]
        weighted = (
            (rolls.weights[place], rolled, known) for place, (_, rolled, known) in zip(places, judged, strict=True)
        )
        alikes = merged_rolls(rules, rolls.whole, weighted, tell_apart)
        self.hit += sum((one.chance for one in alikes if one.grade.is_hit and one.strikes), start=NO)
        return strikes_of_rolls(analysis, shot, alikes)


Ended = tuple[DefenceOption, list[DefenceResult]]


def _likeliest(
    rules: Ruleset,
    rolls: JudgedRolls,
    places: Sequence[int],
    ended: Sequence[Ended],
    asked: frozenset[str],
) -> Iterator[tuple[DefenceOption, list[DefenceResult], set[int]]]:
    """Each of several options with the rolls against which it is the likeliest to stop the attack; as in play."""
    if len(ended) == 1:
        yield (*ended[0], set(range(len(places))))
        return
    is_hit = rolls[places[0]][1].grade.is_hit
    hits = [_hits(rules, each, places, asked) if is_hit else {} for each in ended]
    taken: dict[int, set[int]] = {}
    for at in range(len(places)):
        chances = [1 - found.get(at, ONE) for found in hits]
        worth = [(chance, -sum(one.cost.values())) for chance, (one, _) in zip(chances, ended, strict=True)]
        taken.setdefault(worth.index(max(worth)), set()).add(at)
    for number, against in taken.items():
        yield (*ended[number], against)


def _hits(rules: Ruleset, ended: Ended, places: Sequence[int], asked: frozenset[str]) -> dict[int, Fraction]:
    """How likely the attack hits after a defence, by the roll's place among those that it may be taken after."""
    _, results = ended
    hits = dict.fromkeys(range(len(places)), NO)
    for result in results:
        if result.situation is None:
            continue
        only = sorted(places[at] for at in result.weights)
        judged = judged_rolls(rules, result.situation.facts, result.ledger, asked, only)[1]
        struck = {
            place
            for place, (_, rolled, known) in zip(only, judged, strict=False)
            if rolled.grade.is_hit and strikes_of(rules, known, rolled.grade) > 0
        }
        for at, weight in result.weights.items():
            hits[at] += Fraction(weight, result.whole) * (places[at] in struck)
    return hits


def changes_attack(battle: Battle, rules: Ruleset, blow: Blow, option: DefenceOption, against: str) -> bool:
    """Whether a defence may change the ledger, the grade or the target of an attack."""
    row = graded_facts(rules, blow)
    was = (blow.ledger.total, blow.ledger.target_number, blow.ledger.beats, blow.grade)
    for result in defence_results(EventBuilder(battle, rules), battle, blow, option, against, [row]):
        if result.situation is None:
            return True
        now = (result.ledger.total, result.ledger.target_number, result.ledger.beats)
        if (*now, grade_after(rules, blow, result.situation, result.ledger, against)) != was:
            return True
    return False
