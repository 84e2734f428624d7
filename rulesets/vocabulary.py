"""The words of one ruleset: the facts its formulas may ask for, with a typical value of each to try them on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from engine.rules.expressions import Expression, compile_expression
from engine.rules.fact_list import (
    ACTION_FACTS,
    ATTACK_FACTS,
    BAND_FACTS,
    GRADE_FACTS,
    PAIR_FACTS,
    REACTION_FACTS,
    ROLL_FACTS,
    SINGLE_DICE,
    STRIKE_FACTS,
    UNIT_FACTS,
    WEAPON_FACTS,
    Fact,
)
from engine.rules.model import SQUARE, Budget, Condition, Pool, Stat, Value
from engine.rules.rulings import Ruling
from engine.toml_reader import Reader, quoted
from engine.values import replace
from rulesets import value_readers
from rulesets.value_readers import Sample

TYPICAL: Mapping[str, Value] = {"posture": "standing", "light": "bright", "kind": "ranged", "id": "x"}
UNIT = re.compile(r"\bunit\.")
BY_KIND: Mapping[str, Value] = {"number": 1, "whole": 1, "yes/no": False, "word": ""}


class Vocabulary(Struct, frozen=True):
    """What formulas may ask for, by where they stand."""

    start: Sample
    """A unit's stats, under `unit.`: for the start of pools."""
    unit: Sample
    """A unit with its state, the round, a square's side, a weapon: for budgets, order, defeat, moves, other acts."""
    act: Sample
    """The same, with the action that it takes: for what it costs and asks."""
    act_on: Sample
    """An act on somebody: the unit's, its action's and those of an attack on the target with the weapon in hand."""
    reaction: Sample
    """A move or an attack and an enemy that may react to it, with the enemy's weapon."""
    situation: Sample
    """An attack, before its range band is known."""
    attack: Sample
    """An attack with its range band."""
    rolled: Sample
    """An attack and its roll."""
    graded: Sample
    """An attack, its roll and the grade it came to."""
    struck: Sample
    """The same with which of several strikes it is: for effects."""
    defence: Sample
    """A graded attack and who defends against it, with the defender's weapon."""


def vocabulary(
    stats: Mapping[str, Stat],
    pools: Mapping[str, Pool],
    budgets: Mapping[str, Budget],
    conditions: Mapping[str, Condition],
    weapon_fields: Mapping[str, Value],
    flags: Mapping[str, Value],
    rulings: Mapping[str, Ruling],
    defended: Collection[str] = (),
) -> Vocabulary:
    """The words of a ruleset with these declarations; `defended` are the names from `read_defended`."""
    declared: dict[str, Value] = {stat.id: stat.default for stat in stats.values()}
    decided: dict[str, Value] = {f"ruling.{name}": ruling.value for name, ruling in rulings.items()}
    start = {f"unit.{name}": value for name, value in declared.items()} | decided
    declared |= dict.fromkeys((*pools, *budgets), 1) | dict.fromkeys(conditions, False)
    declared |= {f"{held.id}_on": "" for held in conditions.values() if held.about}
    declared |= {f"{name}_left": 1 for name in conditions}
    declared |= {f"{held.id}_by": 1 for held in conditions.values() if held.about == "unit"}
    person = _sample(UNIT_FACTS) | declared
    pair = person | _sample(PAIR_FACTS)
    for held in conditions.values():
        if held.about == SQUARE:
            pair |= {f"{held.id}_bearing": 1, f"{held.id}_distance": 1}
    weapon = _sample(WEAPON_FACTS) | dict(weapon_fields)
    situation = _sample(ATTACK_FACTS) | _sample(ACTION_FACTS) | {"ranged": True} | decided
    for whose in ("weapon", "target_weapon"):
        situation |= {f"{whose}.{name}": value for name, value in weapon.items()}
    situation |= {f"action.{name}": value for name, value in flags.items()}
    situation |= {f"{who}.{name}": value for who in ("attacker", "target") for name, value in pair.items()}
    known = situation.keys() | {fact.name for fact in (*BAND_FACTS, *ROLL_FACTS, *SINGLE_DICE, *GRADE_FACTS)}
    fresh = [name for name in defended if name not in known]
    situation |= dict.fromkeys(fresh, 0)
    attack = situation | _sample(BAND_FACTS)
    rolled = attack | _sample(ROLL_FACTS) | _sample(SINGLE_DICE)
    graded = rolled | _sample(GRADE_FACTS)
    unit = {f"unit.{name}": value for name, value in person.items()} | {"round": 1, "square": 5} | decided
    unit |= {f"weapon.{name}": value for name, value in weapon.items()}
    act = unit | _sample(ACTION_FACTS) | {f"action.{name}": value for name, value in flags.items()}
    reaction = act | {f"reactor.{name}": value for name, value in pair.items()}
    reaction |= {f"target.{name}": value for name, value in person.items()}
    reaction |= {name: situation[name] for name in REACTION_FACTS}
    struck = graded | _sample(STRIKE_FACTS)
    defence = graded | {f"defender.{name}": value for name, value in person.items()}
    defence |= {f"defender_weapon.{name}": value for name, value in weapon.items()}
    defence = {name: value for name, value in defence.items() if name not in fresh}
    on = act | situation
    return Vocabulary(start, unit, act, on, reaction, situation, attack, rolled, graded, struck, defence)


