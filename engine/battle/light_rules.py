"""Whether a ruleset has a rule for a light: one that changes an attack, with the rulings as they hold now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.battle.rulings_in_force import ruling_facts
from engine.battle.state.battle import Battle
from engine.rules.expressions import Expression
from engine.rules.model import Modifier, Ruleset, Value

LIGHT = "light"
RULING = "ruling."


def counts_light(battle: Battle, rules: Ruleset, light: str) -> bool:
    """Whether any rule of the ruleset changes with this light instead of a bright one."""
    facts: dict[str, Value] = {**ruling_facts(battle, rules), LIGHT: light}
    modifiers = [line for line in rules.attack.modifiers if _asks(line.when.names | line.value.names)]
    if any(_may_hold(line.when, facts) and _may_hold(line.value, facts) for line in modifiers):
        return True
    whens = (line.when for line in rules.attack.restrictions if _asks(line.when.names))
    return any(_may_hold(when, facts) for when in whens) or any(map(_asks, _others(rules)))


def rulings_on_light(rules: Ruleset) -> tuple[str, ...]:
    """Labels of the rulings that say what a light counts."""
    lines = (line for line in rules.attack.modifiers if _asks(line.when.names | line.value.names))
    named = {name.removeprefix(RULING) for line in lines for name in _rulings(line)}
    return tuple(ruling.label for ruling in rules.rulings.values() if ruling.id in named)


def _rulings(line: Modifier) -> Iterator[str]:
    return (name for name in line.value.names if name.startswith(RULING))


def _asks(names: Iterable[str]) -> bool:
    """Whether the light at the target is among facts, or that where a unit stands."""
    return any(name == LIGHT or name.endswith(f".{LIGHT}") for name in names)


def _may_hold(formula: Expression, facts: dict[str, Value]) -> bool:
    return formula.settled(facts, formula.names - facts.keys()).can_hold


def _others(rules: Ruleset) -> Iterator[Iterable[str]]:
    """The facts that other rules than the lines of the ledger ask for."""
    attack, turns = rules.attack, rules.turns
    yield from (effect.asks() for effect in attack.effects)
    yield from (grade.when.names for grade in attack.grades)
    yield from (table.when.names for table in attack.bands)
    yield from (fact.value.names for fact in attack.facts)
    yield from (defence.when.names for defence in attack.defences)
    yield from (reaction.when.names for reaction in turns.reactions)
    yield from (trigger.when.names for trigger in turns.triggers)
    yield from (one.holds.names for action in rules.actions.values() for one in action.requires)
    yield from (one.value.names for one in rules.units.derived.values())
