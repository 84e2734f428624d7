"""How an attack is resolved: the one flow that play and odds follow, from its roll to everything that comes of it.

The flow goes through cases, which only its driver looks into: in play that is the one thing that happens, for odds all
that may happen, each with its weight. It runs once and is never forked; where cases part ways it asks for a split, and
each part goes on in the same flow. What an attack does to others than its target concerns play alone: see `Spill` and
`Counter`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from engine.battle.attacks.defences import DefenceOption
from engine.battle.attacks.resolve_effects import Blow

RollCases = TypeVar("RollCases")
"""What a driver makes of what the roll may be, before it counts as a grade."""
Cases = TypeVar("Cases")
"""What a driver makes of what may have happened by then."""
Result = TypeVar("Result")
"""What a flow gives in the end."""


class RollAttack(Struct, frozen=True):
    """The attack's dice are rolled. Answer: the cases."""


class Choose(Struct, Generic[RollCases], frozen=True):
    """The target may defend. Answer: each option, None for none, with its cases."""

    cases: RollCases


class Defend(Struct, Generic[RollCases], frozen=True):
    """A defence is paid for, its effects happen, and the roll is judged again. Answer: the cases."""

    cases: RollCases
    option: DefenceOption


class Counter(Struct, Generic[RollCases], frozen=True):
    """The defence may answer with an attack. Answer: the attack, rolled, and its cases; None for none."""

    cases: RollCases
    option: DefenceOption


class Judge(Struct, Generic[RollCases], frozen=True):
    """The roll counts as a grade. Answer: the attack as it strikes, with its cases, for each."""

    cases: RollCases


class Run(Struct, Generic[Cases], frozen=True):
    """The effects of the grade happen, for the strike of that number. Answer: the cases."""

    blow: Blow
    cases: Cases
    number: int


class Ends(Struct, Generic[Cases], frozen=True):
    """After so many strikes it may be over. Answer: the cases in which it is, and those in which it continues."""

    blow: Blow
    cases: Cases
    number: int


class TurnsInto(Struct, Generic[Cases], frozen=True):
    """The effects may change the attack into others. Answer: each as unit, grade and reason, with its cases."""

    blow: Blow
    cases: Cases


class CountAs(Struct, Generic[Cases], frozen=True):
    """The attack counts as that grade against that unit. Answer: the attack as it strikes, with its cases, for each."""

    blow: Blow
    cases: Cases
    unit: str
    grade: str
    because: str


class Spill(Struct, Generic[Cases], frozen=True):
    """Hits left over by the attack go to others. Answer: the cases."""

    blow: Blow
    cases: Cases


class Join(Struct, Generic[Cases], frozen=True):
    """Parts become one again. Answer: the cases."""

    parts: Sequence[Cases]
    before: Cases | None = None
    """The cases before the attack turned, where these follow from that."""


Step = (
    RollAttack
    | Choose[RollCases]
    | Defend[RollCases]
    | Counter[RollCases]
    | Judge[RollCases]
    | Run[Cases]
    | Ends[Cases]
    | TurnsInto[Cases]
    | CountAs[Cases]
    | Spill[Cases]
    | Join[Cases]
)
Flow = Generator[Step[RollCases, Cases], Any, Result]
Counted = frozenset[tuple[str, str]]
"""Units, each with the id of a grade that the attack has counted as against it: it does not turn into that again."""
NOTHING: Counted = frozenset()


def resolve(
    then: Callable[[Blow, Cases], Flow[RollCases, Cases, Result]],
) -> Flow[RollCases, Cases, list[Result]]:
    """Resolves an attack from its roll on, `then` the effects on its target; yields the cases of each."""
    rolled: RollCases = yield RollAttack()
    return (yield from defended(rolled, then))


def defended(
    rolled: RollCases, then: Callable[[Blow, Cases], Flow[RollCases, Cases, Result]]
) -> Flow[RollCases, Cases, list[Result]]:
    """Resolves the defences against a rolled attack, `then` the effects; yields the cases of each."""
    ended: list[Result] = []
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


def follow(blow: Blow, cases: Cases, counted: Counted = NOTHING) -> Flow[RollCases, Cases, Cases]:
    """Resolves the effects of one grade on one target, changed grades included; yields the cases."""
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
    joined: Cases = yield Spill(blow, (yield Join(ended)))
    return joined


def strikes(blow: Blow, cases: Cases) -> Flow[RollCases, Cases, Cases]:
    """Repeats the effects of a grade until one of the two is out of the fight; yields the cases."""
    ended: list[Cases] = []
    number = 0
    while True:
        over, cases = yield Ends(blow, cases, number)
        if over is not None:
            ended.append(over)
        if cases is None:
            joined: Cases = yield Join(ended)
            return joined
        number += 1
        cases = yield Run(blow, cases, number)


def drive(flow: Flow[RollCases, Cases, Result], answer: Callable[[Step[RollCases, Cases]], Any]) -> Result:
    """Drives a flow to its end, each step answered; returns its result."""
    try:
        step = next(flow)
        while True:
            step = flow.send(answer(step))
    except StopIteration as done:
        result: Result = done.value
        return result
