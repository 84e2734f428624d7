"""The outlook: before any die is rolled, what an attack comes to in the end. Exact chances, no dice, no second model.

Every way that the attack's dice can fall is judged by `checks`, ways that nothing can tell apart are taken as one
`Blow`, and what follows from it runs through `spreads`, which takes the same steps as the effects in play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from math import lcm
from typing import cast

from engine.battle.attacks.bursts import rings_of
from engine.battle.attacks.following import Blow, blow_facts, turned
from engine.battle.attacks.shots import Outlook, Shot
from engine.battle.battle import Battle
from engine.battle.setup import full_facts
from engine.battle.situation import BARE_SQUARE, Situation, weapon_facts, with_facts
from engine.battle.units import Unit
from engine.frozen import dataclass
from engine.kept import Kept
from engine.rules.checks import Alike, distinct_rolls, grade_of, known_before_roll, own_to_roll
from engine.rules.model import Effect, Grade, Ruleset, Value
from engine.rules.plans import TURNED, Plan, asks, makes, plan, settled
from engine.rules.spreads import Spread, Terms, Way, joined, narrowed, picker, spread
from engine.rules.values import whole_down

MOST_WAYS = 4000
"""Ways that one effect may lead to; the least likely ones beyond are not followed."""


@dataclass(frozen=True, slots=True)
class Plans:
    """What is worked out before any die is rolled, filled in as it is asked for."""

    asked_of_roll: dict[str, frozenset[str]] = field(default_factory=dict)
    """By grade."""
    effects: dict[tuple[str, int], tuple[Effect, ...]] = field(default_factory=dict)
    """Those that can happen, by grade and number of the strike, settled."""
    strikes: dict[tuple[str, int, int], tuple[Plan, tuple[str, ...]]] = field(default_factory=dict)
    """By grade, number of the strike and of all strikes: the effects that make a difference, and all that went into
    settling them, by which plans of several grades are known to do the same."""


@dataclass(frozen=True, slots=True)
class Course:
    """One attack on its way through the effects."""

    rules: Ruleset
    facts: Mapping[str, Value]
    """Of the situation, with all that is known before the roll."""
    turned: Course | None
    """The same attack once it has turned into another; None where it is that."""
    open_later: frozenset[str]
    """Names that may have any value once something has followed from the attack."""
    defeat: Mapping[str, Mapping[str, Value]]
    """What the rule of defeat asks for, of the attacker and of the target."""
    results: frozenset[str]
    """Facts of the target on which damage and defeat rest."""
    meant: tuple[str, ...]
    """Words for those nearby that may mean the target too."""
    vital: tuple[str, ...]
    plans: Plans


STRIKES = "strikes"
NONE: frozenset[tuple[str, str]] = frozenset()
_plans: Kept[Plans] = Kept(64)
_asked: Kept[tuple[str, ...]] = Kept(8)
_names: Kept[tuple[str, ...]] = Kept(8)
_outlooks: Kept[Outlook] = Kept(256)
"""By all that they rest on: attacks on several are often the same to some of these."""


def outlook(battle: Battle, rules: Ruleset, shot: Shot) -> Outlook | None:
    """What an attack comes to; None for one that is not possible, or has not one target alone.

    Args:
        battle: now.
        rules: the ruleset.
        shot: the attack, from `consider`.
    """
    situation, ledger = shot.situation, shot.ledger
    has_one_target = shot.caught is None and situation.target.id != BARE_SQUARE
    if not ledger.is_possible or not has_one_target or rings_of(battle.field, rules, situation, ledger):
        return None
    return outlook_on(rules, shot, situation.facts)


def outlook_on(rules: Ruleset, shot: Shot, judged_by: Mapping[str, Value]) -> Outlook:
    """What an attack comes to for the target of a shot; the roll is judged by these facts."""
    rests_on = _rests_on(rules, shot, judged_by)
    return _outlooks.get((rules,), rests_on, lambda: _outlook_on(rules, shot, judged_by))


def _rests_on(rules: Ruleset, shot: Shot, judged_by: Mapping[str, Value]) -> Hashable:
    """Everything on which an outlook rests: all facts that any rule of it may ask for, and what else it is made of."""
    situation, ledger = shot.situation, shot.ledger
    attacker, target, facts = situation.attacker, situation.target, situation.facts
    names = _names.get((rules,), None, lambda: _every_name(rules))
    judged = () if judged_by is situation.facts else tuple(map(judged_by.get, names))
    return (
        tuple(map(facts.get, names)),
        judged,
        tuple(known_before_roll(ledger).values()),
        tuple([tuple(_for_defeat(rules, facts, *each).values()) for each in _two(situation)]),
        (attacker.role, target.role, target.is_enemy_of(attacker), target.side == attacker.side, shot.odds.hit),
        MOST_WAYS,
    )


def _every_name(rules: Ruleset) -> tuple[str, ...]:
    """Every fact that any rule about a roll and what follows from it may ask for."""
    asked = frozenset().union(
        *(asks(effect) | makes(effect) for effect in rules.effects),
        *(grade.when.names for grade in rules.grades),
        *(fact.value.names for fact in rules.facts),
        (f"{who}.{pool}" for who in ("attacker", "target") for pool in rules.pools),
        rules.strikes.count.names if rules.strikes else (),
    )
    return tuple(sorted(asked | {"action.id"}))


def _two(situation: Situation) -> tuple[tuple[str, Unit], tuple[str, Unit]]:
    return ("attacker", situation.attacker), ("target", situation.target)


def _outlook_on(rules: Ruleset, shot: Shot, judged_by: Mapping[str, Value]) -> Outlook:
    course = course_of(rules, shot)
    wanted = {grade.id: asked_of_roll(course, grade) for grade in rules.grades}
    rolls = distinct_rolls(rules, shot.situation.facts, shot.ledger, wanted, judged_by)
    blows = _blows(course, shot, rolls)
    return summed(
        shot.odds.hit, ((chance, course, _follow(course, blow, start, NONE)) for chance, blow, start in blows)
    )


def summed(hit: Fraction, parts: Iterable[tuple[Fraction, Course, Spread]]) -> Outlook:
    """What everything comes to that an attack may lead to; with the chances that are left it does nothing."""
    known = [(chance, found, _outcomes(course, found)) for chance, course, found in parts]
    whole = lcm(*(chance.denominator * found.whole for chance, found, _ in known))  # all are counted in parts of it
    damage: dict[int, int] = {}
    drop = unsettled = told = 0
    for chance, found, outcomes in known:
        share = chance.numerator * (whole // (chance.denominator * found.whole))
        told += share * found.whole
        unsettled += share * found.lost
        for (amount, is_out), weight in outcomes.items():
            damage[amount] = damage.get(amount, 0) + share * weight
            drop += share * weight * is_out
    if told < whole:
        damage[0] = damage.get(0, 0) + whole - told
    return Outlook(
        hit=hit,
        hurt=Fraction(sum(weight for amount, weight in damage.items() if amount), whole),
        drop=Fraction(drop, whole),
        expected=Fraction(sum(amount * weight for amount, weight in damage.items()), whole),
        damage=tuple((amount, Fraction(weight, whole)) for amount, weight in sorted(damage.items())),
        unsettled=Fraction(unsettled, whole),
    )


def vital_pools(rules: Ruleset) -> tuple[str, ...]:
    """The pools whose loss hurts: those that the rule of defeat asks for; all of them where it asks for none."""
    asked = tuple(pool for pool in rules.pools if f"unit.{pool}" in rules.defeated.names)
    return asked or tuple(rules.pools)


def course_of(rules: Ruleset, shot: Shot) -> Course:
    """An attack on the target of a shot on its way through the effects."""
    situation, vital = shot.situation, vital_pools(rules)
    attacker, target = situation.attacker, situation.target
    meant = ["enemies"] if target.is_enemy_of(attacker) else []
    if target.side == attacker.side:
        meant += ["friend", "friends"]
    results = {f"target.{pool}" for pool in vital}.union(*(_defeat_asks(rules, who) for who in ("target", *meant)))
    full = full_facts(rules, attacker, "attacker") | full_facts(rules, target, "target")
    beyond = {**full, **known_before_roll(shot.ledger)}
    facts = {**situation.facts, **beyond}
    defeat = {who: _for_defeat(rules, facts, who, unit) for who, unit in _two(situation)}
    again = facts
    if any(effect.kind == "strike" for effect in rules.effects):
        again = {**with_facts(rules, situation, {"turned": True}).facts, **beyond}
    open_later = own_to_roll(rules).union({STRIKES, "strike_number"}, *map(makes, rules.effects))
    wanted = (frozenset(results), tuple(meant))
    later = Course(rules, again, None, open_later, defeat, *wanted, vital, _plans_for(rules, again, (*wanted, True)))
    return replace(later, facts=facts, turned=later, plans=_plans_for(rules, facts, (*wanted, False)))


def _plans_for(rules: Ruleset, facts: Mapping[str, Value], about: tuple[Hashable, ...]) -> Plans:
    """The plans for attacks whose facts are these as far as effects ask for them; kept for the next such attack."""

    def all_asked() -> tuple[str, ...]:
        names = frozenset[str]().union(*(asks(effect) for effect in rules.effects))
        return tuple(sorted(names | (rules.strikes.count.names if rules.strikes else frozenset())))

    asked = _asked.get((rules.effects,), None, all_asked)
    return _plans.get((rules.effects,), (*about, tuple([facts.get(name) for name in asked])), Plans)


def _for_defeat(rules: Ruleset, facts: Mapping[str, Value], who: str, unit: Unit) -> dict[str, Value]:
    """What the rule of defeat asks for of one of the two, as the situation has it or the GM has set it by hand."""
    known: dict[str, Value] = {}
    in_hand = weapon_facts(rules, unit, rules.weapons.get(unit.weapon))
    for name in sorted(rules.defeated.names):
        its = f"{who}.{name.removeprefix('unit.')}" if name.startswith("unit.") else name
        known[name] = in_hand[name] if name in in_hand else facts[its]
    return known


def _defeat_asks(rules: Ruleset, who: str) -> set[str]:
    """What the rule of defeat asks of a unit, under the name that effects have for it."""
    asked = (name.removeprefix("unit.") for name in rules.defeated.names if name.startswith("unit."))
    return {f"{who}.{name}" for name in asked}


def _blows(course: Course, shot: Shot, rolls: Sequence[Alike]) -> Iterator[tuple[Fraction, Blow, Spread]]:
    """The attack's rolls as blows: those after which the same effects count as one, each with the ways it begins in.

    A blow that may turn into another grade is judged anew then, by its very roll.
    """
    together: dict[object, list[Alike]] = {}
    most = max((alike.strikes for alike in rolls), default=1)
    for alike in rolls:
        grade = alike.grade
        alone = (grade.id, alike.strikes, alike.told) if _turns(course, grade) else ()
        strikes = min(1, alike.strikes) if alone or alike.strikes < 2 else most
        same = tuple(_planned(course, grade, number, strikes)[1] for number in range(1, strikes + 1))
        told = tuple(name for name, _ in alike.told)
        together.setdefault((strikes, grade.is_hit, same, told, alone), []).append(alike)
    for alikes in together.values():
        whole = lcm(*(one.chance.denominator for one in alikes))
        ways: dict[Way, int] = {}
        for one in alikes:
            way = (one.strikes, *(value for _, value in one.told))
            ways[way] = ways.get(way, 0) + one.chance.numerator * (whole // one.chance.denominator)
        weight = sum(ways.values())
        first = alikes[0]
        blow = Blow(shot.situation, shot.ledger, first.roll, first.grade, first.dice)
        yield Fraction(weight, whole), blow, Spread((STRIKES, *(name for name, _ in first.told)), ways, weight)


def _turns(course: Course, grade: Grade) -> bool:
    """Whether what follows from a grade may turn the attack into another against its target."""
    whom = ("target", *course.meant)
    return any(effect.kind == "strike" and effect.whom in whom for effect in _effects(course, grade, 0))


def _planned(course: Course, grade: Grade, number: int, strikes: int) -> tuple[Plan, tuple[str, ...]]:
    """The effects of a strike that make a difference, to what follows after it as well, and what went into the plan."""
    plans = course.plans.strikes
    if (grade.id, number, strikes) not in plans:
        if number < strikes:
            wanted = _lasting(course, _planned(course, grade, number + 1, strikes)[0].asked)
        else:
            wanted = course.results | _wanted_later(course, grade, goes_on=False)
        planned = _made_plan(course, grade, wanted, number)
        ids = {step.effect.id for step in planned.steps}
        relevant = planned.asked.union(*(asks(each) for each in course.rules.effects if each.id in ids))
        same = tuple(each.id for each in _effects(course, grade, number) if not relevant.isdisjoint(makes(each)))
        plans[grade.id, number, strikes] = planned, same
    return plans[grade.id, number, strikes]


def _made_plan(course: Course, grade: Grade, wanted: frozenset[str], number: int) -> Plan:
    """A plan for what is wanted in the end; number 0 for any strike."""
    return plan(_effects(course, grade, number), wanted, _left_open(course, number))


def _effects(course: Course, grade: Grade, number: int) -> tuple[Effect, ...]:
    """The effects that can happen at all after a grade, on a strike of that number; 0 for any."""
    kept = course.plans.effects
    if (grade.id, number) not in kept:
        facts = {**course.facts, "strike_number": number}
        left_open = _left_open(course, number)
        kept[grade.id, number] = settled(course.rules.effects, grade, facts, left_open, is_first=number < 2)
    return kept[grade.id, number]


def _left_open(course: Course, number: int) -> frozenset[str]:
    """Names that may have any value before a strike."""
    if number == 1 and course.turned is not None:  # nothing has followed yet, so units are as the facts have them
        return own_to_roll(course.rules) | {STRIKES}
    return course.open_later - {"strike_number"} if number else course.open_later


def asked_of_roll(course: Course, grade: Grade) -> frozenset[str]:
    """What may be asked of the roll after a grade."""
    if grade.id not in course.plans.asked_of_roll:
        later = _wanted_later(course, grade, goes_on=_goes_on(course, grade))
        course.plans.asked_of_roll[grade.id] = _made_plan(course, grade, course.results | later, 1).asked
    return course.plans.asked_of_roll[grade.id]


def _wanted_later(course: Course, grade: Grade, *, goes_on: bool) -> frozenset[str]:
    """What further strikes, and attacks that it turns into, ask of what a first strike leaves."""
    rules, again = course.rules, course.turned or course
    further = [(course, grade)] if goes_on else []
    if _turns(course, grade):
        further += [(again, each) for each in rules.grades]
    if not further:
        return frozenset()
    wanted = course.results | _defeat_asks(rules, "attacker") | {TURNED}
    while True:
        asked = frozenset[str]().union(*(_made_plan(one, each, wanted, 0).asked for one, each in further))
        more = _lasting(course, asked) - wanted
        if not more:
            return wanted
        wanted |= more


def _lasting(course: Course, asked: frozenset[str]) -> frozenset[str]:
    """What is wanted between strikes: whether the two are still in the fight, and of these names those that last."""
    rules = course.rules
    lasting = {name for name in asked if "." in name} | (asked & (own_to_roll(rules) | {"cover_wear", STRIKES}))
    return course.results | _defeat_asks(rules, "attacker") | {TURNED, STRIKES} | lasting


def _goes_on(course: Course, grade: Grade) -> bool:
    """Whether an attack that came to a grade may strike more than once."""
    strikes = course.rules.strikes
    if strikes is None or not grade.is_hit:
        return False
    count = strikes.count.settled(course.facts, course.open_later)
    return not count.is_fixed or whole_down(count, course.facts) > 1


def _follow(course: Course, blow: Blow, before: Spread, counted: frozenset[tuple[str, str]]) -> Spread:
    """Every way in which a blow can leave its target, with what it turns into; as `attacking` has it in play."""
    counted |= {(blow.situation.target.id, blow.grade.id)}
    found = struck(course, blow, before)
    if TURNED not in found.names:
        return found
    place = found.names.index(TURNED)
    parts = [Spread(found.names, {way: one for way, one in found.ways.items() if way[place] is None}, found.whole)]
    for way, weight in found.ways.items():
        if way[place] is not None:
            left = (*way[:place], None, *way[place + 1 :])
            part = Spread(found.names, {left: weight}, found.whole)
            for grade_id in str(way[place]).split():
                if (blow.situation.target.id, grade_id) not in counted:
                    part = _turned(course, blow, grade_id, part, counted)
            parts.append(part)
    return joined(parts)


def _turned(course: Course, blow: Blow, grade_id: str, before: Spread, counted: frozenset[tuple[str, str]]) -> Spread:
    """Every way in which a blow that has turned into another grade can leave a target that is as one of these ways."""
    rules = course.rules
    parts = []
    before = narrowed(before, [name for name in before.names if name != STRIKES])
    for way, weight in before.ways.items():
        again = turned(rules, replace(blow, learned=before.values(way)), grade_of(rules, grade_id))
        start = Spread(before.names, {way: weight}, before.whole)
        parts.append(_follow(course.turned or course, again, start, counted))
    return joined(parts)


def struck(course: Course, blow: Blow, before: Spread) -> Spread:
    """Every way in which the strikes of one blow can leave its target; they end when one of the two is out of it."""
    facts, strikes = blow_facts(course.rules, blow)
    facts |= {"grade": blow.grade.id, "hit": blow.grade.is_hit}
    if STRIKES in before.names:
        place = before.names.index(STRIKES)
        strikes = max(cast(int, way[place]) for way in before.ways)
    terms = Terms(blow.grade, course.meant, MOST_WAYS)
    done: list[Spread] = []
    found = before
    for number in range(1, strikes + 1):
        facts["strike_number"] = number
        planned, _ = _planned(course, blow.grade, number, strikes)
        found = spread(planned, found, facts, terms)
        if number < strikes:
            is_over = _is_over(course, found, number)
            over = {way: weight for way, weight in found.ways.items() if is_over(way)}
            if over:
                done.append(Spread(found.names, over, found.whole))
                found = Spread(
                    found.names, {way: one for way, one in found.ways.items() if way not in over}, found.whole
                )
    return joined([*done, found]) if done else found


def _is_over(course: Course, found: Spread, number: int) -> Callable[[Way], bool]:
    """What says whether there are no more strikes after so many, as a way has it."""
    target_is_out, attacker_is_out = _is_out(course, "target", found), _is_out(course, "attacker", found)
    place = found.names.index(STRIKES) if STRIKES in found.names else -1
    return lambda way: (place >= 0 and way[place] == number) or target_is_out(way) or attacker_is_out(way)


def _is_out(course: Course, who: str, found: Spread) -> Callable[[Way], bool]:
    """What says whether one of the two is out of the fight, as a way has it."""
    rule, facts = course.rules.defeated, course.defeat[who]
    under = [name.replace(f"{who}.", "unit.", 1) if name.startswith(f"{who}.") else "" for name in found.names]
    places = [place for place, name in enumerate(under) if name in rule.names]
    pick, seen = picker(places), dict[Way, bool]()

    def is_out(way: Way) -> bool:
        values = pick(way)
        if values not in seen:
            changed = {under[place]: value for place, value in zip(places, values, strict=True) if value is not None}
            seen[values] = bool(rule.evaluate({**facts, **changed}))
        return seen[values]

    return is_out


def _outcomes(course: Course, found: Spread) -> dict[tuple[int, bool], int]:
    """What the vital pools have lost in all and whether the target is out of the fight, with the weight of each."""
    of_target = narrowed(found, [name for name in found.names if name.startswith("target.")])
    is_out, outcomes = _is_out(course, "target", of_target), dict[tuple[int, bool], int]()
    for way, weight in of_target.ways.items():
        changed, lost = of_target.values(way), 0
        for pool in course.vital:
            before = course.facts[f"target.{pool}"]
            after = changed.get(f"target.{pool}", before)
            if isinstance(before, int) and isinstance(after, int):
                lost += max(0, before - after)
        outcome = (lost, is_out(way))
        outcomes[outcome] = outcomes.get(outcome, 0) + weight
    return outcomes
