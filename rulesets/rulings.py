"""Rulings: `[ruling.<name>]`, decisions of ours that a GM changes in one line, or for one battle."""

from __future__ import annotations

from fractions import Fraction

from engine.rules.origin import Origin
from engine.rules.rulings import (
    CHAPTER_ONLY,
    FOES_CHOICES,
    FOES_KNOWN,
    NOT_SHOWN,
    ONE_NUMBERING,
    TURN_CHOICES,
    UNKNOWN_TURNS,
    USUAL,
    Ruling,
)
from engine.text import count
from engine.toml_reader import Reader, quoted
from engine.values import replace
from rulesets import value_readers

FOES = (
    "Players know the numbers of other sides' units",
    USUAL,
    FOES_CHOICES,
    "exact: their chances to hit rest on these; usual: on those of their kind; none: they see no chances",
)
FOES_SAY = "Decides what players' chances to hit rest on: the enemy's true numbers, those of its kind, or none."
TURNS = (
    "Players see turns of units out of sight",
    NOT_SHOWN,
    TURN_CHOICES,
    "shown: by name; blank: as places without a name; none: not at all; hidden units never stand in their turn order",
)
TURNS_SAY = (
    "Decides whether players read the turns of units out of their sight by name, as blank places, or not at all."
)
NUMBERING = (
    "One numbering for all",
    False,
    (),
    "players count the units of a group as they first see them: a gap in your numbers would tell of somebody unseen",
)
NUMBERING_SAY = "Decides whether players read your numbers of the units of a group, or count them as they see them."
CHAPTER_LABEL = "Chapter only, without modifiers of ours"
CHAPTER_SAY = (
    "Switches off modifiers, ranges and refusals that are not the game's, "
    "and keeps the numbers that we chose for rules it has."
)
ORIGIN = Origin("Not in the system", "The list of rulings has each of them.")
OURS = "ours"
"""The key of a modifier, a restriction or a range band that the system does not have."""


def read_rulings(root: Reader) -> dict[str, Ruling]:
    """Every ruling by its name; with those that every ruleset has, and the one that turns off what is `ours`."""
    found = {
        FOES_KNOWN: Ruling(FOES_KNOWN, *FOES, replace(ORIGIN, say=FOES_SAY)),
        UNKNOWN_TURNS: Ruling(UNKNOWN_TURNS, *TURNS, replace(ORIGIN, say=TURNS_SAY)),
        ONE_NUMBERING: Ruling(ONE_NUMBERING, *NUMBERING, replace(ORIGIN, say=NUMBERING_SAY)),
    }
    bands = [row for table in root.tables("bands") for row in table.tables("band")]
    if ours := sum(row.has(OURS) for row in (*root.tables("modifier"), *root.tables("restriction"), *bands)):
        because = (
            f"{count(ours, 'modifier')} of this ruleset, range bands and restrictions included, are not the system's"
        )
        found[CHAPTER_ONLY] = Ruling(CHAPTER_ONLY, CHAPTER_LABEL, False, (), because, replace(ORIGIN, say=CHAPTER_SAY))
    for name, entry in value_readers.subtables(root, "ruling"):
        value = _value(entry)
        choices = _choices(entry, value)
        if choices and value not in choices:
            entry.problem("value", f"value = {_described(value)} is not one of the choices")
        step = _step(entry, value)
        because = entry.text("because", most=value_readers.MOST_TEXT)
        found[name] = Ruling(
            name, value_readers.label(entry), value, choices, because, value_readers.origin(entry), step
        )
        entry.finish()
    return found


def _value(entry: Reader) -> bool | int | str:
    value = entry.value("value")
    if isinstance(value, Fraction):
        entry.problem("value", "value is a fraction; expected a whole number")
        return 0
    if isinstance(value, str) and not entry.has("choices"):
        entry.problem("value", f"value = {_described(value)} is a word; add choices, or use a number, true or false")
    return value


def _step(entry: Reader, value: bool | int | str) -> int:
    if not entry.has("step"):
        return 1
    step = entry.value("step")
    if type(step) is not int or step < 1 or type(value) is not int:
        entry.problem("step", "step must be a whole number of at least 1, for a value that is a number")
        return 1
    if value % step:
        entry.problem("value", f"value = {value} is not a multiple of step = {step}")
    return step


def _choices(entry: Reader, value: bool | int | str) -> tuple[bool | int | str, ...]:
    if not entry.has("choices"):
        return ()
    raw = entry.raw("choices")
    if not isinstance(raw, list) or not raw or any(type(each) is not type(value) for each in raw):
        entry.problem(
            "choices",
            f"choices must be a list of values like {_described(value)}; expected {value_readers.kind(value)} each",
        )
        return ()
    return entry.texts("choices") if isinstance(value, str) else tuple(raw)


def _described(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else quoted(value) if isinstance(value, str) else str(value)