PREFIXES = ("unit", "attacker", "target", "reactor", "defender")
"""What stands before the dot in the facts of a unit."""


def with_fact_of_units(words: Vocabulary, name: str, formula: Expression) -> Vocabulary:
    """The words with one more fact of every unit, which stands for its formula over `unit.`.

    One that asks for the weapon in hand is only shown: in an attack that would be another's.
    """
    if any(asked.startswith("weapon.") for asked in formula.names):
        return words
    stages: dict[str, Sample] = {stage: getattr(words, stage) for stage in words.__struct_fields__}
    for prefix in PREFIXES:
        asked_of = {UNIT.sub(f"{prefix}.", asked) for asked in formula.names}
        knowing = [stage for stage, sample in stages.items() if asked_of <= sample.keys()]
        if knowing:
            text = UNIT.sub(f"{prefix}.", formula.text)
            found = compile_expression(text, stages[knowing[0]])
            stages |= {stage: {**stages[stage], f"{prefix}.{name}": found} for stage in knowing}
    return replace(words, **stages)


def read_flags(root: Reader) -> dict[str, Value]:
    """The flags that any action sets, each with its value where an action sets it not: no, 0 or nothing."""
    found: dict[str, Value] = {}
    actions = root.table("action")
    for action in list(actions.keys()):
        flags = actions.table(action).table("flags")
        for name in list(flags.keys()):
            value_readers.check_identifier(flags, name)
            if f"action.{name}" in {fact.name for fact in ACTION_FACTS}:
                flags.problem(name, f"action.{name} is already a fact; choose another name for the flag")
            value = flags.value(name)
            blank: Value = False if isinstance(value, bool) else "" if isinstance(value, str) else 0
            if value_readers.kind(found.setdefault(name, blank)) != value_readers.kind(blank):
                flags.problem(name, f"another action sets the flag {quoted(name)} to {value_readers.kind(found[name])}")
    return found


def read_weapon_fields(root: Reader) -> dict[str, Value]:
    """The fields that weapons have, with their defaults."""
    reader = root.table("weapon_fields")
    found: dict[str, Value] = {}
    for name in list(reader.keys()):
        value_readers.check_identifier(reader, name)
        if name in {fact.name for fact in WEAPON_FACTS} | {"label", "source", "ruling"}:
            reader.problem(
                name, f"{quoted(name)} is already built in for every weapon; choose another name for the field"
            )
        found[name] = reader.value(name)
    return found


def read_defended(root: Reader) -> tuple[str, ...]:
    """The names of what defences let or roll, and of what lasts for further hits: facts of every attack."""
    found: dict[str, None] = {}
    lasting = (effect for effect in root.tables("effect") if effect.has("lasts"))
    for effect in (*lasting, *(effect for entry in root.tables("defence") for effect in entry.tables("effect"))):
        name = effect.raw("as") if effect.has("as") else None
        if isinstance(name, str) and value_readers.is_identifier(name):
            found[name] = None
    return tuple(found)


def _sample(facts: tuple[Fact, ...]) -> dict[str, Value]:
    return {fact.name: TYPICAL.get(fact.name, BY_KIND[fact.kind]) for fact in facts}
