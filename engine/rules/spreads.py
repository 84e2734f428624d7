"""What effects come to by chance: every way they can leave the facts, each with its exact weight.

It runs the very steps that `effects.consequences` runs, one effect at a time, on all ways together. Ways that no later
effect and no question can tell apart are one; effects that make no difference to the question are left out. So a long
row of effects stays a few hundred ways, where going through all dice would be millions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

from engine.dice.distributions import distribution
from engine.errors import BattleboardError
from engine.rules.effects import comes_to, dice_of, happens, is_after, takes_on
from engine.rules.model import NEARBY, Effect, Grade, Value

State = tuple[tuple[str, Value], ...]
"""Facts that are other than before, by name, names in order."""

FEW = 200
"""States that may each lead to as many ways as dice have totals."""
SOON = 8
"""Steps within which a roll that is asked for no more is taken together with those who ask for it."""
TURNED = "turned into"
"""Under this name, which no formula can ask for, a state holds the grades that its attack has turned into."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Weights of states; their chances are weight ÷ `whole`, and `lost` of it was not followed."""

    states: Mapping[State, int]
    whole: int = 1
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """An effect that makes a difference."""

    effect: Effect
    reads: tuple[str, ...]
    """What it asks for that may not be the same in all states."""
    keep: tuple[str, ...]
    """What matters after it."""
    makes: frozenset[str]
    life: int = 0
    """For a roll that is soon forgotten: how many of the following steps there are until the last that asks for it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The effects that make a difference, in order, and everything that they and those who asked for them ask for."""

    steps: tuple[Step, ...]
    asked: frozenset[str]


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for all effects after one roll."""

    grade: Grade
    meant: Collection[str]
    """Words for those nearby that may mean the target; what happens to these is not followed."""
    most: int
    """Ways that one effect may lead to."""


class Known(dict[str, Value]):
    """Facts of which some are other than in a row of facts beneath, which is not copied."""

    __slots__ = ("beneath",)

    def __init__(self, beneath: Mapping[str, Value], changed: Iterable[tuple[str, Value]]) -> None:
        super().__init__(changed)
        self.beneath = beneath

    def __missing__(self, name: str) -> Value:
        return self.beneath[name]

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default


def plan(
    effects: Sequence[Effect], grade: Grade, wanted: Collection[str], held: Collection[str], *, is_first: bool = True
) -> Plan:
    """The effects after a grade that the wanted names rest on.

    Args:
        effects: in order.
        grade: which the roll came to.
        wanted: the names that matter in the end.
        held: names that states have before any effect.
        is_first: whether it is the first of several strikes.
    """
    happening = [effect for effect in effects if is_after(effect, grade) and (is_first or not effect.is_once)]
    made = frozenset(held).union(*map(_makes, effects))
    live, steps = set(wanted), []
    for effect in reversed(_early(happening)):
        own = _makes(effect)
        if own.isdisjoint(live):
            continue
        asks = _asks(effect)
        steps.append(Step(effect, tuple(sorted(asks & made)), tuple(sorted(live & made)), own))
        if effect.kind in ("roll", "let") and effect.when.text == "True":
            live -= own
        live |= asks
    steps.reverse()
    return Plan(tuple(replace(step, life=_life(steps, at)) for at, step in enumerate(steps)), frozenset(live))


def _early(effects: Sequence[Effect]) -> list[Effect]:
    """The same effects with every `let` as early as what it asks for is there, so that it is soon asked for no more.

    What a `let` comes to does not depend on effects that neither make what it asks for nor ask for what it makes.
    """
    found: list[Effect] = []
    for effect in effects:
        place = len(found)
        if effect.kind == "let":
            asks, makes = _asks(effect), _makes(effect)
            while place and asks.isdisjoint(_makes(found[place - 1])):
                if not makes.isdisjoint(_makes(found[place - 1]) | _asks(found[place - 1])):
                    break
                place -= 1
        found.insert(place, effect)
    return found


def _life(steps: Sequence[Step], at: int) -> int:
    """How many steps after a roll are the last to ask for it; 0 for other effects, and for one that lives on."""
    name = steps[at].effect.name
    if steps[at].effect.kind != "roll" or name in steps[-1].keep:
        return 0
    last = max((place for place in range(at + 1, len(steps)) if name in steps[place].reads), default=at)
    return last - at if last - at <= SOON else 0


def spread(planned: Plan, before: Spread, facts: Mapping[str, Value], terms: Terms) -> Spread:
    """Every way that effects can leave the facts, from every way they were left before.

    Args:
        planned: the effects that make a difference.
        before: the ways so far.
        facts: those that all ways have in common, with the roll's.
        terms: what holds for all effects.
    """
    return _through(planned.steps, before, facts, terms)


def _through(steps: Sequence[Step], before: Spread, facts: Mapping[str, Value], terms: Terms) -> Spread:
    """The ways after some effects."""
    found, at = before, 0
    while at < len(steps):
        life = steps[at].life
        if life and at + life < len(steps):
            found = _together(steps[at : at + life + 1], found, facts, terms)
        else:
            found = _after(steps[at], found, facts, terms)
            life = 0
        at += life + 1
    return found


def _together(steps: Sequence[Step], before: Spread, facts: Mapping[str, Value], terms: Terms) -> Spread:
    """The ways after a roll and all that asks for it: worked out once for the states that are the same to these.

    So a roll of which only passing or failing is asked for leads to two ways, not to one for each of its totals.
    """
    keep = steps[-1].keep
    touched = sorted(frozenset().union(*(step.reads for step in steps), *(step.makes for step in steps)))
    alike = [(state, weight, dict(state)) for state, weight in before.states.items()]
    sames = [tuple([own.get(name) for name in touched]) for _, _, own in alike]
    if 2 * len(set(sames)) > len(sames) < FEW:  # no work is shared: one after the other is quicker
        return _through([replace(step, life=0) for step in steps], before, facts, terms)
    seen: dict[tuple[Value | None, ...], Spread] = {}
    found: list[tuple[int, dict[str, Value], Spread]] = []
    for (_, weight, own), same in zip(alike, sames, strict=True):
        if same not in seen:
            start = tuple((name, own[name]) for name in touched if name in own)
            seen[same] = _through(steps[1:], _after(steps[0], Spread({start: 1}), facts, terms), facts, terms)
        found.append((weight, own, seen[same]))
    whole = lcm(*(one.whole for one in seen.values()))
    states: dict[State, int] = {}
    lost = before.lost * whole
    for weight, own, ways in found:
        times = weight * (whole // ways.whole)
        lost += ways.lost * times
        for state, share in ways.states.items():
            now = {**own, **dict(state)}
            left = tuple([(name, now[name]) for name in keep if name in now])
            states[left] = states.get(left, 0) + share * times
    if len(states) > terms.most:
        likely = sorted(states, key=lambda state: -states[state])[: terms.most]
        lost += sum(states.values()) - sum(states[state] for state in likely)
        states = {state: states[state] for state in likely}
    return Spread(states, before.whole * whole, lost)


def _after(step: Step, before: Spread, facts: Mapping[str, Value], terms: Terms) -> Spread:
    """The ways after one effect. It is worked out once for all states that are the same to it."""
    effect, keep = step.effect, step.keep
    seen: dict[tuple[Value | None, ...], Result | None] = {}
    thrown: list[tuple[int, dict[str, Value], Mapping[int, Fraction]]] = []
    states: dict[State, int] = {}
    whole, lost = 1, before.lost
    for state, weight in before.states.items():
        own = dict(state)
        same = tuple([own.get(name) for name in step.reads])
        if same not in seen:
            seen[same] = _result(effect, Known(facts, state), terms)
        result = seen[same]
        if result is None:
            lost += weight
        elif result.totals is not None:
            thrown.append((weight, own, result.totals))
        else:
            if effect.kind == "strike" and result.facts:
                own[TURNED] = f"{own.get(TURNED, '')}{effect.name} "
            else:
                own |= result.facts
            left = tuple([(name, own[name]) for name in keep if name in own])
            states[left] = states.get(left, 0) + weight
    if thrown:
        whole = lcm(*(chance.denominator for _, _, totals in thrown for chance in totals.values()))
        states = {state: weight * whole for state, weight in states.items()}
        lost *= whole
    room = terms.most - len(states)
    for weight, own, totals in sorted(thrown, key=lambda one: -one[0]):
        room -= len(totals)
        if room < 0:
            lost += weight * whole
            continue
        for total, chance in totals.items():
            own[effect.name] = total
            left = tuple([(name, own[name]) for name in keep if name in own])
            states[left] = states.get(left, 0) + weight * chance.numerator * (whole // chance.denominator)
    return Spread(states, before.whole * whole, lost)


@dataclass(frozen=True, slots=True)
class Result:
    """What an effect comes to in one state: facts that are other than before, or the totals of dice."""

    facts: Mapping[str, Value]
    totals: Mapping[int, Fraction] | None = None


NOTHING = Result({})


def _result(effect: Effect, known: Known, terms: Terms) -> Result | None:
    """What an effect comes to; None where that is not followed, or where its rule breaks in play as well."""
    try:
        if not happens(effect, terms.grade, known):
            return NOTHING
        if effect.whom in NEARBY:
            return None if effect.whom in terms.meant else NOTHING
        match effect.kind:
            case "roll":
                return Result({}, distribution(dice_of(effect, known)))
            case "strike":
                return Result({TURNED: effect.name})
            case "condition" | "posture":
                return Result(takes_on(effect, known))
        return Result(comes_to(effect, known)[1])
    except BattleboardError:
        return None


def joined(spreads: Sequence[Spread]) -> Spread:
    """Several spreads that are parts of one, as one."""
    whole = lcm(*(one.whole for one in spreads))
    states: dict[State, int] = {}
    lost = 0
    for one in spreads:
        times = whole // one.whole
        lost += one.lost * times
        for state, weight in one.states.items():
            states[state] = states.get(state, 0) + weight * times
    return Spread(states, whole, lost)


def _makes(effect: Effect) -> frozenset[str]:
    """The names that an effect may change; a strike on those nearby may be one on the target."""
    whom = effect.whom
    match effect.kind:
        case "roll" | "let":
            return frozenset((effect.name,))
        case "lose" | "gain" | "condition":
            return frozenset((f"{whom}.{effect.name}",))
        case "posture":
            return frozenset((f"{whom}.posture",))
        case "wear":
            return frozenset(("cover_wear",))
        case "strike":
            return frozenset((TURNED,)) if whom == "target" or whom in NEARBY else frozenset()
    return frozenset()


def _asks(effect: Effect) -> frozenset[str]:
    """The names that an effect asks for, as far as its facts rest on them."""
    asked = effect.when.names | effect.value.names
    if effect.kind in ("lose", "gain"):
        asked |= {f"{effect.whom}.{effect.name}", f"{effect.whom}.{effect.name}.full"}
    return asked | {"cover_wear"} if effect.kind == "wear" else asked
