"""How an attack is resolved: the one flow that play and odds follow, from its roll to everything that comes of it.

The flow goes through cases, which only its driver looks into: in play that is the one thing that happens, for odds all
that may happen, each with its weight. It runs once and is never forked; where cases part ways it asks for a split, and
each part goes on in the same flow. What an attack does to others than its target concerns play alone: see `Spill` and
`Counter`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from msgspec import Struct

from engine.battle.attacks.defences import Option
from engine.battle.attacks.resolve_effects import Blow

Cases = Any
"""What a driver makes of what may happen."""


class RollAttack(Struct, frozen=True):
    """The attack's dice are rolled. Answer: the cases."""


class Choose(Struct, frozen=True):
    """Who is attacked may defend. Answer: each defence that is taken, None for none, with its cases."""

    cases: Cases


class Defend(Struct, frozen=True):
    """A defence is paid for, its effects happen, and the roll is judged again. Answer: the cases."""

    cases: Cases
    option: Option


class Counter(Struct, frozen=True):
    """The defence may answer with an attack. Answer: the attack, rolled, and its cases; None for none."""

    cases: Cases
    option: Option


class Judge(Struct, frozen=True):
    """The roll counts as a grade. Answer: the attack as it strikes, with its cases, for each."""

    cases: Cases


class Run(Struct, frozen=True):
    """What follows from the grade happens, for the time of that number. Answer: the cases."""

    blow: Blow
    cases: Cases
    number: int


class Ends(Struct, frozen=True):
    """After so many times it may be over. Answer: the cases in which it is, and those in which it goes on."""

    blow: Blow
    cases: Cases
    number: int


class TurnsInto(Struct, frozen=True):
    """What followed may turn the attack into others. Answer: those, each a unit, a grade and why, with their cases."""

    blow: Blow
    cases: Cases


class CountAs(Struct, frozen=True):
    """The attack counts as that grade against that unit. Answer: the attack as it strikes, with its cases, for each."""

    blow: Blow
    cases: Cases
    unit: str
    grade: str
    because: str


class Spill(Struct, frozen=True):
    """What the attack leaves over goes to others. Answer: the cases."""

    blow: Blow
    cases: Cases


class Join(Struct, frozen=True):
    """Parts become one again. Answer: the cases."""

    parts: Sequence[Cases]
    before: Cases | None = None
    """The cases before the attack turned, where these follow from that."""


Step = RollAttack | Choose | Defend | Counter | Judge | Run | Ends | TurnsInto | CountAs | Spill | Join
Flow = Generator[Step, Any, Any]
Counted = frozenset[tuple[str, str]]
"""Units, each with the id of a grade that the attack has counted as against it: it does not turn into that again."""
NOTHING: Counted = frozenset()


def resolve(then: Callable[[Blow, Cases], Flow]) -> Flow:
    """An attack from its roll on, and `then` what follows for its target; gives the cases of each way of that."""
    rolled = yield RollAttack()
    return (yield from defended(rolled, then))


def defended(rolled: Cases, then: Callable[[Blow, Cases], Flow]) -> Flow:
    """What is done against an attack that is rolled, and `then` what follows; gives the cases of each way of that."""
    ended: list[Cases] = []
    for option, cases in (yield Choose(rolled)):
        answer = None
        if option is not None:
            cases = yield Defend(cases, option)
            if option.defence.is_together:  # both are rolled before anything comes of either
                answer = yield Counter(cases, option)
        for blow, struck in (yield Judge(cases)):
            ended.append((yield from then(blow, struck)))
        if option is not None and not option.defence.is_together:
            answer = yield Counter(cases, option)
        if answer is not None:
            yield from follow(*answer)
    return ended


def follow(blow: Blow, cases: Cases, counted: Counted = NOTHING) -> Flow:
    """What follows for one target from a roll that came to a grade, with what that turns into; gives the cases."""
    target = blow.situation.target.id
    counted |= {(target, blow.grade.id)}
    ended: list[Cases] = []
    for turns, part in (yield TurnsInto(blow, (yield from strikes(blow, cases)))):
        for unit, grade, because in turns:
            if (unit, grade) in counted:
                continue
            found = []
            for again, own in (yield CountAs(blow, part, unit, grade, because)):
                found.append((yield from follow(again, own, counted)))
            if unit == target:
                part = yield Join(found, part)
        ended.append(part)
    return (yield Spill(blow, (yield Join(ended))))


def strikes(blow: Blow, cases: Cases) -> Flow:
    """What follows from a grade, as often as it happens: until one of the two is out of the fight; gives the cases."""
    ended: list[Cases] = []
    number = 0
    while True:
        over, cases = yield Ends(blow, cases, number)
        if over is not None:
            ended.append(over)
        if cases is None:
            return (yield Join(ended))
        number += 1
        cases = yield Run(blow, cases, number)


def drive(flow: Flow, answer: Callable[[Step], Any]) -> Any:
    """Follows a flow to its end, each step answered; gives what the flow gives."""
    try:
        step = next(flow)
        while True:
            step = flow.send(answer(step))
    except StopIteration as done:
        return done.value
