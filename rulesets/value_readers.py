"""Reading the kinds of value that rulesets are made of: formulas, texts with formulas, dice, names, origins.

Everything wrong is noted with the reader, at its column; what is returned then is harmless, and `is_broken` tells.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from engine.dice.dice_expressions import Dice, DiceError, parse_dice
from engine.errors import near_miss, near_or_known
from engine.rules.expressions import (
    Expression,
    Template,
    compile_expression,
    compile_template,
    constant,
)
from engine.rules.model import WEAPON_KINDS, Value
from engine.rules.origin import Origin
from engine.rules.syntax import TEXT, YES_NO, ExpressionError
from engine.toml_reader import REQUIRED, Reader, Required, described, quoted

MOST_LABEL = 48
MOST_TEXT = 400
"""Cells of a source, a ruling or a reason."""
MOST_FORMULA = 1000
SAY, MOST_SAY = "say", 140
"""The key of a rule's sentence for the table, and its cells."""
NOT_SAID = re.compile(r"[][(){}<>_=*\\|]")
"""What belongs to formulas and ids, and to no sentence."""
SENTENCE_ENDS = (".", "!", "?")
SAY_EXPECTED = "expected one sentence without brackets, ids and formulas"

MUCH = 1000
"""A number larger than most that formulas compare with."""

BROKEN = constant(0)
BLANK = compile_template("", ())
ONE_DIE = parse_dice("1d6")

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")
HYPHENED = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LOOKS_LIKE_DICE = re.compile(r"\s*[0-9]*[dD][0-9%]")

Sample = Mapping[str, Any]
"""Facts by name with a typical value each: what a formula may ask for, and what it is tried on.

A derived fact has its formula instead, and is never tried: what asks for it asks for what that formula asks for.
"""


def is_broken(formula: Expression) -> bool:
    """Whether it stands in for a formula that could not be read."""
    return formula is BROKEN


def condition(reader: Reader, key: str, sample: Sample, default: bool | Required = True) -> Expression:
    """A formula that says yes or no."""
    return _formula(reader, key, sample, default, is_number=False)


def amount(reader: Reader, key: str, sample: Sample, default: int | Required = REQUIRED) -> Expression:
    """A formula whose value is a number."""
    return _formula(reader, key, sample, default, is_number=True)


def any_value(reader: Reader, key: str, sample: Sample) -> Expression:
    """A formula whose value is a number, yes or no, or a word."""
    return _compiled(reader, key, sample, REQUIRED)


def dice_formula(reader: Reader, key: str, sample: Sample) -> Expression:
    """Dice as they are written, or a formula that names them, as `weapon.damage`."""
    text = reader.raw(key)
    if isinstance(text, str):
        try:
            return constant(parse_dice(text).text)
        except DiceError as error:
            if LOOKS_LIKE_DICE.match(text):
                reader.problem(key, f"{quoted(text)} is not a dice expression: {error.message}", offset=error.column)
                return BROKEN
    return _compiled(reader, key, sample, REQUIRED)


def labels(things: Mapping[str, Any]) -> dict[str, str]:
    """Labels of things by id."""
    return {id: one.label for id, one in things.items()}


def unknown(what: str, name: str, known: Mapping[str, str]) -> str:
    """That there is no such thing, with the id of the nearest id or label, else the first ids.

    >>> unknown("weapon", "Knive", {"blade-1": "Knife"}), unknown("weapon", "axe", {"blade-1": "Knife"})
    ("no weapon is called 'Knive'; did you mean 'blade-1'?", "no weapon is called 'axe'; known: blade-1")
    """
    called = {label.casefold(): id for id, label in known.items()}
    near = near_miss(name, known) or called.get(near_miss(name.casefold(), called) or "")
    near = near or next((id for label, id in called.items() if name and name.casefold() in label), None)
    hint = f"did you mean {near!r}?" if near else near_or_known(name, known, 12)
    return f"no {what} is called {quoted(name)}; {hint}"


def template(reader: Reader, key: str, sample: Sample) -> Template:
    """A text with formulas in braces."""
    text = reader.text(key, most=MOST_TEXT)
    try:
        return compile_template(text, sample)
    except ExpressionError as error:
        reader.problem(key, error.message, offset=error.column)
        return BLANK


def dice(reader: Reader, key: str) -> Dice:
    """A dice expression."""
    if reader.has(key):
        text = reader.text(key, most=MOST_FORMULA)
        try:
            return parse_dice(text)
        except DiceError as error:
            reader.problem(key, f"{quoted(text)} is not a dice expression: {error.message}", offset=error.column)
    else:
        reader.text(key)
    return ONE_DIE


class RuleReader:
    """A rule being read by its own kind; see `engine.rules.effect_kinds.RuleRow`."""

    def __init__(self, entry: Reader, known: Sample) -> None:
        self.entry, self.known = entry, known

    def amount(self, key: str) -> Expression:
        return amount(self.entry, key, self.known)

    def any_value(self, key: str) -> Expression:
        return any_value(self.entry, key, self.known)

    def dice(self, key: str) -> Expression:
        return dice_formula(self.entry, key, self.known)

    def template(self, key: str) -> Template:
        return template(self.entry, key, self.known)


def origin(reader: Reader) -> Origin:
    """Where a rule comes from, required of every rule, and its sentence."""
    found = bare_origin(reader)
    return Origin(found.source, found.ruling, say(reader))


