"""The report on facts: what rules may ask for, in general or under one ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.rules.fact_list import (
    ACTION_FACTS,
    ATTACK_FACTS,
    BAND_FACTS,
    DECLARED_FACTS,
    GRADE_FACTS,
    INITIATIVE_FACTS,
    PAIR_FACTS,
    PAIRED,
    ROLL_FACTS,
    SINGLE_DICE,
    STRIKE_FACTS,
    TRIGGER_FACTS,
    UNIT_FACTS,
    WEAPON_FACTS,
    Fact,
)
from engine.rules.model import SQUARE, Ruleset, Value
from engine.values import replace
from tui.application.terminal.output import hanging_table


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
            Fact(name, kind_of(value), f"weapon field of {rules.name}")
            for name, value in rules.gear.weapon_fields.items()
        )
        flags = {name: value for known in rules.actions.values() for name, value in known.flags.items()}
        action += tuple(Fact(name, kind_of(value), f"set by actions of {rules.name}") for name, value in flags.items())
        attack += tuple(_named(rules, "situation"))
        attack += tuple(
            Fact(name, "number", "result of a defence; 0 before it, and without one")
            for name in rules.attack.defence_facts
            if name != "defence"
        )
        roll += tuple(_named(rules, "roll"))
    decided = tuple(Fact(each.id, kind_of(each.value), each.label) for each in rules.rulings.values()) if rules else ()
    bare_action = tuple(replace(fact, name=fact.name.removeprefix("action.")) for fact in action)
    return [
        FactGroup("An attack", ("",), attack),
        FactGroup(
            "A unit: attacker. and target. in attacks, unit. elsewhere, reactor. in reactions, defender. in defences",
            ("attacker.", "target.", "unit.", "reactor.", "defender."),
            unit,
        ),
        FactGroup(
            "Two units and each other: attacker. and target. in attacks, reactor. in reactions",
            tuple(f"{who}." for who in PAIRED),
            pair,
        ),
        FactGroup(
            "A weapon: weapon. for the one used, target_weapon. and defender_weapon. for those in hand",
            ("weapon.", "target_weapon.", "defender_weapon."),
            weapon,
        ),
        FactGroup("The action", ("action.",), bare_action),
        FactGroup("The roll, after it is made", ("",), roll),
        *([FactGroup("Rulings, everywhere", ("ruling.",), decided)] if decided else []),
        FactGroup("Initiative, besides its unit", ("",), INITIATIVE_FACTS),
        FactGroup("Initiative with declared actions", ("",), DECLARED_FACTS),
        FactGroup("A trigger, besides its unit", ("",), TRIGGER_FACTS),
    ]


def facts_words(rules: Ruleset | None = None) -> list[str]:
    """Each group under its heading: name, kind, meaning."""
    lines: list[str] = []
    for group in groups(rules):
        dot = "." if len(group.prefixes) > 1 else ""
        prefix = group.prefixes[0] if len(group.prefixes) == 1 else ""
        rows = [(f"{dot}{prefix}{fact.name}", fact.kind, fact.meaning) for fact in group.facts]
        lines += [group.heading, *(line for row in hanging_table(rows, 2) for line in row), ""]
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
        yield Fact(stat.id, kind_of(stat.default), f"{stat.label}: {stat.help}")
    for pool in rules.units.pools.values():
        yield Fact(pool.id, "whole", f"current {pool.label}")
    for budget in rules.units.budgets.values():
        yield Fact(budget.id, "whole", f"{budget.label} left this turn")
    for condition in rules.units.conditions.values():
        yield Fact(condition.id, "yes/no", f"it is “{condition.label}”")
        yield Fact(f"{condition.id}_left", "whole", f"rounds left of “{condition.label}”; 0 if they are not counted")
        if condition.about:
            named = "name" if condition.about == SQUARE else "id"
            meaning = f"{named} of the {condition.about} that “{condition.label}” refers to; empty for none"
            yield Fact(f"{condition.id}_on", "word", meaning)
        if condition.about == "unit":
            yield Fact(f"{condition.id}_by", "whole", f"number of units in the fight with “{condition.label}” about it")


def _places(rules: Ruleset) -> Iterator[Fact]:
    for condition in rules.units.conditions.values():
        if condition.about == SQUARE:
            line = f"degrees between the line to the square of “{condition.label}” and the line to the other unit"
            yield Fact(f"{condition.id}_bearing", "whole", line)
            yield Fact(
                f"{condition.id}_distance",
                "number",
                f"distance of the other unit from the square of “{condition.label}”",
            )


def kind_of(value: Value) -> str:
    """What a value is called: "yes/no", "word" or "number"."""
    if isinstance(value, bool):
        return "yes/no"
    return "word" if isinstance(value, str) else "number"
