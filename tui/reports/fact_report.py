"""The report on facts: what rules may ask for, in general or under one ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.rules.fact_list import (
    ACTION_FACTS,
    ATTACK_FACTS,
    BAND_FACTS,
    GRADE_FACTS,
    INITIATIVE_FACTS,
    MOMENT_FACTS,
    PAIR_FACTS,
    PAIRED,
    ROLL_FACTS,
    SINGLE_DICE,
    STRIKE_FACTS,
    UNIT_FACTS,
    WEAPON_FACTS,
    Fact,
)
from engine.rules.model import SQUARE, Ruleset, Value
from tui.terminal.output import table, wrapped


class FactGroup(Struct, frozen=True):
    """Facts of one kind of thing. Each prefix makes a name of its own: `attacker.posture`, `target.posture`."""

    heading: str
    prefixes: Sequence[str]
    facts: Sequence[Fact]


def groups(rules: Ruleset | None = None) -> list[FactGroup]:
    """All facts; with a ruleset also those that it declares itself."""
    attack: tuple[Fact, ...] = (*ATTACK_FACTS, *BAND_FACTS)
    unit = tuple(UNIT_FACTS)
    roll: tuple[Fact, ...] = (*ROLL_FACTS, *SINGLE_DICE, *GRADE_FACTS, *STRIKE_FACTS)
    weapon, action, pair = tuple(WEAPON_FACTS), tuple(ACTION_FACTS), tuple(PAIR_FACTS)
    if rules:
        pair += tuple(_places(rules))
        unit += tuple(_declared(rules))
        weapon += tuple(
            Fact(name, _kind(value), f"weapon field of {rules.name}")
            for name, value in rules.gear.weapon_fields.items()
        )
        flags = {name: value for known in rules.actions.values() for name, value in known.flags.items()}
        action += tuple(Fact(name, _kind(value), f"set by actions of {rules.name}") for name, value in flags.items())
        attack += tuple(_named(rules, "situation"))
        attack += tuple(
            Fact(name, "number", "what a defence came to; 0 before, and where nobody defended")
            for name in rules.attack.defence_facts
            if name != "defence"
        )
        roll += tuple(_named(rules, "roll"))
    decided = tuple(Fact(each.id, _kind(each.value), each.label) for each in rules.rulings.values()) if rules else ()
    return [
        FactGroup("An attack", ("",), attack),
        FactGroup(
            "A unit: attacker. and target. in attacks, unit. in all else, reactor. who reacts, defender. who defends",
            ("attacker.", "target.", "unit.", "reactor.", "defender."),
            unit,
        ),
        FactGroup(
            "One of two: attacker. and target. in attacks, reactor. for who reacts to a move",
            tuple(f"{who}." for who in PAIRED),
            pair,
        ),
        FactGroup(
            "A weapon: weapon. the one used, target_weapon. and defender_weapon. those in their hands",
            ("weapon.", "target_weapon.", "defender_weapon."),
            weapon,
        ),
        FactGroup("The action", ("action.",), tuple(_without("action.", fact) for fact in action)),
        FactGroup("The roll, once it is made", ("",), roll),
        *([FactGroup("A ruling, everywhere", ("ruling.",), decided)] if decided else []),
        FactGroup("The order, besides its unit", ("",), INITIATIVE_FACTS),
        FactGroup("A moment, besides its unit", ("",), MOMENT_FACTS),
    ]


def facts_words(rules: Ruleset | None = None) -> list[str]:
    """Each group under its heading: name, kind, meaning."""
    lines: list[str] = []
    for group in groups(rules):
        dot = "." if len(group.prefixes) > 1 else ""
        prefix = group.prefixes[0] if len(group.prefixes) == 1 else ""
        names = [(f"{dot}{prefix}{fact.name}", fact.kind) for fact in group.facts]
        heads = table(names, indent=2)
        indent = max(map(len, heads)) + 2
        lines += [group.heading]
        for head, fact in zip(heads, group.facts, strict=True):
            meaning = wrapped(fact.meaning, indent)
            lines += [head.ljust(indent) + meaning[0].lstrip(), *meaning[1:]]
        lines += [""]
    return lines[:-1]


def facts_json(rules: Ruleset | None = None) -> list[dict[str, str]]:
    """Every fact by its full name."""
    return [
        {"name": f"{prefix}{fact.name}", "kind": fact.kind, "meaning": fact.meaning}
        for group in groups(rules)
        for prefix in group.prefixes
        for fact in group.facts
    ]


def _named(rules: Ruleset, after: str) -> Iterator[Fact]:
    for named in rules.attack.facts:
        if named.after == after:
            yield Fact(named.id, "any", f"{named.label} of {rules.name}: {named.value}")


def _declared(rules: Ruleset) -> Iterator[Fact]:
    for stat in rules.units.stats.values():
        yield Fact(stat.id, _kind(stat.default), f"{stat.label}; on the sheet")
    for pool in rules.units.pools.values():
        yield Fact(pool.id, "whole", f"{pool.label} now")
    for budget in rules.units.budgets.values():
        yield Fact(budget.id, "whole", f"{budget.label}: what is left of it this turn")
    for condition in rules.units.conditions.values():
        yield Fact(condition.id, "yes/no", f"it is {condition.label}")
        yield Fact(f"{condition.id}_left", "whole", f"rounds left of “{condition.label}”; 0 where they are not counted")
        if condition.about:
            named = "name" if condition.about == SQUARE else "id"
            meaning = f"{named} of the {condition.about} that “{condition.label}” is about; empty for none"
            yield Fact(f"{condition.id}_on", "word", meaning)
        if condition.about == "unit":
            yield Fact(f"{condition.id}_by", "whole", f"how many in the fight are “{condition.label}” about it")


def _places(rules: Ruleset) -> Iterator[Fact]:
    for condition in rules.units.conditions.values():
        if condition.about == SQUARE:
            line = f"degrees between the line to the square of “{condition.label}” and that to the other one"
            yield Fact(f"{condition.id}_aside", "whole", line)
            yield Fact(
                f"{condition.id}_off", "number", f"how far the other one is from the square of “{condition.label}”"
            )


def _kind(value: Value) -> str:
    if isinstance(value, bool):
        return "yes/no"
    return "word" if isinstance(value, str) else "number"


def _without(prefix: str, fact: Fact) -> Fact:
    return Fact(fact.name.removeprefix(prefix), fact.kind, fact.meaning)
