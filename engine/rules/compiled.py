"""The parts that formulas are made of: closures to run, and how each comes out once some facts are settled.

`expressions` reads texts and puts parts together; here is what they do. A settled part is made of the same parts as
the one it came from, so it runs the same rules; only what is known already is not worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from operator import is_
from typing import Any

from msgspec import Struct

from engine.errors import BattleboardError
from engine.rules.functions import Value
from engine.values import replace

Facts = Mapping[str, Value]
Run = Callable[[Facts], Value]
Fail = Callable[[str], BattleboardError]
"""The error for a part, with its place in the formula."""

MOST_VALUE = 10**9
WORTH_REMEMBERING = 5
"""Parts that take longer to calculate than to look up in the cache."""
MOST_REMEMBERED = 2000


class Part(Struct, frozen=True, eq=False):
    """One part of a formula: what it asks for, what it does, and what it is when facts but those `open` are settled."""

    names: frozenset[str]
    run: Run
    settle: Callable[[Facts, Collection[str]], Part]
    is_fixed: bool = False
    """Whether it is one value, whatever the facts."""
    size: int = 1
    """How many parts it is made of, itself included."""
    inner: tuple[Part, ...] = ()
    """Of arithmetic: what it is worked out from, in every case."""
    rebuilt: Callable[[Sequence[Part]], Part] | None = None
    """The same arithmetic with other parts."""
    conjuncts: tuple[Part, ...] = ()
    """Of `and`, and of one comparison: what it is put together from."""
    put_together: Callable[[Sequence[Part]], Part] | None = None
    """The same `and`, or comparison, of other parts."""
    can_hold: bool = True
    """Whether it may be true, or another number than 0, for some facts, as far as it is settled; a text counts so."""

    def settled(self, facts: Facts, left_open: Collection[str]) -> Part:
        """The same part where facts are settled but for those left open; what breaks in advance stays as it is."""
        if self.is_fixed:
            return self
        if self.names.isdisjoint(left_open):
            try:
                return fixed(self.run(facts))
            except BattleboardError:
                return self
        if self.names.issubset(left_open):
            return self
        return self.settle(facts, left_open)


def plain(value: Value) -> Value:
    """A Fraction without a fractional part as the int it is; anything else as it is."""
    return value.numerator if value.__class__ is Fraction and value.denominator == 1 else value


def fixed(value: Value) -> Part:
    """A part that is always this value."""

    def settle(_facts: Facts, _open: Collection[str]) -> Part:
        raise AssertionError("it is settled")

    can_hold = value.__class__ is str or bool(value)
    return Part(frozenset(), lambda _facts: value, settle, is_fixed=True, can_hold=can_hold)


def fact(name: str, fail: Fail) -> Part:
    """A fact."""

    def run(facts: Facts) -> Value:
        try:
            return facts[name]
        except KeyError as error:
            raise fail(f"the fact {name!r} has no value here") from error

    def settle(_facts: Facts, _open: Collection[str]) -> Part:
        return part

    part = Part(frozenset((name,)), run, settle)
    return part


def either_or_both(is_and: bool, parts: Sequence[Part], fail: Fail) -> Part:
    """`and` and `or`, as in Python: the value of the part that settled it."""
    leading, last = [part.run for part in parts[:-1]], parts[-1].run

    def run(facts: Facts) -> Value:
        for part in leading:
            value = part(facts)
            if value.__class__ is str:
                raise fail(is_text(value))
            if not value if is_and else value:
                return value
        return last(facts)

    def settle(facts: Facts, left_open: Collection[str]) -> Part:
        left: list[Part] = []
        for part in parts[:-1]:
            now = part.settled(facts, left_open)
            value = now.run(facts) if now.is_fixed else ""
            if value.__class__ is str:
                left.append(now)
            elif not value if is_and else value:
                left.append(now)
                break
        else:
            left.append(parts[-1].settled(facts, left_open))
        return left[0] if len(left) == 1 else either_or_both(is_and, left, fail)

    can_hold = (all if is_and else any)(part.can_hold for part in parts)
    found = Part(_asked(parts), run, settle, size=_size(parts), can_hold=can_hold)
    if not is_and:
        return found
    return replace(found, conjuncts=tuple(parts), put_together=lambda others: either_or_both(True, others, fail))


def choice(test: Part, body: Part, otherwise: Part, fail: Fail) -> Part:
    """`body if test else otherwise`."""
    asks, yes, no = test.run, body.run, otherwise.run

    def run(facts: Facts) -> Value:
        value = asks(facts)
        if value.__class__ is str:
            raise fail(is_text(value))
        return yes(facts) if value else no(facts)

    def settle(facts: Facts, left_open: Collection[str]) -> Part:
        now = test.settled(facts, left_open)
        value = now.run(facts) if now.is_fixed else ""
        if value.__class__ is str:
            return choice(now, body.settled(facts, left_open), otherwise.settled(facts, left_open), fail)
        return (body if value else otherwise).settled(facts, left_open)

    parts = (test, body, otherwise)
    can_hold = body.can_hold or otherwise.can_hold
    return Part(_asked(parts), run, settle, size=_size(parts), can_hold=can_hold)


def computed(parts: Sequence[Part], work: Callable[..., Value], fail: Fail, *, of_texts: bool = False) -> Part:
    """Arithmetic and functions: numbers in, or for a few of them texts, checked result out."""
    runs = [part.run for part in parts]
    one, other = runs[0], runs[-1]

    def run(facts: Facts) -> Value:
        return finished([part(facts) for part in runs])

    def run_two(facts: Facts) -> Value:
        values = (one(facts), other(facts))
        if values[0].__class__ is int is values[1].__class__:  # by far the most common, and done in a third of the time
            try:
                result = work(*values)
            except (ZeroDivisionError, ValueError):
                return finished(values)
            if result.__class__ is int and -MOST_VALUE <= result <= MOST_VALUE:
                return result
        return finished(values)

    def finished(values: Sequence[Value]) -> Value:
        for value in values:
            if value.__class__ is str and not of_texts:
                raise fail(is_text(value))
        try:
            result = work(*values)
        except ZeroDivisionError as error:
            raise fail("division by zero") from error
        except ValueError as error:
            raise fail(str(error)) from error
        if isinstance(result, str):
            return result
        if not -MOST_VALUE <= result <= MOST_VALUE:
            raise fail(f"a result beyond {MOST_VALUE}")
        return plain(result)

    def settle(facts: Facts, left_open: Collection[str]) -> Part:
        now = [part.settled(facts, left_open) for part in parts]
        names = _asked(now)
        return rebuilt([remembered(part) if _is_worth(part, names) else part for part in now])

    def rebuilt(others: Sequence[Part]) -> Part:
        return computed(others, work, fail, of_texts=of_texts)

    found = run_two if len(runs) == 2 else run
    return Part(_asked(parts), found, settle, size=_size(parts), inner=tuple(parts), rebuilt=rebuilt)


class Link(Struct, frozen=True, eq=False):
    """One comparison of a chain: with a part, or with a list of them."""

    compare: Callable[[Any, Any], bool]
    part: Part | tuple[Part, ...]

    def settled(self, facts: Facts, left_open: Collection[str]) -> Link:
        """The same with its parts settled."""
        if isinstance(self.part, Part):
            return Link(self.compare, self.part.settled(facts, left_open))
        return Link(self.compare, tuple(part.settled(facts, left_open) for part in self.part))

    @property
    def run(self) -> Callable[[Facts], Any]:
        """What is compared with."""
        if isinstance(self.part, Part):
            return self.part.run
        runs = [part.run for part in self.part]
        return lambda facts: [run(facts) for run in runs]


def comparison(first: Part, links: Sequence[Link], fail: Fail) -> Part:
    """A chain of comparisons; evaluation stops at the first that fails."""
    begin, rest = first.run, [(link.compare, link.run) for link in links]
    compare_one, other = rest[0]

    def run_one(facts: Facts) -> Value:
        try:
            return compare_one(begin(facts), other(facts))
        except TypeError as error:
            raise fail("a text and a number cannot be compared by size") from error

    def run(facts: Facts) -> Value:
        left: Any = begin(facts)
        for compare, asks in rest:
            right = asks(facts)
            try:
                if not compare(left, right):
                    return False
            except TypeError as error:
                raise fail("a text and a number cannot be compared by size") from error
            left = right
        return True

    def settle(facts: Facts, left_open: Collection[str]) -> Part:
        now = [link.settled(facts, left_open) for link in links]
        return comparison(first.settled(facts, left_open), now, fail)

    parts = [part for link in links for part in ((link.part,) if isinstance(link.part, Part) else link.part)]
    found = Part(_asked((first, *parts)), run if len(links) > 1 else run_one, settle, size=_size((first, *parts)))
    (link, *more) = links
    if more or not isinstance(link.part, Part):
        return found

    def put_together(others: Sequence[Part]) -> Part:
        return comparison(others[0], [Link(link.compare, others[1])], fail)

    return replace(found, conjuncts=(first, link.part), put_together=put_together)


def remembered(part: Part) -> Part:
    """A part that caches its values, by the values of all facts that it reads."""
    asked, found = sorted(part.names), dict[object, Value]()
    only = asked[0] if len(asked) == 1 else ""

    def run(facts: Facts) -> Value:
        key = facts.get(only) if only else tuple([facts.get(name) for name in asked])
        if key not in found:
            if len(found) > MOST_REMEMBERED:
                found.clear()
            found[key] = part.run(facts)
        return found[key]

    return replace(part, run=run)


def split_by_rolls(part: Part, rolled: Collection[str], called: Callable[[Part], str]) -> Part:
    """A part with facts in place of those inner parts in which several of the rolled facts come together.

    Args:
        part: what is always worked out.
        rolled: the facts that dice are rolled for, apart from each other.
        called: takes such an inner part and gives the name of the fact that stands for it.
    """
    if part.rebuilt is None:
        return part
    own, now = part.names.intersection(rolled), []
    for one in part.inner:
        some = one.names.intersection(rolled)
        if len(some) > 1:
            is_joint = some != own or not any(some <= each.names for each in one.inner)
            one = split_by_rolls(one, rolled, called)
            one = fact(called(one), BattleboardError) if is_joint else one
        now.append(one)
    return part if all(map(is_, now, part.inner)) else part.rebuilt(now)


def sides_by_rolls(part: Part, rolled: Collection[str], called: Callable[[Part], str]) -> Part:
    """A condition with facts in place of those sides of its comparisons that rest on one rolled fact each.

    Args:
        part: comparisons, alone or joined by `and`; what else there is stays as it is.
        rolled, called: as for `split_by_rolls`.
    """
    if part.put_together is None:
        return part
    now = []
    for one in part.conjuncts:
        if one.put_together is None and len(one.names.intersection(rolled)) == 1 and one.size > 1:
            one = fact(called(one), BattleboardError)
        now.append(sides_by_rolls(one, rolled, called))
    return part if all(map(is_, now, part.conjuncts)) else part.put_together(now)


def _is_worth(part: Part, names: frozenset[str]) -> bool:
    """Whether it is worth the trouble to remember a part of what asks for these names."""
    return part.size >= WORTH_REMEMBERING and part.names < names


def is_text(value: Value) -> str:
    """Why a text is refused."""
    return f"{value!r} is a text and can only be compared"


def _size(parts: Sequence[Part]) -> int:
    return 1 + sum(part.size for part in parts)


def _asked(parts: Sequence[Part]) -> frozenset[str]:
    return frozenset().union(*(part.names for part in parts))
