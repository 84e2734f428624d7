"""Moments: `[[moment]]`, what happens to units by itself."""

from __future__ import annotations

from engine.documents import Reader
from engine.rules.facts import MOMENT_FACTS
from engine.rules.rounds import MOMENTS, Moment
from rulesets import reading
from rulesets.declarations import Declarations
from rulesets.effects import Stage, read_effects
from rulesets.reading import Sample
from rulesets.vocabulary import Vocabulary


def read_moments(root: Reader, words: Vocabulary, names: Declarations) -> tuple[Moment, ...]:
    """`[[moment]]` with its `[[moment.effect]]`s."""
    sample: Sample = {**words.unit, **{fact.name: 1 for fact in MOMENT_FACTS}}
    found: list[Moment] = []
    for entry in root.tables("moment"):
        name = reading.hyphened(entry, "id", {moment.id for moment in found}, "the moment")
        effects = entry.tables("effect")
        if not effects:
            entry.problem(None, "a moment has no [[moment.effect]]; expected what happens then")
        moment = Moment(
            name,
            reading.label(entry),
            entry.text("at", choices=MOMENTS),
            reading.condition(entry, "when", sample),
            read_effects(effects, Stage(sample, (), "attacker", has_target=False, is_by_itself=True), names),
            reading.origin(entry),
        )
        found.append(moment)
        entry.finish()
    return tuple(found)
