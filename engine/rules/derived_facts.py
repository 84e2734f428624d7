"""Facts that a ruleset names itself (`[[fact]]`): formulas worked out once, before an attack's roll or after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from engine.context import Cache
from engine.rules.expressions import Expression
from engine.rules.fact_list import DICE_FACTS
from engine.rules.model import NamedFact, Ruleset, Value

GRADES_ASK: Cache[frozenset[str]] = Cache(64)
"""What grades ask for: the odds of every attack ask it."""


def situation_facts(rules: Ruleset, facts: Mapping[str, Value], held: Collection[str] = ()) -> dict[str, Value]:
    """Values of a ruleset's own facts of the situation, each seeing those before it.

    Args:
        rules: the ruleset.
        facts: all others.
        held: those set by hand; they stay as `facts` has them.
    """
    asked = [named for named in rules.attack.facts if named.after == "situation" and named.id not in held]
    return _worked_out(asked, facts)


def with_roll_facts(rules: Ruleset, facts: dict[str, Value]) -> dict[str, Value]:
    """The facts of a roll, the ruleset's own of it added to them."""
    for one in rules.attack.facts:
        if one.after == "roll":
            facts[one.id] = one.value.evaluate(facts)
    return facts


def _worked_out(named: Iterable[NamedFact], facts: Mapping[str, Value]) -> dict[str, Value]:
    known, found = dict(facts), dict[str, Value]()
    for one in named:
        found[one.id] = known[one.id] = one.value.evaluate(known)
    return found


def logged_facts(rules: Ruleset, facts: Mapping[str, Value], after: str) -> tuple[tuple[str, Value], ...]:
    """The ruleset's own facts that the log shows, by label, in its order; zeros and blanks are left out.

    Args:
        rules: the ruleset.
        facts: with the ruleset's own.
        after: "situation" for those known before the roll, "roll" for the others.
    """
    logged = (one for one in rules.attack.facts if one.is_shown and one.after == after)
    return tuple((one.label, facts[one.id]) for one in logged if facts.get(one.id))


def all_asked(facts: Iterable[NamedFact], asked: Collection[str]) -> frozenset[str]:
    """These names, and those that the named facts among them ask for in turn."""
    found = set(asked)
    for one in reversed(tuple(facts)):
        if one.id in found:
            found |= one.value.names
    return frozenset(found)


class _Recorder(Mapping[str, Value]):
    """Facts that remember which of them were read."""

    def __init__(self, facts: Mapping[str, Value]) -> None:
        self._facts = facts
        self.read = set[str]()

    def __getitem__(self, name: str) -> Value:
        self.read.add(name)
        return self._facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


def facts_read(named: Iterable[NamedFact], formulas: Iterable[Expression], facts: Mapping[str, Value]) -> set[str]:
    """The facts that formulas read for these values, and those that the named facts among them read in turn.

    Fewer than they may ask for: of "small arms or long arms, by the weapon" only the one that applies.
    """
    recorder = _Recorder(facts)
    for formula in formulas:
        formula.evaluate(recorder)
    for one in reversed(tuple(named)):
        if one.id in recorder.read:
            one.value.evaluate(recorder)
    return recorder.read


def grades_ask(rules: Ruleset) -> frozenset[str]:
    """Every fact that grading a roll asks for."""

    def asked() -> frozenset[str]:
        return all_asked(rules.attack.facts, frozenset().union(*(grade.when.names for grade in rules.attack.grades)))

    return GRADES_ASK.get((rules.attack.facts, rules.attack.grades), None, asked)


def reads_dice(rules: Ruleset) -> bool:
    """Whether anything that follows from an attack's roll asks what each single die shows."""
    asked: set[str] = set(grades_ask(rules))
    for effect in rules.attack.effects:
        asked |= effect.asks()
    for scatter in rules.space.scatters:
        asked.update(*(formula.names for formula in scatter.formulas.values()))
    if rules.attack.strikes is not None:
        asked |= rules.attack.strikes.count.names
    return rules.attack.test.reads_each_die or not all_asked(rules.attack.facts, asked).isdisjoint(DICE_FACTS)
