"""Facts that a ruleset names itself: `[[fact]]`; and `[strikes]`, how often what follows from a hit happens."""

from __future__ import annotations

from engine.rules.model import FACT_TIMES, NamedFact, Strikes, Value
from engine.rules.syntax import ExpressionError
from engine.toml_reader import Reader, quoted
from engine.values import replace
from rulesets import value_readers
from rulesets.value_readers import Sample, is_broken
from rulesets.vocabulary import Vocabulary


def read_facts(root: Reader, words: Vocabulary) -> tuple[tuple[NamedFact, ...], Vocabulary]:
    """`[[fact]]`: the facts in order, and the words with theirs among them."""
    found: list[NamedFact] = []
    for entry in root.tables("fact"):
        after = entry.text("after", FACT_TIMES[0], choices=FACT_TIMES)
        sample = words.rolled if after == "roll" else words.situation
        name = entry.text("id")
        if entry.has("id") and not value_readers.is_identifier(name):
            entry.problem(
                "id", f"id = {quoted(name)} is not a valid fact name; expected lower-case letters, digits and _"
            )
        elif name in words.struck:
            entry.problem("id", f"{quoted(name)} is already a fact; choose another name")
        value = value_readers.any_value(entry, "value", sample)
        is_shown, origin = entry.flag("show", False), value_readers.origin(entry)
        found.append(NamedFact(name, value_readers.label(entry), value, after, is_shown, origin))
        entry.finish()
        words = _with(words, name, _typical(found[-1], sample), after)
    return tuple(found), words


def read_strikes(root: Reader, sample: Sample, before: Sample) -> Strikes | None:
    """`[strikes]`: how often what follows from a hit happens; None where the ruleset does not say.

    `sample` has the facts of an attack that was rolled, `before` those of one that is not.
    """
    if not root.has("strikes"):
        return None
    entry = root.table("strikes")
    count = value_readers.amount(entry, "count", sample)
    label, origin = entry.text("label", "Hit", most=value_readers.MOST_LABEL), value_readers.origin(entry)
    onto = value_readers.amount(entry, "carry_over", sample) if entry.has("carry_over") else None
    if entry.has("may_split") and onto is None:
        entry.problem("may_split", "may_split needs a distance; add carry_over = …")
    shares = value_readers.condition(entry, "may_split", before, False)
    found = Strikes(count, label, origin, onto, shares)
    entry.finish()
    return found


def _with(words: Vocabulary, name: str, value: Value, after: str) -> Vocabulary:
    """The words with one more: after the roll in those of the roll, before it in those of the attack too."""
    before = ("act_on", "situation", "attack") if after == "situation" else ()
    stages = (*before, "rolled", "graded", "struck", "defence")
    return replace(words, **{stage: {**getattr(words, stage), name: value} for stage in stages})


def _typical(fact: NamedFact, sample: Sample) -> Value:
    """A value to try other formulas on."""
    try:
        return 1 if is_broken(fact.value) else fact.value.evaluate(sample)
    except ExpressionError:
        return 1
