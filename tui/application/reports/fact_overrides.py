"""Facts set by hand on the command line (`--set covered=0.5`): names looked up, values read by the fact's kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from engine.errors import BattleboardError, Unknown
from engine.geometry.battlefield import LIGHTS
from engine.geometry.body import POSTURES
from engine.rules.fact_list import facts_by_name
from engine.rules.model import Value
from engine.text import clean
from tui.application.reports.fact_report import kind_of

NUMBER = re.compile(r"[-−+]?[0-9]{1,9}(\.[0-9]{1,9})?(/[0-9]{1,9})?")
YES, NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")
SHARES = ("visible", "covered")
BELOW_ZERO = ("height_difference",)
MATERIALS = ("", "light", "medium", "heavy")
MOST_WORD = 100
SHOWN = 40
"""Cells of a wrong value that a message repeats."""


def read_settings(settings: Iterable[str], facts: Mapping[str, Value]) -> dict[str, Value]:
    """The values of some `FACT=VALUE` texts.

    Args:
        settings: as they stand on the command line.
        facts: the facts of the situation, whose names and kinds count.

    Raises:
        Unknown: no such fact; the message names the nearest.
        BattleboardError: no `=`, or a value that the fact cannot have.
    """
    found: dict[str, Value] = {}
    for setting in settings:
        name, sign, text = setting.partition("=")
        name, text = name.strip(), text.strip()
        if not sign:
            raise BattleboardError(f"--set {setting!r} has no value; expected FACT=VALUE, such as covered=0.5.")
        if name not in facts:
            raise Unknown("fact", name, facts)
        found[name] = _value(name, text, facts[name])
    return found


def _value(name: str, text: str, present: Value) -> Value:
    fact = facts_by_name().get(name)
    kind = fact.kind if fact else kind_of(present)
    match kind:
        case "yes/no":
            return _flag(name, text)
        case "word":
            return _word(name, text)
    return _number(name, text, is_whole=kind == "whole", is_built_in=fact is not None)


def _flag(name: str, text: str) -> bool:
    if text.lower() not in YES + NO:
        raise _wrong(name, text, "yes or no")
    return text.lower() in YES


def _word(name: str, text: str) -> str:
    kinds = {"light": LIGHTS, "posture": POSTURES, "cover_material": MATERIALS}
    words = kinds.get(name.rpartition(".")[2])
    if words is not None and text not in words:
        raise _wrong(name, text, " or ".join(word or "nothing" for word in words))
    if len(text) > MOST_WORD:
        raise _wrong(name, text, f"a word of up to {MOST_WORD} characters")
    return text


def _number(name: str, text: str, *, is_whole: bool, is_built_in: bool) -> int | Fraction:
    expected = "a whole number" if is_whole else "a share from 0 to 1" if name in SHARES else "a number"
    if NUMBER.fullmatch(text) is None:
        raise _wrong(name, text, expected)
    above, _, below = text.replace("−", "-").partition("/")
    if below and not int(below):
        raise _wrong(name, text, expected)
    number = Fraction(above) / int(below or 1)
    if is_whole and number.denominator != 1:
        raise _wrong(name, text, expected)
    if name in SHARES and not 0 <= number <= 1:
        raise _wrong(name, text, expected)
    if is_built_in and number < 0 and name not in BELOW_ZERO:
        raise _wrong(name, text, f"{expected} of 0 or more")
    return number.numerator if number.denominator == 1 else number


def _wrong(name: str, text: str, expected: str) -> BattleboardError:
    return BattleboardError(f"--set {name}={clean(text, SHOWN)} is not allowed; expected {expected}.")
