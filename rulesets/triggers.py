"""Triggers: `[[trigger]]`, automatic effects on units."""

from __future__ import annotations

from engine.rules.fact_list import TRIGGER_FACTS
from engine.rules.turn_rules import MOMENTS, Trigger
from engine.toml_reader import Reader
from rulesets import value_readers
from rulesets.declarations import Declarations
from rulesets.effects import Stage, read_effects
from rulesets.value_readers import Sample
from rulesets.vocabulary import Vocabulary


def read_triggers(root: Reader, words: Vocabulary, names: Declarations) -> tuple[Trigger, ...]:
    """`[[trigger]]` with its `[[trigger.effect]]`s."""
    sample: Sample = {**words.unit, **{fact.name: 1 for fact in TRIGGER_FACTS}}
    found: list[Trigger] = []
    for entry in root.tables("trigger"):
        name = value_readers.hyphened(entry, "id", {trigger.id for trigger in found}, "the trigger")
        effects = entry.tables("effect")
        if not effects:
            entry.problem(None, "a trigger has no [[trigger.effect]]; expected what happens then")
        trigger = Trigger(
            name,
            value_readers.label(entry),
            entry.text("at", choices=MOMENTS),
            value_readers.condition(entry, "when", sample),
            read_effects(effects, Stage(sample, (), "attacker", has_target=False, is_by_itself=True), names),
            value_readers.origin(entry),
        )
        found.append(trigger)
        entry.finish()
    return tuple(found)
