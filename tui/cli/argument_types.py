"""Types of arguments on the command line: names, which the shell completes, and lengths in hundredths of a unit."""

from __future__ import annotations

import argparse
import re


def ruleset_name(text: str) -> str:
    """A ruleset's id or folder."""
    return text


def battle_name(text: str) -> str:
    """A battle's name or file."""
    return text


def map_or_battle_name(text: str) -> str:
    """A map's id or file, or a battle's name or file."""
    return text


def role_name(text: str) -> str:
    """A role that rulesets have an archetype for."""
    return text


def role_or_character_name(text: str) -> str:
    """A role that rulesets have an archetype for, or a character."""
    return text


def file_name(text: str) -> str:
    """A file's path."""
    return text


def altitude(text: str) -> int:
    """A height above the ground, 0 or more, in hundredths of the map's unit."""
    if re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,2})?", text, re.ASCII) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a height; expected a number from 0, such as 12 or 2.5")
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def square_size(text: str) -> int:
    """The side of a square, above 0, in hundredths of the unit."""
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?", text, re.ASCII) is None or not float(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; expected a number above 0, such as 5 or 1.5")
    return round(float(text) * 100)
