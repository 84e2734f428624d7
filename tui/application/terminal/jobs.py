"""Long work in parts, so that its progress can be shown and it can be cancelled between them."""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from typing import TypeVar

Made = TypeVar("Made")
Job = Generator[Fraction, None, Made]
"""Yields the share that is done after each part; its value is what it makes."""
NOTHING, HALF, ALL = Fraction(0), Fraction(1, 2), Fraction(1)


def within(job: Job[Made], begin: Fraction, end: Fraction) -> Job[Made]:
    """A job that is one part of a larger one: from the share `begin` of it to `end`."""
    while True:
        try:
            share = next(job)
        except StopIteration as ended:
            made: Made = ended.value
            return made
        yield begin + share * (end - begin)
