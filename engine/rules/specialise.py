"""Partial evaluation: specialise a ruleset to the facts that are known before the roll.

Attacker, weapon and action settle most of the facts that these rules read, for any target: formulas are evaluated as
far as these facts allow, and effects that cannot happen are dropped. The rest reads few facts, and attacks on targets
that are alike in those facts are calculated once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from engine.context import Cache
from engine.rules.expressions import Expression, Template
from engine.rules.fact_list import DICE_FACTS
from engine.rules.model import NamedFact, Ruleset, Value
from engine.values import replace

OF_THE_ATTACK = ("attacker", "weapon", "action", "ruling", "ranged", "melee", "thrown")
"""Facts that are mostly the same for all targets, or the owner before the dot in their names."""
Names = tuple[tuple[str, ...], frozenset[str]]
"""The names that are settled, and the others that are asked for."""
_names: Cache[Names] = Cache(8)
_asking: Cache[Sequence[Expression]] = Cache(8)
_asked: Cache[bool] = Cache(256)
_specialised: Cache[Ruleset] = Cache(64)
_rolls: Cache[Ruleset] = Cache(64)


def specialised(rules: Ruleset, facts: Mapping[str, Value], judged_by: Mapping[str, Value] | None = None) -> Ruleset:
    """The ruleset specialised to the facts that are known of every such attack.

    Args:
        rules: the ruleset.
        facts: the situation.
        judged_by: the facts that the roll is judged by, where these are others; those of another attack settle nothing.
    """
    names, left_open = _settled_names(rules)
    known = tuple(map(facts.get, names))
    if judged_by is not None and known != tuple(map(judged_by.get, names)):
        return rules

    def found() -> Ruleset:
        of_attack = _of_attack(names, known)
        effects = (effect.settled(of_attack, left_open) for effect in rules.attack.effects)
        attack = specialised_for_rolls(rules, facts).attack
        return replace(rules, attack=replace(attack, effects=tuple(effect for effect in effects if effect is not None)))

    return _specialised.get((rules,), known, found)


def specialised_for_rolls(rules: Ruleset, facts: Mapping[str, Value]) -> Ruleset:
    """The ruleset specialised for grading a roll only; quicker, since its effects stay as they are."""
    names, left_open = _settled_names(rules)
    known = tuple(map(facts.get, names))
    return _rolls.get((rules,), known, lambda: _with_rolls_settled(rules, _of_attack(names, known), set(left_open)))


def _settled_names(rules: Ruleset) -> Names:
    return _names.get((rules,), None, lambda: _parted(rules, asked_after_roll(rules)))


def settled_by_attack(formula: Expression, facts: Mapping[str, Value]) -> Expression:
    """A formula settled as far as the attack goes, whoever the target is."""
    known = {name: facts[name] for name in formula.names if name.partition(".")[0] in OF_THE_ATTACK and name in facts}
    return formula.settled(known, formula.names.difference(known))


def may_ask(rules: Ruleset, name: str, facts: Mapping[str, Value]) -> bool:
    """Whether a formula of the ruleset may ask for a fact in this attack, as far as its attacker and weapon settle."""
    asking = _asking.get((rules,), name, lambda: [one for one in _formulas(rules) if name in one.names])
    if not asking:
        return False
    names = sorted(settled for settled in frozenset[str]().union(*(one.names for one in asking)) if settled in facts)
    known = tuple((one, facts[one]) for one in names if one.partition(".")[0] in OF_THE_ATTACK)
    return _asked.get(
        (rules,), (name, known), lambda: any(name in settled_by_attack(one, facts).names for one in asking)
    )


def _formulas(value: object) -> Iterator[Expression]:
    """Every formula in a ruleset or a part of it."""
    match value:
        case Expression():
            yield value
        case Template():
            yield from _formulas(value.parts)
        case Struct():
            for field in value.__struct_fields__:
                yield from _formulas(getattr(value, field))
        case Mapping():
            yield from _formulas(tuple(value.values()))
        case tuple() | list() | frozenset():
            for one in value:
                yield from _formulas(one)


def _parted(rules: Ruleset, asked: frozenset[str]) -> Names:
    """Those of some names that are settled, and the others."""
    made = own_to_roll(rules).union(*(effect.makes() for effect in rules.attack.effects))
    names = tuple(sorted(name for name in asked - made if name.partition(".")[0] in OF_THE_ATTACK))
    return names, asked.difference(names)


def _of_attack(names: Sequence[str], known: Sequence[Value | None]) -> dict[str, Value]:
    return {name: value for name, value in zip(names, known, strict=True) if value is not None}


def _with_rolls_settled(rules: Ruleset, known: dict[str, Value], left_open: set[str]) -> Ruleset:
    """The ruleset with all formulas about a roll evaluated as far as possible."""
    of_rolls = {one.id for one in rules.attack.facts if one.after == "roll"}
    settled = {one.id: one for one in settled_facts(rules, known, left_open, of_rolls, keep_fixed=True)}
    named = tuple(settled.get(one.id, one) for one in rules.attack.facts)
    grades = tuple(replace(grade, when=grade.when.settled(known, left_open)) for grade in rules.attack.grades)
    strikes = rules.attack.strikes and replace(
        rules.attack.strikes, count=rules.attack.strikes.count.settled(known, left_open)
    )
    return replace(rules, attack=replace(rules.attack, facts=named, grades=grades, strikes=strikes))


def settled_facts(
    rules: Ruleset, known: dict[str, Value], left_open: set[str], asked: Collection[str], *, keep_fixed: bool = False
) -> list[NamedFact]:
    """A roll's own facts of the ruleset, evaluated as far as possible.

    Args:
        rules: the ruleset.
        known: what is known; facts that turn out to be the same for all rolls are added.
        left_open: names that may have any value; those facts are taken out of them.
        asked: the facts that will be asked for.
        keep_fixed: whether those that are the same for all rolls are among the result.
    """
    found: list[NamedFact] = []
    for one in rules.attack.facts:
        if one.after == "roll" and one.id in asked:
            value = one.value.settled(known, left_open)
            if value.is_fixed:
                known[one.id] = value.evaluate(known)
                left_open.discard(one.id)
            if keep_fixed or not value.is_fixed:  # what rests on one die comes out the same however the others fall
                is_of_one = len(value.names) == 1 and not value.names.isdisjoint(DICE_FACTS)
                found.append(replace(one, value=value.remembered() if is_of_one else value))
    return found


def asked_after_roll(rules: Ruleset) -> frozenset[str]:
    """Every fact that a rule about a roll or its effects may read.

    The facts of a situation are worked out anew for an attack that turns into another.
    """
    may_turn = any(effect.turns_into for effect in rules.attack.effects)
    return frozenset().union(
        *(effect.asks() | effect.makes() for effect in rules.attack.effects),
        *(grade.when.names for grade in rules.attack.grades),
        *(fact.value.names for fact in rules.attack.facts if may_turn or fact.after == "roll"),
        rules.attack.strikes.count.names if rules.attack.strikes else (),
    )


def own_to_roll(rules: Ruleset) -> frozenset[str]:
    """The facts that differ from roll to roll of one attack, that of its grade among them."""
    named = (one.id for one in rules.attack.facts if one.after == "roll")
    return frozenset(("roll", "margin", "success", "grade", "hit", *DICE_FACTS, *named))
