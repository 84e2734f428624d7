"""The outlook: before any die is rolled, what an attack comes to in the end. Exact chances, no dice, no second model.

Every way that the attack's dice can fall is judged by `checks`, ways that nothing can tell apart are taken as one
`Blow`, and what follows from it runs through `spreads`, which takes the same steps as the effects in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from engine.battle.attacks.bursts import rings_of
from engine.battle.attacks.following import Blow, blow_facts, turned
from engine.battle.attacks.shots import Outlook, Shot
from engine.battle.battle import Battle
from engine.battle.situation import BARE_SQUARE, circumstances
from engine.errors import BattleboardError
from engine.kept import Kept
from engine.rules.checks import Alike, distinct_rolls, grade_of, own_to_roll
from engine.rules.effects import is_after
from engine.rules.model import Grade, Ruleset, Value
from engine.rules.spreads import TURNED, Known, Plan, Spread, State, Terms, joined, plan, spread

MOST_WAYS, LEAST_WAYS = 2000, 200
"""Ways that one effect may lead to, shared by the strikes of a blow; the least likely ones beyond are not followed."""


@dataclass(frozen=True, slots=True)
class Course:
    """One attack on its way through the effects."""

    rules: Ruleset
    facts: Mapping[str, Value]
    """Of the situation."""
    circumstances: Mapping[str, Mapping[str, Value]]
    """What the rule of defeat may ask for, of the attacker and of the target."""
    results: frozenset[str]
    """Facts of the target on which damage and defeat rest."""
    meant: tuple[str, ...]
    """Words for those nearby that may mean the target too."""
    vital: tuple[str, ...]


_plans: Kept[dict[tuple[str, bool], Plan]] = Kept(8)


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
    course = _course(battle, rules, shot)
    damage: dict[int, Fraction] = {}
    drop = unsettled = Fraction(0)
    wanted = {grade.id: _plan(course, grade).asked for grade in rules.grades}
    for chance, blow, start in _blows(course, shot, distinct_rolls(rules, situation.facts, ledger, wanted)):
        found = _follow(course, blow, start, frozenset())
        dropped, lost = 0, dict[int, int]()
        for state, weight in found.states.items():
            amount = _lost(course, state)
            lost[amount] = lost.get(amount, 0) + weight
            if _is_out(course, "target", state):
                dropped += weight
        drop += chance * Fraction(dropped, found.whole)
        unsettled += chance * Fraction(found.lost, found.whole)
        for amount, weight in lost.items():
            damage[amount] = damage.get(amount, Fraction(0)) + chance * Fraction(weight, found.whole)
    return Outlook(
        hit=shot.odds.hit,
        hurt=sum((chance for amount, chance in damage.items() if amount), start=Fraction(0)),
        drop=drop,
        expected=sum((amount * chance for amount, chance in damage.items()), start=Fraction(0)),
        damage=tuple(sorted(damage.items())),
        unsettled=unsettled,
    )


def foreseen(battle: Battle, rules: Ruleset, shot: Shot) -> Shot:
    """The same shot with its outlook, as far as it has one."""
    try:
        return replace(shot, outlook=outlook(battle, rules, shot))
    except BattleboardError:  # a rule that breaks: whoever makes the attack is told
        return shot


def vital_pools(rules: Ruleset) -> tuple[str, ...]:
    """The pools whose loss hurts: those that the rule of defeat asks for; all of them where it asks for none."""
    asked = tuple(pool for pool in rules.pools if f"unit.{pool}" in rules.defeated.names)
    return asked or tuple(rules.pools)


def _course(battle: Battle, rules: Ruleset, shot: Shot) -> Course:
    attacker, target, vital = shot.situation.attacker, shot.situation.target, vital_pools(rules)
    meant = ["enemies"] if target.is_enemy_of(attacker) else []
    if target.side == attacker.side:
        meant += ["friend", "friends"]
    results = {f"target.{pool}" for pool in vital}.union(*(_defeat_asks(rules, who) for who in ("target", *meant)))
    sides = {
        who: {**circumstances(battle, rules, unit), **_under_unit(shot, who)}
        for who, unit in (("attacker", attacker), ("target", target))
    }
    return Course(rules, shot.situation.facts, sides, frozenset(results), tuple(meant), vital)


def _under_unit(shot: Shot, who: str) -> dict[str, Value]:
    """What the situation has of one of the two, where the GM may have set it by hand, as the rule of defeat asks."""
    facts = shot.situation.facts.items()
    return {f"unit.{name.removeprefix(f'{who}.')}": value for name, value in facts if name.startswith(f"{who}.")}


def _defeat_asks(rules: Ruleset, who: str) -> set[str]:
    """What the rule of defeat asks of a unit, under the name that effects have for it."""
    asked = (name.removeprefix("unit.") for name in rules.defeated.names if name.startswith("unit."))
    return {f"{who}.{name}" for name in asked}


def _blows(course: Course, shot: Shot, rolls: Iterable[Alike]) -> Iterator[tuple[Fraction, Blow, Spread]]:
    """The attack's rolls as blows: those after which the same effects count as one, each in a state of its own.

    A blow that may turn into another grade is judged anew then, by its very roll.
    """
    together: dict[object, list[Alike]] = {}
    for alike in rolls:
        grade = alike.grade
        alone = (grade.id, alike.told) if _turns(course, grade) else ()
        later = tuple(effect.id for effect in course.rules.effects if is_after(effect, grade))
        now = tuple(step.effect.id for step in _plan(course, grade).steps)
        key = (alike.strikes, grade.is_hit, now if alike.strikes < 2 else later, alone)
        together.setdefault(key, []).append(alike)
    for same in together.values():
        chance = sum((one.chance for one in same), start=Fraction(0))
        whole = lcm(*((one.chance / chance).denominator for one in same))
        states: dict[State, int] = {}
        for one in same:
            states[one.told] = states.get(one.told, 0) + int(one.chance / chance * whole)
        blow = Blow(shot.situation, shot.ledger, same[0].roll, same[0].grade, same[0].dice)
        yield chance, blow, Spread(states, whole)


def _turns(course: Course, grade: Grade) -> bool:
    """Whether what follows from a grade may turn the attack into another against its target."""
    whom = ("target", *course.meant)
    return any(
        effect.kind == "strike" and effect.whom in whom and is_after(effect, grade) for effect in course.rules.effects
    )


def _plan(course: Course, grade: Grade, *, is_first: bool = True) -> Plan:
    """The effects after a grade that make a difference; where more follows, to that as well."""
    rules = course.rules
    found = _plans.get((rules.effects,), course.results, dict)
    if (grade.id, is_first) not in found:
        held, wanted = own_to_roll(rules), course.results
        goes_on, turns = rules.strikes is not None and grade.is_hit, _turns(course, grade)
        if goes_on or turns:
            wanted |= _defeat_asks(rules, "attacker") | ({TURNED} if turns else set())
            following = rules.grades if turns else (grade,)
            while True:
                asked = frozenset().union(*(plan(rules.effects, each, wanted, held).asked for each in following))
                more = {name for name in asked if "." in name or name == "cover_wear" or name in held} - wanted
                if not more:
                    break
                wanted |= more
        found[grade.id, is_first] = plan(rules.effects, grade, wanted, held, is_first=is_first)
    return found[grade.id, is_first]


def _follow(course: Course, blow: Blow, before: Spread, counted: frozenset[tuple[str, str]]) -> Spread:
    """Every way in which a blow can leave its target, with what it turns into; as `attacking` has it in play."""
    counted |= {(blow.situation.target.id, blow.grade.id)}
    struck = _strikes(course, blow, before)
    plain: dict[State, int] = {}
    parts: list[Spread] = []
    for state, weight in struck.states.items():
        grades = str(dict(state).get(TURNED, "")).split()
        left = tuple(one for one in state if one[0] != TURNED)
        part = Spread({left: weight}, struck.whole)
        for grade_id in grades:
            if (blow.situation.target.id, grade_id) not in counted:
                part = joined(
                    [
                        _follow(course, _again(course, blow, grade_id, one), Spread({one: share}, part.whole), counted)
                        for one, share in part.states.items()
                    ]
                )
        if grades:
            parts.append(part)
        else:
            plain[left] = plain.get(left, 0) + weight
    rest = Spread(plain, struck.whole, struck.lost)
    return joined([rest, *parts]) if parts else rest


def _again(course: Course, blow: Blow, grade_id: str, state: State) -> Blow:
    """A blow that has turned into another grade, on a target that is as a state has it."""
    return turned(course.rules, replace(blow, learned=dict(state)), grade_of(course.rules, grade_id))


def _strikes(course: Course, blow: Blow, before: Spread) -> Spread:
    """Every way in which the strikes of one blow can leave its target; they end when one of the two is out of it."""
    facts, strikes = blow_facts(course.rules, blow)
    facts |= {"grade": blow.grade.id, "hit": blow.grade.is_hit}
    terms = Terms(blow.grade, course.meant, max(LEAST_WAYS, MOST_WAYS // max(1, strikes)))
    done: list[Spread] = []
    found = before
    for number in range(1, strikes + 1):
        facts["strike_number"] = number
        planned = _plan(course, blow.grade, is_first=number == 1)
        found = spread(planned, found, facts, terms)
        if number < strikes:
            out = {state: weight for state, weight in found.states.items() if _is_over(course, state)}
            if out:
                done.append(Spread(out, found.whole))
                going = {state: weight for state, weight in found.states.items() if state not in out}
                found = Spread(going, found.whole, found.lost)
    return joined([*done, found]) if done else found


def _is_over(course: Course, state: State) -> bool:
    """Whether one of the two is out of the fight."""
    return _is_out(course, "target", state) or _is_out(course, "attacker", state)


def _is_out(course: Course, who: str, state: State) -> bool:
    """Whether one of the two is out of the fight, as a state has it."""
    changed = ((f"unit.{name.removeprefix(f'{who}.')}", value) for name, value in state if name.startswith(f"{who}."))
    return bool(course.rules.defeated.evaluate(Known(course.circumstances[who], changed)))


def _lost(course: Course, state: State) -> int:
    """What the vital pools have lost in all."""
    held = dict(state)
    lost = 0
    for pool in course.vital:
        before = course.facts[f"target.{pool}"]
        after = held.get(f"target.{pool}", before)
        if isinstance(before, int) and isinstance(after, int):
            lost += max(0, before - after)
    return lost
