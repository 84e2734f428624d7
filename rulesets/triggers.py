"""Moments: `[[moment]]`, what happens to units by itself."""

from __future__ import annotations

from engine.rules.fact_list import MOMENT_FACTS
from engine.rules.turn_rules import MOMENTS, Moment
from engine.toml_reader import Reader
from rulesets import value_readers
from rulesets.declarations import Declarations
from rulesets.effects import Stage, read_effects
from rulesets.value_readers import Sample
from rulesets.vocabulary import Vocabulary


def read_moments(root: Reader, words: Vocabulary, names: Declarations) -> tuple[Moment, ...]:
    """`[[moment]]` with its `[[moment.effect]]`s."""
    sample: Sample = {**words.unit, **{fact.name: 1 for fact in MOMENT_FACTS}}
    found: list[Moment] = []
    for entry in root.tables("moment"):
        name = value_readers.hyphened(entry, "id", {moment.id for moment in found}, "the moment")
        effects = entry.tables("effect")
        if not effects:
            entry.problem(None, "a moment has no [[moment.effect]]; expected what happens then")
        moment = Moment(
            name,
            value_readers.label(entry),
            entry.text("at", choices=MOMENTS),
            value_readers.condition(entry, "when", sample),
            read_effects(effects, Stage(sample, (), "attacker", has_target=False, is_by_itself=True), names),
            value_readers.origin(entry),
        )
        found.append(moment)
        entry.finish()
    return tuple(found)
