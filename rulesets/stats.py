"""Stats: `[stat.<name>]`, what each may be and what it is for, and the values that sheets and equipment give them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rules.model import Stat, Value
from engine.rules.stats import CHOICE, FLAG, NUMBER, STAT_KINDS
from engine.toml_reader import MOST_NUMBER, Reader, described
from rulesets import value_readers

MOST_HELP = 100
"""Cells of a line of help."""
KIND_WORDS = {NUMBER: "a number", FLAG: "true or false", CHOICE: "the id of one of its choices"}
EXPECTED = {
    "kind": f"{', '.join(STAT_KINDS[:-1])} or {STAT_KINDS[-1]}",
    "min": "the smallest number that it may be",
    "max": "the largest number that it may be",
    "choices": 'what it may be, as { low = "Low", high = "High" }',
    "group": 'the heading that lists it, as "Skills"',
    "help": "one line on what it does in a fight",
}
"""What every stat has to say besides its label and default; the bounds of numbers, the choices of a choice."""


def read_stat(name: str, entry: Reader) -> Stat:
    """One stat; what is missing or cannot be is noted."""
    label, default = value_readers.label(entry), entry.value("default")
    kind = entry.text("kind", choices=STAT_KINDS) if _has(entry, "kind") else _kind_of(default)
    low, high = (_bound(entry, key, kind) for key in ("min", "max"))
    stat = Stat(
        id=name,
        label=label,
        kind=kind,
        default=default,
        group=_line(entry, "group", value_readers.MOST_LABEL),
        help=_line(entry, "help", MOST_HELP),
        low=-MOST_NUMBER if low is None else low,
        high=MOST_NUMBER if high is None else high,
        choices=_choices(entry, kind),
        is_listed=entry.flag("listed", False),
    )
    entry.finish()
    if low is not None and high is not None and low >= high:
        entry.problem("max", f"max is {high}; expected more than min, which is {low}")
    elif entry.has("default") and (kind != CHOICE or stat.choices) and not stat.accepts(default):
        expected = KIND_WORDS[kind] if _kind_of(default) != kind else stat.allowed
        entry.problem("default", f"default is {described(default)}; expected {expected}")
    return stat


def read_stats(entry: Reader, stats: Mapping[str, Stat], *, are_added: bool = False) -> dict[str, Value]:
    """Values that a sheet or equipment gives to stats: each of its kind, and within its bounds unless `are_added`."""
    found: dict[str, Value] = {}
    for name, stat in stats.items():
        if entry.has(name):
            problems = len(entry.document.problems)
            value = found[name] = value_readers.value_like(entry, name, stat.default)
            if not are_added and len(entry.document.problems) == problems and not stat.accepts(value):
                entry.problem(name, f"{name} is {described(value)}; expected {stat.allowed}")
    entry.finish()
    return found


def _has(entry: Reader, key: str) -> bool:
    """Whether the stat says it; noted where it does not."""
    if not entry.has(key) and not entry.is_stand_in:
        entry.problem(None, f"{entry.label} has no {key!r}; expected {EXPECTED[key]}")
    return entry.has(key)


def _kind_of(value: object) -> str:
    return FLAG if isinstance(value, bool) else CHOICE if isinstance(value, str) else NUMBER


def _bound(entry: Reader, key: str, kind: str) -> int | None:
    """The smallest or largest number; None when it is missing, as for what is no number."""
    if kind == NUMBER:
        return entry.whole(key) if _has(entry, key) else None
    if entry.has(key):
        entry.problem(key, f"{key} is only for numbers, and this is a {kind}; remove it")
    return None


def _choices(entry: Reader, kind: str) -> dict[str, str]:
    if kind != CHOICE:
        if entry.has("choices"):
            entry.problem("choices", f"choices are only for a choice, and this is a {kind}; remove them")
        return {}
    if not _has(entry, "choices"):
        return {}
    listed = entry.table("choices")
    if not listed.keys() and not listed.is_stand_in:
        entry.problem("choices", f"choices is empty; expected {EXPECTED['choices']}")
    return {choice: value_readers.label(listed, choice) for choice in listed}


def _line(entry: Reader, key: str, most: int) -> str:
    text = entry.text(key, most=most) if _has(entry, key) else ""
    if entry.raw(key) == "":
        entry.problem(key, f"{key} is empty; expected {EXPECTED[key]}")
    return text