def say(reader: Reader) -> str:
    """`say`: what a rule does at the table, in one sentence; "" without it."""
    if not reader.has(SAY):
        return ""
    text = reader.text(SAY, most=MOST_SAY)
    if text and (sign := NOT_SAID.search(text)):
        reader.problem(SAY, f"{SAY} has {quoted(sign[0])}; {SAY_EXPECTED}", offset=sign.start())
    elif text and not text.endswith(SENTENCE_ENDS):
        reader.problem(SAY, f"{SAY} does not end as a sentence; {SAY_EXPECTED}", offset=len(text))
    elif reader.raw(SAY) == "":
        reader.problem(SAY, f"{SAY} is empty; {SAY_EXPECTED}")
    return text


def bare_origin(reader: Reader) -> Origin:
    """Where something comes from that has no sentence: gear, a sheet, one range band of a table."""
    source = reader.text("source", most=MOST_TEXT)
    if reader.has("source") and not source:
        reader.problem("source", "source is empty; expected a chapter and heading, or who decided")
    return Origin(source, reader.text("ruling", "", most=MOST_TEXT))


def subtables(reader: Reader, key: str) -> list[tuple[str, Reader]]:
    """The tables under a key by name, as `[pool.hp]` stands under "pool"; each name one that formulas may ask for."""
    found = reader.table(key)
    names = list(found.keys())
    for name in names:
        check_identifier(found, name)
    return [(name, found.table(name)) for name in names]


def weapon_kinds(
    entry: Reader, key: str = "weapons", default: tuple[str, ...] | Required = REQUIRED
) -> tuple[str, ...]:
    """The weapon kinds of an entry: one word, or a list of several."""
    if isinstance(entry.raw(key), str):
        return (entry.text(key, choices=WEAPON_KINDS),)
    kinds = entry.texts(key, default)
    if entry.has(key) and (not kinds or not set(kinds) <= set(WEAPON_KINDS)):
        entry.problem(key, f"{key} takes one or more of {', '.join(WEAPON_KINDS)}")
    return kinds


def label(reader: Reader, key: str = "label") -> str:
    """A short text for panels."""
    return reader.text(key, most=MOST_LABEL)


def hyphened(reader: Reader, key: str, taken: Collection[str], what: str) -> str:
    """An id of words and hyphens, as "machine-gunner", that is not taken yet."""
    name = reader.text(key)
    if name and not HYPHENED.fullmatch(name):
        reader.problem(
            key, f"{key} = {quoted(name)} is not a valid id; expected lower-case letters, digits and hyphens"
        )
    if name in taken:
        reader.problem(key, f"{what} {quoted(name)} already exists; each {key} must be unique")
    return name


def is_identifier(name: str) -> bool:
    """Whether a formula can ask for the name."""
    return bool(IDENTIFIER.fullmatch(name)) and not keyword.iskeyword(name)


def check_identifier(reader: Reader, key: str) -> None:
    """Note when a key that names a fact cannot be asked for."""
    if not is_identifier(key):
        reader.problem(key, f"{quoted(key)} is not a valid fact name; expected lower-case letters, digits and _")


def kind(value: Value) -> str:
    """What kind of value it is, in the words of messages."""
    if isinstance(value, bool):
        return "true or false"
    return "a text in quotes" if isinstance(value, str) else "a number"


def value_like(reader: Reader, key: str, model: Value) -> Value:
    """A plain value of the same kind as `model`."""
    value = reader.value(key)
    if kind(value) != kind(model):
        reader.problem(key, f"{key} is {described(value)}; expected {kind(model)}")
        return model
    return value


def _formula(reader: Reader, key: str, sample: Sample, default: bool | int | Required, is_number: bool) -> Expression:
    formula = _compiled(reader, key, sample, default)
    may_be_wrong = formula.kinds & (TEXT | YES_NO if is_number else TEXT)
    if is_broken(formula) or not may_be_wrong or reader.document.is_shipped:
        return formula
    for facts in _variants(formula.names, sample):
        try:
            value = formula.evaluate(facts)
        except ExpressionError:
            continue  # the sample is only typical; a fight may have no such numbers
        if isinstance(value, str) or (is_number and isinstance(value, bool)):
            expected = "a number" if is_number else "yes or no"
            reader.problem(key, f"{key} is {described(value)}; expected {expected}")
            return BROKEN
    return formula


def _variants(names: Collection[str], sample: Sample) -> Iterator[Sample]:
    """Facts to try a formula on: as in the sample, each yes a no and each no a yes, all numbers nothing, all large.

    So most branches of a formula are taken once.
    """
    typical = {name: sample[name] for name in names}
    opposite = {name: not value if isinstance(value, bool) else value for name, value in typical.items()}
    for facts in (typical, opposite):
        for number in (None, 0, MUCH):
            yield {
                name: value if number is None or isinstance(value, (bool, str)) else number
                for name, value in facts.items()
            }


def _compiled(reader: Reader, key: str, sample: Sample, default: bool | int | Required) -> Expression:
    if not reader.has(key):
        if not isinstance(default, Required):
            return constant(default)
        reader.value(key)  # notes that it is missing
        return BROKEN
    value = reader.raw(key)
    if not isinstance(value, str):
        if isinstance(value, (bool, int, Fraction)):
            return constant(reader.value(key))
        reader.problem(key, f"{key} is {described(value)}; expected a number or a formula in quotes")
        return BROKEN
    text = reader.text(key, most=MOST_FORMULA)
    found: Expression | None
    found, known = reader.document.read_before.get(text, (None, sample))
    if found is None or not all(name in sample and kind(sample[name]) == kind(known[name]) for name in found.names):
        try:
            found = compile_expression(text, sample)
        except ExpressionError as error:
            reader.problem(key, error.message, offset=error.column)
            return BROKEN
        reader.document.read_before[text] = found, sample
    reader.document.formulas.append((reader, key, found.text))
    return found
