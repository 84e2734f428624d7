"""Exact joint distribution of facts after a sequence of effects.

It runs the very steps that `effects.consequences` runs, one effect at a time, on all ways together. Ways that no later
effect and no question can tell apart are one, and what does not hang together is kept apart until an effect asks for
both. So a long row of effects stays a few hundred ways, where going through all dice would be millions. Which effects
make a difference at all is for `liveness`.
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
from engine.rules.model import NEARBY, Effect, Value

Way = tuple[Value | None, ...]
"""Values of some names; None for one that is as before."""

FEW = 16
"""Ways of a spread that are not worth the trouble of taking apart what is the same in them."""
ALIKE = 3
"""Ways that have to be the same to a stretch of effects, one with another, for it to be worked out aside."""
MOST_SEEN = 5000
"""Rows of facts for which the result of an effect is cached."""
MARK = "before: "
"""Before a name that no formula can ask for: what that name was before a stretch of effects."""
NONE: frozenset[str] = frozenset()
MOST_PAIRS = 20_000
"""Ways that two spreads may make together; the least likely ones beyond are not followed."""


class JointDistribution(Struct, frozen=True):
    """Joint distribution of some names: weights of states; the chance of one is weight ÷ `whole`."""

    names: tuple[str, ...]
    ways: Mapping[Way, int]
    whole: int = 1

    @property
    def lost(self) -> int:
        """The weight of all that was not followed."""
        return self.whole - sum(self.ways.values())

    def values(self, way: Way) -> dict[str, Value]:
        """The names that a way makes other than they were before."""
        return {name: value for name, value in zip(self.names, way, strict=True) if value is not None}


CERTAIN = JointDistribution((), {(): 1})
"""Nothing is other than before."""


class Terms(Struct, frozen=True):
    """What holds for all effects after one roll."""

    meant: Collection[str]
    """Words for those nearby that may mean the target; what happens to these is not followed."""
    most: int
    """Ways that one effect may lead to."""


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
        before: the ways so far.
        facts: those that all ways have in common, with the roll's.
        terms: what holds for all effects.
        marks: names, which no effect asks for, that are to be kept throughout.
    """
    found = _product(_through(planned.steps, [before], facts, terms, marks))
    ways = _likely(found.ways, terms.most)
    common = gcd(found.whole, *ways.values())
    return JointDistribution(
        found.names, {way: weight // common for way, weight in ways.items()}, found.whole // common
    )


def effect_outcomes(
    effects: Sequence[Effect],
    facts: Mapping[str, Value],
    wanted: Collection[str],
    most: int,
) -> JointDistribution:
    """How effects that follow from no roll of an attack can leave some names.

    Args:
        effects: in order.
        facts: those that all ways have in common.
        wanted: the names that matter in the end.
        most: ways that one effect may lead to.
    """
    planned = plan(settled(effects, None, facts, ()), wanted, ())
    return spread(planned, CERTAIN, facts, Terms((), most))


def joined(spreads: Sequence[JointDistribution]) -> JointDistribution:
    """Several spreads that are parts of one, as one."""
    whole = lcm(*(one.whole for one in spreads))
    names = tuple(sorted(frozenset().union(*(one.names for one in spreads))))
    ways: dict[Way, int] = {}
    for one in spreads:
        times = whole // one.whole
        places = [one.names.index(name) if name in one.names else len(one.names) for name in names]
        pick = picker(places)
        for way, weight in one.ways.items():
            same = pick((*way, None))
            ways[same] = ways.get(same, 0) + weight * times
    return JointDistribution(names, ways, whole)


def narrowed(one: JointDistribution, names: Sequence[str]) -> JointDistribution:
    """Marginal distribution over these names, in their order; names it does not have are None."""
    pick = picker([one.names.index(name) if name in one.names else len(one.names) for name in names])
    ways: dict[Way, int] = {}
    for way, weight in one.ways.items():
        same = pick((*way, None))
        ways[same] = ways.get(same, 0) + weight
    return JointDistribution(tuple(names), ways, one.whole)


def picker(places: Sequence[int]) -> Callable[[Way], Way]:
    """Function that takes the values at some places out of a state."""
    if len(places) > 1:
        return itemgetter(*places)
    if not places:
        return lambda _way: ()
    (only,) = places
    return lambda way: (way[only],)


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
    """Where a stretch of effects ends to which many ways are the same, and the place of the spread that has these.

    A roll does not live on beyond it, so that of one of which only passing or failing is asked for two ways are left.
    """
    touched = steps[at].touched
    if steps[at].life:
        touched = touched.union(*(step.touched for step in steps[at : at + steps[at].life + 1]))
    place = next((i for i, one in enumerate(before) if len(one.ways) >= FEW and _has(one, touched)), -1)
    if place < 0:
        return at, place
    one, end, asked = before[place], at, set[int]()
    while end < len(steps):
        more = asked | {i for i, name in enumerate(one.names) if name in steps[end].touched}
        if more != asked and ALIKE * len(set(map(picker(sorted(more)), one.ways))) > len(one.ways):
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
    """The ways after a stretch of effects: worked out once for the ways of one spread that are the same to these.

    What these ways have in common goes through the effects by itself, marked with what it was before, and is put
    together with the rest of each way afterwards.
    """
    one, others = before[place], [other for i, other in enumerate(before) if i != place]
    touched = frozenset[str]().union(*(step.touched for step in steps))
    own = [i for i, name in enumerate(one.names) if name in touched]
    pick = picker(own)
    signs = tuple(f"{MARK}{one.names[i]}" for i in own)
    while not marks.isdisjoint(signs):
        signs = tuple(MARK + sign for sign in signs)
    sames = list(map(pick, one.ways))
    start = JointDistribution((*(one.names[i] for i in own), *signs), {same + same: 1 for same in sames})
    ended = _through(steps, [start, *others], facts, terms, marks.union(signs))
    marked = next(each for each in ended if signs[0] in each.names)
    pick_sign = picker([marked.names.index(sign) for sign in signs])
    new = [i for i, name in enumerate(marked.names) if name not in signs]
    pick_new = picker(new)
    after: dict[Way, list[tuple[Way, int]]] = {}
    for way, weight in marked.ways.items():
        after.setdefault(pick_sign(way), []).append((pick_new(way), weight))
    keep = (steps[-1].keep | marks).difference(touched, (step.makes for step in steps))
    rest = [i for i, name in enumerate(one.names) if name in keep]
    pick_rest = picker(rest)
    ways: dict[Way, int] = {}
    for (way, weight), same in zip(one.ways.items(), sames, strict=True):
        left = pick_rest(way)
        for more, share in after.get(same, ()):
            now = left + more
            ways[now] = ways.get(now, 0) + weight * share
    names = (*(one.names[i] for i in rest), *(marked.names[i] for i in new))
    put_together = JointDistribution(names, _likely(ways, terms.most), one.whole * marked.whole)
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
    seen: dict[Way, Result] = step.seen.setdefault(alike, {})
    find = _finder(effect, terms.meant)
    ways: dict[Way, int] = {}
    thrown: list[tuple[int, Way, Weights]] = []
    for way, weight in one.ways.items():
        same = pick(way)
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
            thrown.append((weight, pick_left(way), result))
            continue
        value = None if held is None else way[held]
        if not isinstance(result, NoValue):
            value = result if name != TURNED else f"{value or ''}{result} "
        now = (*pick_left(way), value)
        ways[now] = ways.get(now, 0) + weight
    whole = one.whole
    if thrown:
        times = lcm(*(dice.whole for dice in {id(dice): dice for _, _, dice in thrown}.values()))
        ways, whole = {way: weight * times for way, weight in ways.items()}, whole * times
        _throw(thrown, ways, times)
    return [*others, JointDistribution((*left, name), _likely(ways, terms.most), whole)]


def _throw(thrown: list[tuple[int, Way, Weights]], ways: dict[Way, int], times: int) -> None:
    """Adds the ways in which dice fall, the likeliest ways before them first, up to MOST_PAIRS of them."""
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
            ways[now] = ways.get(now, 0) + share * parts


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
    first, *rest = sorted(spreads, key=lambda one: len(one.ways))
    for other in rest:
        likely = _likely(other.ways, max(1, MOST_PAIRS // max(1, len(first.ways))))
        ways = {way + more: weight * share for way, weight in first.ways.items() for more, share in likely.items()}
        first = JointDistribution(first.names + other.names, ways, first.whole * other.whole)
    return first


def _restricted_to(one: JointDistribution, keep: Collection[str]) -> JointDistribution:
    """A spread without the names that matter no more."""
    names = [name for name in one.names if name in keep]
    return one if len(names) == len(one.names) else narrowed(one, names)


def _likely(ways: Mapping[Way, int], most: int) -> Mapping[Way, int]:
    """The likeliest of some states."""
    if len(ways) <= most:
        return ways
    return dict(sorted(ways.items(), key=lambda one: -one[1])[:most])


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
