"""Exact joint distribution of facts after a sequence of effects.

It runs the very steps that `effects.consequences` runs, one effect at a time, on all states together. States that no
later effect and no question can tell apart are one, and what does not hang together is kept apart until an effect asks
for both. So a long row of effects stays a few hundred states, where going through all dice would be millions. Which
effects make a difference at all is for `liveness`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from math import gcd, lcm
from operator import itemgetter

from msgspec import Struct

from engine.dice.distributions import Weights, weights
from engine.errors import BattleboardError
from engine.rules.compiled import plain
from engine.rules.effect_kinds import TURNED, Chance
from engine.rules.liveness import EffectPlan, EffectStep, plan, settled
from engine.rules.model import NEARBY, Effect, Grade, Value

FactState = tuple[Value | None, ...]
"""Values of some names; None for one that is as before."""

FEW = 16
"""States of a spread that are not worth the trouble of taking apart what is the same in them."""
ALIKE = 3
"""States that have to be the same to a stretch of effects, one with another, for it to be worked out aside."""
MOST_SEEN = 5000
"""Rows of facts for which the result of an effect is cached."""
MARK = "before: "
"""Before a name that no formula can ask for: what that name was before a stretch of effects."""
NONE: frozenset[str] = frozenset()
MOST_PAIRS = 20_000
"""States that two spreads may make together; the least likely ones beyond are not followed."""


class JointDistribution(Struct, frozen=True):
    """Joint distribution of some names: weights of states; the chance of one is weight ÷ `whole`."""

    names: tuple[str, ...]
    states: Mapping[FactState, int]
    whole: int = 1

    @property
    def lost(self) -> int:
        """The weight of all that was not followed."""
        return self.whole - sum(self.states.values())

    def values(self, state: FactState) -> dict[str, Value]:
        """The names that a state makes other than they were before."""
        return {name: value for name, value in zip(self.names, state, strict=True) if value is not None}


CERTAIN = JointDistribution((), {(): 1})
"""Nothing is other than before."""


class Terms(Struct, frozen=True):
    """What holds for all effects after one roll."""

    meant: Collection[str]
    """Words for those nearby that may mean the target; what happens to these is not followed."""
    most: int
    """States that one effect may lead to."""


def spread(
    planned: EffectPlan,
    before: JointDistribution,
    facts: Mapping[str, Value],
    terms: Terms,
    marks: frozenset[str] = NONE,
) -> JointDistribution:
    """Distribution of the facts after some effects, from their distribution before.

    Args:
        planned: the effects that make a difference.
        before: the states so far.
        facts: those that all states have in common, with the roll's.
        terms: what holds for all effects.
        marks: names, which no effect asks for, that are to be kept throughout.
    """
    found = _product(_through(planned.steps, [before], facts, terms, marks))
    states = _likely(found.states, terms.most)
    common = gcd(found.whole, *states.values())
    return JointDistribution(
        found.names, {state: weight // common for state, weight in states.items()}, found.whole // common
    )


def effect_outcomes(
    effects: Sequence[Effect],
    facts: Mapping[str, Value],
    wanted: Collection[str],
    most: int,
    grade: Grade | None = None,
) -> JointDistribution:
    """How effects can leave some names, from facts that are known.

    Args:
        effects: in order.
        facts: those that all states have in common.
        wanted: the names that matter in the end.
        most: states that one effect may lead to.
        grade: that of the attack whose roll they follow from; None for effects of no attack.
    """
    planned = plan(settled(effects, grade, facts, ()), wanted, ())
    return spread(planned, CERTAIN, facts, Terms((), most))


def joined(spreads: Sequence[JointDistribution]) -> JointDistribution:
    """Several spreads that are parts of one, as one."""
    whole = lcm(*(one.whole for one in spreads))
    names = tuple(sorted(frozenset().union(*(one.names for one in spreads))))
    states: dict[FactState, int] = {}
    for one in spreads:
        times = whole // one.whole
        places = [one.names.index(name) if name in one.names else len(one.names) for name in names]
        pick = picker(places)
        for state, weight in one.states.items():
            same = pick((*state, None))
            states[same] = states.get(same, 0) + weight * times
    return JointDistribution(names, states, whole)


def narrowed(one: JointDistribution, names: Sequence[str]) -> JointDistribution:
    """Marginal distribution over these names, in their order; names it does not have are None."""
    pick = picker([one.names.index(name) if name in one.names else len(one.names) for name in names])
    states: dict[FactState, int] = {}
    for state, weight in one.states.items():
        same = pick((*state, None))
        states[same] = states.get(same, 0) + weight
    return JointDistribution(tuple(names), states, one.whole)


def picker(places: Sequence[int]) -> Callable[[FactState], FactState]:
    """Function that takes the values at some places out of a state."""
    if len(places) > 1:
        return itemgetter(*places)
    if not places:
        return lambda _way: ()
    (only,) = places
    return lambda state: (state[only],)


def _through(
    steps: Sequence[EffectStep],
    before: list[JointDistribution],
    facts: Mapping[str, Value],
    terms: Terms,
    marks: frozenset[str],
) -> list[JointDistribution]:
    """States after some effects; independent parts stay apart."""
    found, at = before, 0
    while at < len(steps):
        end, place = _stretch(steps, at, found)
        if end > at:
            found = _aside(steps[at:end], found, place, facts, terms, marks)
        else:
            found, end = _after(steps[at], found, facts, terms, marks), at + 1
        at = end
    return found


def _stretch(steps: Sequence[EffectStep], at: int, before: Sequence[JointDistribution]) -> tuple[int, int]:
    """Where a stretch of effects ends to which many states are the same, and the place of the spread that has these.

    A roll does not live on beyond it, so that of one of which only passing or failing is asked for two states are left.
    """
    touched = steps[at].touched
    if steps[at].life:
        touched = touched.union(*(step.touched for step in steps[at : at + steps[at].life + 1]))
    place = next((i for i, one in enumerate(before) if len(one.states) >= FEW and _has(one, touched)), -1)
    if place < 0:
        return at, place
    one, end, asked = before[place], at, set[int]()
    while end < len(steps):
        more = asked | {i for i, name in enumerate(one.names) if name in steps[end].touched}
        if more != asked and ALIKE * len(set(map(picker(sorted(more)), one.states))) > len(one.states):
            break
        asked, end = more, end + 1
    while (long := next((i for i in range(at, end) if steps[i].life and i + steps[i].life >= end), None)) is not None:
        end = long
    return (end, place) if end - at > 1 else (at, place)


def _aside(
    steps: Sequence[EffectStep],
    before: list[JointDistribution],
    place: int,
    facts: Mapping[str, Value],
    terms: Terms,
    marks: frozenset[str],
) -> list[JointDistribution]:
    """The states after a stretch of effects: worked out once for the states of one spread that are the same to these.

    What these states have in common goes through the effects by itself, marked with what it was before, and is put
    together with the rest of each state afterwards.
    """
    one, others = before[place], [other for i, other in enumerate(before) if i != place]
    touched = frozenset[str]().union(*(step.touched for step in steps))
    own = [i for i, name in enumerate(one.names) if name in touched]
    pick = picker(own)
    signs = tuple(f"{MARK}{one.names[i]}" for i in own)
    while not marks.isdisjoint(signs):
        signs = tuple(MARK + sign for sign in signs)
    sames = list(map(pick, one.states))
    start = JointDistribution((*(one.names[i] for i in own), *signs), {same + same: 1 for same in sames})
    ended = _through(steps, [start, *others], facts, terms, marks.union(signs))
    marked = next(each for each in ended if signs[0] in each.names)
    pick_sign = picker([marked.names.index(sign) for sign in signs])
    new = [i for i, name in enumerate(marked.names) if name not in signs]
    pick_new = picker(new)
    after: dict[FactState, list[tuple[FactState, int]]] = {}
    for state, weight in marked.states.items():
        after.setdefault(pick_sign(state), []).append((pick_new(state), weight))
    keep = (steps[-1].keep | marks).difference(touched, (step.makes for step in steps))
    rest = [i for i, name in enumerate(one.names) if name in keep]
    pick_rest = picker(rest)
    states: dict[FactState, int] = {}
    for (state, weight), same in zip(one.states.items(), sames, strict=True):
        left = pick_rest(state)
        for more, share in after.get(same, ()):
            now = left + more
            states[now] = states.get(now, 0) + weight * share
    names = (*(one.names[i] for i in rest), *(marked.names[i] for i in new))
    put_together = JointDistribution(names, _likely(states, terms.most), one.whole * marked.whole)
    return [*(each for each in ended if each is not marked), put_together]


def _after(
    step: EffectStep, before: list[JointDistribution], facts: Mapping[str, Value], terms: Terms, marks: frozenset[str]
) -> list[JointDistribution]:
    """States after one effect, computed once for all states that are equal to it."""
    effect, name, keep = step.effect, step.makes, step.keep | marks
    one, apart = _gathered(before, step.touched)
    others = [each for each in (_restricted_to(other, keep - {name}) for other in apart) if each.names or each.lost]
    asked = [other for other in step.reads if other in one.names]
    left = [other for other in one.names if other in keep and other != name]
    pick, pick_left = (picker([one.names.index(other) for other in names]) for names in (asked, left))
    held = one.names.index(name) if name in one.names else None
    known = dict(facts)
    alike = tuple([(other, facts.get(other)) for other in step.reads if other not in asked])
    if sum(map(len, step.seen.values())) > MOST_SEEN:
        step.seen.clear()
    seen: dict[FactState, Result] = step.seen.setdefault(alike, {})
    find = _finder(effect, terms.meant)
    states: dict[FactState, int] = {}
    thrown: list[tuple[int, FactState, Weights]] = []
    for state, weight in one.states.items():
        same = pick(state)
        result = seen.get(same, UNKNOWN)
        if result is UNKNOWN:
            for other, value in zip(asked, same, strict=True):
                if value is not None:
                    known[other] = value
                elif other in facts:
                    known[other] = facts[other]
                else:
                    known.pop(other, None)
            seen[same] = result = find(known)
        if result is None:
            continue
        if isinstance(result, Weights):
            thrown.append((weight, pick_left(state), result))
            continue
        value = None if held is None else state[held]
        if not isinstance(result, NoValue):
            value = result if name != TURNED else f"{value or ''}{result} "
        now = (*pick_left(state), value)
        states[now] = states.get(now, 0) + weight
    whole = one.whole
    if thrown:
        times = lcm(*(dice.whole for dice in {id(dice): dice for _, _, dice in thrown}.values()))
        states, whole = {state: weight * times for state, weight in states.items()}, whole * times
        _throw(thrown, states, times)
    return [*others, JointDistribution((*left, name), _likely(states, terms.most), whole)]


def _throw(thrown: list[tuple[int, FactState, Weights]], states: dict[FactState, int], times: int) -> None:
    """Adds the states after dice, from the likeliest states before them first, up to MOST_PAIRS of them."""
    if sum(len(dice.totals) for _, _, dice in thrown) > MOST_PAIRS:
        thrown.sort(key=lambda one: -one[0])
    room = MOST_PAIRS
    for weight, left, dice in thrown:
        room -= len(dice.totals)
        if room < 0:
            return
        share = weight * (times // dice.whole)
        for total, parts in dice.totals.items():
            now = (*left, total)
            states[now] = states.get(now, 0) + share * parts


def _gathered(
    before: Sequence[JointDistribution], touched: Collection[str]
) -> tuple[JointDistribution, list[JointDistribution]]:
    """Those of some spreads that have any of these names, as one, and the others."""
    those: list[JointDistribution] = []
    others: list[JointDistribution] = []
    for one in before:
        (those if _has(one, touched) else others).append(one)
    return _product(those), others


def _has(one: JointDistribution, names: Collection[str]) -> bool:
    return any(name in names for name in one.names)


def _product(spreads: Sequence[JointDistribution]) -> JointDistribution:
    """Spreads that do not hang together, as one."""
    if not spreads:
        return CERTAIN
    first, *rest = sorted(spreads, key=lambda one: len(one.states))
    for other in rest:
        likely = _likely(other.states, max(1, MOST_PAIRS // max(1, len(first.states))))
        states = {
            state + more: weight * share for state, weight in first.states.items() for more, share in likely.items()
        }
        first = JointDistribution(first.names + other.names, states, first.whole * other.whole)
    return first


def _restricted_to(one: JointDistribution, keep: Collection[str]) -> JointDistribution:
    """A spread without the names that matter no more."""
    names = [name for name in one.names if name in keep]
    return one if len(names) == len(one.names) else narrowed(one, names)


def _likely(states: Mapping[FactState, int], most: int) -> Mapping[FactState, int]:
    """The likeliest of some states."""
    if len(states) <= most:
        return states
    return dict(sorted(states.items(), key=lambda one: -one[1])[:most])


class NoValue(Enum):
    """The result of an effect that leaves its fact as it was, and of one that was not looked at yet."""

    UNCHANGED = ""
    UNKNOWN = "?"


UNCHANGED, UNKNOWN = NoValue.UNCHANGED, NoValue.UNKNOWN
Result = Value | Weights | NoValue | None
"""Result of an effect in one state: a new value of its fact, dice, or no change; None where it is not followed."""


def _finder(effect: Effect, meant: Collection[str]) -> Callable[[Mapping[str, Value]], Result]:
    """What finds the result of an effect in one state; None also where its rule breaks, as it does in play."""
    happens = None if effect.when.is_fixed else effect.when.compiled().run
    is_nearby, nearby = effect.whom in NEARBY, None if effect.whom in meant else UNCHANGED
    turns_into, formula = effect.turns_into, effect.formula
    work = None if formula is None else formula.compiled().run

    def find(known: Mapping[str, Value]) -> Result:
        try:
            if happens is not None and not happens(known):
                return UNCHANGED
            if is_nearby:
                return nearby
            if work is not None:
                return plain(work(known))
            outcome = effect.run(known)
            if isinstance(outcome, Chance):
                return weights(outcome.dice)
            return turns_into or next(iter(outcome.facts.values()), UNCHANGED)
        except BattleboardError:
            return None

    return find
